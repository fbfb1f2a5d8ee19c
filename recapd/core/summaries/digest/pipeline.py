"""The pipeline in one piece: from the beats of a session to a text within a budget.

`chunked` and `finished` are two steps, so that somebody (a model) may tell the chunks in between; who tells none, or
fails at one, gets the chunk told by its own sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from recapd.core.settings import DigestSettings
from recapd.core.summaries.digest.chunk import Chunk, chunks_of
from recapd.core.summaries.digest.merge import merged_chunks
from recapd.core.summaries.digest.score import scores_of
from recapd.core.summaries.digest.script import Beat
from recapd.core.summaries.digest.select import Frame, selected
from recapd.core.summaries.digest.tell import (
    LEAST_CHARS,
    MOST_CHARS,
    Candidate,
    Episode,
    episode_of,
    statements_of,
    told,
)

# Characters to a token, roughly: only how long an episode is told depends on it, never whether the budget holds.
_CHARS_PER_TOKEN = 4
# About what an episode takes.
_EPISODE_CHARS = 320
# A digest tells so many episodes; with fewer, each gets more room.
_EPISODES = 12
_LEAST_EPISODES = 3


class Digest(Struct, frozen=True):
    text: str
    tokens: int
    # All of them, in order; and the numbers of those in the text.
    episodes: tuple[Episode, ...]
    shown: tuple[int, ...]


def chunked(beats: Sequence[Beat], settings: DigestSettings, *, budget: int) -> tuple[list[Chunk], int]:
    """Chunks after merging, and how many there were before.

    None stands for more than its share of the whole: what was one long turn still fills the budget.
    """
    raw = chunks_of(beats, settings)
    share = sum(chunk.chars for chunk in raw) // max(_CHARS_PER_TOKEN * budget // _EPISODE_CHARS, 1)
    most = min(settings.max_chunk_chars, max(share, LEAST_CHARS))
    return merged_chunks(raw, settings, most_chars=most), len(raw)


def episodes_of(
    chunks: Sequence[Chunk],
    *,
    budget: int,
    by_others: Mapping[int, str] | None = None,
    results: Mapping[int, Sequence[Candidate]] | None = None,
) -> list[Episode]:
    """Each chunk told; `by_others` has texts for some of them, by number, and `results` what came of turns."""
    room = room_of(len(chunks), budget)
    given, left = by_others or {}, dict(results or {})
    return [
        episode_of(chunk, given[number])
        if number in given
        else episode_of(chunk, told(chunk, room), tuple(statements_of(chunk, left)))
        for number, chunk in enumerate(chunks)
    ]


def room_of(chunks: int, budget: int) -> int:
    """Characters an episode may take."""
    share = _CHARS_PER_TOKEN * budget // max(_LEAST_EPISODES, min(chunks, _EPISODES))
    return min(max(share, LEAST_CHARS), MOST_CHARS)


def digest_of(
    beats: Sequence[Beat],
    settings: DigestSettings,
    *,
    budget: int,
    frame: Frame,
    earlier: Sequence[str] = (),
) -> Digest:
    """Everything by our own means."""
    chunks, _ = chunked(beats, settings, budget=budget)
    return finished(episodes_of(chunks, budget=budget), settings, budget=budget, frame=frame, earlier=earlier)


def finished(
    episodes: Sequence[Episode],
    settings: DigestSettings,
    *,
    budget: int,
    frame: Frame,
    earlier: Sequence[str] = (),
) -> Digest:
    """Score, select, write down."""
    chosen = selected(episodes, scores_of(episodes, earlier, settings), budget=budget, frame=frame)
    return Digest(chosen.text, chosen.tokens, tuple(episodes), chosen.episodes)
