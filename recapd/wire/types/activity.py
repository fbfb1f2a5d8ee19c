"""Wire types for what happened in a session: requests, actions, commands, tests, progress, open items, state, stats.

Parts of answers only; the methods that send them have files of their own.
"""

from typing import Annotated, TypeAlias

from recapd.wire.types.base import AtLeastZero, LogRef, Time, Wire, open_enum

ActionKind: TypeAlias = Annotated[
    str,
    open_enum(
        "ActionKind",
        "Whether an action only looked, changed something, or concerned the work itself (plans, to-do lists, notes).",
        ("observational", "consequential", "meta"),
    ),
]

OpenItemKind: TypeAlias = Annotated[
    str,
    open_enum(
        "OpenItemKind",
        "Why something is still open: a to-do entry, a question nobody answered, a failure not yet mended, a request "
        "not yet taken up, work cut short, or what the agent wrote down as open.",
        ("todo", "question", "failure", "request", "interrupted", "noted"),
    ),
]

SessionStatus: TypeAlias = Annotated[
    str,
    open_enum(
        "SessionStatus",
        "`active`: the agent works. `waiting`: it waits for the user. `answered`: it has answered, and nobody is "
        "known to be there. `interrupted`: it was stopped or broke off. `finished`: its end is known.",
        ("active", "waiting", "answered", "interrupted", "finished"),
    ),
]

Needs: TypeAlias = Annotated[
    str,
    open_enum(
        "Needs",
        "What the agent needs from the user to go on: an answer, a permission, a word on its plan, or nothing.",
        ("answer", "permission", "plan", "nothing"),
    ),
]

TodoStatus: TypeAlias = Annotated[
    str, open_enum("TodoStatus", "State of one to-do entry.", ("pending", "active", "done", "dropped"))
]


class UserRequest(Wire, frozen=True, kw_only=True):
    """Something the user asked for, in their words, shortened."""

    text: str
    """The request, redacted."""
    turn: int
    """The turn it began, from 1; for arguments of a slash command the turn it was given in, 0 before the first."""
    ref: LogRef
    """The user's message."""
    at: Time | None = None
    """When it was asked, where the log tells times."""


class CurrentFocus(Wire, frozen=True, kw_only=True):
    """What the session is about right now."""

    text: str
    """The focus in one sentence."""
    ref: LogRef | None = None
    """The message it was taken from; absent only when it is the request's own `currentPrompt`."""


class Action(Wire, frozen=True, kw_only=True):
    """One tool call, or a run of alike ones, told in one line."""

    text: str
    """The line, with the outcome: a failed call says so."""
    kind: ActionKind
    """What sort of action."""
    turn: int
    """Turn it happened in, from 1; 0 before the first turn."""
    ref: LogRef
    """The call; of several, the last."""
    ok: bool | None = None
    """Whether it succeeded; absent while there is no result."""
    at: Time | None = None
    """When, where the log tells times."""
    count: int | None = None
    """How many alike calls the line stands for, when more than one; then nothing is said of a single one."""
    via: str | None = None
    """The sub-agent that did it, if the main agent did not."""
    tool: str | None = None
    """The agent's name of the tool."""
    path: str | None = None
    """The file or folder it was about, as the log spells it."""
    uri: str | None = None
    """File URI of that, seen from the folder the agent worked in then, where it is known."""
    command: str | None = None
    """The command line it ran, redacted and shortened."""
    exit_code: int | None = None
    """The command's exit code, where the log tells it."""
    duration_ms: AtLeastZero | None = None
    """From the call to its result, where the log tells times."""


class CommandRun(Wire, frozen=True, kw_only=True):
    """A shell command that the agent ran."""

    command: str
    """The command line, redacted and shortened."""
    turn: int
    """Turn it ran in, from 1; 0 before the first turn."""
    ref: LogRef
    """The call."""
    at: Time | None = None
    """When, where the log tells times."""
    exit_code: int | None = None
    """Its exit code, where the log tells it."""
    ok: bool | None = None
    """Whether it succeeded; absent while there is no result."""
    via: str | None = None
    """The sub-agent that ran it, if the main agent did not."""


class TestRun(Wire, frozen=True, kw_only=True):
    """A run of tests that recapd recognised by its command or its output."""

    __test__ = False  # pytest takes any class with such a name for a test case

    command: str
    """The command line, redacted and shortened."""
    ok: bool | None
    """Whether the run as a whole passed; null where its output proves neither."""
    turn: int
    """Turn it ran in, from 1; 0 before the first turn."""
    ref: LogRef
    """The call."""
    at: Time | None = None
    """When, where the log tells times."""
    passed: int | None = None
    """Tests that passed, where the output counts them."""
    failed: int | None = None
    """Tests that failed, where the output counts them."""
    skipped: int | None = None
    """Tests that were skipped, where the output counts them."""
    via: str | None = None
    """The sub-agent that ran it, if the main agent did not."""


class Milestone(Wire, frozen=True, kw_only=True):
    """Something reached that a result in the log proves."""

    text: str
    """What was reached."""
    ref: LogRef
    """The result that proves it."""
    turn: int | None = None
    """Turn it was reached in, from 1; 0 before the first turn."""
    at: Time | None = None
    """When, where the log tells times."""


class TodoItem(Wire, frozen=True, kw_only=True):
    """One entry of the agent's own to-do list."""

    text: str
    """The entry, redacted."""
    status: TodoStatus
    """How far it is."""


class Todo(Wire, frozen=True, kw_only=True):
    """The agent's own to-do list as it stands."""

    done: int
    """Entries that are done."""
    total: int
    """All entries but the dropped ones."""
    items: tuple[TodoItem, ...]
    """The entries in the agent's order."""


class Progress(Wire, frozen=True, kw_only=True):
    """How far the work is, as far as the log proves it."""

    completed_stages: tuple[str, ...]
    """Stages that were completed, in order: as somebody named them ("Planning stage completed"), else the tasks of the
    list that are done."""
    percentage: float | None
    """Share of the countable work that is done, 0 to 100; null when nothing can be counted."""
    milestones: tuple[Milestone, ...]
    """What was reached."""
    current_stage: str | None = None
    """The stage at work, if one can be told: as somebody named it ("Current stage: review"), else the task at work,
    else `testing` or `implementation` by what was done last."""
    todo: Todo | None = None
    """The agent's to-do list, if it keeps one."""


class OpenItem(Wire, frozen=True, kw_only=True):
    """Something left to do or to answer."""

    text: str
    """What is open."""
    kind: OpenItemKind
    """Why it is open."""
    ref: LogRef
    """Where it comes from."""
    turn: int | None = None
    """Turn it comes from, from 1."""


class Running(Wire, frozen=True, kw_only=True):
    """What an agent is doing right now."""

    text: str
    """The call under way, in a line."""
    since: Time | None = None
    """When it began."""


class SessionState(Wire, frozen=True, kw_only=True):
    """Whether the session goes on, waits or ended, and how recapd knows."""

    status: SessionStatus
    """The state in one word."""
    detail: str
    """The state in one sentence."""
    reason: str | None = None
    """Why it ended or broke off, where the log tells."""
    since: Time | None = None
    """When it came into this state."""
    ref: LogRef | None = None
    """The record that shows it."""
    read_bytes: int | None = None
    """How many bytes of the log this rests on, up to the end of a line or record: a log that is longer by whole lines
    has gone on since."""
    needs: Needs | None = None
    """What the agent needs to go on; absent while it works, and where it broke off or ended."""
    question: str | None = None
    """What it asked and nobody answered."""
    options: tuple[str, ...] | None = None
    """The answers it offers to choose from."""
    running: Running | None = None
    """What it is doing."""
    live: bool | None = None
    """Whether the agent's process is known to run; absent where nobody can tell."""


class ToolUsage(Wire, frozen=True, kw_only=True):
    """One tool, and what it was used for."""

    tool: str
    """The agent's name of it."""
    count: int
    """Calls of it, sub-agents' among them."""
    failed: int
    """Those that failed or were refused."""
    notable_uses: tuple[str, ...]
    """What it was used on, at most three: what changed something first, then what was used most, then what took
    longest; with `×n` where more than once."""


class SessionStats(Wire, frozen=True, kw_only=True):
    """Counts over the whole session. Sub-agents' messages do not count, their files and commands do."""

    turns: int
    """Messages of the human, each with everything up to the next."""
    exchanges: int
    """Turns that got a final answer."""
    messages: int
    """Messages of both sides."""
    tool_calls: int
    """Tool calls of the main agent."""
    failed_tool_calls: int
    """Those that failed or were refused."""
    estimated_tokens: int
    """Estimated tokens of the conversation's text."""
    files_changed: int
    """Files created, modified, written, renamed or deleted."""
    commands_run: int
    """Shell commands."""
    first_at: Time | None
    """Time of the first record, null where the log tells no times."""
    last_at: Time | None
    """Time of the last record, null where the log tells no times."""
    commands_failed: int | None = None
    """Shell commands that failed."""
    tests_run: int | None = None
    """Runs of tests."""
    subagents: int | None = None
    """Sub-agents that were started."""
