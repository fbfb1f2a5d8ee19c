"""What becomes of a look at a file: how far it is read is kept, what is new is told, and what is left is read next.

Knows which files are not read, and which are only known from before the start. Called on the loop; reads nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from recapd.daemon.clock import Clock
from recapd.daemon.following.backlog import Backlog, JobPlan
from recapd.daemon.following.known_files import UNSETTLED, Files
from recapd.daemon.following.listener import Teller
from recapd.daemon.log_files import FAULT, Advance, Scan, Stamp, TailState, known_formats
from recapd.daemon.parse_worker import Parsed

log = logging.getLogger(__name__)


class Outcomes:
    """Of all files below the roots."""

    def __init__(self, files: Files, backlog: Backlog, teller: Teller, clock: Clock) -> None:
        self._files = files
        self._backlog = backlog
        self._teller = teller
        self._clock = clock
        # Files that are known from before the start and were not looked at since.
        self._unproved: set[str] = set()
        # Files of sessions that are to be forgotten.
        self._skipped: set[str] = set()
        # What every path below a folder begins with that nothing more is read of.
        self.paused: frozenset[str] = frozenset()
        # Files that cost a process its life, or that it could not read: read here, in slices.
        self.read_here: set[str] = set()
        # Files that a fault of recapd's own keeps from being read.
        self._broken: set[str] = set()

    # ---- what is known from before the start

    def restore(self, states: Mapping[str, TailState]) -> None:
        for path, state in states.items():
            self._files.keep(path, state)
        self._unproved = set(states)

    def prove(self, found: Scan, is_wanted: Callable[[str], bool]) -> None:
        """What was known before the start holds for files that are as they were."""
        if not self._unproved:
            return
        proved = (self._unproved & found.files.keys()).difference(found.changed)
        # Of what is paused nothing more is read: it stays as it is known.
        proved |= {path for path in self._unproved if path.startswith(tuple(self.paused))}
        self._unproved -= proved
        self._teller.proved([state.uri for path in proved if (state := self._files.get(path)) is not None])
        for path in [path for path in self._unproved if path in found.changed and not is_wanted(path)]:
            self.forget(path, is_gone=False)

    def judge(self, path: str, step: Advance) -> None:
        """Whether what was known before the start holds, now that the file was looked at."""
        is_anew = step.is_void or (bool(step.batches) and step.batches[0].restart)
        if path in self._unproved and step.outcome != "large":
            self._unproved.discard(path)
            if not is_anew and (state := self._files.get(path)) is not None:
                is_as_it_was = step.outcome == "unchanged" and not (step.state and step.state.pending)
                if is_as_it_was:
                    self._teller.proved([state.uri])
                else:
                    self._teller.outgrown(state.uri)

    # ---- what is not read

    def is_passed_over(self, path: str) -> bool:
        return path in self._skipped or path.startswith(tuple(self.paused))

    def is_broken(self, path: str) -> bool:
        return path in self._broken

    def skip(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._skipped.add(path)
            self.forget(path, is_gone=False)

    def unskip(self, paths: Iterable[str]) -> None:
        self._skipped.difference_update(paths)

    def give_up(self, path: str, error: Exception) -> Advance:
        """Parsing never raises; if it does, one log is lost and not all of them."""
        log.error("fault while reading a log", extra={"error": type(error).__name__})
        self._broken.add(path)
        known = self._files.get(path) or TailState(Path(path).as_uri(), Stamp(0, 0, 0, 0), refusal=FAULT)
        return Advance("unsure", known)

    # ---- what was read

    def apply(self, path: str, step: Advance) -> None:
        """What a look at the file gave, here."""
        if step.outcome == "large":
            self._backlog.hand_over(path)
            return
        if path in self._skipped:
            self._backlog.finish(path)
            return
        known, state = self._files.get(path), step.state
        self._files.note_look(path, state, now_ns=self._clock.time_ns())
        if state is None:
            self.forget(path)
        else:
            if step.is_void and known is not None:
                self._teller.gone(known.uri)
            self._files.keep(path, state)
            self._teller.news(step.batches)
            self._teller.unfinished(state.uri, step.unfinished)
            self._teller.noted(path)
        has_more = state is not None and state.has_more and step.outcome == "read"
        self._backlog.finish(path, is_whole=not has_more)
        if has_more:
            self._backlog.hint(path)
        else:
            self.read_here.discard(path)

    def adopt(self, path: str, parsed: Parsed, job: JobPlan) -> None:
        """What a process made of the file, read from zero."""
        is_head = job.head_bytes > 0
        self._unproved.discard(path)
        known, state = self._files.get(path), parsed.state
        if path in self._skipped:
            self._backlog.finish(path)
            return
        if parsed.failure or (state is not None and state.format and state.format not in known_formats()):
            log.warning("not parsed by a process", extra={"reason": parsed.failure or "unknown format"})
            self.read_in_slices(path)
            return
        has_more = state is not None and state.has_more
        if state is None:
            self.forget(path)
        else:
            if known is not None and known.format and (known.parts or state.parts or not parsed.batches):
                self._teller.gone(known.uri)
            self._files.keep(path, state)
            self._teller.news(parsed.batches)
            self._teller.noted(path)
            if not is_head:
                self._files.note_look(path, state, now_ns=self._clock.time_ns())
        self._backlog.finish(path, is_whole=not (is_head and has_more))
        if has_more and not is_head:
            self._backlog.hint(path)

    def read_in_slices(self, path: str) -> None:
        """Read a file here that a process did not survive or could not read."""
        self.read_here.add(path)
        self._backlog.finish(path, is_whole=False)
        self._backlog.hint(path)

    def mark_void(self, path: str) -> None:
        """What is known of the file stands until it is read again, from zero."""
        state = self._files.get(path)
        if state is not None:
            self._files.keep(path, msgspec.structs.replace(state, stamp=UNSETTLED, is_settled=False))

    def forget(self, path: str, *, is_gone: bool = True) -> None:
        """A file that was deleted, or that is of no interest any more."""
        self._unproved.discard(path)
        self.read_here.discard(path)
        self._broken.discard(path)
        self._backlog.drop(path)
        state = self._files.drop(path)
        if state is not None:
            self._teller.unfinished(state.uri, ())
            if state.format:
                (self._teller.vanished if is_gone else self._teller.gone)(state.uri)
            self._teller.noted(path)
