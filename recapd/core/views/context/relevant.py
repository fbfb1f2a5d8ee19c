"""What was said about a matter, from anywhere in the conversation: passages in their order, each with who and when.

Of each message the passages that fit best are given, with what is between them left out: the more room, the less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count, pairwise
from math import pow
from typing import Final

from msgspec import Struct

from recapd.core.retrieval import Unit
from recapd.core.text import Features, counts_of, features_of, narrates, sentences_of, words_in
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


class FoundText(Struct, frozen=True, gc=False):
    """A passage as it is told, which may be for one prompt after another: its words, clean and without secrets, the
    same on one line, what that costs, and what it is compared with others by."""

    text: str
    line: str
    tokens: int
    # A bit for each of its words, by their numbers in the conversation, and how many these are: sets would say the same
    # in ten times as long, and each passage is compared with all that are chosen.
    words: int
    word_count: int
    features: Features


def found_text_of(text: str, numbers: Mapping[str, int], *, is_agent: bool) -> FoundText:
    """Of an agent's passage without what it only announced ("Let me check the logs."): that answers nothing, and the
    finding it led to stands further on. `numbers` has one for every word (see word_numbers)."""
    line = _without_announcements(flat(text)) if is_agent else flat(text)
    own = frozenset(words_in(text))
    words = 0
    for word in own:
        words |= 1 << numbers[word]
    return FoundText(text, line, cost(line), words, len(own), features_of(counts_of(text)))


def word_numbers() -> Mapping[str, int]:
    """Numbers the words of a conversation as they come: passages that are compared have theirs from the same. For any
    number of threads: at worst a word has two numbers, and no two words have the same."""
    return defaultdict(count().__next__)


def _without_announcements(line: str) -> str:
    sentences = list(sentences_of(line))
    kept = [number for number, sentence in enumerate(sentences) if not narrates(sentence)]
    if len(kept) == len(sentences):
        return line
    text = "".join(
        sentences[number] if number + 1 == after else f"{sentences[number].rstrip()}{_ELLIPSIS}"
        for number, after in zip(kept, [*kept[1:], len(sentences)], strict=False)
    )
    return text.strip()


class Found(Struct, frozen=True):
    """A passage that fits a prompt: whose, and where in its text."""

    unit: Unit
    start: int
    end: int
    passage: FoundText
    # 1 is the best of the search.
    score: float


def relevant_section(found: Sequence[Found], turns: Mapping[int, int], preset: Preset, room: int) -> Section | None:
    """The passages that fit best within the room, in the order they were said. `turns` numbers the rows of turns."""
    heading = preset.headings["relevant"]
    room -= cost(heading)
    chosen: dict[tuple[int, int, str], list[Found]] = {}
    # The words of what is chosen, and how many they are.
    told: list[tuple[int, int]] = []
    left_out = 0
    for each in sorted(found, key=_worth, reverse=True):
        if not each.passage.line or _is_told(each.passage, told):
            continue
        key = (each.unit.place.offset, each.unit.ordinal, each.unit.speaker)
        # A unit's passages stand on one line: the first pays for who and when.
        label = _label(each.unit, turns, preset) if key not in chosen else ""
        price = cost(label + each.passage.line) if label else each.passage.tokens + _ELLIPSIS_COST
        if price > room:
            left_out += price
            continue
        chosen.setdefault(key, []).append(each)
        if each.passage.word_count:
            told.append((each.passage.words, each.passage.word_count))
        room -= price
    if not chosen:
        return None
    ordered = [sorted(passages, key=lambda each: each.start) for _, passages in sorted(chosen.items())]
    lines = [_label(passages[0].unit, turns, preset) + _joined(passages) for passages in ordered]
    places = tuple(passages[0].unit.place for passages in ordered)
    return Section("relevant", "\n".join([heading, *lines]), places, left_out=left_out)


def _is_told(passage: FoundText, told: Sequence[tuple[int, int]]) -> bool:
    """Whether one of those that are told says the same."""
    words, own_count = passage.words, passage.word_count
    if not own_count:
        return False
    for other, its_count in told:
        if (words & other).bit_count() >= _SAME * (own_count if own_count < its_count else its_count):
            return True
    return False


def _worth(found: Found) -> float:
    """How well it fits, a little more where it is short: two short passages for one long one."""
    return found.score * pow(_USUAL_CHARS / (_LABEL_CHARS + len(found.passage.text)), _THRIFT)


def _joined(passages: Sequence[Found]) -> str:
    text = passages[0].passage.line
    for before, after in pairwise(passages):
        # Whitespace between neighbours is all that lies between them.
        text += (" " if after.start - before.end <= 2 else _ELLIPSIS) + after.passage.line
    return text


def _label(unit: Unit, turns: Mapping[int, int], preset: Preset) -> str:
    turn = turns.get(unit.turn_row, 0)
    return f"[{turn}] {preset.user if unit.speaker == 'user' else preset.agent}" if turn else ""
