"""What is known of a decision: as it was found in one record, and as it stands in the session's ledger."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.core.log import Place
from recapd.core.state import Verdict as Verdict

DecisionType: TypeAlias = Literal[
    "implementation", "architecture", "approach", "fix", "constraint", "preference", "scope", "workflow", "other"
]
MadeBy: TypeAlias = Literal["user", "agent", "collaborative"]
How: TypeAlias = Literal["stated", "answered", "approvedPlan", "accepted", "rejected", "chosen", "recorded"]
# What a decision stands on, where nobody has to believe a guess: the answer to a question; a plan approved or refused;
# an option picked, told by its own text; a plain statement of the user; a record that the agent kept; the words that a
# reader found, and that stand in the log.
Proof: TypeAlias = Literal["answer", "plan", "option", "statement", "record", "read"]
Wants: TypeAlias = Literal["", "thing", "besides", "last"]
DecisionStatus: TypeAlias = Literal["active", "superseded", "reverted", "abandoned", "tentative"]


class Finding(Struct, frozen=True, gc=False):
    """A decision found in one record. Made by find.findings_of(transcript) when somebody asks: its record, ordinal and
    quote stay, its confidence may rise or fall with what is said and done after it.

    Texts are as logged, bounded; they are made fit to be shown where they leave.
    """

    # The record's own id where it has one; else "". With `ordinal` it makes the decision's id.
    record: str
    ordinal: int
    place: Place
    # Row in Transcript.turns (-1 before the first): whether it was abandoned, and its number, are read there.
    turn_row: int
    # Number of the message among those alive, from 0.
    message: int
    at: str
    # The decision in words that stand alone.
    text: str
    # Exact part of the logged text at `place`.
    quote: str
    type: DecisionType
    made_by: MadeBy
    how: How
    # How likely this is a decision at all, 0 to 1, calibrated.
    confidence: float
    rationale: str = ""
    alternatives: tuple[str, ...] = ()
    # The proposal, question or plan that was accepted or answered.
    proposal: Place | None = None
    # What it is about, for noticing that a later one changes it: identifiers, paths, constants, names and values.
    keys: tuple[str, ...] = ()
    # It takes back what was decided before, without a replacement ("undo that").
    takes_back: bool = False
    # None where it is likely and no more.
    proof: Proof | None = None
    # Of a record: id or words of what no longer holds, as the agent named it.
    replaces: str = ""
    # What the human wants in a talk, and the agent goes along with: a choice, where a later one takes another. A thing
    # to be made, something of it, or the same in the last of the sentences that say so in a message.
    wants: Wants = ""


class Entry(Struct, frozen=True, gc=False):
    """A decision in the ledger: a finding, and what became of it."""

    id: str
    finding: Finding
    # Number of the turn, from 1.
    turn: int
    status: DecisionStatus
    supersedes: str = ""
    superseded_by: str = ""
    # The agent did otherwise without saying so: the id of the entry that shows it.
    conflicts_with: str = ""
    # Places where the same was said again; they date nothing anew.
    restated: tuple[Place, ...] = ()
    verdict: Verdict | None = None


def stands_on_proof(entry: Entry) -> bool:
    """Whether it may be told as decided: by what it stands on, or because the user said so."""
    return entry.finding.proof is not None or entry.verdict == "confirmed"
