"""Which parts of an answer about a session a batch can have changed: hints for whoever shows some of them.

Owns the table from fields of a Transcript to sections of a recap. A section too many costs a client one request,
a section too few leaves it with old news: where it is not cheap to know, the section is named.
"""

from __future__ import annotations

from typing import Final

from recapd.core.state import Transcript

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

ALL_SECTIONS: Final = tuple(section for section, _ in _MADE_FROM) + _OF_REQUESTS


def changed_sections(before: Transcript, after: Transcript) -> tuple[str, ...]:
    """The sections that differ. The work is bounded: what did not change is the same object, piece by piece."""
    if before is after:
        return ()
    differs = {name: getattr(before, name) != getattr(after, name) for name in _FIELDS}
    sections = tuple(section for section, made in _MADE_FROM if any(differs[name] for name in made))
    return sections if _requests(before) == _requests(after) else sections + _OF_REQUESTS


def _requests(transcript: Transcript) -> tuple[object, ...]:
    """What moves when the human says something or goes back; a turn's row itself changes with every answer."""
    turns = transcript.turns
    totals = transcript.totals
    latest = turns[-1].request if len(turns) else None
    return totals.turns, totals.abandoned_turns, latest, transcript.commands_given
