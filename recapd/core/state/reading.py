"""What a reader (a model that the user chose) made of a session, as it is kept. No log tells it: whoever keeps it puts
it beside the session.

Everything in it was checked against the log when it was taken (see core.reading): quotes stand where it says, claims
have their places. Clean and without secrets. Stored as MessagePack: a new field needs a default.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.core.log import Place

ReadFate: TypeAlias = Literal["active", "superseded", "reverted"]


class ReadDecision(Struct, frozen=True, gc=False):
    """A decision as the reader told it. What sort it is of, who made it and how are words of core.decisions."""

    # By which the reader names it, from 1; never given twice within a reading.
    number: int
    # Of the record it stands in, and which of those read in that record it is.
    record: str
    ordinal: int
    place: Place
    turn_row: int
    message: int
    at: str
    text: str
    quote: str
    type: str
    made_by: str
    how: str
    # From 1, incidental, to 3, what everything else hangs on.
    weight: int = 2
    rationale: str = ""
    alternatives: tuple[str, ...] = ()
    proposal: Place | None = None
    fate: ReadFate = "active"
    # The number of the one that ended it; 0 where none took its place.
    ended_by: int = 0
    # The number of one by which the agent did otherwise, without a word of the user; 0 where none did.
    contradicted_by: int = 0


class ReadStatement(Struct, frozen=True, gc=False):
    """A claim, and the records it rests on: never none."""

    text: str
    places: tuple[Place, ...]
    turn: int
    weight: int = 2
    # The lines of the script by which a reader names these places.
    lines: tuple[int, ...] = ()


class Brief(Struct, frozen=True):
    """A whole session as a short page tells it, in the reader's own words."""

    asked: ReadStatement | None = None
    results: tuple[ReadStatement, ...] = ()
    stands: ReadStatement | None = None
    next: ReadStatement | None = None

    @property
    def statements(self) -> tuple[ReadStatement, ...]:
        told = (self.asked, *self.results, self.stands, self.next)
        return tuple(each for each in told if each is not None)


class Reading(Struct, frozen=True, kw_only=True):
    """One session as far as it was read."""

    # The provider, and the model where it says one.
    by: str
    model: str = ""
    at: str
    # The last record that was read, and a digest of all that was said up to there: another one means that the log was
    # rewritten.
    through: Place
    fingerprint: str
    # Number of the last message and of the last turn that were read.
    message: int
    turn: int
    # Turns up to there that were rewound then: another number means that the conversation is another one.
    abandoned: int = 0
    decisions: tuple[ReadDecision, ...] = ()
    asked: ReadStatement | None = None
    stands: ReadStatement | None = None
    results: tuple[ReadStatement, ...] = ()
    open: tuple[ReadStatement, ...] = ()
    next: tuple[ReadStatement, ...] = ()
    brief: Brief = Brief()
    # What was told and could not be placed in the log.
    dropped: int = 0
    pieces: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
