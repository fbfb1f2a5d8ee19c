"""What the agent wrote down itself: the recap it left for the human who was away, and what it was about to forget.

Owns: which of its summaries still counts. What their parts say is `core/text/sections`'s to read. Looks at the last and
the first passages alone, so it costs the same however long a session is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from recapd.core.state import OpenItem, Passage
from recapd.core.text import pending_in, presentable, requested_in, sentences_of, terms_of, words_of_sentence
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


def requested_before(recap: Recap) -> tuple[str, Passage] | None:
    """What was asked before the log begins, by the summary that it begins with."""
    for passage in islice(recap.session.main.transcript.passages, _FIRST_PASSAGES):
        if passage.kind == "summary" and (request := requested_in(presentable(passage.text))):
            return request, passage
    return None


def pending_items(recap: Recap) -> list[OpenItem]:
    """What the last summary lists as yet to be done, but for what a later turn names."""
    latest = islice(reversed(recap.session.main.transcript.passages), _PASSAGES)
    passage = next((each for each in latest if each.kind == "summary"), None)
    if passage is None:
        return []
    named = [terms.keys() for terms in _terms_since(recap, passage)]
    found: list[OpenItem] = []
    for text in pending_in(presentable(f"{passage.text}\n{passage.tail}")):
        terms = terms_of(text).keys()
        is_named = any(len(terms & each) >= len(terms) * _NAMED_SHARE for each in named)
        if terms and not is_named and len(text) <= _PENDING_CHARS:
            found.append(OpenItem(text, "todo", passage.place))
    return found[:_PENDING]


def _terms_since(recap: Recap, passage: Passage) -> Iterator[dict[str, float]]:
    for turn in recap.turns[-_TURNS:]:
        if turn.replied is not None and turn.replied.offset > passage.place.offset:
            words = words_of_turn(turn, recap.session.memory)
            yield {**words.asked_terms, **words.answered_terms}
