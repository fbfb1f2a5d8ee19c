"""Something that may be a decision, with what speaks for and against it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from recapd.core.decisions.entries import How, MadeBy, Proof, Wants
from recapd.core.log import Place
from recapd.core.state import Passage

# What is shorter says nothing by itself.
_SHORTEST: Final = 12
_SHORTEST_UNSPACED: Final = 4


class Candidate(Struct, frozen=True):
    """Something that may be a decision. `model` names the weights it is judged by."""

    model: str
    passage: Passage
    ordinal: int
    quote: str
    text: str
    made_by: MadeBy
    how: How
    features: dict[str, float]
    # The sentence that tells most: what its words are worth is looked up.
    core: str
    proposal: Place | None = None
    # The sentence before, for a rationale.
    lead: str = ""
    heading: str = ""
    proof: Proof | None = None
    # It says that something is settled; it leaves something open.
    decides: bool = False
    is_open: bool = False
    # It tells how things are, and nothing of how they shall be.
    reports: bool = False
    # It names what an open question asked for; it takes something else than before.
    answers: bool = False
    turns: bool = False
    # What the agent says next takes no notice of it.
    is_passed_over: bool = False
    # See Finding.wants.
    wants: Wants = ""
    # The human refused what it announces.
    is_refused: bool = False


def says_something(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    if letters >= _SHORTEST:
        return True
    return letters >= _SHORTEST_UNSPACED and not text.isascii()
