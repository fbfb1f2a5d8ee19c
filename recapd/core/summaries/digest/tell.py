"""A chunk in a few sentences: what was asked, what came of it, what was changed. Deterministic, in the log's own words.

Sentences are chosen, never written: names, paths, numbers and errors stay exactly as they were said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core.log import Place
from recapd.core.summaries.closed import closed
from recapd.core.summaries.digest.chunk import Chunk, Piece
from recapd.core.text import Piece as Statement
from recapd.core.text import (
    excerpt,
    names_in,
    one_line,
    pieces_of,
    plain,
    points_back,
    take_fitting,
    whole_statements,
)

# What a person asks stands in the first sentences; a pasted trace behind it is no part of the request.
REQUEST_CHARS: Final = 120
# Room of an episode. Less does not hold a request and its outcome; more is not a summary.
LEAST_CHARS: Final = 160
MOST_CHARS: Final = 900
_ACTION_CHARS: Final = 90
# One part in so many of what is told is for what was done.
_DEEDS_SHARE: Final = 3
# Brackets, and how many more there were.
_MORE_CHARS: Final = 12
_ANNOUNCING: Final = (":", "：")
_TEMPLATE_MARKS: Final = ("#", "```", "~~~", "---")
# What the agent says last in a turn tells what came of it; what it says on the way is mostly superseded by that.
_FINAL_WORTH: Final = 1.0
# How much a statement tells by its sort. What is said on the way is mostly superseded by what is said last; what the
# agent wrote down or the human answered was meant to last. (Measured by tests/eval/digests.py: digests of 1,000 tokens
# hold 0.86 of the points of labelled sessions where what is said on the way weighs four times as much, and 0.87 so.)
_ON_THE_WAY: Final = 0.05
_WRITTEN_FACTOR: Final = 1.2
_REQUEST_FACTOR: Final = 0.02
_DEEDS_FACTOR: Final = 0.02
_DEEDS_CHARS: Final = 160
# Two sentences that share this much of their words say the same.
_SAME: Final = 0.7


class Episode(Struct, frozen=True):
    """A chunk told: its sentences, and the stretch of the conversation they stand for."""

    text: str
    first_message: int
    last_message: int
    first_turn: int
    last_turn: int
    place: Place
    # Characters it was told from, and the calls in it that changed something.
    chars: int = 0
    consequences: int = 0
    # What the human asked, where a prompt is part of it.
    request: str = ""
    # What may be told of it, in its order; None where somebody else told it, and the text is all there is.
    statements: tuple[Candidate, ...] | None = None


class Candidate(Struct, frozen=True, gc=False):
    """One statement of an episode, and how much it tells beside others of its length."""

    text: str
    factor: float = 1.0


def episode_of(chunk: Chunk, text: str, statements: tuple[Candidate, ...] | None = None) -> Episode:
    """A chunk and what somebody (we, or a model) says of it."""
    pieces = chunk.pieces
    return Episode(
        text,
        pieces[0].message,
        max(piece.message for piece in pieces),
        chunk.first_turn,
        max(piece.turn for piece in pieces),
        pieces[0].place,
        chunk.chars,
        chunk.consequences,
        _request(pieces),
        statements,
    )


def statements_of(chunk: Chunk, results: dict[int, Sequence[Candidate]]) -> Iterator[Candidate]:
    """What the human asked, what the agent said in words that read alone, what it left in writing, what it did.

    `results` has what came of turns, where that is known already: it stands where the last words of the turn begin, in
    their place, and is taken out.
    """
    pieces = chunk.pieces
    if request := _request(pieces):
        yield Candidate(f"“{request}”", _REQUEST_FACTOR)
    for _, group in groupby(pieces, key=lambda piece: (piece.voice, piece.message, piece.is_final)):
        said = list(group)
        if said[0].is_final and said[0].turn in results:
            yield from results[said[0].turn]
            results[said[0].turn] = ()
        elif said[0].voice == "agent":
            factor = 1.0 if said[0].is_final else _ON_THE_WAY
            whole = whole_statements("\n\n".join(piece.text for piece in said))
            yield from (candidate_of(each.text, each.factor * factor) for each in whole if not points_back(each.text))
        yield from (candidate_of(piece.text, _WRITTEN_FACTOR) for piece in said if piece.is_written)
    deeds = [piece for piece in pieces if piece.voice == "action" and not piece.is_written]
    if done := _actions(deeds, _DEEDS_CHARS):
        yield Candidate(f"({done})", _DEEDS_FACTOR)


def candidate_of(text: str, factor: float) -> Candidate:
    return Candidate(closed(text), factor)


def told(chunk: Chunk, room: int) -> str:
    """At most about `room` characters: never "", for a chunk always holds something that was said or done."""
    room = min(max(room, LEAST_CHARS), MOST_CHARS)
    request = _request(chunk.pieces)
    parts = [f"“{request}”"] if request else []
    written = [one_line(piece.text, room) for piece in chunk.pieces if piece.is_written]
    left = room - sum(len(part) + 1 for part in (*parts, *written))
    deeds = [piece for piece in chunk.pieces if piece.voice == "action" and not piece.is_written]
    said = _sentences(chunk.pieces, left - left // _DEEDS_SHARE if deeds else left)
    parts += [said] if said else []
    parts += map(closed, dict.fromkeys(written))
    left = room - sum(len(part) + 1 for part in parts)
    if actions := _actions(deeds, left if parts else room):
        parts.append(f"({actions})")
    if not parts:
        parts.append(excerpt(chunk.text, room))
    return " ".join(parts)


def _request(pieces: Sequence[Piece]) -> str:
    said = [piece.text for piece in pieces if piece.voice == "user"][:2]
    # A first paragraph that only announces what is asked says nothing of it.
    words = "\n\n".join(said if said and said[0].rstrip().endswith(_ANNOUNCING) else said[:1])
    return request_in(words, REQUEST_CHARS)


def request_in(prompt: str, limit: int) -> str:
    """What a prompt asks, on one line: without the headings and fences of a template, unless it is nothing else. What a
    plan or a task is called, that its first line only announces, is what is asked."""
    written = [line for line in prompt.split("\n") if line.strip()]
    if len(written) > 1 and written[0].rstrip().endswith(_ANNOUNCING) and written[1].lstrip().startswith("#"):
        called = written[1].lstrip("# \t")
        return excerpt(plain(f"{written[0].strip()} {called}"), limit)
    lines = [line for line in prompt.split("\n") if not line.lstrip().startswith(_TEMPLATE_MARKS)]
    return excerpt(plain("\n".join(lines)), limit) or excerpt(prompt, limit)


def _sentences(pieces: Sequence[Piece], room: int) -> str:
    """The agent's sentences that say most, in their order, none of them twice."""
    found: list[Statement] = []
    for is_final in (False, True):
        words = "\n\n".join(each.text for each in pieces if each.voice == "agent" and each.is_final is is_final)
        bonus = _FINAL_WORTH if is_final else 0.0
        found += [msgspec.structs.replace(each, worth=each.worth + bonus) for each in pieces_of(words)]
    order = sorted(range(len(found)), key=lambda number: (-found[number].worth, number))

    def is_wanted(number: int, taken: Sequence[int]) -> bool:
        text = found[number].text
        if (found[number].worth <= 0 and taken) or _is_scrap(text):
            return False
        return not any(_overlap(text, found[other].text) >= _SAME for other in taken)

    kept = take_fitting(order, lambda number: len(found[number].text) + 1, room, is_wanted=is_wanted).positions
    if not kept and order and room > 40:
        return one_line(found[order[0]].text, room)
    return " ".join(closed(found[number].text) for number in sorted(kept))


def _is_scrap(text: str) -> bool:
    """A heading that lost its section; scripts without spaces say more in fewer characters."""
    return text.isascii() and text.count(" ") < 2 and not names_in(text)


def _overlap(one: str, other: str) -> float:
    first, second = set(one.lower().split()), set(other.lower().split())
    return len(first & second) / max(min(len(first), len(second)), 1)


def _actions(deeds: Sequence[Piece], room: int) -> str:
    """What was done, as much as finds room, the latest first: changes and failures, looking around only where nothing
    else happened."""
    telling = [piece for piece in deeds if piece.changed or piece.failed] or deeds
    lines = list(dict.fromkeys(one_line(piece.text, _ACTION_CHARS) for piece in telling))
    order = range(len(lines) - 1, -1, -1)
    shown = sorted(take_fitting(order, lambda at: len(lines[at]) + 2, room - _MORE_CHARS).positions)
    if not shown:
        return ""
    more = f"; {len(lines) - len(shown)} more" if len(lines) > len(shown) else ""
    return "; ".join(lines[at] for at in shown) + more
