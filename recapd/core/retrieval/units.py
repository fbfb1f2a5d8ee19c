"""What of a conversation can be found: every prompt and reply, what the human answered to questions, and plans.

Other calls and all results are left out: the answers to all of 48 labelled questions stood in somebody's words, and
with calls and results among the passages two fewer were found. What was done to files stands in their ledger.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core.log import Place
from recapd.core.state import Passage, Transcript

Speaker: TypeAlias = Literal["user", "agent"]

# Words that stand in calls and results, by who said them.
_SPOKEN_IN_CALLS: Final[dict[str, Speaker]] = {"answer": "user", "plan": "agent"}


class Unit(Struct, frozen=True, gc=False):
    """One text and where it stands."""

    speaker: Speaker
    # Number of the message it is, or of the one before it.
    message: int
    turn_row: int
    place: Place
    # Which of the texts of this speaker in the record it is: a record may hold several.
    ordinal: int = 0
    # The text itself, where it is no message and the state has it.
    text: str = ""


class Known(Struct, frozen=True):
    """How much of a transcript was made into units."""

    utterances: int = 0
    passages: int = 0


NOTHING: Final = Known()


def units_of(transcript: Transcript, known: Known = NOTHING) -> list[Unit]:
    """The units that are not known yet, in the order of the log."""
    units: list[Unit] = []
    utterances = transcript.utterances
    for row in range(known.utterances, len(utterances)):
        said = utterances[row]
        ordinal = 0
        if units and units[-1].place == said.place and units[-1].speaker == said.speaker:
            ordinal = units[-1].ordinal + 1
        units.append(Unit(said.speaker, said.message, said.turn_row, said.place, ordinal))
    passages = transcript.passages
    spoken = [unit for row in range(known.passages, len(passages)) if (unit := _in_call(passages[row]))]
    return sorted((*units, *spoken), key=lambda unit: unit.place.offset) if spoken else units


def known_of(transcript: Transcript) -> Known:
    return Known(len(transcript.utterances), len(transcript.passages))


def _in_call(passage: Passage) -> Unit | None:
    speaker = _SPOKEN_IN_CALLS.get(passage.kind)
    if passage.kind == "summary" and passage.turn_row < 0:
        # The conversation goes on from another log, and this is all that is left of it.
        speaker = "agent"
    if speaker is None:
        return None
    text = f"{passage.asked} — {passage.text}" if passage.asked else passage.text
    return Unit(speaker, passage.message, passage.turn_row, passage.place, text=f"{text}\n{passage.tail}".strip())
