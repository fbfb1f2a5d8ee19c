"""The first reading of everything: in which order, by whom, and what happens when a process dies over it."""

from __future__ import annotations

import os
import shutil
import signal
from functools import partial
from pathlib import Path

import anyio
import msgspec
import pytest
from watchfiles import awatch

from recapd.daemon.encoding.rows import rows_of
from recapd.daemon.following import backlog, indexer, tailer, watch
from recapd.daemon.following.indexer import ParseProcess
from tests.support.clock import PATIENCE_S
from tests.support.following import Following, append, big_log, following, fresh, seen, write_logs
from tests.support.logs import claude_log, human

MEGABYTE = 1 << 20
DAY_MS = 86_400_000


def test_the_newest_come_first_and_progress_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Two could overtake each other.
    monkeypatch.setattr(tailer, "FOLLOWERS", 1)
    paths = write_logs(tmp_path, 60)

    async def main() -> None:
        async with following(tmp_path) as running:
            await running.until_indexed()
            assert [Path(batch.uri).stem for batch in running.heard.batches] == [path.stem for path in reversed(paths)]
            told = running.tailer.indexing()
            assert (told.done, told.total, told.quiescent) == (60, 60, True)
            assert seen(running.heard.world) == seen(fresh(*paths))
            (root,) = running.tailer.roots()
            assert (root.sources, root.parsed_bytes) == (60, sum(path.stat().st_size for path in paths))

    anyio.run(main)


def test_without_roots_there_is_nothing_to_wait_for() -> None:
    async def main() -> None:
        async with following() as running:
            await running.until_indexed()

    anyio.run(main)


def test_large_logs_are_read_by_a_process_and_followed_here(tmp_path: Path) -> None:
    paths = write_logs(tmp_path, 4, megabytes=1.2)

    async def main() -> None:
        async with following(tmp_path, processes=1) as running:
            await running.until_indexed()
            assert len(running.tailer.worker_pids) == 1
            assert all(batch.adopted is not None for batch in running.heard.batches)
            assert seen(running.heard.world) == seen(fresh(*paths))
            append(paths[0], claude_log(human("more")))
            await running.until_equal(*paths)
            assert running.heard.batches[-1].adopted is None
            append(paths[1], big_log(3))
            await running.until_equal(*paths)
            assert running.heard.batches[-1].adopted is not None

    anyio.run(main)


def test_what_a_process_reads_is_told_to_its_last_line_also_without_a_newline(tmp_path: Path) -> None:
    paths = write_logs(tmp_path, 4, megabytes=1.2)
    for path in paths:
        path.write_bytes(path.read_bytes().rstrip(b"\n"))
        # Long enough ago that nobody is still writing.
        os.utime(path, (1_600_000_000, 1_600_000_000))

    async def main() -> None:
        async with following(tmp_path, processes=1) as running:
            await running.until_indexed()
            assert all(batch.adopted is not None for batch in running.heard.batches)
            await running.heard.until(lambda: all(running.heard.world.unfinished.get(path.as_uri()) for path in paths))

    anyio.run(main)


def test_beginnings_first_where_there_is_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "WORTH_HEADS_BYTES", MEGABYTE)
    monkeypatch.setattr(backlog, "NEWEST_FILES", 2)
    paths = write_logs(tmp_path, 10, megabytes=0.4)

    async def main() -> None:
        async with following(tmp_path, processes=1) as running:
            await running.heard.until(lambda: len(running.heard.world.sources) == 10)
            assert not running.tailer.indexing().quiescent
            assert all(source.transcript.totals.turns == 1 for source in running.heard.world.sources.values())
            await running.until_equal(*paths)
            await running.until_indexed()

    anyio.run(main)


def test_a_process_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    paths = write_logs(tmp_path, 12, megabytes=0.5)

    async def main() -> None:
        async with following(tmp_path, processes=1) as running:
            await running.heard.until(lambda: bool(running.tailer.worker_pids) and bool(running.heard.batches))
            os.kill(running.tailer.worker_pids[0], signal.SIGKILL)
            await running.until_equal(*paths)
            await running.until_indexed()

    anyio.run(main)


def test_where_no_process_lives_everything_is_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", shutil.which("false"))
    paths = write_logs(tmp_path, 6, megabytes=1.2)

    async def main() -> None:
        async with following(tmp_path, processes=2) as running:
            await running.until_equal(*paths)
            await running.until_indexed()
            assert all(batch.adopted is None for batch in running.heard.batches)

    anyio.run(main)


def test_an_idle_process_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer, "IDLE_S", 0.05)
    paths = write_logs(tmp_path, 2, megabytes=1.2)
    close = ParseProcess.close

    async def main() -> None:
        is_closed = anyio.Event()

        async def closing(process: ParseProcess) -> None:
            await close(process)
            is_closed.set()

        monkeypatch.setattr(ParseProcess, "close", closing)
        async with following(tmp_path, processes=1) as running:
            await running.until_indexed()
            (pid,) = running.tailer.worker_pids
            with anyio.fail_after(PATIENCE_S):
                await is_closed.wait()
            assert running.tailer.worker_pids == ()
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
            append(paths[0], big_log(3))
            await running.until_equal(*paths)

    anyio.run(main)


def test_many_files_that_come_one_by_one_are_read_by_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tailer, "FEW_FILES", 0)
    monkeypatch.setattr(tailer, "SMALL_BYTES", 100)
    (first,) = write_logs(tmp_path, 1)

    async def main() -> None:
        async with following(tmp_path, processes=1) as running:
            await running.until_indexed()
            # Not what is only read on, nor what is small.
            append(first, claude_log(human("go on")))
            await running.until_equal(first)
            assert all(batch.adopted is None for batch in running.heard.batches)
            paths = [tmp_path / f"late{number}.jsonl" for number in range(6)]
            for path in paths:
                path.write_bytes(claude_log(human(f"this is {path.stem}"), session=path.stem))
            await running.until_equal(first, *paths)
            assert any(batch.adopted is not None for batch in running.heard.batches)

    anyio.run(main)


def test_rows_are_made_between_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While there is something to read, a part of the time; nobody waits for ever."""
    monkeypatch.setattr(backlog, "JOB_FILES", 1)
    paths = write_logs(tmp_path, 12, megabytes=0.5)
    sources = list(fresh(*paths).sources.values())
    left: list[int] = []

    async def main() -> None:
        async with following(tmp_path, processes=1) as running:
            await running.heard.until(lambda: bool(running.tailer.worker_pids))
            with anyio.fail_after(PATIENCE_S):
                for source in sources[:3]:
                    (rows,) = await running.tailer.rows_of([msgspec.msgpack.encode(source)])
                    assert rows is not None and rows.head == rows_of(source).head
                    left.append(running.tailer.indexing().total - running.tailer.indexing().done)
            await running.until_equal(*paths)

    anyio.run(main)
    assert left[0] > 0


def test_rows_are_not_made_where_no_process_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = write_logs(tmp_path, 1)
    (source,) = fresh(path).sources.values()

    async def main() -> None:
        async with following(tmp_path) as running:
            assert await running.tailer.rows_of([msgspec.msgpack.encode(source)]) == []
        monkeypatch.setattr("sys.executable", shutil.which("false"))
        async with following(tmp_path, processes=1) as running:
            await running.until_indexed()
            with anyio.fail_after(PATIENCE_S):
                for _ in range(indexer.MAX_DEATHS + 1):
                    assert await running.tailer.rows_of([msgspec.msgpack.encode(source)]) == []

    anyio.run(main)


def test_it_ends_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelling does not wait for the thread that watches, and leaves no process behind."""
    monkeypatch.setattr(watch, "awatch", partial(awatch, rust_timeout=DAY_MS))
    write_logs(tmp_path, 2, megabytes=1.2)
    pids: list[int] = []

    async def use(running: Following) -> None:
        await running.until_indexed()
        pids.extend(running.tailer.worker_pids)

    async def main() -> None:
        async with following(tmp_path, processes=1) as running:
            await use(running)

    anyio.run(main)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert pids
