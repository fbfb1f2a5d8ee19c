"""A transcript while a batch is folded into it: mutable, short-lived, seen by nobody else.

The handlers (turns, actions, files, progress) each change their own part of it; `fold` freezes it once per batch.
"""

from __future__ import annotations

from collections import deque

from recapd.core.log import Place, Problem, Result, TodoItem
from recapd.core.state.chunked import Growing
from recapd.core.state.passages import Passage
from recapd.core.state.transcript import (
    FileFact,
    Link,
    Meter,
    Milestone,
    Moment,
    OpenCall,
    Request,
    TestRun,
    Totals,
    Transcript,
    Turn,
    Utterance,
)
from recapd.core.text import estimate_tokens

# How many of each the state keeps; totals count all of them. A recap shows five, a context a few dozen.
MAX_STEPS = 100
MAX_TESTS = 30
MAX_MILESTONES = 200
MAX_REQUESTS = 50
MAX_PROBLEMS = 50
MAX_CWDS = 16
MAX_LINKS = 50
# A hostile log may invent a record type on every line.
MAX_TYPES = 200
# Calls whose results never came, over a session's whole life; the oldest are given up.
MAX_OPEN_CALLS = 500
# Processes that were left running; most are servers, whose end nobody asks for.
MAX_RUNNING = 50
# Results are held with all they returned until it is read off what their calls did: so many, and those of one batch.
MAX_UNSETTLED = 128

# Counting every text would cost more than parsing the log: a piece is counted whenever the amount has grown so many
# times. Text of one sort within one session is much alike.
SAMPLE_CHARS = 512
SAMPLE_GROWTH = 3


class Draft:
    """Fields as in Transcript; sequences as lists, totals as plain numbers."""

    # So many attributes, asked for with every event, are found faster in slots than in a dict.
    __slots__ = tuple(
        """
        agent base branch commands_given cwd cwds ending file_rows files finished human is_chained
        last_at last_message last_record last_words links milestones model n_abandoned n_calls n_commands n_compactions
        n_exchanges n_failed_calls n_failed_commands n_messages n_problems n_records n_subagent_calls
        n_subagent_failed n_tests n_turns native_id open_calls original original_counts packed_ids parent_session
        passages problem_kinds problems queued record_ids record_types replies reply_place reply_text running started_at
        subagent tests title title_by_human todos todos_place tool tools turn_calls turn_failed turn_messages
        turn_number turn_row turns turns_are_weak unknown_types unsettled utterances version
        """.split()
    )

    def __init__(self, base: Transcript) -> None:
        self.base = base
        self.native_id = base.native_id
        self.subagent = base.subagent
        self.parent_session = base.parent_session
        self.title = base.title
        self.title_by_human = base.title_by_human
        self.cwd = base.cwd
        self.cwds = base.cwds
        self.branch = base.branch
        self.version = base.version
        self.model = base.model
        self.started_at = base.started_at
        self.last_at = base.last_at
        self.turns: Growing[Turn] = Growing(base.turns)
        self.utterances: Growing[Utterance] = Growing(base.utterances)
        self.passages: Growing[Passage] = Growing(base.passages)
        self.turns_are_weak = base.turns_are_weak
        self.is_chained = base.is_chained
        # Row in `turns` and number of the turn being lived through.
        self.turn_row = len(base.turns) - 1
        self.turn_number = next((turn.number for turn in reversed(base.turns) if not turn.abandoned), 0)
        self.original = base.original
        self.original_counts = base.original_counts
        self.commands_given: list[Request] = list(base.commands_given)
        self.queued: list[Request] = list(base.queued)
        self.files: Growing[FileFact] = Growing(base.files)
        self.file_rows = base.file_rows
        # Calls with their results: those that are told become steps when the batch ends.
        self.finished: deque[tuple[OpenCall, Result]] = deque(maxlen=MAX_STEPS)
        # Calls of which nobody has read yet what they did, with the result and the directory then: see actions.settle.
        self.unsettled: list[tuple[OpenCall, Result, str]] = []
        self.tests: list[TestRun] = list(base.tests)
        self.milestones: list[Milestone] = list(base.milestones)
        self.todos: list[TodoItem] = list(base.todos)
        self.todos_place = base.todos_place
        self.links: list[Link] = list(base.links)
        self.tools = dict(base.tools)
        self.open_calls: dict[str, OpenCall] = dict(base.open_calls)
        self.running: dict[str, OpenCall] = dict(base.running)
        # The fields of the Ending, which is built once per batch: it changes with nearly every event.
        ending = base.ending
        self.ending: tuple[Moment, str, Place | None, str] = (ending.moment, ending.reason, ending.place, ending.at)
        self.last_message = base.last_message
        self.last_words = base.last_words
        self.human = Gauge(base.human)
        self.agent = Gauge(base.agent)
        self.tool = Gauge(base.tool)
        # Ids of records: the latest, those before them in this draft (see record_ids), and the last of those.
        self.record_ids: list[str] = []
        self.packed_ids = bytearray()
        self.last_record = base.last_record
        self.record_types = dict(base.record_types)
        self.unknown_types = dict(base.unknown_types)
        self.problem_kinds = dict(base.problem_kinds)
        self.problems: list[Problem] = list(base.problems)
        totals = base.totals
        self.n_turns = totals.turns
        self.n_exchanges = totals.exchanges
        self.n_messages = totals.messages
        self.n_calls = totals.calls
        self.n_failed_calls = totals.failed_calls
        self.n_commands = totals.commands
        self.n_failed_commands = totals.failed_commands
        self.n_tests = totals.tests
        self.n_compactions = totals.compactions
        self.n_abandoned = totals.abandoned_turns
        self.n_subagent_calls = totals.subagent_calls
        self.n_subagent_failed = totals.subagent_failed_calls
        self.n_records = totals.records
        self.n_problems = totals.problems
        # The turn being lived through; its row in `turns` is written when it closes or the batch ends.
        self.turn_messages = 0
        self.turn_calls = 0
        self.turn_failed = 0
        # The agent's latest words and where they stand, until their excerpt is taken.
        self.reply_text = ""
        self.reply_place: Place | None = None
        # All its words since its row was written.
        self.replies: list[str] = []


class Gauge:
    """A Meter while it is being read on."""

    __slots__ = ("chars", "next_sample", "sampled_chars", "sampled_tokens")

    def __init__(self, base: Meter) -> None:
        self.chars = base.chars
        self.sampled_chars = base.sampled_chars
        self.sampled_tokens = base.sampled_tokens
        self.next_sample = base.next_sample

    def sample(self, text: str) -> None:
        """Count a piece of the text that passed the mark, and set the next mark."""
        piece = text[:SAMPLE_CHARS]
        self.sampled_chars += len(piece)
        self.sampled_tokens += estimate_tokens(piece)
        self.next_sample = max(self.chars * SAMPLE_GROWTH, SAMPLE_CHARS)

    def freeze(self) -> Meter:
        return Meter(self.chars, self.sampled_chars, self.sampled_tokens, self.next_sample)


def totals_of(draft: Draft) -> Totals:
    return Totals(
        turns=draft.n_turns,
        exchanges=draft.n_exchanges,
        messages=draft.n_messages,
        calls=draft.n_calls,
        failed_calls=draft.n_failed_calls,
        commands=draft.n_commands,
        failed_commands=draft.n_failed_commands,
        tests=draft.n_tests,
        compactions=draft.n_compactions,
        abandoned_turns=draft.n_abandoned,
        subagent_calls=draft.n_subagent_calls,
        subagent_failed_calls=draft.n_subagent_failed,
        records=draft.n_records,
        problems=draft.n_problems,
    )
