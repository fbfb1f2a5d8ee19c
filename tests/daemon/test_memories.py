"""Which memories of sessions a daemon keeps: those asked about last, within a bound, none of what was forgotten."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from recapd.core.log.events import Prompt, Reply
from recapd.core.state.world import Session
from recapd.daemon.memories import Memories
from tests.support.following import append
from tests.support.kept import kept_daemon
from tests.support.logs import agent, claude_log, human
from tests.support.records import session_with


def session(name: str, turns: int = 2) -> Session:
    rows = [row for number in range(turns) for row in (Prompt(f"Mend part {number}"), Reply("Done."))]
    return msgspec.structs.replace(session_with(*rows), id=name)


def length(text: str) -> int:
    return len(text)


def fill(session: Session, things: int) -> None:
    for number in range(things):
        session.memory.recall(length, "x", number)


def is_known(memories: Memories, name: str) -> bool:
    return memories.remind(session(name)).memory.things > 0


def test_a_session_is_told_with_what_was_made_of_it() -> None:
    memories = Memories()
    first = memories.remind(session("one"))
    assert memories.remind(session("one", turns=3)).memory is first.memory
    assert memories.remind(session("other")).memory is not first.memory


def test_least_recently_asked_about_go_first() -> None:
    memories = Memories(most_sessions=2)
    for name in ("one", "two", "one", "three"):
        fill(memories.remind(session(name)), 1)
    assert is_known(memories, "one") and not is_known(memories, "two")


@pytest.mark.parametrize(("things", "known"), [(40, True), (200, False)])
def test_all_together_hold_so_much(things: int, known: bool) -> None:
    memories = Memories(most_things=100)
    fill(memories.remind(session("large")), things)
    # The one that is asked about stays, whatever its size.
    fill(memories.remind(session("large")), things)
    memories.remind(session("small"))
    assert is_known(memories, "large") == known


def test_a_log_that_was_rewritten_to_much_less_begins_anew() -> None:
    memories = Memories()
    fill(memories.remind(session("one", turns=20)), 5)
    assert memories.remind(session("one", turns=15)).memory.things == 5
    assert memories.remind(session("one", turns=3)).memory.things == 0


@pytest.mark.anyio
async def test_nothing_is_remembered_of_a_forgotten_session(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    path = folder / "s.jsonl"
    append(path, claude_log(human("Keep the secret plan"), agent("Kept."), session="s"))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.ask("recap/get")
        await running.ask("session/list")
        snapshots = vars(running.daemon.snapshots)
        memories, rows = vars(snapshots["_memories"])["_kept"], vars(snapshots["_rows"])["_kept"]
        assert list(memories) == [("claude-code:s", path.as_uri())] and list(rows) == ["claude-code:s"]
        recaps = snapshots["_recaps"]
        assert list(vars(recaps)["_kept"]) == list(memories)
        await running.ask("session/forget", session={"id": "claude-code:s"})
        assert memories == {} and rows == {} and vars(recaps)["_kept"] == {}
