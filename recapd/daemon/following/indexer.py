"""Has processes do what the backlog has for them, and copes with their deaths. What they find is up to the caller.

backlog ─▶ jobs: files to read ─────────────────────────┐
saver ───▶ sources whose rows are to be made, in between ┴─▶ a process
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable

import anyio

from recapd.core.state import Source
from recapd.daemon.clock import Clock
from recapd.daemon.encoding import SourceRows
from recapd.daemon.following.backlog import Backlog, JobPlan
from recapd.daemon.following.parse_pool import ParseProcess, WorkerDied
from recapd.daemon.parse_worker import Parsed

log = logging.getLogger(__name__)

# A process that has nothing to do for so long is ended.
IDLE_S = 20.0
# So many processes in a row that died without a result: something here does not let them live.
MAX_DEATHS = 3
# While there are files to read, making rows gets this share of a process's time: what is read must also be written
# some day, or it would all stay in memory.
ROWS_SHARE = 0.25
# However long nobody wanted rows, reading does not wait longer than this for them.
MAX_CREDIT_S = 0.2


class _Order:
    """Somebody waits for the rows of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.rows: SourceRows | None = None
        self.done = anyio.Event()


class Indexer:
    """Runs jobs, one process for each task that calls `run`."""

    def __init__(
        self,
        backlog: Backlog,
        *,
        clock: Clock,
        wait_for_work: Callable[[], Awaitable[None]],
        wake: Callable[[], None],
        on_parsed: Callable[[str, Parsed, JobPlan], None],
        on_failed: Callable[[str], None],
    ) -> None:
        self._backlog = backlog
        self._clock = clock
        self._wait_for_work = wait_for_work
        self._wake = wake
        self._on_parsed = on_parsed
        self._on_failed = on_failed
        self._deaths = 0
        self._processes: list[ParseProcess] = []
        self._orders: deque[_Order] = deque()
        # For how long rows may be made before the next file is read.
        self._credit_s = 0.0

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self._processes if process.pid is not None)

    async def rows_of(self, source: Source) -> SourceRows | None:
        """All that is to be written of a source, made by a process between its jobs; None where there is no process."""
        if not self._processes or not self._backlog.has_processes:
            return None
        order = _Order(source)
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
                if self._orders and self._credit_s > 0:
                    self._credit_s -= await self._make_rows(process)
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
            order.rows = await process.rows_of(order.source)
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
