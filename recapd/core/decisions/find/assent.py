"""Short answers: whether "yes", "do 2" or "同意" nod, refuse or pick. What they accept: see proposals."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions.find.lexicon import plain
from recapd.core.decisions.words import said, spelled, words_for
from recapd.core.text import spoken_words_in

_FIRM_NODS: Final = words_for("assent")
# A message that begins so may nod.
_NOD_STARTS: Final = _FIRM_NODS | words_for("nod")
# And these only fill.
NODS: Final = _NOD_STARTS | words_for("fills an answer")
_FIRM_UNSPACED: Final = re.compile(f"(?:{spelled('assent')[1]})")
_NODS_UNSPACED: Final = re.compile(rf"(?:{spelled('assent', 'nod')[1]}|需要(?=\W|$)|要(?=\W|$))")
_ONLY_NODS_UNSPACED: Final = re.compile(rf"(?:(?>{spelled('assent', 'nod', 'fills an answer')[1]})[\W_]*+)++")
_REFUSALS: Final = words_for("refusal")
_REFUSALS_UNSPACED: Final = re.compile(f"(?:{spelled('refusal')[1]})")
CARDINALS: Final[dict[str, str]] = {
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
    r"(?:(?:option|choice|approach|plan|number|step|variant|alternative|вариант|опци\w{0,8}|opción|opcion|"
    r"möglichkeit|variante|opção|방안|옵션|案|方案|选项|选择|选|第)\s*+#?\s*+"
    r"(?P<named>\d{1,2}|[a-h]\b|[一二三四五六]))"
    # Behind a sign of money stands an amount.
    r"|^[^\w$€£¥₽₹₩]*(?:(?:do|let'?s do|go with|let'?s go with|i'?d (?:go with|like it to do|pick|choose)|i (?:prefer|"
    r"choose|pick|like)|use|pick|choose|try|fix|for|the (?:fix|one|change|part) for|implement|apply|start with|"
    r"(?:the|die|den|das|der|la|le|el|il|lo|de|het|n[°º]|nr\.?|no\.)(?=\s+\d))\s+)?"
    # A number with a bracket or a stop behind it counts something: no answer. Nor is part of a longer one.
    r"#?(?P<bare>\d{1,2}(?=\W|$)(?![)）、]|[.:]\d|,\d{3})|[b-h](?=\W|$)|a(?=\s*(?:[^\w\s]|$))|"
    # Scripts without spaces put nothing between a letter and the next word.
    r"[a-h](?=[和与跟吧と랑])|[a-h](?= (?:is|it is|sounds|looks|works|seems|please)\b))(?![.):]?[a-z0-9_])",
    re.IGNORECASE,
)
# "第2步" is a step, not the second of what was offered.
_STEP_RE: Final = re.compile(r"\s*[步章节条点阶天周期轮段部版批次]")
_MORE_RE: Final = re.compile(
    r"(?:\s*(?:,|&|\+|and|then|und|dann|y|et|puis|luego|и|потом|和|、)){1,3}\s*(\d{1,2}|[a-h])(?=[^a-z0-9_]|$)",
    re.IGNORECASE,
)
# "First we need …" and "the first paragraph" name a place or a time; "the first", "the first one" an option.
_ORDINAL_RE: Final = re.compile(
    r"\bthe (first|second|third|fourth)(?=(?: (?:one|option|approach|choice|idea|way|variant|alternative|"
    r"suggestion|solution))\b|\s*(?:[^\w\s]|$))|第([一二三四])(?:[个個種种项]|方案|选项|(?=\W|$))",
    re.IGNORECASE,
)
# The same, of an answer that says little else; the last by LAST.
LAST: Final = "last"
MIDDLE: Final = "middle"
_NUMBER: Final = "(?:number|option|nummer|numéro|número|numero)"
_FIRST: Final = (
    rf"the former|(?:the )?first (?:one|option|way)|{_NUMBER} (?:one|eins|une?|uno|uma?)|"
    r"(?:das|die|der|den) erste[nrs]?|erstere[nrs]?|le premier|la première|(?:el|la|lo) primer[oa]|[oa] primeir[oa]|"
    r"il primo|la prima|(?:de|het) eerste|pierwsz[yaeą]|ilki(?:ni)?|birincisi(?:ni)?|перв(?:ый|ое|ая|ую)"
)
_SECOND: Final = (
    rf"(?:the )?second (?:one|option|way)|{_NUMBER} (?:two|zwei|deux|dos|dois|duas|due)|"
    r"(?:das|die|der|den) zweite[nrs]?|zweitere[nrs]?|(?:le|la) (?:deuxième|seconde?)|(?:el|la|lo|o|a) segund[oa]|"
    r"(?:il|la) second[oa]|(?:de|het) tweede|drug(?:i|a|ą|ie)|ikincisi(?:ni)?|втор(?:ой|ое|ая|ую)"
)
_THIRD: Final = (
    rf"(?:the )?third (?:one|option|way)|{_NUMBER} (?:three|drei|trois|tres|três|tre)|"
    r"(?:das|die|der|den) dritte[nrs]?|(?:le|la) troisième|(?:el|la) tercer[oa]|[oa] terceir[oa]|il terzo|la terza|"
    r"(?:de|het) derde|trzeci(?:a|ą|e)?|üçüncüsü(?:nü)?|трет(?:ий|ье|ья|ью)"
)
_LAST: Final = (
    r"the (?:latter|last)(?: (?:one|option))?|last (?:one|option)|(?:de|het) laatste|ostatni(?:a|ą|e)?|"
    r"sonuncusu(?:nu)?|(?:das|die|der|den) letzte[nrs]?|letztere[nrs]?|ce dernier|"
    r"cette dernière|le dernier|la dernière|(?:el|la|lo|o|a) últim[oa]|l'ultim[oa]|последн(?:ий|ее|яя|юю)"
)
_MIDDLE: Final = (
    r"the (?:middle|one in the middle)(?: (?:one|option|way))?|(?:das|die|der|den) mittlere[nrs]?|celui du milieu|"
    r"celle du milieu|(?:el|la|lo) del? medio|[oa] do meio|quell[oa] di mezzo|средн(?:ий|ее|яя|юю)|de middelste|"
    r"środkow[ya]|ortadaki"
)
_PLACES: Final = tuple(
    (re.compile(rf"(?<!\w)(?:{spaced})(?!\w)|{unspaced}", re.IGNORECASE), label)
    for label, spaced, unspaced in (
        ("1", _FIRST, "前者|[1１一]番目?|[1１一]つ目|最初の|첫 ?번째|1번|전자"),
        ("2", _SECOND, "[2２二]番目?|[2２二]つ目|두 ?번째|2번"),
        ("3", _THIRD, "[3３三]番目?|[3３三]つ目|세 ?번째|3번"),
        (LAST, _LAST, "最后(?:一|那)|后者|後者|最後の|후자|마지막"),
        (MIDDLE, _MIDDLE, "中间(?:那|的)|真ん中|가운데"),
    )
)
# A place that is all an answer says needs no article.
_ALONE: Final = {
    **dict.fromkeys(
        "first erste erster ersten erstes premier première primero primera primeiro primeira primo prima "
        "eerste".split(),
        "1",
    ),
    **dict.fromkeys(
        "second zweite zweiter zweiten zweites deuxième second seconde segundo segunda secondo seconda tweede".split(),
        "2",
    ),
    **dict.fromkeys(
        "third dritte dritter dritten drittes troisième tercero tercera terceiro terceira terzo terza derde".split(),
        "3",
    ),
    **dict.fromkeys(
        "fourth vierte vierter vierten viertes quatrième cuarto cuarta quarto quarta vierde "
        "четвёртый четвёртая четвёртую czwarty czwarta czwartą dördüncüsü".split(),
        "4",
    ),
    **dict.fromkeys(
        "last letzte letzter letzten letztes dernier dernière último última ultimo ultima laatste".split(), LAST
    ),
}
_BESIDE_PLACE: Final = _NOD_STARTS | frozenset(
    "the der die das den le la el lo il o a de het pls plz bitte then dann one".split()
)
_NOD_CHARS: Final = 30
_PLACE_WORDS: Final = 5
_PLACE_CHARS: Final = 24
_PAUSE_RE: Final = re.compile(rf"[,，.。;；!！—–]|\s-\s|{said('because')}", re.IGNORECASE)
_WORD_RE: Final = re.compile(r"\W*([^\W\d_][\w'-]*)[\s,.!:;—–-]+")
# Before what is preferred.
_RATHER: Final = frozenset(
    "lieber dann nimm nehmen wir plutôt mejor melhor meglio лучше тогда rather then with".split()
)
# What follows these is how many there are.
_COUNTED: Final = frozenset("all both".split())
# Words of a choice behind a yes.
_FEW_WORDS: Final = 5
# Letters and digits as wide as those of the script around them.
_NARROW: Final = {
    wide: wide - 0xFEE0 for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
}
_ASKS_RE: Final = re.compile(r"[?？][\"'”’)*_\s]*$")


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
    # It ends in a question mark: whatever it begins with, nothing is accepted yet.
    asks: bool = False


# Whoever reads a message asks several times how it begins.
@lru_cache(maxsize=64)
def answer_in(text: str) -> Answer:
    """Read the first sentence of a message as an answer."""
    words = plain(text.translate(_NARROW)).strip()
    tokens = spoken_words_in(words[:200])
    if not tokens:
        return Answer()
    nods = tokens[0] in _NOD_STARTS or bool(_NODS_UNSPACED.match(words))
    refuses = tokens[0] in _REFUSALS or bool(_REFUSALS_UNSPACED.match(words))
    picks = _picks(words) or _picks(_behind_nods(words))
    filler = sum(token in NODS or token.isdigit() or len(token) == 1 for token in tokens)
    is_bare = (len(tokens) <= 8 and filler == len(tokens)) or len(words) <= 4
    is_bare = is_bare or _ONLY_NODS_UNSPACED.fullmatch(words[:_NOD_CHARS]) is not None
    is_firm = nods and (tokens[0] in _FIRM_NODS or bool(_FIRM_UNSPACED.match(words)))
    return Answer(nods, refuses, picks, is_bare and (nods or bool(picks)), is_firm, bool(_ASKS_RE.search(text)))


def _behind_nods(words: str) -> str:
    """What follows a yes, where it is short enough to be a choice: of "yes, go with B" the second half."""
    rest = words
    for _ in range(3):
        lead = _WORD_RE.match(rest)
        if lead is None or lead[1] in _COUNTED or (lead[1] not in NODS and lead[1] not in _RATHER):
            break
        rest = rest[lead.end() :]
    return rest if rest != words and len(spoken_words_in(rest)) <= _FEW_WORDS else ""


def _picks(words: str) -> tuple[str, ...]:
    found: list[str] = []
    for match in _PICK_RE.finditer(words[:160]):
        label = match["named"] or match["bare"] or ""
        if _STEP_RE.match(words, match.end()):
            continue
        found.append(CARDINALS.get(label, label).lower())
        more = _MORE_RE.match(words, match.end())
        while more:
            found.append(more[1].lower())
            more = _MORE_RE.match(words, more.end())
    if not found and (ordinal := _ORDINAL_RE.search(words[:80])):
        found.append(CARDINALS.get(ordinal[1] or ordinal[2], ""))
    if not found and (place := _place_in(words)):
        found.append(place)
    return tuple(dict.fromkeys(label for label in found if label))


def _place_in(words: str) -> str:
    """Which one an answer means by its place among those offered: in one of its first two parts, which says no more."""
    for part in _PAUSE_RE.split(words)[:2]:
        if len(spoken_words_in(part)) <= _PLACE_WORDS and (part.isascii() or len(part) <= _PLACE_CHARS):
            for place, label in _PLACES:
                if place.search(part):
                    return label
    said = [word for word in spoken_words_in(words) if word not in _BESIDE_PLACE]
    return _ALONE.get(said[0], "") if len(said) == 1 else ""
