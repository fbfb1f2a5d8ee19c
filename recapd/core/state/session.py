"""A session as a whole: its main log and its sub-agents', read as one, and what it is called. Pure; `now` is an
argument."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from heapq import merge, nlargest
from itertools import chain, islice
from typing import Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from recapd.core.log import Limit, LogRef, Place, ref_of, seconds_between
from recapd.core.presence import Presence, Signal
from recapd.core.settings import DEFAULTS
from recapd.core.state.call_lines import describe_open, describe_running, describe_wanted
from recapd.core.state.growing import CHUNK
from recapd.core.state.left_open import next_steps_in
from recapd.core.state.outcomes import age_of, failing_tests, told_tests, unreached_tests
from recapd.core.state.transcript import FileFact, Meter, OpenCall, Step, TestRun, Transcript, Turn
from recapd.core.state.world import Session, Source, attending, last_active
from recapd.core.text import (
    beginning,
    excerpt,
    narrates,
    presentable,
    presentable_path,
    question_in,
    sentences_of,
    stands_alone,
)

F = TypeVar("F")
Acted = TypeVar("Acted", Step, TestRun)
Status: TypeAlias = Literal["active", "waiting", "answered", "interrupted", "finished"]
# What the human would have to give for the work to go on; "nothing" where the agent is done and nobody asked.
Needs: TypeAlias = Literal["answer", "permission", "plan", "nothing"]
ItemKind: TypeAlias = Literal["todo", "question", "failure", "request", "interrupted", "noted"]
# What a session stands as it does by. `subject` fills the sentence: a question, a call, what the agent gave as reason.
Cause: TypeAlias = Literal[
    "log gone",
    "nothing said",
    "closed",
    "stopped",
    "failed",
    "asks",
    "plans",
    "wants",
    "wants something",
    "dialog",
    "asked in words",
    "answered",
    "cut short",
    "had answered",
    "was cut short",
    "working",
    "calling",
    "never answered",
    "broke off",
    "no words",
    "no closing words",
    "out of tokens",
    "out of iterations",
]
_IN_WORDS: Final[dict[Cause, str]] = {
    "log gone": "Its log was deleted; this is what was known of it.",
    "nothing said": "Nothing was said yet.",
    "closed": "The session was closed.",
    "stopped": "Stopped by the user.",
    "failed": "The agent failed: {}",
    "asks": "Waits for an answer to: {}",
    "plans": "Waits for approval of the plan: {}",
    "wants": "Waits for permission to {}",
    "wants something": "Waits for permission.",
    "dialog": "Waits for an answer.",
    "asked in words": "Asked: {}",
    "answered": "The agent has answered; your turn.",
    "cut short": "The answer was cut short ({}); your turn.",
    "had answered": "The agent had answered.",
    "was cut short": "The answer was cut short ({}).",
    "working": "The agent is working.",
    "calling": "{}",
    "never answered": "The last message was never answered.",
    "broke off": "The log ends in the middle of the work.",
    "no words": "The turn ended without a word.",
    "no closing words": "No closing word after its last step.",
    "out of tokens": "Ran out of tokens before it was done.",
    "out of iterations": "Hit the limit of iterations before it was done.",
}
_AT_LIMIT: Final[dict[Limit, Cause]] = {"max_tokens": "out of tokens", "max_iterations": "out of iterations"}

# A build or a test suite may run this long without a line in the log; after that nobody is working.
ACTIVE_S = 15 * 60
# Nobody is known to sit before an agent that has written nothing for so long: what it asked is still open, but it does
# not wait.
PRESENT_S = DEFAULTS.recap.gap_minutes * 60
# A session nobody came back to in this time is of the past.
PAST_S = 24 * 3600


ITEM_CHARS = 240


class Sourced(Struct, Generic[F], frozen=True):
    """A fact with the source it stands in, and the turn of the session it belongs to."""

    fact: F
    source: Source
    turn: int
    via: str


class Standing(Struct, frozen=True):
    """How the session stands: words for programs, one sentence for people, the record that shows it."""

    status: Status
    cause: Cause
    subject: str = ""
    # What clients are told as the reason: a word of ours, or the agent's own.
    reason: str = ""
    since: str = ""
    place: Place | None = None
    needs: Needs | None = None
    options: tuple[str, ...] = ()
    # What the agent is doing, and since when.
    running: str = ""
    running_since: str = ""
    # Whether the agent's process is there; None where nobody can tell.
    live: bool | None = None

    @property
    def question(self) -> str:
        """What the agent asked and nobody answered: in words, by a tool, as a plan, or whether it may do something."""
        if self.cause == "wants":
            return f"May I {self.subject}?"
        return self.subject if self.cause in ("asks", "plans", "asked in words") else ""

    @property
    def is_needing(self) -> bool:
        """Whether somebody is there who needs something of the human, rather than only having come to an end."""
        return self.status == "waiting" and self.needs not in (None, "nothing")

    @property
    def detail(self) -> str:
        """The sentence for people. A call that goes on is told as such; one that broke off, by its missing result."""
        return self.running if self.cause == "calling" and self.running else _IN_WORDS[self.cause].format(self.subject)

    @property
    def is_said_by_status(self) -> bool:
        """Whether the sentence says no more than the status does."""
        return self.cause in ("answered", "had answered", "closed", "working", "broke off")


class OpenItem(Struct, frozen=True):
    text: str
    kind: ItemKind
    place: Place

    @property
    def is_said_by_standing(self) -> bool:
        """Whether it is what the session's standing says, over again."""
        return self.kind in ("question", "interrupted")


def ref_in(source: Source, place: Place) -> LogRef:
    return ref_of(source.uri, source.generation, place)


def live_turns(transcript: Transcript) -> list[Turn]:
    return [turn for turn in transcript.turns if not turn.abandoned]


def living_turns(session: Session) -> tuple[Turn, ...]:
    """The same of a session; of its earlier turns it is known which are alive."""
    chunks = session.main.transcript.turns.chunks
    return tuple(chain.from_iterable(session.memory.recall(_alive, chunk, row) for row, chunk in enumerate(chunks)))


def _alive(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    return tuple(turn for turn in turns if not turn.abandoned)


def steps_of(session: Session) -> list[Sourced[Step]]:
    """The latest steps of the session and its sub-agents, in order of time, as logged (see shown_step)."""
    return _gathered(session, [(source, source.transcript.steps) for source in (session.main, *session.children)])


def tests_of(session: Session) -> list[Sourced[TestRun]]:
    return _gathered(session, [(source, source.transcript.tests) for source in (session.main, *session.children)])


def shown_step(step: Step) -> Step:
    """The step with its texts fit to be shown: clean, without secrets, not yet cut."""
    is_path = step.kind in ("read", "list", "edit", "write", "patch", "delete")
    return msgspec.structs.replace(
        step,
        target=presentable_path(step.target) if is_path else presentable(step.target),
        detail=presentable(step.detail),
        outcome=presentable(step.outcome),
    )


def _gathered(session: Session, facts: Sequence[tuple[Source, Sequence[Acted]]]) -> list[Sourced[Acted]]:
    main = session.main
    turn_at = turns_by_time(main.transcript)
    found = [
        Sourced(fact, source, fact.turn, fact.via)
        if source is main
        else Sourced(fact, source, turn_at(fact.at), source.transcript.subagent)
        for source, its_facts in facts
        for fact in its_facts
    ]
    if session.children:
        found.sort(key=lambda sourced: sourced.fact.at)
    return found


def files_of(session: Session) -> list[Sourced[FileFact]]:
    """Every file once, in the order of their last changes, or looks where there is none; where a sub-agent touched it
    too, the main agent's row tells both."""
    rows = [Sourced(fact, session.main, fact.last_turn, fact.via) for fact in session.main.transcript.files]
    known = {fact.fact.path: row for row, fact in enumerate(rows)}
    turn_at = turns_by_time(session.main.transcript)
    for child in session.children:
        for fact in child.transcript.files:
            row = known.get(fact.path)
            by_child = Sourced(fact, child, turn_at(fact.at), child.transcript.subagent)
            if row is None:
                known[fact.path] = len(rows)
                rows.append(by_child)
            else:
                rows[row] = _joined(rows[row], by_child)
    # Not by turn: after going back, later turns have smaller numbers. Places tell where a log has no times.
    rows.sort(key=lambda sourced: (sourced.fact.at, sourced.fact.place.offset))
    return rows


def latest_files(session: Session, most: int) -> list[Sourced[FileFact]]:
    """The files that were changed last, or read where they were only read; latest first."""
    if session.children:
        return files_of(session)[: -most - 1 : -1]
    ranked = (by_lateness.rows for by_lateness in _files_by_lateness(session))
    # Of a chunk none is among them unless its latest is.
    latest = islice(merge(*nlargest(most, ranked), reverse=True), most)
    return [Sourced(fact, session.main, fact.last_turn, fact.via) for *_, fact in latest]


def count_changed_files(session: Session) -> int:
    if session.children:
        return sum(is_changed(row.fact) for row in files_of(session))
    return sum(by_lateness.changed for by_lateness in _files_by_lateness(session))


def is_changed(fact: FileFact) -> bool:
    return fact.action != "read"


class _ByLateness(Struct, frozen=True):
    """Some of the files: when each was touched last, where, and which row it is; the latest first."""

    rows: tuple[tuple[str, int, int, FileFact], ...]
    changed: int


def _files_by_lateness(session: Session) -> list[_ByLateness]:
    """A session that works on touches few files, and those of the other chunks stay as they are."""
    chunks = session.main.transcript.files.chunks
    return [session.memory.recall(_by_lateness, chunk, number, number) for number, chunk in enumerate(chunks)]


def _by_lateness(facts: tuple[FileFact, ...], chunk: int) -> _ByLateness:
    rows = [(fact.at, fact.place.offset, chunk * CHUNK + number, fact) for number, fact in enumerate(facts)]
    return _ByLateness(tuple(sorted(rows, reverse=True)), sum(map(is_changed, facts)))


def turns_by_time(transcript: Transcript) -> Callable[[str], int]:
    """Says which turn was going on at a time. However often it is asked, it goes back through the turns once, and no
    further than it has to."""
    earlier = (turn for turn in reversed(transcript.turns) if not turn.abandoned)
    # Of the turns gone through, latest first. Clocks may go back: each time is the earliest so far, to be in order.
    times: list[str] = []
    numbers: list[int] = []

    def turn_at(at: str) -> int:
        while not times or times[-1] > at:
            turn = next(earlier, None)
            if turn is None:
                return 0
            times.append(min(turn.request.at, times[-1]) if times else turn.request.at)
            numbers.append(turn.number)
        return numbers[bisect_left(times, True, key=lambda time: time <= at)]

    return turn_at


def standing(session: Session, now: str) -> Standing:
    """Whether the session goes on, waits, is done or broke off: by what its agent says of itself, where it does; else
    by the last record of weight and the clock."""
    if session.signal is not None and by_the_clock(session, now)[3]:
        session = msgspec.structs.replace(session, signal=None)
    presence = attending(session)
    stand = _standing(session, presence, now)
    if (live := _is_live(session, presence, stand)) is None:
        return stand
    return msgspec.structs.replace(stand, live=live)


def _is_live(session: Session, presence: Presence | None, stand: Standing) -> bool | None:
    if presence is None:
        return None
    if presence.doing == "absent":
        # Not every way to run an agent makes it say that it is there.
        return None if stand.status == "active" else False
    if presence.doing == "left":
        return False
    is_seen = session.presence is not None and session.presence.is_there
    return True if is_seen or (session.signal is not None and session.signal.pid) else None


def _standing(session: Session, presence: Presence | None, now: str) -> Standing:
    transcript = session.main.transcript
    ending = transcript.ending
    place, since = ending.place, ending.at or last_active(session, now)
    opened = _open_question_call(transcript) or _last_open(transcript)
    is_present = presence.is_there if presence is not None else by_the_clock(session, now)[2]

    if session.main.is_gone:
        return Standing("finished", "log gone", reason="logGone", since=since, place=place)
    if opened is not None and opened.call.kind in ("ask", "plan"):
        return Standing(
            "waiting" if is_present else "answered",
            "asks" if opened.call.kind == "ask" else "plans",
            excerpt(opened.call.target, ITEM_CHARS),
            "question",
            since,
            opened.place,
            needs="answer" if opened.call.kind == "ask" else "plan",
            options=_options(opened),
        )
    if presence is not None and (stated := _stated(presence, transcript)) is not None:
        return stated
    if ending.moment == "interrupted":
        return Standing("interrupted", "stopped", reason=ending.reason, since=since, place=place)
    if ending.moment == "faulted":
        reason = excerpt(ending.reason, ITEM_CHARS)
        return Standing("interrupted", "failed", reason, reason, since, place)
    if ending.moment == "closed" and (limit := next((each for each in _AT_LIMIT if each == ending.reason), None)):
        return Standing("interrupted", _AT_LIMIT[limit], reason=limit, since=since, place=place)
    if ending.moment == "closed" and not ending.reason and _has_ended_empty(transcript):
        return Standing("finished", "no words", reason="noAnswer", since=since, place=place)
    if ending.moment == "closed" and _is_unanswered(transcript):
        return Standing("interrupted", "never answered", reason="noAnswer", since=since, place=place)
    if ending.moment == "closed":
        return Standing("finished", "closed", reason=ending.reason, since=since, place=place)
    has_left = presence is not None and presence.doing == "left"
    if ending.moment in ("nothing", "reply", "ended"):
        stand = _answered(transcript, since, is_present=is_present)
        if has_left and not stand.question:
            return Standing("finished", "closed", since=since, place=place)
        return stand
    if not has_left and (is_present or by_the_clock(session, now)[1]):
        return _working(transcript, since)
    if ending.moment == "prompt":
        return Standing("interrupted", "never answered", reason="noAnswer", since=since, place=place)
    if ending.moment == "words" and not opened and _is_said_whole(transcript.last_words):
        return _answered(transcript, since, is_present=False)
    if opened:
        return Standing("interrupted", "calling", _left_undone(opened, transcript), "crash", since, opened.place)
    return Standing("interrupted", "broke off", reason="crash", since=since, place=place)


# Fewer are a remark in the middle of the work.
_ANSWER_CHARS: Final = 200


def _is_said_whole(words: str) -> bool:
    """Whether the last words are an answer, and announce nothing: some logs end with it, and do not say that it is
    one."""
    last = words.rstrip().rpartition("\n")[2].strip()
    sentence = next(reversed(list(sentences_of(last))), last)
    return len(words) >= _ANSWER_CHARS and not narrates(sentence) and not sentence.endswith((":", "：", "…"))


def _is_unanswered(transcript: Transcript) -> bool:
    """Whether nothing was said or done about what was asked last: whoever ended then was not done."""
    last = next((turn for turn in reversed(transcript.turns) if not turn.abandoned), None)
    return last is not None and last.replied is None and not last.calls


def _has_ended_empty(transcript: Transcript) -> bool:
    last = _last_turn(transcript)
    return last is not None and last.ended_empty


def _has_ended_in_work(transcript: Transcript) -> bool:
    """Whether the last turn is over though the agent said nothing in it; a call may have said that it is done."""
    last, steps = _last_turn(transcript), transcript.steps
    if transcript.ending.moment != "ended" or last is None or last.replied is not None:
        return False
    return not steps or steps[-1].kind != "done"


def _stated(presence: Presence, transcript: Transcript) -> Standing | None:
    """What the agent says of itself, filled with what its log says of it; None where the log knows as well."""
    ending, since = transcript.ending, presence.since
    cause: Cause
    if presence.doing == "failed":
        text = excerpt(presence.text, ITEM_CHARS)
        return Standing("interrupted", "failed" if text else "broke off", text, text, since, ending.place)
    if presence.doing == "permission":
        wanted = _first_open(transcript)
        if wanted is None:
            text = excerpt(presence.text, ITEM_CHARS)
            cause = "asks" if text else "wants something"
            return Standing("waiting", cause, text, "permission", since, ending.place, needs="permission")
        return Standing(
            "waiting", "wants", _wanted(wanted, transcript), "permission", since, wanted.place, needs="permission"
        )
    if presence.doing == "asking":
        question = open_question(transcript)
        cause = "asked in words" if question else "dialog"
        return Standing("waiting", cause, question, "question", since, ending.place, needs="answer")
    if presence.doing == "working":
        return _working(transcript, since)
    # Whatever the log says that the agent began to do later.
    is_outdated = ending.at > since and ending.moment in ("prompt", "words", "call", "result")
    if presence.doing == "resting" and ending.moment not in ("interrupted", "faulted") and not is_outdated:
        return _answered(transcript, max(since, ending.at), is_present=True)
    return None


def _working(transcript: Transcript, since: str) -> Standing:
    place, opened = transcript.ending.place, _last_open(transcript)
    if opened is None:
        return Standing("active", "working", since=since, place=place)
    return Standing(
        "active",
        "calling",
        _doing(opened, transcript),
        since=since,
        place=place,
        running=_running(opened, transcript),
        running_since=opened.at,
    )


def by_the_clock(session: Session, now: str) -> tuple[str, bool, bool, bool]:
    """All that the time of day changes of what is said of a session: while this is the same, so is its standing.

    When it last went on; whether its agent may be working, and may be there; whether what its hooks told is of the
    past.
    """
    last = last_active(session, now)
    idle = seconds_between(last, now)
    is_past = session.signal is not None and _is_past(session.signal, now)
    return last, idle is not None and idle < ACTIVE_S, idle is not None and idle < PRESENT_S, is_past


def _is_past(signal: Signal, now: str) -> bool:
    """A hook that was never called says nothing of the end: where no process can be looked at, it is assumed."""
    if signal.pid or signal.kind == "ended":
        return False
    age = seconds_between(signal.at, now)
    return age is None or age >= (ACTIVE_S if signal.presence.doing == "working" else PAST_S)


def open_items(session: Session, now: str) -> list[OpenItem]:
    """What is left to do or to answer, each with the record that says so."""
    transcript = session.main.transcript
    items: list[OpenItem] = []
    stand = standing(session, now)
    if stand.question and stand.place:
        items.append(OpenItem(stand.detail, "question", stand.place))
    if stand.status == "interrupted" and stand.place:
        items.append(OpenItem(stand.detail, "interrupted", stand.place))
    items += [OpenItem(excerpt(request.text, ITEM_CHARS), "request", request.place) for request in transcript.queued]
    for run in failing_tests(transcript):
        counted = f"{run.failed} failed" if run.failed else "failed"
        items.append(_failure(f"Tests {counted}{age_of(run, transcript)}", run))
    for run in unreached_tests(transcript):
        items.append(_failure(f"Tests did not run{age_of(run, transcript)}", run))
    if transcript.todos_place:
        items += [
            OpenItem(excerpt(item.text, ITEM_CHARS), "todo", transcript.todos_place)
            for item in transcript.todos
            if item.status in ("pending", "active")
        ]
    items += [OpenItem(excerpt(noted.text, ITEM_CHARS), "noted", noted.place) for noted in transcript.noted_open]
    if stand.status == "active":
        return items
    return [*items, *_left_by_words(transcript, {item.text for item in items})]


def _left_by_words(transcript: Transcript, known: Collection[str]) -> list[OpenItem]:
    """What the last turn leaves open in words: the human's question that nobody answered, or the agent's next steps."""
    turn = _last_turn(transcript)
    if turn is None:
        return []
    if turn.replied is None:
        question = question_in(presentable(turn.request.text), ITEM_CHARS)
        return [OpenItem(f"Not answered: {question}", "request", turn.request.place)] if question else []
    steps = [excerpt(step, ITEM_CHARS) for step in next_steps_in(presentable(transcript.last_words))]
    return [OpenItem(step, "todo", turn.replied) for step in steps if step not in known]


def _failure(text: str, run: TestRun) -> OpenItem:
    return OpenItem(f"{text}: {excerpt(told_tests(run), ITEM_CHARS)}", "failure", run.place)


def open_question(transcript: Transcript) -> str:
    """The question that the agent's last words put to the human, or ""."""
    turn = _last_turn(transcript)
    if turn is None or turn.replied is None:
        return ""
    return question_in(presentable(transcript.last_words), ITEM_CHARS)


def estimated_tokens(transcript: Transcript) -> int:
    """Tokens of everything said, called and returned, from the sampled meters."""
    return sum(_metered(meter) for meter in (transcript.human, transcript.agent, transcript.tool))


def _metered(meter: Meter) -> int:
    if not meter.sampled_chars:
        # Nothing sampled yet: four characters are a token, roughly.
        return meter.chars // 4
    return round(meter.chars * meter.sampled_tokens / meter.sampled_chars)


def _answered(transcript: Transcript, since: str, *, is_present: bool) -> Standing:
    place = transcript.ending.place
    status: Status = "waiting" if is_present else "answered"
    if transcript.ending.moment == "nothing":
        return Standing(status, "nothing said", since=since, needs="nothing")
    if question := open_question(transcript):
        return Standing(status, "asked in words", question, "question", since, place, needs="answer")
    # The format gives a reason only where the agent did not come to its own end: "length", "content_filter".
    reason = excerpt(transcript.ending.reason, ITEM_CHARS)
    if not reason and _has_ended_empty(transcript):
        return Standing(status, "no words", "", "noAnswer", since, place, needs="nothing")
    if not reason and _has_ended_in_work(transcript):
        return Standing(status, "no closing words", since=since, place=place, needs="nothing")
    if is_present:
        cause: Cause = "cut short" if reason else "answered"
    else:
        cause = "was cut short" if reason else "had answered"
    return Standing(status, cause, reason, reason, since, place, needs="nothing")


def _options(opened: OpenCall) -> tuple[str, ...]:
    return tuple(filter(None, (excerpt(each, ITEM_CHARS) for each in opened.call.options)))


def _doing(opened: OpenCall, transcript: Transcript, *, more: int = 0) -> str:
    return describe_open(_shown_call(opened), next(iter(transcript.cwds), ""), more=more)


def _left_undone(last: OpenCall, transcript: Transcript) -> str:
    """The calls of the turn without a result: of several the first, for none behind it was known to be reached."""
    calls = [each for each in transcript.open_calls.values() if not each.via and each.turn == last.turn]
    return _doing(calls[0], transcript, more=len(calls) - 1)


def _running(opened: OpenCall, transcript: Transcript) -> str:
    return describe_running(_shown_call(opened), next(iter(transcript.cwds), ""))


def _wanted(opened: OpenCall, transcript: Transcript) -> str:
    return describe_wanted(_shown_call(opened), next(iter(transcript.cwds), ""))


def _shown_call(opened: OpenCall) -> OpenCall:
    call = opened.call
    shown = msgspec.structs.replace(
        call, target=presentable(beginning(call.target)), detail=presentable(beginning(call.detail))
    )
    return msgspec.structs.replace(opened, call=shown)


def _last_turn(transcript: Transcript) -> Turn | None:
    return next((turn for turn in reversed(transcript.turns) if not turn.abandoned), None)


def _open_question_call(transcript: Transcript) -> OpenCall | None:
    """The latest call that asks the human, while nobody has said a word since: other calls may have come back."""
    if transcript.ending.moment not in ("call", "result"):
        return None
    turn = _last_turn(transcript)
    spoken = max((place.offset for place in (turn.request.place, turn.replied) if place), default=0) if turn else 0
    for opened in reversed(transcript.open_calls.values()):
        # Words and a call in one record stand at one place.
        if opened.place.offset < spoken:
            return None
        if opened.call.kind in ("ask", "plan") and not opened.via and opened.turn == (turn.number if turn else 0):
            return opened
    return None


def _first_open(transcript: Transcript) -> OpenCall | None:
    """The call on the main chain that has waited longest in this turn: of several, one after the other is asked for."""
    turn = _last_turn(transcript)
    number = turn.number if turn else 0
    return next((each for each in transcript.open_calls.values() if not each.via and each.turn == number), None)


def _last_open(transcript: Transcript) -> OpenCall | None:
    """The latest call on the main chain without a result, if nothing came after it."""
    for opened in reversed(transcript.open_calls.values()):
        if not opened.via and transcript.ending.place and opened.place.offset >= transcript.ending.place.offset:
            return opened
    return None


def _joined(row: Sourced[FileFact], by_child: Sourced[FileFact]) -> Sourced[FileFact]:
    """One row for a file that agent and sub-agent both touched: a change outweighs a read, and brings its turn and
    proof."""
    if not is_changed(row.fact) and is_changed(by_child.fact):
        row, by_child = by_child, row
    fact, other = row.fact, by_child.fact
    return msgspec.structs.replace(
        row,
        fact=msgspec.structs.replace(
            fact,
            touches=fact.touches + other.touches,
            failed=fact.failed + other.failed,
            writes=fact.writes + other.writes,
            tools=fact.tools + tuple(tool for tool in other.tools if tool not in fact.tools),
        ),
    )


def opening_request(transcript: Transcript) -> str:
    """The first request that says by itself what the conversation is about; where none does, the first."""
    first = transcript.original.text if transcript.original else ""
    if stands_alone(first):
        return first
    asked = (turn.request.text for turn in transcript.turns if not turn.abandoned)
    return next((text for text in asked if stands_alone(text)), first)
