"""A line on a terminal's stderr for what takes longer than a second: what goes on, for how long. Gone at the end."""

from __future__ import annotations

import sys

from recapd.cli.terminal import can_redraw

TYPE_CHECKING = False  # typing costs more to import than a list takes to show
if TYPE_CHECKING:
    from threading import Event
    from types import TracebackType

# What answers within this needs no word of it.
SHOW_AFTER_S = 1.0
_TICK_S = 0.2


class Progress:
    """While it is entered, and once a second has passed, what goes on is said. Within another it says nothing."""

    _is_shown = False

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._done: Event | None = None

    def __enter__(self) -> None:
        if Progress._is_shown or sys.stderr is None or not can_redraw(sys.stderr):
            return
        import threading

        Progress._is_shown = True
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._tell, args=(self._done,), daemon=True)
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._done is None:
            return
        self._done.set()
        self._thread.join()
        Progress._is_shown = False

    def _tell(self, done: Event) -> None:
        import time

        begun = time.monotonic()
        if done.wait(SHOW_AFTER_S):
            return
        while True:
            sys.stderr.write(f"\r\x1b[K{self._doing} … {time.monotonic() - begun:.0f} s")
            sys.stderr.flush()
            if done.wait(_TICK_S):
                break
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
