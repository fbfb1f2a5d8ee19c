"""Handlers of `reading/*`: a session read by a model that the user set up."""

from __future__ import annotations

from recapd.core.state import Session
from recapd.server.service import Service
from recapd.wire.errors import request_failed
from recapd.wire.types import ReadingStartParams, ReadingStartResult, ReadingStopParams, ReadingStopResult

_IN_DAEMON = "Sessions are read in the daemon only; start it with: recapd up"


async def start(service: Service, session: Session, params: ReadingStartParams) -> ReadingStartResult:
    if service.reader is None:
        raise request_failed(_IN_DAEMON)
    return await service.reader.start(session, params)


async def stop(service: Service, session: Session, params: ReadingStopParams) -> ReadingStopResult:
    if service.reader is None:
        raise request_failed(_IN_DAEMON)
    return await service.reader.stop(session)
