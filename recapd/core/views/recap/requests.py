"""What was asked first and what it is about now, each on a line of its own.

Owns: the words beside "push it" that say what is pushed. A request that names nothing is told with the one that does:
the one before it at the end of a conversation, the one behind it at the beginning. Both stand in the log word for word.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise, takewhile
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.log import Place
from recapd.core.state import Memory, Request, Turn, current_focus
from recapd.core.text import (
    ELLIPSIS,
    Terms,
    blocks_in,
    closing_of,
    is_substantive,
    lines_in,
    names_in,
    presentable,
    sentences_of,
    stands_alone,
    terms_of,
    words_of_sentence,
)
from recapd.core.views.recap.clauses import chars_within, up_to_a_pause, without_asides
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import is_answered, words_of_turn
from recapd.core.views.recap.summarized import requested_before, requested_in_time
from recapd.core.views.recap.view import Cited, Item, Section, worded
from recapd.core.views.recap.words import HANGING_RE, plain_line, request_line, shortened

# A request of fewer terms says nothing to somebody who does not remember what was before it. Where room is short, even
# two may do.
TERSE_TERMS: Final = 2
NAMING_TERMS: Final = 3
# Who says more than that says what it is about, whatever was left behind or comes next.
_ASIDE_BREADTH: Final = 4
# What only opened a talk is told with what names so many times as much.
_BROADER: Final = 2
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
# More than that of two requests is not read as one.
_OPENED_CHARS: Final = 220
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
# More than that says itself what it is about.
_REPLY_CHARS: Final = 60
_ASKING: Final = ("?", "？")
# An answer of fewer, for which nothing was done, says no more than the question that it ends with.
_ASKING_BACK_CHARS: Final = 120
_COMMAND_RE: Final = re.compile(r"/[\w:.-]+(?=\s|\Z)")
# An address that ends with a number.
_NUMBER_RE: Final = re.compile(r"\Ahttps?://\S+/(\d{1,7})/?\Z")
# A paper begins with its title.
_PAPER_RE: Final = re.compile(r"\s*#{1,3} \S[^\n]*\n")
# An option called one, among a few words: "let's try option 2".
_PICKED_RE: Final = re.compile(r"(?:\b(?:option|variante?|вариант)|方案|选项) *#?([1-9A-Ha-h])(?!\w)", re.IGNORECASE)
# Who says so or asks about an option has not picked it.
_REFUSING_RE: Final = re.compile(
    r"\b(?:no|not|never|without|nein|nicht|kein\w{0,2}|non|pas|nada|não|niet|geen|nie|нет|не)\b|n['’]t\b|不|别|沒|没",
    re.IGNORECASE,
)
# A version or a year has fewer.
_ID_DIGITS: Final = 6
# What is no id though it has numbers in it: a file, an address.
_NAME_RE: Final = re.compile(r"/|\.[a-z]{1,5}\Z|[^\W\d_]{7}")
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
    is_named = _names_alone(original, least, memory)
    if not is_named and (asked_before := requested_before(recap, original.place)) is not None:
        request, summary = asked_before
        line = f"{plain_line(request, round(columns * _NAMING_SHARE))} Then: {_told(original, columns // 3, memory)}"
        return Asked(line, (original,), (summary.place,))
    if not is_named and (restated := requested_in_time(recap, original.place)) is not None:
        # What the agent wrote down of it before it forgot says what it was about; often it names the command, too.
        request, summary = restated
        told = _told(original, columns // 3, memory)
        is_said = original.text.strip().removeprefix("/") in request
        line = shortened(request if is_said else f"{told} — {request}")
        return Asked(_in_its_room(line, columns), (original,), (summary.place,))
    if is_named and (opened := _opened(recap, original)) is not None:
        return Asked(_together(*opened, min(columns, _OPENED_CHARS), memory), opened)
    if not is_named and (explained := _explained(recap, original)) is not None:
        said, place = explained
        line = shortened(f"{_told(original, columns, memory)} — {said}")
        return Asked(_in_its_room(line, columns), (original,), (place,))
    is_word = _is_word(original)
    naming = None if is_named else _first_naming(later, memory)
    title = recap.session.main.transcript.title
    if naming is None and title and not is_named:
        # What somebody called the session says what it is about.
        line = f"{plain_line(presentable(title), round(columns * _NAMING_SHARE))} — {_told(original, columns, memory)}"
        return Asked(line, (original,))
    if naming is None:
        # A greeting, a nod or an id says nothing of what it was about.
        turn = _turn_of(recap, original)
        is_idle = turn is not None and not turn.calls
        is_said = is_substantive(original.text) and not _is_id(original.text) and not (is_word and is_idle)
        return Asked(_told(original, columns, memory) if is_said or original.kind == "command" else "", (original,))
    if is_word or (original.kind != "command" and _COMMAND_RE.fullmatch(original.text.strip())):
        # Nothing came of a command that was only typed.
        return Asked(_told(naming, columns, memory), (naming,))
    return Asked(_together(original, naming, columns, memory), (original, naming))


def last_asked(recap: Recap, columns: int, least: int = NAMING_TERMS) -> Asked:
    """What was asked last; where it names nothing, with the last before it that does."""
    focus = recap.upcoming or current_focus(recap.session.main.transcript)
    if focus is None:
        return Asked(NOTHING_YET)
    # What is yet to be logged stands nowhere.
    logged = (focus,) if recap.upcoming is None else ()
    if (accepted := _accepted(recap, columns) or _replied(recap, columns)) is not None:
        return accepted
    if is_still_the_first(recap):
        return Asked(STILL_THE_FIRST, (focus,))
    earlier = (turn for turn in reversed(recap.turns) if not logged or turn.request.place.offset < focus.place.offset)
    memory = recap.session.memory
    is_handed_back = _is_handed_back(focus, recap.turns)
    if (left_behind := _left_behind(recap, focus)) is not None:
        naming: Request | None = left_behind
    elif is_handed_back:
        naming = _first_naming(earlier, memory, least)
    else:
        naming = _naming(focus, earlier, least, memory)
    if naming is None:
        return Asked(_told(focus, columns, memory), logged)
    is_said = is_substantive(focus.text) and not is_handed_back and not _is_id(focus.text)
    if is_said and naming.place == _first_place(recap):
        # The first request has a line of its own.
        return Asked(_told(focus, columns, memory), logged)
    # A nod says nothing beside what it goes on with, nor does a word that is no name.
    is_nod = is_handed_back or not is_substantive(focus.text) or _is_word(focus)
    line = _told(naming, columns, memory) if is_nod else _together(naming, focus, columns, memory)
    # Where the conversation turned to something else, with the turn in which it did.
    is_moved = recap.original is not None and naming.place != recap.original.place and naming.turn
    return Asked(f"since turn {naming.turn}: {line}" if is_moved else line, (naming, *logged))


def _left_behind(recap: Recap, focus: Request) -> Request | None:
    """What nobody has answered yet either, and what was said last only goes on with: a few words that came while the
    agent was at work on it, or before it was. Of several the one that names most."""
    memory = recap.session.memory
    if focus.kind != "command" and _breadth(_terms(focus, memory)) > _ASIDE_BREADTH:
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


def _turn_of(recap: Recap, asked: Request) -> Turn | None:
    at = bisect_left(recap.turns, asked.place.offset, key=lambda turn: turn.request.place.offset)
    return recap.turns[at] if at < len(recap.turns) and recap.turns[at].request.place == asked.place else None


def _first_request(recap: Recap) -> Request | None:
    """What was asked first; where that was stopped and sent again with a few words mended, as it was mended."""
    first = recap.session.main.transcript.original
    return _as_mended(recap, first) if first is not None else None


def _as_mended(recap: Recap, asked: Request) -> Request:
    at = bisect_left(recap.turns, asked.place.offset, key=lambda turn: turn.request.place.offset)
    for turn, then in pairwise(recap.turns[at : at + _NEAR_TURNS]):
        is_open = turn.replied is None or turn.request.kind == "queued"
        if not is_open or turn.edits or not _is_mended(turn.request.text, then.request.text):
            break
        asked = then.request
    return asked


def _in_its_room(line: str, columns: int) -> str:
    if len(line) <= chars_within(line, round(columns * _LONGER)):
        return line
    line = without_asides(line)
    return up_to_a_pause(line, chars_within(line, round(columns * _LONGER)))


def _explained(recap: Recap, first: Request) -> tuple[str, Place] | None:
    """Of an issue or the like that was handed over by its address alone, what the answer says of it by its number."""
    number, turn = _NUMBER_RE.search(first.text.strip()), _turn_of(recap, first)
    if number is None or not _is_key(first.text) or turn is None or turn.replied is None:
        return None
    name = f"#{number[1]}"
    answer = (each for block in blocks_in(presentable(turn.telling)) for each in sentences_of(block.text))
    told = (words_of_sentence(each) for each in answer if name in names_in(each))
    said = next((each for each in told if len(terms_of(each)) > NAMING_TERMS), "")
    return (said, turn.replied) if said else None


def _opened(recap: Recap, first: Request) -> tuple[Request, Request] | None:
    """What was asked first and what it only led to, where it did: the first of the next few requests that names the
    matter. Of a paper that was handed over, its title stands for it."""
    turn = _turn_of(recap, first)
    at = bisect_right(recap.turns, first.place.offset, key=lambda turn: turn.request.place.offset)
    near = recap.turns[at : at + _NEAR_TURNS]
    if turn is None or turn.request.kind == "command" or turn.edits or not near:
        return None
    memory = recap.session.memory
    breadth = _breadth(_terms(first, memory))
    is_idle = not turn.calls and not names_in(first.text)
    is_paper = not turn.calls and _PAPER_RE.match(first.text) is not None
    # Somebody went on before a word was said, or the agent could only ask back.
    is_joined = not turn.telling and near[0].request.kind == "queued"
    is_asked_back = memory.recall(_asks_back, turn, (turn.number, turn.request.at))
    is_left = is_paper or is_joined or is_asked_back or (is_idle and _is_dropped(first, near, memory))
    if not is_left and not (is_idle and breadth <= _ASIDE_BREADTH):
        return None
    least = 0 if is_left else breadth * _BROADER
    named = [turn for turn in near if names_matter(turn.request.text, _terms(turn.request, memory))]
    # What was asked for in as few words was the matter if it was done.
    broad = [(turn, _breadth(_terms(turn.request, memory))) for turn in named]
    led_to = (turn.request for turn, terms in broad if terms > least or (turn.edits and terms >= NAMING_TERMS))
    if (matter := next(led_to, None)) is None:
        return None
    title = first.text.strip().partition("\n")[0]
    return msgspec.structs.replace(first, text=title) if is_paper else first, _as_mended(recap, matter)


def _is_dropped(request: Request, later: Sequence[Turn], memory: Memory) -> bool:
    """Whether nobody came back to what was asked, and something else was worked on."""
    if not any(turn.calls for turn in later):
        return False
    words = [words_of_turn(turn, memory) for turn in later]
    stems = {_stem(term) for each in words for term in (*each.asked_terms, *each.answered_terms)}
    return stems.isdisjoint(stems_of(request.text))


def _asks_back(turn: Turn) -> bool:
    """Whether the answer does little more than ask."""
    said = presentable(turn.telling[-_CLOSING_CHARS:])
    closing = closing_of(said)
    # Options are about the matter.
    if closing is None or closing.options or not closing.text.endswith(_ASKING):
        return False
    return len(closing.text) * 2 > len(said) or (not turn.calls and len(said) < _ASKING_BACK_CHARS)


def _is_mended(text: str, again: str) -> bool:
    """Whether somebody sent the same again with one place of it changed, or with more behind it."""
    text, again = text.strip(), again.strip()
    if len(text) < _MENDED_CHARS:
        return False
    if text[round(len(text) * (1 - _MENDED_SHARE)) :] in again:
        # The beginning was said in other words, and more behind the rest.
        return True
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
    told_terms = memory.recall(terms_of, told, ("told", last.number))
    if len(told_terms) < NAMING_TERMS or not is_answered(recap, last):
        return False
    asked = _stems(words.asked_terms)
    is_worked = last.edits > 0 or any(milestone.turn == last.number for milestone in recap.progress.milestones)
    if len(asked) < NAMING_TERMS and (is_worked or not is_asking):
        return True
    # A sentence at the beginning is about the request; a list, or what comes later, may be about a part of it.
    least = min(len(asked) * _TOLD_SHARE, TERSE_TERMS) if words.lead else len(asked) * _LISTED_SHARE
    return is_worked and len(asked & _stems(told_terms)) >= least


def is_of_use(asked: Asked) -> bool:
    """Whether a request that is over says what it was about; what stands in brackets is said by the way."""
    is_aside = asked.line.startswith(("(", "（")) and asked.line.endswith((")", "）"))
    return bool(asked.answered) or (len(terms_of(asked.line)) >= TERSE_TERMS and not is_aside)


def stems_of(text: str) -> set[str]:
    """The terms of a text, each with no more of it than its other forms have too; of a path its last step."""
    return _stems(terms_of(text))


def _stems(terms: Iterable[str]) -> set[str]:
    return set(map(_stem, terms))


def _stem(term: str) -> str:
    return term.rstrip("/").rpartition("/")[2][:_STEM_CHARS]


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
    number = _pick(said)
    is_said = is_substantive(said)
    if before.replied is None or not said or len(said) > _NOD_CHARS or (is_said and not number):
        return None
    closing = closing_of(presentable(before.telling[-_CLOSING_CHARS:]))
    is_picked = closing is not None and 0 < number <= len(closing.options)
    if closing is None or (is_said and not is_picked):
        return None
    offered = closing.options[number - 1] if is_picked else _OFFER_RE.sub("", closing.text).rstrip("?？ ")
    # "yes → Go ahead" says what was accepted as little as the yes does.
    if offered.isascii() and len(offered.split()) < _LEAST_OFFERED:
        return None
    told = f"{presentable(said)} → {offered}"
    line = plain_line(told, round(columns * _LONGER))
    line = plain_line(told, columns) if line.endswith(ELLIPSIS) else line
    return Asked(line, (nod,) if recap.upcoming is None else (), (before.replied,))


def _replied(recap: Recap, columns: int) -> Asked | None:
    """A few words at the end that say little without the question they reply to, with it: "yes, let's see if that works
    (to "Shall I run it by hand?")". The agent's words stand last and are marked: they are no wish of the user's."""
    asked = recap.turns[-1].request if recap.upcoming is None and len(recap.turns) > 1 else None
    if asked is None or len(asked.text) > _REPLY_CHARS or names_in(asked.text) or not is_substantive(asked.text):
        return None
    if not _is_waiting(recap, recap.turns[-1]):
        # What came of it tells it.
        return None
    before = recap.turns[-2]
    closing = closing_of(presentable(before.telling[-_CLOSING_CHARS:])) if before.replied is not None else None
    if closing is None or not closing.text.endswith(_ASKING) or asked.text.rstrip().endswith(_ASKING):
        return None
    own, put = stems_of(asked.text), stems_of(closing.text)
    is_terse = len(own) < TERSE_TERMS and len(own & put) > len(own) * _TOLD_SHARE
    is_about_it = HANGING_RE.search(asked.text) is not None or is_terse
    line = shortened(f'{presentable(asked.text.strip())} (to "{closing.text}")')
    if not own & put or not is_about_it or len(line) > chars_within(line, round(columns * _LONGER)):
        return None
    return Asked(line, (asked,), (before.replied,) if before.replied is not None else ())


def _pick(said: str) -> int:
    """The number of the option that is named by its number or letter; 0 where none is."""
    is_picking = not said.endswith(_ASKING) and _REFUSING_RE.search(said) is None
    named = _PICKED_RE.search(said) if is_picking else None
    name = (named[1] if named is not None else said.strip(" .)(")).lower()
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


def _is_word(request: Request) -> bool:
    """Whether it is one word that is the name of nothing: a greeting, a laugh."""
    return request.kind != "command" and _is_key(request.text) and not ("/" in request.text or names_in(request.text))


def _is_id(text: str) -> bool:
    """Whether it is one word with more numbers in it than somebody types who means something by it."""
    word = text.strip()
    return _is_key(word) and sum(map(str.isdigit, word)) >= _ID_DIGITS and _NAME_RE.search(word) is None


def _names_alone(request: Request, least: int, memory: Memory) -> bool:
    """Whether it says what it is about; a command by the words that are given to it, not by its own name."""
    command = _COMMAND_RE.match(request.text.strip())
    if command is None:
        return _names(request, least, memory)
    given = terms_of(request.text.strip()[command.end() :])
    return sum(1 for term in given if any(map(str.isalpha, term))) >= least


def _names(request: Request, least: int, memory: Memory) -> bool:
    # "Let's commit and push again!" has many words, and says of none of them which.
    is_alone = request.kind == "command" or stands_alone(request.text)
    return is_alone and names_matter(request.text, _terms(request, memory), least)


def _terms(request: Request, memory: Memory) -> Terms:
    return memory.recall(terms_of, request.text, (request.turn, request.at))


def _breadth(terms: Terms) -> float:
    """How many words' worth they are: where words have no spaces, one makes about two pairs of characters."""
    return sum(1.0 if weight >= 1 else 0.5 for weight in terms.values())


def _naming(request: Request, neighbours: Iterable[Turn], least: int, memory: Memory) -> Request | None:
    if _names(request, least, memory):
        return None
    return _first_naming(neighbours, memory, least)


def _first_naming(neighbours: Iterable[Turn], memory: Memory, least: int = NAMING_TERMS) -> Request | None:
    """The nearest that says what it is about; of the very next fewer terms do."""
    for number, turn in enumerate(islice(neighbours, _NEAR_TURNS)):
        terms = words_of_turn(turn, memory).asked_terms
        if names_matter(turn.request.text, terms, NAMING_TERMS if number else least):
            return turn.request
    return None


def _is_handed_back(request: Request, turns: Sequence[Turn]) -> bool:
    """Whether what was typed is the agent's own answer, pasted, or a line of code in it."""
    text = " ".join(request.text[: _PASTED_CHARS * 2].split())[:_PASTED_CHARS]
    before = [turn for turn in turns[-2:] if turn.request.place.offset < request.place.offset]
    if any(_has_line_of_code(turn.telling, request.text.strip()) for turn in before):
        return True
    return len(text) == _PASTED_CHARS and any(text in " ".join(turn.telling.split()) for turn in before)


def _has_line_of_code(answer: str, typed: str) -> bool:
    if not typed or typed not in answer:
        return False
    return f"`{typed}`" in answer or any(line.is_code and line.text.strip() == typed for line in lines_in(answer))


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
    if told.startswith(ELLIPSIS):
        # What follows says what it came to.
        whole = line_of(first, len(first.text), memory)
        told = up_to_a_pause(whole, chars_within(whole, room))
    return f"{told}{' Then: ' if told.endswith(_ENDS) else ', then: '}{_told(then, room, memory)}"
