"""A turn with what stood right before and right after it: all that is looked at to judge what is said in it."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.state import Chunked, Passage, is_beginning

# Passages of the turn before that the human may be answering: the agent's last message may be logged in pieces.
_BEFORE = 4
# Turns before the last whose options a choice may still be of.
_OFFERED_BEFORE = 2
# Messages of the human that a later one may repeat, and changes worth counting.
_ASKED_BEFORE = 3
_MANY_EDITS = 60
# A turn without end (an agent working alone for a day) is judged in pieces.
MAX_PASSAGES = 400

# Messages that wait for the agent at one time, at most, and for so many messages of the human.
_MAX_WAITING = 50
_WAITING_TURNS = 8
# Turns at the end whose scenes may yet be cut otherwise: what waits may come back, what is said next belongs to them.
_OPEN_TURNS = _WAITING_TURNS + 2

# A passage, and which of the transcript's it is.
_Numbered: TypeAlias = tuple[int, Passage]

_HUMAN = frozenset(("prompt", "queued", "command", "rejected"))


class Scene(Struct, frozen=True, gc=False):
    """`passages` begin with the human's message, but for the first scene of a log that starts in mid-conversation."""

    passages: tuple[Passage, ...]
    # The agent's words the human had before their eyes.
    before: tuple[Passage, ...] = ()
    # What the human said next, and how the agent then closed.
    after: Passage | None = None
    after_closing: Passage | None = None
    # How many turns stood before it.
    number: int = 0
    # The human's messages before it, the latest last; what was changed until then; whether the human had cut in.
    asked_before: tuple[Passage, ...] = ()
    edits_before: int = 0
    is_after_stop: bool = False
    # How the agent closed the turns before the last, the latest last.
    offered_before: tuple[Passage, ...] = ()


class Cut(Struct, frozen=True):
    """How far a conversation is cut for good, and what the next scene has to know of those before it."""

    # The passages it was cut from, and which of them is the first that may still be cut otherwise.
    passages: Chunked[Passage] = Chunked()
    start: int = 0
    number: int = 0
    before: tuple[Passage, ...] = ()
    asked: tuple[Passage, ...] = ()
    edits: int = 0
    is_stopped: bool = False
    offered: tuple[Passage, ...] = ()


_UNCUT: Final = Cut()


def scenes_of(passages: Chunked[Passage]) -> list[Scene]:
    """The transcript cut at every message of the human."""
    return scenes_after(_UNCUT, passages)[0]


def continues(cut: Cut, passages: Chunked[Passage]) -> bool:
    """Whether what was cut is still so."""
    return is_beginning(cut.passages, passages)


def scenes_after(cut: Cut, passages: Chunked[Passage]) -> tuple[list[Scene], Cut]:
    """The scenes of passages that go on from those that were cut, and how far they are cut for good now."""
    turns = _turns_in([*enumerate(passages.since(cut.start), cut.start)])
    scenes: list[Scene] = []
    asked_from = [number for number, turn in enumerate(turns) if turn[0][1].kind == "prompt"][-_OPEN_TURNS:]
    settled = max(asked_from[0] if len(asked_from) == _OPEN_TURNS else 0, _last_piece(turns))
    first, now = cut.number, cut
    for number, turn in enumerate([[passage for _, passage in turn] for turn in turns]):
        if number == settled:
            cut = msgspec.structs.replace(now, passages=passages, start=turns[number][0][0])
        following = turns[number + 1] if number + 1 < len(turns) else []
        after = following[0][1] if following and following[0][1].kind == "prompt" else None
        closing = None
        if after is not None:
            closing = next((passage for _, passage in reversed(following) if passage.kind == "reply"), None)
        edits = min(now.edits, _MANY_EDITS)
        scenes.append(
            Scene(
                tuple(turn),
                now.before,
                after,
                closing,
                first + number,
                now.asked,
                edits,
                now.is_stopped,
                now.offered,
            )
        )
        said = [passage for passage in turn if passage.kind in ("reply", "plan")]
        asked = (*now.asked, *(passage for passage in turn[:1] if passage.kind == "prompt"))
        now = Cut(
            number=first + number + 1,
            before=tuple(said[-_BEFORE:]) if said else now.before,
            asked=asked[-_ASKED_BEFORE:],
            edits=now.edits + sum(passage.kind == "edit" for passage in turn),
            is_stopped=any(passage.kind == "stopped" for passage in turn),
            offered=(*now.offered, *now.before[-1:])[-_OFFERED_BEFORE:] if said else now.offered,
        )
    return scenes, cut


def _last_piece(turns: list[list[_Numbered]]) -> int:
    """The last piece of a turn without end before which nothing is cut otherwise any more: the agent goes on in it,
    and nothing waits that could come back."""
    last = 0
    for number, turn in enumerate(turns):
        if number and turn[0][1].kind != "prompt":
            last = number
        if any(passage.kind == "queued" for _, passage in turn):
            break
    return last


def _turns_in(passages: list[_Numbered]) -> list[list[_Numbered]]:
    cuts: list[list[_Numbered]] = [[]]
    for numbered in _once(passages):
        if numbered[1].kind == "prompt" or len(cuts[-1]) >= MAX_PASSAGES:
            cuts.append([])
        cuts[-1].append(numbered)
    return [cut for cut in cuts if cut]


def _once(passages: list[_Numbered]) -> list[_Numbered]:
    """Words that waited in the queue and came back as a message, or were taken back, are not heard twice."""
    gone: set[int] = set()
    # Which they are, and how many messages of the human came before them.
    waiting: list[tuple[int, int]] = []
    prompts = 0
    for index, (_, passage) in enumerate(passages):
        if passage.kind == "queued":
            waiting.append((index, prompts))
        elif passage.kind in ("unqueued", "prompt") and waiting:
            waiting = [each for each in waiting[-_MAX_WAITING:] if prompts - each[1] < _WAITING_TURNS]
            everything = passage.kind == "unqueued" and not passage.text
            gone.update(at for at, _ in waiting if everything or passages[at][1].text.strip() in passage.text)
            waiting = [each for each in waiting if each[0] not in gone]
        prompts += passage.kind == "prompt"
    return [each for index, each in enumerate(passages) if index not in gone and each[1].kind != "unqueued"]


def is_human(passage: Passage) -> bool:
    return passage.kind in _HUMAN
