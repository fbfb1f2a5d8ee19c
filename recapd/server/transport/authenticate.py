"""The first frame of a TCP connection: it has to bring the token, in time, or the connection is closed."""

from __future__ import annotations

import hmac

import anyio

from recapd.server.transport import envelope
from recapd.server.transport.envelope import Request
from recapd.server.transport.frames import BrokenFrame, FrameReader, Outbox
from recapd.server.transport.limits import Limits, Peer
from recapd.wire.errors import RecapError, access_denied
from recapd.wire.params import decode_as
from recapd.wire.types import RecapdAuthenticateParams


async def is_authenticated(frames: FrameReader, outbox: Outbox, *, peer: Peer, limits: Limits) -> bool:
    """Whether the first frame brings the token. A request that does not is told so and nothing else."""
    body: bytes | None = None
    with anyio.move_on_after(limits.authenticate_s):
        try:
            body = await frames.next(limits.authenticate_bytes)
        except BrokenFrame:
            return False
    message = envelope.read_message(body, limits.nesting) if body is not None else None
    if not isinstance(message, Request):
        return False
    if _brings_token(message, peer):
        await outbox.send(envelope.result_body(message.id, None))
        return True
    refusal = access_denied("Send `recapd/authenticate` with the token from recapd's runtime folder first.")
    await outbox.send(envelope.error_body(message.id, refusal))
    return False


def _brings_token(request: Request, peer: Peer) -> bool:
    if request.method != "recapd/authenticate":
        return False
    try:
        token = decode_as(RecapdAuthenticateParams, request.params).token
    except RecapError:
        return False
    # In constant time: how long a wrong token takes must not say how much of it is right.
    return hmac.compare_digest(token.encode(), peer.token.encode())
