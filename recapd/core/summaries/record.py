"""A rolling summary and what it holds, as it is kept. Stored as MessagePack: a new field needs a default."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.core.decisions import DecisionStatus, MadeBy
from recapd.core.log import FileAction, Place
from recapd.core.summaries.digest import Episode
from recapd.core.tool_use import ToolUse

Method: TypeAlias = Literal["extractive", "model"]


class Noted(Struct, frozen=True, gc=False):
    """Something that was said, in its own words, with the record that says so."""

    text: str
    turn: int
    place: Place


class DecisionNote(Struct, frozen=True, gc=False):
    id: str
    text: str
    turn: int
    place: Place
    status: DecisionStatus = "active"
    made_by: MadeBy = "user"


class FileNote(Struct, frozen=True, gc=False):
    path: str
    action: FileAction
    turn: int
    place: Place


class CommandNote(Struct, frozen=True, gc=False):
    command: str
    ok: bool
    turn: int
    place: Place
    count: int = 1


class Facts(Struct, frozen=True):
    """What must survive any number of summaries, each with the record that proves it. Clean and without secrets."""

    goal: Noted | None = None
    # The requests that head what was worked on.
    topics: tuple[Noted, ...] = ()
    decisions: tuple[DecisionNote, ...] = ()
    files: tuple[FileNote, ...] = ()
    commands: tuple[CommandNote, ...] = ()
    # What was tried and failed, with the reason.
    failures: tuple[Noted, ...] = ()
    # What somebody said they would do.
    commitments: tuple[Noted, ...] = ()
    questions: tuple[Noted, ...] = ()
    # What the user told of themselves and their circumstances.
    user_facts: tuple[Noted, ...] = ()
    # Words for how the user spoke, with how often each showed.
    tone: dict[str, int] = {}
    # Commands run and calls made, all of them, also those not named.
    commands_run: int = 0
    calls: int = 0
    tools: tuple[ToolUse, ...] = ()


class CoveredMessages(Struct, frozen=True):
    """Which messages a summary stands for, taken from the state it was made from.

    Numbers are those of that moment; ids and the fingerprint tell whether they still mean the same messages.
    """

    first: int
    last: int
    first_record: str
    last_record: str
    # Messages in the conversation when it was made.
    total: int
    # Of all messages up to `last`.
    fingerprint: str
    generation: str
    first_place: Place
    last_place: Place

    @property
    def messages(self) -> int:
        return self.last - self.first + 1


class RollingSummary(Struct, frozen=True):
    """What was said up to `coverage.last`, the summaries before it carried on."""

    id: str
    text: str
    # What is new in it: the messages from `coverage.first` on, alone.
    part: str
    coverage: CoveredMessages
    facts: Facts
    # Everything told so far, to be chosen from again next time.
    episodes: tuple[Episode, ...]
    tokens: int
    # Estimated tokens of what was said in the messages it stands for.
    covered_tokens: int
    method: Method
    created_at: str
    model: str = ""
    focus: str = ""
    # Why the model did not write it although it should have.
    note: str = ""
    # The model's own prose, where it wrote some: it is carried to the next one.
    prose: str = ""
