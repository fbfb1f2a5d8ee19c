"""When what is known is written down, and what of it then leaves the memory.

    note(path) ─▶ waits a second, with whatever else changes ─▶ store.save, in the writer's thread ─▶ cool the coldest
                                   much that is new ─▶ rows_of, in a process ─┘

A log that is not read to its end is not written before it is: its state would be written twice.
What is written is taken from one moment of the loop: how far a file is read, and the sources that came of exactly
that. Writing that fails is tried again, later each time; nothing else waits for it.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TypeVar

import anyio

from recapd.core.log import from_epoch
from recapd.core.settings import StoreSettings
from recapd.core.state import Source, head_of, session_id_of, source_key
from recapd.daemon.clock import WallClock
from recapd.daemon.encoding import Prepared, Saved, SourceRows, prepare
from recapd.daemon.engine import Engine, LogForgotten, SourcesCooled
from recapd.daemon.log_files import TailState
from recapd.daemon.store.cache import FileToSave
from recapd.daemon.store.file import TROUBLES
from recapd.daemon.store.kept import Relic
from recapd.daemon.store.store import Store
from recapd.daemon.store.unwritten import Unwritten, body_of
from recapd.server.threads import in_thread
from recapd.server.workspaces import path_of

log = logging.getLogger(__name__)
T = TypeVar("T")

# A session that changes a hundred times in a second is written once; a crash costs reading so much again.
PAUSE_S = 1.0
# Writing takes at most this share of the time, so that a log of hundreds of megabytes slows nothing down.
BUSY_SHARE = 0.1
# What fails is tried again after so long, and twice as long each time up to the second.
RETRY_S, MAX_RETRY_S = 2.0, 10.0
# Files in one transaction: others may have to wait for it.
BATCH_FILES = 64
# The same at the end, when a process and the writer share the work.
LAST_FILES = 16
# Size and age are looked at this often.
UPKEEP_S = 3600.0
# What a state takes in memory for each byte of it, before compression; measured by tests/bench/bench_restart.
MEMORY_PER_BYTE = 3
# The source that changed last may take so many times what all of them may: enough for 150,000 lines.
LATEST_SHARES = 4
_DAY_S = 86_400
_MEGABYTE = 1_000_000


class Saver:
    """Lives on the loop, `run` in a task."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        *,
        tail_of: Callable[[str], TailState | None],
        rows_of: Callable[[Sequence[bytes]], Awaitable[list[SourceRows | None]]],
        unwritten: Unwritten,
        settings: Callable[[], StoreSettings],
        clock: WallClock,
    ) -> None:
        """`rows_of` makes all rows of sources elsewhere, or none where it has to be done here; `unwritten` are
        sources that are cold and do not stand in the cache yet."""
        self._store = store
        self._engine = engine
        self._tail_of = tail_of
        self._rows_of = rows_of
        self._unwritten = unwritten
        self._settings = settings
        self._clock = clock
        self._changed = anyio.Event()
        # What was taken to be written is not to be forgotten between two who write.
        self._saving = anyio.Lock()
        self._dirty: dict[str, None] = {}
        # States of deleted logs that are to be kept, by key.
        self._relics: dict[str, Relic] = {}
        # Whole sources as they stand in the cache, by key; the one that changed last is the last.
        self._saved: dict[str, Saved] = {}
        self._in_hand = 0
        self._suspects: set[str] = set()
        self._retry_s = 0.0
        self._looked_after_ns = 0

    @property
    def depth(self) -> int:
        """Files that wait to be written, or are being written."""
        return len(self._dirty) + len(self._relics) + self._in_hand

    def note(self, path: str) -> None:
        """Something is known of a file that was not, or nothing is known of it any more."""
        self._dirty[path] = None
        self._changed.set()

    def wake(self) -> None:
        """Something is in the way of writing: see now and then whether it is gone."""
        self._changed.set()

    def note_whole(self, saved: Saved) -> None:
        """A source was put back whole, to go on from there."""
        if saved.notes:
            self._saved[saved.source.key] = saved

    def keep(self, relic: Relic) -> None:
        """A log was deleted."""
        self._relics[relic.source.key] = relic
        self._changed.set()

    def keep_not(self, uri: str) -> None:
        """The log is there again, or its session is to be forgotten."""
        self._relics = {key: relic for key, relic in self._relics.items() if relic.source.uri != uri}

    def lost(self) -> None:
        """The cache is empty: everything that is in memory is written anew."""
        self._saved.clear()
        for source in self._engine.world.sources.values():
            if not source.is_cold or self._unwritten.body_of(source) is not None:
                self.note(path_of(source.uri))

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._look_after()
            with anyio.move_on_after(UPKEEP_S if not self._store.has_trouble else MAX_RETRY_S):
                await self._changed.wait()
            # Only by the one who waits: others write too, and must not take from it what it is to be woken by.
            self._changed = anyio.Event()
            if self._store.has_trouble:
                self._store.probe()
            paths = self._next_paths()
            prepared = await self._prepare(paths)
            began = self._clock.time_ns()
            async with self._saving:
                await self._save(paths, prepared)
            # Not only now and then: a first reading of everything passes the limit within seconds.
            await self._make_room()
            took_s = (self._clock.time_ns() - began) / 1e9
            # While everything is read for the first time there is more to write than changes in a second, and what was
            # prepared keeps nobody from anything but the disk.
            pause_s = PAUSE_S if len(self._dirty) <= BATCH_FILES else 0.0
            rest_s = took_s if prepared else took_s / BUSY_SHARE
            await self._clock.sleep(max(pause_s, rest_s, self._retry_s))

    async def flush(self) -> None:
        """Write all that waits; for the end. The caller says how long that may take."""
        self._retry_s = 0.0
        async with anyio.create_task_group() as group:
            group.start_soon(self._flush_prepared)
            while self.depth and not self._retry_s:
                async with self._saving:
                    await self._save(self._next_paths()[:LAST_FILES])
        await self._make_room()
        if self._store.kept is not None:
            # All that was given out is on disk: the next start need not begin beyond it.
            with contextlib.suppress(*TROUBLES):
                await outcome(self._store.set_ceiling(self._engine.world.revision))

    async def _flush_prepared(self) -> None:
        """Write from the other end what a process can make the rows of meanwhile: there is little time."""
        while not self._retry_s and (paths := list(self._dirty)[-LAST_FILES:]):
            prepared = await self._prepare(paths)
            async with self._saving:
                await self._save(paths, prepared)

    def _next_paths(self) -> list[str]:
        """The files to write next, in one go."""
        return [path for path in self._dirty if path in self._suspects][:1] or list(self._dirty)[:BATCH_FILES]

    async def _prepare(self, paths: Sequence[str]) -> dict[str, Prepared]:
        """Whatever changes meanwhile is not what was prepared, and its rows are made when it is written."""
        news = [source for path in paths for source in self._news(self._known(path))]
        fresh = [source for source in news if source.key not in self._saved]
        return await prepare(fresh, body_of=self._body_of, rows_elsewhere=self._rows_of)

    def _body_of(self, source: Source) -> bytes | None:
        return self._unwritten.body_of(source) if source.is_cold else body_of(source)

    async def _save(self, paths: Sequence[str], prepared: Mapping[str, Prepared] = {}) -> None:
        # Somebody else may have written some of them while the others were prepared.
        paths = [path for path in paths if path in self._dirty]
        for path in paths:
            del self._dirty[path]
        self._suspects.difference_update(paths)
        self._in_hand = len(paths)
        try:
            for relic in list(self._relics.values())[:BATCH_FILES]:
                await self._keep_relic(relic)
            # What a process read just now is known by its head, and by its bytes once we are told of it.
            self._engine.tell_rest()
            # From here to what is handed to the writer nothing can change: it is all of one moment.
            gone = [path for path in paths if self._tail_of(path) is None]
            files = [file for path in paths if (file := self._file(path, prepared)) is not None]
            if files:
                self._take(await outcome(self._store.save(files, self._saved)))
            if gone:
                await outcome(self._store.drop(gone))
            self._retry_s = 0.0
        except TROUBLES as error:
            log.warning("not saved", extra={"files": len(paths), "error": type(error).__name__})
            self._retry_s = min(max(2 * self._retry_s, RETRY_S), MAX_RETRY_S)
            self._dirty.update(dict.fromkeys(paths))
        except Exception as error:
            # A fault of ours in one of these files must not keep the others from being written: each by itself, then.
            log.error("fault while saving", extra={"files": len(paths), "error": type(error).__name__})
            if len(paths) > 1:
                self._suspects.update(paths)
                self._dirty.update(dict.fromkeys(paths))
        finally:
            self._in_hand = 0
        if self._dirty or self._relics:
            self._changed.set()

    def _file(self, path: str, prepared: Mapping[str, Prepared] = {}) -> FileToSave | None:
        """What is to be written of a file, as of now."""
        tail = self._tail_of(path)
        if tail is None or tail.has_more:
            return None
        known = self._known(path)
        news = self._news(known)
        made = {
            source.key: ready
            for source in news
            if (ready := prepared.get(source.key)) is not None and ready.source is source
        }
        members = self._engine.world.members
        revisions = [members[session_id_of(source)].revision for source in news]
        # Of what is cold and was not prepared the writer needs all.
        whole = [source if source.key in made else self._whole(source) for source in news]
        parts = tuple(source.part for source in known)
        return FileToSave(path, tail, tuple(zip(whole, revisions, strict=True)), parts, made)

    def _known(self, path: str) -> list[Source]:
        """The sources in a file."""
        tail = self._tail_of(path)
        if tail is None or tail.has_more:
            return []
        sources = self._engine.world.sources
        found = [sources.get(source_key(tail.uri, part)) for part in tail.parts or ("",)]
        return [source for source in found if source is not None and not source.is_gone]

    def _news(self, known: Sequence[Source]) -> list[Source]:
        """Those that are not in the cache as they are."""
        return [source for source in known if not self._is_saved(source)]

    def _is_saved(self, source: Source) -> bool:
        if source.is_cold:
            return self._unwritten.body_of(source) is None
        saved = self._saved.get(source.key)
        return saved is not None and saved.source is source

    def _whole(self, source: Source) -> Source:
        found = self._unwritten.find(source) if source.is_cold else None
        return found.source if found is not None else source

    def _take(self, written: dict[str, Saved]) -> None:
        sources = self._engine.world.sources
        for key, saved in written.items():
            self._saved.pop(key, None)
            now = sources.get(key)
            if now is not None and now.is_cold:
                if (now.generation, now.carry) == (saved.source.generation, saved.source.carry):
                    self._unwritten.drop(key)
            elif not saved.source.is_cold:
                self._saved[key] = saved
        self._unwritten.keep_to(sources)
        self._keep_to_memory()

    def _keep_to_memory(self) -> None:
        """Drop whole sources to their heads until the rest fits; those go first that changed longest ago.

        The one that changed last may take more: it is most likely to go on, and would be put back for every line.
        """
        world = self._engine.world
        allowed = self._settings().memory_mb * _MEGABYTE // 2 // MEMORY_PER_BYTE
        size = sum(saved.size for saved in self._saved.values())
        cooled: list[Source] = []
        for key, saved in list(self._saved.items()):
            is_latest = len(self._saved) == 1
            if size <= (LATEST_SHARES * allowed if is_latest else allowed):
                break
            now = world.sources.get(key)
            if now is not None and now is not saved.source:
                # It has changed since, and waits to be written.
                continue
            del self._saved[key]
            size -= saved.size
            if now is not None:
                cooled.append(now)
        if cooled:
            self._cool(cooled)

    def _cool(self, sources: Sequence[Source]) -> None:
        self._engine.apply(SourcesCooled(tuple(map(head_of, sources))))

    async def _keep_relic(self, relic: Relic) -> None:
        head = relic.source
        if head.is_cold:
            found = self._unwritten.find(head)
            if found is None:
                found = await in_thread(self._store.whole, path_of(head.uri), head)
            if found is None:
                # Neither the log nor the cache has it any more; the head is not worth keeping.
                self._relics.pop(head.key, None)
                return
            if head.key not in self._relics:
                return
            relic = Relic(found.source, relic.revision, relic.at)
        await outcome(self._store.keep_relic(relic))
        self._relics.pop(head.key, None)
        if (now := self._engine.world.sources.get(head.key)) is not None and now.is_gone:
            self._saved.pop(head.key, None)
            self._cool([now])

    async def _look_after(self) -> None:
        """Keep to the limits of size and age."""
        now_ns = self._clock.time_ns()
        if self._looked_after_ns and abs(now_ns - self._looked_after_ns) < UPKEEP_S * 1e9:
            return
        self._looked_after_ns = now_ns
        settings = self._settings()
        try:
            before = from_epoch(now_ns / 1e9 - settings.keep_days * _DAY_S) if settings.keep_days else ""
            for uri in await outcome(self._store.limit_relics(before=before, max_bytes=self._half())):
                self._engine.apply(LogForgotten(path_of(uri), uri))
        except TROUBLES as error:
            log.warning("not looked after", extra={"error": type(error).__name__})
        await self._make_room()

    async def _make_room(self) -> None:
        if self._store.has_trouble:
            return
        try:
            await outcome(self._store.make_room(self._half()))
        except TROUBLES as error:
            log.warning("no room made", extra={"error": type(error).__name__})

    def _half(self) -> int:
        """What is left of deleted logs may take half of the store; the other half is for what can be read again."""
        return self._settings().max_mb * _MEGABYTE // 2


async def outcome(future: Future[T]) -> T:
    """What the writer made of something, without keeping the loop waiting."""
    return await in_thread(future.result, abandon_on_cancel=True)
