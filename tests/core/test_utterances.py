"""Where everything was said: each place holds its text, and the numbers of what is alive have no gap."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from recapd.adapters.registry import recognise
from recapd.core.log.events import Call, Prompt, Queued, Reply, Result, Rewound
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY
from recapd.core.summaries.window import live_utterances
from recapd.core.views.pages import message_at, utterances_of_row
from tests.support.logs import LOGS, Act, agent, human, shell
from tests.support.records import Row, read_log, record, tape

WORDS = st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=20)
ACT = st.one_of(WORDS.map(human), WORDS.map(agent), st.just(shell("make", "ok")))


@given(st.lists(ACT, max_size=20), st.sampled_from(sorted(LOGS)))
@settings(deadline=None)
def test_each_place_holds_its_text(acts: list[Act], name: str) -> None:
    data = LOGS[name](human("begin"), *acts)
    session = read_log(data)
    adapter = recognise(data)
    assert adapter is not None
    said: list[tuple[str, str]] = []
    for each in session.main.transcript.utterances:
        line = data[each.place.offset : each.place.offset + each.place.length]
        records, _ = adapter.parse(line, each.place)
        wanted = Prompt if each.speaker == "user" else Reply
        texts = [event.text for found in records for event in found.events if isinstance(event, wanted)]
        assert len(texts) == 1 and len(texts[0]) == each.chars
        said.append((each.speaker, texts[0]))
    spoken = {"human": "user", "agent": "agent"}
    assert said == [("user", "begin")] + [(spoken[act.kind], act.text) for act in acts if act.kind in spoken]


def rows() -> st.SearchStrategy[Row]:
    return st.one_of(
        WORDS.map(Prompt),
        st.builds(Reply, WORDS, st.sampled_from(["", "m1", "m2"])),
        st.builds(Queued, WORDS),
        st.just(Queued("", delivered=True)),
        st.builds(Rewound, st.integers(1, 3)),
        st.just((Call("1", "Bash", "shell", "ls"), Result("1"))),
        # The human goes back and says it otherwise.
        st.builds(lambda text, parent: record(Prompt(text), parent=f"{parent:08x}"), WORDS, st.integers(1, 12)),
    )


@given(st.lists(rows(), max_size=40))
def test_the_numbers_of_the_living_have_no_gap(taken: list[Row]) -> None:
    transcript = extend(EMPTY, tape(*taken))
    numbers = [each.message for each in live_utterances(transcript)]
    assert sorted(set(numbers)) == list(range(transcript.totals.messages))
    assert numbers == sorted(numbers)


@given(st.lists(rows(), max_size=40))
def test_what_is_said_is_found_by_its_place_and_by_its_turn(taken: list[Row]) -> None:
    transcript = extend(EMPTY, tape(*taken))
    by_turn = [each for row in range(-1, len(transcript.turns)) for each in utterances_of_row(transcript, row)]
    assert by_turn == list(transcript.utterances)
    for each in transcript.utterances:
        at_place = {said.message for said in transcript.utterances if said.place == each.place}
        assert message_at(transcript, each.place.offset) in at_place
