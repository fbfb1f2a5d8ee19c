"""What a reader made of a session, as it is kept; clean, and only as far as its log is still the same."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from recapd.core.reading import still_read
from recapd.core.state import Reading, Session
from recapd.server.durable import Durable

# Of the sessions that are open somewhere.
_DECODED = 256


def reading_of(durable: Durable, session: Session) -> Reading | None:
    """What was read of the session, as far as its log is still the same."""
    body = durable.reading(session.id)
    reading = _decode(body) if body is not None else None
    return reading if reading is not None and still_read(reading, session) else None


def encode_reading(reading: Reading) -> bytes:
    return msgspec.msgpack.encode(reading)


@lru_cache(maxsize=_DECODED)
def _decode(body: bytes) -> Reading | None:
    """What an older or newer recapd wrote and this one cannot read is as if it were not there."""
    try:
        return msgspec.msgpack.decode(body, type=Reading)
    except (msgspec.MsgspecError, ValueError):
        return None
