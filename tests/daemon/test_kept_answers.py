"""Whatever happens to sessions, what is kept of answers says what an answer made anew says, byte for byte."""

from __future__ import annotations

import copy
from functools import partial
from pathlib import Path
from random import Random

import anyio
import msgspec
import pytest

from recapd.core.presence import Signal, SignalKind
from recapd.daemon.listing import Listing
from recapd.daemon.snapshot import Snapshot
from recapd.server.methods import Question, answer_question
from recapd.server.rows import Rows
from recapd.server.transport.threads import in_thread
from recapd.wire.errors import RecapError
from recapd.wire.methods import lookup
from recapd.wire.params import decode_params
from recapd.wire.types import DecisionsListResult, RecapGetResult
from tests.support.following import append
from tests.support.kept import Running, kept_daemon
from tests.support.logs import BEGIN, Act, agent, claude_log, edit, human, shell

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]
SESSIONS = 3
STEPS = 14
SIGNALS: tuple[SignalKind, ...] = ("started", "prompt", "permission", "idle", "stopped", "ended")
READERS: tuple[dict[str, object], ...] = ({}, {"consumer": "panel"}, {"consumer": "other", "limit": 2})
LISTS = tuple((method, params) for method in ("session/list", "session/overview") for params in READERS)
PAGES: tuple[dict[str, object], ...] = ({}, {"consumer": "panel"}, {"format": "full"}, {"format": "timeline"})


class StillClock:
    """How a session stands by the clock is not what changes here."""

    def time_ns(self) -> int:
        return int(BEGIN.timestamp() + 600) * 1_000_000_000

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


def talk(number: int, turns: int) -> bytes:
    acts: list[Act] = []
    for turn in range(turns):
        acts += [
            human(f"Use store{turn} for part {number} instead of files"),
            edit(f"/work/part{turn}.py"),
            shell("pytest -q", f"{turn} passed in 0.10s"),
            agent(f"I decided to keep table{turn} in store{turn}. Shall I go on with {number}?"),
        ]
    return claude_log(*acts, session=f"s{number}")


class Walk:
    """A daemon, and what may happen to its sessions, by chance."""

    def __init__(self, running: Running, logs: Path, seed: int) -> None:
        self.running = running
        self.logs = logs
        self.chance = Random(seed)
        self.turns = [2] * SESSIONS

    async def step(self) -> None:
        number = self.chance.randrange(SESSIONS)
        happens = self.chance.choice(
            [self.grow, self.grow, self.acknowledge, self.acknowledge, self.judge, self.signal, self.forget]
        )
        try:
            await happens(number)
        except RecapError:
            # Of a session that was forgotten, most cannot be said.
            session_id = f"claude-code:s{number}"
            await self.running.ask("session/remember", session={"id": session_id})
            # It is read again, which takes its time.
            await self.running.until(lambda: session_id in self.running.engine.world.members)

    async def grow(self, number: int) -> None:
        session_id = f"claude-code:s{number}"
        members = self.running.engine.world.members
        before = members[session_id].revision if session_id in members else None
        data = talk(number, self.turns[number] + 1)
        append(self.logs / f"{number}.jsonl", data[len(talk(number, self.turns[number])) :])
        self.turns[number] += 1
        if before is not None:
            await self.running.until(lambda: self.running.engine.world.members[session_id].revision > before)

    async def acknowledge(self, number: int) -> None:
        found = await self.running.ask("recap/get", session={"id": f"claude-code:s{number}"})
        assert isinstance(found, RecapGetResult)
        reader = self.chance.choice(("panel", "other"))
        await in_thread(lambda: self.running.backend.acknowledge(found.session_id, reader, found.cursor))

    async def judge(self, number: int) -> None:
        session = {"id": f"claude-code:s{number}"}
        found = await self.running.ask("decisions/list", session=session, includeDismissed=True)
        assert isinstance(found, DecisionsListResult)
        for decision in found.decisions[:1]:
            verdict = self.chance.choice(("confirmed", "dismissed", None))
            await self.running.ask("decisions/judge", session=session, id=decision.id, verdict=verdict)

    async def signal(self, number: int) -> None:
        signal = Signal(self.chance.choice(SIGNALS), "2026-03-01T09:09:00.000Z", text="May I run it?")
        await in_thread(lambda: self.running.backend.signal(f"claude-code:s{number}", signal))

    async def forget(self, number: int) -> None:
        await self.running.ask("session/forget", session={"id": f"claude-code:s{number}"})


async def check(running: Running, method: str, params: dict[str, object]) -> None:
    """Once nothing changes meanwhile."""
    raw = msgspec.json.encode(params)
    while True:
        snapshot = running.backend.snapshot()
        kept = await in_thread(partial(told, snapshot, method, raw))
        anew = await in_thread(partial(told, forgetful(snapshot), method, raw))
        if running.backend.snapshot() is snapshot:
            assert kept == anew, (method, params)
            return


def told(service: Snapshot, method: str, raw: bytes) -> bytes:
    row = lookup(method)
    assert row is not None
    params = decode_params(row, raw)
    question = Question(row=row, params=params, raw_params=raw, service=service, answers=service.answers)
    try:
        return msgspec.json.encode(answer_question(question))
    except RecapError as error:
        return msgspec.json.encode(error.to_wire())


def forgetful(snapshot: Snapshot) -> Snapshot:
    """The same world, seen by somebody who was never asked."""
    other = copy.copy(snapshot)
    other.rows, other.answers, other._listing, other._sessions = Rows(), None, Listing(), None
    return other


@pytest.mark.parametrize("seed", range(6))
async def test_what_is_kept_is_what_is_made_anew(tmp_path: Path, seed: int) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(SESSIONS):
        append(logs / f"{number}.jsonl", talk(number, 2))
    async with kept_daemon(tmp_path, clock=StillClock()) as running:
        await running.until_indexed()
        walk = Walk(running, logs, seed)
        for step in range(1, STEPS + 1):
            for method, params in LISTS:
                await check(running, method, params)
            await walk.step()
            if step % (STEPS // 2) == 0:
                await running.until(lambda: running.daemon.ahead.depth == 0)
                for number in range(SESSIONS):
                    named: dict[str, object] = {"session": {"id": f"claude-code:s{number}"}}
                    for how in PAGES:
                        await check(running, "recap/get", named | how)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
