"""Where the parts of a recap contradict each other: a sign that the agent, or the log, has lost the thread.

Only what both sides prove is told: what the agent claims stands in its last answer, what happened in the log's results.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.log import Place
from recapd.core.text import excerpt
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import words_of_turn

_TESTS_PASS_RE: Final = re.compile(
    r"\b(?:all (?:\d+ )?(?:unit |integration )?tests? (?:are |now )?(?:pass(?:es|ed|ing)?|green)|"
    r"tests (?:and lint )?(?:all )?pass\b|everything passes)",
    re.IGNORECASE,
)
_DONE_RE: Final = re.compile(
    r"\b(?:everything is (?:done|complete|finished)|all (?:tasks|items|steps) (?:are )?(?:done|complete[d]?|finished))",
    re.IGNORECASE,
)
_CHARS: Final = 80
# A false alarm costs more trust than a missed one.
_SURE: Final = 0.75


class Contradiction(Struct, frozen=True):
    """In one sentence, with the records that contradict each other."""

    text: str
    turn: int
    places: tuple[Place, ...]


def contradictions(recap: Recap) -> tuple[Contradiction, ...]:
    """Empty for a recap that is of one piece."""
    return (*false_claims(recap), *_broken_decisions(recap))


def false_claims(recap: Recap) -> list[Contradiction]:
    """What the last answer says against what the log shows."""
    found: list[Contradiction] = []
    last = recap.turns[-1] if recap.turns else None
    if last is None or last.replied is None:
        return found
    gist = words_of_turn(last, recap.session.memory).gist
    failing = [run for run in recap.failing if run.turn == last.number]
    if failing and _TESTS_PASS_RE.search(gist):
        run = excerpt(failing[-1].command, _CHARS)
        text = f"The last answer says that tests pass; the last run in the log failed: {run}"
        found.append(Contradiction(text, last.number, (last.replied, failing[-1].place)))
    left = [item for item in recap.progress.counted if item.status != "done"]
    if left and _DONE_RE.search(gist):
        text = f"The last answer says that everything is done; {len(left)} of its tasks are open."
        listed = recap.session.main.transcript.todos_place
        found.append(Contradiction(text, last.number, (last.replied, listed) if listed else (last.replied,)))
    return found


def _broken_decisions(recap: Recap) -> list[Contradiction]:
    """Decisions that a later turn went against without saying so, where both are beyond doubt."""
    found: list[Contradiction] = []
    by_id = {entry.id: entry for entry in recap.decisions if entry.finding.confidence >= _SURE}
    for entry in by_id.values():
        other = by_id.get(entry.conflicts_with)
        if entry.status == "active" and other is not None and other.turn > entry.turn:
            decided = excerpt(entry.finding.text, _CHARS)
            text = f"Decided at turn {entry.turn}, but turn {other.turn} shows otherwise: {decided}"
            found.append(Contradiction(text, other.turn, (entry.finding.place, other.finding.place)))
    return found
