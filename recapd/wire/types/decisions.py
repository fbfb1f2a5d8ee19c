"""Wire types of `decisions/*`: the ledger of what was decided, by whom, and what became of it."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta

from recapd.wire.types.base import (
    AtLeastOne,
    LogRef,
    SessionPageParams,
    SessionPageResult,
    SessionParams,
    SessionResult,
    Time,
    Wire,
    open_enum,
)

DecisionTypeName: TypeAlias = Literal[
    "implementation", "architecture", "approach", "fix", "constraint", "preference", "scope", "workflow", "other"
]
MadeByName: TypeAlias = Literal["user", "agent", "collaborative"]
DecisionStatusName: TypeAlias = Literal["active", "superseded", "reverted", "abandoned", "tentative", "dismissed"]

DecisionType: TypeAlias = Annotated[
    str, open_enum("DecisionType", "What a decision is about.", get_args(DecisionTypeName))
]
MadeBy: TypeAlias = Annotated[
    str,
    open_enum(
        "MadeBy",
        "Who decided; `collaborative` where one side proposed and the other accepted.",
        get_args(MadeByName),
    ),
]
DecidedHow: TypeAlias = Annotated[
    str,
    open_enum(
        "DecidedHow",
        "How a decision came about; `recorded` by the agent, on purpose.",
        ("stated", "answered", "approvedPlan", "accepted", "rejected", "chosen", "recorded"),
    ),
]
DecisionProof: TypeAlias = Annotated[
    str,
    open_enum(
        "DecisionProof",
        "What a decision stands on: the `answer` to a question, a `plan` approved or refused, an `option` picked and "
        "told by its own text, a plain `statement` of the user, a `record` that the agent kept, or words that a model "
        "`read` and that stand in the log.",
        ("answer", "plan", "option", "statement", "record", "read"),
    ),
]
DecisionStatus: TypeAlias = Annotated[
    str,
    open_enum(
        "DecisionStatus",
        "`superseded` by a later one, `reverted` without a replacement, `abandoned` on a branch the user rewound, "
        "`tentative` below the confidence threshold, `dismissed` by the user. "
        "The last three are in the ledger and never in a recap.",
        get_args(DecisionStatusName),
    ),
]
VerdictName: TypeAlias = Literal["confirmed", "dismissed"]
Verdict: TypeAlias = Annotated[
    str, open_enum("Verdict", "The user's word on an entry of the ledger.", get_args(VerdictName))
]


class Decision(Wire, frozen=True, kw_only=True):
    """A commitment that constrains later work."""

    id: str
    """Stays the same when the log is rewritten or indexed again."""
    turn: int
    """Turn it was made in, from 1."""
    message_index: int
    """Message it was made in, from 0."""
    timestamp: Time | None
    """When it was made, null where the log tells no times."""
    text: str
    """The decision in words that stand alone, at most 200 characters."""
    type: DecisionType
    """What it is about."""
    made_by: MadeBy
    """Who decided."""
    how: DecidedHow
    """How it came about."""
    confidence: float
    """How sure recapd is that this is a decision, 0 to 1."""
    status: DecisionStatus
    """Whether it still holds."""
    alternatives: tuple[str, ...]
    """What was considered and not chosen."""
    quote: str
    """Exact part of the logged text at `ref`, at most 300 characters, secrets replaced by [REDACTED]."""
    ref: LogRef
    """The message that decided it."""
    supersedes: str | None = None
    """Id of the decision it replaces; where it replaces several, the latest, and the others point here."""
    superseded_by: str | None = None
    """Id of the decision that replaced it."""
    rationale: str | None = None
    """Why, where somebody said so."""
    proposal_ref: LogRef | None = None
    """The proposal or question that was accepted or answered."""
    verdict: Verdict | None = None
    """The user's word on this entry, if there is one."""
    conflicts_with: str | None = None
    """Id of an entry that shows the agent doing otherwise, without anybody having changed this one."""
    headline: str = ""
    """The decision as a heading: at most 80 characters, whole words, reads alone."""
    restated: tuple[LogRef, ...] = ()
    """Where the same was said again; that dates nothing anew."""
    proof: DecisionProof | None = None
    """What it stands on; null where it is likely and no more."""


class DecisionsListParams(SessionPageParams, frozen=True, kw_only=True):
    """Params of `decisions/list`. Filters add up."""

    status: DecisionStatusName | None = None
    """Only with this status."""
    include_tentative: bool = False
    """Also those below the confidence threshold."""
    made_by: MadeByName | None = None
    """Only those of this side."""
    type: DecisionTypeName | None = None
    """Only of this type."""
    min_confidence: Annotated[float, Meta(ge=0, le=1)] | None = None
    """Only those at least this sure."""
    since_turn: AtLeastOne | None = None
    """Only from this turn on."""
    query: str | None = None
    """Only those whose text, quote or rationale has these words."""
    include_dismissed: bool = False
    """Also those the user has dismissed."""


class DecisionsListResult(SessionPageResult, frozen=True, kw_only=True):
    """The ledger, or the part asked for, in the order of the log."""

    total: int
    """How many match on all pages."""
    decisions: tuple[Decision, ...]
    """The decisions of this page."""


class DecisionsJudgeParams(SessionParams, frozen=True, kw_only=True):
    """Params of `decisions/judge`."""

    id: str
    """The decision's id."""
    verdict: VerdictName | None
    """The user's word, or null to take it back."""
    reason: str | None = None
    """Why, for the audit."""


class DecisionsJudgeResult(SessionResult, frozen=True, kw_only=True):
    """The entry after the user's word, which is kept when the session is indexed again."""

    decision: Decision
    """The entry as it stands now."""


class DecisionsDismissParams(SessionParams, frozen=True, kw_only=True):
    """Params of `decisions/dismiss`."""

    id: str
    """The decision's id."""
    reason: str | None = None
    """Why it is none, for the audit."""


class DecisionsDismissResult(SessionResult, frozen=True, kw_only=True):
    """The entry after the user's word, which is kept when the session is indexed again."""

    decision: Decision
    """The entry as it stands now."""


class DecisionsConfirmParams(SessionParams, frozen=True, kw_only=True):
    """Params of `decisions/confirm`."""

    id: str
    """The decision's id."""
    reason: str | None = None
    """Why it holds, for the audit."""


class DecisionsConfirmResult(SessionResult, frozen=True, kw_only=True):
    """The entry after the user's word, which is kept when the session is indexed again."""

    decision: Decision
    """The entry as it stands now."""
