"""What no log may break: any pieces of the bytes and any batches of the records give the same transcript.

Records are made up without regard to sense (results before calls, ids used twice, halves of surrogate pairs), logs by
the builders and then damaged.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recapd.adapters.registry import recognise
from recapd.core.log.effects import FileEffect
from recapd.core.log.events import (
    Call,
    Compacted,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Linked,
    Note,
    Opened,
    Problem,
    Prompt,
    Queued,
    Record,
    Reply,
    Result,
    Rewound,
    Thought,
    Titled,
    TodoChanged,
    TodoItem,
    Todos,
)
from recapd.core.log.lines import START, split
from recapd.core.log.refs import Place
from recapd.core.state.draft import start_draft
from recapd.core.state.folding import extend, freeze, take
from recapd.core.state.transcript import EMPTY, Transcript
from recapd.core.state.world import World, fold, session_of
from recapd.core.views.recap.markdown import full_markdown, short_markdown
from recapd.core.views.recap.recap import recap_of
from recapd.core.views.recap.summary import formatted
from recapd.wire import convert
from tests.support import logs
from tests.support.logs import LOGS, Act, at
from tests.support.records import batch

SLOW = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Few ids, so that they meet; as long as the agents' own are, for only their beginnings are kept.
IDS = st.sampled_from(["", *(f"{number:08x}" for number in range(8))])
# Half a surrogate pair is in no valid log, and must not matter if it comes.
TEXTS = st.text(st.characters(exclude_categories=()), max_size=30) | st.sampled_from(
    ["", "fix the parser", "hi", "git commit -m 'x' && pytest", "rm a.txt", "src/a.py", "a\nb\r\n\u2028c", "Which one?"]
)
NAMES = st.sampled_from(["", "Edit", "Bash", "mcp__a__b", "x" * 300])
KINDS = st.sampled_from(msgspec.inspect.type_info(Call).fields[2].type.values)  # type: ignore[attr-defined]
PAYLOADS = st.binary(max_size=20) | TEXTS.map(
    lambda text: msgspec.json.encode(text.encode("utf-8", "replace").decode())
)
FLAGS = st.booleans()
ACTIONS = st.sampled_from(["created", "modified", "deleted", "renamed", "written", "read"])
EFFECTS = st.lists(st.builds(FileEffect, TEXTS, ACTIONS, TEXTS), max_size=2).map(tuple)
STATUSES = st.sampled_from(["pending", "active", "done", "dropped"])
ITEMS = st.lists(st.builds(TodoItem, TEXTS, STATUSES, IDS), max_size=3).map(tuple)

PROCESSES = st.sampled_from(["", "", "7", "8"])

EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(Opened, IDS, IDS, IDS),
    st.builds(Prompt, TEXTS, st.sampled_from(["typed", "queued", "command"]), FLAGS, FLAGS),
    st.builds(Queued, TEXTS, FLAGS, FLAGS),
    st.builds(Note, st.sampled_from(["meta", "task"]), TEXTS),
    st.builds(Reply, TEXTS, IDS),
    st.builds(Thought, st.integers(0, 99)),
    st.builds(Call, IDS, NAMES, KINDS, TEXTS, TEXTS, TEXTS, st.integers(-1, 9), EFFECTS, PROCESSES),
    st.builds(
        Result,
        IDS,
        failed=FLAGS,
        denied=FLAGS,
        reason=TEXTS,
        exit_code=st.none() | st.integers(-1, 2),
        payload=PAYLOADS,
        process=PROCESSES,
        created=st.none() | FLAGS,
        lines=st.integers(-1, 9),
        answers=st.lists(st.tuples(TEXTS, TEXTS), max_size=2).map(tuple),
        approved=st.none() | FLAGS,
        subagent=IDS,
        undone=FLAGS,
        effects=EFFECTS,
    ),
    st.builds(Todos, ITEMS),
    st.builds(TodoChanged, IDS, TEXTS, STATUSES | st.just(""), IDS),
    st.builds(Titled, TEXTS, FLAGS),
    st.builds(Linked, TEXTS, TEXTS),
    st.builds(Compacted, TEXTS, st.integers(0, 9)),
    st.builds(Interrupted, FLAGS),
    st.builds(Ended, st.sampled_from(["turn", "session"]), TEXTS),
    st.builds(Faulted, TEXTS),
    st.builds(Rewound, st.integers(0, 4)),
)
TIMES = st.sampled_from(["", *(at(number * 1000) for number in range(6))])
SESSIONS = st.sampled_from(["", "s1", "s2"])


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    found: list[Record] = []
    for line in range(1, draw(st.integers(1, 25)) + 1):
        header = draw(
            st.tuples(TIMES, IDS, IDS, SESSIONS, st.sampled_from(["", "/p", "/q"]), st.sampled_from(["", "", "agent"]))
        )
        moment, own, parent, session, cwd, via = header
        found.append(
            Record(
                Place(line, line * 10, 9),
                draw(st.sampled_from(["user", "assistant"])),
                tuple(draw(st.lists(EVENTS, max_size=3))),
                at=moment,
                id=own,
                parent=parent,
                session=session,
                cwd=cwd,
                via=via,
                known=draw(FLAGS),
            )
        )
    return found


def in_batches(found: list[Record], cuts: list[int]) -> Transcript:
    transcript = EMPTY
    ends = [*sorted(cut % (len(found) + 1) for cut in cuts), len(found)]
    start = 0
    for end in ends:
        transcript = extend(transcript, found[start:end])
        start = end
    return transcript


@SLOW
@given(records(), st.lists(st.integers(0, 30), max_size=6))
def test_any_batches_of_any_records_give_the_same_transcript(found: list[Record], cuts: list[int]) -> None:
    at_once = extend(EMPTY, found)
    assert in_batches(found, cuts) == at_once
    assert in_batches(found, list(range(len(found)))) == at_once
    held = start_draft(EMPTY)
    for record in found:
        take(held, [record])
    assert freeze(held) == at_once


@SLOW
@given(records())
def test_what_is_counted_adds_up(found: list[Record]) -> None:
    transcript = extend(EMPTY, found)
    totals = transcript.totals
    alive = [turn for turn in transcript.turns if not turn.abandoned]
    assert totals.turns == len(alive)
    assert totals.exchanges == sum(turn.replied is not None for turn in alive)
    assert totals.exchanges <= totals.turns <= totals.messages
    assert totals.records == len(found)
    places = {record.place for record in found}
    assert all(turn.request.place in places for turn in alive)
    assert all(step.place in places for step in transcript.steps)
    assert all(file.place in places for file in transcript.files)
    assert len({file.path for file in transcript.files}) == len(transcript.files)


@SLOW
@given(records())
def test_any_records_can_be_told(found: list[Record]) -> None:
    """Nothing a log may say keeps a recap from being written and sent."""
    world, delta = fold(World(), batch(found))
    session = session_of(world, delta.session_id)
    assert session is not None
    facts = recap_of(session, at(0))
    for text in (short_markdown(facts), full_markdown(facts, collapsible=True), formatted(facts)):
        assert isinstance(text, str)
    assert msgspec.json.encode(convert.recap(facts))


@SLOW
@given(records(), st.lists(st.integers(0, 30), max_size=4))
def test_reading_again_from_zero_is_reading_on(found: list[Record], cuts: list[int]) -> None:
    """A file that was read in pieces and then read anew says the same, under a newer revision."""
    world = World()
    for cut in sorted(cut % (len(found) + 1) for cut in cuts):
        world, before = fold(world, batch(found[:cut], restart=True))
    world, before = fold(world, batch(found, restart=True))
    again, after = fold(world, batch(found, restart=True))
    assert after.session_id == before.session_id
    assert after.revision > before.revision
    assert session_of(again, after.session_id) is not None
    known, fresh = world.sources[batch([]).uri], again.sources[batch([]).uri]
    assert known.transcript == fresh.transcript == extend(EMPTY, found)


# ---- whole logs

WORDS = st.sampled_from(
    ["fix the parser", "hi", "Done. Anything else?", "ünïcödé 🎉", "line\nline\u2028line", '{"type":"user"}']
)
PATHS = st.sampled_from(["/home/dev/shop/a.py", "b.py", "../c.py", ""])
OUTCOMES = st.sampled_from(["ok", "failed", "denied", "open"])
ACTS: st.SearchStrategy[Act] = st.one_of(
    WORDS.map(logs.human),
    WORDS.map(logs.agent),
    WORDS.map(logs.title),
    st.builds(logs.read, PATHS, WORDS, outcome=OUTCOMES),
    st.builds(logs.edit, PATHS, WORDS, outcome=OUTCOMES),
    st.builds(logs.write, PATHS, created=FLAGS, outcome=OUTCOMES),
    st.builds(
        logs.shell, st.sampled_from(["pytest -q", "rm a.py", "git commit -m 'x'"]), WORDS, exit_code=st.integers(0, 2)
    ),
    st.builds(logs.ask, WORDS, WORDS, outcome=OUTCOMES),
    st.just(logs.todo({"write tests": "completed", "write docs": "pending"})),
    st.builds(logs.other, st.sampled_from(["mcp__a__b", "Zap"]), st.dictionaries(WORDS, WORDS, max_size=2), WORDS),
    st.sampled_from([b"", b"{", b'{"type":"new"}', b"\x00\x01", b"null", b'{"a":1}{"b":2}', b"\xff\xfe"]).map(logs.raw),
)
# Bytes cut out or put in somewhere: a crash in mid-write, a disk that lied.
DAMAGE = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 40), st.binary(max_size=6)), max_size=3)


def transcript_of(data: bytes, cuts: list[int]) -> Transcript:
    adapter = recognise(data)
    assert adapter is not None
    carry, transcript, start = START, EMPTY, 0
    for end in [*sorted(cut % (len(data) + 1) for cut in cuts), len(data)]:
        part = split(carry, data[start:end])
        found: list[Record] = []
        problems: list[Problem] = list(part.problems)
        for line, place in part.lines:
            read, wrong = adapter.parse(line, place)
            found += read
            problems += wrong
        transcript = extend(transcript, found, problems)
        carry, start = part.carry, end
    return transcript


@pytest.mark.parametrize("agent", LOGS)
@SLOW
@given(acts=st.lists(ACTS, max_size=8), damage=DAMAGE, cuts=st.lists(st.integers(0, 5000), max_size=5))
def test_any_pieces_of_a_damaged_log_give_the_same_transcript(
    agent: str, acts: list[Act], damage: list[tuple[int, int, bytes]], cuts: list[int]
) -> None:
    head = LOGS[agent](logs.human("fix the parser"))
    data = LOGS[agent](logs.human("fix the parser"), *acts)
    for position, length, junk in damage:
        where = len(head) + position % (len(data) - len(head) + 1)
        data = data[:where] + junk + data[where + length :]
    whole = transcript_of(data, [])
    assert transcript_of(data, cuts) == whole
    assert transcript_of(data, [where for where, byte in enumerate(data, 1) if byte == 0x0A]) == whole
    assert whole.original is not None and whole.original.text.startswith("fix the parser")
