"""Every change of the world comes in by one entrance, and whoever has to know of it is told there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import anyio
import anyio.to_thread
import pytest

from recapd.core.log.events import Prompt, Reply
from recapd.core.presence import Presence, Signal
from recapd.core.state.cold import head_of
from recapd.core.state.world import Batch
from recapd.daemon.config.configuration import default_configuration
from recapd.daemon.engine import (
    OF_LINES,
    TELLS,
    CacheLost,
    Change,
    Ear,
    Engine,
    LastLineSeen,
    LogForgotten,
    LogRead,
    LogVanished,
    PresenceSeen,
    RevisionReserved,
    RevisionsGivenOut,
    SessionForgotten,
    SessionJudged,
    SessionRemembered,
    SessionRevised,
    SettingsChanged,
    SignalCame,
    SourcesCooled,
    SourcesRestored,
    StatusMoved,
    Step,
    StoreTroubled,
)
from recapd.daemon.hub import HubMailbox
from recapd.daemon.store.keeping import Keeping
from recapd.server.transport.threads import in_thread
from recapd.wire.types import FilesListResult, RecapDidChangeParams, RecapSubscribeParams, SessionChange
from tests.support.following import append
from tests.support.hub import ALL, AT_ONCE
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, human
from tests.support.records import batch, record, tape

URI = "file:///logs/s.jsonl"
ID = "claude-code:s"
LINE = tuple(tape(record(Reply("Done."), session="s"), first=2))


def news(line: int = 1, *, session: str = "s", uri: str = URI) -> Batch:
    return batch(tape(record(Prompt(f"fix part {line}"), session=session), first=line), uri=uri)


class Heard:
    """An engine that knows one session, and who is told of what comes then."""

    def __init__(self) -> None:
        self.engine = Engine(keeps_vanished=True)
        self.engine.apply(LogRead("s", (news(),)))
        self.engine.tell_rest()
        self.ears: list[str] = []
        self.changes: dict[str, list[Change]] = {ear: [] for ear in get_args(Ear)}
        for ear in get_args(Ear):
            self.engine.listen(ear, self._listener(ear))

    def _listener(self, ear: str) -> Callable[[Step], None]:
        def listen(step: Step) -> None:
            # Whoever is told finds the new world in force.
            assert step.world is self.engine.world or type(step.change) in OF_LINES
            self.ears.append(ear)
            self.changes[ear].append(step.change)

        return listen

    @property
    def revision(self) -> int | None:
        members = self.engine.world.members.get(ID)
        return members.revision if members is not None else None


CHANGES: tuple[Change, ...] = (
    LogRead("s", (news(2),)),
    LastLineSeen(URI, LINE),
    LogForgotten("s", URI),
    LogVanished("s", URI),
    SessionForgotten(ID),
    SessionRevised(ID, 1 << 60),
    SessionJudged(ID),
    SignalCame(ID, Signal("idle", "2026-03-01T09:00:00.000Z")),
    PresenceSeen({ID: Presence("resting")}, (), "2026-03-01T09:00:00.000Z"),
    RevisionReserved(),
    RevisionsGivenOut(1 << 60),
    SettingsChanged(default_configuration(), default_configuration()),
    StatusMoved(),
    StoreTroubled(),
    CacheLost(),
    SessionRemembered(ID),
)


def test_it_is_said_of_every_change_who_is_told() -> None:
    assert set(TELLS) == set(get_args(Change))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_who_is_told_finds_the_world_that_came_of_it(change: Change) -> None:
    heard = Heard()
    step = heard.engine.apply(change)
    named = list(TELLS[type(change)])
    assert heard.ears == (["clients"] if type(change) in OF_LINES else named)
    assert step.world is heard.engine.world
    heard.engine.tell_rest()
    assert sorted(heard.ears) == sorted(named)


def test_whoever_is_told_besides_hears_of_lines_before_what_came_after_them() -> None:
    heard = Heard()
    read, read_on = LogRead("s", (news(2),)), LogRead("s", (news(3),))
    changes: list[Change] = [read, LastLineSeen(URI, LINE), read_on, SessionForgotten(ID)]
    for change in changes:
        heard.engine.apply(change)
    for ear, told in heard.changes.items():
        assert told == [change for change in changes if ear in TELLS[type(change)]]


@pytest.mark.anyio
async def test_the_others_are_told_of_a_line_as_soon_as_the_loop_has_its_turn() -> None:
    heard = Heard()
    async with anyio.create_task_group() as group:
        group.start_soon(heard.engine.run)
        await anyio.wait_all_tasks_blocked()
        for line in (2, 3):
            change = LogRead("s", (news(line),))
            heard.engine.apply(change)
            assert heard.changes["clients"][-1] is change and change not in heard.changes["store"]
            await anyio.wait_all_tasks_blocked()
            assert heard.changes["store"][-1] is change and heard.changes["ahead"][-1] is change
        group.cancel_scope.cancel()


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_whatever_changes_a_sessions_revision_is_told_to_clients(change: Change) -> None:
    heard = Heard()
    before = heard.revision
    step = heard.engine.apply(change)
    if heard.revision != before:
        assert "clients" in heard.ears and ID in {delta.session_id for delta in step.deltas}


def test_a_revision_is_never_given_out_twice() -> None:
    engine = Engine(keeps_vanished=False)
    given = [engine.reserve_revision() for _ in range(100)]
    engine.apply(RevisionsGivenOut(given[-1] + 1_000_000))
    given += [engine.apply(LogRead("s", (news(each),))).deltas[0].revision for each in range(1, 4)]
    given += [engine.reserve_revision()]
    assert given == sorted(set(given)) and given[100] > given[99] + 1_000_000


def test_without_anything_kept_revisions_begin_at_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begun_at_ms = 1_700_000_000_000
    monkeypatch.setattr("recapd.daemon.clock.time.time_ns", lambda: begun_at_ms * 1_000_000)
    earlier = [Engine(keeps_vanished=False).reserve_revision() for _ in range(3)]
    monkeypatch.setattr("recapd.daemon.clock.time.time_ns", lambda: (begun_at_ms + 2_000) * 1_000_000)
    assert begun_at_ms <= min(earlier) <= max(earlier) < Engine(keeps_vanished=False).reserve_revision()


def test_what_is_dropped_to_disk_and_put_back_changes_nothing_that_is_said() -> None:
    heard = Heard()
    before = heard.engine.world
    (source,) = before.sources.values()
    heard.engine.apply(SourcesCooled((head_of(source),)))
    assert heard.engine.world.sources[URI].is_cold and heard.engine.world.members == before.members
    assert heard.ears == []


@pytest.mark.parametrize("is_outgrown", [False, True])
def test_what_was_known_before_the_start_is_new_to_clients_but_not_summarized(is_outgrown: bool) -> None:
    (source,) = Heard().engine.world.sources.values()
    heard = Heard()
    heard.engine.apply(LogForgotten("s", URI))
    heard.ears.clear()
    heard.engine.apply(SourcesRestored(((source, 7),), is_outgrown=is_outgrown))
    assert heard.ears == ["store", "clients", "renewal", "recap files", "ahead"]
    # There is more of it now, which somebody may have been told before the start.
    assert heard.revision is not None and (heard.revision > 7) is is_outgrown


@pytest.mark.parametrize("keeps", [True, False])
def test_a_session_outlives_its_log_where_there_is_a_store(keeps: bool) -> None:
    engine = Engine(keeps_vanished=keeps)
    engine.apply(LogRead("s", (news(),)))
    engine.apply(LastLineSeen(URI, LINE))
    engine.apply(LogVanished("s", URI))
    assert [source.is_gone for source in engine.world.sources.values()] == ([True] if keeps else [])
    assert engine.world.unfinished == {}
    # Another copy of the log turns up: what was kept is not needed.
    engine.apply(LogRead("t", (news(uri="file:///logs/t.jsonl"),)))
    assert [source.uri for source in engine.world.sources.values()] == ["file:///logs/t.jsonl"]
    assert engine.world.members[ID].keys == ("file:///logs/t.jsonl",)


def test_news_of_a_forgotten_session_is_not_taken_in_until_it_is_remembered() -> None:
    heard = Heard()
    heard.engine.apply(SessionForgotten(ID))
    assert heard.engine.world.sources == {}
    step = heard.engine.apply(LogRead("s", (news(2), news(1, session="t", uri="file:///logs/t.jsonl"))))
    assert [session_id for session_id, _ in step.refused] == [ID]
    assert [delta.session_id for delta in step.deltas] == ["claude-code:t"]
    heard.engine.apply(SessionRemembered(ID))
    assert not heard.engine.apply(LogRead("s", (news(2),))).refused
    assert ID in heard.engine.world.members


# ---- in a whole daemon

FIRST = claude_log(human("fix the parser"), agent("Done."))
MORE = claude_log(human("fix the parser"), agent("Done."), human("and the lexer")).removeprefix(FIRST)


def subscribe(running: Running) -> HubMailbox:
    mailbox = running.daemon.hub.open_mailbox()
    running.daemon.hub.subscribe(mailbox, RecapSubscribeParams(subscription_id="all", selector=ALL, settle=AT_ONCE))
    return mailbox


def taken(mailbox: HubMailbox) -> list[SessionChange]:
    """What a client was told since it took last."""
    found: list[SessionChange] = []
    while (notification := mailbox.take()) is not None:
        if isinstance(notification, RecapDidChangeParams):
            found += notification.changes
    return found


async def revision_of(running: Running) -> int:
    files = await running.ask("files/list")
    assert isinstance(files, FilesListResult)
    return files.revision


@pytest.mark.anyio
async def test_a_subscriber_is_told_of_a_line_that_is_shown_before_its_end(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "s.jsonl"
    path.parent.mkdir()
    await anyio.to_thread.run_sync(path.write_bytes, FIRST)
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        await running.until_equal(path)
        mailbox = subscribe(running)
        for data in (MORE.rstrip(b"\n"), b"\n"):
            before = await revision_of(running)
            append(path, data)
            changes: list[SessionChange] = []

            def is_told(changes: list[SessionChange] = changes) -> bool:
                changes += taken(mailbox)
                return bool(changes)

            await running.until(is_told)
            assert changes[-1].revision == await revision_of(running) > before
            assert "userRequests" in changes[-1].sections


@pytest.mark.anyio
@pytest.mark.parametrize("store", ["true", "false"])
async def test_a_verdict_is_a_change_with_a_store_and_without(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECAPD_STORE_ENABLED", store)
    path = tmp_path / "logs" / "s.jsonl"
    path.parent.mkdir()
    await anyio.to_thread.run_sync(path.write_bytes, FIRST)
    async with kept_daemon(tmp_path, is_crashing=True) as running:
        assert isinstance(running.daemon.keeping, Keeping) is (store == "true")
        await running.until_indexed()
        (session_id,) = running.engine.world.members
        before = await revision_of(running)
        mailbox = subscribe(running)
        durable = running.backend.snapshot().durable
        given = await in_thread(lambda: durable.set_verdict(session_id, "d1", word="dismissed"))
        assert before < given.revision == await revision_of(running)
        assert [change.revision for change in taken(mailbox)] == [given.revision]
