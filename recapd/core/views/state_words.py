"""How a session stands, in a word or two, wherever it is shown."""

from __future__ import annotations

TYPE_CHECKING = False  # typing costs more to import than a list takes to show
if TYPE_CHECKING:
    from typing import Final

    from recapd.core.state import Standing

_WORDS: Final = {
    "waiting": "your turn",
    "active": "working",
    "answered": "answered",
    "interrupted": "broke off",
    "finished": "done",
}
# What somebody who is there needs of the human, before anything else.
_NEEDS: Final = {"answer": "needs you", "permission": "needs permission", "plan": "has a plan"}

# What says more than the status does, where nobody waits.
_CAUSES: Final = {"no words": "ended", "no closing words": "stopped"}


def state_word(status: str, question: str | None, needs: str | None = None) -> str:
    """A question that nobody is there to answer is left open; a state of another version says itself."""
    if status == "waiting" and needs in _NEEDS:
        return _NEEDS[needs]
    return "left open" if status == "answered" and question else _WORDS.get(status, status)


def standing_word(standing: Standing) -> str:
    if standing.cause in _CAUSES and standing.status != "waiting":
        return _CAUSES[standing.cause]
    return state_word(standing.status, standing.question, standing.needs)
