"""Has processes do what the backlog has for them, and copes with their deaths. What they find is up to the caller.

backlog ─▶ jobs: files to read ─────────────────────────┐
saver ───▶ sources whose rows are to be made, in between ┴─▶ a process
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import anyio
import msgspec
from anyio.abc import Process

import recapd
from recapd.core.decisions import Finding, Scene
from recapd.daemon.clock import WallClock
from recapd.daemon.encoding import SourceRows
from recapd.daemon.following.backlog import Backlog, JobPlan
from recapd.daemon.parse_worker import LENGTH_BYTES, NICENESS, Job, JudgeJob, Parsed, RowsJob
from recapd.server.threads import NoThread

log = logging.getLogger(__name__)

# A process that has nothing to do for so long is ended.
IDLE_S = 20.0
# So many processes in a row that died without a result: something here does not let them live.
MAX_DEATHS = 3
# While there are files to read, making rows gets this share of a process's time, until so much waits to be written
# that they come first.
ROWS_SHARE = 0.05
# However long nobody wanted rows, reading does not wait longer than this for them.
MAX_CREDIT_S = 0.2
# What waits to be written is on its way to the disk, and nothing is left to do but to wait for it.
FULL_S = 0.05
# A transcript takes a few percent of its log; a result of this size is not one.
MAX_RESULT_BYTES = 1 << 30
# A process that does not end by itself when its stdin closes is stuck.
END_WITHIN_S = 2.0
# Looking for garbage among what is imported takes an eighth of the time, and there is none: the collector is off from
# the beginning.
_WORKER = "import gc; gc.disable(); from recapd.daemon.parse_worker import main; main()"

_decode = msgspec.msgpack.Decoder(Parsed).decode
_decode_rows: Callable[[bytes], SourceRows | None] = msgspec.msgpack.Decoder(SourceRows | None).decode


_decode_judged = msgspec.msgpack.Decoder(list[tuple[Finding, ...]]).decode


class WorkerDied(Exception):
    """The process ended before the job did."""


class ParseProcess:
    """A process that works for the daemon: started when needed, ended when idle, expendable. One job at a time."""

    def __init__(self, niceness: int = NICENESS) -> None:
        self._niceness = niceness
        self._process: Process | None = None
        self._received = bytearray()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def parse(
        self, paths: Sequence[str], *, now_ns: int, on_parsed: Callable[[Parsed], None], head_bytes: int = 0
    ) -> None:
        """Hand over the files as they get ready, in order. WorkerDied where the process ends before the job does.

        Being cancelled costs the process: what it would still send belongs to nobody.
        """
        job = Job(tuple(os.fsencode(path) for path in paths), now_ns, head_bytes)
        await self._run(msgspec.msgpack.encode(job), lambda result: on_parsed(_decode(result)))

    async def rows_of(self, bodies: Sequence[bytes]) -> list[SourceRows | None]:
        """All that is to be written of each source; None where that cannot be said there. WorkerDied as for `parse`."""
        found: list[SourceRows | None] = []
        job = RowsJob(tuple(bodies))
        await self._run(msgspec.msgpack.encode(job), lambda result: found.append(_decode_rows(result)))
        return found

    async def judge(self, scenes: Sequence[Scene]) -> list[tuple[Finding, ...]]:
        """The decisions in each. WorkerDied as for `parse`, and where a scene is of no use there."""
        try:
            body = msgspec.msgpack.encode(JudgeJob(msgspec.msgpack.encode(scenes)))
        except ValueError:
            # Half a character somewhere in it.
            raise WorkerDied("it cannot be told of them") from None
        found: list[tuple[Finding, ...]] = []
        await self._run(body, lambda result: found.extend(_decode_judged(result)))
        return found

    async def _run(self, body: bytes, on_result: Callable[[bytes], None]) -> None:
        is_done = False
        try:
            process = self._process or await self._start()
            assert process.stdin is not None
            await process.stdin.send(len(body).to_bytes(LENGTH_BYTES, "big") + body)
            while result := await self._receive(int.from_bytes(await self._receive(LENGTH_BYTES), "big")):
                on_result(result)
            is_done = True
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError, NoThread) as error:
            raise WorkerDied(type(error).__name__) from None
        except msgspec.DecodeError:
            raise WorkerDied("its answer makes no sense") from None
        finally:
            if not is_done:
                await self.kill()

    async def close(self) -> None:
        """End the process by closing its stdin."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        try:
            with anyio.move_on_after(END_WITHIN_S):
                await process.stdin.aclose()
                await process.wait()
        finally:
            await self.kill()

    async def kill(self) -> None:
        process, self._process = self._process, None
        self._received.clear()
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        # Must finish, and does at once unless it waits for a dead disk: a killed process that nobody waits for stays
        # in the table.
        with anyio.move_on_after(END_WITHIN_S, shield=True):
            await process.aclose()

    async def _start(self) -> Process:
        package_parent = str(Path(recapd.__file__).parent.parent)
        inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        # Only what means the same everywhere, and -P: the folder we happen to be in must not lend its modules.
        search = os.pathsep.join((package_parent, *(folder for folder in inherited if os.path.isabs(folder))))
        try:
            self._process = await anyio.open_process(
                [sys.executable, "-P", "-c", _WORKER, str(self._niceness)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None,
                env={**os.environ, "PYTHONPATH": search},
            )
        except RuntimeError:
            # Before Python 3.12 a thread waits for its end.
            raise NoThread from None
        return self._process

    async def _receive(self, length: int) -> bytes:
        if length > MAX_RESULT_BYTES:
            raise WorkerDied("its answer is too long")
        process = self._process
        if process is None or process.stdout is None:
            raise WorkerDied("it is gone")
        while len(self._received) < length:
            self._received += await process.stdout.receive(1 << 18)
        data = bytes(self._received[:length])
        del self._received[:length]
        return data


class _Order:
    """Somebody waits for the rows of sources."""

    def __init__(self, bodies: Sequence[bytes]) -> None:
        self.bodies = bodies
        self.rows: list[SourceRows | None] = []
        self.done = anyio.Event()


class Indexer:
    """Runs jobs, one process for each task that calls `run`."""

    def __init__(
        self,
        backlog: Backlog,
        *,
        clock: WallClock,
        wait_for_work: Callable[[], Awaitable[None]],
        wake: Callable[[], None],
        on_parsed: Callable[[str, Parsed, JobPlan], None],
        on_failed: Callable[[str], None],
        is_full: Callable[[], bool],
    ) -> None:
        """`is_full`: so much waits to be written that nothing more is to be read."""
        self._backlog = backlog
        self._clock = clock
        self._wait_for_work = wait_for_work
        self._wake = wake
        self._on_parsed = on_parsed
        self._on_failed = on_failed
        self._is_full = is_full
        self._deaths = 0
        self._processes: list[ParseProcess] = []
        self._orders: deque[_Order] = deque()
        # For how long rows may be made before the next file is read.
        self._credit_s = 0.0

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self._processes if process.pid is not None)

    async def rows_of(self, bodies: Sequence[bytes]) -> list[SourceRows | None]:
        """All that is to be written of each source, made by a process between its jobs; nothing where there is none."""
        if not self._processes or not self._backlog.has_processes:
            return []
        order = _Order(bodies)
        self._orders.append(order)
        self._wake()
        try:
            await order.done.wait()
        finally:
            if order in self._orders:
                self._orders.remove(order)
        return order.rows

    async def run(self) -> None:
        """Until cancelled."""
        process = ParseProcess()
        self._processes.append(process)
        try:
            while True:
                is_full = self._is_full()
                if self._orders and (is_full or self._credit_s > 0):
                    self._credit_s = max(self._credit_s - await self._make_rows(process), -MAX_CREDIT_S)
                elif is_full:
                    with anyio.move_on_after(FULL_S):
                        await self._wait_for_work()
                elif (job := self._backlog.next_job()) is not None:
                    took_s = await self._run_job(process, job)
                    self._credit_s = min(self._credit_s + took_s * ROWS_SHARE, MAX_CREDIT_S)
                elif self._orders:
                    await self._make_rows(process)
                else:
                    with anyio.move_on_after(IDLE_S if process.pid is not None else None) as patience:
                        await self._wait_for_work()
                    if patience.cancelled_caught:
                        await process.close()
        finally:
            self._processes.remove(process)
            if not self._processes:
                for order in self._orders:
                    order.done.set()
            await process.kill()

    async def _make_rows(self, process: ParseProcess) -> float:
        """What was ordered first; how long it took."""
        order = self._orders.popleft()
        began = anyio.current_time()
        try:
            order.rows = await process.rows_of(order.bodies)
            self._deaths = 0
        except WorkerDied as error:
            self._died(error, left=len(self._orders))
        finally:
            order.done.set()
        return anyio.current_time() - began

    async def _run_job(self, process: ParseProcess, job: JobPlan) -> float:
        """How long it took."""
        left = dict.fromkeys(job.paths)
        began = anyio.current_time()

        def on_parsed(parsed: Parsed) -> None:
            path = job.paths[parsed.number]
            del left[path]
            self._deaths = 0
            self._on_parsed(path, parsed, job)

        try:
            await process.parse(job.paths, now_ns=self._clock.time_ns(), head_bytes=job.head_bytes, on_parsed=on_parsed)
        except WorkerDied as error:
            # Whatever it died of, the file it was reading is the likeliest cause.
            for suspect in list(left)[:1]:
                del left[suspect]
                self._on_failed(suspect)
            self._backlog.give_back(left)
            self._died(error, left=len(left))
        return anyio.current_time() - began

    def _died(self, error: WorkerDied, *, left: int) -> None:
        self._deaths += 1
        log.warning("worker died", extra={"reason": str(error), "left": left, "deaths": self._deaths})
        if self._deaths >= MAX_DEATHS:
            self._backlog.read_all_here()
