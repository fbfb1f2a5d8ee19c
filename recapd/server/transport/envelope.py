"""JSON-RPC 2.0: what a body is (a request, a notification, a reply, or nothing of the sort), and how ours are written.

Knows no method. Params stay bytes until somebody knows their type; a message that says no id is answered with null.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from recapd.wire.errors import RecapError, invalid_request, parse_error
from recapd.wire.types import ErrorObject

# Larger integers can be read but not written back, and a request must not go unanswered for its id.
RequestId: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | str

# The string is closed or runs to the end: never tried again from inside, so linear on any input.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = [0] * 256
for _opening in b"[{":
    _STEP[_opening] = 1
for _closing in b"]}":
    _STEP[_closing] = -1
# Brackets are counted in slices, so that a bad body is refused at its first deep place.
_SLICE = 65_536


class Request(Struct, frozen=True):
    id: RequestId
    method: str
    params: bytes


class Notification(Struct, frozen=True):
    method: str
    params: bytes


class Reply(Struct, frozen=True):
    """The client's answer to a request of ours."""

    id: RequestId | None
    failed: bool


class Refused(Struct, frozen=True):
    """No JSON-RPC message; whom to answer, and what."""

    id: RequestId | None
    error: RecapError


Message: TypeAlias = Request | Notification | Reply


class _Envelope(Struct, frozen=True):
    jsonrpc: Literal["2.0"]
    id: RequestId | UnsetType | None = UNSET
    method: str | UnsetType = UNSET
    params: Raw = Raw(b"")
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class _Loose(Struct, frozen=True):
    """The same with anything anywhere, to find out what is wrong."""

    jsonrpc: Raw = Raw(b"")
    id: Raw = Raw(b"")


_envelopes = msgspec.json.Decoder(_Envelope)


def read_message(body: bytes, nesting: int) -> Message | Refused:
    try:
        # Raw params are skipped unread, and what is skipped may hold any bytes.
        body.decode()
        envelope = _envelopes.decode(body)
    except msgspec.ValidationError:
        return _refused(body)
    except RecursionError:
        return _too_deep(None)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Refused(None, parse_error())
    identity = envelope.id
    if is_deeper_than(nesting, body):
        return _too_deep(None if identity is UNSET else identity)
    if envelope.method is UNSET:
        if identity is UNSET or (envelope.result is UNSET and envelope.error is UNSET):
            return Refused(None if identity is UNSET else identity, invalid_request("it has no `method`"))
        return Reply(identity, envelope.error is not UNSET)
    if identity is UNSET:
        return Notification(envelope.method, bytes(envelope.params))
    if identity is None:
        return Refused(None, invalid_request("its `id` is null"))
    return Request(identity, envelope.method, bytes(envelope.params))


def is_deeper_than(nesting: int, body: bytes) -> bool:
    """Whether arrays and objects in this JSON stand deeper in each other than so many levels."""
    if body.count(b"[") + body.count(b"{") <= nesting:
        return False
    brackets = _STRING.sub(b"", body).translate(None, _NOT_BRACKETS)
    depth = 0
    for start in range(0, len(brackets), _SLICE):
        depths = list(accumulate(map(_STEP.__getitem__, brackets[start : start + _SLICE]), initial=depth))
        if max(depths) > nesting:
            return True
        depth = depths[-1]
    return False


def _refused(body: bytes) -> Refused:
    """What is wrong with JSON that is no message."""
    try:
        whole = bytes(msgspec.json.decode(body, type=Raw)).lstrip()
    except RecursionError:
        return _too_deep(None)
    except msgspec.DecodeError:
        return Refused(None, parse_error())
    if whole.startswith(b"["):
        return Refused(None, invalid_request("it is a batch; send each request in a frame of its own"))
    if not whole.startswith(b"{"):
        return Refused(None, invalid_request("it is not an object"))
    loose = msgspec.json.decode(body, type=_Loose)
    identity: RequestId | None = None
    if loose.id:
        try:
            identity = msgspec.json.decode(loose.id, type=RequestId | None)
        except msgspec.DecodeError:
            return Refused(None, invalid_request("its `id` is neither a string nor a whole number"))
    if bytes(loose.jsonrpc) != b'"2.0"':
        return Refused(identity, invalid_request('its `jsonrpc` is not "2.0"'))
    return Refused(identity, invalid_request("its `method` is not a string"))


def _too_deep(identity: RequestId | None) -> Refused:
    return Refused(identity, invalid_request("it is nested too deeply"))


class _Result(Struct, frozen=True, kw_only=True):
    jsonrpc: str = "2.0"
    id: RequestId
    result: object


class _Error(Struct, frozen=True, kw_only=True):
    jsonrpc: str = "2.0"
    id: RequestId | None
    error: ErrorObject


class _Call(Struct, frozen=True, kw_only=True):
    jsonrpc: str = "2.0"
    id: RequestId | UnsetType = UNSET
    method: str
    params: Struct


_encoder = msgspec.json.Encoder()


def result_body(identity: RequestId, result: object) -> bytes:
    """`result` is a wire type or made of builtins; msgspec would write attrs classes under the wrong names."""
    return _encoder.encode(_Result(id=identity, result=result))


def error_body(identity: RequestId | None, error: RecapError) -> bytes:
    return _encoder.encode(_Error(id=identity, error=error.to_wire()))


def notification_body(method: str, params: Struct) -> bytes:
    return _encoder.encode(_Call(method=method, params=params))


def request_body(identity: RequestId, method: str, params: Struct) -> bytes:
    return _encoder.encode(_Call(id=identity, method=method, params=params))
