"""Decisions that the log states outright: answers to the agent's questions, plans judged, calls refused."""

from __future__ import annotations

import re
from typing import Final

from recapd.core.decisions.entries import Finding, How, MadeBy
from recapd.core.decisions.find.keys import keys_of
from recapd.core.decisions.find.scenes import Scene
from recapd.core.decisions.find.units import units_of
from recapd.core.decisions.find.wording import sentence_of, type_of
from recapd.core.state import Passage

# How often such a record was held for a decision by people: nearly always, but a refusal without a reason is mostly
# about this one call.
_ANSWERED: Final = 0.93
_APPROVED: Final = 0.9
_REFUSED: Final = 0.1
# Items that a summary lists as decided; which of them still matter nobody can tell.
_REMEMBERED: Final = 0.45
_MAX_REMEMBERED: Final = 12
_DECIDING_RE: Final = re.compile(
    r"\bdeci(?:sion|ded)|\bconstraint|\bpreference|\brequirement|\buser (?:rules|feedback|instructions)|决定|决策|约束|"
    r"\bрешени|\bограничени|\bdécision|\bdecisi[oó]n|\bentscheidung|\bvorgabe|결정|제약|決定|制約",
    re.IGNORECASE,
)
_BY_USER_RE: Final = re.compile(
    r"\bconstraint|\bpreference|\brequirement|\buser\b|约束|要求|\bограничени|\bvorgabe|제약|制約", re.IGNORECASE
)
_TEXT_CHARS: Final = 200


def certain_in(scene: Scene) -> list[Finding]:
    found: list[Finding] = []
    if scene.number == 0 and scene.passages[0].kind == "summary":
        found += _remembered(scene.passages[0])
    for passage in scene.passages:
        if passage.kind == "answer" and passage.text.strip():
            found.append(_answer(passage))
        elif passage.kind == "approved" and passage.asked and passage.tail:
            found.append(_approval(passage))
        elif passage.kind == "rejected" and passage.tail and not passage.text.strip():
            found.append(_refusal(passage))
    return found


def _remembered(passage: Passage) -> list[Finding]:
    """Where a log begins with the agent's own summary, what was decided before stands nowhere else."""
    found: list[Finding] = []
    for unit in units_of(passage.text):
        if unit.marker not in ("bullet", "number") or unit.sentence or not _DECIDING_RE.search(unit.heading):
            continue
        by_user = _BY_USER_RE.search(unit.heading) is not None
        found.append(
            _finding(
                passage,
                ordinal=unit.start,
                text=unit.text,
                quote=unit.text[:300],
                made_by="user" if by_user else "collaborative",
                how="stated",
                confidence=_REMEMBERED,
            )
        )
    return found[:_MAX_REMEMBERED]


def _answer(passage: Passage) -> Finding:
    choices = [choice.strip() for choice in passage.choices]
    answer = passage.text.strip()
    is_choice = any(choice in answer or answer in choice for choice in choices)
    question = " ".join(passage.asked.split())
    room = max(40, _TEXT_CHARS - len(answer) - 3)
    text = f"{answer} — {question[:room]}" if is_choice or len(answer) < 60 else answer
    return _finding(
        passage,
        text=text,
        quote=passage.text.strip()[:300],
        made_by="collaborative" if is_choice else "user",
        how="answered",
        confidence=_ANSWERED,
        alternatives=tuple(choice for choice in choices if choice not in answer) if is_choice else (),
    )


def _approval(passage: Passage) -> Finding:
    """The plan by its title and its first words."""
    units = [unit for unit in units_of(passage.asked) if len(unit.text) > 12][:4]
    text = ". ".join(unit.text.strip("#* .") for unit in units)
    return _finding(
        passage,
        text=text or passage.asked,
        quote=passage.tail,
        made_by="collaborative",
        how="approvedPlan",
        confidence=_APPROVED,
    )


def _refusal(passage: Passage) -> Finding:
    return _finding(
        passage,
        text=f"Refused: {passage.asked}",
        quote=passage.tail,
        made_by="user",
        how="rejected",
        confidence=_REFUSED,
    )


def _finding(
    passage: Passage,
    *,
    text: str,
    quote: str,
    made_by: MadeBy,
    how: How,
    confidence: float,
    alternatives: tuple[str, ...] = (),
    ordinal: int = 0,
) -> Finding:
    return Finding(
        record=passage.record,
        ordinal=ordinal,
        place=passage.place,
        turn_row=passage.turn_row,
        message=passage.message,
        at=passage.at,
        text=sentence_of(text),
        quote=quote,
        type=type_of(text, made_by),
        made_by=made_by,
        how=how,
        confidence=confidence,
        alternatives=alternatives,
        proposal=passage.asked_at,
        keys=keys_of(text),
    )
