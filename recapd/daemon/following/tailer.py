"""Keeps the engine told of every log below the roots: the first reading of everything, then whatever changes.

    watch ─hints─▶ look (scan, in a thread) ─▶ backlog ─▶ follow: advance, in a thread ─▶ LogRead, LastLineSeen
                                                      └─▶ index: a process               ─▶ LogRead, adopted

What was known before the start is shown once the file itself proves that it still holds. Knows nothing of sessions;
what a batch means is up to the fold.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from errno import ETIMEDOUT
from functools import partial
from pathlib import Path
from typing import Protocol

import anyio
import msgspec
from msgspec import Struct

from recapd.core.log import from_epoch
from recapd.core.presence import RunningAgent
from recapd.core.state import Batch, Source, World, source_key
from recapd.daemon.clock import SystemClock, WallClock
from recapd.daemon.config import Configuration, resolve_folders
from recapd.daemon.encoding import SourceRows
from recapd.daemon.engine import (
    Change,
    Heads,
    LastLineSeen,
    LogForgotten,
    LogRead,
    LogVanished,
    PresenceSeen,
    SourcesRestored,
    StatusMoved,
    Step,
)
from recapd.daemon.following.backlog import Backlog, JobPlan
from recapd.daemon.following.indexer import Indexer
from recapd.daemon.following.looks import Looks
from recapd.daemon.following.watch import ANSWER_S, Hints, Pace, RootState, Watch, drop_nested
from recapd.daemon.log_files import (
    DEFAULT_EXCLUSIONS,
    Advance,
    Refusal,
    Root,
    Scan,
    Stamp,
    TailState,
    advance,
    folder_prefix,
    known_formats,
    scan,
)
from recapd.daemon.parse_worker import Parsed
from recapd.daemon.presence import Sighting, look_at
from recapd.server.backend import Indexing
from recapd.server.threads import Disks

log = logging.getLogger(__name__)

# Parsing this much takes half a millisecond, folding it on the loop a quarter; one slice in a hundred takes ten times
# as long. With slices of four times the size all is read a quarter faster, but the worst take twice as long.
SLICE_BYTES = 1 << 16
# What has to be read from zero and is larger is read by a process.
WHOLE_BYTES = 1 << 20
# The same while many files wait, which may have come one by one: a folder that is copied, say.
SMALL_BYTES = 1 << 15
# A disk that gives a slice no sooner, or does not tell in so long what lies in a folder, gives nothing.
READ_S = 60.0
SCAN_S = 300.0
# One that reads and one that waits for the disk.
FOLLOWERS = 2
# More new files than this at once are a first reading: counted, and read in its order.
FEW_FILES = 16
# A folder is looked at every few seconds for this long after something in it changed.
HOT_NS = 300 * 1_000_000_000
# What a file that must be looked at again is known as: no file is like it.
UNSETTLED = Stamp(-1, -1, -1, -1)


class Entrance(Protocol):
    """The engine, as the tailer sees it."""

    @property
    def world(self) -> World: ...

    def apply(self, change: Change) -> Step: ...


class ColdSources(Protocol):
    """What is known of logs and is not in memory."""

    @property
    def is_full(self) -> bool:
        """Whether so much waits to be written that nothing more is to be read."""
        ...

    def adopt(self, batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
        """What a process read, as it is to be known: a head, or all of it."""
        ...

    async def can_continue(self, heads: Sequence[Source]) -> bool:
        """Put these back whole, for something to go on from; False where their log must be read from zero."""
        ...


class RootProgress(Struct, frozen=True):
    """A root, how changes in it are noticed, and how far its logs are read."""

    watched: RootState
    sources: int
    parsed_bytes: int
    size_bytes: int


class KnownFiles:
    """What is known of every file below the roots: how far it is read, and whether it must be looked at again."""

    def __init__(self) -> None:
        self._states: dict[str, TailState] = {}
        self._stamps: dict[str, Stamp] = {}
        self._changed_at: dict[str, int] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._states

    def __iter__(self) -> Iterator[tuple[str, TailState]]:
        return iter(self._states.items())

    def get(self, path: str) -> TailState | None:
        return self._states.get(path)

    def keep(self, path: str, state: TailState) -> None:
        self._states[path] = state
        self._stamps[path] = state.stamp if state.is_settled else UNSETTLED

    def drop(self, path: str) -> TailState | None:
        self._stamps.pop(path, None)
        return self._states.pop(path, None)

    def stamps(self) -> dict[str, Stamp]:
        """A copy, for a thread to compare with."""
        return dict(self._stamps)

    def is_stamped(self, path: str, stamp: Stamp | None) -> bool:
        """Whether the file was last seen so, settled or not."""
        state = self._states.get(path)
        return state is not None and state.stamp == stamp

    def note_look(self, path: str, state: TailState | None, *, now_ns: int) -> None:
        """A file that is gone, changed lately or not settled makes its folder worth a look for a while."""
        if state is None or not state.is_settled or now_ns - state.stamp.mtime_ns < HOT_NS:
            self._changed_at[os.path.dirname(path)] = now_ns

    def hot_folders(self, *, now_ns: int) -> tuple[str, ...]:
        self._changed_at = {folder: at for folder, at in self._changed_at.items() if at >= now_ns - HOT_NS}
        return tuple(self._changed_at)

    def logs_below(self, folders: Collection[str]) -> dict[str, list[TailState]]:
        """By folder: the logs below it. Each path is looked at once, however many folders there are."""
        found: dict[str, list[TailState]] = {folder: [] for folder in folders}
        prefixes = {folder_prefix(folder): logs for folder, logs in found.items()}
        # By what paths of one folder begin with: the lists that they belong into.
        wanted: dict[str, list[list[TailState]]] = {}
        for path, state in self._states.items():
            if not state.format:
                continue
            start = path[: path.rfind(os.sep) + 1]
            lists = wanted.get(start)
            if lists is None:
                ends = [at + 1 for at, letter in enumerate(start) if letter == os.sep]
                lists = wanted[start] = [prefixes[start[:end]] for end in ends if start[:end] in prefixes]
            for logs in lists:
                logs.append(state)
        return found


def _progress_of(watched: RootState, logs: Sequence[TailState]) -> RootProgress:
    return RootProgress(
        watched,
        len(logs),
        sum(min(state.end, state.stamp.size) for state in logs),
        sum(state.stamp.size for state in logs),
    )


class Tailer:
    """All logs below the roots. Made on the loop, `run` in a task; everything else is called on the loop."""

    def __init__(
        self,
        roots: Iterable[Root],
        engine: Entrance,
        cold: ColdSources,
        *,
        clock: WallClock | None = None,
        pace: Pace | None = None,
        processes: int = 1,
        exclusions: Sequence[str] = (),
        paused: Sequence[str] = (),
    ) -> None:
        """`exclusions` come on top of those that always hold; of folders that are `paused` nothing is read."""
        self._engine = engine
        self._cold = cold
        self._clock = clock or SystemClock()
        self._files = KnownFiles()
        self.looks = Looks()
        self._disks = Disks()
        self._watch = Watch(
            send=self._take_hints,
            on_state=partial(engine.apply, StatusMoved()),
            hot_folders=self._hot_folders,
            is_known=self._files.__contains__,
            is_anybody_there=lambda: bool(self._running_agents),
            clock=self._clock,
            pace=pace or Pace(),
            exclusions=(*DEFAULT_EXCLUSIONS, *exclusions),
            disks=self._disks,
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
            is_full=lambda: self._cold.is_full,
        )
        # Files that are known from before the start and were not looked at since, with what was known of them.
        self._unproved: dict[str, Heads] = {}
        # Files of sessions that are to be forgotten.
        self._skipped: set[str] = set()
        # What every path below a folder begins with that nothing more is read of.
        self._paused = frozenset(folder_prefix(os.path.realpath(folder)) for folder in paused)
        # Files that cost a process its life, or that it could not read: read here, in slices.
        self._read_here: set[str] = set()
        # Files that a fault of recapd's own keeps from being read.
        self._broken: set[str] = set()
        self._folders: set[str] = set()
        # There were more hints than can wait: look everywhere once those that wait are done.
        self._has_overflowed = False
        self._has_looked = False
        self._has_settled = False
        # How far reading was when the engine was last told: in percent, for thousands of files are read in a second.
        self._told_progress = (-1, False)
        # Who is there may have changed; what the last look at that read; the first one is over.
        self._is_presence_due = False
        self._running_agents: Mapping[str, RunningAgent] = {}
        self._told_presence: Sighting | None = None
        self._has_attended = anyio.Event()
        self._work = anyio.Event()

    async def run(self) -> None:
        """Until cancelled."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch.run)
            group.start_soon(self._attend)
            group.start_soon(self._look)
            for _ in range(FOLLOWERS):
                group.start_soon(self._follow)
            for _ in range(self._processes):
                group.start_soon(self._indexer.run)

    def restore(self, path: str, state: TailState, heads: Heads) -> None:
        """How far a file was read before the start, and what was known of it. Before `run`."""
        self._files.keep(path, state)
        self._unproved[path] = heads

    # ---- what others ask

    def indexing(self) -> Indexing:
        backlog = self._backlog
        # The first time all has to be read, also what came as news; after that news is read as it comes.
        self._has_settled = self._has_settled or (self._has_looked and backlog.is_empty)
        return Indexing(backlog.done, backlog.total, self._has_settled and backlog.done == backlog.total)

    def is_quiescent(self) -> bool:
        return self.indexing().quiescent

    def roots(self) -> tuple[RootProgress, ...]:
        watched = self._watch.states()
        logs = self._files.logs_below({each.real_path for each in watched})
        return tuple(_progress_of(each, logs[each.real_path]) for each in watched)

    def watched(self) -> tuple[RootState, ...]:
        return self._watch.states()

    def files(self) -> Iterator[tuple[str, TailState]]:
        """Every file that was looked at, also those that are no logs: `refusal` says why."""
        return iter(self._files)

    def state_of(self, path: str) -> TailState | None:
        return self._files.get(path)

    @property
    def queue_depth(self) -> int:
        """Changed files that wait to be read."""
        return self._backlog.depth

    @property
    def worker_pids(self) -> tuple[int, ...]:
        return self._indexer.pids

    async def rows_of(self, bodies: Sequence[bytes]) -> list[SourceRows | None]:
        """What is to be written of a source, made by the process that reads; None where there is none."""
        return await self._indexer.rows_of(bodies)

    # ---- what is to be read

    def add_roots(self, roots: Iterable[Root]) -> None:
        self._watch.add(roots)

    def add_roots_for(self, client: object, roots: Iterable[Root]) -> None:
        """Folders that a client names. RecapError where clients have named too many."""
        self._watch.add_for(client, roots)

    def release_roots(self, client: object) -> None:
        """A client left: folders that it alone named are given up, unless logs were found there. Those are followed
        like any others, until others need the room."""
        named = self._watch.named_by(client)
        logs = self._files.logs_below({each.real_path for each in named}) if named else {}
        self._watch.release(client, keep=[each.root for each in named if logs[each.real_path]])

    def reconfigure(self, old: Configuration, new: Configuration) -> None:
        """Follow what is to be followed now. A root that is no longer named is followed until the next start."""
        before, after = resolve_folders(old.settings.watch), resolve_folders(new.settings.watch)
        if before.exclude != after.exclude:
            self.exclude(after.exclude)
        for folder in set(after.pause) - set(before.pause):
            self.pause(folder)
        for folder in set(before.pause) - set(after.pause):
            self.unpause(folder)
        self.add_roots(Root("", Path(root)) for root in after.roots if root not in before.roots)

    def exclude(self, exclusions: Sequence[str]) -> None:
        """What is excluded from now on: forgotten if it was known, and read if it is excluded no longer."""
        self._watch.exclude((*DEFAULT_EXCLUSIONS, *exclusions))
        for path in [path for path, _ in self._files if not self._watch.is_wanted(path)]:
            self._forget(path, is_gone=False)
        self._look_everywhere()

    def pause(self, folder: str) -> None:
        """Read nothing below the folder any more; what is known stays."""
        self._paused |= {folder_prefix(os.path.realpath(folder))}

    def unpause(self, folder: str) -> None:
        self._paused -= {folder_prefix(os.path.realpath(folder))}
        self._take_hints(Hints(folders=frozenset((os.path.realpath(folder),))))

    def skip(self, paths: Iterable[str]) -> None:
        """Forget these files, and read them no more."""
        for path in paths:
            self._skipped.add(path)
            self._forget(path, is_gone=False)

    def unskip(self, paths: Sequence[str]) -> None:
        self._skipped.difference_update(paths)
        for path in paths:
            self._hint(path)
        self._wake()

    def read_again(self, path: str) -> None:
        """Read a file from zero: what is known of it cannot be gone on from, or is lost. It stands until then."""
        if (state := self._files.get(path)) is not None:
            self._files.keep(path, msgspec.structs.replace(state, stamp=UNSETTLED, is_settled=False))
        self._hint(path)
        self._wake()

    # ---- looking for what changed

    def _hot_folders(self) -> tuple[str, ...]:
        return self._files.hot_folders(now_ns=self._clock.time_ns())

    def _look_everywhere(self) -> None:
        self._take_hints(self._watch.everything())

    def _take_hints(self, hints: Hints) -> None:
        self._folders |= hints.folders
        self._is_presence_due = self._is_presence_due or hints.has_presence
        for path in hints.files:
            self._hint(path)
        if hints.is_everything and not hints.folders:
            self._has_looked = True
            self._tell_progress()
        self._wake()

    def _hint(self, path: str) -> None:
        if path in self._broken or self._is_passed_over(path):
            return
        self._has_overflowed = not self._backlog.hint(path) or self._has_overflowed

    def _is_passed_over(self, path: str) -> bool:
        return path in self._skipped or path.startswith(tuple(self._paused))

    async def _attend(self) -> None:
        """See who is there, before anything is told of the logs for the first time, and whenever that may change."""
        while True:
            while not self._is_presence_due:
                await self._wait()
            self._is_presence_due = False
            look = partial(look_at, self._watch.presence_folders(), self._running_agents)
            found = await self._disks.ask("presence", look, within_s=ANSWER_S)
            if found is not None and found != self._told_presence:
                self._told_presence, self._running_agents = found, found.read
                at = from_epoch(self._clock.time_ns() / 1e9)
                self._engine.apply(PresenceSeen(found.present, found.attended, at))
            self._has_attended.set()

    async def _look(self) -> None:
        await self._has_attended.wait()
        while True:
            while not self._folders:
                await self._wait()
            folders, self._folders = drop_nested(self._folders), set()
            is_everything = folders == self._watch.real_roots()
            found = await self._scan(folders)
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

    async def _scan(self, folders: Iterable[str]) -> Scan:
        """All at once, and one by one as long as that is not answered: one dead mount costs itself."""
        answering = [folder for folder in folders if not self._disks.is_silent(folder)]
        known, is_wanted = self._files.stamps(), self._watch.is_wanted

        def compare(folders: Iterable[str]) -> Scan:
            return scan(folders, known, is_wanted=is_wanted)

        found = await self._disks.ask("all folders", partial(compare, answering), within_s=SCAN_S)
        if found is not None:
            return found
        each = [await self._disks.ask(folder, partial(compare, [folder]), within_s=SCAN_S) for folder in answering]
        return _joined([found for found in each if found is not None], silent=each.count(None))

    def _is_left_out(self, path: str) -> bool:
        """Not to be read, or waiting for its first reading with all the others."""
        return self._backlog.is_unread(path) or self._is_passed_over(path)

    def _sort(self, found: Scan) -> None:
        self._prove(found)
        # What is not to be followed any more was forgotten, and is no news.
        there = [path for path in found.changed if path in found.files or path in self._files]
        changed = [path for path in there if not self._is_left_out(path)]
        new = {path: found.files[path].size for path in changed if path not in self._files and path in found.files}
        if len(new) > FEW_FILES or sum(new.values()) > WHOLE_BYTES:
            self._backlog.index(new)
            changed = [path for path in changed if path not in new]
        # What is only to be made sure of must not take the place of what is news.
        for path in sorted(changed, key=lambda path: self._files.is_stamped(path, found.files.get(path))):
            self._hint(path)

    # ---- what is known from before the start

    def _prove(self, found: Scan) -> None:
        """It holds for files that are as they were."""
        if not self._unproved:
            return
        proved = (self._unproved.keys() & found.files.keys()).difference(found.changed)
        # Of what is paused nothing more is read: it stays as it is known.
        proved |= {path for path in self._unproved if path.startswith(tuple(self._paused))}
        heads = tuple(head for path in proved for head in self._unproved.pop(path))
        if heads:
            self._engine.apply(SourcesRestored(heads))
        for path in [path for path in found.changed if path in self._unproved and not self._watch.is_wanted(path)]:
            self._forget(path, is_gone=False)

    def _judge(self, path: str, step: Advance) -> None:
        """Whether it holds, now that the file was looked at."""
        if path not in self._unproved or step.outcome == "large" or step.state is None:
            return
        heads = self._unproved.pop(path)
        is_anew = step.is_void or (bool(step.batches) and step.batches[0].restart)
        if heads and not is_anew:
            is_as_it_was = step.outcome == "unchanged" and not step.state.pending
            self._engine.apply(SourcesRestored(heads, is_outgrown=not is_as_it_was))

    # ---- reading here

    async def _follow(self) -> None:
        while True:
            path = self._backlog.next_hot()
            if path is None:
                if self._has_overflowed:
                    self._has_overflowed = False
                    self._look_everywhere()
                await self._wait()
                continue
            try:
                look = partial(
                    advance,
                    self._files.get(path),
                    path,
                    max_bytes=SLICE_BYTES,
                    max_whole=self._max_whole(path),
                    now_ns=self._clock.time_ns(),
                )
                step = await self._disks.ask(path, look, within_s=READ_S) or self._silent(path)
            except Exception as error:
                step = self._give_up(path, error)
            self._judge(path, step)
            heads = self._cold_below(step.batches)
            if not heads or await self._cold.can_continue(heads):
                self._take(path, step)
            else:
                self.read_again(path)
                self._backlog.finish(path, is_whole=False)
            self._tell_progress()
            self._wake()

    def _cold_below(self, batches: Iterable[Batch]) -> list[Source]:
        """Of what these go on from, the heads of what is not in memory."""
        sources = self._engine.world.sources
        known = [sources.get(source_key(batch.uri, batch.part)) for batch in batches if not batch.restart]
        return [source for source in known if source is not None and source.is_cold]

    def _max_whole(self, path: str) -> int | None:
        """How much of the file may be read from zero here; None where it has to be, whatever its size."""
        if not self._backlog.has_processes or path in self._read_here:
            return None
        return SMALL_BYTES if self._backlog.depth > FEW_FILES else WHOLE_BYTES

    def _give_up(self, path: str, error: Exception) -> Advance:
        """Parsing never raises; if it does, one log is lost and not all of them."""
        log.error("fault while reading a log", extra={"error": type(error).__name__})
        self._broken.add(path)
        known = self._files.get(path) or TailState(Path(path).as_uri(), Stamp(0, 0, 0, 0), refusal=Refusal("fault"))
        return Advance("unsure", known)

    def _silent(self, path: str) -> Advance:
        """What is known stands; the next hint looks whether the disk answers again."""
        refusal = Refusal("unreadable", ETIMEDOUT, os.strerror(ETIMEDOUT))
        known = self._files.get(path) or TailState(Path(path).as_uri(), Stamp(0, 0, 0, 0), refusal=refusal)
        return Advance("unsure", known)

    def _take(self, path: str, step: Advance) -> None:
        """What a look at the file gave: how far it is read is kept, what is new is told, what is left is read next."""
        if step.outcome == "large":
            self._backlog.hand_over(path)
            return
        if path in self._skipped:
            self._backlog.finish(path)
            return
        known, state = self._files.get(path), step.state
        self._files.note_look(path, state, now_ns=self._clock.time_ns())
        if state is None:
            self._forget(path)
        else:
            if step.is_void and known is not None:
                self._engine.apply(LogForgotten(path, known.uri))
            self._files.keep(path, state)
            if self._tell(path, step.batches):
                self._engine.apply(LastLineSeen(state.uri, step.unfinished))
        has_more = state is not None and state.has_more and step.outcome == "read"
        self._backlog.finish(path, is_whole=not has_more)
        if has_more:
            self._backlog.hint(path)
        else:
            self._read_here.discard(path)

    # ---- reading elsewhere

    def _adopt(self, path: str, parsed: Parsed, job: JobPlan) -> None:
        """What a process made of the file, read from zero."""
        self._take_parsed(path, parsed, is_head=job.head_bytes > 0)
        self._tell_progress()
        self._wake()

    def _take_parsed(self, path: str, parsed: Parsed, *, is_head: bool) -> None:
        known, state = self._files.get(path), parsed.state
        if path in self._skipped:
            self._backlog.finish(path)
            return
        if parsed.failure or (state is not None and state.format and state.format not in known_formats()):
            log.warning("not parsed by a process", extra={"reason": parsed.failure or "unknown format"})
            self._read_in_slices(path)
            return
        has_more = state is not None and state.has_more
        # What an unfinished last line says comes of a look at it, as after a restart.
        is_unfinished = state is not None and bool(state.pending)
        if state is None:
            self._forget(path)
        else:
            if is_unfinished:
                state = msgspec.structs.replace(state, is_settled=False)
            self._unproved.pop(path, None)
            if known is not None and known.format and (known.parts or state.parts or not parsed.batches):
                self._engine.apply(LogForgotten(path, known.uri))
            self._files.keep(path, state)
            self._tell(path, self._cold.adopt(parsed.batches))
            if not is_head:
                self._files.note_look(path, state, now_ns=self._clock.time_ns())
        self._backlog.finish(path, is_whole=not (is_head and has_more))
        if (has_more or is_unfinished) and not is_head:
            self._backlog.hint(path)

    def _read_in_slices(self, path: str) -> None:
        """Read a file here that a process did not survive or could not read."""
        self._read_here.add(path)
        self._backlog.finish(path, is_whole=False)
        self._backlog.hint(path)
        self._wake()

    # ---- telling

    def _tell(self, path: str, batches: tuple[Batch, ...]) -> bool:
        """Whether the file is read on: one of a session that is to be forgotten is not, unless others stand in it."""
        step = self._engine.apply(LogRead(path, batches))
        if any(not batch.part for _, batch in step.refused):
            self.skip([path])
        return path not in self._skipped

    def _forget(self, path: str, *, is_gone: bool = True) -> None:
        """A file that was deleted, or that is of no interest any more."""
        heads = self._unproved.pop(path, ())
        self._read_here.discard(path)
        self._broken.discard(path)
        self._backlog.drop(path)
        state = self._files.drop(path)
        if state is not None:
            self._engine.apply(LogVanished(path, state.uri, heads) if is_gone else LogForgotten(path, state.uri))

    def _tell_progress(self) -> None:
        now = self.indexing()
        progress = (now.done * 100 // max(now.total, 1), now.quiescent)
        if progress != self._told_progress:
            self._told_progress = progress
            self._engine.apply(StatusMoved())

    async def _wait(self) -> None:
        await self._work.wait()

    def _wake(self) -> None:
        self._work.set()
        self._work = anyio.Event()


def _joined(scans: Sequence[Scan], *, silent: int) -> Scan:
    """What several scans found, where so many folders did not answer."""
    files = {path: stamp for each in scans for path, stamp in each.files.items()}
    return Scan(
        dict(sorted(files.items(), key=lambda item: -item[1].mtime_ns)),
        tuple(path for each in scans for path in each.changed),
        sum(each.unreadable for each in scans) + silent,
        any(each.is_cut for each in scans),
    )
