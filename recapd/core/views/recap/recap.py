"""The recap as data: what a person who returns needs to know, each part with the record that proves it.

`recap_of` chooses; `recap_markdown` writes it down. Neither reads the log.
"""

from __future__ import annotations

from typing import overload

import msgspec
from msgspec import Struct

from recapd.core.decisions import Entry, Ledger, ledger_of, ledger_so_far, shown_entries
from recapd.core.log import Place, TodoItem
from recapd.core.settings import DEFAULTS, DecisionSettings
from recapd.core.state import (
    FileFact,
    Milestone,
    OpenItem,
    Request,
    Session,
    Sourced,
    Standing,
    Step,
    TestRun,
    Transcript,
    Turn,
    category,
    count_changed_files,
    current_focus,
    estimated_tokens,
    failing_tests,
    fold_repeats,
    is_telling,
    last_active,
    latest_files,
    living_turns,
    open_items,
    shown_step,
    standing,
    standing_milestones,
    steps_of,
    tests_of,
)
from recapd.core.text import excerpt, presentable_path

MAX_REQUESTS = 5
MAX_ACTIONS = 5
MAX_COMMANDS = 10
MAX_TESTS = 5
# A recap names the latest; `files/list` pages through all of them.
MAX_FILES = 100
REQUEST_CHARS = 400
LINE_CHARS = 240


class Progress(Struct, frozen=True):
    """How far the work is, by the agent's own list of it; no list, no percentage."""

    items: tuple[TodoItem, ...]
    milestones: tuple[Milestone, ...]
    # As somebody named them, which counts before the list; and where.
    named_done: tuple[str, ...] = ()
    named_stage: str = ""
    named_at: tuple[Place, ...] = ()
    # What the latest deeds belong to, where neither says anything.
    stage_by_deeds: str = ""

    @property
    def done_stages(self) -> tuple[str, ...]:
        return self.named_done if self.named_at else tuple(item.text for item in self.done)

    @property
    def stage(self) -> str:
        """The one at work; "" where it cannot be told."""
        return self.named_stage or (self.current.text if self.current is not None else "") or self.stage_by_deeds

    @property
    def named_stages(self) -> str:
        """Where the work is, by the stages that somebody named; "" where nobody did."""
        parts = [f"stage: {self.named_stage}"] if self.named_stage else []
        parts += [f"completed: {', '.join(self.named_done)}"] if self.named_done else []
        return "; ".join(parts)

    @property
    def counted(self) -> tuple[TodoItem, ...]:
        return tuple(item for item in self.items if item.status != "dropped")

    @property
    def done(self) -> tuple[TodoItem, ...]:
        return tuple(item for item in self.items if item.status == "done")

    @property
    def current(self) -> TodoItem | None:
        return next((item for item in self.items if item.status == "active"), None)

    @property
    def percentage(self) -> int | None:
        counted = self.counted
        return round(100 * len(self.done) / len(counted)) if counted else None


class Stats(Struct, frozen=True):
    turns: int
    exchanges: int
    messages: int
    tool_calls: int
    failed_tool_calls: int
    estimated_tokens: int
    files_changed: int
    commands_run: int
    commands_failed: int
    tests_run: int
    subagents: int
    first_at: str
    last_at: str


class Recap(Struct, frozen=True):
    session: Session
    original: Request | None
    focus: Request | None
    requests: tuple[Request, ...]
    turns: tuple[Turn, ...]
    steps: tuple[Sourced[Step], ...]
    files: tuple[Sourced[FileFact], ...]
    commands: tuple[Sourced[Step], ...]
    tests: tuple[Sourced[TestRun], ...]
    # Of the main log, what nobody mended.
    failing: tuple[TestRun, ...]
    progress: Progress
    items: tuple[OpenItem, ...]
    standing: Standing
    stats: Stats
    # The latest, in the order of the log; those that were replaced or taken back are among them, and say so.
    decisions: tuple[Entry, ...] = ()
    # How many came before them.
    decisions_before: int = 0
    # Turns in which decisions are yet to be looked for.
    unjudged: int = 0
    # What the human has just typed, where it is yet to be logged: nothing proves it, and its turn is the next.
    upcoming: Request | None = None
    # For a reader who has seen the rest: the whole of it, where this has only what is new.
    whole: Recap | None = None

    @property
    def turn(self) -> int:
        return self.session.main.transcript.totals.turns + (self.upcoming is not None)


def recap_of(session: Session, now: str, decisions: DecisionSettings = DEFAULTS.decisions) -> Recap:
    return _recap(session, now, decisions, Ledger(ledger_of(session, decisions)))


def recap_so_far(session: Session, now: str, decisions: DecisionSettings) -> Recap:
    """The same with the decisions that are known, where somebody judges ahead: it takes no more than what changed."""
    return _recap(session, now, decisions, ledger_so_far(session, decisions))


def _recap(session: Session, now: str, decisions: DecisionSettings, ledger: Ledger) -> Recap:
    transcript = session.main.transcript
    turns = living_turns(session)
    requests = sorted(
        (*(turn.request for turn in turns[-MAX_REQUESTS:]), *transcript.commands_given[-MAX_REQUESTS:]),
        key=lambda request: request.place.offset,
    )
    shown = shown_entries(ledger.entries, decisions, session.memory)
    latest, recall = latest_files(session, MAX_FILES), session.memory.recall
    shown_files = (recall(_shown_file, row.fact, (row.fact.path, row.via)) for row in latest)
    files = tuple(Sourced(fact, row.source, row.turn, row.via) for fact, row in zip(shown_files, latest, strict=True))
    return Recap(
        session=session,
        original=_shown_request(transcript.original),
        focus=_shown_request(current_focus(transcript)),
        requests=tuple(_shown_request(request) for request in requests[-MAX_REQUESTS:]),
        turns=turns,
        steps=recent_steps(session, MAX_ACTIONS),
        files=files,
        commands=_recent_commands(session),
        tests=tuple(_shown_test(run) for run in tests_of(session)[-MAX_TESTS:]),
        failing=tuple(failing_tests(transcript)),
        progress=Progress(
            tuple(msgspec.structs.replace(item, text=excerpt(item.text, LINE_CHARS)) for item in transcript.todos),
            tuple(
                msgspec.structs.replace(each, text=excerpt(each.text, LINE_CHARS))
                for each in standing_milestones(transcript)
            ),
            tuple(excerpt(each.name, LINE_CHARS) for each in transcript.stages if each.is_done),
            next((excerpt(each.name, LINE_CHARS) for each in transcript.stages if not each.is_done), ""),
            tuple(each.place for each in transcript.stages),
            _stage_by_deeds(transcript),
        ),
        items=tuple(open_items(session, now)),
        standing=standing(session, now),
        stats=stats_of(session),
        decisions=shown.latest,
        decisions_before=shown.before,
        unjudged=ledger.unjudged if decisions.enabled else 0,
    )


def _stage_by_deeds(transcript: Transcript) -> str:
    """Tests that ran after everything else of the last turn, or changes of files that nobody has tested yet."""
    tested = transcript.tests[-1] if transcript.tests else None
    changed = transcript.changes[-1] if len(transcript.changes) else None
    number = transcript.totals.turns
    if tested is not None and tested.turn == number and (changed is None or tested.place.offset > changed.place.offset):
        return "testing"
    return "implementation" if changed is not None and changed.turn == number and changed.ok else ""


def recent_steps(session: Session, limit: int) -> tuple[Sourced[Step], ...]:
    """The latest steps worth telling: what changed something first, what only looked where nothing else was done."""
    folded: list[Sourced[Step]] = []
    run: list[Sourced[Step]] = []
    for sourced in steps_of(session):
        if run and run[-1].source is not sourced.source:
            folded += _folded(run)
            run = []
        run.append(sourced)
    folded += _folded(run)
    telling = [sourced for sourced in folded if is_telling(sourced.fact.kind)]
    if len(telling) < limit:
        telling = [
            sourced for sourced in folded if is_telling(sourced.fact.kind) or category(sourced.fact.kind) != "meta"
        ]
    return _shown(telling[-limit:])


def _recent_commands(session: Session) -> tuple[Sourced[Step], ...]:
    return _shown([sourced for sourced in steps_of(session) if sourced.fact.kind == "shell"][-MAX_COMMANDS:])


def _shown_file(fact: FileFact) -> FileFact:
    return msgspec.structs.replace(fact, path=presentable_path(fact.path), renamed_to=presentable_path(fact.renamed_to))


def _shown_test(run: Sourced[TestRun]) -> Sourced[TestRun]:
    fact = msgspec.structs.replace(run.fact, command=excerpt(run.fact.command, LINE_CHARS))
    return Sourced(fact, run.source, run.turn, run.via)


def _shown(steps: list[Sourced[Step]]) -> tuple[Sourced[Step], ...]:
    return tuple(Sourced(shown_step(each.fact), each.source, each.turn, each.via) for each in steps)


def stats_of(session: Session) -> Stats:
    totals = session.main.transcript.totals
    children = [child.transcript.totals for child in session.children]
    return Stats(
        turns=totals.turns,
        exchanges=totals.exchanges,
        messages=totals.messages,
        tool_calls=totals.calls,
        failed_tool_calls=totals.failed_calls,
        estimated_tokens=estimated_tokens(session.main.transcript),
        files_changed=count_changed_files(session),
        commands_run=totals.commands + sum(child.commands for child in children),
        commands_failed=totals.failed_commands + sum(child.failed_commands for child in children),
        tests_run=totals.tests + sum(child.tests for child in children),
        subagents=len(session.children),
        first_at=session.main.transcript.started_at,
        last_at=last_active(session),
    )


@overload
def _shown_request(request: Request) -> Request: ...
@overload
def _shown_request(request: None) -> None: ...
def _shown_request(request: Request | None) -> Request | None:
    return request and msgspec.structs.replace(request, text=excerpt(request.text, REQUEST_CHARS))


def _folded(run: list[Sourced[Step]]) -> list[Sourced[Step]]:
    """Repeats told as one; the last of a run stands for it."""
    folded: list[Sourced[Step]] = []
    position = -1
    for step in fold_repeats([sourced.fact for sourced in run]):
        position += step.count
        last = run[position]
        folded.append(Sourced(step, last.source, last.turn, last.via))
    return folded
