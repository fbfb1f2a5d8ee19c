"""The table of errors: every code that leaves recapd, what it means, and the data that comes with it.

Our codes are positive, clear of the ranges that JSON-RPC and LSP keep for themselves.
A message is one sentence for a person and says what to do next; data is for programs. Neither holds text of a log.
"""

import math

from msgspec import Struct

from recapd.wire.types import (
    CursorExpiredData,
    ErrorData,
    ErrorObject,
    InvalidParamsData,
    LimitExceededData,
    MethodNotFoundData,
    NotReadyData,
    RefStaleData,
    SessionNotFoundData,
    SessionSelector,
    SourceGoneData,
    SummaryUnavailableData,
    UnsupportedProtocolData,
)


class ErrorRow(Struct, frozen=True):
    """One row of the table; `retryable` is the usual answer, an error's own data has the last word."""

    code: int
    name: str
    retryable: bool
    data: type[ErrorData]
    doc: str


PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
SERVER_NOT_INITIALIZED = -32002
REQUEST_CANCELLED = -32800
CONTENT_MODIFIED = -32801
SERVER_CANCELLED = -32802
REQUEST_FAILED = -32803
SESSION_NOT_FOUND = 1001
SOURCE_GONE = 1002
REF_STALE = 1003
CURSOR_EXPIRED = 1004
NOT_READY = 1005
SUMMARY_UNAVAILABLE = 1006
UNSUPPORTED_PROTOCOL = 1007
LIMIT_EXCEEDED = 1008
ACCESS_DENIED = 1009

ERRORS: tuple[ErrorRow, ...] = (
    ErrorRow(PARSE_ERROR, "parseError", False, ErrorData, "The frame is damaged or not JSON."),
    ErrorRow(INVALID_REQUEST, "invalidRequest", False, ErrorData, "The frame is no JSON-RPC 2.0 request."),
    ErrorRow(METHOD_NOT_FOUND, "methodNotFound", False, MethodNotFoundData, "The method is not served."),
    ErrorRow(INVALID_PARAMS, "invalidParams", False, InvalidParamsData, "A field of the params is wrong."),
    ErrorRow(INTERNAL_ERROR, "internalError", False, ErrorData, "recapd has a bug; its own log says more."),
    ErrorRow(SERVER_NOT_INITIALIZED, "serverNotInitialized", True, ErrorData, "An LSP method before `initialize`."),
    ErrorRow(REQUEST_CANCELLED, "requestCancelled", True, ErrorData, "The client cancelled the request."),
    ErrorRow(CONTENT_MODIFIED, "contentModified", True, ErrorData, "LSP `resolve` requests only: the object is gone."),
    ErrorRow(SERVER_CANCELLED, "serverCancelled", True, ErrorData, "recapd gave the request up, as when it ends."),
    ErrorRow(REQUEST_FAILED, "requestFailed", False, ErrorData, "The request was right and could not be carried out."),
    ErrorRow(SESSION_NOT_FOUND, "sessionNotFound", False, SessionNotFoundData, "No session matches."),
    ErrorRow(SOURCE_GONE, "sourceGone", False, SourceGoneData, "The log was deleted or cannot be read."),
    ErrorRow(REF_STALE, "refStale", False, RefStaleData, "The log was rewritten since the ref was made."),
    ErrorRow(CURSOR_EXPIRED, "cursorExpired", False, CursorExpiredData, "The cursor is too old or of another recapd."),
    ErrorRow(NOT_READY, "notReady", True, NotReadyData, "The log is being read for the first time."),
    ErrorRow(SUMMARY_UNAVAILABLE, "summaryUnavailable", False, SummaryUnavailableData, "No model summary can be had."),
    ErrorRow(UNSUPPORTED_PROTOCOL, "unsupportedProtocol", False, UnsupportedProtocolData, "No version in common."),
    ErrorRow(LIMIT_EXCEEDED, "limitExceeded", False, LimitExceededData, "The request passes a limit, or recapd does."),
    ErrorRow(ACCESS_DENIED, "accessDenied", False, ErrorData, "The caller may not do that."),
)

# What may be wrong with any request, whatever its method: not repeated in the method table.
COMMON_ERRORS = (PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR, REQUEST_CANCELLED)

# A caller's text in a message is a reminder of what they asked, not a copy of it.
_SHOWN_CHARACTERS = 80


class RecapError(Exception):
    """An error the caller is told about."""

    def __init__(self, code: int, message: str, data: ErrorData) -> None:
        # The name of a file may be anything, and what is sent is UTF-8.
        message = message.encode("utf-8", "replace").decode()
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def to_wire(self) -> ErrorObject:
        return ErrorObject(code=self.code, message=self.message, data=self.data)


def parse_error() -> RecapError:
    return _plain(PARSE_ERROR, "The message is not valid JSON; send one JSON object per Content-Length frame.")


def invalid_request(problem: str) -> RecapError:
    """`problem` completes the sentence "The message is no JSON-RPC 2.0 request: …"."""
    return _plain(INVALID_REQUEST, f"The message is no JSON-RPC 2.0 request: {problem}.")


def method_not_found(method: str) -> RecapError:
    return RecapError(
        METHOD_NOT_FOUND,
        f"There is no method {_shown(method)}; `recapd/discover` lists those that are served.",
        MethodNotFoundData(retryable=False, method=method),
    )


def invalid_params(path: str, expected: str) -> RecapError:
    where = f"`{path}`" if path else "The params"
    return RecapError(
        INVALID_PARAMS,
        f"{where} must be {expected}.",
        InvalidParamsData(retryable=False, path=path, expected=expected),
    )


def internal_error() -> RecapError:
    return _plain(INTERNAL_ERROR, "recapd failed on this request; its own log, which `recapd status` names, says why.")


def server_not_initialized() -> RecapError:
    return _plain(SERVER_NOT_INITIALIZED, "Send `initialize` before any other LSP request.", retryable=True)


def request_cancelled() -> RecapError:
    return _plain(
        REQUEST_CANCELLED, "The request was cancelled; send it again if the answer is needed.", retryable=True
    )


def content_modified() -> RecapError:
    return _plain(CONTENT_MODIFIED, "This item is out of date; ask for the list again.", retryable=True)


def server_cancelled() -> RecapError:
    return _plain(SERVER_CANCELLED, "recapd is ending; connect again and repeat the request.", retryable=True)


def request_failed(problem: str, *, retryable: bool = False) -> RecapError:
    """`problem` is the whole sentence, with what to do next."""
    return _plain(REQUEST_FAILED, problem, retryable=retryable)


def session_not_found(session: SessionSelector | None = None) -> RecapError:
    data = SessionNotFoundData(retryable=False, session=session)
    if session is None:
        return RecapError(SESSION_NOT_FOUND, "There is no session yet; start an agent or name a log file.", data)
    if session.named_id is not None:
        message = f"No session has the id {_shown(session.named_id)}; `session/list` shows those there are."
    elif session.log is not None:
        message = f"{_shown(session.log)} is no session log that recapd can read; `recapd/discover` lists the formats."
    else:
        message = f"No session works in {_shown_all(session.workspace)}; `session/list` shows those there are."
    return RecapError(SESSION_NOT_FOUND, message, data)


def no_session_yet(problem: str, session: SessionSelector) -> RecapError:
    """Where there may be one soon. `problem` is the whole sentence."""
    return RecapError(SESSION_NOT_FOUND, problem, SessionNotFoundData(retryable=True, session=session))


def _shown_all(folders: str | tuple[str, ...] | None) -> str:
    names = (folders,) if isinstance(folders, str) else folders or ()
    return " or ".join(_shown(name) for name in names[:3]) + (" or any of the others" if names[3:] else "")


def source_gone(source: str) -> RecapError:
    return RecapError(
        SOURCE_GONE,
        f"The log {_shown(source)} is gone; decisions and summaries kept from it can still be listed.",
        SourceGoneData(retryable=False, source=source),
    )


def ref_stale(source: str, current: str | None = None) -> RecapError:
    return RecapError(
        REF_STALE,
        "The log was rewritten since this ref was made; fetch the recap again for refs that fit.",
        RefStaleData(retryable=False, source=source, current=current),
    )


def cursor_expired(cursor: str) -> RecapError:
    return RecapError(
        CURSOR_EXPIRED,
        "The cursor is no longer valid; ask again without one.",
        CursorExpiredData(retryable=False, cursor=cursor),
    )


def not_ready(retry_after_ms: int) -> RecapError:
    return RecapError(
        NOT_READY,
        f"The log is still being read; ask again in {retry_after_ms} ms.",
        NotReadyData(retryable=True, retry_after_ms=retry_after_ms),
    )


# What the user can do about each obstacle; an unknown one is passed on by its name.
_SUMMARY_ADVICE = {
    "nothing": "Nothing was said in this session that could be summarized.",
    "disabled": "Model summaries are off; switch them on in the configuration.",
    "noKey": "Model summaries need a key; set one and try again.",
    "offline": "The model's service cannot be reached; try again later.",
    "budget": "The budget for model summaries is spent; raise it or wait until it starts anew.",
    "refused": "The model refused to summarize this; try another focus.",
    "timeout": "The model took too long; try again.",
}
_PASSING_OBSTACLES = ("offline", "budget", "timeout")


def summary_unavailable(reason: str) -> RecapError:
    return RecapError(
        SUMMARY_UNAVAILABLE,
        _SUMMARY_ADVICE.get(reason, f"No model summary can be had ({_shown(reason)}); `recapd status` says more."),
        SummaryUnavailableData(retryable=reason in _PASSING_OBSTACLES, reason=reason),
    )


def unsupported_protocol(supported: tuple[str, ...]) -> RecapError:
    return RecapError(
        UNSUPPORTED_PROTOCOL,
        f"This recapd speaks protocol {', '.join(supported)}; upgrade the older side.",
        UnsupportedProtocolData(retryable=False, supported=supported),
    )


def limit_exceeded(limit: str, maximum: int) -> RecapError:
    return RecapError(
        LIMIT_EXCEEDED,
        f"The request passes the limit of {maximum} for {limit}; ask for less.",
        LimitExceededData(retryable=False, limit=limit, maximum=maximum),
    )


def overloaded(problem: str, *, limit: str, maximum: int) -> RecapError:
    """recapd has no more to give, whatever the request. `problem` is the whole sentence, with what to do next."""
    return RecapError(LIMIT_EXCEEDED, problem, LimitExceededData(retryable=True, limit=limit, maximum=maximum))


def too_slow(most_s: float) -> RecapError:
    return RecapError(
        LIMIT_EXCEEDED,
        f"The answer took longer than {most_s:g} seconds and was given up; ask for less, or try again later.",
        LimitExceededData(retryable=True, limit="seconds of an answer", maximum=math.ceil(most_s)),
    )


def access_denied(problem: str) -> RecapError:
    """`problem` is the whole sentence, with what to do next."""
    return _plain(ACCESS_DENIED, problem)


def _plain(code: int, message: str, *, retryable: bool = False) -> RecapError:
    return RecapError(code, message, ErrorData(retryable=retryable))


def _shown(text: str) -> str:
    """The caller's text for use in a message: one line, printable, bounded."""
    printable = "".join(char if char.isprintable() and char != "`" else " " for char in text[:_SHOWN_CHARACTERS])
    return f"`{printable}…`" if len(text) > _SHOWN_CHARACTERS else f"`{printable}`"
