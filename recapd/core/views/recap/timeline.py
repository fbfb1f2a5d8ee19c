"""How a conversation went: its turns as a few segments of one topic each, with what was asked and what came of it.

    turns ─segments_of─▶ segments ─told─▶ statements chosen within a budget ─▶ lines

A segment goes on as long as the human speaks of the same things or only nods; a new one begins with other words or
after a long gap. Saved recaps are checkpoints between segments.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core.state import Memory, Turn
from recapd.core.text import Room, Statement, chosen, estimate_tokens, is_substantive, narrates, one_line
from recapd.core.views.recap.items import cited, result_item, said_item
from recapd.core.views.recap.page import Block, Page, head_of
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import line_of, names_matter
from recapd.core.views.recap.results import latest_results, words_of_turn
from recapd.core.views.recap.telling import Telling, breaks_of, telling_of
from recapd.core.views.recap.view import Item, Section, Wording, joined, worded
from recapd.core.views.recap.words import result_line

_TURNS_PER_SEGMENT: Final = 2.5
# So many are told one by one, if each asks for something.
_FEW_TURNS: Final = 5
MAX_SEGMENTS: Final = 8
_REQUEST_CHARS: Final = 90
_REMINDER_CHARS: Final = 45
# More than that of one topic is a list to study, not a recap.
_RESULTS_PER_SEGMENT: Final = 5
_MAX_PARTS: Final = 20
# So many turns of a segment are asked what it is about.
_SPOKESMEN: Final = 100
# A decision or a file that the page names does not say what came of it.
_KNOWN_WORTH: Final = 0.2
_NO_ANSWER: Final = "no answer"


class Segment(Struct, frozen=True):
    """Turns that follow each other and are about one thing, by position among those alive."""

    first: int
    last: int

    @property
    def positions(self) -> range:
        return range(self.first, self.last + 1)


def segments_of(recap: Recap, most: int = MAX_SEGMENTS) -> list[Segment]:
    """The turns as topics, at most so many: cut where the conversation turns to something else most clearly."""
    turns = recap.turns
    if not turns:
        return []
    wanted = min(most, max(_FEW_TURNS, round(len(turns) / _TURNS_PER_SEGMENT)))
    breaks = breaks_of(recap)
    longest = max(3, -(-2 * len(turns) // wanted))
    cuts = sorted(sorted(breaks, key=lambda at: (-breaks[at], at))[: wanted - 1])
    cuts = [at for at in cuts if breaks[at] > 0]
    segments = []
    for first, end in zip((0, *cuts), (*cuts, len(turns)), strict=True):
        # A stretch of one topic that is most of the session is told in parts all the same.
        parts = -(-(end - first) // longest)
        starts = [first + (end - first) * part // parts for part in range(parts)]
        segments += [Segment(start, after - 1) for start, after in zip(starts, (*starts[1:], end), strict=True)]
    return segments


class Topic(Struct, frozen=True):
    """Numbers of the first and the last turn of one topic, and what it is about."""

    first: int
    last: int
    title: str


def topics_of(recap: Recap, most: int) -> list[Topic]:
    turns, memory = recap.turns, recap.session.memory
    return [
        Topic(
            turns[segment.first].number,
            turns[segment.last].number,
            line_of(_spokesman(turns, segment, memory).request, _REQUEST_CHARS, memory),
        )
        for segment in segments_of(recap, most)
    ]


def timeline_items(
    recap: Recap,
    segments: Sequence[Segment],
    telling: Telling,
    *,
    known: str,
    room: Callable[[Sequence[str]], int],
    shown_elsewhere: Sequence[int] = (),
) -> list[Item]:
    """One for each segment: its turns, its request, and below it as much of its results as there is room for in all.

    `room` tells how many tokens lines leave of the budget.
    """
    turns = recap.turns
    heads = [_head(recap, segment, shown_elsewhere) for segment in segments]
    firsts = [segment.first for segment in segments]

    def segment_of(position: int) -> int:
        return bisect_right(firsts, position) - 1

    statements = [Statement(each.phrase.text, each.phrase.terms, each.turn, each.factor) for each in telling.results]
    made: dict[int, Item] = {}

    def result(position: int) -> Item:
        if position not in made:
            told = telling.results[position]
            made[position] = result_item(recap, told, Wording(told.phrase.text, told.phrase.shown))
        return made[position]

    def items_with(taken: Sequence[int]) -> list[Item]:
        results: list[list[Item]] = [[] for _ in segments]
        for position in sorted(taken):
            results[segment_of(telling.results[position].turn)].append(result(position))
        return [
            msgspec.structs.replace(head, children=tuple(told)) if told else head
            for head, told in zip(heads, results, strict=True)
        ]

    def left(taken: Sequence[int]) -> int:
        return room([timeline_line(item) for item in items_with(taken)])

    taken = chosen(
        statements,
        telling.weights,
        Room(
            costs=[each.phrase.item_tokens for each in telling.results],
            left=left,
            group=segment_of,
            most=lambda segment: _RESULTS_PER_SEGMENT,
        ),
        known=known,
        known_worth=_KNOWN_WORTH,
        taken=latest_results(statements)[:1],
    )
    # Costs add up only nearly: what was taken last goes first.
    while taken and left(taken) < 0:
        taken.pop()
    items = items_with(taken)
    for at, segment in enumerate(segments):
        if items[at].children:
            continue
        more = [*items[:at], _with_opening(recap, segment, items[at]), *items[at + 1 :]]
        items = more if room([timeline_line(item) for item in more]) >= 0 else items
    if turns and turns[-1].replied is None and not turns[-1].calls and not items[-1].children:
        items[-1] = msgspec.structs.replace(items[-1], children=(_unanswered(recap, turns[-1]),))
    return items


def timeline_line(item: Item) -> str:
    label = f"Turns {item.turn}–{item.to_turn}" if item.to_turn else f"Turn {item.turn}"
    head = f"- {label}: {item.wording.marked}"
    results = [child.wording.marked for child in item.children]
    if len(results) == 1:
        return f"{head} → {results[0]}"
    return "\n".join((head, *(f"  - {result}" for result in results)))


def _head(recap: Recap, segment: Segment, shown_elsewhere: Sequence[int]) -> Item:
    turns, memory = recap.turns, recap.session.memory
    first, last = turns[segment.first].number, turns[segment.last].number
    request = _spokesman(turns, segment, memory).request
    # What the page tells in whole somewhere else is only called to mind.
    room = _REMINDER_CHARS if request.place.offset in shown_elsewhere else _REQUEST_CHARS
    return Item(
        key=f"topic {request.turn} {request.at}",
        wording=worded(line_of(request, room, memory)),
        turn=first,
        to_turn=last if last != first else 0,
        at=turns[segment.first].request.at,
        cited=cited(recap, request.place),
    )


def _with_opening(recap: Recap, segment: Segment, item: Item) -> Item:
    """What was asked with how its answer begins, where nothing in that reads alone: beside its request it does."""
    turn = _spokesman(recap.turns, segment, recap.session.memory)
    opening = words_of_turn(turn, recap.session.memory).opening
    # What somebody is about to do is nothing that came of it.
    if not opening or narrates(opening):
        return item
    told = said_item(recap, turn, opening, worded(result_line(opening, _REQUEST_CHARS)))
    return msgspec.structs.replace(item, children=(told,))


def _unanswered(recap: Recap, turn: Turn) -> Item:
    wording = Wording(_NO_ANSWER, _NO_ANSWER)
    where = cited(recap, turn.request.place)
    return Item(key=f"unanswered {turn.number}", wording=wording, turn=turn.number, cited=where, ok=False)


def _spokesman(turns: Sequence[Turn], segment: Segment, memory: Memory) -> Turn:
    """The turn whose request names the segment's topic: the first that asks for something."""
    its_turns = [turns[position] for position in segment.positions[:_SPOKESMEN]]
    asking = [turn for turn in its_turns if is_substantive(turn.request.text)]
    named = (turn for turn in asking if names_matter(turn.request.text, words_of_turn(turn, memory).asked_terms))
    return next(named, (asking or its_turns)[0])


class Checkpoint(Struct, frozen=True):
    """A recap that was read, and by whom: from here on a reader knows nothing yet."""

    reader: str
    turn: int


def timeline_page(recap: Recap, *, room: int, checkpoints: Sequence[Checkpoint] = ()) -> Page:
    """The whole way of the conversation, in more parts than a full recap has, with the checkpoints on it."""
    turns = recap.turns
    head = head_of("timeline", turns[-1].number if turns else 0)
    if not turns:
        return Page(head, _commands(recap) or (Block(0, "- Nothing was asked yet."),))
    segments = segments_of(recap, _MAX_PARTS)
    marks = [_marks(recap, segment, checkpoints) for segment in segments]
    mark_lines = [[f"- ✓ {mark.wording.marked}" for mark in its_marks] for its_marks in marks]

    def with_marks(lines: Sequence[str]) -> list[str]:
        return [each for line, its_marks in zip(lines, mark_lines, strict=True) for each in (line, *its_marks)]

    items = timeline_items(
        recap,
        segments,
        telling_of(recap),
        known="",
        room=lambda lines: room - estimate_tokens("\n".join(with_marks(lines))),
    )
    # The oldest goes first when not even the requests fit.
    parts = [
        Block(
            len(items) - number,
            "\n".join((timeline_line(item), *mark_lines[number])),
            Section("timeline", "Timeline", (item, *marks[number]), len(items)),
        )
        for number, item in enumerate(items)
    ]
    return Page(head, tuple(parts))


def _commands(recap: Recap) -> tuple[Block, ...]:
    """What was asked by commands alone: they begin no turn. The oldest goes first."""
    items = [
        Item(
            key=f"command {request.at} {request.place.offset}",
            wording=worded(line_of(request, _REQUEST_CHARS, recap.session.memory)),
            turn=0,
            at=request.at,
            cited=cited(recap, request.place),
        )
        for request in recap.requests
    ]
    return tuple(
        Block(len(items) - at, f"- {item.wording.marked}", Section("timeline", "Timeline", (item,), len(items)))
        for at, item in enumerate(items)
    )


def _marks(recap: Recap, segment: Segment, checkpoints: Sequence[Checkpoint]) -> list[Item]:
    turns = recap.turns
    numbers = range(turns[segment.first].number, turns[segment.last].number + 1)
    found = []
    for number, reader in sorted((each.turn, each.reader) for each in checkpoints if each.turn in numbers):
        turn = turns[bisect_left(turns, number, segment.first, segment.last, key=lambda each: each.number)]
        found.append(
            Item(
                key=f"read {reader}",
                wording=joined(("recap read by ", worded(one_line(reader, 40)), f" up to turn {number}")),
                turn=number,
                cited=cited(recap, turn.replied or turn.request.place),
            )
        )
    return found
