"""What is known of every file below the roots: how far it is read, and whether it must be looked at again."""

from __future__ import annotations

import os
from collections.abc import Iterator

from msgspec import Struct

from recapd.daemon.following.watch import RootState
from recapd.daemon.log_files import Stamp, TailState, folder_prefix

# A folder is looked at every few seconds for this long after something in it changed.
HOT_NS = 300 * 1_000_000_000
# What a file that must be looked at again is known as: no file is like it.
UNSETTLED = Stamp(-1, -1, -1, -1)


class RootProgress(Struct, frozen=True):
    """A root, how changes in it are noticed, and how far its logs are read."""

    watched: RootState
    sources: int
    parsed_bytes: int
    size_bytes: int


class Files:
    """The state of each file, by path."""

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

    def progress_of(self, watched: RootState) -> RootProgress:
        below = folder_prefix(watched.real_path)
        states = [state for path, state in self._states.items() if state.format and path.startswith(below)]
        return RootProgress(
            watched,
            len(states),
            sum(min(state.end, state.stamp.size) for state in states),
            sum(state.stamp.size for state in states),
        )
