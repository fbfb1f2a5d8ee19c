"""Makes time and chance stand still in every Python process that finds this file on its path.

Python imports a module of this name before anything else. The time of day is the number in the file `clock` beside
this one, in nanoseconds since 1970, and moves only when whoever holds that file writes another number into it. Clocks
that never go back (`time.monotonic`) run on: the event loop needs them, and nothing that recapd says shows them.
"""

from __future__ import annotations

import datetime
import mmap
import os
import secrets
import struct
import time

_REAL = datetime.datetime
_NUMBER = struct.Struct("<q")

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock"), "rb") as _file:
    # Shared, so that a change is seen at once and looking costs no call of the system.
    _clock = mmap.mmap(_file.fileno(), _NUMBER.size, prot=mmap.PROT_READ)


def _time_ns() -> int:
    number: int = _NUMBER.unpack_from(_clock)[0]
    return number


def _time() -> float:
    return _time_ns() / 1e9


def _token_hex(nbytes: int | None = None) -> str:
    """Always the same one: how often somebody draws must not show."""
    return "5e" * (nbytes or 32)


class _AsReal(type):
    """What is a datetime is also one of ours, whoever made it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _REAL)


class _Frozen(datetime.datetime, metaclass=_AsReal):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
        return _REAL.fromtimestamp(_time(), tz)

    @classmethod
    def utcnow(cls) -> datetime.datetime:  # type: ignore[override]
        return _REAL.fromtimestamp(_time(), datetime.UTC).replace(tzinfo=None)

    @classmethod
    def today(cls) -> datetime.datetime:  # type: ignore[override]
        return _REAL.fromtimestamp(_time())


time.time = _time
time.time_ns = _time_ns
secrets.token_hex = _token_hex
secrets.token_urlsafe = _token_hex
datetime.datetime = _Frozen  # type: ignore[misc]
