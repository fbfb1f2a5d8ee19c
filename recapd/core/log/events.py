"""What a log says, in words no agent owns.

An adapter turns each record of its format into one `Record`: a header (who, when, where) and the events it holds.
Everything after the adapters knows only these types, so nothing here may be shaped like one agent's log.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.core.log.effects import FileEffect
from recapd.core.log.recorded import Recorded
from recapd.core.log.refs import Place

# Whose doing an event is; see origins.
Origin: TypeAlias = Literal["human", "agent", "tool", "injected", "summary", "subagent"]

PromptKind: TypeAlias = Literal[
    "typed",  # a message of its own: starts a turn
    "queued",  # typed while the agent worked and handed to it in mid-turn: starts a turn
    "command",  # arguments of a slash command: the human's words, but no turn
]

NoteKind: TypeAlias = Literal[
    "meta",  # put in by the harness: reminders, hooks, environment, skill bodies, notifications
    "nudge",  # the loop tells an agent that stopped to talk that nobody is there, and to go on
    "command",  # a slash command or its output, without words of the human
    "shell",  # a shell command the human ran inside the agent, or its output
    "teammate",  # another agent's message
    "compaction",  # the agent's own summary of what it is about to forget
    "away",  # a recap the agent wrote for the human
    "branch",  # a summary of an abandoned branch
    "task",  # the prompt given to a sub-agent
    "stage",  # the stage of its work that a task is in, as the harness keeps it
    "system",  # what an agent is told to be, in formats that keep it as a message of the conversation
]

# Limits at which a loop ends a session that is not done.
Limit: TypeAlias = Literal["max_tokens", "max_iterations"]

# What a tool call means, whatever the agent calls its tool. The collapse table and the file ledger go by it.
CallKind: TypeAlias = Literal[
    "read",
    "list",
    "search",
    "recall",
    "retrieve",
    "fetch",
    "edit",
    "write",
    "patch",
    "delete",
    "shell",
    "remember",
    "record",
    "ask",
    "plan",
    "todo",
    "delegate",
    "status",
    "done",
    "other",
]

TodoStatus: TypeAlias = Literal["pending", "active", "done", "dropped"]


class Opened(Struct, frozen=True, gc=False, tag=True):
    """The format says what this source is: a session of its own, or as a whole the work of a sub-agent."""

    # The agent's own id of the session, for formats that state it once: a fork copies its parent's statement behind
    # its own, so the first one counts.
    session: str = ""
    subagent: str = ""
    # The agent's own id of the session that the sub-agent worked for, where the format names it.
    parent_session: str = ""


class Prompt(Struct, frozen=True, gc=False, tag=True):
    """Words of the human, without what the harness or the editor put around them."""

    text: str
    kind: PromptKind = "typed"
    # True where the format may state the same prompt again more plainly: the first plain one replaces all weak ones.
    weak: bool = False
    # The format says that nothing comes before it: where something does, the human went back behind the first prompt.
    is_first: bool = False
    # The slash command that the words were typed behind.
    command: str = ""

    @property
    def typed(self) -> str:
        """The words as the human typed them, with the command before them."""
        return f"{self.command} {self.text}" if self.command else self.text


class Queued(Struct, frozen=True, gc=False, tag=True):
    """The human typed this while the agent worked; it may come back as a Prompt, be delivered, or be taken back.

    The last two may leave the text out: then the oldest one waiting was delivered, or all were taken back.
    """

    text: str
    taken_back: bool = False
    # The agent got the words in mid-turn, and no record of its own says so.
    delivered: bool = False


class Note(Struct, frozen=True, gc=False, tag=True):
    """Text in the conversation that neither the human nor the agent wrote to the other."""

    kind: NoteKind
    text: str = ""


class Reply(Struct, frozen=True, gc=False, tag=True):
    """Text the agent says to the human. Lines of one message share its id and count once."""

    text: str
    message_id: str = ""
    # The format says that a call follows: the agent talks while it works.
    goes_on: bool = False


class Thought(Struct, frozen=True, gc=False, tag=True):
    """The agent reasoned here; the text stays in the log and is never shown."""

    length: int


class Call(Struct, frozen=True, gc=False, tag=True):
    """The agent calls a tool. `target` is what the call is about, by kind:

    a path (read, list, edit, write, delete), a pattern (search), a URL or query (fetch), a command line (shell),
    the first question (ask), the plan (plan), the task (delegate), the text (remember, record, recall, status, done),
    the one memory (retrieve).
    """

    id: str
    tool: str
    kind: CallKind
    target: str = ""
    # Directory the call runs in or searches, where the call itself says so.
    where: str = ""
    # For kind other: the arguments, bounded. For shell and delegate: the agent's own label.
    detail: str = ""
    # Lines a write puts into the file; -1 unknown.
    lines: int = -1
    # Files a patch names; for other kinds the ledger derives them from kind and target.
    effects: tuple[FileEffect, ...] = ()
    # The process that the call goes on with: an earlier one started it and did not see its end.
    process: str = ""
    # For ask: what may be answered to the first question, a few words each.
    options: tuple[str, ...] = ()
    # For ask: the questions behind the first, each with what may be answered to it.
    further: tuple[tuple[str, tuple[str, ...]], ...] = ()
    # For record: what the agent writes down.
    recorded: Recorded | None = None
    # For write, edit, patch and plan: what a document says is decided, each by its exact words and as it is told.
    written: tuple[tuple[str, str], ...] = ()

    @property
    def detail_line(self) -> str:
        """What the call says besides its target, in one line."""
        return self.detail or " | ".join(self.options)


class Result(Struct, frozen=True, gc=False, tag=True):
    """What a call came back with. Only facts; the payload stays raw until somebody needs a line of it."""

    id: str
    failed: bool = False
    # The human refused the call; `reason` holds the human's words if any were typed.
    denied: bool = False
    reason: str = ""
    exit_code: int | None = None
    # Raw JSON of what the tool returned: a string, or a list of objects with a text. See text_of_payload.
    payload: bytes = b""
    # For a write: whether the file is new. None where the log does not say.
    created: bool | None = None
    # Lines a read returned, from metadata; -1 unknown.
    lines: int = -1
    # What a listing or a recall came back with, by name. None where the log does not say.
    entries: tuple[str, ...] | None = None
    # Question and answer, for kind ask.
    answers: tuple[tuple[str, str], ...] = ()
    # Verdict of the human on a plan. None where the result is not one.
    approved: bool | None = None
    # The sub-agent that did the work.
    subagent: str = ""
    # Nothing was changed, the text says, although the log does not call it a failure.
    undone: bool = False
    # Files the result says were changed (a patch's real outcome); empty where it says nothing.
    effects: tuple[FileEffect, ...] = ()
    # The process that still runs; a later call may bring its end.
    process: str = ""
    # Lines of the one file that was changed; -1 unknown.
    added: int = -1
    removed: int = -1


class TodoItem(Struct, frozen=True, gc=False):
    text: str
    status: TodoStatus
    id: str = ""


class Todos(Struct, frozen=True, gc=False, tag=True):
    """The agent's whole list of work, as it stands now."""

    items: tuple[TodoItem, ...]


class TodoChanged(Struct, frozen=True, gc=False, tag=True):
    """One item of the list was added or changed. Empty text keeps the text, empty status the status.

    An item that is created by a call gets its id only with the result: until then `call_id` stands for it.
    """

    id: str = ""
    text: str = ""
    status: TodoStatus | Literal[""] = ""
    call_id: str = ""


class Titled(Struct, frozen=True, gc=False, tag=True):
    """The session's name; one the human chose wins over one a model made."""

    text: str
    by_human: bool = False


class Linked(Struct, frozen=True, gc=False, tag=True):
    """The session produced something with an address: a pull request, a share link."""

    label: str
    url: str


class Compacted(Struct, frozen=True, gc=False, tag=True):
    """The agent's memory before this point was replaced by a summary."""

    trigger: str = ""
    tokens_before: int = 0


class Interrupted(Struct, frozen=True, gc=False, tag=True):
    """The human stopped the agent."""

    during_tool: bool = False


class Began(Struct, frozen=True, gc=False, tag=True):
    """The format says that the agent's turn begins; until it says that the turn is over, more is to come."""


class Ended(Struct, frozen=True, gc=False, tag=True):
    """The format says that the agent's turn, or the session, is over."""

    scope: Literal["turn", "session"] = "turn"
    # Why it did not come to its own end: a Limit of ours where the format names one, else the agent's own word.
    reason: str = ""


class Faulted(Struct, frozen=True, gc=False, tag=True):
    """The agent itself failed: the model's service refused, a limit was hit."""

    reason: str


class Rewound(Struct, frozen=True, gc=False, tag=True):
    """The format says outright that the conversation goes back by this many turns."""

    turns: int


Event: TypeAlias = (
    Opened
    | Prompt
    | Queued
    | Note
    | Reply
    | Thought
    | Call
    | Result
    | Todos
    | TodoChanged
    | Titled
    | Linked
    | Compacted
    | Interrupted
    | Began
    | Ended
    | Faulted
    | Rewound
)


class Record(Struct, frozen=True, gc=False):
    """One record of a log. Empty header fields mean that the record does not say, not that the value is empty."""

    place: Place
    # The agent's own word for the record, for counting and for noticing new ones: "user", "system/compact_boundary".
    type: str
    events: tuple[Event, ...] = ()
    # Canonical RFC 3339 UTC with milliseconds (see times.canonical): compares as text.
    at: str = ""
    id: str = ""
    parent: str = ""
    session: str = ""
    cwd: str = ""
    branch: str = ""
    version: str = ""
    model: str = ""
    # The sub-agent whose work this is; empty on the main chain.
    via: str = ""
    # False where the adapter does not know the type: the record is counted and otherwise ignored.
    known: bool = True
    # Of one that is not known: it has nothing in which anything could be said or done.
    is_aside: bool = False


class Problem(Struct, frozen=True, gc=False):
    """Something in the log that could not be read, and how much of it was lost. Never holds text of the log."""

    place: Place
    kind: Literal["notJson", "torn", "glued", "shape", "tooLong", "notText"]
    detail: str = ""


# What an adapter makes of one line: usually one record, two where lines are glued, none where the line is damaged.
Parsed: TypeAlias = tuple[tuple[Record, ...], tuple[Problem, ...]]
