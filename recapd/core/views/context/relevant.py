"""What was said about a matter, from anywhere in the conversation: passages in their order, each with who and when.

Of each message the passages that fit best are given, with what is between them left out: the more room, the less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import pow
from typing import Final

from msgspec import Struct

from recapd.core.retrieval import Unit
from recapd.core.text import words_in
from recapd.core.views.context.lines import Section, cost, flat
from recapd.core.views.context.presets import Preset

# Two passages that share this many of the shorter one's words say the same.
_SAME: Final = 0.85
_USUAL_CHARS: Final = 300
_LABEL_CHARS: Final = 60
# From 0 to 0.3 the same questions were answered, and with more of it more of what a statement rests on was found.
_THRIFT: Final = 0.2
_ELLIPSIS: Final = " … "
_ELLIPSIS_COST: Final = 3


class Found(Struct, frozen=True):
    """A passage that fits a prompt: whose, where in its text, and its words, clean and without secrets."""

    unit: Unit
    start: int
    end: int
    text: str
    # 1 is the best of the search.
    score: float


def relevant_section(found: Sequence[Found], turns: Mapping[int, int], preset: Preset, room: int) -> Section | None:
    """The passages that fit best within the room, in the order they were said. `turns` numbers the rows of turns."""
    heading = preset.headings["relevant"]
    room -= cost(heading)
    chosen: dict[tuple[int, int, str], list[Found]] = {}
    words: list[set[str]] = []
    left_out = 0
    for each in sorted(found, key=_worth, reverse=True):
        its_words = set(words_in(each.text))
        if any(_is_same(its_words, other) for other in words):
            continue
        key = (each.unit.place.offset, each.unit.ordinal, each.unit.speaker)
        # A unit's passages stand on one line: the first pays for who and when.
        label = _label(each.unit, turns, preset) if key not in chosen else ""
        price = cost(label + flat(each.text)) + (0 if label else _ELLIPSIS_COST)
        if price > room:
            left_out += price
            continue
        chosen.setdefault(key, []).append(each)
        words.append(its_words)
        room -= price
    if not chosen:
        return None
    ordered = [sorted(passages, key=lambda each: each.start) for _, passages in sorted(chosen.items())]
    lines = [_label(passages[0].unit, turns, preset) + _joined(passages) for passages in ordered]
    places = tuple(passages[0].unit.place for passages in ordered)
    return Section("relevant", "\n".join([heading, *lines]), places, left_out=left_out)


def _worth(found: Found) -> float:
    """How well it fits, a little more where it is short: two short passages for one long one."""
    return found.score * pow(_USUAL_CHARS / (_LABEL_CHARS + len(found.text)), _THRIFT)


def _joined(passages: Sequence[Found]) -> str:
    text = flat(passages[0].text)
    for before, after in pairwise(passages):
        # Whitespace between neighbours is all that lies between them.
        text += (" " if after.start - before.end <= 2 else _ELLIPSIS) + flat(after.text)
    return text


def _label(unit: Unit, turns: Mapping[int, int], preset: Preset) -> str:
    turn = turns.get(unit.turn_row, 0)
    return f"[{turn}] {preset.user if unit.speaker == 'user' else preset.agent}" if turn else ""


def _is_same(one: set[str], other: set[str]) -> bool:
    least = min(len(one), len(other))
    return least > 0 and len(one & other) >= _SAME * least
