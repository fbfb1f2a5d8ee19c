"""Has processes do what the backlog has for them, and copes with their deaths. What they find is up to the caller."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import anyio

from recapd.daemon.backlog import Backlog, JobPlan
from recapd.daemon.clock import Clock
from recapd.daemon.parse_pool import ParseProcess, WorkerDied
from recapd.daemon.parse_worker import Parsed

log = logging.getLogger(__name__)

# A process that has nothing to do for so long is ended.
IDLE_S = 20.0
# So many processes in a row that died without a result: something here does not let them live.
MAX_DEATHS = 3


class Indexer:
    """Runs jobs, one process for each task that calls `run`."""

    def __init__(
        self,
        backlog: Backlog,
        *,
        clock: Clock,
        wait_for_work: Callable[[], Awaitable[None]],
        on_parsed: Callable[[str, Parsed, JobPlan], None],
        on_failed: Callable[[str], None],
    ) -> None:
        self._backlog = backlog
        self._clock = clock
        self._wait_for_work = wait_for_work
        self._on_parsed = on_parsed
        self._on_failed = on_failed
        self._deaths = 0
        self._processes: list[ParseProcess] = []

    @property
    def pids(self) -> tuple[int, ...]:
        return tuple(process.pid for process in self._processes if process.pid is not None)

    async def run(self) -> None:
        """Until cancelled."""
        process = ParseProcess()
        self._processes.append(process)
        try:
            while True:
                job = self._backlog.next_job()
                if job is not None:
                    await self._run_job(process, job)
                    continue
                with anyio.move_on_after(IDLE_S if process.pid is not None else None) as patience:
                    await self._wait_for_work()
                if patience.cancelled_caught:
                    await process.close()
        finally:
            await process.kill()

    async def _run_job(self, process: ParseProcess, job: JobPlan) -> None:
        left = dict.fromkeys(job.paths)

        def on_parsed(parsed: Parsed) -> None:
            path = job.paths[parsed.number]
            del left[path]
            self._deaths = 0
            self._on_parsed(path, parsed, job)

        try:
            await process.parse(job.paths, now_ns=self._clock.time_ns(), head_bytes=job.head_bytes, on_parsed=on_parsed)
        except WorkerDied as error:
            self._deaths += 1
            log.warning("worker died", extra={"reason": str(error), "left": len(left), "deaths": self._deaths})
            # Whatever it died of, the file it was reading is the likeliest cause.
            for suspect in list(left)[:1]:
                del left[suspect]
                self._on_failed(suspect)
            self._backlog.give_back(left)
            if self._deaths >= MAX_DEATHS:
                self._backlog.read_all_here()
