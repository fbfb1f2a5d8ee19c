"""A turn with what stood right before and right after it: all that is looked at to judge what is said in it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from recapd.core.state import Passage

# Passages of the turn before that the human may be answering: the agent's last message may be logged in pieces.
_BEFORE = 4
# Messages of the human that a later one may repeat, and changes worth counting.
_ASKED_BEFORE = 3
_MANY_EDITS = 60
# A turn without end (an agent working alone for a day) is judged in pieces.
MAX_PASSAGES = 400

# Messages that wait for the agent at one time, at most.
_MAX_WAITING = 50

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


def scenes_of(passages: Iterable[Passage]) -> list[Scene]:
    """The transcript cut at every message of the human."""
    cuts: list[list[Passage]] = [[]]
    for passage in _once(list(passages)):
        if passage.kind == "prompt" or len(cuts[-1]) >= MAX_PASSAGES:
            cuts.append([])
        cuts[-1].append(passage)
    turns = [cut for cut in cuts if cut]
    scenes: list[Scene] = []
    before: tuple[Passage, ...] = ()
    asked: tuple[Passage, ...] = ()
    edits = 0
    is_stopped = False
    for number, turn in enumerate(turns):
        following = turns[number + 1][0] if number + 1 < len(turns) else None
        after = following if following is not None and following.kind == "prompt" else None
        closing = None
        if after is not None:
            closing = next((passage for passage in reversed(turns[number + 1]) if passage.kind == "reply"), None)
        scenes.append(Scene(tuple(turn), before, after, closing, number, asked, min(edits, _MANY_EDITS), is_stopped))
        asked = (*asked, *(passage for passage in turn[:1] if passage.kind == "prompt"))[-_ASKED_BEFORE:]
        edits += sum(passage.kind == "edit" for passage in turn)
        is_stopped = any(passage.kind == "stopped" for passage in turn)
        said = [passage for passage in turn if passage.kind in ("reply", "plan")]
        if said:
            before = tuple(said[-_BEFORE:])
    return scenes


def _once(passages: list[Passage]) -> list[Passage]:
    """Words that waited in the queue and came back as a message, or were taken back, are not heard twice."""
    gone: set[int] = set()
    waiting: list[int] = []
    for index, passage in enumerate(passages):
        if passage.kind == "queued":
            waiting.append(index)
        elif passage.kind in ("unqueued", "prompt") and waiting:
            everything = passage.kind == "unqueued" and not passage.text
            back = [at for at in waiting[-_MAX_WAITING:] if everything or passages[at].text.strip() in passage.text]
            gone.update(back)
            waiting = [at for at in waiting[-_MAX_WAITING:] if at not in gone]
    return [passage for index, passage in enumerate(passages) if index not in gone and passage.kind != "unqueued"]


def is_human(passage: Passage) -> bool:
    return passage.kind in _HUMAN
