"""What hooks tell counts until the log says something later, and less than what the agent says of itself."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.log.events import Prompt, Reply
from recapd.core.presence import ABSENT, Presence, Signal, SignalKind
from recapd.core.state.session import by_the_clock, standing
from recapd.core.state.world import WAITING, World, fold, rests, session_of, take_signal
from tests.support.logs import at
from tests.support.records import Row, batch, call, record, session_with, tape

MINUTE, HOUR, DAY = 60.0, 3_600.0, 24 * 3_600.0
DONE, CALLS = Reply("Done."), call("shell", "make")
# What the log ends in, what was told a second later, how much later it is; the status, what is needed, a word of it.
TOLD: list[tuple[str, Row, SignalKind, float, str, str | None, str]] = [
    ("started", DONE, "started", HOUR * 5, "waiting", "nothing", "your turn"),
    ("a prompt", DONE, "prompt", MINUTE, "active", None, "working"),
    ("a prompt, and nothing since", DONE, "prompt", HOUR * 5, "answered", "nothing", "answered"),
    ("a permission", CALLS, "permission", HOUR * 5, "waiting", "permission", "run `make`"),
    ("a permission before its call is logged", DONE, "permission", MINUTE, "waiting", "permission", "Bash: rm"),
    ("idle", DONE, "idle", HOUR * 5, "waiting", "nothing", "your turn"),
    ("idle since long ago", DONE, "idle", 3 * DAY, "answered", "nothing", "answered"),
    ("stopped in a call", CALLS, "stopped", MINUTE, "waiting", "nothing", "your turn"),
    ("failed", DONE, "failed", MINUTE, "interrupted", None, "Bash: rm"),
    ("compacting", DONE, "compacting", MINUTE, "active", None, "working"),
    ("ended", DONE, "ended", MINUTE, "finished", None, "closed"),
    ("ended long ago", DONE, "ended", 3 * DAY, "finished", None, "closed"),
    ("ended with a question", Reply("Shall I?"), "ended", MINUTE, "answered", "answer", "Shall I?"),
    ("ended in a call", CALLS, "ended", MINUTE, "interrupted", None, "make"),
]


@pytest.mark.parametrize(
    ("row", "kind", "later", "status", "needs", "word"), [each[1:] for each in TOLD], ids=[each[0] for each in TOLD]
)
def test_a_session_stands_as_its_hooks_told(
    row: Row, kind: SignalKind, later: float, status: str, needs: str | None, word: str
) -> None:
    signal = Signal(kind, at(61), "Bash: rm -rf build")
    for presence in (None, ABSENT):
        session = msgspec.structs.replace(session_with(Prompt("fix it"), row), signal=signal, presence=presence)
        found = standing(session, at(60 + later))
        assert (found.status, found.needs) == (status, needs)
        assert word in found.detail


@pytest.mark.parametrize("kind", ["permission", "idle", "prompt", "ended", "failed"])
def test_what_the_log_says_later_counts_more(kind: SignalKind) -> None:
    session = session_with(Prompt("fix it"), call("shell", "make"), Reply("Done. Shall I go on?"))
    told = msgspec.structs.replace(session, signal=Signal(kind, at(61)))
    assert standing(told, at(130)) == standing(session, at(130))
    assert rests(told) == rests(session)


def test_what_the_agent_says_of_itself_counts_more() -> None:
    session = session_with(Prompt("fix it"), Reply("Done."))
    session = msgspec.structs.replace(session, presence=Presence("working", at(62)), signal=Signal("idle", at(63)))
    assert standing(session, at(70)).status == "active"


def test_an_agent_whose_process_is_known_is_there_as_long_as_it_is() -> None:
    session = session_with(Prompt("fix it"), Reply("Done."))
    named, unnamed = (msgspec.structs.replace(session, signal=Signal("started", at(0), pid=pid)) for pid in (7, 0))
    assert [(found.status, found.live) for found in (standing(each, at(5 * HOUR)) for each in (named, unnamed))] == [
        ("waiting", True),
        ("answered", None),
    ]


def test_the_clock_says_when_a_signal_is_of_the_past() -> None:
    session = msgspec.structs.replace(session_with(Prompt("fix it")), signal=Signal("prompt", at(0)))
    assert by_the_clock(session, at(MINUTE)) != by_the_clock(session, at(HOUR))


# ---- how the world hears of it

ID = "claude-code:a"


def told_of(world: World, kind: SignalKind, second: float, summary: str = "") -> World:
    signal = Signal(kind, at(second), summary=summary, summary_at=at(second) if summary else "")
    return take_signal(world, ID, signal)[0]


def test_a_signal_is_told_and_one_before_the_log_is_remembered() -> None:
    world, deltas = take_signal(World(), ID, Signal("started", at(0)))
    assert deltas == ()
    world, _ = fold(world, batch(tape(record(Prompt("fix it"), session="a"), record(Reply("Done."), session="a"))))
    session = session_of(world, ID)
    assert session is not None and session.signal == Signal("started", at(0))
    world, (delta,) = take_signal(world, ID, Signal("prompt", at(90)))
    assert delta.session_id == ID and "state" in delta.sections and WAITING not in delta.sections
    world, (delta,) = take_signal(world, ID, Signal("permission", at(95)))
    assert WAITING in delta.sections
    assert take_signal(world, ID, Signal("permission", at(95)))[1] == (), "twice is once"


def test_one_that_comes_late_changes_nothing() -> None:
    world = told_of(told_of(World(), "idle", 20), "prompt", 10)
    assert world.signals[ID].kind == "idle"


def test_the_summary_of_a_compaction_outlives_what_comes_after_it() -> None:
    world = told_of(told_of(World(), "compacting", 10, "We retry five times."), "prompt", 20)
    assert (world.signals[ID].kind, world.signals[ID].summary, world.signals[ID].summary_at) == (
        "prompt",
        "We retry five times.",
        at(10),
    )
    late = told_of(told_of(World(), "prompt", 20), "compacting", 10, "We retry.")
    assert (late.signals[ID].kind, late.signals[ID].summary) == ("prompt", "We retry.")


def test_what_is_remembered_is_bounded() -> None:
    world = World()
    for number in range(600):
        signal = Signal("compacting", at(number), summary="x" * 10, summary_at=at(number))
        world, _ = take_signal(world, f"claude-code:{number}", signal)
    assert len(world.signals) == 256 and "claude-code:599" in world.signals
    assert sum(bool(each.summary) for each in world.signals.values()) == 16


def test_of_a_session_that_is_to_be_forgotten_nothing_is_taken_in() -> None:
    world = World(buried=frozenset((ID,)))
    assert take_signal(world, ID, Signal("prompt", at(0), summary="x")) == (world, ())
