"""A log outside the watched folders is looked at whenever somebody asks for it, and told as the file is then."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

import anyio
import pytest

from recapd.core.state.world import Session
from recapd.daemon.elsewhere import Elsewhere
from recapd.daemon.store.store import Store
from recapd.wire.errors import SESSION_NOT_FOUND, RecapError
from recapd.wire.types import DecisionsListResult, RecapGetResult, Unchanged
from tests.support.clock import PATIENCE_S, a_moment
from tests.support.following import append, big_log, reads, set_mtime
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, edit, human

FIRST = claude_log(human("Fix the login"), agent("Done."))
MORE = claude_log(human("Fix the login"), agent("Done."), human("Paint it pink")).removeprefix(FIRST)
LONG_AGO_NS = 1_700_000_000 * 10**9


def elsewhere(most_bytes: int = 1 << 30) -> Elsewhere:
    return Elsewhere(count(1_000, 10).__next__, most_bytes=most_bytes)


def asked(session: Session) -> list[str]:
    return [turn.request.text for turn in session.main.transcript.turns]


CHANGES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "appended": (lambda path: append(path, MORE), ["Fix the login", "Paint it pink"]),
    "a line without its newline": (lambda path: append(path, MORE[:-1]), ["Fix the login", "Paint it pink"]),
    "half a line": (lambda path: append(path, MORE[:-9]), ["Fix the login"]),
    "rewritten longer": (lambda path: path.write_bytes(FIRST.replace(b"login", b"logout") + MORE), ["Fix the logout"]),
    "rewritten in the same size": (lambda path: path.write_bytes(FIRST.replace(b"login", b"other")), ["Fix the other"]),
    "cut short and begun anew": (lambda path: path.write_bytes(claude_log(human("Hello"))), ["Hello"]),
    "replaced": (lambda path: replace(path, FIRST.replace(b"login", b"other")), ["Fix the other"]),
}


def replace(path: Path, data: bytes) -> None:
    beside = path.with_suffix(".new")
    beside.write_bytes(data)
    os.replace(beside, path)


@pytest.mark.parametrize("name", CHANGES)
def test_it_is_told_as_it_is_now(name: str, tmp_path: Path) -> None:
    change, expected = CHANGES[name]
    path = tmp_path / "a.jsonl"
    path.write_bytes(FIRST)
    logs = elsewhere()
    before = logs.session(path)
    assert logs.session(path).revision == before.revision
    change(path)
    after = logs.session(path)
    assert asked(after)[: len(expected)] == expected
    # Of half a line nothing can be told, and nothing has changed.
    assert (after.revision > before.revision) is (asked(after) != asked(before))


def test_the_work_of_a_sub_agent_beside_it_counts(tmp_path: Path) -> None:
    path = tmp_path / "5e55.jsonl"
    path.write_bytes(claude_log(human("Fix the login"), session="5e55"))
    logs = elsewhere()
    before = logs.session(path)
    said = claude_log(human("Look around"), edit("/work/b.py"), session="5e55")
    sub_agents_log = said.replace(b'"isSidechain":false', b'"isSidechain":true,"agentId":"1"')
    assert sub_agents_log != said
    beside = tmp_path / "5e55" / "subagents" / "agent-1.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_bytes(sub_agents_log)
    after = logs.session(path)
    assert len(after.children) == 1 and after.revision > before.revision
    beside.unlink()
    assert logs.session(path).children == ()


def test_what_was_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(big_log(2))
    set_mtime(path, LONG_AGO_NS)
    logs = elsewhere()
    # The second look proves that the file stayed the same while it was read.
    logs.session(path)
    logs.session(path)
    sizes = reads(monkeypatch)
    logs.session(path)
    assert sum(sizes) == 0
    append(path, MORE)
    logs.session(path)
    assert 0 < sum(sizes) < 200_000


@pytest.mark.parametrize("data", [None, b"", b"hello\n" * 100])
def test_what_is_no_log_any_more_is_refused_in_a_sentence(data: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(FIRST)
    set_mtime(path, LONG_AGO_NS)
    logs = elsewhere()
    uri = logs.session(path).main.uri
    assert logs.has_read(uri)
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
        set_mtime(path, LONG_AGO_NS + 1)
    with pytest.raises(RecapError) as raised:
        logs.session(path)
    assert str(path) in raised.value.message
    assert not logs.has_read(uri)


@pytest.mark.parametrize("begun", [None, b"", b"\n"])
def test_a_log_that_is_yet_to_be_written_may_be_asked_for_again(begun: bytes | None, tmp_path: Path) -> None:
    """Agents name their log to a hook before its first line is there."""
    path, logs = tmp_path / "a.jsonl", elsewhere()
    if begun is not None:
        path.write_bytes(begun)
    with pytest.raises(RecapError) as raised:
        logs.session(path)
    assert (raised.value.code, raised.value.data.retryable) == (SESSION_NOT_FOUND, True)
    path.write_bytes(FIRST)
    assert asked(logs.session(path)) == ["Fix the login"]


def test_what_is_kept_has_an_end(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in "abcd"]
    for path in paths:
        path.write_bytes(FIRST)
    logs = elsewhere(most_bytes=2 * len(FIRST))
    for path in paths:
        logs.session(path)
    assert [path.stem for path in paths if logs.has_read(path.as_uri())] == ["c", "d"]
    append(paths[3], big_log(1))
    logs.session(paths[3])
    assert [path.stem for path in paths if logs.has_read(path.as_uri())] == ["d"]


async def recap(running: Running, path: Path, **params: object) -> RecapGetResult:
    got = await running.ask("recap/get", session={"log": str(path)}, **params)
    assert isinstance(got, RecapGetResult)
    return got


@pytest.mark.anyio
async def test_a_running_daemon_never_tells_an_old_state_of_it(tmp_path: Path) -> None:
    """Nothing else changes meanwhile: no watched log, no setting."""
    path = tmp_path / "outside.jsonl"
    path.write_bytes(FIRST)
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        before = await recap(running, path)
        assert before.recap.state.read_bytes == path.stat().st_size
        session = {"log": str(path)}
        with pytest.raises(RecapError, match="No session has the id"):
            await running.ask("recap/get", session={"id": before.session_id})
        assert isinstance(await running.ask("recap/get", session=session, knownRevision=before.revision), Unchanged)
        append(path, MORE)
        after = await recap(running, path, knownRevision=before.revision)
        assert after.recap.current_focus is not None and after.recap.current_focus.text == "Paint it pink"
        assert after.revision > before.revision
        assert after.recap.state.read_bytes == path.stat().st_size


@pytest.mark.anyio
async def test_what_was_said_of_it_counts_from_the_first_answer_of_the_next_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(claude_log(human("Use Postgres for the job queue, not Redis."), agent("Done.")))
    named = {"log": str(path)}
    async with kept_daemon(tmp_path) as running:
        found = await running.ask("decisions/list", session=named)
        assert isinstance(found, DecisionsListResult) and found.decisions
        await running.ask("decisions/judge", session=named, id=found.decisions[0].id, verdict="dismissed")
    open_store, may_open = Store.open, threading.Event()

    def open_late(store: Store) -> None:
        may_open.wait(PATIENCE_S)
        open_store(store)

    monkeypatch.setattr(Store, "open", open_late)
    async with kept_daemon(tmp_path) as running, anyio.create_task_group() as group:
        answers: list[object] = []

        async def ask() -> None:
            answers.append(await running.ask("decisions/list", session=named))

        group.start_soon(ask)
        await a_moment()
        may_open.set()
        await running.until(lambda: bool(answers))
        (again,) = answers
        assert isinstance(again, DecisionsListResult)
        assert found.decisions[0].id not in {each.id for each in again.decisions}
