"""Which parts of an answer about a session a batch can have changed: hints for whoever shows some of them.

Owns the table from fields of a Transcript to sections of a recap. A section too many costs a client one request,
a section too few leaves it with old news: where it is not cheap to know, the section is named.
"""

from __future__ import annotations

from typing import Final

from recapd.core.state.transcript import Transcript
from recapd.core.state.waiting import waits

# Section → fields of Transcript that it is made from. `last_at` moves the state: a session that was given up is
# active again with whatever its log says next.
_MADE_FROM: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("originalRequest", ("original",)),
    ("recentActions", ("steps", "tests", "cwds")),
    ("files", ("files",)),
    ("progress", ("todos", "milestones", "tests")),
    ("openItems", ("ending", "last_words", "open_calls", "last_at", "queued", "tests", "todos", "todos_place")),
    ("state", ("ending", "last_words", "open_calls", "last_at")),
    ("stats", ("totals", "human", "agent", "tool", "files", "started_at", "last_at")),
    ("session", ("title", "original", "branch", "model", "cwds", "started_at", "last_at", "totals", "ending")),
)
_FIELDS: Final = frozenset(field for _, fields in _MADE_FROM for field in fields)
_OF_REQUESTS: Final = ("currentFocus", "userRequests")
_OF_FINDINGS: Final = ("decisions",)

# Not a part of a recap: the session has just begun to wait for the human.
WAITING: Final = "waiting"
# Nor this: the agent has just forgotten its past for a summary of it. What the summary lost is in the answer.
COMPACTED: Final = "compacted"

ALL_SECTIONS: Final = tuple(section for section, _ in _MADE_FROM) + _OF_REQUESTS + _OF_FINDINGS


def changed_sections(before: Transcript, after: Transcript) -> tuple[str, ...]:
    """The sections that differ. The work is bounded: what did not change is the same object, piece by piece."""
    if before is after:
        return ()
    differs = {name: getattr(before, name) != getattr(after, name) for name in _FIELDS}
    sections = tuple(section for section, made in _MADE_FROM if any(differs[name] for name in made))
    if _requests(before) != _requests(after):
        sections += _OF_REQUESTS
    if _findings(before) != _findings(after):
        sections += _OF_FINDINGS
    if waits(after) and not waits(before):
        sections += (WAITING,)
    if _is_compacted(before, after):
        sections += (COMPACTED,)
    return sections


def _is_compacted(before: Transcript, after: Transcript) -> bool:
    passages = after.passages
    return any(passages[row].kind == "summary" for row in range(len(before.passages), len(passages)))


def _requests(transcript: Transcript) -> tuple[object, ...]:
    """What moves when the human says something or goes back; a turn's row itself changes with every answer."""
    turns = transcript.turns
    totals = transcript.totals
    latest = turns[-1].request if len(turns) else None
    return totals.turns, totals.abandoned_turns, latest, transcript.commands_given


def _findings(transcript: Transcript) -> tuple[object, ...]:
    """What the ledger is made from: where somebody went back, or turns are read anew, a known decision stands in
    another turn or in none."""
    return transcript.passages, transcript.totals.abandoned_turns, transcript.turns_are_weak
