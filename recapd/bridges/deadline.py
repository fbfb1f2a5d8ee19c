"""The deadline of a program that an agent waits for. Imports next to nothing: it is set before anything else is."""

from __future__ import annotations

import os
import signal
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# From the start of the process to its end, whatever hangs; a slow machine may be given more.
DEADLINE_S = 0.3
DEADLINE_VARIABLE = "RECAPD_HOOK_DEADLINE_MS"
# What the system needs to start a process before it counts as begun, and to end it.
_MARGIN_S = 0.05
# Where nobody says when the process began.
_STARTED_S = 0.08


def longest_s() -> float:
    given = os.environ.get(DEADLINE_VARIABLE, "")
    return int(given) / 1000 if given.isdecimal() else DEADLINE_S


def arm() -> None:
    """The end comes at the deadline, in the middle of whatever hangs."""
    left_s = longest_s() - _MARGIN_S - _age_s()
    if left_s <= 0:
        # It took all its time to start.
        end()
    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, left_s)


def end(*_: object) -> NoReturn:
    """At once, and well: an interpreter takes time to tidy up, and no longer minds the deadline while it does."""
    os._exit(0)


def _age_s() -> float:
    """How long ago this process began."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return _STARTED_S
