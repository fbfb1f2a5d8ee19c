"""What is known of one source, and of all of them: frozen, and changed only by `fold`.

    Source      one log file: which format, how far it is read, its Transcript
    Transcript  the conversation in one source: turns, files, actions, progress, how it ended
    World       all sources, and the sessions they make up

A Transcript is a function of its source's bytes alone. What spans sources (a session and its sub-agents, copies of a
log) is put together when somebody asks, so a rewritten file costs no more than reading it again.
Bodies of messages stay in the log: the state holds facts, beginnings of texts as logged, and the places that prove
them. Texts are made fit to be shown or stored where they leave (see excerpt).
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core.log import Call, CallKind, FileAction, Place, Problem, PromptKind, TodoItem
from recapd.core.state.growing import Chunked
from recapd.core.state.passages import Passage
from recapd.core.state.traits import CopiedLate, InHead, Paths, Unwritten, Wordless
from recapd.core.text import gist_of

Category: TypeAlias = Literal["observational", "consequential", "meta"]
# The last thing of weight that happened in the conversation: how a session stands is read off it.
Moment: TypeAlias = Literal[
    "nothing",
    "prompt",
    "reply",
    "words",  # the same in the middle of the work
    "call",
    "result",
    "interrupted",
    "ended",
    "closed",
    "faulted",
]

LandmarkKind: TypeAlias = Literal[
    "testsPassed", "testsFailed", "commit", "pullRequest", "compaction", "error", "interrupted"
]


class Request(Struct, frozen=True, gc=False):
    """What the human asked for: the beginning of the prompt, as logged."""

    text: str
    turn: int
    at: Wordless[str]
    place: Place
    kind: PromptKind = "typed"


class Turn(Struct, frozen=True, gc=False):
    """One message of the human and everything until the next."""

    # Among the turns that are alive: a turn that replaces an abandoned one has its number.
    number: int
    request: Request
    session: Wordless[str]
    # Position of the turn's first record among all records with an id; where a rewind lands is looked up by it.
    first_record: int
    # Seconds without any record before the prompt; 0 where unknown.
    gap_s: float = 0.0
    messages: int = 1
    calls: int = 0
    failed: int = 0
    # The beginning of the agent's last words in the turn, as logged.
    outcome: str = ""
    replied: Place | None = None
    abandoned: bool = False
    # The agent's last words that do more than narrate, as logged.
    telling: str = ""
    # Calls of its editing tools that succeeded.
    edits: int = 0
    # Deeds behind the telling words, and those of them that change files: with any, the words are no answer yet.
    deeds_since: int = 0
    edits_since: int = 0
    # The format says that it ended before the agent had said or done anything.
    ended_empty: bool = False

    @property
    def gist(self) -> str:
        """The sentences that say most in those words, one a line. Read off when asked: it costs more than the fold."""
        return gist_of(self.telling)


class Utterance(Struct, frozen=True, gc=False):
    """A record in which the human or the agent says something; lines of one message share its number.

    The text stays in the log. What stands in an abandoned turn is no message any more, and its number is given again.
    """

    speaker: Literal["user", "agent"]
    # Number of the message among those alive, from 0.
    message: int
    # Row of its turn in `turns`; -1 before the first.
    turn_row: int
    place: Place
    at: Wordless[str]
    # The record's own id, where it has one.
    record: Wordless[str]
    chars: int


class Step(Struct, frozen=True, gc=False):
    """A finished call, to be told in one line (see collapse).

    Texts are as logged, bounded: most steps are pushed out before anybody sees them, so they are made fit to be shown
    when they are (see session.shown_step).
    """

    kind: CallKind
    tool: str
    target: str
    ok: bool
    place: Place
    turn: int
    at: Wordless[str] = ""
    detail: str = ""
    # Why it failed: the beginning of the error. Or what the human answered, or the first names of a listing.
    outcome: str = ""
    denied: bool = False
    # Lines that were read or written, memories that were recalled; -1 unknown.
    lines: int = -1
    exit_code: int | None = None
    created: bool | None = None
    # How many calls of the same sort in a row this stands for, once they are told as one.
    count: int = 1
    # How many different things those calls were about.
    targets: int = 1
    via: str = ""
    # The folder that its path is seen from.
    where: Paths[str] = ""
    # When the result came.
    ended_at: Wordless[str] = ""


class FileFact(Struct, frozen=True, gc=False):
    """One file, and what the session did to it, in one row."""

    # As the log first spells it.
    path: Paths[str]
    action: FileAction
    touches: int
    tools: tuple[str, ...]
    first_turn: int
    last_turn: int
    place: Place
    at: Wordless[str] = ""
    # Attempts on the file that failed.
    failed: int = 0
    # Times the file's content was changed.
    writes: int = 0
    renamed_to: Paths[str] = ""
    via: str = ""
    # The folder that a path which is not from the root is seen from, as far as it is known.
    where: Paths[str] = ""
    # Lines of all changes that tell them; -1 where none does.
    added: int = -1
    removed: int = -1


class FileChange(Struct, frozen=True, gc=False):
    """One attempt to change a file. What was changed stands in the log."""

    # Its row in `files`.
    file: int
    call_id: Wordless[str]
    tool: str
    ok: bool
    turn: int
    # Of the call and of its result.
    place: Place
    returned: Place
    at: Wordless[str] = ""
    via: str = ""
    # What it did, or tried to.
    action: FileAction = "modified"
    # Nothing in the session touched the file before: whatever it held, the agent had not seen it.
    is_first: bool = False


class TestRun(Struct, frozen=True, gc=False):
    """A run of a test suite. `ok` is None where the output proves neither success nor failure."""

    __test__ = False  # not a test case, whatever pytest thinks of the name

    command: str
    ok: bool | None
    place: Place
    turn: int
    at: Wordless[str] = ""
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    via: str = ""
    # False where the tests were never reached: no module, no script, it did not compile.
    did_run: bool = True
    # What ran them behind scripts and wrappers, where that is known.
    runner: str = ""


# How a commit is told as something reached.
COMMITTED: Final = "Committed: "


class Milestone(Struct, frozen=True, gc=False):
    """Something reached, with the record that proves it."""

    text: str
    place: Place
    turn: int
    at: Wordless[str] = ""
    # Milestones of one sort replace each other when nothing else came between: ten green test runs are one.
    sort: str = ""
    # For tests: what ran them, and how many passed; 0 where only the exit code says so.
    program: str = ""
    passed: int = 0
    # For commits: the short hash, "" where git did not tell it. None for everything else.
    commit: str | None = None

    @property
    def title(self) -> str:
        """Of a commit, the first line of its message."""
        return self.text.removeprefix(COMMITTED)


class Stage(Struct, frozen=True, gc=False):
    """A stage of the work that somebody named: completed, or the one at work."""

    name: str
    is_done: bool
    place: Place
    at: Wordless[str] = ""


class Landmark(Struct, frozen=True, gc=False):
    """Something on the way that tells where in a long conversation one is. Which turn it stands in, its place tells."""

    kind: LandmarkKind
    place: Place
    at: Wordless[str] = ""
    # As logged: the program that ran the tests, a commit's first line, a label, a reason.
    text: str = ""
    # Of tests: how many, where the output counts them.
    passed: int | None = None
    failed: int | None = None


class OpenCall(Struct, frozen=True, gc=False):
    """A call that has no result yet."""

    call: Call
    place: Place
    turn: int
    at: Wordless[str]
    via: str
    # For a call that changed the list of work: the list before it, and where that stood. It counts again if this fails.
    todos_before: tuple[TodoItem, ...] | None = None
    todos_place_before: Place | None = None


class Meter(Struct, frozen=True, gc=False):
    """Characters of one sort of text, and samples of them counted in tokens."""

    chars: int = 0
    sampled_chars: int = 0
    sampled_tokens: int = 0
    next_sample: int = 0


class Counts(Struct, gc=False):
    """How many there are of each, while they are counted."""

    turns: int = 0
    exchanges: int = 0
    # Prompts, and messages of the agent that say something.
    messages: int = 0
    calls: int = 0
    failed_calls: int = 0
    commands: int = 0
    failed_commands: int = 0
    tests: int = 0
    compactions: int = 0
    abandoned_turns: int = 0
    records: int = 0
    problems: int = 0


class Totals(Counts, frozen=True, gc=False):  # type: ignore[misc]  # see Transcript
    """The same, once a batch is folded."""


class Link(Struct, frozen=True, gc=False):
    label: str
    url: str
    place: Place


class Noted(Struct, frozen=True, gc=False):
    """A line that the agent wrote down on purpose, as logged."""

    text: str
    place: Place
    turn: int
    at: Wordless[str] = ""


class Ending(Struct, frozen=True, gc=False):
    """The last moment of weight on the main chain."""

    moment: Moment = "nothing"
    reason: str = ""
    place: Place | None = None
    at: Wordless[str] = ""


class HandedOver(Struct, frozen=True, gc=False):
    """Secrets that the human gave because the agent asked for them: see answers."""

    secrets: tuple[str, ...]
    # The whole answer where it was a prompt: a format may state it again.
    text: str
    # Of the record it stands in.
    offset: int


class TranscriptFields(Struct):
    """What a transcript has in the same form as its draft, into which a batch is folded."""

    # The agent's own id of the session, from the last record of the main chain that has one.
    native_id: InHead[Wordless[str]] = ""
    # Set where the whole source is the work of a sub-agent: its id, and the session it worked for.
    subagent: InHead[str] = ""
    parent_session: InHead[Wordless[str]] = ""
    title: InHead[str] = ""
    title_by_human: InHead[bool] = False
    cwd: InHead[Paths[str]] = ""
    # Every directory the session worked in, in order of appearance.
    cwds: InHead[Paths[tuple[str, ...]]] = ()
    branch: InHead[str] = ""
    version: InHead[str] = ""
    model: InHead[str] = ""
    started_at: InHead[Wordless[str]] = ""
    last_at: InHead[Wordless[str]] = ""
    # True while all turns rest on prompts that the format may yet state more plainly.
    turns_are_weak: bool = False
    # Whether the agent's words say what they hang on: only then does a prompt that hangs on nothing tell something.
    is_chained: bool = False
    # Two processes went on with the session in one log: see revival.
    is_shared: bool = False
    # The format said that the agent's turn began, and not yet that it is over.
    is_turn_open: InHead[bool] = False
    original: InHead[Request | None] = None
    # Whether it asks for something, rather than only being the first.
    original_counts: InHead[bool] = False
    # Where the agent is told what to be, before anybody asks anything; the text stays in the log.
    instructions: tuple[Place, ...] = ()
    # Requests that are no turns: arguments of slash commands. The latest few.
    commands_given: tuple[Request, ...] = ()
    queued: tuple[Request, ...] = ()
    # Row of each path in `files`, from the root where the directory is known.
    file_rows: CopiedLate[Paths[dict[str, int]]] = {}
    tests: tuple[TestRun, ...] = ()
    milestones: tuple[Milestone, ...] = ()
    todos: tuple[TodoItem, ...] = ()
    todos_place: Place | None = None
    # The list is one that the agent ticked off in its words: the first that a tool keeps replaces it.
    todos_are_words: bool = False
    # In the order they were completed; the one at work is the last.
    stages: tuple[Stage, ...] = ()
    # What the agent wrote down as left open; the latest few.
    noted_open: tuple[Noted, ...] = ()
    links: tuple[Link, ...] = ()
    # Calls by tool, and those of them that failed.
    tools: dict[str, int] = {}
    failed_tools: dict[str, int] = {}
    open_calls: InHead[dict[str, OpenCall]] = {}
    # Commands whose processes outlived their results, by process.
    running: dict[str, OpenCall] = {}
    # Id of the message the agent's last words belong to, and the end of those words, as logged.
    last_message: Wordless[str] = ""
    last_words: InHead[str] = ""
    # The beginning of what the agent last noted for itself, as logged.
    own_note: InHead[str] = ""
    last_record: Wordless[str] = ""
    # The latest few; what is read back from the log is shown without them, too.
    handed_over: Unwritten[tuple[HandedOver, ...]] = ()
    record_types: InHead[dict[str, int]] = {}
    # Record types no adapter knew, as "type (version)": how a change of format shows.
    unknown_types: InHead[dict[str, int]] = {}
    # How many of them something may have been said or done in.
    unknown_words: InHead[int] = 0
    # Count of each kind of problem, and the first few in full.
    problem_kinds: InHead[dict[str, int]] = {}
    problems: tuple[Problem, ...] = ()


# A draft is changed and a transcript never: mypy wants both frozen or neither.
class Transcript(TranscriptFields, frozen=True, kw_only=True):  # type: ignore[misc]
    """The conversation in one source.

    A field is declared once, here or above, with what is said of it besides its type (see traits): the draft, what
    stays of a cold source and how it is written down follow from that. Here stands what a draft has in another form.
    What grows without bounds is Chunked, everything else is bounded.
    """

    turns: Chunked[Turn] = Chunked()
    # Where everything stands that was said, in the order of the log.
    utterances: Wordless[Chunked[Utterance]] = Chunked()
    # What decisions are read from, in the order of the log: see decisions.find.
    passages: Chunked[Passage] = Chunked()
    files: Chunked[FileFact] = Chunked()
    changes: Chunked[FileChange] = Chunked()
    landmarks: Chunked[Landmark] = Chunked()
    totals: InHead[Totals] = Totals()
    human: Meter = Meter()
    agent: Meter = Meter()
    tool: Meter = Meter()
    steps: tuple[Step, ...] = ()
    ending: InHead[Ending] = Ending()
    record_ids: Wordless[Chunked[bytes]] = Chunked()
    record_count: int = 0


EMPTY = Transcript()
