"""Reading a session, for handlers and the reader: what is to be read next, and how far it is.

Blocks where it reads the log; call it in a thread.
"""

from __future__ import annotations

import msgspec

from recapd.core.reading import Piece, first_unread, lines_of, pieces_of, unread_messages
from recapd.core.settings import Settings
from recapd.core.state import Reading, Session
from recapd.core.text import presentable
from recapd.server.log_texts import read_stretch
from recapd.server.service import Service
from recapd.wire.types import ReaderNote, ReadingStartResult, ReadingState


def unread_turns(session: Session, reading: Reading | None) -> int:
    """How many turns are yet to be read, the last one of which something was read included."""
    transcript = session.main.transcript
    if unread_messages(transcript, reading) is None:
        return 0
    row = first_unread(transcript, reading)
    return len({each.turn_row for each in transcript.passages.since(row)})


def pieces_to_read(service: Service, session: Session, reading: Reading | None) -> list[Piece]:
    """All that is new since, in the order it is read. RecapError where the log is gone."""
    source, transcript = session.main, session.main.transcript
    messages = unread_messages(transcript, reading)
    if messages is None:
        return []
    first_row = first_unread(transcript, reading)
    stretch = read_stretch(service, source, first=messages[0], last=messages[1])
    lines = lines_of(transcript, stretch, first_row=first_row)
    return pieces_of(lines, first_row=first_row, max_tokens=service.settings(session).reading.piece_tokens)


def model_of(settings: Settings) -> str:
    # Somebody may paste anything where a model's name belongs, and it is written down.
    return presentable(settings.reading.model or settings.llm.model)


# ---- on the wire


def progress_of(session: Session, settings: Settings, *, state: ReadingState) -> ReadingStartResult:
    """How far it is; what the rest costs, whoever knows it adds."""
    reading = session.reading
    found = ReadingStartResult(
        session_id=session.id,
        revision=session.revision,
        state=state,
        by=settings.llm.provider,
        model=model_of(settings) if settings.llm.takes_model else None,
        turns=session.main.transcript.totals.turns,
        pending=unread_turns(session, reading),
    )
    if reading is None:
        return found
    return msgspec.structs.replace(
        found,
        through_turn=reading.turn,
        decisions=len(reading.decisions),
        dropped=reading.dropped,
        input_tokens=reading.input_tokens,
        output_tokens=reading.output_tokens,
    )


def reader_note(session: Session) -> ReaderNote | None:
    """For `recap/get`: who read the session, and how far."""
    reading = session.reading
    if reading is None:
        return None
    return ReaderNote(
        by=reading.by,
        model=presentable(reading.model) or None,
        through_turn=reading.turn,
        at=reading.at,
        pending=unread_turns(session, reading),
        dropped=reading.dropped,
    )
