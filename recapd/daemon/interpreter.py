"""How the daemon shares the one interpreter of its process: threads give way to the loop, the collector keeps out of
the way of the first reading, and memory that is no longer needed goes back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys

# Threads give way to the loop this often; with Python's own 5 ms a client waits that long each time the loop comes
# back from the system, several times for each answer. Beside two threads that compute, the median answer takes half as
# long as with 0.5 ms; with still less it gets no quicker.
SWITCH_S = 0.0002
# What is larger is had from the system and given back to it, whatever else is in use around it. Left to itself, glibc
# raises this to 32 MB once it sees such a piece freed, and a client that left keeps its hundreds of megabytes.
LARGE_BYTES = 256 << 10
# Threads that come and go leave an arena each, with holes that only they fill: these are for all of them.
ARENAS = 2
# Objects that have to be new before the collector looks for circles among them, ten times as many before it looks among
# what it saw once. Answers make thousands and leave next to none; with Python's own 700 it runs several times for each,
# and each time goes through whatever long sequence was just made.
NEW_OBJECTS = 20_000
# From malloc.h.
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8


def begin() -> None:
    """Before anything is read. While everything is read for the first time next to nothing is garbage, and walking
    through it all takes longer each time: the collector is off until `settle`. Nor is what was imported, which `settle`
    would go through for longer than through all that was read."""
    sys.setswitchinterval(SWITCH_S)
    gc.disable()
    gc.freeze()
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)
        mallopt(_M_ARENA_MAX, ARENAS)


def settle() -> None:
    """Everything was read once. What is known now mostly stays: the collector need not walk through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
    gc.enable()
