"""What the folders show against what was read of them: which logs have bytes that nobody reads.

The sizes come from looking at the folders, not from reading, so that a reader that hangs, fails or is forgotten shows.
Reads nothing; lives on the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from recapd.daemon.log_files import Scan, TailState

# A log that grows is read within a second; one that many wait before, within ten.
STUCK_S = 60.0
# So many looks must have seen it: after a machine slept, a minute is over before anybody could read.
STUCK_LOOKS = 3


class Lagging(Struct, frozen=True):
    """A log with bytes that were not read."""

    size: int
    # How far it was read, and when it was first seen to be no further.
    end: int
    since_ns: int
    looks: int = 1


class Looks:
    """Told of every look at folders."""

    def __init__(self) -> None:
        # When everything was last looked at; 0 for never.
        self.looked_ns = 0
        # Folders that could not be read, and whether there were more files than are looked at.
        self.unreadable_folders = 0
        self.is_cut = False
        self._lagging: dict[str, Lagging] = {}

    def note(
        self,
        found: Scan,
        state_of: Callable[[str], TailState | None],
        *,
        is_left_out: Callable[[str], bool],
        is_everything: bool,
        now_ns: int,
    ) -> None:
        """`is_left_out` tells of files that are not to be read."""
        if is_everything:
            self.looked_ns = now_ns
            self.unreadable_folders, self.is_cut = found.unreadable, found.is_cut
        before = self._lagging
        looked_at = found.files
        # What was not looked at stands.
        self._lagging = {} if is_everything else {path: was for path, was in before.items() if path not in looked_at}
        # A log with unread bytes is not as it is known, so the others need no look.
        for path in found.changed:
            stamp, state = looked_at.get(path), state_of(path)
            if stamp is None or state is None or not state.format or stamp.size <= state.end or is_left_out(path):
                continue
            was = before.get(path)
            if was is not None and was.end == state.end:
                self._lagging[path] = Lagging(stamp.size, state.end, was.since_ns, was.looks + 1)
            else:
                self._lagging[path] = Lagging(stamp.size, state.end, now_ns)

    def size_of(self, path: str) -> int:
        """Bytes that a log with unread ones was last seen to have; 0 for others."""
        was = self._lagging.get(path)
        return was.size if was is not None else 0

    def stuck(
        self, state_of: Callable[[str], TailState | None], *, now_ns: int
    ) -> Iterator[tuple[str, TailState, Lagging]]:
        """Logs that have had unread bytes for a while and are still read no further."""
        for path, was in self._lagging.items():
            if was.looks < STUCK_LOOKS or now_ns - was.since_ns < STUCK_S * 1e9:
                continue
            state = state_of(path)
            if state is not None and state.end == was.end:
                yield path, state, was
