"""The ledger of a session: its findings put in order, each with what became of it.

    findings ─▶ ids ─▶ one after another: does it repeat, change or take back an earlier one? ─▶ entries

Owns: ids, order, statuses, and what the user's word does to them. Nothing is ever dropped; views choose.
Each finding is compared only with earlier ones that share a telling word with it, so a ledger of thousands is cheap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final, TypeAlias

import msgspec

from recapd.core.decisions.entries import DecisionStatus, Entry, Finding
from recapd.core.decisions.find import findings_of
from recapd.core.decisions.ledger.making import Making
from recapd.core.decisions.ledger.past import Row
from recapd.core.decisions.ledger.quotes import shown_quote
from recapd.core.decisions.ledger.scenes import Circumstances, Scenes
from recapd.core.decisions.ledger.subjects import is_plain_undo
from recapd.core.settings import DecisionSettings
from recapd.core.state import Chunked, Memory, Passage, Session, Turn, Verdict
from recapd.core.text import presentable

# 64 bits: two of a million decisions of one session have the same id once in 37 million such sessions.
_ID_BYTES: Final = 8
# Ledgers of one state of a session: whoever makes a summary does not ask for the user's word, whoever shows one does.
_KEPT: Final = 2
# A passage takes a millisecond or two to judge.
_FEW_PASSAGES: Final = 8
# Turns whose decisions may yet be judged otherwise, by what is said next: the last, and the one before it.
_UNSETTLED_TURNS: Final = 2

# A row as it stands before any other is looked at, and what stood around it.
_Stands: TypeAlias = list[tuple[object, ...]]
# All that a ledger is made of. By identity: what did not change is the same object.
_MadeOf: TypeAlias = tuple[Chunked[Passage], Chunked[Turn], DecisionSettings, dict[str, Verdict]]


class _Ledgers:
    """The ledgers of one session. Threads may be at it too: each step is one that no other can come between."""

    def __init__(self) -> None:
        self._latest: list[tuple[_MadeOf, tuple[Entry, ...]]] = []
        # Passages of the session when its ledger was last made.
        self.judged = 0
        # What its rows stood for when it was last made, and the entries: most of what a log gains decides nothing.
        self.made: tuple[_Stands, tuple[Entry, ...]] = [], ()
        # And how it was made: what follows is added to it. Nothing while somebody has it.
        self._going: list[tuple[_Stands, Making]] = []

    def find(self, made_of: _MadeOf) -> tuple[Entry, ...] | None:
        passages, turns, *rest = made_of
        for known, entries in tuple(self._latest):
            if known[0] is passages and known[1] is turns and [*known[2:]] == rest:
                return entries
        return None

    def keep(self, made_of: _MadeOf, entries: tuple[Entry, ...]) -> None:
        self._latest = [(made_of, entries), *self._latest][:_KEPT]
        self.judged = len(made_of[0])

    def take_making(self) -> tuple[_Stands, Making]:
        """Whoever takes it has it alone."""
        try:
            return self._going.pop()
        except IndexError:
            return [], Making()

    def leave_making(self, stands: _Stands, making: Making) -> None:
        self._going[:] = [(stands, making)]


def ledger_of(session: Session, settings: DecisionSettings) -> tuple[Entry, ...]:
    """All decisions of the session in the order of the log, also those that no longer hold.

    Sub-agents' decisions are not the session's.
    """
    transcript, ledgers = session.main.transcript, session.memory.part(_Ledgers)
    made_of = transcript.passages, transcript.turns, settings, session.verdicts
    known = ledgers.find(made_of)
    if known is None:
        known = ledger_from(findings_of(transcript, session.memory), session=session, settings=settings)
        ledgers.keep(made_of, known)
    return known


def is_at_hand(session: Session) -> bool:
    """Whether the ledger costs next to nothing: only what was said since it was last made is judged anew."""
    return abs(len(session.main.transcript.passages) - session.memory.part(_Ledgers).judged) <= _FEW_PASSAGES


def ledger_from(findings: Sequence[Finding], *, session: Session, settings: DecisionSettings) -> tuple[Entry, ...]:
    """The ledger that these findings of the session make up."""
    ordered = sorted(findings, key=lambda finding: (finding.place.offset, finding.place.line, finding.ordinal))
    rows = _rows_of(ordered, session=session, settings=settings)
    scenes = Scenes(session.main.transcript.passages, ordered, session.memory)
    abandoned = {row for row, turn in enumerate(session.main.transcript.turns) if turn.abandoned}
    _retract(rows, scenes.retracted(abandoned))
    around = [scenes.around(row.finding, row.id) for row in rows]
    stands: _Stands = [
        (row.id, row.finding, row.turn, row.status, row.verdict, row.supersedes, row.superseded_by, its_scene)
        for row, its_scene in zip(rows, around, strict=True)
    ]
    ledgers = session.memory.part(_Ledgers)
    known, entries = ledgers.made
    if known != stands:
        settled = len(session.main.transcript.turns) - _UNSETTLED_TURNS
        entries = _put_in_order(ledgers, rows, around, stands, settled=settled)
        ledgers.made = stands, entries
    return entries


def _put_in_order(
    ledgers: _Ledgers, rows: Sequence[Row], around: Sequence[Circumstances], stands: _Stands, *, settled: int
) -> tuple[Entry, ...]:
    before, making = ledgers.take_making()
    making.back()
    if before[: making.kept] != stands[: making.kept]:
        making = Making()
    is_settled = True
    for row, its_scene in list(zip(rows, around, strict=True))[making.kept :]:
        if is_settled and row.finding.turn_row >= settled:
            is_settled = False
            making.mark()
        making.feed(row, its_scene)
    if is_settled:
        making.mark()
    entries = making.entries()
    ledgers.leave_making(stands, making)
    return entries


def _retract(rows: Sequence[Row], retracted: Mapping[int, int]) -> None:
    """What was sent by mistake holds no more, and never did anything; what says so ends nothing else."""
    for row in rows:
        by = retracted.get(row.finding.turn_row)
        if by is None or row.status != "active" or row.verdict == "confirmed":
            continue
        row.status = "reverted"
        for other in rows:
            if other.finding.turn_row == by and other.finding.takes_back and other.status == "active":
                row.superseded_by, other.supersedes = other.id, row.id


def _rows_of(findings: Sequence[Finding], *, session: Session, settings: DecisionSettings) -> list[Row]:
    turns = session.main.transcript.turns
    rows: list[Row] = []
    for identity, finding in zip(entry_ids(session.id, findings), findings, strict=True):
        turn = turns[finding.turn_row] if 0 <= finding.turn_row < len(turns) else None
        verdict = session.verdicts.get(identity)
        status: DecisionStatus = "active"
        if turn is not None and turn.abandoned:
            status = "abandoned"
        elif finding.confidence < settings.threshold and verdict != "confirmed" and not is_plain_undo(finding):
            status = "tentative"
        rows.append(Row(identity, finding, turn=turn.number if turn else 0, status=status, verdict=verdict))
    return rows


def entry_ids(session_id: str, findings: Sequence[Finding]) -> list[str]:
    """Ids that neither a rewritten log nor more of it can change.

    From the record's own id, or from its words and which of their occurrences it is, and the ordinal within the record.
    """
    counts: dict[tuple[str, ...], int] = {}
    found: list[str] = []
    for finding in findings:
        # As it is shown: what was kept of a log that is gone is without its secrets.
        named = (finding.record, str(finding.ordinal)) if finding.record else ("", presentable(finding.quote))
        occurrence = counts.get(named, 0)
        counts[named] = occurrence + 1
        parts = (session_id, *named, str(occurrence))
        text = "\0".join(parts).encode("utf-8", "surrogatepass")
        found.append(blake2b(text, digest_size=_ID_BYTES).hexdigest())
    return found


def shown_entries(ledger: Sequence[Entry], settings: DecisionSettings, memory: Memory) -> tuple[Entry, ...]:
    """What a recap may show: neither tentative nor abandoned, not dismissed by the user, of those who are wanted.

    Their texts are fit to be shown: whoever cuts or rewords them must not take a secret out of what betrays it.
    """
    if not settings.enabled:
        return ()
    return tuple(
        memory.recall(_shown, entry, entry.id)
        for entry in ledger
        if entry.status not in ("tentative", "abandoned")
        and entry.verdict != "dismissed"
        and entry.finding.made_by in settings.who
    )


def _shown(entry: Entry) -> Entry:
    found = entry.finding
    fit = msgspec.structs.replace(
        found,
        text=presentable(found.text),
        quote=shown_quote(found.quote),
        rationale=presentable(found.rationale),
        alternatives=tuple(map(presentable, found.alternatives)),
    )
    return msgspec.structs.replace(entry, finding=fit)
