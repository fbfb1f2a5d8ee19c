"""Short answers: what "yes", "do 2" or "同意" accept, read from the agent's message before them.

Owns which words nod, refuse or pick an option, and which part of a message is the proposal. Must not know scores.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from recapd.core.decisions.lexicon import GROUPS, heard_in, plain, tokens_of
from recapd.core.decisions.units import Unit, units_of

_NODS: Final = frozenset(
    """
    yes yeah yep yup ya yea y ok okay k sure lgtm perfect great good nice cool proceed continue approve approved
    agreed agree correct exactly right fine absolutely definitely please go ahead do it that this sounds looks
    works makes sense sound look make thanks thank you apply confirm confirmed accepted accept let's lets all
    both ship awesome excellent alright well then just now so the of them for me i'm happy with is one more try
    again execute start begin implement да ага хорошо ок окей давай давайте согласен согласна делай сделай верно
    конечно отлично пожалуйста продолжай поехали oui ouais d'accord vas-y parfait exactement allez bien sûr sí
    si vale dale claro perfecto adelante correcto continúa bueno acuerdo de ja jo genau gut mach mache machen
    passt einverstanden klar gerne weiter bitte los sim pode isso certo perfeito continua sì va bene procedi
    """.split()
)
# A message that begins so may nod; the rest of the words above only fill.
_NOD_STARTS: Final = frozenset(
    """
    yes yeah yep yup ya yea y ok okay sure lgtm perfect great good nice cool proceed continue approve approved
    agreed agree correct exactly fine absolutely definitely please go do sounds looks works makes apply confirm
    confirmed accept accepted let's lets ship awesome excellent alright execute implement да ага хорошо ок окей
    давай давайте согласен согласна делай сделай верно конечно отлично продолжай поехали oui ouais d'accord
    vas-y parfait allez sí si vale dale claro perfecto adelante correcto ja jo genau gut mach passt
    einverstanden klar gerne sim pode isso certo perfeito sì va
    """.split()
)
# Words that nod whatever follows; after the others ("ok", "great", "do") something new may come.
_FIRM_NODS: Final = frozenset(
    """
    yes yeah yep yup yea y sure agreed agree approve approved confirm confirmed lgtm absolutely definitely
    exactly accept accepted proceed да ага согласен согласна oui ouais sí ja jo sim sì
    """.split()
)
_FIRM_UNSPACED: Final = re.compile("^(?:同意|确认|可以|好的?[，,。！!]?|是的|执行|네|예|응|그래|동의|승인|はい|承認)")
_NODS_UNSPACED: Final = re.compile(
    "^(?:好的?|可以|同意|确认|执行|行|没问题|是的?|对的?|嗯|继续|开始|就这样|就这么|采用|네|예|응|좋아|좋습니다|그래|진행|동의|승인|확인|はい|お願い|それで|了解|いいね|いいです|承認|続けて)"
)
_REFUSALS: Final = frozenset("no nope nah not don't dont stop wait hold нет не non nein nee não нельзя".split())
_REFUSALS_UNSPACED: Final = re.compile("^(?:不|别|不要|不用|不是|아니|하지|いや|いいえ|やめ)")
_CARDINALS: Final[dict[str, str]] = {
    **dict.fromkeys(
        "first one 一 第一 第一个 первый первое erste erster erstes primera primero première premier 첫".split(), "1"
    ),
    **dict.fromkeys(
        "second two 二 第二 第二个 второй второе zweite zweiter segunda segundo deuxième seconde 두".split(), "2"
    ),
    **dict.fromkeys(
        "third three 三 第三 第三个 третий третье dritte dritter tercera tercero troisième 세".split(), "3"
    ),
    **dict.fromkeys("fourth four 四 第四 第四个 четвертый vierte vierter cuarta cuarto quatrième".split(), "4"),
}
_PICK_RE: Final = re.compile(
    r"(?:(?:option|choice|approach|plan|number|step|variant|alternative|вариант|опци\w*|opción|opcion|"
    r"möglichkeit|variante|opção|방안|옵션|案|方案|选项|选|第)\s*#?\s*"
    r"(?P<named>\d{1,2}|[a-h]\b|[一二三四五六]))"
    r"|^\W*(?:(?:do|let'?s do|go with|let'?s go with|i'?d (?:go with|like it to do|pick|choose)|i (?:prefer|"
    r"choose|pick|like)|use|pick|choose|try|fix|for)\s+)?#?(?P<bare>\d{1,2}(?=\W|$)|[b-h](?=\W|$)|"
    r"a(?=\s*(?:[^\w\s]|$)))(?![.):]?\w)",
    re.IGNORECASE,
)
_MORE_RE: Final = re.compile(r"\s*(?:,|&|\+|and|und|y|et|и|和|、)\s*(\d{1,2}|[a-h])(?=\W|$)", re.IGNORECASE)
_ORDINAL_RE: Final = re.compile(
    r"\b(?:the )?(first|second|third|fourth)(?: one| option| approach)?\b|第([一二三四])[个種种]?", re.IGNORECASE
)
_LETTERED_RE: Final = re.compile(
    r"^\W*(?:option|approach|choice|方案|选项|вариант|opción|plan|案|옵션)\s*#?([a-h]|\d{1,2}|[一二三四五六])\b",
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


class Answer(Struct, frozen=True, gc=False):
    """How a human's message answers what stood before it."""

    nods: bool = False
    refuses: bool = False
    # Labels of the options named, as digits or small letters.
    picks: tuple[str, ...] = ()
    # It says nothing besides.
    is_bare: bool = False
    # It nods whatever follows.
    is_firm: bool = False


def answer_in(text: str) -> Answer:
    """Read the first sentence of a message as an answer."""
    words = plain(text).strip()
    tokens = tokens_of(words[:200])
    if not tokens:
        return Answer()
    nods = tokens[0] in _NOD_STARTS or bool(_NODS_UNSPACED.match(words))
    refuses = tokens[0] in _REFUSALS or bool(_REFUSALS_UNSPACED.match(words))
    picks = _picks(words)
    filler = sum(token in _NODS or token.isdigit() or len(token) == 1 for token in tokens)
    is_bare = (len(tokens) <= 8 and filler == len(tokens)) or len(words) <= 4
    is_firm = nods and (tokens[0] in _FIRM_NODS or bool(_FIRM_UNSPACED.match(words)))
    return Answer(nods, refuses, picks, is_bare and (nods or bool(picks)), is_firm)


def _picks(words: str) -> tuple[str, ...]:
    found: list[str] = []
    for match in _PICK_RE.finditer(words[:160]):
        label = match["named"] or match["bare"] or ""
        found.append(_CARDINALS.get(label, label).lower())
        more = _MORE_RE.match(words, match.end())
        while more:
            found.append(more[1].lower())
            more = _MORE_RE.match(words, more.end())
    if not found and (ordinal := _ORDINAL_RE.search(words[:80])):
        found.append(_CARDINALS.get(ordinal[1] or ordinal[2], ""))
    return tuple(dict.fromkeys(label for label in found if label))


class Proposal(Struct, frozen=True, gc=False):
    """What an agent's message puts to the human."""

    units: tuple[Unit, ...] = ()
    # The open question at its end, -1 where there is none; and how many options are listed.
    question: int = -1
    options: int = 0


def proposal_in(text: str) -> Proposal:
    units = tuple(units_of(text))
    question = -1
    for unit in reversed(units[-14:]):
        if unit.text.rstrip("*_\"')）”").endswith(("?", "？")):
            question = unit.number
            break
    options = sum(1 for unit in units if _label_of(unit) and unit.sentence == 0)
    return Proposal(units, question, options)


def _label_of(unit: Unit) -> str:
    if unit.label:
        return unit.label.lower()
    match = _LETTERED_RE.match(unit.text)
    if match is None:
        return ""
    return _CARDINALS.get(match[1], match[1]).lower()


def accepted(proposal: Proposal, answer: Answer) -> tuple[str, bool]:
    """The words of what was accepted, and whether an option was named and found."""
    for label in answer.picks[:1]:
        chosen = [unit for unit in proposal.units if _label_of(unit) == label and unit.sentence == 0]
        if chosen:
            parts = [_option_text(proposal, unit) for unit in chosen[-1:]]
            for other in answer.picks[1:3]:
                parts += [
                    _strip(unit.text) for unit in proposal.units if _label_of(unit) == other and unit.sentence == 0
                ][-1:]
            return _clip(" ".join(parts)), True
    return _clip(_offered(proposal)), False


def _option_text(proposal: Proposal, head: Unit) -> str:
    """An option: its first line, and the lines below it as far as they fit."""
    text = _strip(head.text)
    for unit in proposal.units[head.number + 1 :]:
        if (_label_of(unit) and unit.sentence == 0) or (unit.marker == "hash") or len(text) > TEXT_CHARS // 2:
            break
        text += " " + _strip(unit.text)
    return text


def _offered(proposal: Proposal) -> str:
    """Without a named option: the question put at the end, and what leads up to it where the question only points."""
    units = proposal.units
    if not units:
        return ""
    asked = ""
    upto = len(units)
    if proposal.question >= 0:
        asked = _LEAD_RE.sub("", _strip(units[proposal.question].text), count=1)
        upto = proposal.question
        if len(_content(asked)) >= 6:
            return asked
        if len(_content(asked)) >= 3:
            before = units[proposal.question - 1] if proposal.question else None
            if before is not None and before.line == units[proposal.question].line:
                return f"{_strip(before.text)[: TEXT_CHARS - len(asked)]} {asked}"
            return asked
    ranked = sorted(
        (
            (_proposing(unit, upto), unit.number)
            for unit in units
            if unit.number != proposal.question and not unit.is_table
        ),
        reverse=True,
    )
    if proposal.question < 0 and not proposal.options and not any(_proposes(unit) for unit in units):
        return ""
    chosen: list[int] = []
    room = TEXT_CHARS - len(asked)
    for _, number in ranked[:4]:
        size = len(units[number].text) + 1
        if size <= room or not chosen:
            chosen.append(number)
            room -= size
        if room < 40:
            break
    parts = [_strip(units[number].text) for number in sorted(chosen)]
    return " ".join([*parts, asked]).strip()


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
    )


def _content(text: str) -> list[str]:
    return [token for token in tokens_of(plain(text)) if len(token) > 3 and token not in _NODS]


def _strip(text: str) -> str:
    return text.replace("**", "").strip(" :：*-")


def _clip(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= TEXT_CHARS:
        return text
    cut = text.rfind(" ", 0, TEXT_CHARS)
    return text[: cut if cut > TEXT_CHARS // 2 else TEXT_CHARS].rstrip(" ,;:")
