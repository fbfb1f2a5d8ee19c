"""Wire types of `recap/get` and `recap/acknowledge`: the recap."""

from typing import Annotated, Literal, TypeAlias, get_args

from recapd.wire.types.activity import (
    Action,
    CommandRun,
    CurrentFocus,
    OpenItem,
    Progress,
    SessionState,
    SessionStats,
    TestRun,
    UserRequest,
)
from recapd.wire.types.base import (
    AtLeastOne,
    AtLeastZero,
    LogRef,
    SessionParams,
    SessionReadParams,
    SessionResult,
    Time,
    TimeParam,
    Wire,
    open_enum,
    require_one,
)
from recapd.wire.types.decisions import Decision
from recapd.wire.types.files import FileEntry
from recapd.wire.types.reading import ReaderNote

RecapFormatName: TypeAlias = Literal["short", "full", "decisions", "timeline", "resume"]
RecapFormat: TypeAlias = Annotated[str, open_enum("RecapFormat", "Shape of the Markdown.", get_args(RecapFormatName))]
RecapTrigger: TypeAlias = Annotated[
    str,
    open_enum(
        "RecapTrigger",
        "Why the recap is shown: the session passed the turn threshold, the user came back after a gap, or somebody "
        "asked.",
        ("threshold", "gap", "request"),
    ),
]
SummaryState: TypeAlias = Annotated[
    str,
    open_enum("SummaryState", "How far the rolling summary of the session is.", ("none", "pending", "ready", "failed")),
]
LostKind: TypeAlias = Annotated[
    str, open_enum("LostKind", "What a summary lost.", ("decision", "request", "file", "command"))
]

ChangeKind: TypeAlias = Annotated[
    str,
    open_enum(
        "ChangeKind",
        "What changed: something was decided, a decision was replaced, tests pass or fail that did not, a commit was "
        "made, a pull request opened, a file changed, the agent's memory replaced by a summary.",
        ("decision", "replaced", "testsPassed", "testsFailed", "commit", "pullRequest", "file", "compaction"),
    ),
]
ViewFactKind: TypeAlias = Annotated[
    str,
    open_enum("ViewFactKind", "What a fact is about.", ("tests", "branch", "commit", "pullRequest", "todo", "model")),
]
ViewSectionName: TypeAlias = Annotated[
    str,
    open_enum(
        "ViewSectionName",
        "What a section of a recap is about.",
        (
            *("request", "decisions", "recent", "timeline", "done", "actions", "progress", "files", "open", "focus"),
            *("state", "contradictions", "stats", "resume", "next", "lessCertain", "still", "tools"),
        ),
    ),
]


class Since(Wire, frozen=True, kw_only=True):
    """A point in a session after which everything is new; exactly one field is set."""

    turn: AtLeastZero | None = None
    """After this turn."""
    time: TimeParam | None = None
    """After this time."""
    cursor: str | None = None
    """After the recap that carried this cursor."""
    consumer: str | None = None
    """After what this named reader last acknowledged."""

    def __post_init__(self) -> None:
        named = (self.turn, self.time, self.cursor, self.consumer)
        require_one(sum(each is not None for each in named), "turn, time, cursor, consumer")


class ViewItem(Wire, frozen=True, kw_only=True):
    """One statement of a recap: plain text, clean and without secrets, not escaped for Markdown."""

    id: str
    """The same in the next recap as long as it is about the same; unlike those beside it."""
    text: str
    """The statement."""
    turn: int
    """Turn it belongs to, from 1; 0 where there is none."""
    refs: tuple[LogRef, ...]
    """The records that prove it; none for what no log says, as the command to go on."""
    to_turn: int | None = None
    """Last turn of a topic, or the turn that ended a decision."""
    at: Time | None = None
    """When."""
    decision_id: str | None = None
    """The entry of the ledger, where it is one."""
    by: str | None = None
    """Who decided it (`MadeBy`), or the sub-agent that did it."""
    status: str | None = None
    """What became of a decision (`DecisionStatus`), what was done to a file (`FileAction`), why something is open
    (`OpenItemKind`)."""
    file_uri: str | None = None
    """The file it is about, where its place is known."""
    ok: bool | None = None
    """Whether it succeeded, where that can be said."""
    children: tuple["ViewItem", ...] | None = None
    """What belongs to it: the results of a topic, the decisions that one replaced, the files of a line."""


class ChangeItem(ViewItem, frozen=True, kw_only=True):
    """Something that changed: a statement, and of what sort it is."""

    kind: ChangeKind
    """What happened."""


class SinceLastRecap(Wire, frozen=True, kw_only=True):
    """What is new since the point that `since` named, or since the reader that `consumer` names last looked."""

    text: str
    """The news in one sentence."""
    from_turn: int
    """Last turn that is not new; 0 when all is new."""
    turns: int
    """New turns."""
    from_time: Time | None = None
    """Time of the last record that is not new."""
    decisions: int | None = None
    """New decisions."""
    actions: int | None = None
    """New actions."""
    files: int | None = None
    """Files touched anew."""
    first: bool | None = None
    """The reader has never acknowledged a recap of this session: nothing is news to it, and the counts are all there
    is."""
    items: tuple[ChangeItem, ...] = ()
    """What changed, in the order of the log, files last; of each kind the latest ten."""


class Recap(Wire, frozen=True, kw_only=True):
    """Where a session stands. Each claim carries the ref that proves it."""

    original_request: UserRequest | None
    """What the user first asked for; null while nothing was asked."""
    current_focus: CurrentFocus | None
    """What the session is about right now; null while nothing was asked."""
    user_requests: tuple[UserRequest, ...]
    """The latest requests, oldest first."""
    decisions: tuple[Decision, ...]
    """Decisions worth showing, in the order of the log."""
    recent_actions: tuple[Action, ...]
    """The latest actions, oldest first."""
    files: tuple[FileEntry, ...]
    """The latest files touched, in the order of `files/list`, which has all of them."""
    progress: Progress
    """How far the work is."""
    open_items: tuple[OpenItem, ...]
    """What is left to do or to answer."""
    state: SessionState
    """Whether the session goes on, waits or ended."""
    stats: SessionStats
    """Counts over the whole session."""
    since_last_recap: SinceLastRecap | None = None
    """What is new, when the request named a `since` or a `consumer`."""
    commands: tuple[CommandRun, ...] = ()
    """The latest shell commands, oldest first."""
    tests: tuple[TestRun, ...] = ()
    """The latest test runs, oldest first."""
    contradictions: tuple[str, ...] = ()
    """Where parts of this recap contradict each other, one sentence each: the agent may have lost the thread."""


class ViewHeadline(Wire, frozen=True, kw_only=True):
    """How the session stands, in a sentence."""

    text: str
    """The state, and the question or what happened, as far as it does not go without saying."""
    refs: tuple[LogRef, ...]
    """The records that show it."""


class ViewFact(Wire, frozen=True, kw_only=True):
    """How something stands, in a few words."""

    kind: ViewFactKind
    """What it is about."""
    text: str
    """The fact."""
    ref: LogRef
    """The record that shows it."""
    ok: bool | None = None
    """Whether it is as it should be, where that can be said: tests that pass, a list of work that is done."""
    at: Time | None = None
    """When it became so."""


class ViewSection(Wire, frozen=True, kw_only=True):
    """Statements on one matter, in the order in which they are read."""

    name: ViewSectionName
    """What they are about."""
    title: str
    """The heading they have on the page."""
    items: tuple[ViewItem, ...]
    """Those that found room."""
    total: int
    """How many there are."""


class RecapView(Wire, frozen=True, kw_only=True):
    """What the recap says: the statements that its Markdown is written from, in the same order and choice."""

    headline: ViewHeadline
    """How the session stands."""
    facts: tuple[ViewFact, ...]
    """How its tests, branch, commits, pull requests, list of work and model stand, as far as they are known; whatever
    the format, and whether the page has room for them or not."""
    sections: tuple[ViewSection, ...]
    """What the page tells, section by section."""


class SessionSummary(Wire, frozen=True, kw_only=True):
    """What a harness stores of a session that it will resume."""

    conversation_length: int
    """Messages so far."""
    key_decisions: tuple[str, ...]
    """The decisions that hold, in the order of the log."""
    current_context: str
    """The session as text, one fact a line: `formatted` of `context/summary`."""
    progress_summary: str
    """How far the work is, in one sentence."""


class SummaryNote(Wire, frozen=True, kw_only=True):
    """The rolling summary as far as there is one; a recap never waits for it."""

    state: SummaryState
    """How far it is."""
    text: str | None = None
    """The summary, when it is ready."""
    covers_through: int | None = None
    """Last message it covers, from 0."""


class RecapGetParams(SessionReadParams, frozen=True, kw_only=True):
    """Params of `recap/get`."""

    format: RecapFormatName | None = None
    """Shape of the Markdown; absent: short, or as configured where `force` is false."""
    max_tokens: AtLeastOne | None = None
    """Hard cap for the Markdown; decisions are the last to be dropped."""
    collapsible: bool | None = None
    """Whether to wrap the Markdown in `<details>`; absent: as configured."""
    show_decisions: bool | None = None
    """Whether the Markdown shows decisions; absent: as configured."""
    at_turn: AtLeastOne | None = None
    """The recap as it was after this turn."""
    since: Since | None = None
    """Only what is new since then."""
    consumer: str | None = None
    """A named reader: the recap is whole, and `sinceLastRecap` says what changed since this reader last acknowledged
    one."""
    force: bool = True
    """False applies turn threshold, floor and gap, and may answer with `shown: false`."""
    current_prompt: str | None = None
    """What the user is about to send; one more turn, unless it is the last one logged."""


class LostItem(Wire, frozen=True, kw_only=True):
    """Something that the agent's own summary of its past, made when it last compacted its context, does not say."""

    kind: LostKind
    """What was lost."""
    text: str
    """The decision, the request, the file's path or the command."""
    turn: int
    """Turn it comes from."""
    ref: LogRef
    """Where it stands."""


class RecapGetResult(SessionResult, frozen=True, kw_only=True):
    """A recap. Asking for it changes nothing, not even a reader's mark."""

    format: RecapFormat
    """Shape of the Markdown."""
    shown: bool
    """Whether the recap is worth showing now; always true when forced."""
    turn: int
    """The turn the session is in, with `currentPrompt` counted."""
    cursor: str
    """Marks this point of the session, for `since` and `recap/acknowledge`."""
    markdown: str
    """The recap for people, or in format `resume` for an agent, between `<recapd-past>` marks; empty when it is not
    shown."""
    tokens: int
    """Estimated tokens of `markdown`."""
    recap: Recap
    """The facts behind it."""
    summary: SummaryNote
    """The rolling summary as far as there is one."""
    reason: str | None = None
    """Why it is not shown."""
    trigger: RecapTrigger | None = None
    """Why it is shown."""
    session_summary: SessionSummary | None = None
    """For format `resume`: the same as fields."""
    view: RecapView | None = None
    """The statements that `markdown` is written from; absent when it is not shown."""
    lost_in_compaction: tuple[LostItem, ...] = ()
    """What the agent's own summary lost when it last compacted its context: weightiest kind first, latest first."""
    unjudged_turns: int = 0
    """Turns in which decisions are yet to be looked for: theirs are missing. `recap/didChange` tells when they are
    there."""
    reader: ReaderNote | None = None
    """Who read the session, where somebody did: what was read stands in the place of guesses."""


class RecapAcknowledgeParams(SessionParams, frozen=True, kw_only=True):
    """Params of `recap/acknowledge`."""

    consumer: str
    """Name of the reader, chosen by the client."""
    cursor: str
    """`cursor` of the recap that was read."""


class RecapAcknowledgeResult(SessionResult, frozen=True, kw_only=True):
    """The reader's mark after the request. A mark never moves back."""

    consumer: str
    """Name of the reader."""
    cursor: str
    """Where its mark stands."""
