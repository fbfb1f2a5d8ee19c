"""The table of methods: one row per request and notification of the protocol, whoever serves it.

What LSP defines (`initialize`, `shutdown`, `textDocument/*`, `$/cancelRequest`) is not repeated here.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.wire import errors, types
from recapd.wire.types import SessionReadParams, Wire

MethodKind: TypeAlias = Literal["request", "notification"]
Direction: TypeAlias = Literal["clientToServer", "serverToClient"]


class Method(Struct, frozen=True, kw_only=True):
    """One row. `result` None means that the answer is `null`, or that there is none to a notification."""

    name: str
    params: type[Wire]
    result: type[Wire] | None
    doc: str
    since: str = "0.1.0"
    kind: MethodKind = "request"
    direction: Direction = "clientToServer"
    # Codes of our own that this method may answer with, besides errors.COMMON_ERRORS.
    errors: tuple[int, ...] = ()

    @property
    def may_be_unchanged(self) -> bool:
        """Whether the answer may be `Unchanged` instead of `result`."""
        return issubclass(self.params, SessionReadParams)


_SESSION = (errors.SESSION_NOT_FOUND, errors.NOT_READY, errors.ACCESS_DENIED)
_PAGED = (*_SESSION, errors.CURSOR_EXPIRED)
_READS_LOG = (*_SESSION, errors.SOURCE_GONE)

METHODS: tuple[Method, ...] = (
    Method(
        name="session/list",
        params=types.SessionListParams,
        result=types.SessionListResult,
        errors=(errors.CURSOR_EXPIRED,),
        doc="Lists sessions, most recently active first, also while indexing goes on.",
    ),
    Method(
        name="session/overview",
        params=types.SessionOverviewParams,
        result=types.SessionOverviewResult,
        doc="Says in a line each where the sessions of a workspace stand, those that wait for the user first.",
    ),
    Method(
        name="session/forget",
        params=types.SessionForgetParams,
        result=types.SessionForgetResult,
        errors=(errors.SESSION_NOT_FOUND, errors.ACCESS_DENIED),
        doc="Removes what recapd keeps of a session, never the log, and does not index it again.",
    ),
    Method(
        name="session/remember",
        params=types.SessionRememberParams,
        result=types.SessionRememberResult,
        errors=(errors.SESSION_NOT_FOUND, errors.ACCESS_DENIED),
        doc="Takes `session/forget` back: the session is indexed again.",
    ),
    Method(
        name="session/export",
        params=types.SessionExportParams,
        result=types.SessionExportResult,
        errors=_SESSION,
        doc="Everything recapd knows of one session.",
    ),
    Method(
        name="recap/get",
        params=types.RecapGetParams,
        result=types.RecapGetResult,
        errors=_PAGED,
        doc="Where a session stands, as Markdown and as data; a pure read that never waits for a summary.",
    ),
    Method(
        name="recap/acknowledge",
        params=types.RecapAcknowledgeParams,
        result=types.RecapAcknowledgeResult,
        errors=_PAGED,
        doc="Moves a named reader's mark, for `since: {consumer}`.",
    ),
    Method(
        name="recap/verify",
        params=types.RecapVerifyParams,
        result=types.RecapVerifyResult,
        errors=_READS_LOG,
        doc="Reads every cited line again and tells which claims it no longer proves.",
    ),
    Method(
        name="recap/subscribe",
        params=types.RecapSubscribeParams,
        result=types.RecapSubscribeResult,
        errors=(errors.SESSION_NOT_FOUND, errors.LIMIT_EXCEEDED, errors.ACCESS_DENIED),
        doc="Asks to be told by `recap/didChange` when sessions change.",
    ),
    Method(
        name="recap/unsubscribe",
        params=types.RecapUnsubscribeParams,
        result=None,
        doc="Ends a subscription; ending one that is not there is no error.",
    ),
    Method(
        name="recap/didChange",
        kind="notification",
        direction="serverToClient",
        params=types.RecapDidChangeParams,
        result=None,
        doc="Sessions of a subscription changed: which, and what of them.",
    ),
    Method(
        name="ref/resolve",
        params=types.RefResolveParams,
        result=types.RefResolveResult,
        errors=(*_READS_LOG, errors.REF_STALE),
        doc="What stands at a place of a log.",
    ),
    Method(
        name="decisions/list",
        params=types.DecisionsListParams,
        result=types.DecisionsListResult,
        errors=_PAGED,
        doc="The ledger of decisions, filtered, page by page.",
    ),
    Method(
        name="decisions/dismiss",
        params=types.DecisionsDismissParams,
        result=types.DecisionsDismissResult,
        errors=_SESSION,
        doc="The user's word that an entry is no decision; kept, audited, undone by `decisions/confirm`.",
    ),
    Method(
        name="decisions/confirm",
        params=types.DecisionsConfirmParams,
        result=types.DecisionsConfirmResult,
        errors=_SESSION,
        doc="The user's word that an entry is a decision; kept, audited, undone by `decisions/dismiss`.",
    ),
    Method(
        name="files/list",
        params=types.FilesListParams,
        result=types.FilesListResult,
        errors=_PAGED,
        doc="Files that the session touched, and what became of each.",
    ),
    Method(
        name="context/assemble",
        params=types.ContextAssembleParams,
        result=types.ContextAssembleResult,
        errors=_READS_LOG,
        doc="A context for an agent within a token budget, summarized and verbatim parts without hole or overlap.",
    ),
    Method(
        name="context/summary",
        params=types.ContextSummaryParams,
        result=types.ContextSummaryResult,
        errors=_SESSION,
        doc="A structured summary for going on with a session.",
    ),
    Method(
        name="orientation/get",
        params=types.OrientationGetParams,
        result=types.OrientationGetResult,
        errors=_SESSION,
        doc="Instruction and facts for an agent to orient its user, or a ready block to prepend.",
    ),
    Method(
        name="summary/create",
        params=types.SummaryCreateParams,
        result=types.SummaryCreateResult,
        errors=(*_READS_LOG, errors.SUMMARY_UNAVAILABLE, errors.LIMIT_EXCEEDED),
        doc="Makes a summary now; the one request that may wait, with a deadline, and it can be cancelled.",
    ),
    Method(
        name="summary/list",
        params=types.SummaryListParams,
        result=types.SummaryListResult,
        errors=_PAGED,
        doc="Rolling summaries with what they cover.",
    ),
    Method(
        name="summary/digest",
        params=types.SummaryDigestParams,
        result=types.SummaryDigestResult,
        errors=(*_READS_LOG, errors.SUMMARY_UNAVAILABLE, errors.LIMIT_EXCEEDED),
        doc="The session boiled down to a budget of tokens; with `model` it may wait, with a deadline.",
    ),
    Method(
        name="history/get",
        params=types.HistoryGetParams,
        result=types.HistoryGetResult,
        errors=_READS_LOG,
        doc="The conversation as summaries of its beginning and the messages after them.",
    ),
    Method(
        name="config/get",
        params=types.ConfigGetParams,
        result=types.ConfigGetResult,
        doc="The configuration in effect, with the source of each value.",
    ),
    Method(
        name="recapd/discover",
        params=types.RecapdDiscoverParams,
        result=types.RecapdDiscoverResult,
        errors=(errors.UNSUPPORTED_PROTOCOL, errors.ACCESS_DENIED),
        doc="Version, capabilities, methods and formats; the handshake of clients that skip `initialize`.",
    ),
    Method(
        name="recapd/status",
        params=types.RecapdStatusParams,
        result=types.RecapdStatusResult,
        errors=(errors.CURSOR_EXPIRED,),
        doc="Health by progress: what was read against what there is to read.",
    ),
    Method(
        name="recapd/didChangeStatus",
        kind="notification",
        direction="serverToClient",
        params=types.RecapdDidChangeStatusParams,
        result=None,
        doc="recapd's health changed, or it came to rest.",
    ),
    Method(
        name="recapd/watch",
        params=types.RecapdWatchParams,
        result=types.RecapdWatchResult,
        errors=(errors.LIMIT_EXCEEDED, errors.ACCESS_DENIED),
        doc="Switches the `_recap.md` of a folder on or off, and tells which folders have one.",
    ),
    Method(
        name="recapd/authenticate",
        params=types.RecapdAuthenticateParams,
        result=None,
        errors=(errors.ACCESS_DENIED,),
        doc="The first frame of a TCP connection; anything else closes it.",
    ),
    Method(
        name="recapd/shutdown",
        params=types.RecapdShutdownParams,
        result=None,
        errors=(errors.ACCESS_DENIED,),
        doc="Ends the daemon; LSP's `exit` ends only its connection.",
    ),
)

_BY_NAME = {row.name: row for row in METHODS}


def lookup(name: str) -> Method | None:
    return _BY_NAME.get(name)
