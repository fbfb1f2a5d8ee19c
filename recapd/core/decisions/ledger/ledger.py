"""The ledger of a session: its findings put in order, each with what became of it.

    findings ─▶ ids ─▶ one after another: does it repeat, change or take back an earlier one? ─▶ entries

Owns: ids, order, statuses, and what the user's word does to them. Nothing is ever dropped; views choose.
Each finding is compared only with earlier ones that share a telling word with it, so a ledger of thousands is cheap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from hashlib import blake2b
from itertools import takewhile
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.decisions.entries import DecisionStatus, Entry, Finding, MadeBy
from recapd.core.decisions.find import Judged, findings_of, judged_in
from recapd.core.decisions.ledger.making import Making
from recapd.core.decisions.ledger.past import Row
from recapd.core.decisions.ledger.quotes import shown_quote
from recapd.core.decisions.ledger.read import with_read
from recapd.core.decisions.ledger.scenes import Circumstances, Scenes
from recapd.core.decisions.ledger.subjects import is_plain_undo
from recapd.core.settings import DecisionSettings
from recapd.core.state import Chunked, Memory, Passage, Session, Turn, Verdict
from recapd.core.text import presentable

# 64 bits: two of a million decisions of one session have the same id once in 37 million such sessions.
_ID_BYTES: Final = 8
# Ledgers of one state of a session: whoever makes a summary does not ask for the user's word, whoever shows one does.
_KEPT: Final = 2
# Turns whose decisions may yet be judged otherwise, by what is said next: the last, and the one before it.
_UNSETTLED_TURNS: Final = 2
# Of the turns with decisions so many more are not settled: to settle one takes feeding those behind it again.
_MOST_MARKED: Final = 8

# A recap names a hundred at most, and of those that hold each weighs half of one 30 turns later.
_MOST_SHOWN: Final = 400


class ShownEntries(Struct, frozen=True):
    """The latest decisions that may be shown, in the order of the log, and how many came before them."""

    latest: tuple[Entry, ...] = ()
    before: int = 0


# All that a ledger is made of. By identity: what did not change is the same object.
_MadeOf: TypeAlias = tuple[Chunked[Passage], Chunked[Turn], DecisionSettings, dict[str, Verdict]]


class _Growing:
    """A ledger as far as it is made, and what it was made of: what follows is added to it."""

    def __init__(self, settings: DecisionSettings, verdicts: dict[str, Verdict]) -> None:
        self.settings = settings
        self.verdicts = verdicts
        self.turns: Chunked[Turn] = Chunked()
        # In order; those that are fed for good come first.
        self.findings: list[Finding] = []
        self.scenes = Scenes()
        self.making = Making()
        # Those that are not settled, as they were fed.
        self.fed: list[tuple[Entry, Circumstances]] = []
        # How often each of those that are fed for good was named.
        self.named: Counter[tuple[str, ...]] = Counter()

    def fits(self, session: Session, settings: DecisionSettings) -> bool:
        """Whether what was fed for good is so still, but for the findings."""
        transcript = session.main.transcript
        return (
            self.settings == settings
            and self.verdicts == session.verdicts
            and self.scenes.continues(transcript.passages)
            and _are_same_turns(self.turns, transcript.turns)
        )


class _Ledgers:
    """The ledgers of one session. Threads may be at it too: each step is one that no other can come between."""

    def __init__(self) -> None:
        self._latest: list[tuple[_MadeOf, tuple[Entry, ...]]] = []
        # Nothing while somebody has it.
        self._growing: list[_Growing] = []

    def find(self, made_of: _MadeOf) -> tuple[Entry, ...] | None:
        passages, turns, *rest = made_of
        for known, entries in tuple(self._latest):
            if known[0] is passages and known[1] is turns and [*known[2:]] == rest:
                return entries
        return None

    def keep(self, made_of: _MadeOf, entries: tuple[Entry, ...]) -> None:
        self._latest = [(made_of, entries), *self._latest][:_KEPT]

    def take_growing(self, session: Session, settings: DecisionSettings) -> _Growing:
        """Whoever takes it has it alone; a new one where none goes on to be the session's."""
        for growing in tuple(self._growing):
            if growing.fits(session, settings):
                try:
                    self._growing.remove(growing)
                except ValueError:
                    break
                return growing
        return _Growing(settings, session.verdicts)

    def leave_growing(self, growing: _Growing) -> None:
        self._growing[:] = [growing, *self._growing][:_KEPT]


class Ledger(Struct, frozen=True):
    """All decisions of a session in the order of the log, also those that no longer hold. Sub-agents' are not its own.

    And how many of its turns are not judged yet: their decisions are missing."""

    entries: tuple[Entry, ...]
    unjudged: int = 0


def ledger_of(session: Session, settings: DecisionSettings) -> tuple[Entry, ...]:
    """All of it, however long it takes to judge what nobody judged yet."""
    known = session.memory.part(_Ledgers).find(_made_of(session, settings))
    if known is None:
        known = _made_from(Judged(findings_of(session.main.transcript, session.memory)), session, settings)
    return with_read(known, session)


def ledger_so_far(session: Session, settings: DecisionSettings) -> Ledger:
    """As far as it is judged, where somebody judges ahead."""
    known = session.memory.part(_Ledgers).find(_made_of(session, settings))
    if known is not None:
        return Ledger(with_read(known, session))
    judged = judged_in(session.main.transcript, session.memory)
    return Ledger(with_read(_made_from(judged, session, settings), session), judged.unjudged)


def _made_from(judged: Judged, session: Session, settings: DecisionSettings) -> tuple[Entry, ...]:
    # Where nothing is known yet there is nothing to put in order, however much was said.
    entries = ledger_from(judged.findings, session=session, settings=settings) if judged.findings else ()
    if not judged.unjudged:
        session.memory.part(_Ledgers).keep(_made_of(session, settings), entries)
    return entries


def _made_of(session: Session, settings: DecisionSettings) -> _MadeOf:
    transcript = session.main.transcript
    return transcript.passages, transcript.turns, settings, session.verdicts


def ledger_from(findings: Sequence[Finding], *, session: Session, settings: DecisionSettings) -> tuple[Entry, ...]:
    """The ledger that these findings of the session make up."""
    ledgers, transcript = session.memory.part(_Ledgers), session.main.transcript
    growing = ledgers.take_growing(session, settings)
    kept = growing.making.kept
    others = sorted(findings[kept:], key=_order_of)
    fed = growing.findings[:kept]
    if fed != list(findings[:kept]) or (fed and others and _order_of(others[0]) < _order_of(fed[-1])):
        growing, kept, others = _Growing(settings, session.verdicts), 0, sorted(findings, key=_order_of)
    growing.turns = transcript.turns
    growing.findings[kept:] = others
    growing.scenes.extend(transcript.passages, transcript.turns)
    _feed(growing, others, session)
    entries = growing.making.entries()
    ledgers.leave_growing(growing)
    return entries


def _order_of(finding: Finding) -> tuple[int, int, int]:
    return finding.place.offset, finding.place.line, finding.ordinal


def _are_same_turns(before: Chunked[Turn], now: Chunked[Turn]) -> bool:
    """Whether the turns that were there have the same numbers, and are as alive as they were."""
    pairs = list(zip(before.chunks, now.chunks, strict=False))
    if len(pairs) < len(before.chunks):
        return False
    changed = (each for each in pairs if each[0] is not each[1])
    return all(
        len(new) >= len(old) and [_stands(turn) for turn in old] == [_stands(turn) for turn in new[: len(old)]]
        for old, new in changed
    )


def _stands(turn: Turn) -> tuple[int, bool]:
    return turn.number, turn.abandoned


def _feed(growing: _Growing, findings: Sequence[Finding], session: Session) -> None:
    """One after another from the first that is another than before, or stands among other things."""
    making, scenes, fed, retracted = growing.making, growing.scenes, growing.fed, growing.scenes.retracted
    # The next message of the human may say that the last was not meant.
    settled = min(len(session.main.transcript.turns) - _UNSETTLED_TURNS, growing.scenes.last_asked)
    # What ends a turn may be judged otherwise as long as the turn that says so.
    settled = min((before for before, by in retracted.items() if by >= settled), default=settled)
    named = growing.named.copy() if findings else growing.named
    rows = _rows_of(findings, named, session=session, settings=growing.settings)
    _retract(rows, retracted)
    again = zip(fed, rows, strict=False)
    same = takewhile(lambda each: each[0] == (each[1].frozen(), scenes.around(each[1].finding)), again)
    del fed[making.back(making.kept + sum(1 for _ in same)) - making.kept :]
    done = list(takewhile(lambda row: row.finding.turn_row < settled, rows))
    if len({row.finding.turn_row for row in done}) > _MOST_MARKED:
        # What comes next may still change any of the others.
        del fed[making.back(making.kept + min(len(fed), len(done))) - making.kept :]
        for row in done[len(fed) :]:
            making.feed(row, scenes.around(row.finding))
        making.settle()
        growing.named.update(_name_of(row.finding) for row in done)
        del rows[: len(done)], fed[:]
    for row in rows[len(fed) :]:
        if not fed or fed[-1][0].finding.turn_row != row.finding.turn_row:
            making.mark()
        fed.append((row.frozen(), scenes.around(row.finding)))
        making.feed(row, fed[-1][1])


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


def _rows_of(
    findings: Sequence[Finding], named: Counter[tuple[str, ...]], *, session: Session, settings: DecisionSettings
) -> list[Row]:
    turns = session.main.transcript.turns
    rows: list[Row] = []
    for identity, finding in zip(_ids_of(session.id, findings, named), findings, strict=True):
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
    return _ids_of(session_id, findings, Counter())


def _ids_of(session_id: str, findings: Sequence[Finding], named: Counter[tuple[str, ...]]) -> list[str]:
    """`named` counts those before them, and then these too."""
    found: list[str] = []
    for finding in findings:
        name = _name_of(finding)
        parts = (session_id, *name, str(named[name]))
        named[name] += 1
        text = "\0".join(parts).encode("utf-8", "surrogatepass")
        found.append(blake2b(text, digest_size=_ID_BYTES).hexdigest())
    return found


def _name_of(finding: Finding) -> tuple[str, ...]:
    # As it is shown: what was kept of a log that is gone is without its secrets.
    return (finding.record, str(finding.ordinal)) if finding.record else ("", presentable(finding.quote))


def shown_entries(ledger: Sequence[Entry], settings: DecisionSettings, memory: Memory) -> ShownEntries:
    """What a recap may show: neither tentative nor abandoned, not dismissed by the user, of those who are wanted.

    Their texts are fit to be shown: whoever cuts or rewords them must not take a secret out of what betrays it.
    """
    if not settings.enabled:
        return ShownEntries()
    # Whoever asks next asks about the same ledger more often than not.
    return memory.recall(_shown_entries, tuple(ledger), settings.who, settings.who, memory)


def _shown_entries(ledger: tuple[Entry, ...], who: Container[MadeBy], memory: Memory) -> ShownEntries:
    shown = [
        entry
        for entry in ledger
        if entry.status not in ("tentative", "abandoned")
        and entry.verdict != "dismissed"
        and entry.finding.made_by in who
    ]
    latest = tuple(memory.recall(_shown, entry, entry.id) for entry in shown[-_MOST_SHOWN:])
    return ShownEntries(latest, len(shown) - len(latest))


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
