"""Health by progress: what a real daemon says while something is amiss, whom it tells, and when it is over."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from recapd.daemon.following import tailer
from recapd.daemon.health.oversight import LOOK_S
from recapd.daemon.log_files.scanning import Root, Scan, scan
from recapd.daemon.log_files.tail import Advance, TailState, advance
from recapd.wire.types import RecapdStatusParams
from tests.support.clock import PATIENCE_S
from tests.support.following import append
from tests.support.kept import kept_daemon
from tests.support.logs import Act, agent, claude_log, human, raw
from tests.support.ticking import Ticking, ticking_daemon

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

TALK = (human("Fix the flaky login test"), agent("Fixed it."))
MORE = claude_log(*TALK, human("Commit it"), agent("Done."))[len(claude_log(*TALK)) :]
NEWS = raw(
    b'{"type":"hologram","uuid":"u","sessionId":"s","version":"2.1.60","timestamp":"2027-03-01T09:00:00Z",'
    b'"message":{"role":"assistant","content":[]}}'
)

Break = Callable[[pytest.MonkeyPatch, Path, "Obstacle"], None]


class Obstacle:
    """What threads run into and cannot get past until it is gone."""

    def __init__(self) -> None:
        self._gone = threading.Event()
        self._lock = threading.Lock()
        self._held = 0

    def hold(self) -> None:
        with self._lock:
            self._held += 1
        self._gone.wait(PATIENCE_S)
        with self._lock:
            self._held -= 1

    def held(self) -> int:
        return self._held

    def remove(self) -> None:
        self._gone.set()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "logs" / "a.jsonl"
    path.parent.mkdir()
    path.write_bytes(claude_log(*TALK))
    return path


def passed_over(patch: pytest.MonkeyPatch, log: Path, obstacle: Obstacle) -> None:
    """Somebody believes that there is nothing to read."""

    def blind(state: TailState | None, path: str, **options: int) -> Advance:
        return Advance("unchanged", state) if path == str(log) else advance(state, path, **options)

    patch.setattr(tailer, "advance", blind)


def hanging(patch: pytest.MonkeyPatch, log: Path, obstacle: Obstacle) -> None:
    """A disk that does not answer."""

    def waiting(state: TailState | None, path: str, **options: int) -> Advance:
        obstacle.hold()
        return advance(state, path, **options)

    patch.setattr(tailer, "advance", waiting)
    for number in range(tailer.FOLLOWERS + 1):
        (log.parent / f"more{number}.jsonl").write_bytes(claude_log(*TALK, session=f"more{number}"))


def not_looking(patch: pytest.MonkeyPatch, log: Path, obstacle: Obstacle) -> None:
    """A folder that does not answer."""

    def waiting(folders: tuple[str, ...], known: dict[str, object], **options: object) -> Scan:
        obstacle.hold()
        return scan(folders, known, **options)  # type: ignore[arg-type]

    patch.setattr(tailer, "scan", waiting)


def forbidden(patch: pytest.MonkeyPatch, log: Path, obstacle: Obstacle) -> None:
    """A log that may not be read."""
    opened = os.open

    def refusing(path: str, flags: int, mode: int = 0o777) -> int:
        if path == str(log):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opened(path, flags, mode)

    patch.setattr(os, "open", refusing)


@pytest.mark.parametrize(
    ("breaks", "kinds", "health", "said"),
    [
        (passed_over, "sourceStuck", "warning", "a.jsonl"),
        (hanging, "readingStuck sourceStuck", "warning", "to be read"),
        (not_looking, "notLooked", "error", "not looked for changes"),
        (forbidden, "unreadable", "warning", "a.jsonl"),
    ],
)
async def test_standing_still_is_seen_told_and_over_when_healed(
    breaks: Break, kinds: str, health: str, said: str, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    obstacle = Obstacle()
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        await daemon.running.until_indexed()
        await daemon.pass_time(60)
        assert daemon.status().health == "ok" and daemon.kinds() == []
        daemon.told()
        try:
            with monkeypatch.context() as patch:
                breaks(patch, log, obstacle)
                append(log, MORE)
                await daemon.pass_time(420, held=obstacle.held)
                await becomes(daemon, kinds, obstacle)
                told = daemon.told()
                await daemon.pass_time(420, held=obstacle.held)
                assert daemon.kinds() == kinds.split(), "it does not go away by itself"
                assert daemon.told() == [], "and is told once"
                status = daemon.status()
        finally:
            obstacle.remove()
        assert (status.health, [each.health for each in told]) == (health, [health])
        assert said in (status.message or "") and said in (told[0].message or "")
        await daemon.pass_time(60)
        await daemon.running.until(lambda: daemon.kinds() == [])
        await daemon.pass_time(LOOK_S)
        await daemon.running.until(lambda: daemon.status().health == "ok")
        await daemon.running.until(lambda: [each.health for each in daemon.told()] == ["ok"])
        await daemon.running.until_equal(*log.parent.iterdir())


async def test_a_machine_that_slept_is_not_ill(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        await daemon.running.until_indexed()
        await daemon.pass_time(60)
        daemon.told()
        for _ in range(3):
            append(log, claude_log(human("Good night")))
            await daemon.clock.tick(8 * 3600)
            assert daemon.kinds() == []
            await daemon.pass_time(30)
        assert daemon.kinds() == [] and daemon.told() == []


async def becomes(daemon: Ticking, kinds: str, obstacle: Obstacle) -> None:
    def is_so() -> bool:
        return daemon.kinds() == kinds.split()

    for _ in range(20):
        if is_so():
            break
        await daemon.pass_time(LOOK_S, held=obstacle.held)
    await daemon.running.until(is_so)


async def test_the_source_that_is_stuck_comes_first(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (log.parent / "b.jsonl").write_bytes(claude_log(*TALK, raw(b"damaged"), human("Go on"), session="b"))
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        await daemon.running.until_indexed()
        passed_over(monkeypatch, log, Obstacle())
        append(log, MORE)
        await daemon.pass_time(120)
        await becomes(daemon, "sourceStuck", Obstacle())
        (first,) = daemon.status(limit=1).sources
    size = len(claude_log(*TALK))
    assert (first.source, first.parsed_offset, first.size_bytes) == (log.as_uri(), size, size + len(MORE))
    assert first.stuck_since is not None


async def test_a_new_format_is_told_once_and_is_over_with_the_log(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    news = log.parent / "news.jsonl"
    news.write_bytes(claude_log(*TALK, *[NEWS] * 12, session="news"))
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        await daemon.running.until_indexed()
        status = daemon.status()
        said = "claude-code 2.1.60 writes records recapd does not know: hologram (12)"
        assert status.health == "warning" and (status.message or "").startswith(said)
        (coverage,) = (each for each in status.coverage if each.unknown_types)
        assert (coverage.agent_version, coverage.unknown_types) == ("2.1.60", {"hologram": 12})
        await daemon.pass_time(LOOK_S)
        await daemon.running.until(lambda: said in (last(daemon) or ""))
        append(news, claude_log(NEWS))
        await daemon.running.until(lambda: "hologram (13)" in (daemon.status().message or ""))
        await daemon.pass_time(5 * LOOK_S)
        assert daemon.told() == []
        news.unlink()
        await daemon.pass_time(2 * LOOK_S)
        await daemon.running.until(lambda: daemon.status().health == "ok")


def last(daemon: Ticking) -> str | None:
    told = daemon.told()
    return told[-1].message if told else None


SECRET = "sk-ant-" + "x" * 40
ODD: tuple[Act, ...] = tuple(
    raw(msgspec.json.encode({"type": kind, "version": version, "uuid": "u", "sessionId": "s"}))
    for kind, version in (
        (f"the key is {SECRET}", "2.1.60"),
        (SECRET, SECRET),
        (SECRET * 3, "my words"),
        ("\x1b[31mred", "a b"),
    )
)


async def test_no_word_of_a_log_is_in_the_status(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(log, claude_log(*ODD * 12, human("Commit it")))
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        await daemon.running.until_indexed()
        text = msgspec.json.encode(daemon.status()).decode()
    assert "(odd)" in text
    for word in (SECRET, "my words", "the key", "flaky", "Fixed it", "Commit", "\\u001b"):
        assert word not in text


async def test_folders_whose_names_are_not_utf_8_are_read_and_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / os.fsdecode(b"caf\xe9")
    home.mkdir()
    (tmp_path / "logs").symlink_to(home)
    path = home / os.fsdecode(b"caf\xe9.jsonl")
    path.write_bytes(claude_log(human("Fix the login"), agent("Done.")))
    config = home / "config.toml"
    config.write_text("[recap]\nmin_turnz = 3\n")
    monkeypatch.setenv("RECAPD_CONFIG", str(config))
    for _ in range(2):
        async with kept_daemon(tmp_path) as running:
            await running.until_indexed()
            await running.until_equal(path)
            running.daemon.tailer.add_roots([Root("codex", home)])
            await running.until(lambda: len(running.daemon.tailer.roots()) > 1)
            status = msgspec.json.encode(running.backend.status(RecapdStatusParams())).decode()
            assert '/caf\N{REPLACEMENT CHARACTER}"' in status and "min_turnz" in status
            found = await running.ask("recap/get", session={"log": path.as_uri()})
            assert "Fix the login" in msgspec.json.encode(found).decode()


async def test_everything_that_waits_or_is_held_is_counted(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        await daemon.running.until_indexed()
        await daemon.running.save()
        status = daemon.status()
    assert {queue.name for queue in status.queues} == {
        "files",
        "store",
        "summaries",
        "reading",
        "decisions",
        "mailboxes",
    }
    assert status.store is not None and status.memory is not None
    assert (status.store.state, status.store.path) == ("ok", str(tmp_path / "state"))
    assert 0 < status.store.size_bytes < (status.store.limit_bytes or 0) and status.store.written_at is not None
    assert status.memory.sessions_whole + status.memory.sessions_on_disk == 1
    assert status.memory.resident_bytes == status.memory_bytes > 1_000_000
    assert status.roots[0].looked_at is not None
