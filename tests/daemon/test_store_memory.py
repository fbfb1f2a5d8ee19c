"""Only so much of what is known is in memory; the rest is on disk, and answers all the same."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from recapd.core.settings import StoreSettings
from recapd.core.state.world import Source
from recapd.daemon.encoding import rows as rows_module
from recapd.daemon.encoding.rows import Saved, SourceRows, rows_of
from recapd.daemon.encoding.states import Note, Replaced, head_bytes
from recapd.daemon.engine import Engine, LogRead
from recapd.daemon.following import backlog as backlog_module
from recapd.daemon.parse_worker import parse
from recapd.daemon.snapshot import Snapshot
from recapd.daemon.store import cache as cache_module
from recapd.daemon.store import keeping as keeping_module
from recapd.daemon.store import saver as saver_module
from recapd.daemon.store import unwritten as unwritten_module
from recapd.daemon.store.cache import FileToSave
from recapd.daemon.store.keeping import Warm
from recapd.wire.types import FilesListResult, SessionListResult
from tests.support.clock import PATIENCE_S, a_moment
from tests.support.following import append, fresh, write_logs
from tests.support.kept import kept_daemon
from tests.support.logs import agent, claude_log, human

pytestmark = pytest.mark.anyio


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no room in memory for anything but heads."""
    monkeypatch.setattr(saver_module, "MEMORY_PER_BYTE", 1 << 60)


@pytest.mark.usefixtures("tiny")
async def test_what_is_cold_answers_and_grows(tmp_path: Path) -> None:
    paths = write_logs(tmp_path / "logs", 12)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        before = await running.ask("session/list")
        await running.save()
        assert all(source.is_cold for source in running.shown().values())
        # A list is made of heads alone.
        after = await running.ask("session/list")
        assert isinstance(before, SessionListResult) and before == after
        await running.until_equal(*paths)
        for number, path in enumerate(paths):
            append(path, claude_log(human(f"And {number}"), agent("Done too."), session=f"s{number}"))
        await running.until_equal(*paths)
        await running.save()
        assert all(source.is_cold for source in running.shown().values())
        await running.until_equal(*paths)


async def test_what_a_process_read_is_cold_at_once_and_answers_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = write_logs(tmp_path / "logs", 40, megabytes=2)
    may_save = anyio.Event()
    async with kept_daemon(tmp_path) as running:
        saver = running.keeping.saver
        save = saver._save

        async def later(*arguments: Any) -> None:
            await may_save.wait()
            await save(*arguments)

        monkeypatch.setattr(saver, "_save", later)
        await running.until_indexed()
        # The newest few are read here, while a process starts.
        cold = [source for source in running.shown().values() if source.is_cold]
        assert len(cold) >= len(paths) - 8
        with monkeypatch.context() as no_logs:
            no_logs.setattr(keeping_module, "_from_log", lambda head: pytest.fail("the log was read again"))
            await running.until_equal(*paths)
        append(paths[0], claude_log(human("And more"), session="s0"))
        await running.until_equal(*paths)
        may_save.set()
        await running.save()
        assert {Path(file.path) for file in running.keeping.store.load()} == set(paths)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)


async def test_reading_waits_for_writing_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unwritten_module, "FULL_BYTES", 1)
    monkeypatch.setattr(backlog_module, "JOB_FILES", 4)
    paths = write_logs(tmp_path / "logs", 40, megabytes=2)
    most = 0
    async with kept_daemon(tmp_path) as running:
        unwritten = running.keeping._unwritten
        while not running.backend.indexing().quiescent:
            most = max(most, len(unwritten))
            await a_moment()
        await running.until_equal(*paths)
        await running.until(lambda: len(unwritten) == 0)
    # Those of a job, and those of the job that ran while it was taken in.
    assert 0 < most <= 8


def is_latest_at_hand(snapshot: Snapshot) -> bool:
    return snapshot.is_at_hand(snapshot.find_session(None, None))


@pytest.mark.usefixtures("tiny")
async def test_a_cold_session_is_asked_for_in_a_thread_and_then_at_hand(tmp_path: Path) -> None:
    (path,) = write_logs(tmp_path / "logs", 1)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.save()
        running.keeping.warm = Warm(running.keeping.store.whole, running.engine, settings=StoreSettings)
        assert not is_latest_at_hand(running.backend.snapshot())
        found = await running.ask("files/list")
        assert isinstance(found, FilesListResult)
        assert is_latest_at_hand(running.backend.snapshot())


@pytest.mark.usefixtures("tiny")
async def test_a_log_whose_state_was_lost_is_read(tmp_path: Path) -> None:
    paths = write_logs(tmp_path / "logs", 3)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        await running.save()
        running.keeping.store.drop([str(path) for path in paths]).result(PATIENCE_S)
        await running.until_equal(*paths)
        append(paths[0], claude_log(human("More"), session="s0"))
        await running.until_equal(*paths)


async def test_a_session_that_changes_all_the_time_is_written_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = write_logs(tmp_path / "logs", 1)
    saved: list[int] = []
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.save()
        store, save = running.keeping.store, running.keeping.store.save

        def counted(files: Sequence[FileToSave], known: dict[str, Saved]) -> Future[dict[str, Saved]]:
            saved.append(len(files))
            return save(files, known)

        monkeypatch.setattr(store, "save", counted)
        began = time.monotonic()
        for number in range(40):
            append(path, claude_log(human(f"And {number}"), session="s0"))
            await running.until_equal(path)
        took_s = time.monotonic() - began
        assert len(saved) <= took_s / saver_module.PAUSE_S + 1
        await running.save()
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)


async def test_a_file_that_cannot_be_saved_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = write_logs(tmp_path / "logs", 5)
    monkeypatch.setattr(rows_module, "head_bytes", Failing(paths[2].as_uri()))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        await running.save()
        stored = {Path(file.path) for file in running.keeping.store.load()}
        assert stored == {path for path in paths if path != paths[2]}
        await running.until_equal(*paths)


async def test_much_that_is_new_is_prepared_by_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "MANY_TURNS", 0)
    monkeypatch.setattr(saver_module, "PAUSE_S", 0.0)
    here: list[str] = []

    def counted(source: Source, *before: Any) -> SourceRows:
        here.append(source.uri)
        return rows_of(source, *before)

    monkeypatch.setattr(cache_module, "rows_of", counted)
    paths = write_logs(tmp_path / "logs", 5)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        await running.until(lambda: len(running.keeping.store.load()) == len(paths))
        assert here == []
        # What is added to it is written by itself.
        append(paths[0], claude_log(human("And more"), session="s0"))
        await running.until_equal(*paths)
        await running.save()
        assert set(here) == {paths[0].as_uri()}
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)


async def test_what_changes_while_it_is_prepared_is_written_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_module, "MANY_TURNS", 0)
    monkeypatch.setattr(saver_module, "PAUSE_S", 0.0)
    (path,) = write_logs(tmp_path / "logs", 1)
    async with kept_daemon(tmp_path, is_crashing=True) as running:
        is_asked, may_answer = anyio.Event(), anyio.Event()

        async def late(bodies: Sequence[bytes]) -> list[SourceRows]:
            rows = [rows_of(msgspec.msgpack.decode(body, type=Source)) for body in bodies]
            is_asked.set()
            await may_answer.wait()
            return rows

        monkeypatch.setattr(running.keeping.saver, "_rows_of", late)
        with anyio.fail_after(PATIENCE_S):
            await is_asked.wait()
        append(path, claude_log(human("And more"), session="s0"))
        await running.until_equal(path)
        may_answer.set()
        store = running.keeping.store
        await running.until(lambda: bool(store.load()) and running.keeping.saver.depth == 0)
        ((head, _),) = store.load()[0].heads
        stored = store.whole(str(path), head)
        (expected,) = fresh(path).sources.values()
        assert stored is not None and stored.source.transcript == expected.transcript
        assert head.transcript.totals == expected.transcript.totals


async def test_what_comes_after_somebody_wrote_all_is_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saver_module, "PAUSE_S", 0.0)
    (path,) = write_logs(tmp_path / "logs", 1)
    rounds: list[int] = []
    look_after = saver_module.Saver._look_after

    async def counted(saver: saver_module.Saver) -> None:
        await look_after(saver)
        rounds.append(saver.depth)

    monkeypatch.setattr(saver_module.Saver, "_look_after", counted)
    async with kept_daemon(tmp_path, is_crashing=True) as running:
        saver, store = running.keeping.saver, running.keeping.store
        await running.until_equal(path)
        # Whoever usually writes has written it, and waits for something new.
        await running.until(lambda: len(rounds) >= 2 and rounds[-1] == 0 and bool(store.load()))
        await saver._save([])
        append(path, claude_log(human("And more"), session="s0"))
        await running.until_equal(path)
        await running.until(lambda: saver.depth == 0)


async def test_a_process_shares_the_work_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is little time then, and what is not written is read again by the next start."""
    monkeypatch.setattr(rows_module, "MANY_TURNS", 0)
    monkeypatch.setattr(saver_module, "LAST_FILES", 4)
    # Nothing is written before the end.
    monkeypatch.setattr(saver_module.Saver, "run", lambda saver: anyio.sleep_forever())
    paths = write_logs(tmp_path / "logs", 16)
    elsewhere: list[str] = []
    async with kept_daemon(tmp_path) as running:
        saver = running.keeping.saver
        save, is_asked = saver._save, anyio.Event()

        async def prepared(bodies: Sequence[bytes]) -> list[SourceRows]:
            is_asked.set()
            sources = [msgspec.msgpack.decode(body, type=Source) for body in bodies]
            elsewhere.extend(source.uri for source in sources)
            return [rows_of(source) for source in sources]

        async def save_once_asked(*arguments: Any) -> None:
            # Whoever writes is not done before the process has begun.
            await is_asked.wait()
            await save(*arguments)

        monkeypatch.setattr(saver, "_rows_of", prepared)
        monkeypatch.setattr(saver, "_save", save_once_asked)
        await running.until_equal(*paths)
        assert saver.depth == len(paths)
        with anyio.fail_after(PATIENCE_S):
            await running.save()
        assert saver.depth == 0
        assert 0 < len(set(elsewhere)) < len(paths)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)


class Failing:
    """Writes down the heads of all sources but one."""

    def __init__(self, uri: str) -> None:
        self._uri = uri

    def __call__(self, source: Source, replaced: Replaced) -> bytes:
        if source.uri == self._uri:
            raise ValueError("a fault of ours")
        return head_bytes(source, replaced)


def test_the_least_recently_asked_leaves_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping_module, "_MEGABYTE", 1)
    heads = [Source(f"file:///{name}", "a", "f", "g", is_cold=True) for name in "abc"]

    def find(path: str, head: Source) -> Saved:
        return Saved(Source(head.uri, "a", "f", "g"), {("", 0): Note("", 0, 10, True, 0)})

    warm = Warm(find, Engine(keeps_vanished=True), settings=lambda: StoreSettings(memory_mb=120))
    for head in (heads[0], heads[1], heads[0], heads[2]):
        assert not warm.whole(head).is_cold
    assert [warm.has(head) for head in heads] == [True, False, True]
    # Another head of the same source: what was put together for the first is of another time.
    assert not warm.has(Source(heads[0].uri, "a", "f", "g", is_cold=True))


async def test_the_one_that_goes_on_stays_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be put back for every line it gains."""
    first, last = write_logs(tmp_path / "logs", 2)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(first, last)
        await running.save()
        size = max(saved.size for saved in vars(running.keeping.saver)["_saved"].values())
        # Less than one of them takes.
        monkeypatch.setattr(saver_module, "MEMORY_PER_BYTE", StoreSettings().memory_mb * 1_000_000 // size)
        append(last, claude_log(human("And this"), agent("Done too."), session="s1"))
        await running.until_equal(first, last)
        await running.save()
        shown = running.shown()
        assert shown[first.as_uri()].is_cold and not shown[last.as_uri()].is_cold


async def test_what_a_process_read_is_written_with_how_far_it_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by who writes before everybody was told of it: a crash then must not cost what came last."""
    path = tmp_path / "logs" / "a.jsonl"
    path.parent.mkdir()
    path.write_bytes(claude_log(human("one"), agent("Done.")))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.save()
        store, saver = running.keeping.store, running.keeping.saver
        written: list[FileToSave] = []
        save = store.save

        def seen(files: Sequence[FileToSave], saved: dict[str, Saved]) -> Future[dict[str, Saved]]:
            written.extend(files)
            return save(files, saved)

        monkeypatch.setattr(store, "save", seen)
        append(path, claude_log(human("two"), agent("Done, too.")))
        state, batches = parse(str(path), now_ns=time.time_ns())
        assert state is not None
        saver.note(str(path))
        running.daemon.tailer._files.keep(str(path), state)
        running.engine.apply(LogRead(str(path), batches))
        await saver._save([str(path)])
        assert written[0].tail == state
        assert [source.transcript for source, _ in written[0].sources] == [
            source.transcript for source in fresh(path).sources.values()
        ]
