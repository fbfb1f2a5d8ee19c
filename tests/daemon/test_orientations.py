"""What a new session would be told is worked out once everything is read, for the folders that were worked in last,
and is gone with the sessions it is of."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

from recapd.client.paths import ORIENTATIONS
from recapd.core.log.events import Reply
from recapd.daemon import orientations
from recapd.daemon.engine import Engine, LogRead
from recapd.daemon.orientations import Orientations
from recapd.server import starting
from recapd.server.service import Service
from recapd.server.starting import Start
from recapd.wire.errors import source_gone
from tests.support.clock import PATIENCE_S, a_moment, everybody_waits
from tests.support.following import append
from tests.support.hub import uri_of
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, ended, human
from tests.support.records import batch, record, tape

pytestmark = pytest.mark.anyio


class Pauses:
    """Fulfils WallClock: whoever sleeps wakes up when the test says so."""

    def __init__(self) -> None:
        self._over = anyio.Event()

    def time_ns(self) -> int:
        return 0

    async def sleep(self, seconds: float) -> None:
        await self._over.wait()

    async def end(self) -> None:
        self._over.set()
        self._over = anyio.Event()
        await everybody_waits()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    folders: list[str] = []

    def tell_start(service: Service, folder: str, **_: object) -> None:
        folders.append(folder)

    monkeypatch.setattr(orientations, "tell_start", tell_start)
    return folders


async def test_nobody_is_asked_while_everything_is_read_for_the_first_time(tmp_path: Path, asked: list[str]) -> None:
    is_read = False
    clock = Pauses()
    kept = Orientations(str(tmp_path), lambda: None, is_quiescent=lambda: is_read, clock=clock)  # type: ignore[arg-type, return-value]
    engine = Engine(keeps_vanished=False)
    engine.listen("orientations", kept.changed)
    async with anyio.create_task_group() as group:
        group.start_soon(kept.run)
        # As the first reading does: what was worked on last comes first.
        for number in range(50, 0, -1):
            at = f"2026-01-01T00:00:{number:02}.000Z"
            records = tape(record(Reply("done"), session=f"s{number}", cwd=f"/p{number}", at=at))
            engine.apply(LogRead(f"s{number}", (batch(records, uri=uri_of(f"s{number}")),)))
        engine.tell_rest()
        await everybody_waits()
        for _ in range(3):
            await clock.end()
        assert asked == []
        is_read = True
        await clock.end()
        with anyio.fail_after(PATIENCE_S):
            while not (tmp_path / ORIENTATIONS).exists():
                await a_moment()
        group.cancel_scope.cancel()
    assert asked == [f"/p{number}" for number in range(11, 51)]


def lately(session: str, *words: str) -> bytes:
    """A talk in a folder of its own that ended a minute ago."""
    acts = (act for each in words for act in (human(each), agent("Done.")))
    return ended(claude_log(*acts, session=session, cwd=f"/{session}"), 1)


def logs_of(home: Path, names: str) -> list[Path]:
    """A session for each letter, in a folder of that name."""
    logs = [home / "logs" / f"{name}.jsonl" for name in names]
    logs[0].parent.mkdir()
    for log in logs:
        log.write_bytes(lately(log.stem, "Always build with pnpm."))
    return logs


async def folders_told(running: Running, home: Path) -> list[str]:
    kept = running.daemon.orientations
    assert kept is not None
    running.engine.tell_rest()
    await kept.flush()
    return list(json.loads((home / "state" / ORIENTATIONS).read_bytes()))


async def test_what_was_worked_out_before_the_start_stays(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, "ab")
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*logs)
        assert sorted(await folders_told(running, tmp_path)) == ["/a", "/b"]
    append(logs[0], lately("a", "And with make."))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*logs)
        assert await folders_told(running, tmp_path) == ["/b", "/a"]


async def test_what_was_worked_out_before_the_start_is_told_only_where_it_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = logs_of(tmp_path, "abc")
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*logs)
        assert sorted(await folders_told(running, tmp_path)) == ["/a", "/b", "/c"]
    (tmp_path / "config.toml").write_text('[watch]\nexclude = ["c.jsonl"]\n[sessions."claude-code:b"]\nrecap = false\n')
    monkeypatch.setenv("RECAPD_CONFIG", str(tmp_path / "config.toml"))
    append(logs[0], lately("a", "And with make."))
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        await running.until_equal(*logs[:2])
        assert await folders_told(running, tmp_path) == ["/a"]


async def test_what_is_forgotten_is_told_nobody(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, "ab")
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*logs)
        await folders_told(running, tmp_path)
        await running.ask("session/forget", session={"id": "claude-code:a"})
        assert not (tmp_path / "state" / ORIENTATIONS).exists()
        assert await folders_told(running, tmp_path) == ["/b"]


async def test_a_folder_of_which_nothing_can_be_told_keeps_no_other_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tell_start(service: Service, folder: str, **_: object) -> Start | None:
        if folder == "/a":
            raise source_gone("file:///a.jsonl")
        return told(service, folder, own=None, also_live=True)

    told = starting.tell_start
    monkeypatch.setattr(orientations, "tell_start", tell_start)
    logs = logs_of(tmp_path, "ab")
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*logs)
        assert await folders_told(running, tmp_path) == ["/b"]
