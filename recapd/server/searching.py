"""What a search over all sessions finds, and how it is found where no index is kept: by going through what is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.giving_up import look_up
from recapd.core.log import Place
from recapd.core.retrieval import SAID, SEARCHED, Found, Query, in_order, pattern_of, phrase_in, searched_text
from recapd.core.state import Passage, Session, Source
from recapd.core.text import presentable


class Said(Struct, frozen=True):
    """Something that was said or done, with all that is kept of its words, without secrets."""

    session: str
    uri: str
    part: str
    kind: str
    turn: int
    at: str
    place: Place
    body: str
    # Whether all the words are in it, and not only in its session.
    has_all: bool = True


class _Heard(Found, frozen=True, kw_only=True):
    source: Source
    passage: Passage


def search_sessions(
    sessions: Iterable[Session], query: Query, wanted: Collection[str] | None, *, first: int, limit: int
) -> tuple[Sequence[Said], bool]:
    """One page, and whether there is more."""
    found: list[_Heard] = []
    for session in sessions:
        if wanted is None or session.id in wanted:
            found += _heard_in(session, query)
    ranked = in_order(found)
    return [_said(each) for each in ranked[first : first + limit]], len(ranked) > first + limit


def long_texts_in(sessions: Iterable[Session], wanted: Collection[str] | None, most: int) -> Sequence[Said]:
    """The latest messages of which the middle is not kept."""
    found = [
        _Heard(session.id, passage.at, 0.0, source=source, passage=passage)
        for session in sessions
        if wanted is None or session.id in wanted
        for source in (session.main, *session.children)
        for passage in source.transcript.passages
        if passage.tail and passage.kind in SAID
    ]
    return [_said(each) for each in sorted(found, key=lambda each: each.at, reverse=True)[:most]]


def sessions_saying(sessions: Iterable[Session], query: Query) -> frozenset[str]:
    """Ids of those in which somebody said all of the words, each as a word or its beginning."""
    patterns = pattern_of(query)
    return frozenset(session.id for session in sessions if patterns and _says_all(session, patterns))


def _says_all(session: Session, patterns: Sequence[re.Pattern[str]]) -> bool:
    missing = list(patterns)
    for source in (session.main, *session.children):
        for passage in source.transcript.passages:
            look_up()
            text = searched_text(passage)
            # Making a text fit to be shown takes far longer than looking whether it may be of use.
            if any(pattern.search(text) for pattern in missing):
                shown = presentable(text)
                missing = [pattern for pattern in missing if not pattern.search(shown)]
                if not missing:
                    return True
    return False


def _heard_in(session: Session, query: Query) -> list[_Heard]:
    """What has all the words; where nothing does and all were said, what has most of them."""
    patterns = pattern_of(query)
    whole: list[_Heard] = []
    best: _Heard | None = None
    missing = set(range(len(patterns)))
    for source in (session.main, *session.children):
        for passage in source.transcript.passages:
            look_up()
            text = presentable(searched_text(passage))
            has = [number for number, pattern in enumerate(patterns) if pattern.search(text)] if text else []
            if not has:
                continue
            missing.difference_update(has)
            worth = SEARCHED[passage.kind] * len(has) / (1 + len(text) / 2_000)
            has_all = len(has) == len(patterns)
            heard = _Heard(
                session.id,
                passage.at,
                worth,
                has_all,
                has_all and phrase_in(text, query),
                source=source,
                passage=passage,
            )
            if has_all:
                whole.append(heard)
            elif best is None or worth > best.worth:
                best = heard
    if whole or best is None or missing:
        return whole
    return [best]


def _said(heard: _Heard) -> Said:
    source, passage = heard.source, heard.passage
    turns = source.transcript.turns
    return Said(
        heard.session,
        source.uri,
        source.part,
        passage.kind,
        turns[passage.turn_row].number if 0 <= passage.turn_row < len(turns) else 0,
        passage.at,
        passage.place,
        presentable(searched_text(passage)),
        heard.has_all,
    )
