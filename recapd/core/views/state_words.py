"""How a session stands, in a word or two, wherever it is shown."""

from __future__ import annotations

from typing import Final

_WORDS: Final = {
    "waiting": "waiting for you",
    "active": "still running",
    "answered": "answered",
    "interrupted": "broke off",
    "finished": "finished",
}


def state_word(status: str, question: str | None, needs: str | None = None) -> str:
    """A question that nobody is there to answer is left open; a state of another version says itself."""
    if status == "waiting" and needs == "permission":
        return "needs permission"
    return "left open" if status == "answered" and question else _WORDS.get(status, status)
