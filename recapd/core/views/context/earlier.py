"""What came before the messages that are given word for word: a rolling summary, then each turn in a line.

No hole and no overlap: a summary counts only as far as it ends before the first message word for word, and what lies
between is told turn by turn, from what the state keeps of each. What finds no room is named as left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final

from msgspec import Struct

from recapd.core.state import Memory, Transcript, Turn
from recapd.core.summaries import RollingSummary, live_utterances
from recapd.core.text import take_until_full
from recapd.core.views.context.lines import Section, begun_within, cost, said, said_in_line
from recapd.core.views.context.presets import Preset
from recapd.core.views.recap import line_of, words_of_turn

# Characters of request and outcome, from the shortest form of a turn to the fullest.
_FORMS: Final = ((70, 0), (90, 90), (140, 180), (180, 320))
# No turn is told in less, so more turns than the room holds need not be looked at.
_LEAST_TOKENS: Final = 6
# What naming the turns that find no room costs at most.
GAP_TOKENS: Final = 18


class Told(Struct, frozen=True):
    """A turn that comes before the window."""

    turn: Turn
    first: int
    last: int


class _Line(Struct, frozen=True, gc=False):
    """A turn in one form, and what that costs."""

    text: str
    tokens: int


def summary_text(summary: RollingSummary, preset: Preset, room: int, *, memory: Memory) -> str:
    """The summary, within the room of its section but for the heading and the gap behind it. It must not depend on
    anything that changes with the next message."""
    return memory.recall(_summary_text, (summary, room - cost(preset.headings["summary"]) - GAP_TOKENS), "summary")


def _summary_text(made_of: tuple[RollingSummary, int]) -> str:
    summary, room = made_of
    return begun_within(said(summary.text), room)


def turns_between(transcript: Transcript, first: int, before: int) -> list[Told]:
    """The turns with messages from `first` on that come before `before`, each in a line."""
    spans: dict[int, tuple[int, int]] = {}
    for each in live_utterances(transcript):
        if first <= each.message < before:
            low, _ = spans.get(each.turn_row, (each.message, each.message))
            spans[each.turn_row] = (low, each.message)
    # What was said before anybody asked for anything has no turn to tell it by: see unasked_between.
    rows = sorted((row for row in spans if row >= 0), key=lambda row: spans[row])
    return [Told(transcript.turns[row], *spans[row]) for row in rows]


def unasked_between(transcript: Transcript, first: int, before: int) -> int:
    """How many messages from `first` on, and before `before`, were said before anybody asked for anything."""
    said_first = takewhile(lambda each: each.turn_row < 0, live_utterances(transcript))
    return len({each.message for each in said_first if first <= each.message < before})


def earlier_section(
    preset: Preset,
    *,
    summary: RollingSummary | None,
    stored: str,
    told: Sequence[Told],
    unasked: int = 0,
    tell_unasked: Callable[[int], str] | None = None,
    through: int,
    room: int,
    memory: Memory,
) -> Section | None:
    """The stored summary and the turns after it: all of them if they fit in their shortest form, the latest more fully.

    `stored` is the summary's text as it was made to fit; `through` the last message the section stands for.
    Turns that find no room, and the `unasked` messages that belong to none, are named as left out, unless somebody
    tells them.
    """
    heading = preset.headings["summary"]
    count = f"{unasked} messages" if unasked > 1 else "1 message"
    before_all = [f"({count} before the first request left out)"] if unasked else []
    room -= cost(heading) + (cost(stored) if stored else 0)
    if before_all and tell_unasked is not None:
        # Where turns come later, they are what the room is for.
        before_all = said(tell_unasked(room // 2 if told else room)).splitlines() or before_all
    room -= sum(map(cost, before_all))
    if before_all and room < 0:
        return None
    missing, kept = _fitted(told, room, memory)
    lines = [heading, *([stored] if stored else []), *before_all]
    if missing:
        if not kept and room < GAP_TOKENS:
            return None
        lines.append(_gap(missing))
    lines += kept
    if len(lines) == 1:
        return None
    shown = told[len(missing) :]
    covered = (summary.coverage.first_place, summary.coverage.last_place) if summary is not None and stored else ()
    places = (*covered, *(each.turn.request.place for each in shown))
    # About what they would cost: making thousands of lines only to leave them out would cost more than the rest.
    left_out = sum(_LEAST_TOKENS + min(len(each.turn.request.text), _FORMS[0][0]) // 4 for each in missing)
    return Section("summary", "\n".join(lines), places, 0, through, left_out)


def _fitted(told: Sequence[Told], room: int, memory: Memory) -> tuple[Sequence[Told], list[str]]:
    """The turns that find no room, which are the oldest, and a line for each of the others."""
    considered = told[-max(room // _LEAST_TOKENS, 0) :] if room >= _LEAST_TOKENS else ()
    shortest: dict[int, _Line] = {}

    def cost_of(at: int) -> int:
        shortest[at] = _line(considered[at].turn, _FORMS[0], memory)
        return shortest[at].tokens

    room -= cost(_gap(told)) if told else 0
    taken = take_until_full(reversed(range(len(considered))), cost_of, room)
    room = taken.left
    lines = [shortest[at] for at in reversed(taken.positions)]
    missing = told[: len(told) - len(lines)]
    kept = told[len(missing) :]
    for at in range(len(lines) - 1, -1, -1):
        for form in reversed(_FORMS[1:]):
            fuller = _line(kept[at].turn, form, memory)
            if (more := fuller.tokens - lines[at].tokens) <= room:
                lines[at] = fuller
                room -= more
                break
        else:
            break
    return missing, [line.text for line in lines]


def _line(turn: Turn, form: tuple[int, int], memory: Memory) -> _Line:
    """The next prompt tells the same turns, most of them in the same form."""
    return memory.recall(_made_line, turn, (turn.number, form), form, memory)


def _made_line(turn: Turn, form: tuple[int, int], memory: Memory) -> _Line:
    text = _told_in(turn, form, memory)
    return _Line(text, cost(text))


def _told_in(turn: Turn, form: tuple[int, int], memory: Memory) -> str:
    asked_chars, outcome_chars = form
    asked = said_in_line(line_of(turn.request, asked_chars, memory), asked_chars)
    # What only announces the next step is no outcome.
    told = words_of_turn(turn, memory).told_or_asked if outcome_chars else ()
    results = [line.rstrip(" .。;；") for line, _ in told]
    outcome = said_in_line("; ".join(results), outcome_chars)
    if outcome:
        return f"[{turn.number}] {asked} → {outcome}"
    return f"[{turn.number}] {asked}" + ("" if turn.calls or turn.outcome else " → no answer")


def _gap(missing: Sequence[Told]) -> str:
    first, last = missing[0].turn.number, missing[-1].turn.number
    return f"(turn {first} left out)" if first == last else f"(turns {first}–{last} left out)"
