"""Handler of `why/get`: from lines of a source file to the turns that wrote them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Final, overload

from recapd.core.decisions import ledger_so_far
from recapd.core.giving_up import look_up
from recapd.core.log import is_same_file
from recapd.core.state import Session, ref_in
from recapd.core.text import excerpt
from recapd.core.views.changes import is_of
from recapd.core.views.overview import title_of
from recapd.core.why import (
    MOST_DECISIONS,
    NOBODY,
    ChangedPaths,
    Edit,
    Touch,
    attribute,
    changed_paths,
    decisions_in_force,
    lines_of,
    names_of,
    request_of,
    trail_of,
    write_answer,
)
from recapd.server.service import Service, judged
from recapd.server.workspaces import path_of
from recapd.wire import convert
from recapd.wire.types import Decision, WhyGetParams, WhyGetResult, WhyLines

_REQUEST_CHARS: Final = 500
_MOST_REFS: Final = 5


def get(service: Service, params: WhyGetParams) -> WhyGetResult:
    path = path_of(params.path)
    text = params.text if params.text is not None else service.source_text(path)
    trail = _trail(service, path)
    if text is None:
        return WhyGetResult(lines=(), edits=len(trail))
    names = [f"{touch.source.uri} {touch.source.generation} {touch.change.place.offset}" for touch in trail]
    lines = lines_of(text)
    writers = service.attributions.recall(text, names, lambda: attribute(lines, LoggedEdits(service, trail)))
    first, last = 1, len(lines)
    if params.line is not None:
        first = last = params.line
    elif params.range is not None:
        first, last = params.range.from_, params.range.to
    told = _Telling(service, path)
    found: list[WhyLines] = []
    wanted = range(max(first, 1), min(last, len(lines)) + 1)
    for writer, run in groupby(wanted, lambda number: _turn_key(trail, writers[number - 1])):
        numbers = list(run)
        if writer is not None:
            touches = [trail[at] for at in sorted({writers[number - 1] for number in numbers}, reverse=True)]
            found.append(told.tell(numbers[0], numbers[-1], touches))
    return WhyGetResult(lines=tuple(found), line_count=len(lines), edits=len(trail))


def _turn_key(trail: Sequence[Touch], writer: int) -> tuple[str, int, str] | None:
    if writer == NOBODY:
        return None
    touch = trail[writer]
    return touch.session.id, touch.turn, touch.via


def _trail(service: Service, path: str) -> list[Touch]:
    """What is known to have happened to the file, oldest first."""
    now = service.now()
    paths = (path, os.path.realpath(path))
    sessions = [session for session in service.sessions() if session.main.transcript.totals.calls]
    changed = []
    for session in sessions:
        look_up()
        make = partial(_changed_paths, service)
        changed.append((session, service.rows.recall("changed paths", session, now, make)))
    names = names_of(paths, [each for _, each in changed])
    touching = [service.whole(session) for session, each in changed if not names.isdisjoint(each.paths)]
    return trail_of(touching, paths, names)


def _changed_paths(service: Service, session: Session) -> ChangedPaths:
    return changed_paths(service.whole(session))


class LoggedEdits(Sequence[Edit]):
    """The edits of a trail, each read from its log when it is looked at: the latest often say all."""

    def __init__(self, service: Service, trail: Sequence[Touch]) -> None:
        self._service = service
        self._trail = trail

    def __len__(self) -> int:
        return len(self._trail)

    @overload
    def __getitem__(self, at: int) -> Edit: ...
    @overload
    def __getitem__(self, at: slice) -> list[Edit]: ...
    def __getitem__(self, at: int | slice) -> Edit | list[Edit]:
        if isinstance(at, slice):
            return [self._read(touch) for touch in self._trail[at]]
        return self._read(self._trail[at])

    def _read(self, touch: Touch) -> Edit:
        change, source = touch.change, touch.source
        if touch.is_end:
            return Edit(after="")
        called = self._service.bytes_at(ref_in(source, change.place))
        if called is None:
            # The log is gone, or was rewritten: what happened then nobody knows.
            return Edit()
        answered = self._service.bytes_at(ref_in(source, change.returned)) or b""
        return self._service.texts_at(change, (called, answered), lambda path: self._is_wanted(touch, path))

    def _is_wanted(self, touch: Touch, path: str) -> bool:
        return is_of(touch.fact, path) or bool(touch.renamed_to and is_same_file(touch.renamed_to, path))


class _Telling:
    """What is told of turns, each made once for an answer."""

    def __init__(self, service: Service, path: str) -> None:
        self._service = service
        self._path = path
        self._decided: dict[tuple[str, int], tuple[tuple[Decision, ...], int]] = {}

    def tell(self, first: int, last: int, touches: Sequence[Touch]) -> WhyLines:
        """Touches of one turn, latest first."""
        latest = touches[0]
        session = latest.session
        turn = request_of(latest)
        request = excerpt(turn.request.text, _REQUEST_CHARS) if turn is not None else ""
        decisions, total = self._decisions(latest)
        refs = [convert.ref_at(touch.source, touch.change.place) for touch in touches[:_MOST_REFS]]
        if turn is not None:
            refs.append(convert.ref_at(session.main, turn.request.place))
        return WhyLines(
            from_=first,
            to=last,
            session_id=session.id,
            turn=latest.turn,
            at=latest.at or None,
            request=request,
            decisions=decisions,
            refs=tuple(refs),
            agent=session.agent,
            title=title_of(session),
            decisions_total=total,
            via=convert.name_of(latest.via) or None,
            markdown=write_answer(
                turn=latest.turn,
                agent=session.agent,
                title=title_of(session),
                at=latest.at,
                request=request,
                decided=[each.headline or each.text for each in decisions],
                total=total,
            ),
        )

    def _decisions(self, touch: Touch) -> tuple[tuple[Decision, ...], int]:
        key = touch.session.id, touch.turn
        if key not in self._decided:
            session = judged(self._service, touch.session)
            settings = self._service.settings(session).decisions
            entries = ledger_so_far(session, settings).entries if settings.enabled else ()
            held = decisions_in_force(entries, turn=touch.turn, path=self._path)
            shown = tuple(convert.decision(session, entry) for entry in held[:MOST_DECISIONS])
            self._decided[key] = shown, len(held)
        return self._decided[key]
