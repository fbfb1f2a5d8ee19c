"""Recaps of sessions as they stand: what they tell and the pages that were written of it, each good until its session
changes, or the clock changes what is said of it.

Clients ask in many ways for what is mostly the same: as data or as a page, by name or not. Made ahead for sessions at
work, once they rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from threading import Lock
from typing import Final, TypeVar, cast

import msgspec
from msgspec import Struct

from recapd.core.settings import DecisionSettings, RecapSettings
from recapd.core.state import Session, by_the_clock
from recapd.core.text import presentable
from recapd.core.views.recap import (
    Recap,
    Told,
    View,
    Wanted,
    contradictions,
    default_tokens,
    recap_so_far,
    told_of,
)
from recapd.server.rows import is_same_session
from recapd.wire import convert
from recapd.wire import types as wire

# Of one session; clients ask for one or two.
_MOST_PAGES: Final = 4
_MOST_MADE: Final = 2

T = TypeVar("T")


class Recapped:
    """One recap, with what was made of it. For any number of threads: what two make at once is the same."""

    def __init__(self, facts: Recap) -> None:
        self.facts = facts
        self._pages: dict[Wanted, tuple[Told, wire.RecapView]] = {}
        # By name: what it was made of besides, and what was made.
        self._made: dict[Hashable, tuple[object, object]] = {}

    @cached_property
    def as_data(self) -> wire.Recap:
        return recap_as_data(self.facts)

    def told(self, facts: Recap, wanted: Wanted) -> Told:
        """As a page, made anew where the facts are others."""
        if facts is not self.facts:
            return told_of(facts, wanted)
        # Only a page to go on from says how long ago something was.
        key = wanted if wanted.format == "resume" else msgspec.structs.replace(wanted, now="")
        known = self._pages.get(key)
        if known is None:
            told = told_of(facts, wanted)
            known = told, convert.view(told.view)
            if len(self._pages) >= _MOST_PAGES:
                self._pages = {}
            self._pages[key] = known
        return known[0]

    def recall(self, name: Hashable, made_of: object, make: Callable[[], T]) -> T:
        """What somebody makes of this recap, made anew only where it was made of something else besides."""
        known = self._made.get(name)
        if known is not None and known[0] == made_of:
            return cast(T, known[1])
        made = make()
        if len(self._made) >= _MOST_MADE:
            self._made = {}
        self._made[name] = made_of, made
        return made

    def view(self, view: View) -> wire.RecapView:
        """The statements of a page as they are sent."""
        known = (sent for told, sent in tuple(self._pages.values()) if told.view is view)
        return next(known, None) or convert.view(view)


class _Kept(Struct, frozen=True):
    session: Session
    clock: tuple[str, bool, bool, bool]
    settings: DecisionSettings
    # Whether all was known of the session that is ever made ahead.
    is_warm: bool
    recapped: Recapped

    def fits(self, session: Session, now: str, settings: DecisionSettings) -> bool:
        before = self.session
        return (
            is_same_session(before, session)
            and self.clock == by_the_clock(session, now)
            and self.settings == settings
            and (before.presence, before.signal) == (session.presence, session.signal)
            and (before.verdicts, before.reading) == (session.verdicts, session.reading)
        )


class Recaps:
    """One of each session whose memory is kept: a recap holds its session, with the memory it was made by, and would
    hold them beyond whatever bounds those. For any number of threads."""

    def __init__(self, is_kept: Callable[[Session], bool]) -> None:
        self._is_kept = is_kept
        # By the session, and by the log it is told from: one that somebody names may be a copy.
        self._kept: dict[tuple[str, str], _Kept] = {}
        # Those at work, by name: who wants the same meanwhile waits for it.
        self._under_way: dict[tuple[str, str], Lock] = {}
        self._lock = Lock()

    def recall(self, session: Session, now: str, settings: DecisionSettings, *, is_warm: bool = False) -> Recapped:
        """As far as the session is judged. Once it is warm, what was made before does no more: it may tell less."""
        wanted = session, now, settings, is_warm
        known = self._known(*wanted)
        if known is not None:
            return known
        name = session.id, session.main.key
        with self._lock:
            under_way = self._under_way.setdefault(name, Lock())
        with under_way:
            try:
                return self._known(*wanted) or self._make(*wanted)
            finally:
                with self._lock:
                    self._under_way.pop(name, None)

    def _known(self, session: Session, now: str, settings: DecisionSettings, is_warm: bool) -> Recapped | None:
        kept = self._kept.get((session.id, session.main.key))
        fits = kept is not None and kept.fits(session, now, settings) and kept.is_warm >= is_warm
        return kept.recapped if kept is not None and fits else None

    def _make(self, session: Session, now: str, settings: DecisionSettings, is_warm: bool) -> Recapped:
        recapped = Recapped(recap_so_far(session, now, settings))
        kept = _Kept(session, by_the_clock(session, now), settings, is_warm, recapped)
        name = session.id, session.main.key
        with self._lock:
            later = self._kept.get(name)
            if later is not None and later.session.revision > session.revision:
                # For a moment some still see the session as it was.
                return recapped
            self._kept[name] = kept
        self.shrink()
        return recapped

    def shrink(self) -> None:
        """To those whose memory is still kept."""
        with self._lock:
            self._kept = {name: kept for name, kept in self._kept.items() if self._is_kept(kept.session)}


def recap_as_data(facts: Recap) -> wire.Recap:
    against = tuple(presentable(each.text) for each in contradictions(facts))
    return msgspec.structs.replace(convert.recap(facts), contradictions=against)


def usual_page(format: wire.RecapFormatName, settings: RecapSettings, *, now: str, resume: str) -> Wanted:
    """How a recap is written down for whoever says nothing else about it."""
    return Wanted(
        format=format,
        max_tokens=default_tokens(format, settings),
        settings=settings,
        collapsible=settings.collapsible,
        now=now,
        resume=resume,
    )
