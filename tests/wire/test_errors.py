"""Errors reach people as one sentence they can act on, and programs as typed data."""

import json

import msgspec
import pytest

from recapd.wire import errors
from recapd.wire.errors import ERRORS, RecapError
from recapd.wire.types import SessionSelector

RAISED = [
    (errors.parse_error(), -32700, {"retryable": False}),
    (errors.invalid_request("`method` is missing"), -32600, {"retryable": False}),
    (errors.method_not_found("recap/nothing"), -32601, {"retryable": False, "method": "recap/nothing"}),
    (
        errors.invalid_params("limit", "an integer"),
        -32602,
        {"retryable": False, "path": "limit", "expected": "an integer"},
    ),
    (errors.internal_error(), -32603, {"retryable": False}),
    (errors.server_not_initialized(), -32002, {"retryable": True}),
    (errors.request_cancelled(), -32800, {"retryable": True}),
    (errors.content_modified(), -32801, {"retryable": True}),
    (errors.server_cancelled(), -32802, {"retryable": True}),
    (errors.request_failed("The disk is full; make room and try again.", retryable=True), -32803, {"retryable": True}),
    (errors.session_not_found(), 1001, {"retryable": False}),
    (errors.session_not_found(SessionSelector(id="x")), 1001, {"retryable": False, "session": {"id": "x"}}),
    (errors.session_not_found(SessionSelector(log="/x")), 1001, {"retryable": False, "session": {"log": "/x"}}),
    (
        errors.session_not_found(SessionSelector(workspace="/x")),
        1001,
        {"retryable": False, "session": {"workspace": "/x"}},
    ),
    (errors.source_gone("file:///x"), 1002, {"retryable": False, "source": "file:///x"}),
    (errors.ref_stale("file:///x", "ab"), 1003, {"retryable": False, "source": "file:///x", "current": "ab"}),
    (errors.cursor_expired("c"), 1004, {"retryable": False, "cursor": "c"}),
    (errors.not_ready(250), 1005, {"retryable": True, "retryAfterMs": 250}),
    (errors.summary_unavailable("disabled"), 1006, {"retryable": False, "reason": "disabled"}),
    (errors.summary_unavailable("offline"), 1006, {"retryable": True, "reason": "offline"}),
    (errors.summary_unavailable("brandNew"), 1006, {"retryable": False, "reason": "brandNew"}),
    (errors.unsupported_protocol(("2026-11-16",)), 1007, {"retryable": False, "supported": ["2026-11-16"]}),
    (errors.limit_exceeded("subscriptions", 64), 1008, {"retryable": False, "limit": "subscriptions", "maximum": 64}),
    (errors.too_slow(60.0), 1008, {"retryable": True, "limit": "seconds of an answer", "maximum": 60}),
    (errors.access_denied("The token is wrong; read it anew."), 1009, {"retryable": False}),
]


@pytest.mark.parametrize(
    ("error", "code", "data"), RAISED, ids=lambda value: str(value) if isinstance(value, int) else ""
)
def test_an_error_goes_out_as_promised(error: RecapError, code: int, data: dict[str, object]) -> None:
    assert json.loads(msgspec.json.encode(error.to_wire())) == {"code": code, "message": str(error), "data": data}
    row = next(row for row in ERRORS if row.code == code)
    assert type(error.data) is row.data
    assert error.message[0].isupper() or error.message[0] in "`r"
    assert error.message.endswith(".")
    assert ". " not in error.message
    assert "\n" not in error.message


def test_every_code_can_be_raised() -> None:
    assert {row.code for row in ERRORS} == {code for _, code, _ in RAISED}


def test_a_message_shows_callers_text_bounded_and_printable() -> None:
    message = errors.session_not_found(SessionSelector(id="a\n\x1b[31m`b" + "x" * 500)).message
    assert message.isprintable()
    assert message.count("`") == 4
    assert len(message) < 200
