"""What the agent wrote down itself: the recap it left for the human who was away, and what it was about to forget.

Owns: which of its summaries still counts. What their parts say is `core/text/sections`'s to read. Looks at the last and
the first passages alone, so it costs the same however long a session is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Final

from recapd.core import late_re as re
from recapd.core.log import Place
from recapd.core.state import OpenItem, Passage
from recapd.core.text import (
    blocks_in,
    pending_in,
    presentable,
    requested_in,
    sentences_of,
    terms_of,
    words_of_sentence,
)
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import words_of_turn

# So far back, or from the beginning, a summary is looked for.
_PASSAGES: Final = 200
_AWAY_PASSAGES: Final = 4
_FIRST_PASSAGES: Final = 8
_PENDING: Final = 4
_PENDING_CHARS: Final = 240
# A task is taken up where a later turn names so much of it.
_NAMED_SHARE: Final = 0.5
_TURNS: Final = 64
# The part of a summary that says what is done.
_DONE_RE: Final = re.compile(r"\b(?:completed|done|finished|accomplished)\b", re.IGNORECASE)


def away_recap(recap: Recap) -> Passage | None:
    """What the agent wrote for the human who was away, where nothing came after it."""
    last = recap.turns[-1] if recap.turns else None
    if last is None or last.replied is None:
        return None
    end = last.replied.offset
    transcript = recap.session.main.transcript
    forgot = next((each for each in reversed(transcript.landmarks) if each.kind == "compaction"), None)
    if forgot is not None and forgot.place.offset > end:
        return None
    latest = islice(reversed(transcript.passages), _AWAY_PASSAGES)
    return next((each for each in latest if each.kind == "summary" and each.place.offset > end), None)


def away_words(passage: Passage, limit: int) -> str:
    """As many of its sentences as there is room for, each whole."""
    told = ""
    for sentence in sentences_of(presentable(passage.text)):
        words = words_of_sentence(sentence)
        if told and len(told) + len(words) + 1 > limit:
            break
        told = f"{told} {words}".strip()
    return told


def requested_before(recap: Recap, asked: Place) -> tuple[str, Passage] | None:
    """What was asked before the log begins, by the summary that it begins with."""
    for passage in islice(recap.session.main.transcript.passages, _FIRST_PASSAGES):
        is_before = passage.kind == "summary" and passage.place.offset < asked.offset
        if is_before and (request := recap.session.memory.recall(_requested_by, passage, passage.place.offset)):
            return request, passage
    return None


def requested_in_time(recap: Recap, asked: Place) -> tuple[str, Passage] | None:
    """What was asked in the beginning, by the first summary behind that: the agent forgot nothing before it."""
    transcript = recap.session.main.transcript
    forgot = (
        each.place for each in transcript.landmarks if each.kind == "compaction" and each.place.offset > asked.offset
    )
    place = next(forgot, None)
    if place is None:
        return None
    at = bisect_left(transcript.passages, place.offset, key=lambda passage: passage.place.offset)
    near = islice(transcript.passages.since(at), _FIRST_PASSAGES)
    summary = next((each for each in near if each.kind == "summary"), None)
    if summary is None:
        return None
    request = recap.session.memory.recall(_requested_by, summary, summary.place.offset)
    return (request, summary) if request else None


def _requested_by(summary: Passage) -> str:
    """The request a summary begins with; empty if it names none, or only below what was done."""
    said = presentable(summary.text)
    request = requested_in(said)
    return request if _is_first(request, said) else ""


def _is_first(request: str, summary: str) -> bool:
    """Whether nothing that was done stands above it: below that stands what was wanted next."""
    for block in blocks_in(summary):
        if request in words_of_sentence(" ".join(block.text.split())):
            return True
        if block.sort == "heading" and _DONE_RE.search(block.text):
            return False
    return True


def pending_items(recap: Recap) -> list[OpenItem]:
    """What the last summary lists as yet to be done, but for what a later turn names."""
    latest = islice(reversed(recap.session.main.transcript.passages), _PASSAGES)
    passage = next((each for each in latest if each.kind == "summary"), None)
    if passage is None:
        return []
    listed = recap.session.memory.recall(_listed_in, passage, "pending")
    named = [terms.keys() for terms in _terms_since(recap, passage)] if listed else []
    found: list[OpenItem] = []
    for text, terms in listed:
        is_named = any(len(terms & each) >= len(terms) * _NAMED_SHARE for each in named)
        if not is_named:
            found.append(OpenItem(text, "todo", passage.place))
    return found[:_PENDING]


def _listed_in(summary: Passage) -> tuple[tuple[str, frozenset[str]], ...]:
    """What the summary lists as yet to be done and is short enough to be told, each with its terms."""
    texts = pending_in(presentable(f"{summary.text}\n{summary.tail}"))
    listed = ((text, frozenset(terms_of(text))) for text in texts if len(text) <= _PENDING_CHARS)
    return tuple((text, terms) for text, terms in listed if terms)


def _terms_since(recap: Recap, passage: Passage) -> Iterator[dict[str, float]]:
    for turn in recap.turns[-_TURNS:]:
        if turn.replied is not None and turn.replied.offset > passage.place.offset:
            words = words_of_turn(turn, recap.session.memory)
            yield {**words.asked_terms, **words.answered_terms}
