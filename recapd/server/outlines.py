"""The outline of a session log as editors get it: written down once for each row, and put together anew as the log
grows. A log of 25 MB has some 200 rows, of which an append changes the last.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from recapd.core.decisions import ledger_so_far, shown_entries
from recapd.core.views.outline import OutlineRow, outline_of
from recapd.server.points import marks_of
from recapd.server.service import Service, judged
from recapd.wire.types import SessionParams

# An outline is for finding one's way; these are the latest.
MAX_SYMBOLS = 200
# What LSP calls an event, and a constant.
_TURN, _DECISION = 24, 14

_encoder = msgspec.json.Encoder()


class Outline(Struct, frozen=True):
    """As it is sent, good until its session changes."""

    session_id: str
    revision: int
    symbols: Raw


class _Position(Struct, frozen=True):
    line: int
    character: int = 0


class _Range(Struct, frozen=True):
    start: _Position
    end: _Position


class _Symbol(Struct, frozen=True, rename="camel", omit_defaults=True):
    """A `DocumentSymbol` of LSP."""

    name: str
    kind: int
    range: _Range
    selection_range: _Range
    children: tuple[_Symbol, ...] | None = None


def outline(service: Service, params: SessionParams) -> Outline:
    """Of the session that the params name, or RecapError. Reads from disk what is not at hand."""
    session = judged(service, service.session(params.session, params.cwd))
    settings = service.settings(session)
    service.judge_soon(session)
    ledger = ledger_so_far(session, settings.decisions)
    rows = outline_of(
        session,
        shown_entries(ledger.entries, settings.decisions, session.memory).latest,
        most=MAX_SYMBOLS,
        gap_s=settings.recap.gap_minutes * 60,
        read_turns=[cursor.turn for _, cursor in marks_of(service, session)],
    )
    written = [session.memory.recall(_written, row, row.turn) for row in rows]
    return Outline(session.id, session.revision, Raw(b"[" + b",".join(written) + b"]"))


def _written(row: OutlineRow) -> bytes:
    children = tuple(
        _Symbol(each.text or "a decision", _DECISION, _lines(each.line), _lines(each.line)) for each in row.decisions
    )
    # A symbol lies within its parent, says LSP.
    around = [row.line, *(each.line for each in row.decisions)]
    name = f"{row.turn} {row.text}".strip()
    return _encoder.encode(_Symbol(name, _TURN, _lines(min(around), max(around)), _lines(row.line), children))


def _lines(first: int, last: int | None = None) -> _Range:
    """The beginnings of lines, which LSP counts from 0."""
    return _Range(_Position(max(first - 1, 0)), _Position(max((last or first) - 1, 0)))
