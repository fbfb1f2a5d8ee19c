"""The ledger with what a reader found: it takes the place of guesses for what was read, and of nothing surer.

    guessed entries, Reading ─▶ with_read ─▶ entries

What the user judged stays as the user judged it, and what stands on a record that the agent kept stays; other guesses
about what was read are tentative: in the ledger, in no recap. A decision that was guessed and read is one entry under
the id it had, so that the user's word on it holds whoever finds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final, TypeAlias, cast

import msgspec

from recapd.core.decisions.entries import DecisionStatus, DecisionType, Entry, Finding, How, MadeBy
from recapd.core.state import ReadDecision, Reading, Session, Verdict
from recapd.core.text import presentable, words_in

# What a reader lists and can quote; what it says matters more is one more often.
_CONFIDENCE: Final = {3: 0.92, 2: 0.85, 1: 0.7}
_ID_BYTES: Final = 8
# Two quotes of one record are the same decision where they share so many of the shorter one's words.
_SAME_WORDS: Final = 0.6

_MadeOf: TypeAlias = tuple[tuple[Entry, ...], Reading, dict[str, Verdict]]


def with_read(entries: tuple[Entry, ...], session: Session) -> tuple[Entry, ...]:
    """In the order of the log."""
    if session.reading is None:
        return entries
    return session.memory.recall(_merged, (entries, session.reading, session.verdicts), "ledger", session)


def _merged(made_of: _MadeOf, session: Session) -> tuple[Entry, ...]:
    entries, reading, verdicts = made_of
    guessed = [entry for entry in entries if entry.finding.place.offset <= reading.through.offset]
    later = [entry for entry in entries if entry.finding.place.offset > reading.through.offset]
    twins = _twins_of(reading.decisions, guessed)
    ids = {
        each.number: twins[each.number].id if each.number in twins else _id_of(session.id, each)
        for each in reading.decisions
    }
    ended = {each.ended_by: each.number for each in reading.decisions if each.fate != "active" and each.ended_by}
    read: list[Entry] = []
    for each in reading.decisions:
        twin = twins.get(each.number)
        status, superseded_by = _fate_of(each, twin, ids, verdicts)
        read.append(
            Entry(
                id=ids[each.number],
                finding=_finding(each),
                turn=_turn_of(each, session),
                status=status,
                supersedes=ids.get(ended.get(each.number, 0), ""),
                superseded_by=superseded_by,
                conflicts_with=ids.get(each.contradicted_by, ""),
                restated=twin.restated if twin is not None else (),
                verdict=verdicts.get(ids[each.number]),
            )
        )
    own = {entry.id for entry in read}
    kept = [entry if _outranks_reading(entry) else _as_guess(entry) for entry in guessed if entry.id not in own]
    return tuple(sorted((*kept, *read, *later), key=_order_of))


def _fate_of(
    each: ReadDecision, twin: Entry | None, ids: dict[int, str], verdicts: dict[str, Verdict]
) -> tuple[DecisionStatus, str]:
    if verdicts.get(ids[each.number]) == "confirmed":
        # The user says that it holds: whoever ended it was wrong.
        return "active", ""
    if each.fate == "active" and twin is not None and twin.status in ("superseded", "reverted"):
        # By something that was said after the reading; what was read before that, the reader saw too.
        is_later = twin.superseded_by and twin.superseded_by not in ids.values()
        return (twin.status, twin.superseded_by) if is_later else ("active", "")
    return each.fate, ids.get(each.ended_by, "")


def _outranks_reading(entry: Entry) -> bool:
    return entry.verdict is not None or entry.finding.how == "recorded" or entry.status == "abandoned"


def _as_guess(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, status="tentative", supersedes="", superseded_by="")


def _twins_of(decisions: Iterable[ReadDecision], guesses: Iterable[Entry]) -> dict[int, Entry]:
    """By number: the guess that is the same decision, in the same record or in one that says the same again."""
    at: dict[int, list[Entry]] = {}
    for entry in guesses:
        at.setdefault(entry.finding.place.offset, []).append(entry)
    found: dict[int, Entry] = {}
    for each in decisions:
        own = frozenset(words_in(each.quote))
        for entry in at.get(each.place.offset, ()):
            if entry not in found.values() and _is_same(own, frozenset(words_in(presentable(entry.finding.quote)))):
                found[each.number] = entry
                break
    return found


def _is_same(some: frozenset[str], others: frozenset[str]) -> bool:
    least = min(len(some), len(others))
    return bool(least) and len(some & others) >= _SAME_WORDS * least


def _id_of(session_id: str, each: ReadDecision) -> str:
    """Of the record's own id, or its words, and which of those read in it this is: a guess never has such a one."""
    name = (each.record, str(each.ordinal)) if each.record else (each.quote, str(each.ordinal))
    text = "\0".join((session_id, "read", *name)).encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=_ID_BYTES).hexdigest()


def _turn_of(each: ReadDecision, session: Session) -> int:
    turns = session.main.transcript.turns
    return turns[each.turn_row].number if 0 <= each.turn_row < len(turns) else 0


def _order_of(entry: Entry) -> tuple[int, int, int]:
    place = entry.finding.place
    return place.offset, place.line, entry.finding.ordinal


def _finding(each: ReadDecision) -> Finding:
    return Finding(
        record=each.record,
        ordinal=each.ordinal,
        place=each.place,
        turn_row=each.turn_row,
        message=each.message,
        at=each.at,
        text=each.text,
        quote=each.quote,
        # Checked when they were taken (core.reading).
        type=cast(DecisionType, each.type),
        made_by=cast(MadeBy, each.made_by),
        how=cast(How, each.how),
        confidence=_CONFIDENCE.get(each.weight, _CONFIDENCE[2]),
        rationale=each.rationale,
        alternatives=each.alternatives,
        proposal=each.proposal,
        proof="read",
    )
