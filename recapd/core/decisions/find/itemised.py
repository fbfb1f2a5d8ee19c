"""One message that answers several questions, by their numbers or in their order. Must not know scores."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions.find.assent import Answer, answer_in
from recapd.core.decisions.find.plain import form_of
from recapd.core.decisions.find.proposals import Proposal, asks, label_of, option_text, shown
from recapd.core.decisions.find.units import Unit

# The number of a question at the beginning of a line, or behind what was answered before it.
_LABEL_RE: Final = re.compile(
    r"(?:^|(?<=[\s,;，；、/]))(?:q|#|\()?(?P<label>\d{1,2})(?:\s*[.):：、=–—-]+\s*(?=\S)|\s*(?=[a-h](?:[^\w]|$)))",
    re.IGNORECASE | re.MULTILINE,
)
_LETTERS_RE: Final = re.compile(r"\s*([a-h])(?:\s*[,，、/;&+]\s*|\s+|\Z)", re.IGNORECASE)
_MAX_ITEMS: Final = 20
# Characters of what can only be an answer, where the numbered parts are not put as questions.
_BRIEF_CHARS: Final = 24
# Characters of an answer; what is longer is a text with numbers of its own.
_MAX_CHARS: Final = 300


class Item(Struct, frozen=True, gc=False):
    """One of several answers, exactly as it stands in the message, and what it answers."""

    text: str
    start: int
    end: int
    answer: Answer
    asked: str
    # An option was named and found.
    is_named: bool


def answers_in(text: str, proposal: Proposal) -> list[Item]:
    """The answers of a message that has several, or none."""
    if not proposal.units:
        return []
    return _by_number(text, proposal) or _in_order(text, proposal)


def _by_number(text: str, proposal: Proposal) -> list[Item]:
    pieces = _labelled(text)
    if len(pieces) < 2:
        return []
    questions = _questions(proposal)
    found = [_item(text, start, end, questions[label], proposal) for label, start, end in pieces if label in questions]
    if len(found) < max(2, len(pieces) - 1):
        return []
    # Numbers alone say little: a list of wishes below a list of results has them too.
    asked = sum(_asks(proposal, questions[label]) for label, _, _ in pieces if label in questions)
    brief = sum(map(_is_brief, found))
    # A question is no answer, and a doubt neither.
    return [item for item in found if not form_of(item.text).is_open] if 2 * max(asked, brief) > len(found) else []


def _labelled(text: str) -> list[tuple[str, int, int]]:
    """Rising numbers with what stands behind each."""
    marks: list[re.Match[str]] = []
    for mark in _LABEL_RE.finditer(text):
        if not marks or int(mark["label"]) > int(marks[-1]["label"]):
            marks.append(mark)
    if not marks or len(marks) > _MAX_ITEMS or text[: marks[0].start()].count("\n") > 2:
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    found: list[tuple[str, int, int]] = []
    for mark, end in zip(marks, ends, strict=True):
        piece = text[mark.end() : end].partition("\n\n")[0].rstrip(" \t\n,;，；、/")
        if len(piece) > _MAX_CHARS:
            return []
        found.append((str(int(mark["label"])), mark.end(), mark.end() + len(piece)))
    return [each for each in found if each[2] > each[1]]


def _questions(proposal: Proposal) -> dict[str, Unit]:
    """Numbered parts of the agent's message: of two with one number the one that asks, else the later."""
    found: dict[str, Unit] = {}
    for unit in proposal.units:
        label = label_of(unit)
        if not label.isdigit() or unit.sentence:
            continue
        before = found.get(label)
        if before is None or _asks(proposal, unit) or not _asks(proposal, before):
            found[label] = unit
    return found


def _part(proposal: Proposal, head: Unit) -> list[Unit]:
    """What belongs to a numbered part, its head first."""
    part = [head]
    for unit in proposal.units[head.number + 1 :]:
        if unit.marker == "heading" or (label_of(unit).isdigit() and not unit.sentence):
            break
        part.append(unit)
    return part


def _asks(proposal: Proposal, head: Unit) -> bool:
    """Whether a numbered part is put as a question, in its first line or the one below it."""
    return any(asks(unit) for unit in _part(proposal, head) if unit.line <= head.line + 1)


def _item(text: str, start: int, end: int, head: Unit, proposal: Proposal) -> Item:
    piece = text[start:end]
    answer = answer_in(piece)
    lettered = [unit for unit in _part(proposal, head)[1:] if label_of(unit) and not unit.sentence]
    options = [
        unit for pick in answer.picks for place, unit in enumerate(lettered, 1) if pick in (label_of(unit), str(place))
    ]
    asked = "; ".join(option_text(proposal, unit) for unit in options) if options else _question_text(proposal, head)
    return Item(piece, start, end, answer, asked, bool(options))


def _question_text(proposal: Proposal, head: Unit) -> str:
    """The head of a numbered part, and the question in it where that is another sentence."""
    part = _part(proposal, head)
    asking = next((unit for unit in part[1:] if asks(unit) and unit.line <= head.line + 1), None)
    if asks(head) or asking is None:
        return shown(head.text)
    return f"{shown(head.text)} {shown(asking.text)}"


def _is_brief(item: Item) -> bool:
    answer = item.answer
    return len(item.text) <= _BRIEF_CHARS and bool(answer.nods or answer.refuses or answer.picks)


def _in_order(text: str, proposal: Proposal) -> list[Item]:
    """Letters alone, as many as there were questions with lettered options."""
    found: list[tuple[str, int, int]] = []
    position = 0
    while (mark := _LETTERS_RE.match(text, position)) is not None and len(found) < _MAX_ITEMS:
        found.append((mark[1].lower(), mark.start(1), mark.end(1)))
        position = mark.end()
    if len(found) < 2 or text[position:].strip(" .!。"):
        return []
    lists: list[dict[str, Unit]] = []
    for unit in proposal.units:
        label = label_of(unit)
        if unit.sentence or len(label) != 1 or not label.isalpha():
            continue
        if not lists or label in lists[-1]:
            lists.append({})
        lists[-1][label] = unit
    if len(lists) != len(found):
        return []
    return [
        Item(text[start:end], start, end, answer_in(text[start:end]), option_text(proposal, options[label]), True)
        for (label, start, end), options in zip(found, lists, strict=True)
        if label in options
    ]
