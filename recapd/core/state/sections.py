"""Which parts of an answer about a session differ, from what differs in what was read.

Sections are hints for whoever shows some parts of an answer: one too many costs a client one request, one too few
leaves it with old news. What is told is compared where that is bounded; where the clock, a judge or what an agent says
of itself has a word too, a section is named when what it is made from differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

from msgspec import Struct

from recapd.core.state.call_lines import category, describe, fold_repeats, is_telling
from recapd.core.state.outcomes import failing_tests, standing_milestones
from recapd.core.state.transcript import Request, Step, Transcript, Turn
from recapd.core.text import is_substantive

# What a recap tells: see there.
_REQUESTS: Final = 5
_ACTIONS: Final = 5
# In so many steps there are mostly as many actions.
_STEPS: Final = 16
_COMMANDS: Final = 10
_TESTS: Final = 5


class _Section(Struct, frozen=True):
    """A section, the fields of Transcript that it is made from, and what of them it tells."""

    name: str
    fields: tuple[str, ...]
    told: Callable[[Transcript], object] | None = None
    # Whether what sub-agents do is told there.
    is_of_all: bool = False


def current_focus(transcript: Transcript) -> Request | None:
    """What the human asked for last, passing over nods and nudges."""
    latest: Request | None = None
    for turn in reversed(transcript.turns):
        if turn.abandoned:
            continue
        latest = latest or turn.request
        if is_substantive(turn.request.text):
            return _later(turn.request, transcript.commands_given)
    return _later(latest, transcript.commands_given)


def _later(request: Request | None, commands: tuple[Request, ...]) -> Request | None:
    if not commands:
        return request
    command = commands[-1]
    if request is None or command.place.offset > request.place.offset:
        return command
    return request


def _living(turns: Iterable[Turn]) -> Iterable[Turn]:
    return (turn for turn in turns if not turn.abandoned)


def _latest_requests(transcript: Transcript) -> object:
    asked = [turn.request for turn in islice(_living(reversed(transcript.turns)), _REQUESTS)]
    return asked, transcript.commands_given[-_REQUESTS:]


def _actions(transcript: Transcript) -> object:
    root = next(iter(transcript.cwds), "")
    return [(step, describe(step, root)) for step in _latest_actions(transcript)]


def _latest_actions(transcript: Transcript) -> list[Step]:
    """What changed something; where that is little, what only looked as well."""
    steps = transcript.steps
    latest = [step for step in fold_repeats(steps[-_STEPS:]) if is_telling(step.kind)]
    # The first of them may have begun before.
    if len(latest) > _ACTIONS:
        return latest[-_ACTIONS:]
    folded = fold_repeats(steps)
    telling = [step for step in folded if is_telling(step.kind)]
    if len(telling) < _ACTIONS:
        telling = [step for step in folded if is_telling(step.kind) or category(step.kind) != "meta"]
    return telling[-_ACTIONS:]


def _commands(transcript: Transcript) -> object:
    return [step for step in transcript.steps if step.kind == "shell"][-_COMMANDS:]


def _contradictable(transcript: Transcript) -> object:
    """What the agent's last words may be held against; where there is nothing, words contradict nothing."""
    failing = failing_tests(transcript) if any(run.ok is False for run in transcript.tests) else []
    open_tasks = sum(item.status in ("pending", "active") for item in transcript.todos)
    if not failing and not open_tasks:
        return None
    last = next(iter(_living(reversed(transcript.turns))), None)
    return [run.place for run in failing], open_tasks, last and (last.number, last.telling, last.replied)


def _findings(transcript: Transcript) -> object:
    """What the ledger is made from: where somebody went back, or turns are read anew, a known decision stands in
    another turn or in none."""
    return transcript.passages, transcript.totals.abandoned_turns, transcript.turns_are_weak


_ASKED: Final = ("turns", "commands_given")
# `last_at` moves the state: a session that was given up is active again with whatever its log says next.
_STANDING: Final = ("ending", "last_words", "open_calls", "last_at")
_SECTIONS: Final = (
    _Section("originalRequest", ("original",)),
    _Section("currentFocus", _ASKED, current_focus),
    _Section("userRequests", _ASKED, _latest_requests),
    _Section("decisions", ("passages", "totals", "turns_are_weak"), _findings),
    _Section("recentActions", ("steps", "cwds"), _actions, is_of_all=True),
    _Section("commands", ("steps",), _commands, is_of_all=True),
    _Section("tests", ("tests",), lambda transcript: transcript.tests[-_TESTS:], is_of_all=True),
    _Section("files", ("files",), is_of_all=True),
    _Section("progress", ("todos", "milestones", "tests"), lambda each: (each.todos, standing_milestones(each))),
    _Section("openItems", (*_STANDING, "queued", "tests", "todos", "todos_place")),
    _Section("contradictions", ("tests", "todos", "turns", "passages"), _contradictable),
    _Section("state", _STANDING),
    _Section("stats", ("totals", "human", "agent", "tool", "files", "started_at", "last_at"), is_of_all=True),
    _Section(
        "session", ("title", "original", "branch", "model", "cwds", "started_at", "totals", *_STANDING), is_of_all=True
    ),
)
_FIELDS: Final = frozenset(field for section in _SECTIONS for field in section.fields)
# A session lives as long as one of those who work for it writes.
_OF_ACTIVITY: Final = frozenset(("state", "openItems"))

ALL_SECTIONS: Final = tuple(section.name for section in _SECTIONS)


def sections_between(before: Transcript, after: Transcript) -> tuple[str, ...]:
    """The sections that differ. The work is bounded: what did not change is the same object, piece by piece."""
    if before is after:
        return ()
    differs = {name: getattr(before, name) != getattr(after, name) for name in _FIELDS}
    return tuple(
        section.name
        for section in _SECTIONS
        if any(differs[name] for name in section.fields)
        and (section.told is None or section.told(before) != section.told(after))
    )


def sections_between_of_subagent(before: Transcript, after: Transcript) -> tuple[str, ...]:
    """The same where it is a sub-agent's log that grew: what it was asked, and how it stands, is told nowhere."""
    theirs = {section.name for section in _SECTIONS if section.is_of_all} | _OF_ACTIVITY
    return tuple(name for name in sections_between(before, after) if name in theirs)
