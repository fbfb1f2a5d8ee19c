"""Where the parts of a recap contradict each other: a sign that the agent, or the log, has lost the thread.

Only what both sides prove is told: what the agent claims stands in its last answer, what happened in the log's results.
"""

from __future__ import annotations

import re
from typing import Final

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


def contradictions(recap: Recap) -> tuple[str, ...]:
    """In one sentence each; empty for a recap that is of one piece."""
    return (*false_claims(recap), *_broken_decisions(recap))


def false_claims(recap: Recap) -> list[str]:
    """What the last answer says against what the log shows."""
    found: list[str] = []
    last = recap.turns[-1] if recap.turns else None
    if last is None or last.replied is None:
        return found
    gist = words_of_turn(last, recap.session.memory).gist
    failing = [run for run in recap.failing if run.turn == last.number]
    if failing and _TESTS_PASS_RE.search(gist):
        run = excerpt(failing[-1].command, _CHARS)
        found.append(f"The last answer says that tests pass; the last run in the log failed: {run}")
    left = [item for item in recap.progress.counted if item.status != "done"]
    if left and _DONE_RE.search(gist):
        found.append(f"The last answer says that everything is done; {len(left)} of its tasks are open.")
    return found


def _broken_decisions(recap: Recap) -> list[str]:
    """Decisions that a later turn went against without saying so, where both are beyond doubt."""
    found: list[str] = []
    by_id = {entry.id: entry for entry in recap.decisions if entry.finding.confidence >= _SURE}
    for entry in by_id.values():
        other = by_id.get(entry.conflicts_with)
        if entry.status == "active" and other is not None and other.turn > entry.turn:
            text = excerpt(entry.finding.text, _CHARS)
            found.append(f"Decided at turn {entry.turn}, but turn {other.turn} shows otherwise: {text}")
    return found
