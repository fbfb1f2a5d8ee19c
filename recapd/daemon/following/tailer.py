"""Keeps the world told of every log below the roots: the first reading of everything, then whatever changes.

    watch ─hints─▶ look (scan, in a thread) ─▶ backlog ─▶ follow: advance, in a thread ─▶ on_batch
                                                      └─▶ index: a process               ─▶ on_batch, adopted

All callbacks are made on the loop and must not wait. Knows nothing of sessions; what a batch means is up to the fold.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import anyio
import anyio.to_thread

from recapd.core.state import Source
from recapd.daemon.clock import Clock, SystemClock
from recapd.daemon.encoding import SourceRows
from recapd.daemon.following.backlog import Backlog, JobPlan
from recapd.daemon.following.indexer import Indexer
from recapd.daemon.following.known_files import Files, RootProgress
from recapd.daemon.following.listener import Listener, Teller
from recapd.daemon.following.looks import Looks
from recapd.daemon.following.outcomes import Outcomes
from recapd.daemon.following.watch import Hints, Pace, RootState, Watch, outermost
from recapd.daemon.log_files import DEFAULT_EXCLUSIONS, Root, Scan, TailState, advance, folder_prefix, scan
from recapd.daemon.parse_worker import Parsed
from recapd.server.backend import Indexing

# Parsing this much takes half a millisecond, folding it on the loop a quarter; one slice in a hundred takes ten times
# as long. With slices of four times the size all is read a quarter faster, but the worst take twice as long.
SLICE_BYTES = 1 << 16
# What has to be read from zero and is larger is read by a process.
WHOLE_BYTES = 1 << 20
# The same while many files wait, which may have come one by one: a folder that is copied, say.
SMALL_BYTES = 1 << 15
# One that reads and one that waits for the disk.
FOLLOWERS = 2
# More new files than this at once are a first reading: counted, and read in its order.
FEW_FILES = 16


class Tailer:
    """All logs below the roots. Made on the loop, `run` in a task; everything else is called on the loop."""

    def __init__(
        self,
        roots: Iterable[Root],
        listener: Listener,
        *,
        clock: Clock | None = None,
        pace: Pace | None = None,
        processes: int = 1,
        exclusions: Sequence[str] = DEFAULT_EXCLUSIONS,
    ) -> None:
        self._teller = Teller(listener)
        self._clock = clock or SystemClock()
        self._watch = Watch(
            send=self._take_hints,
            on_state=listener.on_status,
            hot_folders=lambda: self._files.hot_folders(now_ns=self._clock.time_ns()),
            clock=self._clock,
            pace=pace or Pace(),
            exclusions=exclusions,
        )
        self._watch.add(roots)
        self._processes = processes
        self._backlog = Backlog(has_processes=processes > 0)
        self._indexer = Indexer(
            self._backlog,
            clock=self._clock,
            wait_for_work=self._wait,
            wake=self._wake,
            on_parsed=self._adopt,
            on_failed=self._read_in_slices,
        )
        self._files = Files()
        self.looks = Looks()
        self._outcomes = Outcomes(self._files, self._backlog, self._teller, self._clock)
        self._folders: set[str] = set()
        # There were more hints than can wait: look everywhere once those that wait are done.
        self._has_overflowed = False
        self._has_looked = False
        self._has_settled = False
        self._work = anyio.Event()

    async def run(self) -> None:
        """Until cancelled."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch.run)
            group.start_soon(self._look)
            for _ in range(FOLLOWERS):
                group.start_soon(self._follow)
            for _ in range(self._processes):
                group.start_soon(self._indexer.run)

    def restore(self, states: Mapping[str, TailState]) -> None:
        """How far files were read before the start. Before `run`."""
        self._outcomes.restore(states)

    # ---- what others ask

    def indexing(self) -> Indexing:
        backlog = self._backlog
        # The first time all has to be read, also what came as news; after that news is read as it comes.
        self._has_settled = self._has_settled or (self._has_looked and backlog.is_empty)
        return Indexing(backlog.done, backlog.total, self._has_settled and backlog.done == backlog.total)

    def roots(self) -> tuple[RootProgress, ...]:
        return tuple(self._files.progress_of(watched) for watched in self._watch.states())

    def watched(self) -> tuple[RootState, ...]:
        return self._watch.states()

    def files(self) -> Iterator[tuple[str, TailState]]:
        """Every file that was looked at, also those that are no logs: `refusal` says why."""
        return iter(self._files)

    @property
    def queue_depth(self) -> int:
        """Changed files that wait to be read."""
        return self._backlog.depth

    @property
    def worker_pids(self) -> tuple[int, ...]:
        return self._indexer.pids

    async def rows_of(self, source: Source) -> SourceRows | None:
        """What is to be written of a source, made by the process that reads; None where there is none."""
        return await self._indexer.rows_of(source)

    def add_roots(self, roots: Iterable[Root]) -> None:
        self._watch.add(roots)

    def exclude(self, exclusions: Sequence[str]) -> None:
        """What is excluded from now on: forgotten if it was known, and read if it is excluded no longer."""
        self._watch.exclude(exclusions)
        for path in [path for path, _ in self._files if not self._watch.is_wanted(path)]:
            self._outcomes.forget(path, is_gone=False)
        self._take_hints(Hints(folders=frozenset(self._watch.real_roots())))

    def pause(self, folder: str) -> None:
        """Read nothing below the folder any more; what is known stays."""
        self._outcomes.paused |= {folder_prefix(os.path.realpath(folder))}

    def unpause(self, folder: str) -> None:
        self._outcomes.paused -= {folder_prefix(os.path.realpath(folder))}
        self._take_hints(Hints(folders=frozenset((os.path.realpath(folder),))))

    def skip(self, paths: Iterable[str]) -> None:
        """Forget these files, and read them no more."""
        self._outcomes.skip(paths)

    def unskip(self, paths: Sequence[str]) -> None:
        self._outcomes.unskip(paths)
        for path in paths:
            self._hint(path)
        self._wake()

    def read_again(self, path: str) -> None:
        """Read a file from zero: what is known of it cannot be gone on from, or is lost."""
        self._outcomes.mark_void(path)
        self._hint(path)
        self._wake()

    def state_of(self, path: str) -> TailState | None:
        return self._files.get(path)

    # ---- what to read

    def _take_hints(self, hints: Hints) -> None:
        self._folders |= hints.folders
        for path in hints.files:
            self._hint(path)
        if not self._watch.real_roots():
            self._has_looked = True
            self._tell_progress()
        self._wake()

    def _hint(self, path: str) -> None:
        if self._outcomes.is_broken(path) or self._outcomes.is_passed_over(path):
            return
        self._has_overflowed = not self._backlog.hint(path) or self._has_overflowed

    async def _look(self) -> None:
        while True:
            while not self._folders:
                await self._wait()
            folders, self._folders = outermost(self._folders), set()
            is_everything = folders == self._watch.real_roots()
            compare = partial(scan, folders, self._files.stamps(), is_wanted=self._watch.is_wanted)
            found = await anyio.to_thread.run_sync(compare)
            self._sort(found)
            self.looks.note(
                found,
                self._files.get,
                is_left_out=self._is_left_out,
                is_everything=is_everything,
                now_ns=self._clock.time_ns(),
            )
            self._has_looked = self._has_looked or is_everything
            self._tell_progress()
            self._wake()

    def _is_left_out(self, path: str) -> bool:
        """Not to be read, or waiting for its first reading with all the others."""
        return self._backlog.is_unread(path) or self._outcomes.is_passed_over(path)

    def _sort(self, found: Scan) -> None:
        self._outcomes.prove(found, self._watch.is_wanted)
        changed = [path for path in found.changed if not self._is_left_out(path)]
        new = {path: found.files[path].size for path in changed if path not in self._files and path in found.files}
        if len(new) > FEW_FILES or sum(new.values()) > WHOLE_BYTES:
            self._backlog.index(new)
            changed = [path for path in changed if path not in new]
        # What is only to be made sure of must not take the place of what is news.
        for path in sorted(changed, key=lambda path: self._files.is_stamped(path, found.files.get(path))):
            self._hint(path)

    # ---- reading here

    async def _follow(self) -> None:
        while True:
            path = self._backlog.next_hot()
            if path is None:
                if self._has_overflowed:
                    self._has_overflowed = False
                    self._take_hints(Hints(folders=frozenset(self._watch.real_roots())))
                await self._wait()
                continue
            try:
                step = await anyio.to_thread.run_sync(
                    partial(
                        advance,
                        self._files.get(path),
                        path,
                        max_bytes=SLICE_BYTES,
                        max_whole=self._max_whole(path),
                        now_ns=self._clock.time_ns(),
                    )
                )
            except Exception as error:
                step = self._outcomes.give_up(path, error)
            self._outcomes.judge(path, step)
            if await self._teller.can_continue(step.batches):
                self._outcomes.apply(path, step)
            else:
                self.read_again(path)
                self._backlog.finish(path, is_whole=False)
            self._tell_progress()
            self._wake()

    def _max_whole(self, path: str) -> int | None:
        """How much of the file may be read from zero here; None where it has to be, whatever its size."""
        if not self._backlog.has_processes or path in self._outcomes.read_here:
            return None
        return SMALL_BYTES if self._backlog.depth > FEW_FILES else WHOLE_BYTES

    # ---- reading elsewhere

    def _adopt(self, path: str, parsed: Parsed, job: JobPlan) -> None:
        self._outcomes.adopt(path, parsed, job)
        self._tell_progress()
        self._wake()

    def _read_in_slices(self, path: str) -> None:
        self._outcomes.read_in_slices(path)
        self._wake()

    # ---- telling

    def _tell_progress(self) -> None:
        self._teller.indexing(self.indexing())

    async def _wait(self) -> None:
        await self._work.wait()

    def _wake(self) -> None:
        self._work.set()
        self._work = anyio.Event()
