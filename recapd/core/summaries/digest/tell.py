"""A chunk in a few sentences: what was asked, what came of it, what was changed. Deterministic, in the log's own words.

Sentences are chosen, never written: names, paths, numbers and errors stay exactly as they were said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core.log import Place
from recapd.core.summaries.digest.chunk import Chunk, Piece
from recapd.core.text import Piece as Statement
from recapd.core.text import excerpt, names_in, one_line, pieces_of, plain, take_fitting

# What a person asks stands in the first sentences; a pasted trace behind it is no part of the request.
REQUEST_CHARS: Final = 120
# Room of an episode. Less does not hold a request and its outcome; more is not a summary.
LEAST_CHARS: Final = 160
MOST_CHARS: Final = 900
_ACTION_CHARS: Final = 90
_MAX_ACTIONS: Final = 1
_TEMPLATE_MARKS: Final = ("#", "```", "~~~", "---")
# What the agent says last in a turn tells what came of it; what it says on the way is mostly superseded by that.
_FINAL_WORTH: Final = 1.0
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


def episode_of(chunk: Chunk, text: str) -> Episode:
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
    )


def told(chunk: Chunk, room: int) -> str:
    """At most about `room` characters: never "", for a chunk always holds something that was said or done."""
    room = min(max(room, LEAST_CHARS), MOST_CHARS)
    request = _request(chunk.pieces)
    parts = [f"“{request}”"] if request else []
    left = room - sum(map(len, parts))
    actions = _actions(chunk.pieces)
    reserved = min(len(actions), left // 3)
    said = _sentences(chunk.pieces, left - reserved)
    parts += [said] if said else []
    left = room - sum(len(part) + 1 for part in parts)
    if actions and (left >= _ACTION_CHARS or not said):
        parts.append(f"({one_line(actions, max(left, _ACTION_CHARS))})")
    if not parts:
        parts.append(excerpt(chunk.text, room))
    return " ".join(parts)


def _request(pieces: Sequence[Piece]) -> str:
    words = next((piece.text for piece in pieces if piece.voice == "user"), "")
    return request_in(words, REQUEST_CHARS)


def request_in(prompt: str, limit: int) -> str:
    """What a prompt asks, on one line: without the headings and fences of a template, unless it is nothing else."""
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
    return " ".join(_ended(found[number].text) for number in sorted(kept))


def _is_scrap(text: str) -> bool:
    """A heading that lost its section; scripts without spaces say more in fewer characters."""
    return text.isascii() and text.count(" ") < 2 and not names_in(text)


def _ended(sentence: str) -> str:
    return sentence if sentence[-1:] in ".!?…。！？:;" else f"{sentence}."


def _overlap(one: str, other: str) -> float:
    first, second = set(one.lower().split()), set(other.lower().split())
    return len(first & second) / max(min(len(first), len(second)), 1)


def _actions(pieces: Sequence[Piece]) -> str:
    """What was done: changes and failures first told, looking around only where nothing else happened."""
    done = [piece for piece in pieces if piece.voice == "action"]
    telling = [piece for piece in done if piece.changed or piece.failed] or done
    lines = list(dict.fromkeys(one_line(piece.text, _ACTION_CHARS) for piece in telling))
    shown = lines[-_MAX_ACTIONS:]
    more = f"; {len(lines) - len(shown)} more" if len(lines) > len(shown) else ""
    return "; ".join(shown) + more
