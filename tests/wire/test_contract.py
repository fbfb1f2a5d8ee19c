"""What clients outside the project rely on, written down a second time: methods, fields and which of them are optional.

`?` marks a field that may be absent. More fields are welcome, fewer are not.
"""

import pytest
from msgspec import inspect

from recapd.wire import types
from recapd.wire.errors import ERRORS
from recapd.wire.methods import METHODS, Method, lookup
from recapd.wire.types.base import SessionParams, SessionResult, Wire

SESSION_METHODS = {
    "recap/get": (
        "format? maxTokens? collapsible? showDecisions? atTurn? since? force? currentPrompt? knownRevision?",
        "format shown reason? trigger? turn cursor markdown tokens recap summary",
    ),
    "recap/acknowledge": ("consumer cursor", ""),
    "decisions/list": (
        "status? includeTentative? madeBy? type? minConfidence? sinceTurn? query? limit? cursor? knownRevision?",
        "total decisions nextCursor?",
    ),
    "timeline/get": ("since? buckets?", "turns marks topics"),
    "decisions/judge": ("id verdict reason?", ""),
    "decisions/dismiss": ("id reason?", ""),
    "decisions/confirm": ("id reason?", ""),
    "context/assemble": (
        "maxTokens prompt? output? preset? window? include? knownRevision?",
        "text? messages? tokens sections coverage omitted prefixHash prefixTokens",
    ),
    "context/summary": (
        "knownRevision?",
        "stats keyDecisions progress fileModifications toolsUsed userRequests formatted",
    ),
    "files/list": ("action? limit? cursor? knownRevision?", "files"),
    "files/changes": ("uri fromTurn?", "changes"),
    "orientation/get": ("currentPrompt?", "shown instruction facts block"),
    "reading/start": ("dryRun?", "state by model? pieces? tokens? usd? throughTurn? pending? message?"),
    "reading/stop": ("", "state"),
    "summary/create": ("focus? model?", "summary stats"),
    "summary/list": ("limit? cursor?", "summaries nextCursor?"),
    "summary/digest": ("maxTokens? model? workers?", "text tokens episodes total method note?"),
    "history/get": ("full?", "summaries messages"),
    "ref/resolve": ("ref", "excerpt kind stale turn? message?"),
    "transcript/get": (
        "turn? fromTurn? toTurn? around? limit? cursor? maxChars? format? knownRevision?",
        "turns total markdown? nextCursor?",
    ),
    "recap/verify": ("", "checked ok changed missing"),
    "session/forget": ("", ""),
    "session/remember": ("", ""),
    "session/export": ("", ""),
}
OTHER_METHODS = {
    "session/list": ("workspace? agent? query? consumer? limit? cursor?", "sessions nextCursor?"),
    "session/signal": ("session kind at text? summary? pid?", None),
    "hook/answer": ("session moment workspace? prompt?", "text tokens sessionId?"),
    "session/overview": ("workspace? consumer? limit?", "sessions waiting total markdown"),
    "recap/subscribe": ("subscriptionId selector since? settle?", "cursor fresh sessions"),
    "recap/unsubscribe": ("subscriptionId", None),
    "config/get": ("workspace?", "values"),
    "search": ("query workspace? limit? cursor?", "hits nextCursor?"),
    "why/get": ("path line? range? text?", "lines"),
    "recapd/discover": ("", "version protocolVersion instanceId capabilities methods formats"),
    "recapd/status": ("", "health quiescent roots sources queues memoryBytes clients summaryBudget"),
    "recapd/watch": ("workspace? on?", "workspaces"),
    "recapd/panel": ("on? port?", "url"),
    "recapd/authenticate": ("token", None),
    "recapd/shutdown": ("", None),
}
NOTIFICATIONS = {
    "recap/didChange": "subscriptionId cursor fresh changes",
    "recapd/didChangeStatus": "health quiescent message?",
}
STRUCTS: dict[type[Wire], str] = {
    types.LogRef: "source generation line byteOffset byteLength",
    types.SessionSelector: "id? log? workspace?",
    types.WhyLines: "from to sessionId turn at request decisions refs",
    types.SearchHit: "sessionId title turn kind text ref",
    types.TimelineTurn: "turn at until? text calls failed edits state ref",
    types.TimelineMark: "turn at kind text ref decisionId?",
    types.TimelineTopic: "fromTurn toTurn title",
    types.FileChange: "turn at tool ok hunks ref",
    types.Unchanged: "unchanged sessionId revision",
    types.SessionInfo: "id title agent model? workspace? branch? startedAt? lastActiveAt turns? messages? state log "
    "resumeCommand? indexed revision",
    types.Recap: "originalRequest currentFocus userRequests decisions recentActions files progress openItems "
    "sinceLastRecap? state stats commands? tests?",
    types.SummaryNote: "state text? coversThrough?",
    types.Since: "turn? time? cursor? consumer?",
    types.Decision: "id turn messageIndex timestamp text type madeBy how confidence status supersedes? supersededBy? "
    "rationale? alternatives quote ref proposalRef?",
    types.Progress: "completedStages currentStage? percentage milestones todo?",
    types.Milestone: "text ref",
    types.Todo: "done total items",
    types.SessionStats: "turns exchanges messages toolCalls failedToolCalls estimatedTokens filesChanged commandsRun "
    "firstAt lastAt commandsFailed? testsRun? subagents?",
    types.FileEntry: "path action touchCount tools firstTurn lastTurn failed ref via? renamedTo?",
    types.UserRequest: "text turn at? ref",
    types.Action: "text kind ok? turn at? ref count? via?",
    types.OpenItem: "text kind ref",
    types.SessionState: "status detail reason? since? ref?",
    types.CommandRun: "command exitCode? ok? turn ref",
    types.TestRun: "command passed? failed? skipped? ok turn ref",
    types.ContextSection: "name tokens refs fromMessage? toMessage?",
    types.Coverage: "summarizedThrough verbatimFrom messages",
    types.OmittedSection: "name reason tokens",
    types.Reduction: "messagesBefore messagesAfter tokensBefore tokensAfter reduction",
    types.SessionChange: "sessionId revision sections",
    types.SubscriptionSelector: "session? workspace? all?",
    types.Settle: "quietMs maxMs",
    types.WatchedWorkspace: "path file writtenAt? message?",
    types.SourceStatus: "source parsedOffset sizeBytes records unknownRecords problems",
}
CODES = {
    1001: "sessionNotFound",
    1002: "sourceGone",
    1003: "refStale",
    1004: "cursorExpired",
    1005: "notReady",
    1006: "summaryUnavailable",
    1007: "unsupportedProtocol",
    1008: "limitExceeded",
    1009: "accessDenied",
    -32700: "parseError",
    -32600: "invalidRequest",
    -32601: "methodNotFound",
    -32602: "invalidParams",
    -32603: "internalError",
    -32800: "requestCancelled",
}


def check(wire_type: type[Wire], promised: str) -> None:
    info = inspect.type_info(wire_type)
    assert isinstance(info, inspect.StructType)
    fields = {field.encode_name: field.required for field in info.fields}
    for name in promised.split():
        assert name.removesuffix("?") in fields, f"{wire_type.__name__} lacks {name}"
        assert fields[name.removesuffix("?")] != name.endswith("?"), f"{wire_type.__name__}.{name}: wrongly optional"


def test_the_table_has_every_method_once() -> None:
    promised = [*SESSION_METHODS, *OTHER_METHODS, *NOTIFICATIONS]
    assert sorted(row.name for row in METHODS) == sorted(promised)


@pytest.mark.parametrize("name", [*SESSION_METHODS, *OTHER_METHODS])
def test_a_request_has_the_promised_fields(name: str) -> None:
    row = lookup(name)
    assert row is not None
    assert (row.kind, row.direction) == ("request", "clientToServer")
    params, result = (SESSION_METHODS | OTHER_METHODS)[name]
    check(row.params, params)
    if result is None:
        assert row.result is None
        return
    assert row.result is not None
    check(row.result, result)
    if name in SESSION_METHODS:
        assert issubclass(row.params, SessionParams)
        assert issubclass(row.result, SessionResult)
        check(row.params, "session? cwd?")
        check(row.result, "sessionId revision")


@pytest.mark.parametrize("name", NOTIFICATIONS)
def test_a_notification_has_the_promised_fields(name: str) -> None:
    row = lookup(name)
    assert row is not None
    assert (row.kind, row.direction, row.result) == ("notification", "serverToClient", None)
    check(row.params, NOTIFICATIONS[name])


@pytest.mark.parametrize("wire_type", STRUCTS, ids=lambda wire_type: wire_type.__name__)
def test_a_struct_has_the_promised_fields(wire_type: type[Wire]) -> None:
    check(wire_type, STRUCTS[wire_type])


def test_the_error_table_has_the_promised_codes() -> None:
    assert CODES.items() <= {row.code: row.name for row in ERRORS}.items()
    assert len({row.code for row in ERRORS}) == len({row.name for row in ERRORS}) == len(ERRORS)


@pytest.mark.parametrize("row", METHODS, ids=lambda row: row.name)
def test_types_are_named_after_their_method(row: Method) -> None:
    """Whoever knows a method's name can guess the names of its types."""
    family, _, verb = row.name.partition("/")
    stem = family.capitalize() + verb[:1].upper() + verb[1:]
    assert row.params.__name__ == f"{stem}Params"
    assert row.result is None or row.result.__name__ == f"{stem}Result"


def test_an_unknown_method_is_not_found() -> None:
    assert lookup("recap/nothing") is None
