"""Days of work in a minute: what is held after the first hours is all that is ever held."""

from __future__ import annotations

import gc
import os
import sys
import threading
from functools import partial
from pathlib import Path
from statistics import mean

import anyio.to_thread
import pytest
from msgspec import Struct

from recapd.daemon import app, snapshots
from recapd.daemon.hub import Hub
from recapd.daemon.memories import Memories
from recapd.wire.types import RecapSubscribeParams, SubscriptionSelector
from tests.support.following import append, set_mtime
from tests.support.logs import Act, agent, claude_log, edit, human, shell
from tests.support.ticking import Ticking, ticking_daemon

pytestmark = [pytest.mark.anyio, pytest.mark.faults, pytest.mark.timeout(600)]

STEP_S = 300
STEPS_PER_HOUR = 3600 // STEP_S
# Sessions at a time. Every half hour one begins and the oldest is deleted, so that none gets older than two hours.
SESSIONS = 4
LIFE_STEPS = STEPS_PER_HOUR // 2
# The end of a line that an agent is in the middle of writing.
REST_BYTES = 40
# Memory at the end of the simulation against memory once it is steady.
FLAT = 1.015


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Work:
    """Logs that agents write to, step by step."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._acts: dict[str, list[Act]] = {}
        self._rests: dict[str, bytes] = {}
        self.step = 0
        self.begun = 0
        for _ in range(SESSIONS):
            self._begin()

    @property
    def logs(self) -> list[Path]:
        return [self._path(name) for name in self._acts]

    def go_on(self, now_ns: int) -> None:
        """Five minutes of work."""
        self.step += 1
        for number, name in enumerate(list(self._acts)):
            if self.step % LIFE_STEPS == 0 and number == 0:
                self._path(name).unlink()
                self._rests.pop(name, None)
                del self._acts[name]
                self._begin()
            elif self.step % LIFE_STEPS == 3 and number == 1:
                # Rewound: the file is written anew, and shorter.
                self._acts[name] = self._acts[name][:-3] or self._exchange()
                self._rests.pop(name, None)
                self._path(name).write_bytes(self._log(name))
            else:
                self._append(name)
        for log in self.logs:
            set_mtime(log, now_ns)

    def finish_lines(self) -> None:
        for name, rest in self._rests.items():
            append(self._path(name), rest)
        self._rests.clear()

    def _append(self, name: str) -> None:
        before = len(self._log(name))
        self._acts[name] += self._exchange()
        news = self._rests.pop(name, b"") + self._log(name)[before:]
        if (self.step + len(self._acts[name])) % 4 == 0:
            news, self._rests[name] = news[:-REST_BYTES], news[-REST_BYTES:]
        append(self._path(name), news)

    def _begin(self) -> None:
        name = f"talk-{self.begun:05}"
        self.begun += 1
        self._acts[name] = self._exchange()
        self._path(name).write_bytes(self._log(name))

    def _exchange(self) -> list[Act]:
        # The same few texts again and again, or caches of what was made of texts would fill up for days.
        step = self.step % 24
        return [
            human(f"Now do part {step} of the plan, and mind the tests"),
            edit(f"/home/dev/shop/part{step % 7}.py"),
            shell("pytest -q", f"{step} passed"),
            agent(f"Part {step} is done, and the tests pass. I decided to keep it simple. " * 5),
        ]

    def _log(self, name: str) -> bytes:
        return claude_log(*self._acts[name], session=name)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jsonl"


class Held(Struct, frozen=True):
    """What the process holds at the end of an hour."""

    # Pieces of memory that Python holds, whatever is in them.
    blocks: int
    objects: int
    descriptors: int
    threads: int
    counts: dict[str, int]


def held(daemon: Ticking) -> Held:
    gc.collect()
    counts = {
        f"{type(part).__name__}.{name}": len(value)
        for part in parts_of(daemon)
        for name, value in vars(part).items()
        if isinstance(value, dict | list | set | frozenset | tuple)
    }
    sources = daemon.engine.world.sources.values()
    counts |= {"sources": len(sources), "whole sources": sum(not source.is_cold for source in sources)}
    return Held(
        sys.getallocatedblocks(),
        len(gc.get_objects()),
        len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0,
        threading.active_count(),
        counts,
    )


def parts_of(daemon: Ticking) -> list[object]:
    """Everything that lives as long as the daemon and holds something."""
    whole = daemon.running.daemon
    found = [whole, *vars(whole).values()]
    found += [vars(whole.tailer)[name] for name in ("_files", "_backlog", "_watch", "_indexer", "looks")]
    kept = ("_answers", "_indexes", "_memories", "_recaps", "_rows", "_listing", "_elsewhere", "_unfinished")
    found += [vars(whole.snapshots)[name] for name in kept]
    found += vars(whole.keeping).values()
    return [part for part in found if hasattr(part, "__dict__")]


async def work_for(daemon: Ticking, work: Work, *, hours: int) -> list[Held]:
    hub = daemon.running.daemon.hub
    prompt, slow = hub.open_mailbox(), hub.open_mailbox()
    for mailbox in (prompt, slow):
        everything = RecapSubscribeParams(subscription_id="all", selector=SubscriptionSelector(all=True))
        hub.subscribe(mailbox, everything)
    marks = []
    for _ in range(hours):
        for step in range(STEPS_PER_HOUR):
            await anyio.to_thread.run_sync(work.go_on, daemon.clock.time_ns())
            await daemon.pass_time(STEP_S, step_s=STEP_S)
            await daemon.running.until(lambda: is_read(daemon, work))
            prompt.take()
            if step % 2 == 0:
                for log in work.logs:
                    await daemon.running.ask("recap/get", session={"log": str(log)})
                await daemon.running.ask("session/list")
                daemon.status()
        marks.append(held(daemon))
    return marks


def is_read(daemon: Ticking, work: Work) -> bool:
    tailer = daemon.running.daemon.tailer
    states = [tailer.state_of(str(log)) for log in work.logs]
    return all(
        state is not None and state.end == log.stat().st_size for state, log in zip(states, work.logs, strict=True)
    )


@pytest.mark.parametrize(
    ("store", "hours", "steady"),
    [
        # Nothing is kept of a deleted log: all is steady once no session is older and the answers kept are as many
        # as ever.
        ("enabled = false", 24, 7),
        # A day of deleted logs is kept, so it takes a day.
        ("keep_days = 1\nmemory_mb = 1", 36, 26),
    ],
    ids=["a day in memory", "more than a day with a store"],
)
async def test_nothing_grows_with_time(
    store: str, hours: int, steady: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    await anyio.to_thread.run_sync(config.write_text, f"[store]\n{store}\n")
    monkeypatch.setenv("RECAPD_CONFIG", str(config))
    folder = tmp_path / "logs"
    await anyio.to_thread.run_sync(folder.mkdir)
    work = Work(folder)
    # As many as are remembered by default take weeks to come together.
    monkeypatch.setattr(app, "Hub", partial(Hub, max_remembered=2 * SESSIONS))
    monkeypatch.setattr(snapshots, "Memories", partial(Memories, most_sessions=2 * SESSIONS))
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        await daemon.running.until_indexed()
        marks = await work_for(daemon, work, hours=hours)
        work.finish_lines()
        await daemon.pass_time(STEP_S, step_s=STEP_S)
        await daemon.running.until(lambda: is_read(daemon, work))
        await daemon.running.until(lambda: daemon.status().health == "ok")
        sessions = {source.transcript.native_id for source in daemon.running.shown().values()}
    assert work.begun == SESSIONS + 2 * hours and len(sessions) == SESSIONS
    before, after = marks[steady : steady + 4], marks[-4:]
    for name in marks[-1].counts:
        if name.startswith(("Ahead.", "Backlog.")):
            # They go by the real time, of which hardly any passes here: all sessions may wait, but no others.
            assert most(after, name) <= 2 * most(after, "sources"), name
            continue
        # How many wait at the moment of counting is chance; what grows by one for each session is not.
        assert most(after, name) <= most(before, name) + SESSIONS, name
    assert mean(mark.blocks for mark in after) <= FLAT * mean(mark.blocks for mark in before)
    assert mean(mark.objects for mark in after) <= FLAT * mean(mark.objects for mark in before) + 200
    assert max(mark.descriptors for mark in after) <= max(mark.descriptors for mark in before) + 2
    assert max(mark.threads for mark in after) <= max(mark.threads for mark in before) + 1
    # Also what is bounded is little beside the whole, from the second hour on.
    assert marks[-1].blocks <= 1.1 * marks[1].blocks


def most(marks: list[Held], name: str) -> int:
    return max(mark.counts.get(name, 0) for mark in marks)
