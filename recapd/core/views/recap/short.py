"""The short recap: a header and a few lines for a person who comes back.

What was asked, what is settled, what came out lately, what it is about now, what is up to the reader, how it stands.
Whole statements only, and no more of them than are worth it: the page may well be shorter than its budget. What came
out lately takes the room that the other lines leave; the first of it is how the last answer begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from itertools import compress, islice, takewhile
from math import inf, log2
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions import Entry
from recapd.core.hygiene import escape_markdown
from recapd.core.log import Place
from recapd.core.settings import DEFAULTS, RecapSettings
from recapd.core.state import LAST_WORDS_CHARS, FileFact, Passage, Sourced, Step, Turn, is_changed
from recapd.core.text import (
    ELLIPSIS,
    Part,
    Room,
    Statement,
    chosen,
    estimate_tokens,
    is_about_it,
    names_in,
    narrates,
    reads_without_list,
    terms_of,
)
from recapd.core.views.recap.canary import false_claims
from recapd.core.views.recap.decisions import (
    decision_item,
    is_told_whole,
    lasting_choices,
    proved,
    ranked,
    says_what_was_decided,
)
from recapd.core.views.recap.items import cited, commit_item, file_item, result_item, said_item, step_item
from recapd.core.views.recap.next import next_section
from recapd.core.views.recap.page import Block, Page, head_of, room_below, write
from recapd.core.views.recap.phrases import Phrase, is_cut
from recapd.core.views.recap.produced import (
    failed_end,
    goes_without_saying,
    is_over,
    state_item,
    state_section,
    tests_item,
    where_it_is,
)
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import (
    LAST_ASKED,
    NOTHING_YET,
    TERSE_TERMS,
    Asked,
    asked_in_full,
    asked_section,
    first_asked,
    focus_section,
    is_nod_at_the_end,
    is_of_use,
    is_still_the_first,
    is_told_by_outcome,
    last_asked,
    line_of,
    stems_of,
)
from recapd.core.views.recap.results import Result, TurnWords, is_answered, phrase_of, words_of_turn
from recapd.core.views.recap.summarized import away_recap, away_words
from recapd.core.views.recap.telling import Telling, telling_of
from recapd.core.views.recap.view import Item, Section, Wording, in_a_line, joined, worded
from recapd.core.views.recap.words import brief, is_of_a_harness, lasting, result_line, short_names

# The lines before what is settled and what came out, and those after.
Frame: TypeAlias = tuple[list[Block], list[Block]]
_Items: TypeAlias = tuple[Item, ...]

_ASKED_FIRST_CHARS: Final = 110
_ASKED_LAST_CHARS: Final = 100
_LINE_CHARS: Final = 120
_DECISION_CHARS: Final = (75, 90, 105)
_STATE_CHARS: Final = 40
_CALLING_CHARS: Final = 80
_NEXT_CHARS: Final = 150
_STILL_CHARS: Final = 120
_COMMAND_CHARS: Final = 60
# Each line gives way before the first is dropped, and has more room where the others need less.
_SCALES: Final = (1.0, 0.85, 0.7)
_WIDE_SCALES: Final = (2.4, 1.8, 1.4)
# What is settled and what came out gets this much before the lines around it get their whole length.
_LEAST_RECENT_TOKENS: Final = 112
# And at least this much before what was asked is told whole.
_LEAST_TOKENS: Final = 85
_ASKED: Final = ("request", "focus")
# More statements than that are not read in one line.
_MOST_RECENT: Final = 3
# So many of them come before what was done earlier and decided; a further one adds less than either.
_BEFORE_EARLIER: Final = 2
# Nor are more titles.
_MOST_COMMITS: Final = 4
# So far back it is looked whether what was done still is.
_EARLIER_TURNS: Final = 64
# With fewer, what was done earlier says nothing to who does not remember it.
_EARLIER_TERMS: Final = 3
# What was looked at or thought of changed nothing.
_CHANGING_NOTHING_RE: Final = re.compile(
    r"(?:Re(?:alized|alised|viewed)|Noticed|Learned|Confirmed|Checked|Verified|Validated|Tested|Tried|Acknowledged)\b"
)
# A shorter name stands in many words that are another thing.
_NAME_CHARS: Final = 4
_MOST_EARLIER: Final = 3
# A small change beside a large one says little.
_LEAST_SHARE: Final = 0.1
# What begins in the same words is the same.
_SAME_CHARS: Final = 40
_LEAST_WORTH: Final = 0.5
# It says in so many words that something came of it.
_TELLING_WORTH: Final = 1.0
# A request of which an answer names so much is told by the answer.
_ECHO_SHARE: Final = 0.7
# So far back an answer is looked for: what came of turns before that may be overtaken.
_OPENING_TURNS: Final = 4
# Who says so much tells something, whatever he does next.
_LONG_CHARS: Final = 400
# Of what nobody asked for: statements, and passages among which the last words are looked for.
_MOST_UNASKED: Final = 2
_LAST_PASSAGES: Final = 60
# So many are named, fewer where the other lines need the room.
_FILES: Final = (4, 2, 1)
_FEW_TOKENS: Final = 120
_BRIEF_CHARS: Final = 70
_DECIDED_CHARS: Final = 110
# Where the weightiest do not say what was decided, those that follow them say less.
_WEIGHTIEST: Final = 4
_AWAY_CHARS: Final = 220
_ASKED_CHARS: Final = 45
_EDITING: Final = ("edit", "write", "patch")
# The files are told anyway, and what was only looked at came to nothing.
_LOOKING: Final = (*_EDITING, "read", "list", "search")
# Lines of a file that were changed count as much as one more change of it.
_LINES_OF_A_CHANGE: Final = 40
_TESTS_RE: Final = re.compile(r"(?:\b|_)tests?(?:\b|_)|\.spec\.", re.IGNORECASE)
_FILES_CHARS: Final = 75
_FILES_KEY: Final = "files"
# Also behind the name of what it was done to: "ledger.py — Added …".
_DONE_RE: Final = re.compile(
    r"(?:(?=\S*[._/])\S+ ?(?:[—–-]|:) )?(?:[A-Z][a-z]+ed|[A-Z]?[a-z]*(?:[Ww]ritten|[Ww]rote|[Bb]uilt)|Made|Set|Put)\b"
)
# So it was when it was said.
_UNTIL_THEN_RE: Final = re.compile(
    r"\b(?:no|not|nothing|none|never)\b[^.;]{0,40}\byet\b|\b(?:so far|still)\b", re.IGNORECASE
)
_NOW_DOES_RE: Final = re.compile(r"\b(?:now|no longer) (?!is\b|has\b|needs\b)[a-z]{2,}[^s\W]s\b")
_BEEN_DONE_RE: Final = re.compile(
    r"\b(?:is|are|was|were|been|have|['’]ve)(?: now| just| successfully)* "
    r"(?!denied|refused|rejected|blocked|failed|skipped|tried)(?:[a-z]+ed|written|built|made|set|done)\b"
)
_ENDS: Final = (".", "!", "?", "…", "。", "！", "？")


def short_page(recap: Recap, settings: RecapSettings, *, max_tokens: int, collapsible: bool) -> Page:
    head = f"{head_of('short', recap.turn)}:"
    room = room_below(head, max_tokens=max_tokens, collapsible=collapsible)
    frames: dict[float, Frame] = {}
    frame = _whole_frame(recap, frames, room - _LEAST_TOKENS, room - _LEAST_RECENT_TOKENS)
    frame = frame or _frame_within(recap, frames, _SCALES, room - _LEAST_RECENT_TOKENS)
    between = _settled_and_recent(recap, settings, frame, room, frames)
    # What they did not need goes back to the lines around them.
    started, after = _frame_within(recap, frames, (*_WIDE_SCALES, *_SCALES), room, between)
    blocks = (*started, *between, *_without_echo(recap, between, after))
    # Where nothing was said but courtesies, these are what there is.
    return Page(head, blocks or tuple(_lines(recap, _Told(recent=tuple(_courtesies(recap))))))


def short_markdown(
    recap: Recap,
    *,
    max_tokens: int = DEFAULTS.recap.short_max_tokens,
    collapsible: bool = False,
    settings: RecapSettings = DEFAULTS.recap,
) -> str:
    page = short_page(recap, settings, max_tokens=max_tokens, collapsible=collapsible)
    return write(page, max_tokens=max_tokens, collapsible=collapsible).text


def _frame_within(
    recap: Recap, frames: dict[float, Frame], scales: Sequence[float], room: int, between: Sequence[Block] = ()
) -> Frame:
    """The lines around what is settled and what came out, as long as there is room for; at their shortest otherwise.

    `frames` are those made so far, by their scale. A break between two lines costs, too: all of them are counted
    together.
    """
    for scale in scales:
        if scale not in frames:
            frames[scale] = _frame(recap, scale)
        started, after = frames[scale]
        if _tokens([*started, *between, *after]) <= room:
            break
    return frames[scale]


def _whole_frame(recap: Recap, frames: dict[float, Frame], room: int, whole_room: int) -> Frame | None:
    """The shortest of them in which what was asked is told to its end, if there is room for that: a request that is cut
    says less than one more of several results does. Where a wider one tells more of the first request, that is not its
    end yet; so much of it has the second room."""
    widest = _WIDE_SCALES[0]
    frames[widest] = frames[widest] if widest in frames else _frame(recap, widest)
    longest = _asked_in(frames[widest], _ASKED[:1])
    # What leaves something out in the middle is no more than what ends with a sentence.
    is_whole = not any(f" {ELLIPSIS} " in line for line in longest)
    ended: Frame | None = None
    for scale in (*reversed((*_WIDE_SCALES, _SCALES[0])), *_SCALES[1:]):
        if ended is not None and (not is_whole or scale < _SCALES[0]):
            break
        frames[scale] = frame = frames[scale] if scale in frames else _frame(recap, scale)
        cost = _tokens([*frame[0], *frame[1]])
        if cost > room or any(map(is_cut, _asked_in(frame))):
            continue
        ended = ended or frame
        if is_whole and cost <= whole_room and _asked_in(frame, _ASKED[:1]) == longest:
            return frame
    return ended


def _asked_in(frame: Frame, names: Sequence[str] = _ASKED) -> list[str]:
    sections = [block.section for block in (*frame[0], *frame[1]) if block.section is not None]
    return [item.wording.plain for section in sections if section.name in names for item in section.items]


def _without_echo(recap: Recap, between: Sequence[Block], after: Sequence[Block]) -> list[Block]:
    """The last lines without what it is about now, where what came out says that it was done, and without a branch that
    what came out names, where that is all that is known of the state."""
    recent = [item for block in between if block.section is not None for item in block.section.items]
    told = stems_of(" ".join(item.wording.plain for item in recent if item.turn == recap.turn and item.is_quoted))
    said = " ".join(item.wording.plain for item in recent)
    return [block for block in after if not _is_echo(block, told) and not _is_branch_alone(block, said)]


def _is_echo(block: Block, told: Set[str]) -> bool:
    if block.section is None or block.section.name != "focus":
        return False
    asked = stems_of(" ".join(item.wording.plain for item in block.section.items))
    return bool(asked) and len(asked & told) >= len(asked) * _ECHO_SHARE


def _is_branch_alone(block: Block, said: str) -> bool:
    items = block.section.items if block.section is not None and block.section.name == "state" else ()
    return bool(items) and all(item.key == "branch" and item.wording.plain.partition(" ")[2] in said for item in items)


def _tokens(parts: Sequence[Part]) -> int:
    return estimate_tokens("\n".join(part.text for part in parts))


def _frame(recap: Recap, scale: float) -> Frame:
    """The first line and the last ones, each within its share."""
    started: list[Block] = []
    after: list[Block] = []
    asked = Asked("")
    if recap.whole is not None:
        after.append(_line(4, _still(recap.whole, round(_STILL_CHARS * scale)), " · "))
    elif recap.original and not is_of_a_harness(asked_in_full(recap)):
        asked = first_asked(recap, round(_ASKED_FIRST_CHARS * scale), TERSE_TERMS)
        if asked.line:
            started.append(_line(4, asked_section(recap, "Started with", asked)))
    left = next_section(recap, round(_NEXT_CHARS * scale))
    # One request is told once, and to a reader who knows it not again.
    if not is_still_the_first(recap) and (recap.whole is None or recap.turns or recap.upcoming):
        last = last_asked(recap, round(_ASKED_LAST_CHARS * scale), TERSE_TERMS)
        # An agent may do much that nobody asked for.
        if last.line != asked.line and (last.line != NOTHING_YET or not (recap.steps or said_unasked(recap))):
            is_past = is_over(recap, left) and bool(last.requests)
            # A nod that was answered is told by what came of it, and so is most that was done.
            is_nod = is_past and not last.answered and is_nod_at_the_end(recap)
            is_told = is_nod or is_told_by_outcome(recap, is_asking=left is not None)
            # What it began with may have led to nothing but this.
            is_told = is_told or (is_past and set(last.requests) <= set(asked.requests))
            if not is_told and (not is_past or is_of_use(last)):
                after.append(_line(2, focus_section(recap, LAST_ASKED if is_past else "Now discussing", last)))
    # What is asked of the reader is told whole before anything else is.
    if left is not None:
        after.append(_line(5, left))
    # What is asked says itself that it is left open.
    is_told = goes_without_saying(recap, left) or (left is not None and recap.standing.status == "answered")
    state = [
        None if is_told else _state(recap, left, round(_STATE_CHARS * max(scale, 1.0))),
        failed_end(recap, 0),
        tests_item(recap, round(_COMMAND_CHARS * scale)),
        *(where_it_is(recap, 2) if recap.whole is None else ()),
    ]
    stands = state_section(recap, state, false_claims(recap)[:1])
    if stands.items:
        after.append(_line(3, stands, " · "))
    return started, after


def _state(recap: Recap, left: Section | None, columns: int) -> Item:
    if recap.standing.cause == "calling":
        # Only whole does it tell what was under way.
        columns = max(columns, _CALLING_CHARS)
    # What is asked is not told twice.
    return state_item(recap, 0 if left is not None and recap.standing.question else columns)


def _still(whole: Recap, columns: int) -> Section:
    """What a reader knows and what still holds, in one statement: how it began and what was decided last."""
    asked = first_asked(whole, columns // 2, TERSE_TERMS)
    known = [entry for entry in proved(whole) if entry.status == "active"]
    told: list[Wording | str] = [worded(asked.line)]
    places = [request.place for request in asked.requests]
    if known:
        item = decision_item(whole, known[-1], columns // 2)
        told += [
            " — decided: ",
            item.wording,
            f" (turn {item.turn}{f', and {len(known) - 1} more' if known[1:] else ''})",
        ]
        places += [known[-1].finding.place]
    item = Item(key="still", wording=joined(told), turn=whole.turn, cited=cited(whole, *places))
    return Section("still", "Still", (item,))


def _line(rank: int, section: Section, separator: str = "; ") -> Block:
    return Block(rank, f"- {in_a_line(section, separator)}", section)


def _settled_and_recent(
    recap: Recap, settings: RecapSettings, frame: Frame, room: int, frames: dict[float, Frame]
) -> list[Block]:
    """What was decided and what came out, each as far as there is room for it beside the other lines; these may be told
    at their longest in the end."""
    started, after = frame
    longest = frames[_SCALES[0]]
    rest = [part.text for part in (*started, *after)]
    telling = telling_of(recap)
    decided = _decisions(recap, settings, [part.text for part in (*longest[0], *longest[1])], telling)
    changed, under_way = _changed(recap), _under_way(recap)
    files = [tuple(_files(changed, most)) for most in _FILES]

    def left(told: _Told) -> int:
        return room - _tokens([*started, *_lines(recap, told), *after])

    def fitting(*versions: _Told) -> _Told | None:
        return next((each for each in versions if left(each) >= 0), None)

    if (away := away_recap(recap)) is not None:
        # What the agent wrote for whoever comes back is what came out lately.
        own = _Told(recent=(_away_item(recap, away),))
        return _lines(recap, fitting(*(_with(own, settled=tuple(each)) for each in (decided, decided[:1]))) or own)
    flow = _flow(recap, telling, rest, terms_of(" ".join(part.text for part in after if _is_next(part))).keys())
    if not flow:
        # Nothing reads alone: how the last answer begins, and what was done last, are all there is.
        opening = tuple(_opening(recap, rest) or said_unasked(recap))
        acted = [] if not recap.turns and opening else _actions(recap, settings.short_actions)
        if opening or under_way:
            # Beside these a command that did what it should says nothing.
            acted = [item for item in acted if item.ok is False]
        # What was decided is the last to give way.
        least = _Told(recent=opening, under_way=under_way, settled=tuple(decided[:1]))
        wanted = [_with(least, files=each, acted=tuple(acted[:most])) for most in (2, 1, 0) for each in files]
        unanswered = _with_commits(recap, fitting(*wanted) or least, fitting, files)
        return _lines(recap, _with_earlier(recap, unanswered, telling, rest, left))
    # How the last answer begins is told whole, up to a clause, without the files, instead of what was decided; but in a
    # page of a few words what was decided stays.
    lead, *others = flow
    kept = tuple(decided[:1])
    leads = [_Told(recent=(item,), under_way=under_way) for item in lead.versions]
    told = fitting(
        *(_with(each, settled=kept, files=some) for each in leads for some in files),
        *(_with(each, settled=kept) for each in leads),
        *(leads if room >= _FEW_TOKENS else ()),
    )
    if told is None:
        # Whatever else has to give way.
        return _lines(recap, _Told(recent=(lead.brief,), settled=kept if room < _FEW_TOKENS else ()))
    # What was asked is told to its end before more than how the answer begins, and before what came of it long ago.
    told = _without_named_files(told, changed)
    rest_room = room - _tokens(_lines(recap, told))
    started, after = _whole_frame(recap, frames, rest_room, rest_room) or frame
    told = _with_commits(recap, told, fitting, files)
    first = told.recent
    is_work = _is_work(recap, lead.whole.turn)
    before = _BEFORE_EARLIER if is_work else 1
    told = _whole(_with_more(told, others, fitting, most=before), flow, fitting)
    told = _with_earlier(recap, told, telling, rest, left)
    for item in decided[len(told.settled) :]:
        told = fitting(_with(told, settled=(*told.settled, item))) or told
    # What came out before, and what was decided, weigh more than one more side of the last answer; of a question that
    # was asked by the way that is enough.
    most = _BEFORE_EARLIER if told.earlier and not is_work else _MOST_RECENT
    longer = _whole(_with_more(_with(told, recent=first), others, fitting, most=most), flow, fitting)
    told = longer if _cut_in(longer) <= _cut_in(told) else told
    started, after = _frame_within(recap, frames, (*_WIDE_SCALES, *_SCALES), room, _lines(recap, told))
    return _lines(recap, _without_named_files(told, changed))


class _Told(Struct, frozen=True):
    """What the lines between the others tell."""

    recent: tuple[Item, ...] = ()
    acted: tuple[Item, ...] = ()
    # Where the last turn has no answer yet.
    under_way: tuple[Item, ...] = ()
    # Of the whole session, whatever the last answer was about.
    files: tuple[Item, ...] = ()
    earlier: tuple[Item, ...] = ()
    # The latest that stand, the last one first, and how many stand before them.
    commits: tuple[Item, ...] = ()
    commits_before: int = 0
    settled: tuple[Item, ...] = ()


_with = msgspec.structs.replace


def _without_named_files(told: _Told, changed: Sequence[Sourced[FileFact]]) -> _Told:
    """Where all of them were just named, they are not listed again."""
    said = " ".join(item.wording.plain for item in (*told.recent, *told.earlier))
    paths = [each.fact.path for each in changed]
    # Where the first is not, the others need no names.
    is_told = all(name in said for most in (1, None) for name in short_names(paths, most=most))
    return _with(told, files=()) if is_told else told


def _lines(recap: Recap, told: _Told) -> list[Block]:
    blocks = []
    if told.settled:
        total = recap.decisions_before + len(recap.decisions)
        settled = sorted(told.settled, key=lambda item: item.turn)
        section = Section("decisions", "Decided", tuple(settled), total)
        blocks.append(Block(0, f"- {in_a_line(section, told=[_with_turn(item) for item in settled])}", section))
    if told.earlier:
        earlier = sorted(told.earlier, key=lambda item: (item.turn, item.at))
        blocks.append(_line(1, Section("recent", _earlier_title(earlier), tuple(earlier)), " · "))
    if told.commits:
        blocks.append(_commits_line(told))
    if told.recent or told.acted:
        blocks.append(_line(1, Section("recent", _recent_title(recap, told), (*told.recent, *told.acted)), " · "))
    if told.under_way:
        blocks.append(_line(1, Section("recent", "Under way", told.under_way)))
    if told.files:
        blocks.append(_line(1, Section("files", "Edited", told.files)))
    return blocks


def _commits_line(told: _Told) -> Block:
    section = Section("done", "Committed", told.commits[::-1], told.commits_before + len(told.commits))
    line = in_a_line(section, " · ")
    return Block(1, f"- {line} (and {told.commits_before} before)" if told.commits_before else f"- {line}", section)


def _recent_title(recap: Recap, told: _Told) -> str:
    """Where the last turn said nothing, with the turn that did."""
    turn = told.recent[0].turn if told.recent else recap.turn
    return f"Recent (turn {turn})" if recap.turns and turn < recap.turns[-1].number else "Recent"


def _earlier_title(items: Sequence[Item]) -> str:
    """Statements of one turn or of several: what was said then need not hold any more."""
    first, last = items[0].turn, items[-1].turn
    return f"Earlier (turn {first})" if first == last else f"Earlier (turns {first}–{last})"


def _away_item(recap: Recap, away: Passage) -> Item:
    return Item(
        key="away",
        wording=joined(("the agent's own recap: ", worded(away_words(away, _AWAY_CHARS)))),
        turn=recap.turn,
        at=away.at,
        cited=cited(recap, away.place),
    )


class _Statement(Struct, frozen=True):
    """A statement of the last answer: whole, up to the ends of clauses, and in a few words."""

    whole: Item
    versions: tuple[Item, ...]
    brief: Item
    worth: float
    follows: bool


def _is_next(block: Block) -> bool:
    return block.section is not None and block.section.name == "next"


def _flow(recap: Recap, telling: Telling, around: Sequence[str], left: Set[str]) -> list[_Statement]:
    """What the last answer that says something says, in its own order; without what the other lines say word for word,
    and what is left to the reader (by its terms)."""
    said = "\n".join(around)
    last = _last_telling(recap, telling)
    if last < 0:
        return []
    turn = recap.turns[last]
    found: list[_Statement] = []
    refused, in_vain = _refused(recap, turn), _is_in_vain(recap, turn)
    is_past = any(later.edits for later in recap.turns[last + 1 :])
    for phrase, worth, follows in words_of_turn(turn, recap.session.memory).flow:
        if is_past and _UNTIL_THEN_RE.search(phrase.text):
            # What was open then may be done by now.
            continue
        if (in_vain or any(name in phrase.text for name in refused)) and _claims_deed(phrase.text):
            continue
        if any(version.shown[:_SAME_CHARS] in said for version in phrase.versions):
            continue
        terms = set(phrase.terms)
        if len(terms & left) >= len(terms) * _ECHO_SHARE:
            continue
        items = [
            said_item(recap, turn, phrase.text, Wording(version.text, version.shown)) for version in phrase.versions
        ]
        whole = said_item(recap, turn, phrase.text, Wording(phrase.text, phrase.shown))
        short = said_item(recap, turn, phrase.text, worded(result_line(phrase.text, _BRIEF_CHARS)))
        if found and all(is_cut(version.text) for version in phrase.versions):
            # Cut short, it says less than nothing beside what is whole.
            continue
        found.append(_Statement(whole, tuple(items), short, worth, follows))
    telling_most = [each for each in found if each.worth >= _LEAST_WORTH] or found[:1]
    in_order = _done_first(telling_most) if turn.edits else telling_most
    return [*_committed(recap, telling, last, telling_most), *in_order]


def _done_first(said: list[_Statement]) -> list[_Statement]:
    """The statements of a turn that changed something, with what was done before what was found, meant or felt."""
    texts = [each.whole.wording.plain for each in said]
    if not said or _claims_deed(texts[0]):
        return said
    # A list of single changes says less than a sentence of what they are for.
    done = [": " not in text and _DONE_RE.match(text) is not None for text in texts]
    at = next((at for at, each in enumerate(said) if done[at] and not each.follows), 0)
    end = at + 1
    while end < len(said) and said[end].follows:
        end += 1
    return [*said[at:end], *said[:at], *said[end:]]


def _committed(recap: Recap, telling: Telling, last: int, said: Sequence[_Statement]) -> Iterator[_Statement]:
    """What the turn of the last answer committed in the end, where the answer says what to do rather than what was
    done: some agents write down what is to be changed, and their program changes and commits it."""
    text = " ".join(each.whole.wording.plain for each in said)
    proven = [each for each in telling.results if each.turn == last and each.is_proven]
    # Only of English is it known which words say that.
    if not proven or not text[:1].isascii() or _claims_deed(text):
        return
    phrase = proven[-1].phrase
    if not set(phrase.terms) <= set(terms_of(text)):
        item = result_item(recap, proven[-1], Wording(phrase.text, phrase.shown))
        yield _Statement(item, (item,), item, proven[-1].factor, follows=False)


def _refused(recap: Recap, turn: Turn) -> set[str]:
    """The names of files that an agent tried to write in a turn and could not: what it says of them did not happen."""
    tried = {
        step.fact.target
        for step in recap.steps
        if step.turn == turn.number and step.fact.kind in _EDITING and not step.fact.ok
    }
    written = {row.fact.path for row in recap.files if is_changed(row.fact)}
    return {path.rpartition("/")[2] for path in tried - written if path}


def _is_in_vain(recap: Recap, turn: Turn) -> bool:
    """Whether an agent tried to change files in a turn and nothing came of it, nor did it do anything else behind that:
    whatever it says that it did, it did not."""
    steps = [each.fact for each in recap.steps if each.turn == turn.number]
    last = next((at for at in reversed(range(len(steps))) if steps[at].kind in _EDITING), len(steps))
    is_changed_then = any(row.turn == turn.number and is_changed(row.fact) for row in recap.files)
    return last < len(steps) and not is_changed_then and not any(step.ok for step in steps[last:])


def _cut_in(told: _Told) -> int:
    return sum(is_cut(item.wording.plain) for item in told.recent)


def _with_more(told: _Told, others: Sequence[_Statement], fitting: Callable[..., _Told | None], *, most: int) -> _Told:
    """What the last answer says besides, in its order, where it is worth that; what hangs on the statement before it
    becomes part of that."""
    (lead,) = told.recent
    taken: dict[int, Item] = {}
    least = _LEAST_WORTH

    def recent(more: dict[int, Item]) -> tuple[Item, ...]:
        items = [lead]
        for at in sorted(more):
            items[-1:] = [_behind(items[-1], more[at])] if others[at].follows else [items[-1], more[at]]
        return tuple(items)

    for at, statement in enumerate(others):
        # What hangs on a statement goes with it.
        if (at and at - 1 not in taken) if statement.follows else len(taken) >= most - 1:
            continue
        if statement.worth < least and not statement.follows:
            continue
        mores = [{**taken, at: item} for item in statement.versions]
        fit = next((more for more in mores if fitting(_with(told, recent=recent(more))) is not None), None)
        if fit is None:
            # Behind what has no room only what came out is told: the rest may hang on that.
            least = _TELLING_WORTH
        taken = fit or taken
    return _with(told, recent=recent(taken))


def _behind(item: Item, following: Item) -> Item:
    separator = " " if item.wording.plain.endswith(_ENDS) else ". "
    return _with(item, wording=joined((item.wording, separator, following.wording)))


def _whole(told: _Told, flow: Sequence[_Statement], fitting: Callable[..., _Told | None]) -> _Told:
    """The statements of the last answer that were told by a clause as they are, as far as there is room left."""
    whole = {
        (each.key, each.wording.plain): statement.whole
        for statement in flow
        for each in statement.versions
        if not is_cut(statement.whole.wording.plain)
    }
    for at, item in enumerate(told.recent):
        longer = whole.get((item.key, item.wording.plain), item)
        told = fitting(_with(told, recent=(*told.recent[:at], longer, *told.recent[at + 1 :]))) or told
    return told


def _with_commits(recap: Recap, told: _Told, fitting: Callable[..., _Told | None], files: Sequence[_Items]) -> _Told:
    """What was committed and stands, by the titles of the latest, without what the last answer says already. The files
    give way to the first few: a title says what was done to them."""
    commits = [each for each in recap.progress.milestones if each.commit is not None]
    said = {*stems_of(" ".join(item.wording.plain for item in told.recent))}
    for before in reversed(range(len(commits))):
        commit = commits[before]
        stems = stems_of(commit.title)
        is_said = len(stems & said) >= len(stems) * _ECHO_SHARE
        if len(stems) < TERSE_TERMS or is_cut(commit.title) or is_said:
            continue
        more = _with(told, commits=(*told.commits, commit_item(recap, commit)), commits_before=before)
        fewer = (*files, ()) if told.files else ()
        longer = fitting(more, *(_with(more, files=some) for some in fewer))
        if longer is None or len(told.commits) == _MOST_COMMITS:
            break
        told = longer
        said |= stems
    return told


def _with_earlier(
    recap: Recap, told: _Told, telling: Telling, around: Sequence[str], left: Callable[[_Told], int]
) -> _Told:
    """What came of the turns before and still holds, each with its turn."""
    results, phrases = _versions(recap, telling, around)
    made: dict[int, Item] = {}

    def with_these(taken: Sequence[int]) -> _Told:
        for position in taken:
            if position not in made:
                result, phrase = phrases[position]
                made[position] = result_item(recap, result, Wording(phrase.text, phrase.shown))
        return _with(told, earlier=tuple(made[position] for position in taken))

    costs = [phrase.clause_tokens for _, phrase in phrases]
    # That a file was changed does not say how.
    known = " ".join((*around, *(item.wording.marked for item in (*told.recent, *told.commits))))
    while True:
        room = Room(costs=costs, left=lambda taken: left(with_these(taken)), most=lambda turn: 1)
        taken = chosen(results, telling.weights, room, known=known)[:_MOST_EARLIER]
        if not taken or left(with_these(taken)) >= 0:
            break
        # The line has a title, too: without the last of them there may be room for another.
        costs[taken[-1]] = inf
    for at, position in enumerate(taken):
        # Each as far as there is room for it.
        same = (each for each in range(position) if results[each].origin == results[position].origin)
        longer = ([*taken[:at], each, *taken[at + 1 :]] for each in same)
        taken = next((each for each in longer if left(with_these(each)) >= 0), taken)
    return with_these(taken)


def _opening(recap: Recap, around: Sequence[str]) -> list[Item]:
    """How the last answer begins, with what was asked: it points back at that. Nothing that the lines around it say,
    nor that a file was written which was not."""
    said = "\n".join(around)
    for turn in reversed(recap.turns[-_OPENING_TURNS:]):
        words = words_of_turn(turn, recap.session.memory)
        if any(name in words.opening for name in _refused(recap, turn)):
            return []
        if _is_in_vain(recap, turn) and _claims_deed(words.opening):
            return []
        if words.opening and is_answered(recap, turn) and not _is_echoed(words.opening, said):
            asked = line_of(turn.request, _ASKED_CHARS, recap.session.memory)
            item = said_item(recap, turn, words.opening, worded(result_line(words.opening, _LINE_CHARS)))
            wording = joined((worded(asked), " → ", item.wording))
            return [msgspec.structs.replace(item, wording=wording, is_quoted=False)]
    return []


def _courtesies(recap: Recap) -> Iterator[Item]:
    """What was said last, and what was answered, whatever these are."""
    turn = next((each for each in reversed(recap.turns) if each.replied is not None and each.outcome.strip()), None)
    if turn is not None:
        asked = line_of(turn.request, _ASKED_CHARS, recap.session.memory)
        item = said_item(recap, turn, turn.outcome, worded(result_line(turn.outcome, _LINE_CHARS)))
        yield _with(item, wording=joined((worded(asked), " → ", item.wording)), is_quoted=False)


def _is_echoed(opening: str, said: str) -> bool:
    """Whether the lines around it begin to say the same; a word or two stand in any of them by chance."""
    return len(opening) >= _SAME_CHARS // 2 and escape_markdown(opening)[:_SAME_CHARS] in said


def _under_way(recap: Recap) -> tuple[Item, ...]:
    """What the agent said last before it went on; nothing once it has changed files: these tell how far it came."""
    last = recap.turns[-1] if recap.turns else None
    if last is None or last.replied is None or last.edits_since or _is_told(recap, last):
        return ()
    words = words_of_turn(last, recap.session.memory)
    asked = words.asked_terms.keys()

    def is_of_the_matter(phrase: Phrase) -> bool:
        """What neither names anything nor says something new of what was asked was said by the way."""
        terms = set(phrase.terms)
        return bool(names_in(phrase.text)) or min(len(asked & terms), len(terms - asked)) >= TERSE_TERMS

    results = [each for each, _ in words.results[:1] if words.told and is_of_the_matter(each)]
    return tuple(said_item(recap, last, each.text, Wording(each.text, each.shown)) for each in results)


def said_unasked(recap: Recap) -> list[Item]:
    """What an agent said last that nobody asked, or only by a command: no turn holds it."""
    if recap.turns:
        return []
    transcript = recap.session.main.transcript
    replies = islice(reversed(transcript.passages), _LAST_PASSAGES)
    last = next((each for each in replies if each.kind == "reply" and not narrates(each.text)), None)
    if last is not None:
        said, at, place = last.text, last.at, last.place
    elif transcript.ending.moment == "reply" and transcript.ending.place is not None:
        # Of whoever works for another agent only the last words are kept; what they begin with may be torn.
        said, at, place = transcript.last_words, transcript.ending.at, transcript.ending.place
        said = said.partition("\n")[2] or said if len(said) >= LAST_WORDS_CHARS else said
    else:
        return []
    words = recap.session.memory.recall(TurnWords, ("", said, said), 0)
    return [
        Item(
            key=f"result 0 {phrase.text}",
            wording=Wording(phrase.text, phrase.shown),
            turn=0,
            at=at,
            cited=cited(recap, place),
            is_quoted=True,
        )
        for phrase, _, _ in words.flow[:_MOST_UNASKED]
    ]


def _versions(
    recap: Recap, telling: Telling, around: Sequence[str]
) -> tuple[list[Statement], list[tuple[Result, Phrase]]]:
    """What may be told of the turns before the last answer, each in its versions: what commits and the like prove, for
    what was only said may be overtaken; and nothing that the lines around it say word for word."""
    said, newest = "\n".join(around), _last_telling(recap, telling)
    phrases = [
        (each, phrase)
        for each in _holding(recap, telling)
        if each.turn != newest
        for phrase in (each.phrase.versions if each.is_proven else _accounts(each.phrase))
        if phrase.shown[:_SAME_CHARS] not in said and not is_cut(phrase.text)
    ]
    return [
        Statement(phrase.text, phrase.terms, each.turn, each.factor, origin=each.phrase.text)
        for each, phrase in phrases
    ], phrases


def _accounts(phrase: Phrase) -> tuple[Phrase, ...]:
    """A statement of what was done, and shorter ones of the same: of a list the words above it where they say it, and
    the list without them where they only announce it ("Changes made: …")."""
    head, _, listed = phrase.text.partition(": ")
    above = Phrase(head)
    if listed and len(above.terms) < _EARLIER_TERMS and _is_deed(listed):
        return Phrase(listed).versions
    is_whole = listed and _DONE_RE.match(head) and ". " not in head and reads_without_list(head)
    return (*phrase.versions, above) if is_whole and len(above.terms) >= _EARLIER_TERMS else phrase.versions


def _holding(recap: Recap, telling: Telling) -> Iterator[Result]:
    """What was reached but for commits, which have a line of their own; and what turns that changed files say was done,
    where no commit says it by its title. The more was changed, the more came of it."""
    commits = [each for each in recap.progress.milestones if each.commit is not None]
    recall = recap.session.memory.recall
    titles = {recall(phrase_of, each.text, (each.turn, each.at, each.sort)).text for each in commits}
    # A title of no words ("wip") says nothing of what was done.
    committed = [(each.turn, its) for each in commits[-_EARLIER_TURNS:] if (its := stems_of(each.title))]
    first = len(recap.turns) - _EARLIER_TURNS
    least = max((turn.edits for turn in recap.turns[-_EARLIER_TURNS:]), default=0) * _LEAST_SHARE
    last_told = -1
    for each in telling.results:
        turn = recap.turns[each.turn]
        if each.is_proven:
            if each.phrase.text not in titles:
                yield each
            continue
        is_large = turn.edits > least
        if not (is_large and turn.deeds_since == 0 and each.turn >= first):
            # Of most turns nothing else needs to be known.
            continue
        # Of other languages only how an answer begins is known.
        is_read = each.is_lead or each.phrase.text[:1].isascii()
        text, is_told = each.phrase.text, len(each.phrase.terms) >= _EARLIER_TERMS
        is_done = _is_deed(text) and not (_CHANGING_NOTHING_RE.match(text) or is_about_it(text))
        if not (is_read and is_told and is_done) or last_told == each.turn:
            continue
        # What an answer says first of what was done says most of it.
        last_told = each.turn
        stems = stems_of(text)
        is_said = any(at >= turn.number and len(its & stems) >= len(its) * _ECHO_SHARE for at, its in committed)
        if not is_said and not _is_overtaken(recap, each):
            yield _with(each, factor=log2(1 + turn.edits))


def _is_work(recap: Recap, number: int) -> bool:
    """Whether a turn changed a file or committed anything."""
    turn = next((turn for turn in reversed(recap.turns) if turn.number == number), None)
    return (turn is not None and turn.edits > 0) or any(
        each.turn == number for each in recap.progress.milestones if not each.sort
    )


def _is_overtaken(recap: Recap, result: Result) -> bool:
    """Whether what a turn did may be gone: a later answer says so of something that it names; where it names nothing,
    the files that it changed were changed again."""
    text, turn = result.phrase.text, recap.turns[result.turn]
    names = [name for name in names_in(text) if len(name) >= _NAME_CHARS]
    if not names:
        return all(row.turn != turn.number for row in recap.files if is_changed(row.fact))
    undone = (words_of_turn(later, recap.session.memory).undone for later in recap.turns[result.turn + 1 :])
    return any(name in each for each in undone if each for name in names)


def _claims_deed(text: str) -> bool:
    """Whether a statement says that something was done, in whatever order of words; not that it was refused."""
    return _is_deed(text) or _BEEN_DONE_RE.search(text) is not None


def _is_deed(text: str) -> bool:
    """Whether a statement says what was done: in English it begins with that. Where the script is another, how an
    answer begins is taken for it, if that is a sentence about something it names; where it is the same, nothing is."""
    is_named = not text[:1].isascii() and "; " not in text and bool(names_in(text))
    # A list of what was done says so in its first item.
    listed = text.partition(": ")[2]
    return is_named or any(_DONE_RE.match(each) for each in (text, listed)) or _NOW_DOES_RE.search(text) is not None


def _last_telling(recap: Recap, telling: Telling) -> int:
    """The position of the last turn in which the agent answers something, or tells much on its way; -1 where there is
    none. Turns in which it said nothing overtake nothing."""
    places = range(len(recap.turns) - 1, -1, -1)
    replied = list(islice((at for at in places if recap.turns[at].replied is not None), _OPENING_TURNS))
    told = {each.turn for each in telling.results if not each.is_proven and each.turn >= min(replied, default=0)}
    return next((at for at in sorted(told, reverse=True) if _is_told(recap, recap.turns[at])), -1)


def _is_told(recap: Recap, turn: Turn) -> bool:
    """Whether its words are an answer; or so many that what came of the turns before is overtaken, though the agent
    went on to look further."""
    is_long = len(turn.telling) >= _LONG_CHARS and not turn.edits_since
    return is_answered(recap, turn) or (is_long and turn.number == recap.turns[-1].number)


def _decisions(recap: Recap, settings: RecapSettings, around: Sequence[str], telling: Telling) -> list[Item]:
    """Those that stand on proof and matter most, without what the lines around them say already."""
    if not settings.show_decisions or not settings.short_decisions:
        return []
    memory, said = recap.session.memory, [terms_of(line).keys() for line in around]
    # What belongs to the first request is told by it, as far as there is room.
    said.append(memory.recall(terms_of, asked_in_full(recap), "asked in full").keys())
    found: list[Item] = []
    entries = lasting_choices(recap)
    by_worth = ranked(entries, recap.turn, memory=memory, weights=telling.weights, known=" ".join(around))
    for entry in by_worth[:_WEIGHTIEST]:
        item = _decided(recap, entry)
        if item.wording.plain.endswith(ELLIPSIS) or not is_told_whole(entry, item, memory=memory):
            continue
        if not says_what_was_decided(entry, memory=memory):
            continue
        terms = terms_of(item.wording.marked).keys()
        if terms and any(terms <= line for line in said):
            continue
        # What came of it needs the room more than a second long one does.
        if found and sum(len(each.wording.plain) for each in (*found, item)) > _DECIDED_CHARS:
            break
        said.append(terms)
        found.append(item)
        if len(found) == settings.short_decisions:
            break
    return found


def _with_turn(item: Item) -> str:
    # Where nobody asks, there are no turns.
    return f"{item.wording.marked} (turn {item.turn})" if item.turn else item.wording.marked


def _decided(recap: Recap, entry: Entry) -> Item:
    """The decision in a few words; in a few more where they end it."""
    items = [decision_item(recap, entry, columns) for columns in _DECISION_CHARS]
    return next((item for item in items if not item.wording.plain.endswith(ELLIPSIS)), items[-1])


def _changed(recap: Recap) -> list[Sourced[FileFact]]:
    """The files the work was in, by how much of them was changed; where it is now, among the first."""
    changed = [each for each in recap.files if is_changed(each.fact)]
    # What sub-agents changed is their own work, unless nobody else changed anything.
    changed = [each for each in changed if not each.via] or changed
    changed = [each for each in changed if each.fact.action not in ("deleted", "renamed")]
    kept = compress(changed, lasting([each.fact.path for each in changed]))
    by_work = sorted(kept, key=lambda each: -_work_in(each.fact))
    newest = max((each.turn for each in by_work), default=0)
    last = next((at for at, each in enumerate(by_work) if each.turn == newest), 0)
    if last >= _FILES[0] // 2:
        by_work.insert(0, by_work.pop(last))
    return by_work


def _work_in(file: FileFact) -> float:
    """A file that was written once, and long, is as much work as one that was touched up often; what only tests it
    comes behind."""
    work = file.writes + (max(file.added, 0) + max(file.removed, 0)) / _LINES_OF_A_CHANGE
    return work / 2 if _TESTS_RE.search(file.path) else work


def _files(changed: Sequence[Sourced[FileFact]], most: int) -> list[Item]:
    """The files the work was in, as one statement that names so many, with how many there are besides."""
    named = [each for each in changed if each.fact.path.strip()]
    # The last that is left is named as soon as counted; where room is for one, it is counted.
    is_left = len(named) == most + 1 > _FILES[-1] + 1
    names = short_names([each.fact.path for each in named], most=most + is_left)
    while len(names) > 1 and len(", ".join(names)) > _FILES_CHARS:
        names.pop()
    if not names:
        return []
    rows = [file_item(row, worded(name)) for row, name in zip(named, names, strict=False)]
    more = f" +{len(changed) - len(names)}" if len(changed) > len(names) else ""
    latest = max(rows, key=lambda row: (row.turn, row.at))
    return [
        Item(
            key=_FILES_KEY,
            wording=joined((joined([row.wording for row in rows], ", "), more)),
            turn=latest.turn,
            at=latest.at,
            cited=tuple(each for row in rows for each in row.cited),
            children=tuple(rows),
        )
    ]


def _is_told_alone(recap: Recap, step: Sourced[Step], changing: Set[Place]) -> bool:
    """Whether a step says something by itself: of a command that went well only what it changed does."""
    if step.fact.kind == "shell" and step.fact.ok:
        return step.fact.place in changing
    return step.fact.kind not in _LOOKING or (step.fact.denied and step.turn == recap.turn)


def _actions(recap: Recap, most: int) -> list[Item]:
    last = recap.steps[-most:] if most else ()
    first = min((each.fact.place.offset for each in last), default=0)
    changes = takewhile(lambda each: each.place.offset >= first, reversed(recap.session.main.transcript.changes))
    changing = {*(each.place for each in changes), *(each.place for each in recap.progress.milestones)}
    steps = [each for each in last if _is_told_alone(recap, each, changing)]
    # Of those that read the same, the first.
    found: dict[str, Item] = {}
    for step in steps:
        item = step_item(recap, step, brief(step.fact))
        found.setdefault(item.wording.marked, item)
    return list(found.values())
