"""What an agent's message puts to the human, and which part of it a short answer accepts. Must not know scores."""

from __future__ import annotations

import re
from collections import Counter
from math import sqrt
from typing import Final

from msgspec import Struct

from recapd.core.decisions.find.assent import CARDINALS, NODS, Answer
from recapd.core.decisions.find.content import words_of
from recapd.core.decisions.find.lexicon import GROUPS, heard_in, plain
from recapd.core.decisions.find.units import Unit, units_of
from recapd.core.text import spoken_words_in

_LETTERED_RE: Final = re.compile(
    r"^\W*(?:option|approach|choice|方案|选项|вариант|opción|plan|案|옵션)\s*#?([a-h]|\d{1,2}|[一二三四五六])\b",
    re.IGNORECASE,
)
# A row of a table that begins with an option's label.
_ROW_RE: Final = re.compile(r"\|\s*\**(?:option\s+)?([a-h]|\d{1,2})[.)]?\**\s*\|\s*(?=\S)", re.IGNORECASE)
_RECOMMENDED_RE: Final = re.compile(
    r"\W*(?:recommended|recommendation|my recommendation|i(?:'|’)?d recommend|i recommend|suggested|推荐|建议|"
    r"рекоменд\w*|recomend\w*|empfehl\w*|recommand\w*|추천|おすすめ|推奨)\b",
    re.IGNORECASE,
)
# A question about all that stands before it says nothing itself.
_ABOUT_ALL_RE: Final = re.compile(
    r"\b(?:what do you think|how does (?:this|that|it) (?:look|sound)|(?:does|do|is|are) (?:this|that|these|those|it)\b"
    r"(?! .{60})|your (?:preference|thought|call|choice|view|pick)\w*|"
    r"which (?:one|option|approach|of these|would|do)\b|sounds? good|look good|any (?:changes|concerns|feedback)|"
    r"shall (?:i|we) (?:proceed|continue|start|begin)|"
    r"should i (?:proceed|continue|start|begin)|ready to (?:proceed|start|begin)|(?:reply|answer|respond) with)\b",
    re.IGNORECASE,
)
# A question that puts nothing forward: what answers it is a new request.
_IDLE_RE: Final = re.compile(
    r"\b(?:what would you like(?: me)? to (?:do|work|build|tackle|focus)|anything else|what(?:'|’)?s next|"
    r"what next|how (?:can|may) i (?:help|assist)|what(?:'|’)s on your mind|what can i do for you|"
    r"what (?:do you want|should (?:we|i)) (?:to )?(?:do|work on)(?: next)?)\b|还有什么|有什么(?:我)?(?:可以|能)帮|"
    r"чем (?:я )?могу помочь|wie kann ich .{0,10}helfen|en qué puedo ayudar|comment puis-je .{0,10}aider",
    re.IGNORECASE,
)
_LEAD_RE: Final = re.compile(
    r"^(?:.{0,60}?[,;:—–-]\s+)?(?:(?:do you )?want me to|would you like (?:me )?to|should i|shall i|should we|"
    r"shall we|do you want to|can i|may i|"
    r"is it ok(?:ay)? (?:to|if i)|ready to|ready for me to|if you(?:'d| would)? (?:like|want|prefer|"
    r"wish)(?: me to)?,?(?: i can| i could| i'll)?|i can(?: also)?|i could(?: also)?|"
    r"soll ich|möchtest du,? dass ich|quieres que|voulez-vous que|souhaitez-vous que|"
    r"хотите,? (?:чтобы )?(?:я )?|需要我|要我|是否需要|要不要|是否)\s*",
    re.IGNORECASE,
)
_PROPOSES: Final = frozenset(
    GROUPS.index(group) for group in ("choice", "offer", "want", "rule", "contrast", "fix", "act")
)
_PLAN_RE: Final = re.compile(
    r"\b(?:plan|proposal|proposed|steps)\b|计划|方案|步骤|план|계획|プラン|計画", re.IGNORECASE
)
TEXT_CHARS: Final = 200
# Options named in one answer, sentences that tell a proposal, and the room a sentence needs.
_MAX_PICKS: Final = 4
_MOST: Final = 4
_LEAST_ROOM: Final = 40
# Words of a question that stands alone, for it to tell anything.
_LEAST_TOLD: Final = 2
# What it counts that the rest of the message comes back to a sentence's words, beside what the sentence says.
_CENTRAL: Final = 1.5


class Proposal(Struct, frozen=True, gc=False):
    """What an agent's message puts to the human."""

    units: tuple[Unit, ...] = ()
    # The open question at its end, -1 where there is none; and how many options are listed.
    question: int = -1
    options: int = 0
    # The question puts nothing forward.
    is_idle: bool = False


def proposal_in(text: str) -> Proposal:
    units = units_of(text)
    question = -1
    for unit in reversed(units[-14:]):
        if asks(unit):
            question = unit.number
            break
    options = sum(1 for unit in units if label_of(unit) and unit.sentence == 0)
    return Proposal(units, question, options, question >= 0 and _IDLE_RE.search(units[question].text) is not None)


def asks(unit: Unit) -> bool:
    return unit.text.rstrip("*_\"')）”").endswith(("?", "？"))


def label_of(unit: Unit) -> str:
    """The number or letter that a unit is listed by, "" for none."""
    if unit.label:
        return unit.label.lower()
    match = _ROW_RE.match(unit.text) if unit.is_table else _LETTERED_RE.match(unit.text)
    if match is None:
        return ""
    return CARDINALS.get(match[1], match[1]).lower()


def accepted(proposal: Proposal, answer: Answer, done: frozenset[str] = frozenset()) -> tuple[str, bool]:
    """The words of what was accepted, and whether an option was named and found. `done`: words of what came of it."""
    options: list[Unit] = []
    for label in answer.picks[:_MAX_PICKS]:
        options += [unit for unit in proposal.units if label_of(unit) == label and unit.sentence == 0][-1:]
    if options:
        room = TEXT_CHARS // len(options)
        return _clip("; ".join(option_text(proposal, unit, room) for unit in options)), True
    return _clip(_offered(proposal, done)), False


def option_text(proposal: Proposal, head: Unit, room: int = TEXT_CHARS) -> str:
    """An option: its first line, and the lines below it as far as they fit, up to the question that ends it all."""
    text = shown(head.text)
    for unit in () if head.is_table else proposal.units[head.number + 1 :]:
        is_question = unit.line != head.line and (unit.number == proposal.question or asks(unit))
        is_next = (bool(label_of(unit)) and unit.sentence == 0) or unit.marker == "heading"
        if is_next or is_question or len(text) > room // 2:
            break
        text += " " + shown(unit.text)
    return _clip(text, room)


def _offered(proposal: Proposal, done: frozenset[str]) -> str:
    """Without a named option: the question put at the end, and what leads up to it where the question only points."""
    units = proposal.units
    if not units:
        return ""
    asked = question = ""
    upto = len(units)
    if proposal.question >= 0:
        question = shown(units[proposal.question].text)
        upto = proposal.question
        if not _ABOUT_ALL_RE.search(question):
            asked = _LEAD_RE.sub("", question, count=1)
            if len(_content(asked)) >= 6:
                return asked
            before = units[upto - 1] if upto else None
            if len(_content(asked)) >= 3:
                if before is not None and before.line == units[upto].line:
                    return f"{shown(before.text)[: TEXT_CHARS - len(asked)]} {asked}"
                return asked
    elif not proposal.options and not any(_proposes(unit) for unit in units):
        return ""
    chosen: list[int] = []
    room = TEXT_CHARS - len(asked)
    for number in _most_central(units, upto, done):
        size = len(units[number].text) + 1
        if size <= room or not chosen:
            chosen.append(number)
            room -= size
        if room < _LEAST_ROOM:
            break
    told = " ".join([*(shown(units[number].text) for number in sorted(chosen)), asked]).strip()
    # Nothing stands before the question: then it must tell what it is about.
    return told or (question if len(_content(question)) >= _LEAST_TOLD else "")


def _most_central(units: tuple[Unit, ...], upto: int, done: frozenset[str]) -> list[int]:
    """The few that put most forward, and whose words the message and what came of it come back to."""
    told = [unit for unit in units if unit.number != upto and not _ABOUT_ALL_RE.search(unit.text)]
    words = {unit.number: words_of(unit.text) for unit in told}
    often: Counter[str] = Counter(word for each in words.values() for word in each)

    def weight(unit: Unit) -> float:
        own = words[unit.number]
        shared = sum(min(often[word], 4) - 1 + 2 * (word in done) for word in own) / (sqrt(len(own)) + 2)
        return _proposing(unit, upto) + _CENTRAL * shared

    return [unit.number for unit in sorted(told, key=weight, reverse=True)[:_MOST]]


def _proposes(unit: Unit) -> bool:
    """Whether a sentence puts something forward at all, rather than greeting or reporting."""
    return _weight(unit) >= 2 or bool(_PLAN_RE.search(unit.text[:30]))


def _weight(unit: Unit) -> int:
    heard = heard_in(unit.text)
    return sum(min(heard[group], 2) for group in _PROPOSES)


def _proposing(unit: Unit, upto: int) -> float:
    weight = _weight(unit)
    near = max(0.0, 1.0 - abs(upto - unit.number) / 12)
    too_short = len(unit.text) < 20
    named = min(2, unit.text.count("`") // 2 + unit.text.count("/"))
    plans = bool(_PLAN_RE.search(unit.text[:30]))
    return (
        weight
        + 2.5 * near
        + 0.5 * named
        + 2.0 * plans
        + 0.5 * (unit.marker in ("bullet", "number"))
        - 3.0 * too_short
        - 2.0 * unit.opens
        + 3.0 * bool(_RECOMMENDED_RE.match(unit.text))
        - 1.0 * unit.is_table
    )


def _content(text: str) -> list[str]:
    return [token for token in spoken_words_in(plain(text)) if len(token) > 3 and token not in NODS]


def shown(text: str) -> str:
    if text.startswith("|"):
        cells = [cell.strip() for cell in _ROW_RE.sub("", text, count=1).split("|")]
        text = " — ".join(cell for cell in cells if cell)
    return text.replace("**", "").strip(" :：*-")


def _clip(text: str, room: int = TEXT_CHARS) -> str:
    text = " ".join(text.split())
    if len(text) <= room:
        return text
    cut = text.rfind(" ", 0, room)
    return text[: cut if cut > room // 2 else room].rstrip(" ,;:")
