"""The sentences of a human's message that may settle something: the human's own words, without what they take back,
tell of elsewhere or quote, and each clause that settles something of its own by itself.

Owns how a message is cut for that. Must not know what an agent said, nor scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from msgspec import structs

from recapd.core import late_re as re
from recapd.core.decisions.find.assent import answer_in
from recapd.core.decisions.find.candidate import says_something
from recapd.core.decisions.find.hearsay import (
    doubts,
    goes_on_about_past,
    hears_say,
    is_elsewhere,
    is_here,
    quoted_spans,
    tells_of_people,
    was_once,
)
from recapd.core.decisions.find.pastes import own_units
from recapd.core.decisions.find.plain import (
    form_of,
    hands_over_secret,
    is_unmet,
    sets_something,
    stays_so,
    tells_past,
)
from recapd.core.decisions.find.proposals import TEXT_CHARS
from recapd.core.decisions.find.units import Unit
from recapd.core.decisions.find.wording import corrects_itself, settled_from
from recapd.core.decisions.words import led, said, spelled
from recapd.core.text import UNSPACED_RE

# Characters of a message that says one thing: a doubt in it is about all of it.
_BRIEF: Final = 320
_NOT_RE: Final = re.compile(rf"{said('not')}\s", re.IGNORECASE)
# So a sentence begins that goes on about what was just named.
_IT_RE: Final = re.compile(r"(?:it|they|es|sie|er|il|elle|het|ze|to|это|он|она)\s", re.IGNORECASE)
_ANNOUNCES_RE: Final = re.compile("|".join(spelled("announces")), re.IGNORECASE)
_ANNOUNCED: Final = 80
# What follows it says what it is.
_CONTENT_RE: Final = re.compile(
    r"\s(?:to|on|that|against|for|with|für|gegen|dass|zu|que|de|pour|por|usar|di|che|per|om|voor|dat|że|na|чтобы|что)\s|[,:：，—]",
    re.IGNORECASE,
)
# Where a sentence goes on to something else, and letters of what stands alone on either side.
_CLAUSE_RE: Final = re.compile(rf"[,;，；]\s*(?:(?:{spelled('and', 'so')[0]}) )?|\s(?:{spelled('and')[0]})\s+")
# So ends what somebody asks to be confirmed, all of it: "we never throw there, right?"
_TAG_RE: Final = re.compile(r"[,，、] ?\w{1,8}(?: \w{1,8})? ?[?？]\W*$")
# What has no full stop for so long is no sentence, and each of its joints would be read against all the rest.
_ONE_SENTENCE: Final = 400
# What has more is a list of things.
_MOST_JOINTS: Final = 10
_CLAUSE_LETTERS: Final = 20
# Who speaks for himself, where words are not apart.
_OWN_RE: Final = re.compile("(?:所以|那)?(?:我|咱)|(?:私|僕|うち)|(?:저|우리)")
_CLAUSE_LETTERS_UNSPACED: Final = 6
# What somebody says, thinks or wants.
_HANGS_ON_RE: Final = re.compile(r"(?:that|dass|que|qu'|che|dat|że|что)(?!\w)", re.IGNORECASE)
# What follows from what stands before it, and where a reason begins.
SO_RE: Final = re.compile(rf"{said('so')}\s*$", re.IGNORECASE)
REASON_RE: Final = re.compile(rf"[,，、;；:：(（]|\s[-–—]\s|{said('because')}", re.IGNORECASE)


def own_sentences(text: str) -> tuple[list[Unit], float]:
    """And the share of the message that is the human's own."""
    units, share = own_units(text)
    units = [unit for unit in _not_taken_back(units) if not hands_over_secret(unit.text)]
    quoted = quoted_spans(text)
    units = [own for unit in units if (own := _without_opened(unit, quoted)) is not None]
    return [clause for unit in _with_opposites(_of_here(units)) for clause in _clauses(unit)], share


def _not_taken_back(units: list[Unit]) -> list[Unit]:
    """Without what the very next words take back: "use A. no wait, B"."""
    return [
        _settled(unit)
        for unit, following in zip_longest(units, units[1:])
        if following is None or following.line > unit.line + 1 or not corrects_itself(following.text)
    ]


def _of_here(units: list[Unit]) -> list[Unit]:
    """Without what goes on to tell how it was elsewhere or long ago; nothing, where the last words are a doubt."""
    is_brief = sum(len(unit.text) for unit in units) <= _BRIEF
    if is_brief and any(doubts(unit.text) for unit in units) and not any(form_of(unit.text).decides for unit in units):
        return []
    found: list[Unit] = []
    is_told = was_once_before = False
    for unit in units:
        is_told = is_elsewhere(unit.text) or (is_told and not is_here(unit.text))
        goes_on = (
            was_once_before and (goes_on_about_past(unit.text) or tells_past(unit.text)) and not is_here(unit.text)
        )
        was_once_before = goes_on or (was_once(unit.text) and not is_here(unit.text))
        found += [unit] if not (is_told or goes_on) else []
    return found


def _without_opened(unit: Unit, quoted: Sequence[tuple[int, int]]) -> Unit | None:
    """A sentence up to where a quotation of several begins; None where it is part of one."""
    end = unit.start + len(unit.text)
    for begin, closing in quoted:
        if begin <= unit.start < closing:
            return None
        if unit.start < begin < end < closing:
            return structs.replace(unit, text=unit.text[: begin - unit.start].rstrip())
    return unit


def _with_opposites(units: list[Unit]) -> list[Unit]:
    """Two sentences as one where neither says it alone: what is named in a word or two, and what it is not or how it
    is ("tabs. not spaces"); that something is settled, and what it is."""
    joined: list[Unit] = []
    for unit in units:
        before = joined[-1] if joined else None
        if before is not None and before.line == unit.line and _belongs_to(before.text, unit.text):
            joined[-1] = structs.replace(before, text=f"{before.text} {unit.text}")
        else:
            joined.append(unit)
    return joined


def _belongs_to(before: str, text: str) -> bool:
    if announces(before):
        form = form_of(text)
        return len(before) + len(text) < TEXT_CHARS and not (form.is_open or form.reports or tells_past(text))
    return not says_something(before) and bool(_NOT_RE.match(text) or _IT_RE.match(text)) and not form_of(text).is_open


def announces(text: str) -> bool:
    """Whether it says that something is settled, and not what."""
    found = led(_ANNOUNCES_RE, text)
    return found is not None and len(text) <= _ANNOUNCED and _CONTENT_RE.search(text, found.end()) is None


def _settled(unit: Unit) -> Unit:
    begin = settled_from(unit.text)
    if not begin or not says_something(unit.text[begin:]):
        return unit
    return structs.replace(unit, text=unit.text[begin:], start=unit.start + begin)


def _clauses(unit: Unit) -> list[Unit]:
    """A sentence in which somebody settles one thing and goes on to another, or to a question, as several."""
    if len(unit.text) > _ONE_SENTENCE or is_unmet(unit.text) or _TAG_RE.search(unit.text):
        return [unit]
    if was_once(unit.text) or hears_say(unit.text) or stays_so(unit.text):
        return [unit]
    cuts = list(_CLAUSE_RE.finditer(unit.text))
    if len(cuts) > _MOST_JOINTS:
        return [unit]
    begin = 0
    found: list[Unit] = []
    for cut in cuts:
        left, right = unit.text[begin : cut.start()], unit.text[cut.end() :]
        is_quoted = unit.text.count('"', 0, cut.start()) % 2 == 1
        if is_quoted or not (_is_clause(left) and _is_clause(right)):
            continue
        one, other = form_of(left), form_of(right)
        # Two orders in a row may be one thing and its opposite: "use A, don't touch B".
        is_new = other.decides or other.wishes or other.reports or answer_in(right).asks
        is_told = one.reports or tells_past(left)
        # What follows on somebody's words goes on with them, unless it is somebody's own.
        is_own = _OWN_RE.match(right) or SO_RE.search(cut[0]) or _has_spaces(right)
        if tells_of_people(left) and (not is_own or _HANGS_ON_RE.match(right)):
            continue
        # Who tells first what he did settles it behind that: "I read all of it, and we go with A".
        is_settled = other.is_settled and not one.is_open
        if (one.says_how and is_new) or is_settled or (is_told and (other.says_how or _follows_from(cut[0], right))):
            found.append(structs.replace(unit, text=left, start=unit.start + begin, opens=False))
            begin = cut.end()
    return [*found, structs.replace(unit, text=unit.text[begin:], start=unit.start + begin)]


def _has_spaces(text: str) -> bool:
    return UNSPACED_RE.search(text) is None


def _follows_from(joint: str, clause: str) -> bool:
    """Whether a clause is what somebody concludes, and sets something."""
    first = REASON_RE.split(clause, maxsplit=1)[0]
    form = form_of(first)
    return SO_RE.search(joint) is not None and not (form.is_open or form.reports) and sets_something(first)


def _is_clause(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters >= _CLAUSE_LETTERS or (letters >= _CLAUSE_LETTERS_UNSPACED and UNSPACED_RE.search(text) is not None)


def told_whole(text: str) -> str:
    """A long sentence up to where its last whole clause that fits ends."""
    if len(text) <= TEXT_CHARS:
        return text
    ends = [cut.start() for cut in _CLAUSE_RE.finditer(text[:TEXT_CHARS]) if _is_clause(text[: cut.start()])]
    return text[: ends[-1]] if ends and ends[-1] >= TEXT_CHARS // 3 else text
