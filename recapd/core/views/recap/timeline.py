"""How a conversation went: its turns as a few segments of one topic each, with what was asked and what came of it.

    turns ─segments_of─▶ segments ─told─▶ statements chosen within a budget ─▶ lines

A segment goes on as long as the human speaks of the same things or only nods; a new one begins with other words or
after a long gap. Saved recaps are checkpoints between segments.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from recapd.core.state import Memory, Turn
from recapd.core.text import PAGE_HEADS, Part, estimate_tokens, is_substantive, one_line
from recapd.core.views.recap.page import Page
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import line_of, names_matter
from recapd.core.views.recap.results import latest_results, words_of_turn
from recapd.core.views.recap.telling import Telling, breaks_of, telling_of
from recapd.core.views.recap.terms import Room, Statement, chosen
from recapd.core.views.recap.words import said

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


def timeline_lines(
    recap: Recap,
    segments: Sequence[Segment],
    telling: Telling,
    *,
    known: str,
    room: Callable[[Sequence[str]], int],
    shown_elsewhere: Sequence[int] = (),
) -> list[str]:
    """One item for each segment: its turns, its request, and as much of its results as there is room for in all.

    `room` tells how many tokens lines leave of the budget.
    """
    turns = recap.turns
    heads = [_head(recap, segment, shown_elsewhere) for segment in segments]
    firsts = [segment.first for segment in segments]

    def segment_of(position: int) -> int:
        return bisect_right(firsts, position) - 1

    statements = [Statement(each.phrase.text, each.phrase.terms, each.turn, each.factor) for each in telling.results]

    def lines_with(taken: Sequence[int]) -> list[str]:
        results: list[list[str]] = [[] for _ in segments]
        for position in sorted(taken):
            told = telling.results[position]
            results[segment_of(told.turn)].append(told.phrase.shown)
        return [_item(head, told) for head, told in zip(heads, results, strict=True)]

    taken = chosen(
        statements,
        telling.weights,
        Room(
            costs=[each.phrase.item_tokens for each in telling.results],
            left=lambda taken: room(lines_with(taken)),
            group=segment_of,
            most=lambda segment: _RESULTS_PER_SEGMENT,
        ),
        known=known,
        known_worth=_KNOWN_WORTH,
        taken=latest_results(statements)[:1],
    )
    # Costs add up only nearly: what was taken last goes first.
    while taken and room(lines_with(taken)) < 0:
        taken.pop()
    lines = lines_with(taken)
    if turns and turns[-1].replied is None and not turns[-1].calls and lines[-1] == heads[-1]:
        lines[-1] += " → no answer"
    return lines


def _head(recap: Recap, segment: Segment, shown_elsewhere: Sequence[int]) -> str:
    turns, memory = recap.turns, recap.session.memory
    first, last = turns[segment.first].number, turns[segment.last].number
    label = f"Turn {first}" if first == last else f"Turns {first}–{last}"
    request = _spokesman(turns, segment, memory).request
    # What the page tells in whole somewhere else is only called to mind.
    room = _REMINDER_CHARS if request.place.offset in shown_elsewhere else _REQUEST_CHARS
    return f"- {label}: {said(line_of(request, room, memory))}"


def _item(head: str, results: Sequence[str]) -> str:
    if len(results) == 1:
        return f"{head} → {results[0]}"
    return "\n".join((head, *(f"  - {result}" for result in results)))


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
    head = f"{PAGE_HEADS['timeline']} (turn {turns[-1].number if turns else 0})"
    if not turns:
        return Page(head, (Part(0, "- Nothing was asked yet."),))
    segments = segments_of(recap, _MAX_PARTS)
    marks = {number: _marks(turns, segment, checkpoints) for number, segment in enumerate(segments)}

    def with_marks(lines: Sequence[str]) -> list[str]:
        return [each for number, line in enumerate(lines) for each in (line, *marks[number])]

    lines = timeline_lines(
        recap,
        segments,
        telling_of(recap),
        known="",
        room=lambda lines: room - estimate_tokens("\n".join(with_marks(lines))),
    )
    # The oldest goes first when not even the requests fit.
    parts = [Part(len(lines) - number, "\n".join((line, *marks[number]))) for number, line in enumerate(lines)]
    return Page(head, tuple(parts))


def _marks(turns: Sequence[Turn], segment: Segment, checkpoints: Sequence[Checkpoint]) -> list[str]:
    numbers = range(turns[segment.first].number, turns[segment.last].number + 1)
    here = sorted((each.turn, each.reader) for each in checkpoints if each.turn in numbers)
    return [f"- ✓ recap read by {said(one_line(reader, 40))} up to turn {turn}" for turn, reader in here]
