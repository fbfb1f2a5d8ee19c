"""The user's hand on what is kept: forget, remember, export; and what is left of a log that somebody deleted."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from recapd.client.paths import Places
from recapd.daemon.engine import Nobody
from recapd.daemon.library import Library
from recapd.daemon.store import cache
from recapd.daemon.store.kept import Relic
from recapd.daemon.store.offline import Offline
from recapd.daemon.store.store import Store
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import INVALID_PARAMS, SESSION_NOT_FOUND, SOURCE_GONE, RecapError
from recapd.wire.types import (
    FilesListResult,
    SessionExportResult,
    SessionForgetResult,
    SessionListResult,
    SessionRememberResult,
)
from tests.support.clock import PATIENCE_S
from tests.support.following import append, fresh, set_mtime
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, edit, human

pytestmark = pytest.mark.anyio

SECRET_WORD = "marzipan"
SESSION = "5e551011-c0de-4a11-8000-000000000009"
ID = f"claude-code:{SESSION}"


def log_of(words: str, session: str = SESSION) -> bytes:
    return claude_log(human(f"Bake {words}"), edit(f"/work/{words}.py"), agent(f"Baked {words}."), session=session)


def write(home: Path, name: str, data: bytes) -> Path:
    path = home / "logs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    set_mtime(path, 1_700_000_000 * 10**9)
    return path


async def listed(running: Running, query: str | None = None) -> list[str]:
    found = await running.ask("session/list", **({"query": query} if query else {}))
    assert isinstance(found, SessionListResult)
    return [session.id for session in found.sessions]


async def refusal(running: Running, method: str, **params: object) -> int:
    with pytest.raises(RecapError) as raised:
        await running.ask(method, **params)
    return raised.value.code


def stored(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in (home / "state").iterdir())


async def test_what_is_forgotten_is_gone_until_it_is_remembered(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", log_of(SECRET_WORD))
    other = write(tmp_path, "b.jsonl", log_of("bread", session="other"))
    before = path.read_bytes()
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path, other)
        await running.save()
        store = running.keeping.store
        await anyio.to_thread.run_sync(store.add_summary, ID, b"about " + SECRET_WORD.encode())
        assert await listed(running, SECRET_WORD) == [ID] and SECRET_WORD.encode() in stored(tmp_path)
        known = await running.ask("files/list", session={"id": ID})
        forgotten = await running.ask("session/forget", session={"id": ID})
        assert isinstance(known, FilesListResult) and isinstance(forgotten, SessionForgetResult)
        assert forgotten.forgotten and forgotten.revision > known.revision
        assert SECRET_WORD.encode() not in stored(tmp_path)
        assert await listed(running) == ["claude-code:other"] and await listed(running, SECRET_WORD) == []
        assert await refusal(running, "files/list", session={"id": ID}) == SESSION_NOT_FOUND
        # The log goes on, and so does the silence.
        append(path, log_of("again"))
        append(other, log_of("rolls", session="other"))
        await running.until_equal(other)
    assert path.read_bytes().startswith(before)
    copy = write(tmp_path, "copy.jsonl", log_of(SECRET_WORD))
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        await running.until_equal(other)
        assert await listed(running) == ["claude-code:other"]
        remembered = await running.ask("session/remember", session={"id": ID})
        assert isinstance(remembered, SessionRememberResult)
        assert (remembered.session_id, remembered.forgotten) == (ID, False)
        await running.until_equal(path, other, copy)
        found = await running.ask("files/list", session={"id": ID})
        assert isinstance(found, FilesListResult) and found.revision > forgotten.revision
        assert store.kept is not None and await refusal(running, "session/remember", session={"id": ID}) == 1001
        actions = [row.action for row in running.keeping.store.audit_of(ID)]
        assert actions == ["session/forget", "session/remember"]


async def test_none_is_forgotten_that_was_not_named(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", log_of("bread"))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        for method in ("session/forget", "session/remember"):
            assert await refusal(running, method) == INVALID_PARAMS
        assert await listed(running) == [ID]


async def test_everything_that_is_known_is_exported(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", log_of("bread"))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await anyio.to_thread.run_sync(running.keeping.store.audit, ID, "tried", "d1")
        exported = await running.ask("session/export", session={"id": ID})
    assert isinstance(exported, SessionExportResult)
    assert exported.session.id == ID and exported.sources[0].source == path.as_uri()
    assert [file.path for file in exported.files] == ["/work/bread.py"]
    assert [(row.action, row.detail) for row in exported.audit] == [("tried", "d1")]


async def test_without_a_daemon_the_same_is_kept(tmp_path: Path) -> None:
    home = tmp_path / "home"
    logs = home / ".claude" / "projects" / "shop"
    logs.mkdir(parents=True)
    (logs / "a.jsonl").write_bytes(log_of(SECRET_WORD))
    environ = {
        "HOME": str(home),
        "RECAPD_STATE_DIR": str(tmp_path / "state"),
        "RECAPD_RUNTIME_DIR": str(tmp_path / "run"),
    }

    def ids() -> list[str]:
        return [session.id for session in Library(environ=environ).sessions()]

    assert ids() == [ID]
    answer(Library(environ=environ), "session/forget", b'{"session": {"id": "%s"}}' % ID.encode())
    assert ids() == []
    answer(Library(environ=environ), "session/remember", b'{"session": {"id": "%s"}}' % ID.encode())
    assert ids() == [ID]
    offline = Offline(Places(environ["RECAPD_RUNTIME_DIR"], environ["RECAPD_STATE_DIR"]))
    offline.set_verdict(ID, "d1", word="dismissed", reason="no")
    assert Library(environ=environ).durable.verdicts(ID)["d1"].word == "dismissed"
    offline.close()


async def test_a_word_given_without_a_daemon_counts_as_a_change_wherever_revisions_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.jsonl", log_of("bread"))
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        before = running.engine.world.members[ID].revision
    # The clock is set back by years.
    monkeypatch.setattr("recapd.daemon.clock.time.time_ns", lambda: 1_500_000_000 * 10**9)
    offline = Offline(Places(str(tmp_path / "run"), str(tmp_path / "state")))
    given = offline.set_verdict(ID, "d1", word="dismissed")
    offline.close()
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        assert running.engine.world.members[ID].revision == given.revision > before


async def test_without_a_daemon_what_is_left_of_a_deleted_log_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", log_of("bread"))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        path.unlink()
        await running.until(lambda: any(source.is_gone for source in running.engine.world.sources.values()))
    environ = {"HOME": str(tmp_path), "RECAPD_STATE_DIR": str(tmp_path / "state"), "RECAPD_RUNTIME_DIR": str(tmp_path)}
    for params in (b'{"session": {"id": "%s"}}' % ID.encode(), b"{}"):
        found = answer(Library(environ=environ), "files/list", params)
        assert isinstance(found, FilesListResult)
        assert [file.path for file in found.files] == ["/work/bread.py"]
    assert [session.id for session in Library(environ=environ).sessions()] == [ID]
    write(tmp_path, "a.jsonl", log_of("cake"))
    assert Library(environ=environ).sessions() == []


async def test_a_deleted_log_leaves_its_session_behind(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", log_of("bread"))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        before = await running.ask("files/list", session={"id": ID})
    assert isinstance(before, FilesListResult)
    # While nobody looks.
    path.unlink()
    for _ in range(2):
        async with kept_daemon(tmp_path) as running:
            await running.until_indexed()
            found = await running.ask("session/list")
            assert isinstance(found, SessionListResult)
            (info,) = found.sessions
            assert (info.id, info.state, info.log_gone, info.log) == (ID, "finished", True, path.as_uri())
            after = await running.ask("files/list", session={"id": ID})
            assert isinstance(after, FilesListResult)
            assert after.files == before.files and after.revision > before.revision
            ref = {"ref": {"source": path.as_uri(), "generation": "x", "line": 1, "byteOffset": 0, "byteLength": 1}}
            assert await refusal(running, "ref/resolve", **ref) == SOURCE_GONE
    # It is there again: the log counts.
    write(tmp_path, "a.jsonl", log_of("cake"))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        path.unlink()
        await running.until(lambda: any(source.is_gone for source in running.engine.world.sources.values()))
        moved = write(tmp_path, "moved.jsonl", log_of("cake"))
        await running.until_equal(moved)
        await running.until(lambda: not any(source.is_gone for source in running.engine.world.sources.values()))
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        assert [source.uri for source in running.engine.world.sources.values()] == [moved.as_uri()]


@pytest.mark.parametrize(
    ("before", "max_bytes", "left"), [("", 1 << 20, "abc"), ("2022", 1 << 20, "c"), ("", 10, ""), ("", 5_000, "c")]
)
def test_what_is_kept_of_deleted_logs_has_an_end(before: str, max_bytes: int, left: str, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "state"), Nobody(), now=lambda: "2026", fingerprint=str)
    store.open()
    for year, name in enumerate("abc"):
        path = write(tmp_path, f"{name}.jsonl", log_of("bread"))
        (source,) = fresh(path).sources.values()
        store.keep_relic(Relic(source, 1, f"{2020 + year}")).result(PATIENCE_S)
    dropped = store.limit_relics(before=before, max_bytes=max_bytes).result(PATIENCE_S)
    names = "".join(sorted(relic.source.uri[-7] for relic in store.relics()))
    assert names == left and len(dropped) + len(names) == 3
    assert store.close(PATIENCE_S)


async def test_a_first_reading_of_much_keeps_to_the_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECAPD_STORE_MAX_MB", "1")
    for number in range(150):
        words = " ".join(f"word{number}x{each}" for each in range(300))
        write(tmp_path, f"{number}.jsonl", log_of(words, f"5e551011-c0de-4a11-8000-{number:012}"))
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        await running.until(lambda: running.keeping.saver.depth == 0)
        store = running.keeping.store
        await running.until(lambda: (store._cache_file.read(cache.size_of) or 0) <= 500_000)
    # What was taken out is not kept as empty pages either.
    assert (tmp_path / "state" / "cache.db").stat().st_size <= 600_000
