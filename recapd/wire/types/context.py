"""Wire types of `context/assemble`, `context/summary` and `orientation/get`: what an agent is given to go on."""

from typing import Annotated, Final, Literal, TypeAlias

from recapd.wire.types.activity import Progress, SessionStats, ToolUsage
from recapd.wire.types.base import AtLeastOne, LogRef, SessionReadParams, SessionResult, Wire, open_enum
from recapd.wire.types.decisions import Decision
from recapd.wire.types.files import FileEntry

OmitReason: TypeAlias = Annotated[
    str,
    open_enum(
        "OmitReason",
        "Why a section is not in the context.",
        ("budget", "notIncluded", "empty", "notReady", "sourceGone"),
    ),
]
CONTEXT_SECTIONS: Final = (
    "pinned",
    "request",
    "decisions",
    "summary",
    "progress",
    "files",
    "lost",
    "relevant",
    "recent",
    "warning",
)
ContextSectionName: TypeAlias = Annotated[
    str, open_enum("ContextSectionName", "A part of an assembled context.", CONTEXT_SECTIONS)
]
Preset: TypeAlias = Annotated[
    str,
    open_enum(
        "Preset",
        "A named set of headings, order and budgets.",
        ("default", "resume", "gitclaw", "mindloop", "know-thyself", "mycode", "apex"),
    ),
]
ChatRole: TypeAlias = Annotated[
    str, open_enum("ChatRole", "Role of a message for a model's interface.", ("user", "assistant"))
]


class VerbatimWindow(Wire, frozen=True, kw_only=True):
    """How much of the end of the conversation stays word for word."""

    unit: Literal["exchanges", "messages", "tokens"]
    """What `size` counts."""
    size: AtLeastOne
    """How many."""


class ContextAssembleParams(SessionReadParams, frozen=True, kw_only=True):
    """Params of `context/assemble`."""

    max_tokens: AtLeastOne
    """Hard cap for the whole context."""
    prompt: str | None = None
    """What the agent is about to work on; selects what is relevant."""
    output: Literal["text", "messages"] = "text"
    """One text, or messages for a model's interface."""
    preset: Preset | None = None
    """Name of a preset."""
    window: VerbatimWindow | None = None
    """How much stays word for word; absent: as configured."""
    include: tuple[ContextSectionName, ...] = ()
    """Only these sections, of those known here; empty: all but `lost`, which is what the agent's own last summary of
    the past left out."""


class ChatMessage(Wire, frozen=True, kw_only=True):
    """One message for a model's interface."""

    role: ChatRole
    """Its role; roles alternate and begin with `user`."""
    content: str
    """Its text."""


class ContextSection(Wire, frozen=True, kw_only=True):
    """One part of the context and what it rests on."""

    name: ContextSectionName
    """Which part."""
    tokens: int
    """Estimated tokens, heading included."""
    refs: tuple[LogRef, ...]
    """The records it rests on."""
    from_message: int | None = None
    """First message it covers, from 0."""
    to_message: int | None = None
    """Last message it covers."""


class OmittedSection(Wire, frozen=True, kw_only=True):
    """A part that was left out, or of which something was left out."""

    name: ContextSectionName
    """Which part."""
    reason: OmitReason
    """Why."""
    tokens: int
    """Estimated tokens left out."""


class Coverage(Wire, frozen=True, kw_only=True):
    """Which messages the context covers: summarized ones up to one message, verbatim ones from the next."""

    summarized_through: int | None
    """Last message that is summarized, from 0; null when none is."""
    verbatim_from: int | None
    """First message that is word for word; null when none is."""
    messages: int
    """Messages in the whole session."""


class ContextAssembleResult(SessionResult, frozen=True, kw_only=True):
    """A context within its budget. Log text in it is marked as past data, not as instructions."""

    tokens: int
    """Estimated tokens of the whole, never above `maxTokens`."""
    sections: tuple[ContextSection, ...]
    """The parts in order."""
    coverage: Coverage
    """Which messages are covered."""
    omitted: tuple[OmittedSection, ...]
    """What was left out."""
    prefix_hash: str
    """Digest of the part at the beginning that stays the same while the session only grows; for prompt caches."""
    prefix_tokens: int
    """Estimated tokens of that part."""
    text: str | None = None
    """The context, when `output` is `text`."""
    messages: tuple[ChatMessage, ...] | None = None
    """The context, when `output` is `messages`."""


class ContextSummaryParams(SessionReadParams, frozen=True, kw_only=True):
    """Params of `context/summary`."""


class ContextSummaryResult(SessionResult, frozen=True, kw_only=True):
    """A structured summary for going on with a session."""

    stats: SessionStats
    """Counts over the whole session."""
    key_decisions: tuple[Decision, ...]
    """Decisions that hold, in the order of the log."""
    progress: Progress
    """How far the work is."""
    file_modifications: tuple[FileEntry, ...]
    """Files touched, last touched first."""
    tools_used: tuple[str, ...]
    """Tools by the agent's names, most used first."""
    user_requests: tuple[str, ...]
    """The latest requests, oldest first."""
    formatted: str
    """The same as text to hand to an agent."""
    tool_usage: tuple[ToolUsage, ...] = ()
    """The same tools with how often they were used, how often in vain, and on what."""


class OrientationGetParams(SessionReadParams, frozen=True, kw_only=True):
    """Params of `orientation/get`."""

    current_prompt: str | None = None
    """What the user is about to send; one more turn, unless it is the last one logged."""
    consumer: str | None = None
    """In whose name it is asked: what this reader has acknowledged is told in one line, and what is new leads."""


class OrientationGetResult(SessionResult, frozen=True, kw_only=True):
    """Two ways to begin an answer with where things stand: let the agent write it, or prepend it."""

    shown: bool
    """Whether an orientation is due now."""
    instruction: str
    """For the agent: asks it to write an orientation from `facts`. Empty when not shown."""
    facts: str
    """For the agent: what to write it from, marked as data. Empty when not shown."""
    block: str
    """Ready orientation with its separator, to put before the answer. Empty when not shown."""
    turn: int | None = None
    """The turn the session is in, with `currentPrompt` counted."""
    reason: str | None = None
    """Why it is not shown."""
    cursor: str | None = None
    """For `recap/acknowledge`, once the reader has seen it."""
