"""Findings as they would be made of a log, and the ledger of a session that holds them.

    ledger(said("Cap uploads at 20 MB"), said("Uploads may have 80 MB", turn=3))

Each finding stands in a record of its own, in the turn after the one before unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from recapd.core.decisions.entries import DecisionType, Entry, Finding, MadeBy, Proof, Verdict
from recapd.core.decisions.ledger.ledger import ledger_from
from recapd.core.log.events import Prompt, Reply
from recapd.core.log.refs import Place
from recapd.core.settings import DecisionSettings
from recapd.core.state.world import Session
from tests.support.records import NOWHERE, Row, place_of, session_with

# What is found is tuned now and then; what is made of it is not.
AS_USUAL = DecisionSettings(threshold=0.5)


# What a finding stands on unless a test says otherwise.
_PROOFS: dict[MadeBy, Proof | None] = {"user": "statement", "collaborative": "option", "agent": None}


def said(
    text: str,
    *,
    by: MadeBy = "user",
    type: DecisionType = "implementation",
    turn: int = 0,
    record: str = "",
    ordinal: int = 0,
    confidence: float = 0.9,
    takes_back: bool = False,
    quote: str = "",
) -> Finding:
    """A finding; `turn` is the number of its turn, or 0 for one after the finding before."""
    return Finding(
        record=record,
        ordinal=ordinal,
        place=NOWHERE,
        turn_row=turn - 1,
        message=0,
        at="",
        text=text,
        quote=quote or text,
        type=type,
        made_by=by,
        how="stated",
        confidence=confidence,
        takes_back=takes_back,
        proof=_PROOFS[by],
    )


def by_agent(text: str, *, type: DecisionType = "implementation", turn: int = 0, **fields: object) -> Finding:
    return msgspec.structs.replace(said(text, by="agent", type=type, turn=turn), **fields)


def entry(
    text: str, *, by: MadeBy = "user", turn: int = 1, confidence: float = 0.9, verdict: Verdict | None = None
) -> Entry:
    """A decision as the ledger of a conversation lists it, standing in the prompt of its turn."""
    finding = msgspec.structs.replace(
        said(text, by=by, type="approach", turn=turn, confidence=confidence),
        place=place_of(2 * turn),
        message=2 * turn,
        how="accepted" if by == "collaborative" else "stated",
    )
    return Entry(f"d{turn}", finding, turn, "active", verdict=verdict)


def placed(findings: Sequence[Finding]) -> list[Finding]:
    """Each in a record of its own, in the order they are given."""
    turn, made = 0, []
    for number, finding in enumerate(findings):
        turn = finding.turn_row + 1 or turn + 1
        place = place_of(10 * number + 1) if finding.place == NOWHERE else finding.place
        record = finding.record or f"r{number}"
        made.append(msgspec.structs.replace(finding, turn_row=turn - 1, place=place, record=record))
    return made


def conversation(turns: int) -> Session:
    rows: list[Row] = []
    for number in range(turns):
        rows += [Prompt(f"please look at part {number}"), Reply("Done.")]
    return session_with(*rows)


def ledger(
    *findings: Finding,
    settings: DecisionSettings = AS_USUAL,
    verdicts: dict[str, Verdict] | None = None,
    session: Session | None = None,
) -> tuple[Entry, ...]:
    made = placed(findings)
    session = session or conversation(max((finding.turn_row + 1 for finding in made), default=0))
    return ledger_from(made, session=msgspec.structs.replace(session, verdicts=verdicts or {}), settings=settings)


def shifted(finding: Finding, lines: int) -> Finding:
    """The same finding after that many lines were put before it."""
    place = finding.place
    return msgspec.structs.replace(finding, place=Place(place.line + lines, place.offset + 100 * lines, place.length))
