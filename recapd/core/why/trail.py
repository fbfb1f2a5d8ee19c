"""Which changes of which sessions made a file what it is: under the names it had, in the order of time.

What each of them wrote stands in the logs, and whoever reads those asks here which to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from recapd.core.giving_up import look_up
from recapd.core.log import join_path
from recapd.core.state import FileChange, FileFact, Session, Source, Turn, turns_by_time


class ChangedPaths(Struct, frozen=True):
    """The files that a session changed, from the root, and those it renamed, under both names."""

    paths: frozenset[str]
    renamed: tuple[tuple[str, str], ...]


class Touch(Struct, frozen=True):
    """A change of the file, under the name that it had then."""

    session: Session
    source: Source
    change: FileChange
    fact: FileFact
    # When, as far as it is known; "" else.
    at: str
    # Of the session, from 1; 0 before the first.
    turn: int
    # The sub-agent whose doing it is, if not the main agent's.
    via: str
    # It gave the file this name; "" else.
    renamed_to: str = ""

    @property
    def is_end(self) -> bool:
        """Whether it took the file away: what is there now came later."""
        return self.change.action in ("deleted", "renamed") and not self.renamed_to


def changed_paths(session: Session) -> ChangedPaths:
    """Next to nothing of a session, by which to tell whether it matters."""
    paths: set[str] = set()
    renamed: list[tuple[str, str]] = []
    for source in (session.main, *session.children):
        names = [_whole(fact) for fact in source.transcript.files]
        for at, change in enumerate(source.transcript.changes):
            if change.ok:
                paths.add(names[change.file])
                if (to := _renamed_to(source, at)) is not None:
                    renamed.append((names[change.file], names[to]))
    return ChangedPaths(frozenset(paths), tuple(renamed))


def names_of(paths: Iterable[str], changed: Sequence[ChangedPaths]) -> frozenset[str]:
    """A file's names: those it is asked by, and those it was renamed from."""
    names = set(paths)
    pairs = [pair for each in changed for pair in each.renamed]
    while found := {old for old, new in pairs if new in names and old not in names}:
        names |= found
    return frozenset(names)


def trail_of(sessions: Iterable[Session], paths: Iterable[str], names: frozenset[str]) -> list[Touch]:
    """What happened to a file with these paths now, under all of its names, oldest first. An edit that two sessions
    log, as one does that goes on from a copy of the other, counts once."""
    found = [touch for session in sessions for touch in _touches_in(session, names)]
    if len({touch.source.key for touch in found}) > 1:
        # Nobody knows whether what has no time came before or after the others.
        found = [touch for touch in found if touch.at]
    found.sort(key=lambda touch: touch.at)
    current, trail = frozenset(paths), []
    for touch in reversed(found):
        if touch.renamed_to in current:
            # Before that it had the other name.
            current = frozenset((_whole(touch.fact),))
            trail.append(touch)
        elif _whole(touch.fact) in current:
            trail.append(msgspec.structs.replace(touch, renamed_to=""))
    seen: set[tuple[str, str]] = set()
    return [touch for touch in reversed(trail) if not _is_again(touch, seen)]


def request_of(touch: Touch) -> Turn | None:
    """The turn in which it happened, also one that was left behind later."""
    turns = touch.session.main.transcript.turns
    if touch.source is not touch.session.main:
        return next((turn for turn in turns if turn.number == touch.turn and not turn.abandoned), None)
    last = None
    for turn in turns:
        if turn.request.place.offset > touch.change.place.offset:
            break
        last = turn
    return last


def _touches_in(session: Session, names: frozenset[str]) -> Iterator[Touch]:
    turn_at = turns_by_time(session.main.transcript)
    for source in (session.main, *session.children):
        transcript = source.transcript
        whole_paths = [_whole(fact) for fact in transcript.files]
        if names.isdisjoint(whole_paths):
            continue
        is_own = source is session.main
        at = transcript.started_at
        named = None
        for number, change in enumerate(transcript.changes):
            at = change.at or at
            # The new name of a file stands behind the old one, and is no change of its own.
            is_named, named = named is not None, _renamed_to(source, number) if change.ok else None
            if whole_paths[change.file] not in names or not change.ok or is_named:
                continue
            look_up()
            yield Touch(
                session=session,
                source=source,
                change=change,
                fact=transcript.files[change.file],
                at=at,
                turn=change.turn if is_own else turn_at(at),
                via=change.via if is_own else transcript.subagent,
                renamed_to=whole_paths[named] if named is not None else "",
            )


def _renamed_to(source: Source, number: int) -> int | None:
    """The row of the name that a change gave to its file; None where it was no rename, or to where nobody knows."""
    changes = source.transcript.changes
    change = changes[number]
    if change.action != "renamed" or number + 1 >= len(changes):
        return None
    # The fold enters the new name right behind the old one.
    following = changes[number + 1]
    is_same_call = following.place == change.place and following.call_id == change.call_id
    return following.file if is_same_call and following.action == "created" else None


def _whole(fact: FileFact) -> str:
    """From the root, where it is known from which folder the path is seen."""
    return join_path(fact.where, fact.path) or fact.path


def _is_again(touch: Touch, seen: set[tuple[str, str]]) -> bool:
    if not touch.change.call_id:
        return False
    key = touch.change.call_id, touch.change.at
    is_again = key in seen
    seen.add(key)
    return is_again
