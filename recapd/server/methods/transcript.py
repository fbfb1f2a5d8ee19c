"""Handlers of `transcript/*`: the conversation itself, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from recapd.core.log import is_same_beginning
from recapd.core.state import Session, Source, Transcript
from recapd.core.views.pages import (
    Entry,
    PageTurn,
    entries_of,
    number_of_row,
    page_markdown,
    row_at,
    row_of_turn,
    utterances_of_row,
)
from recapd.server.log_texts import read_turn
from recapd.server.service import Service
from recapd.wire.convert import ref_at
from recapd.wire.errors import cursor_expired, invalid_params, ref_stale
from recapd.wire.types import LogRef, TranscriptEntry, TranscriptGetParams, TranscriptGetResult, TranscriptTurn

_MAX_CHARS = 20_000
_TURNS = 10
_MOST_TURNS = 100
# One answer holds no more entries and text than this, whatever is asked for; the rest follows by the cursor.
_MOST_ENTRIES = 500
_MOST_TEXT = 400_000


def get(service: Service, session: Session, params: TranscriptGetParams) -> TranscriptGetResult:
    source = _source_of(service, session, params.around)
    transcript = source.transcript
    # A place may stand in a turn that was rewound; whoever asks for turns by their numbers gets those that live.
    at = row_at(transcript, params.around.byte_offset) if params.around is not None else None
    first, last = _range(transcript, params) if at is None else (number_of_row(transcript, at),) * 2
    skipped = 0
    if params.cursor is not None:
        first, skipped = _place_of(params.cursor, first, last)
    max_chars = params.max_chars or _MAX_CHARS
    turns: list[PageTurn] = []
    begins: list[int] = []
    cursor: str | None = None
    entries_left, text_left = _MOST_ENTRIES, _MOST_TEXT
    turns_left = min(params.limit or _TURNS, _MOST_TURNS)
    for number in range(first, last + 1):
        if not turns_left or not entries_left:
            cursor = _cursor(number, 0)
            break
        row = row_of_turn(transcript, number) if at is None else at
        if row is None:
            continue
        turns_left -= 1
        taken: list[Entry] = []
        for entry in islice(_entries(service, source, row, max_chars), skipped, None):
            if not entries_left or (taken and len(entry.text) > text_left):
                cursor = _cursor(number, skipped + len(taken))
                break
            taken.append(entry)
            entries_left -= 1
            text_left = max(text_left - len(entry.text), 0)
        turns.append(PageTurn(number, tuple(taken)))
        begins.append(skipped)
        skipped = 0
        if cursor is not None:
            break
    page, lines = page_markdown(turns) if params.format == "markdown" else (None, None)
    return TranscriptGetResult(
        session_id=session.id,
        revision=session.revision,
        turns=tuple(
            TranscriptTurn(
                turn=turn.number,
                at=turn.at or None,
                duration_ms=turn.duration_ms,
                entries=tuple(
                    _to_wire(source, entry, begin + at, lines[of][at] if lines is not None else None)
                    for at, entry in enumerate(turn.entries)
                ),
            )
            for of, (turn, begin) in enumerate(zip(turns, begins, strict=True))
        ),
        total=transcript.totals.turns,
        markdown=page,
        next_cursor=cursor,
    )


def _source_of(service: Service, session: Session, around: LogRef | None) -> Source:
    """The main log, or the sub-agent's that the place stands in, if that still is the log it was."""
    if around is None:
        return session.main
    for source in (session.main, *session.children, *session.aliases):
        if source.uri == around.source:
            # A log's generation changes once without a rewriting, when it outgrows its beginning.
            head = service.head(source.uri) if around.generation != source.generation else None
            if head is not None and not is_same_beginning(around.generation, head):
                raise ref_stale(source.uri, source.generation)
            return source
    raise invalid_params("around.source", "a log of this session")


def _range(transcript: Transcript, params: TranscriptGetParams) -> tuple[int, int]:
    newest = transcript.totals.turns
    if params.from_turn is not None or params.to_turn is not None:
        return params.from_turn or 1, min(newest if params.to_turn is None else params.to_turn, newest)
    number = newest if params.turn is None else params.turn
    return number, min(number, newest)


def _entries(service: Service, source: Source, row: int, max_chars: int) -> Iterator[Entry]:
    said = utterances_of_row(source.transcript, row)
    spoken = frozenset(each.place.offset for each in said if each.speaker == "user")
    return entries_of(read_turn(service, source, row), spoken=spoken, max_chars=max_chars)


def _cursor(turn: int, index: int) -> str:
    return f"turn:{turn}.{index}"


def _place_of(cursor: str, first: int, last: int) -> tuple[int, int]:
    turn, _, index = cursor.removeprefix("turn:").partition(".")
    is_ours = cursor.startswith("turn:") and all(each.isascii() and each.isdecimal() for each in (turn, index))
    if not is_ours or len(cursor) > 40 or not first <= int(turn) <= last:
        raise cursor_expired(cursor)
    return int(turn), int(index)


def _to_wire(source: Source, entry: Entry, index: int, line: int | None) -> TranscriptEntry:
    return TranscriptEntry(
        index=index,
        kind=entry.kind,
        text=entry.text,
        ref=ref_at(source, entry.place),
        at=entry.at or None,
        tool=entry.tool or None,
        target=entry.target or None,
        ok=entry.ok,
        exit_code=entry.exit_code,
        truncated=True if entry.is_cut else None,
        line=line,
        via=entry.via or None,
    )
