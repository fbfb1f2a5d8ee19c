"""An agent that was seen to leave has left for good: also for a daemon that was not there to see it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recapd.core.presence import Presence, Signal
from recapd.daemon.engine import Change, PresenceSeen, SignalCame
from recapd.wire.types import SessionListResult
from tests.support.following import append
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, human, pause

pytestmark = pytest.mark.anyio

SESSION = "5e551011-c0de-4a11-8000-00000000000d"
ID = f"claude-code:{SESSION}"
TALK = (human("Add a cache"), agent("Added one."))
# After the last record of the log.
LEFT_AT = "2026-03-02T09:00:00.000Z"


def hook_told() -> list[Change]:
    return [SignalCame(ID, Signal("ended", LEFT_AT))]


def seen_to_leave() -> list[Change]:
    """It was there at one look, and at the next it was not."""
    there = {ID: Presence("resting", "2026-03-02T08:59:00.000Z")}
    return [PresenceSeen(there, (), "2026-03-02T08:59:00.000Z"), PresenceSeen({}, (), LEFT_AT)]


async def state_of(running: Running) -> str:
    found = await running.ask("session/list")
    assert isinstance(found, SessionListResult)
    return found.sessions[0].state


@pytest.mark.parametrize("changes", [hook_told, seen_to_leave])
async def test_who_left_has_left_after_a_restart_too_until_somebody_goes_on(
    changes: Callable[[], list[Change]], tmp_path: Path
) -> None:
    path = tmp_path / "logs" / "a.jsonl"
    path.parent.mkdir()
    log = claude_log(*TALK, session=SESSION)
    path.write_bytes(log)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        assert await state_of(running) != "finished", "its log does not say so"
        for change in changes():
            running.engine.apply(change)
        assert await state_of(running) == "finished"
        await running.save()
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        assert await state_of(running) == "finished"
        append(path, claude_log(*TALK, pause(2 * 86_400), human("And a test"), session=SESSION)[len(log) :])
        await running.until_equal(path)
        assert await state_of(running) != "finished", "somebody went on"
