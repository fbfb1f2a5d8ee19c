"""The table of methods: one row per request and notification of the protocol, and all that is known of it by its name.

Whoever serves requests goes by the rows. The function that answers one is found by the method's name: `recap/get` is
`get` in the module `recap` of `server.methods`; a row, that function and the types of its params and result are all
that a method needs.
What LSP defines (`initialize`, `shutdown`, `textDocument/*`, `$/cancelRequest`) is not repeated here.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.wire import errors, types
from recapd.wire.types import SessionReadParams, Wire

MethodKind: TypeAlias = Literal["request", "notification"]
Direction: TypeAlias = Literal["clientToServer", "serverToClient"]
# What a request is about: one session, which is found before the handler runs; whatever there is; the connection it
# came by.
Scope: TypeAlias = Literal["session", "all", "connection"]
# What an answer takes. "quick": next to nothing, on the loop where the session is short. "thinks": computing; where
# it is kept, clients ask it again as the session goes on. "reads": the disk, or a walk over all sessions. "waits": for
# somebody else; its handler is `async`.
# Whatever its cost, what was asked before is answered on the loop, and a request whose session is not at hand is not.
Cost: TypeAlias = Literal["quick", "thinks", "reads", "waits"]


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
    scope: Scope
    cost: Cost
    # Whether the answer is a pure read of the session's state, or of all sessions', to be kept for whoever asks the
    # same next.
    cached: bool = False
    # Fields of the params that hold a path or a file URI: folders, and logs (`log`, `source`), which a client over TCP
    # may name only below a watched folder.
    paths: tuple[str, ...] = ()
    # Of those about a connection: whether a process that has none answers it too.
    alone: bool = False
    # The feature by whose name `recapd/discover` and `initialize` say that it is served; None: always.
    capability: str | None = None

    @property
    def is_served(self) -> bool:
        """Whether a client may ask for it."""
        return self.kind == "request" and self.direction == "clientToServer"

    @property
    def is_served_alone(self) -> bool:
        """Whether a process without connections answers it."""
        return self.is_served and (self.scope != "connection" or self.alone)

    @property
    def may_be_unchanged(self) -> bool:
        """Whether the answer may be `Unchanged` instead of `result`."""
        return issubclass(self.params, SessionReadParams)


_SESSION = (errors.SESSION_NOT_FOUND, errors.NOT_READY, errors.ACCESS_DENIED)
_PAGED = (*_SESSION, errors.CURSOR_EXPIRED)
_READS_LOG = (*_SESSION, errors.SOURCE_GONE)
_NAMED = ("session.log", "session.workspace", "cwd")

METHODS: tuple[Method, ...] = (
    Method(
        name="session/list",
        params=types.SessionListParams,
        result=types.SessionListResult,
        scope="all",
        cost="reads",
        cached=True,
        paths=("workspace",),
        errors=(errors.CURSOR_EXPIRED,),
        doc="Lists sessions, most recently active first, also while indexing goes on.",
    ),
    Method(
        name="session/overview",
        params=types.SessionOverviewParams,
        result=types.SessionOverviewResult,
        scope="all",
        cost="reads",
        cached=True,
        paths=("workspace",),
        doc="Says in a line each where the sessions of a workspace stand, those that wait for the user first.",
    ),
    Method(
        name="search",
        params=types.SearchParams,
        result=types.SearchResult,
        scope="all",
        cost="reads",
        paths=("workspace",),
        errors=(errors.CURSOR_EXPIRED,),
        doc="Finds words in everything that was said in all sessions, with the line that has them and where it stands.",
    ),
    Method(
        name="session/forget",
        params=types.SessionForgetParams,
        result=types.SessionForgetResult,
        scope="session",
        cost="reads",
        paths=_NAMED,
        errors=(errors.SESSION_NOT_FOUND, errors.ACCESS_DENIED),
        doc="Removes what recapd keeps of a session, never the log, and does not index it again.",
    ),
    Method(
        name="session/remember",
        params=types.SessionRememberParams,
        result=types.SessionRememberResult,
        # It is not known until it is remembered.
        scope="all",
        cost="reads",
        paths=_NAMED,
        errors=(errors.SESSION_NOT_FOUND, errors.ACCESS_DENIED),
        doc="Takes `session/forget` back: the session is indexed again.",
    ),
    Method(
        name="session/export",
        params=types.SessionExportParams,
        result=types.SessionExportResult,
        scope="session",
        cost="reads",
        paths=_NAMED,
        errors=_SESSION,
        doc="Everything recapd knows of one session.",
    ),
    Method(
        name="session/signal",
        params=types.SessionSignalParams,
        result=None,
        scope="connection",
        cost="reads",
        paths=("session.log", "session.workspace"),
        errors=(errors.SESSION_NOT_FOUND, errors.NOT_READY, errors.ACCESS_DENIED),
        doc="Word from an agent's hook: what happened in a session, which counts until the log says otherwise.",
    ),
    Method(
        name="recap/get",
        params=types.RecapGetParams,
        result=types.RecapGetResult,
        scope="session",
        cost="thinks",
        cached=True,
        paths=_NAMED,
        errors=_PAGED,
        doc="Where a session stands, as Markdown and as data; a pure read that never waits for a summary.",
    ),
    Method(
        name="recap/acknowledge",
        params=types.RecapAcknowledgeParams,
        result=types.RecapAcknowledgeResult,
        scope="connection",
        cost="reads",
        paths=_NAMED,
        errors=_PAGED,
        doc="Moves a named reader's mark, for `since: {consumer}`.",
    ),
    Method(
        name="recap/verify",
        params=types.RecapVerifyParams,
        result=types.RecapVerifyResult,
        scope="session",
        cost="reads",
        paths=_NAMED,
        errors=_READS_LOG,
        doc="Reads every cited line again and tells which claims it no longer proves.",
    ),
    Method(
        name="recap/subscribe",
        capability="subscriptions",
        params=types.RecapSubscribeParams,
        result=types.RecapSubscribeResult,
        scope="connection",
        cost="waits",
        paths=("selector.session.log", "selector.session.workspace", "selector.workspace"),
        errors=(errors.SESSION_NOT_FOUND, errors.LIMIT_EXCEEDED, errors.ACCESS_DENIED),
        doc="Asks to be told by `recap/didChange` when sessions change.",
    ),
    Method(
        name="recap/unsubscribe",
        capability="subscriptions",
        params=types.RecapUnsubscribeParams,
        result=None,
        scope="connection",
        cost="quick",
        doc="Ends a subscription; ending one that is not there is no error.",
    ),
    Method(
        name="recap/didChange",
        capability="subscriptions",
        kind="notification",
        direction="serverToClient",
        params=types.RecapDidChangeParams,
        result=None,
        scope="connection",
        cost="quick",
        doc="Sessions of a subscription changed: which, and what of them.",
    ),
    Method(
        name="ref/resolve",
        params=types.RefResolveParams,
        result=types.RefResolveResult,
        # A ref names its session by its source, and the source may be gone.
        scope="all",
        cost="reads",
        paths=("ref.source", *_NAMED),
        errors=(*_READS_LOG, errors.REF_STALE),
        doc="What stands at a place of a log.",
    ),
    Method(
        name="transcript/get",
        params=types.TranscriptGetParams,
        result=types.TranscriptGetResult,
        scope="session",
        cost="reads",
        paths=("around.source", *_NAMED),
        errors=(*_PAGED, errors.SOURCE_GONE, errors.REF_STALE),
        doc="The conversation itself, turn by turn: every message whole, every call with its outcome.",
    ),
    Method(
        name="timeline/get",
        params=types.TimelineGetParams,
        result=types.TimelineGetResult,
        scope="session",
        cost="thinks",
        paths=_NAMED,
        errors=_PAGED,
        doc="The way of a conversation, to draw it: its turns, what stands beside them, its topics.",
    ),
    Method(
        name="decisions/list",
        params=types.DecisionsListParams,
        result=types.DecisionsListResult,
        scope="session",
        cost="thinks",
        paths=_NAMED,
        errors=_PAGED,
        doc="The ledger of decisions, filtered, page by page.",
    ),
    Method(
        name="decisions/judge",
        params=types.DecisionsJudgeParams,
        result=types.DecisionsJudgeResult,
        scope="session",
        cost="reads",
        paths=_NAMED,
        errors=_SESSION,
        doc="The user's word on an entry, kept and audited; null takes it back, as if nothing had been said.",
    ),
    Method(
        name="decisions/dismiss",
        params=types.DecisionsDismissParams,
        result=types.DecisionsDismissResult,
        scope="session",
        cost="reads",
        paths=_NAMED,
        errors=_SESSION,
        doc="The user's word that an entry is no decision; kept, audited, undone by `decisions/confirm`.",
    ),
    Method(
        name="decisions/confirm",
        params=types.DecisionsConfirmParams,
        result=types.DecisionsConfirmResult,
        scope="session",
        cost="reads",
        paths=_NAMED,
        errors=_SESSION,
        doc="The user's word that an entry is a decision; kept, audited, undone by `decisions/dismiss`.",
    ),
    Method(
        name="files/list",
        params=types.FilesListParams,
        result=types.FilesListResult,
        scope="session",
        cost="quick",
        paths=_NAMED,
        errors=_PAGED,
        doc="Files that the session touched, and what became of each.",
    ),
    Method(
        name="files/changes",
        params=types.FilesChangesParams,
        result=types.FilesChangesResult,
        scope="session",
        cost="reads",
        paths=("uri", *_NAMED),
        errors=(*_PAGED, errors.SOURCE_GONE),
        doc="What the agent changed in a file, attempt by attempt, as hunks read from the log.",
    ),
    Method(
        name="why/get",
        params=types.WhyGetParams,
        result=types.WhyGetResult,
        # It is about a file, whichever sessions wrote it.
        scope="all",
        cost="reads",
        paths=("path",),
        doc="Which turns wrote the lines of a source file as they are now, and why: only what the texts prove.",
    ),
    Method(
        name="context/assemble",
        params=types.ContextAssembleParams,
        result=types.ContextAssembleResult,
        scope="session",
        cost="thinks",
        cached=True,
        paths=_NAMED,
        errors=_READS_LOG,
        doc="A context for an agent within a token budget, summarized and verbatim parts without hole or overlap.",
    ),
    Method(
        name="context/summary",
        params=types.ContextSummaryParams,
        result=types.ContextSummaryResult,
        scope="session",
        cost="thinks",
        cached=True,
        paths=_NAMED,
        errors=_SESSION,
        doc="A structured summary for going on with a session.",
    ),
    Method(
        name="orientation/get",
        params=types.OrientationGetParams,
        result=types.OrientationGetResult,
        scope="session",
        cost="thinks",
        cached=True,
        paths=_NAMED,
        errors=_SESSION,
        doc="Instruction and facts for an agent to orient its user, or a ready block to prepend.",
    ),
    Method(
        name="reading/start",
        params=types.ReadingStartParams,
        result=types.ReadingStartResult,
        scope="session",
        cost="waits",
        paths=_NAMED,
        errors=_READS_LOG,
        doc="Has a session read by the model that the user set up, or says what that will cost and how far it is.",
    ),
    Method(
        name="reading/stop",
        params=types.ReadingStopParams,
        result=types.ReadingStopResult,
        scope="session",
        cost="waits",
        paths=_NAMED,
        errors=_SESSION,
        doc="Ends the reading of a session; what was read is kept, and the next time it goes on from there.",
    ),
    Method(
        name="hook/answer",
        params=types.HookAnswerParams,
        result=types.HookAnswerResult,
        # The session that starts is not known yet; that of its folder before it is.
        scope="all",
        cost="reads",
        paths=("session.log", "session.workspace", "workspace"),
        errors=(errors.ACCESS_DENIED,),
        doc="What to tell an agent unasked at a moment of its session: little, and nothing where nothing is to say.",
    ),
    Method(
        name="summary/create",
        params=types.SummaryCreateParams,
        result=types.SummaryCreateResult,
        scope="session",
        cost="waits",
        paths=_NAMED,
        errors=(*_READS_LOG, errors.SUMMARY_UNAVAILABLE, errors.LIMIT_EXCEEDED),
        doc="Makes a summary now; the one request that may wait, with a deadline, and it can be cancelled.",
    ),
    Method(
        name="summary/list",
        params=types.SummaryListParams,
        result=types.SummaryListResult,
        scope="session",
        cost="quick",
        paths=_NAMED,
        errors=_PAGED,
        doc="Rolling summaries with what they cover.",
    ),
    Method(
        name="summary/digest",
        params=types.SummaryDigestParams,
        result=types.SummaryDigestResult,
        scope="session",
        cost="waits",
        paths=_NAMED,
        errors=(*_READS_LOG, errors.SUMMARY_UNAVAILABLE, errors.LIMIT_EXCEEDED),
        doc="The session boiled down to a budget of tokens; with `model` it may wait, with a deadline.",
    ),
    Method(
        name="history/get",
        params=types.HistoryGetParams,
        result=types.HistoryGetResult,
        scope="session",
        cost="reads",
        cached=True,
        paths=_NAMED,
        errors=(*_READS_LOG, errors.CURSOR_EXPIRED),
        doc="The conversation as summaries of its beginning and the messages after them.",
    ),
    Method(
        name="config/get",
        params=types.ConfigGetParams,
        result=types.ConfigGetResult,
        scope="all",
        cost="reads",
        paths=("workspace",),
        doc="The configuration in effect, with the source of each value.",
    ),
    Method(
        name="recapd/discover",
        params=types.RecapdDiscoverParams,
        result=types.RecapdDiscoverResult,
        scope="connection",
        cost="quick",
        paths=("roots.path",),
        alone=True,
        errors=(errors.UNSUPPORTED_PROTOCOL, errors.ACCESS_DENIED),
        doc="Version, capabilities, methods and formats; the handshake of clients that skip `initialize`.",
    ),
    Method(
        name="recapd/status",
        params=types.RecapdStatusParams,
        result=types.RecapdStatusResult,
        scope="connection",
        cost="quick",
        errors=(errors.CURSOR_EXPIRED,),
        doc="Health by progress: what was read against what there is to read.",
    ),
    Method(
        name="recapd/didChangeStatus",
        kind="notification",
        direction="serverToClient",
        params=types.RecapdDidChangeStatusParams,
        result=None,
        scope="connection",
        cost="quick",
        doc="recapd's health changed, or it came to rest.",
    ),
    Method(
        name="recapd/watch",
        params=types.RecapdWatchParams,
        result=types.RecapdWatchResult,
        scope="connection",
        cost="waits",
        paths=("workspace",),
        errors=(errors.LIMIT_EXCEEDED, errors.ACCESS_DENIED),
        doc="Switches the `_recap.md` of a folder on or off, and tells which folders have one.",
    ),
    Method(
        name="recapd/panel",
        params=types.RecapdPanelParams,
        result=types.RecapdPanelResult,
        scope="connection",
        cost="waits",
        errors=(errors.LIMIT_EXCEEDED, errors.ACCESS_DENIED),
        doc="Switches the panel for browsers on this machine on or off, and tells its address.",
    ),
    Method(
        name="recapd/authenticate",
        params=types.RecapdAuthenticateParams,
        result=None,
        scope="connection",
        cost="quick",
        errors=(errors.ACCESS_DENIED,),
        doc="The first frame of a TCP connection; anything else closes it.",
    ),
    Method(
        name="recapd/shutdown",
        params=types.RecapdShutdownParams,
        result=None,
        scope="connection",
        cost="quick",
        errors=(errors.ACCESS_DENIED,),
        doc="Ends the daemon; LSP's `exit` ends only its connection.",
    ),
)

# Optional features by name, for `recapd/discover` and `initialize`.
FEATURES = tuple(dict.fromkeys(row.capability for row in METHODS if row.capability is not None))

_BY_NAME = {row.name: row for row in METHODS}


def lookup(name: str) -> Method | None:
    return _BY_NAME.get(name)
