"""Decisions that the log states outright: answers to the agent's questions, plans judged, calls refused."""

from __future__ import annotations

from textwrap import shorten
from typing import Final

import msgspec

from recapd.core import late_re as re
from recapd.core.decisions.entries import Finding, How, MadeBy, Proof
from recapd.core.decisions.find.keys import keys_of
from recapd.core.decisions.find.plain import form_of, hands_over_secret, is_unfilled
from recapd.core.decisions.find.scenes import Scene
from recapd.core.decisions.find.units import units_of
from recapd.core.decisions.find.wording import sentence_of, takes_back, type_of
from recapd.core.state import Passage

# How often such a record was held for a decision by people: nearly always, but a refusal without a reason is mostly
# about this one call.
_ANSWERED: Final = 0.93
_APPROVED: Final = 0.9
_REFUSED: Final = 0.1
_RECORDED: Final = 0.97
_WRITTEN: Final = 0.7
# As an agent is told to begin a record that only ends another.
_TAKEN_BACK: Final = ("taken back", "take back", "withdrawn")
# Items that a summary lists as decided; which of them still matter nobody can tell.
_REMEMBERED: Final = 0.45
_MAX_REMEMBERED: Final = 12
_DECIDING_RE: Final = re.compile(
    r"\bdeci(?:sion|ded)|\bconstraint|\bpreference|\brequirement|\buser (?:rules|feedback|instructions)|决定|决策|约束|"
    r"\bрешени|\bограничени|\bdécision|\bdecisi[oó]n|\bentscheidung|\bvorgabe|결정|제약|決定|制約",
    re.IGNORECASE,
)
_BY_USER_RE: Final = re.compile(
    r"\bconstraint|\bpreference|\brequirement|\buser\b|用户|约束|要求|\bограничени|\bvorgabe|제약|制約", re.IGNORECASE
)
_MESSAGES_RE: Final = re.compile(
    r"\buser(?:'s)? messages\b|用户(?:的)?消息|сообщени\w{1,4} пользовател|nachrichten des (?:benutzers|nutzers)|"
    r"messages de l'utilisateur|mensajes del usuario",
    re.IGNORECASE,
)
_TEXT_CHARS: Final = 200
# An answer this long needs no question beside it; of one that does, what is told of the question at least.
_ALONE_CHARS: Final = 60
_LEAST_ASKED: Final = 40
# Words of an answer that gives a name or a number.
_VALUE_WORDS: Final = 4
# A question about what happened or what somebody sees: its answer reports.
_ENQUIRES_RE: Final = re.compile(
    r"\W*(?:(?:did|was|were|has|have) \w|(?:can|do|could) you (?:see|hear|find|notice|confirm|remember|tell)\b|"
    r"what (?:happen|error|message|do you see|did|was|were)|(?:does|is) (?:it|this|that) (?:now )?(?:work|show|look)|"
    r"hast du|siehst du|was (?:ist passiert|siehst)|as-tu|vois-tu|has |ves |viste|você (?:viu|vê)|hai |vedi |"
    r"(?:ты|вы) вид|что произошло|你?(?:看到|看见|看得到)|发生了什么|見えますか|보이나요)",
    re.IGNORECASE,
)


def certain_in(scene: Scene) -> list[Finding]:
    found: list[Finding] = []
    if scene.number == 0 and scene.passages[0].kind == "summary":
        found += _remembered(scene.passages[0])
    for passage in scene.passages:
        if passage.kind == "answer" and passage.text.strip() and not hands_over_secret(passage.text):
            found.append(_answer(passage))
        elif passage.kind == "approved" and passage.asked and passage.tail:
            found.append(_approval(passage))
        elif passage.kind == "rejected" and passage.tail and not passage.text.strip():
            found.append(_refusal(passage))
        elif passage.kind == "record" and passage.choices[:1] in (("decision",), ("constraint",)):
            found.append(_recorded(passage))
        elif passage.kind == "written" and not is_unfilled(passage.text):
            found.append(_written(passage))
    return found


def _recorded(passage: Passage) -> Finding:
    """That the agent said so is certain; nothing is left to be guessed but what it is about."""
    kind, by, replaces = passage.choices
    finding = _finding(
        passage,
        text=passage.text,
        quote=passage.text[:300],
        made_by="user" if by == "user" else "agent",
        how="recorded",
        confidence=_RECORDED,
        proof="record",
    )
    return msgspec.structs.replace(
        finding,
        type="constraint" if kind == "constraint" else finding.type,
        rationale=passage.asked,
        replaces=replaces,
        takes_back=bool(replaces) and (takes_back(passage.text) or passage.text.lower().startswith(_TAKEN_BACK)),
    )


def _written(passage: Passage) -> Finding:
    """A document of the agent's says so; or a plan that was approved with it."""
    is_approved = passage.asked_at is not None
    return _finding(
        passage,
        text=passage.asked,
        quote=passage.text,
        made_by="collaborative" if is_approved else "agent",
        how="approvedPlan" if is_approved else "stated",
        confidence=_APPROVED if is_approved else _WRITTEN,
        proof="plan" if is_approved else "record",
    )


def _remembered(passage: Passage) -> list[Finding]:
    """Where a log begins with the agent's own summary, what was decided before stands nowhere else."""
    found: list[Finding] = []
    part, heading = "", ""
    for unit in units_of(passage.text):
        if unit.marker == "number" and unit.opens:
            # Agents number the parts of their summaries.
            part = unit.text
        elif unit.heading != heading:
            part = ""
        heading = unit.heading
        if unit.marker not in ("bullet", "number") or unit.sentence or unit.opens:
            continue
        headed = part or heading
        if not _DECIDING_RE.search(headed) and not _says_how(unit.text, headed):
            continue
        by_user = _BY_USER_RE.search(headed) is not None
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


def _says_how(text: str, heading: str) -> bool:
    """Whether it is a message of the user, as the summary lists them, that says how something shall be."""
    if not _MESSAGES_RE.search(heading):
        return False
    form = form_of(text.strip(" \"'“”«»「」"))
    return form.decides or form.orders


def _answer(passage: Passage) -> Finding:
    choices = [choice.strip() for choice in passage.choices]
    answer = passage.text.strip()
    is_choice = any(choice in answer or answer in choice for choice in choices)
    question = " ".join(passage.asked.split())
    text = answer
    if is_choice or len(answer) < _ALONE_CHARS:
        text = f"{answer} — {shorten(question, max(_LEAST_ASKED, _TEXT_CHARS - len(answer) - 3), placeholder=' …')}"
    return _finding(
        passage,
        text=text,
        quote=passage.text.strip()[:300],
        made_by="collaborative" if is_choice else "user",
        how="answered",
        confidence=_ANSWERED,
        proof="answer" if _settles(answer, question, is_choice=is_choice) else None,
        alternatives=tuple(choice for choice in choices if choice not in answer) if is_choice else (),
    )


def _settles(answer: str, question: str, *, is_choice: bool) -> bool:
    """Whether a question was about what shall be, and the answer says it: not what somebody sees, or doubts."""
    if _ENQUIRES_RE.match(question):
        return False
    form = form_of(answer)
    if is_choice:
        return True
    is_value = len(answer.split()) <= _VALUE_WORDS and not form.is_open
    return is_value or form.decides or form.orders or form.wishes


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
        proof="plan",
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
    proof: Proof | None = None,
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
        proof=proof,
    )
