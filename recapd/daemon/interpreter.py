"""How the daemon shares the one interpreter of its process: threads give way to the loop, the collector keeps out of
the way of the first reading."""

from __future__ import annotations

import gc
import sys

# Threads give way to the loop this often; with Python's own 5 ms a client waits that long each time the loop comes
# back from the system, several times for each answer. Beside two threads that compute, the median answer takes half as
# long as with 0.5 ms; with still less it gets no quicker.
SWITCH_S = 0.0002


def begin() -> None:
    """Before anything is read. While everything is read for the first time next to nothing is garbage, and walking
    through it all takes longer each time: the collector is off until `settle`."""
    sys.setswitchinterval(SWITCH_S)
    gc.disable()


def settle() -> None:
    """Everything was read once. What is known now mostly stays: the collector need not walk through it again."""
    gc.collect()
    gc.freeze()
    gc.enable()
