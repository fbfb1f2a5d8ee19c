"""What an agent's message puts to the human, and which part of it a short answer accepts. Must not know scores."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions.find.assent import CARDINALS, LAST, MIDDLE, NODS, Answer
from recapd.core.decisions.find.content import words_of
from recapd.core.decisions.find.lexicon import GROUPS, heard_in, plain
from recapd.core.decisions.find.units import LISTED, Unit, units_of
from recapd.core.decisions.words import begin_of, languages_of, said, spelled
from recapd.core.text import deed_from, spoken_words_in

_LETTERED: Final = (
    r"(?:option|approach|choice|方案|选项|вариант|opción|plan|案|옵션)\s*#?([a-h]|\d{1,2}|[一二三四五六])"
)
_LETTERED_RE: Final = re.compile(rf"^\W*{_LETTERED}\b", re.IGNORECASE)
# "B: Keep it".
_LETTER_RE: Final = re.compile(r"\W*([a-h])\**\s?[:：]\**\s", re.IGNORECASE)
# A row of a table that begins with an option's label.
_ROW_RE: Final = re.compile(r"\|\s*\**(?:option\s+)?([a-h]|\d{1,2})[.)]?\**\s*\|\s*(?=\S)", re.IGNORECASE)
_RECOMMENDED_RE: Final = re.compile(
    rf"\W*(?:{spelled('proposes')[0]})|.{{0,80}}(?:{spelled('proposes')[1]})", re.IGNORECASE
)
_SUGGESTS_RE: Final = re.compile(said("proposes", "could be"), re.IGNORECASE)
_SUGGESTED_CHARS: Final = 600
_ADVICE_RE: Final = re.compile(said("asks advice"), re.IGNORECASE)
# What somebody can see or guess is no offer.
_SEES_RE: Final = re.compile(r"\W*i can(?:'t|not)? (?:see|reproduce|confirm|imagine|tell|find|not)\b", re.IGNORECASE)
# A question about all that stands before it says nothing itself.
_ABOUT_ALL_RE: Final = re.compile(
    r"\b(?:what do you think|how does (?:this|that|it) (?:look|sound)|"
    # "Shall I do it" names a deed.
    r"(?<!to )(?<!i )(?<!we )(?:does|do|is|are) (?:this|that|these|those|it)\b(?! .{60})|"
    r"your (?:preference|thought|call|choice|view|pick)\w*|"
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
# "Shall I", and the word that asks, in scripts that have them at the end.
_POLITE_RE: Final = re.compile(r"(?:ます|ましょう)か$")
_ASKING_RE: Final = re.compile(r"(?:吗|么|呢|か)$")
# Two things in one question: a yes picks neither.
_EITHER_RE: Final = re.compile(rf"{said('or')}|(?<=[\s,]) ?o (?=\w)", re.IGNORECASE)
# So an offer without a question mark leaves the choice to the human.
_IF_WISHED_RE: Final = re.compile(
    r"\W*(?:let me know if|(?:just )?say the word|if you(?:'d| would)? (?:like|want|prefer|wish)|wenn du (?:willst|"
    r"möchtest|magst)|si (?:tu veux|vous voulez|quieres|lo deseas)|se (?:quiser|vuoi)|если (?:хотите|хочешь|нужно)|"
    r"如果?(?:需要?|你?想要?|您?愿意)|如需|必要であれば|원하시면)",
    re.IGNORECASE,
)
# What it names stands elsewhere.
_POINTS_RE: Final = re.compile(
    r"\b(?:this|these|those|that|it|them|all|both|above|items?)\b|上述|这[个些样]|以上|それ|これ|上記|이것|위의",
    re.IGNORECASE,
)
_PROPOSES: Final = frozenset(
    GROUPS.index(group) for group in ("choice", "offer", "want", "rule", "contrast", "fix", "act")
)
_OFFER: Final = GROUPS.index("offer")
# Sentences at the end of a message in which an offer still stands.
_TAIL: Final = 4
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
# Words of a deed that is told by itself, and of one that points at something besides.
_LEAST_OF_DEED: Final = 3
_LEAST_BESIDES: Final = 7
# Sentences between a list and the question that points at it; and items that say more than one sentence would.
_NEAR_LIST: Final = 4
_LEAST_LISTED: Final = 2
# What asks for an opinion behind a recommendation.
_THOUGHTS_RE: Final = re.compile(r"(?<![\s,;—–-])\s{0,4}[,;—–-]{1,4}\s{0,4}[^,;—–?？-]{2,40}[?？]$")
# Words of an option that only goes on to the next page, and those it begins with.
_MENU_WORDS: Final = 5
_DOTTED_RE: Final = re.compile(r"\W*\w+\.\w")  # a name that begins so: "Next.js"
_GOES_ON: Final = frozenset(
    """continue next proceed forward weiter fortfahren continuer suivant continuar siguiente continua avanti próximo
    далее продолжить продолжай 继续 下一步 次へ 続ける 계속 다음""".split()
)
# What it counts that the rest of the message comes back to a sentence's words, beside what the sentence says.
_CENTRAL: Final = 1.5
# What stands before two options: "I see two ways: …".
_BEFORE_OPTIONS_RE: Final = re.compile(
    r"^(?:[^:：]{0,80}[:：]\s*)?(?:(?:soit|o bien|либо)\s+|.{0,80}\b(?:either|entweder)\s+)?", re.IGNORECASE
)


# The same within a line, each with its number or letter; or only named.
_COUNTED_RE: Final = re.compile(
    rf"(?<![\w.])\(?([1-9]|[a-h])[).]\s{{1,3}}(?=\S)|(?<![a-z]){_LETTERED}\s?[,，:：、]\s*(?=\S)", re.IGNORECASE
)
_NAMED_RE: Final = re.compile(
    r"[:：]\s*((?:[^\s,.;:?!、，]+(?: [^\s,.;:?!、，]+){0,3}(?:, |、|，)){1,6}[^,.;:?!、，]{2,40})[.。]?(?:$|\s)"
)
# A sentence that begins with what it is about.
_HEADED_RE: Final = re.compile(r"[^\W_][^\s:：,.;]{0,30}(?: [^\s:：,.;]{1,30}){0,2}(?:: |：)(?=\S)")
_BETWEEN_RE: Final = re.compile(r", |、|，")
# In Dutch alone this is no word that says whose something is.
_OF_RE: Final = re.compile(r"(?<!\w)(?:of|ofwel|hetzij)(?!\w)", re.IGNORECASE)
_OR_AT_END_RE: Final = re.compile(rf"[,，、;；]?\s{{0,2}}(?:{said('or')}|(?<=\s)o)$", re.IGNORECASE)
_COMMA_RE: Final = re.compile(r", (?:or |and )?|、|，| or ")
_FIRST_PART_RE: Final = re.compile(rf"[,，.。;；!！:—–]|\s-\s|{said('because')}", re.IGNORECASE)
_FEW_NAMING: Final = 4
# The letter of an option among other words; those that are words of some language name none.
_LABEL_RE: Final = re.compile(r"(?<![\w'’.-])[bcdfgh](?![\w'’.-])")
# Words of its own beside the name of an option: a reason, or how sure it is.
_FEW_BESIDE: Final = 4


class Proposal(Struct, frozen=True, gc=False):
    """What an agent's message puts to the human."""

    units: tuple[Unit, ...] = ()
    # The open question at its end, -1 where there is none; and how many options are listed.
    question: int = -1
    options: int = 0
    # The question puts nothing forward.
    is_idle: bool = False
    # A last sentence that offers without asking: "Let me know if you want me to …". -1 where there is none.
    offer: int = -1

    @property
    def is_put(self) -> bool:
        """Whether there is anything to accept."""
        return (self.question >= 0 and not self.is_idle) or self.offer >= 0


def proposal_in(text: str) -> Proposal:
    units = units_of(text)
    question = -1
    for unit in reversed(units[-14:]):
        if asks(unit):
            question = unit.number
            break
    options = sum(1 for unit in units if label_of(unit) and unit.sentence == 0)
    is_idle = question >= 0 and _IDLE_RE.search(units[question].text) is not None
    offer = next((unit.number for unit in reversed(units[-_TAIL:]) if _offers(unit)), -1) if question < 0 else -1
    return Proposal(units, question, options, is_idle, offer)


def _offers(unit: Unit) -> bool:
    if _SEES_RE.match(unit.text):
        return False
    return heard_in(unit.text)[_OFFER] > 0 or recommends(unit)


def recommends(unit: Unit) -> bool:
    """Whether a sentence says what the agent would do."""
    return _RECOMMENDED_RE.match(unit.text.replace("’", "'")) is not None


def suggests(text: str) -> bool:
    """Whether a message says what could be done, or how it is best done."""
    return _SUGGESTS_RE.search(text[-_SUGGESTED_CHARS:]) is not None


def asks_advice(text: str) -> bool:
    """Whether somebody asks what to do."""
    return _ADVICE_RE.search(text) is not None


def asks(unit: Unit) -> bool:
    return unit.text.rstrip("*_\"')）”").endswith(("?", "？"))


def label_of(unit: Unit) -> str:
    """The number or letter that a unit is listed by, "" for none."""
    if unit.label:
        return unit.label.lower()
    lettered = _LETTERED_RE.match(unit.text) or _LETTER_RE.match(unit.text)
    match = _ROW_RE.match(unit.text) if unit.is_table else lettered
    if match is None:
        return ""
    return CARDINALS.get(match[1], match[1]).lower()


def accepted(proposal: Proposal, answer: Answer, done: frozenset[str] = frozenset()) -> tuple[str, bool]:
    """The words of what was accepted, and whether an option was named and found. `done`: words of what came of it."""
    options: list[Unit] = []
    labelled = [unit for unit in proposal.units if label_of(unit) and unit.sentence == 0]
    for label in answer.picks[:_MAX_PICKS]:
        if label == MIDDLE:
            options += labelled[len(labelled) // 2 : len(labelled) // 2 + len(labelled) % 2]
        else:
            options += [unit for unit in labelled if label in (label_of(unit), LAST)][-1:]
    if options:
        room = TEXT_CHARS // len(options)
        told = _clip("; ".join(option_text(proposal, unit, room) for unit in options))
        return (told, True) if not _turns_page(told) else (_clip(_page_above(proposal, options[0])), False)
    offered = _unlabelled(proposal) if answer.picks else ()
    meant = [_option_at(offered, label) for label in answer.picks[:_MAX_PICKS]]
    if meant and all(meant):
        return _clip("; ".join(meant)), True
    return _clip(_offered(proposal, done)), False


def _option_at(offered: tuple[str, ...], label: str) -> str:
    if label == MIDDLE:
        return offered[len(offered) // 2] if len(offered) % 2 else ""
    at = len(offered) if label == LAST else int(label) if label.isdigit() else ord(label[0]) - ord("a") + 1
    return offered[at - 1] if 0 < at <= len(offered) else ""


def _unlabelled(proposal: Proposal) -> tuple[str, ...]:
    """The options that a message offers, in their order: its list, else the two that its question puts, or the
    sentence before a question which."""
    listed = [unit for unit in proposal.units if _is_item(unit) and not unit.is_table]
    if len(listed) >= _LEAST_LISTED:
        return tuple(shown(unit.text) for unit in listed)
    rows = [unit for unit in proposal.units if unit.is_table][1:]
    if not listed and len(rows) >= _LEAST_LISTED:
        return tuple(shown(unit.text) for unit in rows)
    if in_prose := _under_heads(proposal) or _options_in_line(proposal):
        return in_prose
    last = proposal.question if proposal.question >= 0 else len(proposal.units) - 1
    said = (_put_side_by_side(unit) for unit in reversed(proposal.units[max(0, last - 1) : last + 1]))
    return next(filter(None, said), ())


def _put_side_by_side(unit: Unit) -> tuple[str, ...]:
    """The options of a sentence, "A or B" or "A, B or C": between its commas, where each of them is brief."""
    text = shown(unit.text).strip(" ?？.")
    sides = _sides_in(_BEFORE_OPTIONS_RE.sub("", text, count=1))
    if len(sides) != 2:
        return ()
    first, last = sides
    named = [each.strip() for each in _BETWEEN_RE.split(first) if each.strip()]
    is_list = len(named) > 1 and all(len(words_of(each)) <= _FEW_NAMING for each in named[1:])
    return (*(named if is_list else [first]), last)


def _sides_in(text: str) -> list[str]:
    either = _OF_RE if languages_of(spoken_words_in(text.lower())) == {"nl"} else _EITHER_RE
    sides = [side.strip(" ,，、") for side in either.split(text)]
    return [side for side in sides if side]


def _under_heads(proposal: Proposal) -> tuple[str, ...]:
    """The options of sentences that follow each other and each begin with what they are about: "First: … Second: …"."""
    runs: list[list[Unit]] = [[]]
    for unit in proposal.units:
        if _HEADED_RE.match(shown(unit.text)):
            runs[-1].append(unit)
        elif runs[-1]:
            runs.append([])
    found = next((run for run in reversed(runs) if len(run) >= _LEAST_LISTED), [])
    return tuple(shown(unit.text) for unit in found)


def _options_in_line(proposal: Proposal) -> tuple[str, ...]:
    """Options that are counted within a sentence, "1) ...; 2) ...", or only named behind a colon."""
    text = " ".join(shown(unit.text) for unit in proposal.units[-_TAIL:])
    marks = list(_COUNTED_RE.finditer(text))
    labels = [CARDINALS.get(label, label).lower() for mark in marks if (label := mark[1] or mark[2])]
    if len(labels) >= _LEAST_LISTED and labels in (list("123456789")[: len(labels)], list("abcdefgh")[: len(labels)]):
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        asked = shown(proposal.units[proposal.question].text) if proposal.question >= 0 else ""
        told = (text[mark.end() : end].removesuffix(asked) for mark, end in zip(marks, ends, strict=True))
        return tuple(_OR_AT_END_RE.sub("", piece.strip(" ,;.、，；。")) for piece in told)
    named = _NAMED_RE.search(text)
    return tuple(each for each in _COMMA_RE.split(named[1]) if each) if named else ()


def option_named(proposal: Proposal, answer: str) -> str:
    """The one option that the first words of an answer name, by words that no other option has; else ""."""
    first, *rest = _FIRST_PART_RE.split(answer[begin_of(answer) :])
    # "Right, the blue one": what is said stands behind the yes.
    if rest and NODS.issuperset(spoken_words_in(plain(first))):
        first, *rest = rest
    first = plain(first)
    options = _unlabelled(proposal)
    labels = _LABEL_RE.findall(first)
    if len(labels) == 1 and len(words_of(first)) <= _FEW_NAMING and (labelled := _option_at(options, labels[0])):
        return _clip(labelled)
    # Who goes on says more than which one.
    if len(words_of(plain(" ".join(rest)))) > _FEW_BESIDE:
        return ""
    said = words_of(" ".join(word for word in first.replace("'s ", " ").split() if word not in NODS))
    if not 0 < len(said) <= _FEW_NAMING:
        return ""
    having = [option for option in options if said <= words_of(option)]
    others = [option for option in options if not said.isdisjoint(words_of(option))]
    return _clip(having[0]) if len(options) >= _LEAST_LISTED and len(having) == 1 == len(others) else ""


def puts_two(asked: str) -> bool:
    """Whether a question puts two things to choose from."""
    return _EITHER_RE.search(asked) is not None


def puts_deed(asked: str) -> bool:
    """Whether a question begins as an offer to do something: "Want me to …"."""
    return deed_from(asked) > 0


def deed_put(proposal: Proposal) -> str:
    """What a mere yes agrees to, where the message puts one deed and says in one sentence which; else ""."""
    units = proposal.units
    if proposal.question >= 0:
        asked = units[proposal.question]
        # What stands far above was asked by somebody, or asks nothing any more.
        near = units[max(asked.number - _NEAR_LIST, 0) :]
        others = [unit for unit in near if asks(unit) and unit is not asked and not _ABOUT_ALL_RE.search(unit.text)]
        return "" if others or proposal.is_idle or asked.is_table else _deed_of(units, asked)
    offer = units[proposal.offer] if proposal.offer >= 0 else None
    if offer is not None and recommends(offer):
        if len(words_of(offer.text)) >= _LEAST_OF_DEED:
            return _clip(shown(offer.text))
        # "I'd recommend that": what stands before it.
        before = units[offer.number - 1] if offer.sentence and _POINTS_RE.search(offer.text) else None
        return _clip(f"{shown(before.text)} {shown(offer.text)}") if before is not None and not asks(before) else ""
    if offer is None or offer is not units[-1] or not _IF_WISHED_RE.match(offer.text):
        return ""
    return _deed_of(units, offer)


def _deed_of(units: tuple[Unit, ...], asked: Unit) -> str:
    """The deed by itself; where it only points, with what it points at: the sentence before it in the same line, what
    is told of it behind the question, or the list that it stands below."""
    if deed := deed_in(asked.text):
        return deed
    deed = _behind_lead(asked.text)
    if not deed:
        return (_listed_behind(units, asked) or _recommended(units, asked)) if not _EITHER_RE.search(asked.text) else ""
    before = units[asked.number - 1] if asked.sentence else None
    if before is not None and len(words_of(deed)) >= _LEAST_TOLD and _POINTS_RE.search(deed) and not asks(before):
        told = f"{shown(before.text)} {deed}"
        if len(told) <= TEXT_CHARS and not _ABOUT_ALL_RE.search(before.text):
            return told
    meant = _told_behind(units, asked) or _listed_above(units, asked)
    return _clip(f"{deed}: {meant}") if meant else ""


def _told_behind(units: tuple[Unit, ...], asked: Unit) -> str:
    """What a message says of the deed right behind the question: "Want me to fix this? The fix would …"."""
    behind = units[asked.number + 1 :]
    if not behind or behind[0].line > asked.line + 1 or asks(behind[0]) or _offers(behind[0]):
        return ""
    if behind[0].opens:
        return _listed_behind(units, asked)
    return shown(behind[0].text) if len(words_of(behind[0].text)) >= _LEAST_OF_DEED else ""


def _listed_behind(units: tuple[Unit, ...], asked: Unit) -> str:
    """The list that is opened right behind a question: "Does that fit? If so, I would: …"."""
    behind = units[asked.number + 1 :]
    if not behind or behind[0].line > asked.line + 1 or not behind[0].opens:
        return ""
    return _clip(_items_of([unit for unit in behind[1:] if unit.marker in LISTED and not unit.sentence]))


def _listed_above(units: tuple[Unit, ...], asked: Unit) -> str:
    """The items of the nearest list or table above a question."""
    above = list(units[: asked.number])
    while above and asked.number - above[-1].number <= _NEAR_LIST and not _is_item(above[-1]):
        above.pop()
    items: list[Unit] = []
    for unit in reversed(above):
        if not (_is_item(unit) or unit.sentence):
            break
        if _is_item(unit):
            items.insert(0, unit)
    if items and items[0].is_table:
        # The first row names the columns.
        return "; ".join(shown(unit.text).partition(" — ")[0] for unit in items[1:])
    return _items_of(items)


def _is_item(unit: Unit) -> bool:
    return unit.is_table or (unit.marker in LISTED and not unit.sentence)


def _items_of(items: list[Unit]) -> str:
    return "; ".join(shown(unit.text) for unit in items) if len(items) >= _LEAST_LISTED else ""


def _recommended(units: tuple[Unit, ...], asked: Unit) -> str:
    """The one sentence that says what the agent would do, where it asks what the human thinks of it."""
    found = [unit for unit in units[: asked.number + 1] if _RECOMMENDED_RE.match(unit.text) and not unit.opens]
    if len(found) != 1 or not (found[0] is asked or _ABOUT_ALL_RE.search(asked.text)):
        return ""
    told = shown(_THOUGHTS_RE.sub("", found[0].text))
    return told if len(words_of(told)) >= _LEAST_TOLD and len(told) <= TEXT_CHARS and not told.endswith("?") else ""


def deed_in(question: str) -> str:
    """The deed that a question or an offer names whole: "Want me to add a test for it?" without its lead."""
    deed = _behind_lead(question)
    least = _LEAST_BESIDES if _POINTS_RE.search(deed) else _LEAST_OF_DEED
    return deed if len(words_of(deed)) >= least else ""


def _behind_lead(question: str) -> str:
    """What stands behind "Want me to"; in Japanese before the か that asks. "" where it puts two things, or none."""
    asked = shown(question).replace("’", "'").strip(" ?？*_.")
    begin = deed_from(asked)
    if (not begin and not _POLITE_RE.search(asked)) or _ABOUT_ALL_RE.search(asked):
        return ""
    deed = _ASKING_RE.sub("", asked[begin:]).removeprefix("also ")
    return "" if len(deed) > TEXT_CHARS or _EITHER_RE.search(deed) else deed


def _turns_page(option: str) -> bool:
    """Whether an option of a menu only goes on: what is accepted by it is what stands above the menu."""
    words = spoken_words_in(plain(option))
    if _DOTTED_RE.match(option):
        return False
    return 0 < len(words) <= _MENU_WORDS and words[0] in _GOES_ON


def _page_above(proposal: Proposal, option: Unit) -> str:
    """What a page is about, by its headings; else by how it begins."""
    above = [unit for unit in proposal.units[: option.number] if not label_of(unit)]
    heads = dict.fromkeys(shown(unit.heading) for unit in above if unit.heading)
    return " — ".join(heads) or " ".join(shown(unit.text) for unit in above[:2])


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
            asked = question[deed_from(question) :]
            if len(_content(asked)) >= 6:
                return asked
            before = units[upto - 1] if upto else None
            if len(_content(asked)) >= 3:
                if before is not None and before.line == units[upto].line:
                    return f"{shown(before.text)[: TEXT_CHARS - len(asked)]} {asked}"
                return asked
    elif proposal.offer >= 0:
        upto = proposal.offer
        offered = shown(units[upto].text)
        asked = "" if _ABOUT_ALL_RE.search(offered) else offered[deed_from(offered) :]
        if len(_content(asked)) >= 3:
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
