"""Keeps the world told of every log below the roots: the first reading of everything, then whatever changes.

    watch ─hints─▶ look (scan, in a thread) ─▶ backlog ─▶ follow: advance, in a thread ─▶ on_batch
                                                      └─▶ index: a process               ─▶ on_batch, adopted

All callbacks are made on the loop and must not wait. Knows nothing of sessions; what a batch means is up to the fold.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread

from recapd.daemon.backlog import Backlog, JobPlan
from recapd.daemon.clock import Clock, SystemClock
from recapd.daemon.formats import known_formats
from recapd.daemon.indexer import Indexer
from recapd.daemon.parse_worker import Parsed
from recapd.daemon.roots import Root
from recapd.daemon.scan import DEFAULT_EXCLUSIONS, Scan, Stamp, folder_prefix, scan
from recapd.daemon.tail import advance
from recapd.daemon.tail_files import Files, RootProgress
from recapd.daemon.tail_listener import Listener, Teller
from recapd.daemon.tail_state import Advance, TailState
from recapd.daemon.watch import Hints, Pace, Watch, outermost
from recapd.server.backend import Indexing

log = logging.getLogger(__name__)

# Parsing this much takes about two milliseconds, folding it on the loop less.
SLICE_BYTES = 1 << 18
# What has to be read from zero and is larger is read by a process.
WHOLE_BYTES = 1 << 20
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
            on_parsed=self._adopt,
            on_failed=self._read_in_slices,
        )
        self._files = Files()
        self._folders: set[str] = set()
        self._paused: frozenset[str] = frozenset()
        # Files that cost a process its life, or that it could not read: read here, in slices.
        self._read_here: set[str] = set()
        # Files that a fault of recapd's own keeps from being read.
        self._broken: set[str] = set()
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

    # ---- what others ask

    def indexing(self) -> Indexing:
        backlog = self._backlog
        # The first time all has to be read, also what came as news; after that news is read as it comes.
        self._has_settled = self._has_settled or (self._has_looked and backlog.is_empty)
        return Indexing(backlog.done, backlog.total, self._has_settled and backlog.done == backlog.total)

    def roots(self) -> tuple[RootProgress, ...]:
        return tuple(self._files.progress_of(watched) for watched in self._watch.states())

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

    def add_roots(self, roots: Iterable[Root]) -> None:
        self._watch.add(roots)

    def exclude(self, exclusions: Sequence[str]) -> None:
        """What is excluded from now on: forgotten if it was known, and read if it is excluded no longer."""
        self._watch.exclude(exclusions)
        for path in [path for path, _ in self._files if not self._watch.is_wanted(path)]:
            self._forget(path)
        self._take_hints(Hints(folders=frozenset(self._watch.real_roots())))

    def pause(self, folder: str) -> None:
        """Read nothing below the folder any more; what is known stays."""
        self._paused |= {folder_prefix(os.path.realpath(folder))}

    def unpause(self, folder: str) -> None:
        self._paused -= {folder_prefix(os.path.realpath(folder))}
        self._take_hints(Hints(folders=frozenset((os.path.realpath(folder),))))

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
        if path in self._broken or path.startswith(tuple(self._paused)):
            return
        self._has_overflowed = not self._backlog.hint(path) or self._has_overflowed

    async def _look(self) -> None:
        while True:
            while not self._folders:
                await self._wait()
            folders, self._folders = outermost(self._folders), set()
            is_everything = folders == self._watch.real_roots()
            compare = partial(scan, folders, self._files.stamps(), is_wanted=self._watch.is_wanted)
            self._sort(await anyio.to_thread.run_sync(compare))
            self._has_looked = self._has_looked or is_everything
            self._tell_progress()
            self._wake()

    def _sort(self, found: Scan) -> None:
        paused = tuple(self._paused)
        changed = [path for path in found.changed if not self._backlog.is_unread(path) and not path.startswith(paused)]
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
            may_hand_over = self._backlog.has_processes and path not in self._read_here
            try:
                step = await anyio.to_thread.run_sync(
                    partial(
                        advance,
                        self._files.get(path),
                        path,
                        max_bytes=SLICE_BYTES,
                        max_whole=WHOLE_BYTES if may_hand_over else None,
                        now_ns=self._clock.time_ns(),
                    )
                )
            except Exception as error:
                step = self._given_up(path, error)
            self._apply(path, step)
            self._tell_progress()
            self._wake()

    def _given_up(self, path: str, error: Exception) -> Advance:
        """Parsing never raises; if it does, one log is lost and not all of them."""
        log.error("fault while reading a log", extra={"error": type(error).__name__})
        self._broken.add(path)
        known = self._files.get(path) or TailState(Path(path).as_uri(), Stamp(0, 0, 0, 0), refusal="made recapd fail")
        return Advance("unsure", known)

    def _apply(self, path: str, step: Advance) -> None:
        if step.outcome == "large":
            self._backlog.hand_over(path)
            return
        known, state = self._files.get(path), step.state
        self._files.note_look(path, state, now_ns=self._clock.time_ns())
        if state is None:
            self._forget(path)
        else:
            if step.is_void and known is not None:
                self._teller.gone(known.uri)
            self._files.keep(path, state)
            self._teller.news(step.batches)
            self._teller.unfinished(state.uri, step.unfinished)
        has_more = state is not None and state.has_more and step.outcome == "read"
        self._backlog.finish(path, is_whole=not has_more)
        if has_more:
            self._backlog.hint(path)
        else:
            self._read_here.discard(path)

    # ---- reading elsewhere

    def _adopt(self, path: str, parsed: Parsed, job: JobPlan) -> None:
        """What a process made of a file, read from zero."""
        is_head = job.head_bytes > 0
        known, state = self._files.get(path), parsed.state
        if parsed.failure or (state is not None and state.format and state.format not in known_formats()):
            log.warning("not parsed by a process", extra={"reason": parsed.failure or "unknown format"})
            self._read_in_slices(path)
            return
        has_more = state is not None and state.has_more
        if state is None:
            self._forget(path)
        else:
            if known is not None and known.format and (known.parts or state.parts or not parsed.batches):
                self._teller.gone(known.uri)
            self._files.keep(path, state)
            self._teller.news(parsed.batches)
            if not is_head:
                self._files.note_look(path, state, now_ns=self._clock.time_ns())
        self._backlog.finish(path, is_whole=not (is_head and has_more))
        if has_more and not is_head:
            self._backlog.hint(path)
        self._tell_progress()
        self._wake()

    def _read_in_slices(self, path: str) -> None:
        """Read a file here that a process did not survive or could not read."""
        self._read_here.add(path)
        self._backlog.finish(path, is_whole=False)
        self._backlog.hint(path)
        self._wake()

    # ---- telling

    def _forget(self, path: str) -> None:
        self._read_here.discard(path)
        self._backlog.drop(path)
        state = self._files.drop(path)
        if state is not None:
            self._teller.unfinished(state.uri, ())
            if state.format:
                self._teller.gone(state.uri)

    def _tell_progress(self) -> None:
        self._teller.indexing(self.indexing())

    async def _wait(self) -> None:
        await self._work.wait()

    def _wake(self) -> None:
        self._work.set()
        self._work = anyio.Event()
