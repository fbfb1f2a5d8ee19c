"""What was asked first and what it is about now, each on a line of its own.

Owns: the words beside "push it" that say what is pushed. A request that names nothing is told with the one that does:
the one before it at the end of a conversation, the one behind it at the beginning. Both stand in the log word for word.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise, takewhile
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.log import Place
from recapd.core.state import Memory, Request, Turn, current_focus
from recapd.core.text import ELLIPSIS, Terms, closing_of, is_substantive, presentable, terms_of
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import is_answered, words_of_turn
from recapd.core.views.recap.summarized import requested_before
from recapd.core.views.recap.view import Cited, Item, Section, worded
from recapd.core.views.recap.words import plain_line, request_line

# A request of fewer terms says nothing to somebody who does not remember what was before it. Where room is short, even
# two may do.
TERSE_TERMS: Final = 2
NAMING_TERMS: Final = 3
# More than that says itself what it is about, whatever was left behind.
_ASIDE_TERMS: Final = 4
# Statements that an answer is known by, and how much of a request they tell where something was done for it.
_TOLD_STATEMENTS: Final = 3
_TOLD_SHARE: Final = 0.3
_LISTED_SHARE: Final = 0.5
_STEM_CHARS: Final = 5
# What was asked further away may be about something else.
_NEAR_TURNS: Final = 4
_ENDS: Final = (".", "!", "?", "…", "。", "！", "？")
# Of the room of a line, what the words that name the matter get.
_NAMING_SHARE: Final = 0.65
# What is asked may take so much more than its room, if it is whole then.
_LONGER: Final = 1.4
# So much of a request is the same where one word of it was wrong; less than so many may be the same by chance.
_MENDED_SHARE: Final = 0.8
_MENDED_CHARS: Final = 16
# So much of an answer nobody types again.
_PASTED_CHARS: Final = 100
# More than that is no nod; where the offer is looked for that it accepts.
_NOD_CHARS: Final = 40
_CLOSING_CHARS: Final = 1_500
_LEAST_OFFERED: Final = 3
# How an agent offers something, before what it offers. Words of English: elsewhere the offer is told whole.
_OFFER_RE: Final = re.compile(
    r"\A(?:(?:do you|would you) (?:want|like)|want|shall|should|may|can|let me know if you(?:['’]d)? (?:want|like)|"
    r"if you(?:['’]d)? (?:want|like|prefer),?) *(?:me to|i(?:['’]ll| can| could| will)?|we)(?: also)? ",
    re.IGNORECASE,
)

# Of a request that was answered nobody speaks any more.
LAST_ASKED: Final = "Last asked"
NOTHING_YET: Final = "nothing yet"
STILL_THE_FIRST: Final = "still the first request"


def asked_in_full(recap: Recap) -> str:
    """The first request as the log has it, paragraphs and all; the recap's own is one line."""
    original = recap.session.main.transcript.original
    return original.text if original is not None else ""


class Asked(Struct, frozen=True):
    """What was asked, on one line, the requests that say so, and what of the agent's they answer."""

    line: str
    requests: tuple[Request, ...] = ()
    answered: tuple[Place, ...] = ()


def first_asked(recap: Recap, columns: int, least: int = NAMING_TERMS) -> Asked:
    """The first request; where it names nothing, with the first after it that does."""
    original = _first_request(recap)
    if original is None:
        return Asked("")
    later = (turn for turn in recap.turns if turn.request.place.offset > original.place.offset)
    memory = recap.session.memory
    if (asked_before := requested_before(recap)) is not None and not _names(original, least, memory):
        request, summary = asked_before
        line = f"{plain_line(request, round(columns * _NAMING_SHARE))} Then: {_told(original, columns // 3, memory)}"
        return Asked(line, (original,), (summary.place,))
    naming = _naming(original, later, least, memory)
    title = recap.session.main.transcript.title
    if naming is None and title and not _names(original, least, memory):
        # What somebody called the session says what it is about.
        line = f"{plain_line(presentable(title), round(columns * _NAMING_SHARE))} — {_told(original, columns, memory)}"
        return Asked(line, (original,))
    if naming is None:
        return Asked(_told(original, columns, memory), (original,))
    # One word before it is a greeting, unless it is the name of a command.
    if len(original.text.split()) == 1 and original.text.isascii() and original.kind != "command":
        return Asked(_told(naming, columns, memory), (naming,))
    return Asked(_together(original, naming, columns, memory), (original, naming))


def last_asked(recap: Recap, columns: int, least: int = NAMING_TERMS) -> Asked:
    """What was asked last; where it names nothing, with the last before it that does."""
    focus = recap.upcoming or current_focus(recap.session.main.transcript)
    if focus is None:
        return Asked(NOTHING_YET)
    # What is yet to be logged stands nowhere.
    logged = (focus,) if recap.upcoming is None else ()
    if (accepted := _accepted(recap, columns)) is not None:
        return accepted
    if is_still_the_first(recap):
        return Asked(STILL_THE_FIRST, (focus,))
    earlier = (turn for turn in reversed(recap.turns) if not logged or turn.request.place.offset < focus.place.offset)
    memory = recap.session.memory
    is_handed_back = _is_handed_back(focus, recap.turns)
    if (left_behind := _left_behind(recap, focus)) is not None:
        naming: Request | None = left_behind
    elif is_handed_back:
        naming = _first_naming(earlier, memory)
    else:
        naming = _naming(focus, earlier, least, memory)
    if naming is None:
        return Asked(_told(focus, columns, memory), logged)
    is_said = is_substantive(focus.text) and not is_handed_back and not _is_key(focus.text)
    if is_said and naming.place == _first_place(recap):
        # The first request has a line of its own.
        return Asked(_told(focus, columns, memory), logged)
    # A nod says nothing beside what it goes on with.
    is_nod = is_handed_back or not is_substantive(focus.text)
    line = _told(naming, columns, memory) if is_nod else _together(naming, focus, columns, memory)
    # Where the conversation turned to something else, with the turn in which it did.
    is_moved = recap.original is not None and naming.place != recap.original.place and naming.turn
    return Asked(f"since turn {naming.turn}: {line}" if is_moved else line, (naming, *logged))


def _left_behind(recap: Recap, focus: Request) -> Request | None:
    """What nobody has answered yet either, and what was said last only goes on with: a few words that came while the
    agent was at work on it, or before it was. Of several the one that names most."""
    memory = recap.session.memory
    if focus.kind != "command" and len(_terms(focus, memory)) > _ASIDE_TERMS:
        return None
    at = bisect_left(recap.turns, focus.place.offset, key=lambda turn: turn.request.place.offset)
    before, behind = recap.turns[max(at - _NEAR_TURNS, 0) : at], recap.turns[at:]
    unanswered = takewhile(lambda turn: _is_waiting(recap, turn), reversed(before))
    # The first request has a line of its own.
    waiting = [turn for turn in unanswered if turn.request.place != _first_place(recap)]
    # An answer to the few words alone answers both.
    if not waiting or not all(_is_waiting(recap, turn) for turn in behind[1:]):
        return None
    # What the agent has begun to tell about is passed over once it was silent about something else.
    silent = [turn for turn in waiting if not turn.telling]
    for turns in (silent, waiting):
        requests = [turn.request for turn in turns if len(_terms(turn.request, memory)) > TERSE_TERMS]
        named = [request for request in requests if _names(request, TERSE_TERMS, memory)]
        if named:
            return max(named, key=lambda request: len(_terms(request, memory)))
    return None


def _first_request(recap: Recap) -> Request | None:
    """What was asked first; where that was stopped and sent again with a few words mended, as it was mended."""
    first = recap.session.main.transcript.original
    if first is None:
        return None
    at = bisect_left(recap.turns, first.place.offset, key=lambda turn: turn.request.place.offset)
    for turn, then in pairwise(recap.turns[at : at + _NEAR_TURNS]):
        if turn.replied is not None or turn.edits or not _is_mended(turn.request.text, then.request.text):
            break
        first = then.request
    return first


def _is_mended(text: str, again: str) -> bool:
    """Whether somebody sent the same again with one place of it changed, or with more behind it."""
    text, again = text.strip(), again.strip()
    if len(text) < _MENDED_CHARS:
        return False
    same = _same_chars(text, again)
    behind = _same_chars(text[same:][::-1], again[same:][::-1])
    return same == len(text) or same + behind >= max(len(text), len(again)) * _MENDED_SHARE


def _same_chars(text: str, other: str) -> int:
    """How many characters the two begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False)))


def _is_waiting(recap: Recap, turn: Turn) -> bool:
    return turn.replied is None or not is_answered(recap, turn)


def _first_place(recap: Recap) -> Place | None:
    first = _first_request(recap)
    return first.place if first is not None else None


def is_told_by_outcome(recap: Recap, *, is_asking: bool) -> bool:
    """Whether what was asked last is told by what came of it: the answer says something by itself, and the request is
    of a few words and nothing is asked back, or work was done for it and the answer speaks of the same. Of a question
    the answer says less without it."""
    if recap.upcoming is not None or not recap.turns:
        return False
    last, memory = recap.turns[-1], recap.session.memory
    words = words_of_turn(last, memory)
    told = " ".join(phrase.text for phrase, _, _ in words.flow[:_TOLD_STATEMENTS]) if words.told else ""
    if len(terms_of(told)) < NAMING_TERMS or not is_answered(recap, last):
        return False
    asked = stems_of(last.request.text)
    is_worked = last.edits > 0 or any(milestone.turn == last.number for milestone in recap.progress.milestones)
    if len(asked) < NAMING_TERMS and (is_worked or not is_asking):
        return True
    # A sentence at the beginning is about the request; a list, or what comes later, may be about a part of it.
    least = min(len(asked) * _TOLD_SHARE, TERSE_TERMS) if words.lead else len(asked) * _LISTED_SHARE
    return is_worked and len(asked & stems_of(told)) >= least


def is_of_use(asked: Asked) -> bool:
    """Whether a request that is over says what it was about."""
    return bool(asked.answered) or len(terms_of(asked.line)) >= TERSE_TERMS


def stems_of(text: str) -> set[str]:
    """The terms of a text, each with no more of it than its other forms have too; of a path its last step."""
    return {term.rstrip("/").rpartition("/")[2][:_STEM_CHARS] for term in terms_of(text)}


def is_still_the_first(recap: Recap) -> bool:
    if recap.upcoming is not None:
        return False
    focus = current_focus(recap.session.main.transcript)
    is_same = focus is not None and focus.place == _first_place(recap)
    return is_same and _accepted(recap, _NOD_CHARS) is None


def _accepted(recap: Recap, columns: int) -> Asked | None:
    """A nod or a pick at the end, told as what it accepted: "yes → add the nightly job", "2 → Drop the cache"."""
    asked = [turn.request for turn in recap.turns[-1:]] if recap.upcoming is None else [recap.upcoming]
    answered = recap.turns[: -1 if recap.upcoming is None else None][-1:]
    if not asked or not answered:
        return None
    (nod,), (before,) = asked, answered
    said = nod.text.strip()
    if before.replied is None or not said or len(said) > _NOD_CHARS or is_substantive(said):
        return None
    closing = closing_of(presentable(before.telling[-_CLOSING_CHARS:]))
    if closing is None:
        return None
    number = _pick(said)
    is_picked = 0 < number <= len(closing.options)
    offered = closing.options[number - 1] if is_picked else _OFFER_RE.sub("", closing.text).rstrip("?？ ")
    # "yes → Go ahead" says what was accepted as little as the yes does.
    if offered.isascii() and len(offered.split()) < _LEAST_OFFERED:
        return None
    line = plain_line(f"{presentable(said)} → {offered}", columns)
    return Asked(line, (nod,) if recap.upcoming is None else (), (before.replied,))


def _pick(said: str) -> int:
    """The number of the option that is named by its number or letter; 0 where none is."""
    name = said.strip(" .)(").lower()
    if name.isdecimal() and len(name) == 1:
        return int(name)
    return ord(name) - ord("a") + 1 if len(name) == 1 and "a" <= name <= "h" else 0


def asked_section(recap: Recap, title: str, asked: Asked) -> Section:
    """How it began."""
    return Section("request", title, (_item(recap, asked, asked.requests[:1]),))


def focus_section(recap: Recap, title: str, asked: Asked) -> Section:
    """What it is about now."""
    return Section("focus", title, (_item(recap, asked, asked.requests[-1:]),))


def _item(recap: Recap, asked: Asked, meant: Sequence[Request]) -> Item:
    """The line, by the one request that is meant; the other only says what that is about."""
    turn, at = next(((request.turn, request.at) for request in meant), (0, ""))
    return Item(
        key=f"request {turn} {at}",
        wording=worded(asked.line),
        turn=turn,
        at=at,
        cited=tuple(
            Cited(recap.session.main, place)
            for place in (*(request.place for request in asked.requests), *asked.answered)
        ),
    )


def line_of(request: Request, columns: int, memory: Memory) -> str:
    """What a request asks, on one line: a page tries several widths, and the next page tells mostly the same."""
    return memory.recall(request_line, request.text, (request.turn, request.at, columns), columns)


def _told(request: Request, columns: int, memory: Memory) -> str:
    """The same, with a little more room where it is whole then."""
    line = line_of(request, columns, memory)
    if not line.endswith(ELLIPSIS):
        return line
    longer = line_of(request, round(columns * _LONGER), memory)
    return longer if not longer.endswith(ELLIPSIS) else line


def names_matter(text: str, terms: Terms, least: int = NAMING_TERMS) -> bool:
    """Whether a request says what it is about; an id or a key by itself does not."""
    return not _is_key(text) and len(terms) >= least


def _is_key(text: str) -> bool:
    return text.isascii() and len(text.split()) < 2


def _names(request: Request, least: int, memory: Memory) -> bool:
    return names_matter(request.text, _terms(request, memory), least)


def _terms(request: Request, memory: Memory) -> Terms:
    return memory.recall(terms_of, request.text, (request.turn, request.at))


def _naming(request: Request, neighbours: Iterable[Turn], least: int, memory: Memory) -> Request | None:
    if _names(request, least, memory):
        return None
    return _first_naming(neighbours, memory)


def _first_naming(neighbours: Iterable[Turn], memory: Memory) -> Request | None:
    near = ((turn.request, words_of_turn(turn, memory).asked_terms) for turn in islice(neighbours, _NEAR_TURNS))
    return next((asked for asked, terms in near if names_matter(asked.text, terms)), None)


def _is_handed_back(request: Request, turns: Sequence[Turn]) -> bool:
    """Whether what was typed is the agent's own answer, pasted."""
    text = " ".join(request.text[: _PASTED_CHARS * 2].split())[:_PASTED_CHARS]
    before = [turn for turn in turns[-2:] if turn.request.place.offset < request.place.offset]
    return len(text) == _PASTED_CHARS and any(text in " ".join(turn.telling.split()) for turn in before)


def is_nod_at_the_end(recap: Recap) -> bool:
    """Whether what was asked last is a yes, a letter or the like, by which a question of the agent's was answered: what
    was asked before that is not what it is about."""
    said = recap.turns[-1].request.text if recap.turns else ""
    if recap.upcoming is not None or len(recap.turns) < 2 or is_substantive(said):
        return False
    return _pick(said) > 0 or closing_of(presentable(recap.turns[-2].telling[-_CLOSING_CHARS:])) is not None


def _together(first: Request, then: Request, columns: int, memory: Memory) -> str:
    shorter = min(first.text, then.text, key=len)
    room = max(columns - len(shorter) - 8, round(columns * _NAMING_SHARE))
    told = _told(first, room, memory)
    return f"{told}{' Then: ' if told.endswith(_ENDS) else ', then: '}{_told(then, room, memory)}"
