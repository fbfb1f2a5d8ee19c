"""Every number and switch a user may set, with its default. What reads the configuration file is the daemon's matter.

Each section is a table of the file; a field's docstring is the key's documentation. A view takes the section it needs
as an argument, so the same state and the same settings give the same text.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]
NotNegative: TypeAlias = Annotated[int, Meta(ge=0)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
# The words of a Meta's description are what the user is told when a value does not fit.
Folder: TypeAlias = Annotated[
    str, Meta(pattern=r"^(/|~|[A-Za-z]:)", description="an absolute path, or one that begins with ~")
]
VariableName: TypeAlias = Annotated[
    str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="the name of an environment variable")
]
WebAddress: TypeAlias = Annotated[
    str, Meta(pattern=r"^(https?://[^\s]+)?$", description="an address that begins with https://, or nothing")
]
WindowUnit: TypeAlias = Literal["exchanges", "messages", "tokens"]


class RecapSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[recap]: what a person who returns is shown, and when."""

    enabled: bool = True
    """Whether recaps are offered unasked; a request is always answered."""
    turn_threshold: AtLeastOne = 5
    """From the turn after this one on, a recap is shown unasked."""
    min_turns: NotNegative = 3
    """Below this nothing is shown unasked, whatever the threshold says."""
    every_turns: AtLeastOne = 10
    """From the threshold on, an agent with hooks is told where things stand after so many turns, and not between."""
    gap_minutes: NotNegative = 60
    """After so long without a word, a recap is shown unasked; 0 never."""
    format: Literal["short", "full", "decisions", "timeline", "resume"] = "short"
    """The format shown unasked."""
    show_decisions: bool = True
    """Whether decisions are part of a recap."""
    collapsible: bool = False
    """Whether a recap is wrapped in `<details>`, which mail programs do not show."""
    short_max_tokens: AtLeastOne = 200
    """Hard cap of the short recap."""
    full_max_tokens: AtLeastOne = 1000
    """Hard cap of the full recap, and of `_recap.md`."""
    short_decisions: NotNegative = 3
    """Decisions in the short recap, at most."""
    full_decisions: NotNegative = 10
    """Decisions in the full recap, at most."""
    short_actions: NotNegative = 2
    """Recent actions in the short recap, at most."""
    full_actions: NotNegative = 5
    """Recent actions in the full recap, at most."""
    style: Literal["default", "gitclaw"] = "default"
    """`gitclaw`: the lines and character limits of that design, to the letter."""


class DecisionSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[decisions]: what counts as one."""

    enabled: bool = True
    """Whether decisions are looked for and shown."""
    threshold: Share = 0.23
    """Below this confidence an entry is tentative: in the ledger, not in a recap. Confidence is how often people agreed
    that it is a decision at all; at this threshold every second one listed is right, on sessions never seen before."""
    who: tuple[Literal["user", "agent", "collaborative"], ...] = ("user", "agent", "collaborative")
    """Whose decisions are shown."""


class WindowSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[window]: how much of the end of a conversation stays word for word, for summaries and contexts alike."""

    unit: WindowUnit = "exchanges"
    """What `size` counts."""
    size: AtLeastOne = 10
    """How many."""
    max_tokens: NotNegative = 0
    """The window is shorter where its messages have more tokens than this; the last exchange stays. 0 never."""


class ContextSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[context]: what an agent that resumes is given."""

    preset: Literal["default", "resume", "gitclaw", "mindloop", "know-thyself", "mycode", "apex"] = "default"
    """Headings, order and budgets of an assembled context."""


class SummarySettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[summary]: rolling summaries of what has left the window."""

    enabled: bool = True
    """Whether summaries are made by themselves."""
    every_messages: AtLeastOne = 20
    """A summary is due when so many messages wait outside the window."""
    trigger: Literal["pending", "since"] = "pending"
    """`pending` counts messages outside the window; `since` all messages since the last summary was made."""
    trigger_tokens: NotNegative = 0
    """A summary is also due when so many tokens wait outside the window; 0 never."""
    trigger_context_pct: Annotated[int, Meta(ge=0, le=100)] = 0
    """A summary is also due when the conversation fills so much of the model's context window; 0 never."""
    max_tokens: AtLeastOne = 500
    """Hard cap of one summary."""
    target_compression: Annotated[float, Meta(gt=0, le=1)] = 0.3
    """A summary is at most this share of what it covers, within `max_tokens`."""
    voice: Literal["third", "first", "bullets"] = "third"
    """The grammatical person of a summary."""


class DigestSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[digest]: chunk, merge, score, select."""

    min_chunk_chars: NotNegative = 80
    """Shorter pieces are joined to their neighbour."""
    max_chunk_chars: AtLeastOne = 8192
    """No piece grows beyond this."""
    merge_similarity: Share = 0.2
    """Neighbours less alike than this are never merged; within one turn three fifths of it are enough."""
    recency: Annotated[float, Meta(ge=0)] = 0.3
    """Weight of lateness in a piece's score."""
    novelty: Annotated[float, Meta(ge=0)] = 1.0
    """Weight of being new against earlier recaps of the workspace."""
    centrality: Annotated[float, Meta(ge=0)] = 0.0
    """Weight of being connected with the rest."""
    consequence: Annotated[float, Meta(ge=0)] = 0.0
    """How much each call that changed something adds."""
    workers: Annotated[int, Meta(ge=1, le=16)] = 4
    """Pieces summarised at the same time."""


class LlmSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[llm]: a model that writes summaries, and reads sessions where [reading] says so. Off until switched on; text is
    redacted before it is sent."""

    provider: Literal["none", "anthropic", "openai", "command"] = "none"
    """`none`: nothing ever leaves the machine. `anthropic`: Anthropic's service, through its library. `openai`: any
    service that speaks OpenAI's chat completions: Ollama, LM Studio, vLLM, here or elsewhere. `command`: a program that
    reads a prompt and prints an answer."""
    model: str = "claude-haiku-4-5"
    """The model, by the name the provider knows it by."""
    base_url: WebAddress = ""
    """Another address of the service; empty: the provider's own. For `openai` with its `/v1`:
    http://localhost:11434/v1 is Ollama's."""
    api_key_env: VariableName = "ANTHROPIC_API_KEY"
    """Name of the environment variable that holds the key; the key itself is never written down. A service on this
    machine needs none."""
    command: tuple[str, ...] = ()
    """For `command`: the program and its arguments, as `["claude", "-p"]`, `["codex", "exec", "-"]` or `["llm"]`. It
    gets the prompt on stdin, runs in an empty folder of recapd's own, one at a time, and is ended at the deadline; what
    it logs there is no session."""
    timeout_s: Annotated[float, Meta(gt=0, le=600)] = 60.0
    """Deadline of one request."""
    retries: Annotated[int, Meta(ge=0, le=10)] = 2
    """How often a request that may succeed later is tried again."""
    max_tokens_per_day: NotNegative = 200_000
    """Tokens sent and received in a day, at most; 0 no limit."""
    max_tokens_per_session: NotNegative = 50_000
    """Tokens sent and received for one session, at most; 0 no limit."""
    max_usd_per_day: Annotated[float, Meta(ge=0)] = 1.0
    """Money spent in a day, at most; 0 no limit."""
    usd_per_million_in: Annotated[float, Meta(ge=0)] = 0.0
    """Price of a million tokens sent; 0 the published one, and the dearest for a model that is not known."""
    usd_per_million_out: Annotated[float, Meta(ge=0)] = 0.0
    """Price of a million tokens received; 0 as above."""
    stream: bool = False
    """Whether answers are streamed, for services that answer long requests no other way."""

    @property
    def runs_program(self) -> bool:
        """Whether a program of the user's is asked rather than a service: it chooses its model itself, costs what the
        user pays otherwise, and runs one at a time."""
        return self.provider == "command"

    @property
    def takes_model(self) -> bool:
        """Whether it is asked for the model by name."""
        return self.provider != "none" and not self.runs_program


class ReadingSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[reading]: a model that reads sessions, and says what was decided and where it stands. Off until switched on; it
    is the one that [llm] names. Text is redacted before it is sent, and whatever it says is checked against the log."""

    enabled: bool = False
    """Whether sessions are read by themselves, once they have been quiet for a while; `recapd read` reads one whenever
    `llm.provider` names a model."""
    model: str = ""
    """The model that reads; empty: `llm.model`."""
    quiet_s: Annotated[float, Meta(ge=0)] = 120.0
    """Read when the log has been quiet for so long; sooner when somebody looks."""
    piece_tokens: Annotated[int, Meta(ge=1000, le=500_000)] = 24_000
    """Tokens of a conversation that are read at once; a longer one is read in pieces."""
    timeout_s: Annotated[float, Meta(gt=0, le=3600)] = 300.0
    """Deadline of one piece."""
    max_tokens_per_day: NotNegative = 2_000_000
    """Tokens sent and received for reading in a day, at most; 0 no limit."""
    max_tokens_per_session: NotNegative = 400_000
    """Tokens sent and received for reading one session, at most; 0 no limit. A session of 100,000 tokens takes 150,000
    at most."""
    max_usd_per_day: Annotated[float, Meta(ge=0)] = 3.0
    """Money spent on reading in a day, at most; 0 no limit."""
    max_usd_per_session: Annotated[float, Meta(ge=0)] = 1.0
    """Money spent on reading one session, at most; 0 no limit."""


class StoreSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[store]: what recapd keeps on disk."""

    enabled: bool = True
    """Whether anything is kept on disk at all."""
    max_mb: AtLeastOne = 512
    """Size of the store, at most; what can be read again from logs goes first."""
    keep_days: NotNegative = 365
    """How long decisions and the last recap of deleted logs are kept; 0 for ever."""
    memory_mb: AtLeastOne = 64
    """Memory for sessions' states, at most; the coldest are dropped to disk. One very long session that goes on may
    take twice that."""


class FileSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[recap_file]: `_recap.md` in workspaces that are switched on."""

    enabled: bool = True
    """Whether switched-on workspaces are kept up to date."""
    quiet_s: Annotated[float, Meta(ge=0)] = 2.0
    """Written when the log has been quiet for so long."""
    max_s: Annotated[float, Meta(gt=0)] = 30.0
    """Written at least so often while the log keeps growing."""


class WatchSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[watch]: which logs are followed."""

    roots: tuple[Folder, ...] = ()
    """Folders to follow besides the agents' own."""
    exclude: tuple[str, ...] = ()
    """Names or whole paths that are no logs of interest."""
    pause: tuple[Folder, ...] = ()
    """Log folders to read nothing more of; what is known stays."""


class SubscribeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[subscribe]: when clients that follow sessions are told of changes, unless they say it themselves."""

    quiet_s: Annotated[float, Meta(ge=0)] = 0.3
    """Told when nothing has changed for so long: agents append several records within a second."""
    max_s: Annotated[float, Meta(gt=0)] = 2.0
    """Told at least so often while changes go on."""


class DaemonSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """[daemon]: the process itself."""

    idle_minutes: NotNegative = 30
    """Ends after so long without a client and without an active switched-on workspace; 0 never."""
    shutdown_timeout_s: Annotated[float, Meta(ge=0)] = 5.0
    """What is still to be written when it ends gets this long."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that holds for a session: as for its whole workspace, but for features switched off for it alone."""

    recap: RecapSettings = RecapSettings()
    decisions: DecisionSettings = DecisionSettings()
    window: WindowSettings = WindowSettings()
    context: ContextSettings = ContextSettings()
    summary: SummarySettings = SummarySettings()
    digest: DigestSettings = DigestSettings()
    llm: LlmSettings = LlmSettings()
    reading: ReadingSettings = ReadingSettings()
    store: StoreSettings = StoreSettings()
    recap_file: FileSettings = FileSettings()
    watch: WatchSettings = WatchSettings()
    subscribe: SubscribeSettings = SubscribeSettings()
    daemon: DaemonSettings = DaemonSettings()


DEFAULTS = Settings()
