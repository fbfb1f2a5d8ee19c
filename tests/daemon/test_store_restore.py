"""What was known survives the end of the process, is not read again, and is never told where the log says otherwise."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recapd.core.log.refs import Place
from recapd.core.state.world import session_id_of
from recapd.daemon.engine import Change, Engine, LastLineSeen, LogRead, SourcesRestored, Step
from recapd.daemon.log_files.reading import open_log
from recapd.daemon.store.database import Schema, open_or_begin
from recapd.server.transport.threads import in_thread
from recapd.wire.errors import RecapError
from recapd.wire.types import FilesListResult, HistoryGetResult, SessionListResult
from tests.support.following import append, big_log, reads, set_mtime, write_logs
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, edit, human, shell

pytestmark = pytest.mark.anyio

LONG_AGO_NS = 1_700_000_000 * 1_000_000_000
BEGUN = (human("Fix the login"), edit("/work/shop/login.py"), agent("Done. Shall I commit?"))
WHOLE = claude_log(*BEGUN, human("Yes"), shell("git commit -m login", "ok"), agent("Committed."))
FIRST = claude_log(*BEGUN)
MORE = WHOLE.removeprefix(FIRST)


def write(home: Path, name: str, data: bytes) -> Path:
    path = home / "logs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    set_mtime(path, LONG_AGO_NS)
    return path


async def life(home: Path, *paths: Path) -> None:
    async with kept_daemon(home) as running:
        await running.until_indexed()
        await running.until_equal(*paths)


async def test_a_restart_reads_nothing_of_what_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = write_logs(tmp_path / "logs", 30)
    await life(tmp_path, *paths)
    sizes = reads(monkeypatch)
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        listed = await running.ask("session/list", limit=100)
        assert isinstance(listed, SessionListResult) and len(listed.sessions) == 30
        await running.until_equal(*paths)
    assert sum(sizes) == 0


async def test_a_grown_log_is_read_from_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "a.jsonl", big_log(0.5))
    await life(tmp_path, path)
    append(path, MORE)
    sizes = reads(monkeypatch)
    await life(tmp_path, path)
    assert 0 < sum(sizes) < 40_000


REWRITES: dict[str, Callable[[bytes], bytes]] = {
    "rewritten longer": lambda data: data.replace(b"login", b"logout") + MORE,
    "rewritten in the same size": lambda data: data.replace(b"login", b"other"),
    "cut short": lambda data: data[: data.index(b"\n") + 1],
    "emptied": lambda data: b"",
    "no log any more": lambda data: b"hello\n" * 100,
    "torn": lambda data: data[:-30],
}


@pytest.mark.parametrize("name", REWRITES)
@pytest.mark.parametrize("is_crashing", [False, True])
async def test_a_log_that_is_another_is_read_anew(tmp_path: Path, name: str, is_crashing: bool) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    async with kept_daemon(tmp_path, is_crashing=is_crashing) as running:
        await running.until_equal(path)
        await running.save()
    path.write_bytes(REWRITES[name](FIRST))
    set_mtime(path, LONG_AGO_NS + 10**9)
    await life(tmp_path, path)


async def test_an_unfinished_line_is_shown_and_then_finished(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", WHOLE[:-1])
    for _ in range(2):
        async with kept_daemon(tmp_path) as running:
            await running.until_indexed()
            await running.until_equal(path)
            history = await running.ask("history/get", full=True)
            assert isinstance(history, HistoryGetResult) and history.total == 4
    append(path, b"\n" + claude_log(human("One more thing")))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)


async def test_revisions_survive_and_never_go_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    seen: list[int] = []

    async def revision() -> int:
        async with kept_daemon(tmp_path) as running:
            await running.until_indexed()
            await running.until_equal(path)
            files = await running.ask("files/list")
            assert isinstance(files, FilesListResult)
            return files.revision

    seen += [await revision(), await revision()]
    assert seen[0] == seen[1]
    append(path, MORE)
    # The clock is set back by a year.
    monkeypatch.setattr("recapd.daemon.clock.time.time_ns", lambda: LONG_AGO_NS)
    seen.append(await revision())
    assert seen[2] > seen[1]


async def test_a_log_that_was_just_written_keeps_its_revision(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    # A moment ago: the time of the file proves nothing yet.
    set_mtime(path, time.time_ns())
    seen: list[int] = []
    for _ in range(3):
        async with kept_daemon(tmp_path) as running:
            await running.until_equal(path)
            seen.append(await revision_of(running))
    assert len(set(seen)) == 1


async def test_settings_that_were_changed_never_take_a_revision_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    seen: list[int] = []
    for minutes in ("20", "30", "30", "20", "20"):
        monkeypatch.setenv("RECAPD_DAEMON_IDLE_MINUTES", minutes)
        async with kept_daemon(tmp_path) as running:
            await running.until_indexed()
            await running.until_equal(path)
            seen.append(await revision_of(running))
    assert seen == sorted(seen)
    assert len(set(seen)) == 3 and seen[1] == seen[2] and seen[3] == seen[4]


async def test_what_was_told_before_a_crash_is_never_told_as_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    await life(tmp_path, path)
    async with kept_daemon(tmp_path, is_crashing=True) as running:
        await running.until_indexed()
        append(path, MORE)
        await running.until_equal(path)
        (before,) = (members.revision for members in running.engine.world.members.values())
    shown: list[tuple[int, int]] = []
    applied = Engine.apply

    def apply(engine: Engine, change: Change) -> Step:
        step = applied(engine, change)
        if isinstance(change, SourcesRestored):
            members = step.world.members
            shown.extend((members[session_id_of(each)].revision, each.carry.end) for each, _ in change.heads)
        return step

    monkeypatch.setattr(Engine, "apply", apply)
    await life(tmp_path, path)
    assert shown
    # The same revision is right for the same state only.
    assert all(revision > before or (revision, end) == (before, len(WHOLE)) for revision, end in shown)


async def test_a_line_that_is_shown_before_its_end_never_takes_the_revision_back(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    line = MORE.partition(b"\n")[0]
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        await running.until_equal(path)
        seen = [await revision_of(running)]
        place = Place(FIRST.count(b"\n") + 1, len(FIRST), len(line))
        records = open_log(path).adapter.parse(line, place)[0]
        for unfinished in (records, records, (), records, ()):
            running.engine.apply(LastLineSeen(path.as_uri(), tuple(unfinished)))
            seen.append(await revision_of(running))
    assert seen == sorted(seen)
    # The same again is no news; whatever else happens to the line is.
    assert len(set(seen)) == 5


async def test_the_revision_that_a_summary_gave_outlives_a_crash(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    await life(tmp_path, path)
    async with kept_daemon(tmp_path, is_crashing=True) as running:
        await running.until_indexed()
        await running.until_equal(path)
        first = await revision_of(running)
        (session_id,) = running.engine.world.members
        await in_thread(lambda: running.keeping.store.add_summary(session_id, b""))
        told = await revision_of(running)
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        await running.until_equal(path)
        assert first < told == await revision_of(running)


async def revision_of(running: Running) -> int:
    files = await running.ask("files/list")
    assert isinstance(files, FilesListResult)
    return files.revision


DAMAGE: dict[str, str] = {
    "a chunk": "UPDATE chunks SET body = zeroblob(length(body)) WHERE field = 'turns'",
    "what is bounded": "UPDATE chunks SET body = substr(body, 2) WHERE field = ''",
    "a missing chunk": "DELETE FROM chunks WHERE field = 'utterances'",
    "a head": "UPDATE sources SET head = zeroblob(length(head))",
    "how far it is read": "UPDATE files SET tail = zeroblob(length(tail))",
    "what there is": "UPDATE sources SET notes = x'00'",
    "other code": "UPDATE meta SET value = 'another' WHERE name = 'fingerprint'",
}


@pytest.mark.parametrize("name", DAMAGE)
async def test_what_is_damaged_is_read_from_the_log(tmp_path: Path, name: str) -> None:
    paths = [write(tmp_path, f"{each}.jsonl", FIRST.replace(b"login", each.encode())) for each in ("a", "b")]
    await life(tmp_path, *paths)
    with sqlite3.connect(tmp_path / "state" / "cache.db") as db:
        assert db.execute(DAMAGE[name]).rowcount > 0
    db.close()
    await life(tmp_path, *paths)
    append(paths[0], MORE)
    await life(tmp_path, *paths)


async def test_without_its_folder_everything_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    await life(tmp_path, path)
    for file in (tmp_path / "state").iterdir():
        os.unlink(file)
    await life(tmp_path, path)


async def test_the_users_word_survives_and_counts_as_a_change(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    session = {"id": "claude-code:5e551011-c0de-4a11-8000-000000000001"}
    async with kept_daemon(tmp_path, is_crashing=True) as running:
        await running.until_equal(path)
        await running.save()
        before = await running.ask("files/list", session=session)
        store = running.keeping.store
        given = await in_thread(lambda: store.set_verdict(session["id"], "d1", word="dismissed"))
        cursor = "t1.1.g.1.1"
        await in_thread(lambda: running.backend.acknowledge(session["id"], "editor", cursor))
        after = await running.ask("files/list", session=session)
        assert isinstance(before, FilesListResult) and isinstance(after, FilesListResult)
        assert before.revision < after.revision == given.revision
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        mark = running.daemon.marks.get(session["id"], "editor")
        again = await running.ask("files/list", session=session, knownRevision=before.revision)
        assert isinstance(again, FilesListResult) and again.revision == after.revision and mark == cursor
        assert running.backend.snapshot().durable.verdicts(session["id"])["d1"].word == "dismissed"


async def test_a_full_disk_is_told_while_it_lasts_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "a.jsonl", FIRST)
    monkeypatch.setattr("recapd.daemon.store.saver.RETRY_S", 0.01)
    monkeypatch.setattr("recapd.daemon.store.saver.MAX_RETRY_S", 0.01)
    monkeypatch.setattr("recapd.daemon.store.saver.PAUSE_S", 0.01)
    is_full = True
    disk = FullDisk(lambda: is_full)
    monkeypatch.setattr("recapd.daemon.store.file.open_or_begin", disk.open_or_begin)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.until(lambda: "no room" in running.messages)
        append(path, MORE)
        await running.until_equal(path)
        store = running.keeping.store
        with pytest.raises(RecapError, match="no room"):
            await in_thread(lambda: store.set_mark("s", "editor", "c1"))
        is_full = False
        await running.until(lambda: not running.messages)
        await in_thread(lambda: store.set_mark("s", "editor", "c1"))
    await life(tmp_path, path)


class FullDisk:
    """Files of the store on a disk that is full while somebody says so."""

    def __init__(self, is_full: Callable[[], bool]) -> None:
        self._is_full = is_full

    def open_or_begin(self, path: str, schema: Schema) -> tuple[sqlite3.Connection, str]:
        made, notice = open_or_begin(path, schema)
        made.close()

        class Full(sqlite3.Connection):
            def execute(this, sql: str, *rest: Any) -> sqlite3.Cursor:
                if self._is_full() and sql.startswith("COMMIT"):
                    raise sqlite3.OperationalError("database or disk is full")
                return super().execute(sql, *rest)

        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Full), notice


async def test_what_was_excluded_while_no_daemon_ran_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = write_logs(tmp_path / "logs", 3)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
    config = tmp_path / "config.toml"
    config.write_text(f'[watch]\nexclude = ["{paths[2].name}"]\n')
    monkeypatch.setenv("RECAPD_CONFIG", str(config))
    append(paths[0], MORE)
    read: list[str] = []
    applied = Engine.apply

    def apply(engine: Engine, change: Change) -> Step:
        read.extend([change.path] if isinstance(change, LogRead) else [])
        return applied(engine, change)

    monkeypatch.setattr(Engine, "apply", apply)
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        await running.until_equal(*paths[:2])
        assert read and str(paths[2]) not in read
    # And it is forgotten.
    monkeypatch.delenv("RECAPD_CONFIG")
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
