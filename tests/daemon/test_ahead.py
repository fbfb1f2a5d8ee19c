"""Decisions are judged before anybody asks: once, kept on disk, and of a session that goes on only what changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from anyio.from_thread import BlockingPortal

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.find.candidate import Candidate
from recapd.core.decisions.find.candidates import candidates_in
from recapd.core.decisions.find.scenes import Scene
from recapd.core.settings import DecisionSettings
from recapd.core.state import Session, Source, World
from recapd.core.state.growing import Layered
from recapd.core.state.world import Members
from recapd.core.views.recap import Recap, recap_so_far
from recapd.daemon.ahead import SCENES, Ahead
from recapd.daemon.encoding import JudgedRow
from recapd.daemon.following.indexer import ParseProcess, WorkerDied
from recapd.daemon.library import Library
from recapd.daemon.store.in_memory import InMemory
from recapd.daemon.store.keeping import Warm
from recapd.daemon.store.store import Store
from recapd.server import recaps
from recapd.server.methods import answer
from recapd.wire.types import RecapGetResult
from tests.support.clock import FakeClock
from tests.support.following import append, write_logs
from tests.support.kept import Running, kept_daemon
from tests.support.logs import Act, agent, claude_log, edit, human

pytestmark = pytest.mark.anyio
TURNS = 40
NAMED = {"id": "claude-code:s"}


def talk(turns: int) -> list[Act]:
    return [
        act
        for turn in range(turns)
        for act in (
            human(f"Use store{turn} for part {turn} instead of files"),
            edit(f"/work/part{turn}.py"),
            agent(f"I decided to keep table{turn} in store{turn}, because part {turn} reads it twice."),
        )
    ]


def rewrite(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def log_of(turns: int) -> bytes:
    return claude_log(*talk(turns), session="s")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "s.jsonl"
    append(path, log_of(TURNS))
    return path


@pytest.fixture(autouse=True)
def written_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written down, since its source was not, is tried again half a second later, not three."""
    monkeypatch.setattr("recapd.daemon.ahead.WRITE_AGAIN_S", 0.5)


class Judging:
    """What the process was given to judge, and whether it may go on."""

    def __init__(self) -> None:
        self.scenes: list[int] = []
        self.may_go_on = anyio.Event()
        self.is_dying = False


@pytest.fixture
def judging(monkeypatch: pytest.MonkeyPatch) -> Judging:
    judging = Judging()
    judging.may_go_on.set()
    judge = ParseProcess.judge

    async def watched(self: ParseProcess, scenes: Sequence[Scene]) -> list[tuple[Finding, ...]]:
        await judging.may_go_on.wait()
        judging.scenes += [scene.number for scene in scenes]
        if judging.is_dying:
            raise WorkerDied("killed")
        return await judge(self, scenes)

    monkeypatch.setattr(ParseProcess, "judge", watched)
    return judging


async def recap_now(running: Running) -> RecapGetResult:
    found = await running.ask("recap/get", session=NAMED, force=True, format="full")
    assert isinstance(found, RecapGetResult)
    return found


async def recap_of(running: Running) -> RecapGetResult:
    """Once all is judged, also where that is written down too late for who asked first."""
    await until_judged(running)
    while (found := await recap_now(running)).unjudged_turns:
        await until_judged(running)
    return found


def told(recap: RecapGetResult) -> list[tuple[str, str, str]]:
    return [(each.id, each.text, each.status) for each in recap.recap.decisions]


def told_alone(path: Path) -> list[tuple[str, str, str]]:
    """By a process that judges whatever it is asked about."""
    found = answer(Library([path.parent], environ={}), "recap/get", b'{"format":"full","force":true}')
    assert isinstance(found, RecapGetResult) and found.unjudged_turns == 0
    return told(found)


async def until_judged(running: Running) -> None:
    await running.until_indexed()
    await running.until(lambda: running.daemon.ahead.depth == 0)


async def test_a_recap_says_what_is_known_and_then_that_there_is_more(
    tmp_path: Path, log: Path, judging: Judging
) -> None:
    judging.may_go_on = anyio.Event()
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(log)
        early = await recap_now(running)
        assert early.unjudged_turns == TURNS and not early.recap.decisions
        assert "decisions are still being read" in early.markdown
        assert f"store{TURNS - 1}" in early.markdown, "and what else is known"
        judging.may_go_on.set()
        later = await recap_of(running)
        assert later.unjudged_turns == 0 and "still being read" not in later.markdown
        assert told(later) == told_alone(log)
        assert later.revision > early.revision, "whoever keeps what was told learns that there is more"


async def test_what_was_judged_is_judged_once(tmp_path: Path, log: Path, judging: Judging) -> None:
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(log)
        await until_judged(running)
        assert sorted(judging.scenes) == list(range(TURNS))
        judging.scenes.clear()
        rewrite(log, log_of(TURNS + 1))
        await running.until_equal(log)
        await until_judged(running)
        # The new one, and the two whose outcome it tells.
        assert judging.scenes and min(judging.scenes) >= TURNS - 2
        assert told(await recap_of(running)) == told_alone(log)
    judging.scenes.clear()
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(log)
        assert told(await recap_now(running)) == told_alone(log), "known from before the start, without waiting"
        await until_judged(running)
    assert judging.scenes == []


@pytest.mark.parametrize("turns", [4, TURNS, 100])
@pytest.mark.parametrize("method", ["recap/get", "context/assemble", "decisions/list", "orientation/get"])
async def test_after_a_start_nothing_is_judged_that_was_judged_before(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, method: str, turns: int
) -> None:
    rewrite(log, log_of(turns))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(log)
        await until_judged(running)
    by_askers: list[int] = []

    def counted(scene: Scene) -> list[Candidate]:
        by_askers.append(scene.number)
        return candidates_in(scene)

    monkeypatch.setattr("recapd.core.decisions.find.find.candidates_in", counted)
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        limits = {"maxTokens": 4_000} if method == "context/assemble" else {}
        await running.ask(method, session=NAMED, **limits)
    # The last may still be answered: it is judged when somebody asks.
    assert min(by_askers, default=turns) >= turns - 2


async def test_a_log_that_became_another_is_judged_anew(tmp_path: Path, log: Path, judging: Judging) -> None:
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(log)
        await until_judged(running)
        rewrite(log, claude_log(*talk(TURNS)[60:], session="s"))
        await running.until_equal(log)
        await until_judged(running)
        assert told(await recap_of(running)) == told_alone(log)


async def test_who_has_no_process_judges_in_a_thread(tmp_path: Path, log: Path, judging: Judging) -> None:
    judging.is_dying = True
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(log)
        await until_judged(running)
        assert told(await recap_of(running)) == told_alone(log)
    # Three died, and no more were asked.
    assert len(judging.scenes) <= 3 * SCENES


async def test_no_secret_is_written_down_with_what_was_judged(tmp_path: Path, log: Path) -> None:
    key = "ghp_" + "k3Jx9" * 7 + "a"
    acts = [human(f"Use the key {key} for the deploy from now on"), agent("I decided to keep it in the vault.")]
    rewrite(log, claude_log(*acts, *talk(TURNS), session="s"))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(log)
        await until_judged(running)
        await running.save()
    with closing(sqlite3.connect(tmp_path / "state" / "cache.db")) as db:
        bodies = [body for (body,) in db.execute("SELECT body FROM judged WHERE number >= 0")]
    assert len(bodies) >= TURNS - 1 and not any(key.encode() in body for body in bodies)


async def test_nothing_judged_is_left_of_a_forgotten_session(tmp_path: Path, log: Path) -> None:
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(log)
        await until_judged(running)
        await running.ask("session/forget", session=NAMED)
    with closing(sqlite3.connect(tmp_path / "state" / "cache.db")) as db:
        assert db.execute("SELECT count(*) FROM judged").fetchone() == (0,)


@pytest.mark.parametrize("refused", [0, 2], ids=["written down at once", "written down later"])
async def test_the_recap_of_a_session_at_rest_is_made_once_and_before_anybody_asks(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, refused: int
) -> None:
    """Also where its turn comes again, since what was judged could not be written down before its source was."""
    made: list[int] = []
    tries: list[str] = []
    save = Store.save_judged

    def counted(session: Session, now: str, decisions: DecisionSettings) -> Recap:
        made.append(len(session.main.transcript.turns))
        return recap_so_far(session, now, decisions)

    def refusing(self: Store, source: Source, rows: Sequence[JudgedRow], mark: str) -> Future[bool]:
        tries.append(mark)
        if len(tries) > refused:
            return save(self, source, rows, mark)
        answer: Future[bool] = Future()
        answer.set_result(False)
        return answer

    monkeypatch.setattr(recaps, "recap_so_far", counted)
    monkeypatch.setattr(Store, "save_judged", refusing)
    monkeypatch.setattr("recapd.daemon.ahead.WRITE_AGAIN_S", 0.1)
    # Nobody touched it for long, unless it is now.
    monkeypatch.setattr("recapd.daemon.ahead.RECENT_S", 1e12)
    async with kept_daemon(tmp_path) as running:
        await until_judged(running)
        assert made == [TURNS] and len(tries) > refused
        await recap_now(running)
        assert made == [TURNS]
        append(log, log_of(TURNS + 1)[len(log_of(TURNS)) :])
        await running.until_equal(log)
        await until_judged(running)
        assert made == [TURNS, TURNS + 1]
        found = await recap_now(running)
        assert made == [TURNS, TURNS + 1] and found.recap.stats.turns == TURNS + 1
        assert told(found) == told_alone(log)


async def test_an_old_session_is_told_as_without_a_daemon_once_somebody_asked(tmp_path: Path, log: Path) -> None:
    """What takes long was made of none that nobody came back to, and what was judged needs no more judging."""
    alone = answer(Library([log.parent], environ={}), "recap/get", b'{"format":"full","force":true}')
    assert isinstance(alone, RecapGetResult)
    async with kept_daemon(tmp_path) as running:
        await running.save()
        await until_judged(running)
        before = await recap_now(running)
        await running.until(lambda: running.daemon.ahead.depth == 0)
        found = await recap_of(running)
        assert found.markdown == alone.markdown
        # Whoever keeps what he was told hears that there is more.
        assert found.revision > before.revision
        await running.until(lambda: running.daemon.ahead.depth == 0)
        assert (await recap_now(running)).revision == found.revision


async def test_what_was_judged_before_the_start_is_passed_over(
    tmp_path: Path, judging: Judging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: none is read back from the disk, and none is judged."""
    paths = write_logs(tmp_path / "logs", 40)
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        await running.save()
        await until_judged(running)
    judging.scenes.clear()
    read: list[str] = []
    monkeypatch.setattr(Warm, "whole", lambda self, head: read.append(head.key))
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        await running.until(lambda: len(running.engine.world.members) == 40)
        await until_judged(running)
    assert (judging.scenes, read) == ([], [])


async def test_the_latest_is_judged_first(tmp_path: Path, judging: Judging, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    make = Ahead._make

    async def noted(self: Ahead, session_id: str, process: ParseProcess) -> None:
        order.append(session_id)
        await make(self, session_id, process)

    monkeypatch.setattr(Ahead, "_make", noted)
    folder = tmp_path / "logs"
    folder.mkdir()
    for day in (3, 1, 4, 2):
        log = claude_log(human("Use tabs"), agent("Done."), session=f"s{day}")
        (folder / f"{day}.jsonl").write_bytes(log.replace(b"2026-03-01", f"2026-03-0{day}".encode()))
    judging.may_go_on = anyio.Event()
    async with kept_daemon(tmp_path) as running:
        ahead = running.daemon.ahead
        # One is in hand, whichever was due first; the others are due by now.
        await running.until(
            lambda: len(ahead._waiting) == 3 and max(ahead._waiting.values())[0] <= anyio.current_time() and bool(order)
        )
        judging.may_go_on.set()
        await running.until(lambda: len(order) >= 4)
    assert order[1:4] == sorted(order[1:4], reverse=True)


async def test_sessions_that_were_taken_wait_no_more_though_there_is_always_a_later_one(tmp_path: Path) -> None:
    """Each is hurried before its turn comes: where it stood in line, nothing is left of it."""
    clock = FakeClock()
    async with kept_daemon(tmp_path) as running, BlockingPortal() as portal:
        ahead = Ahead(
            running.daemon.snapshots.take,
            running.engine,
            InMemory(),
            portal=portal,
            is_quiescent=lambda: True,
            clock=clock,
        )
        for number in range(100):
            for name in (f"gone {number}", "at work"):
                ahead._note(name, World(members=Layered({name: Members((), 1)})))
            clock.tick(1)
            assert ahead._next() == f"gone {number}"
            for name in (f"gone {number}", "at work"):
                del ahead._waiting[name]
            assert len(ahead._due) <= 2 * 2
        assert ahead._next() is None and ahead._due == []
