"""Reading one session: piece by piece, each kept before the next is begun, so that whatever ends it loses one at most.

    what is new ─pieces─▶ prompt ─▶ model ─▶ answer ─checked─▶ Reading ─▶ Durable ─▶ the next piece

Must not know: when a session is read, and who waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import anyio
import msgspec
from msgspec import Struct

from recapd.core.reading import Asked, Piece, read_answer, reading_prompt, still_read, with_usage
from recapd.core.state import Reading, Session
from recapd.core.text import presentable
from recapd.daemon.models import Answer, Model, ModelFailure, cost_usd, limits_of_reading, most_sent
from recapd.server.durable import AuditAction, Durable
from recapd.server.reading import model_of, pieces_to_read
from recapd.server.readings import encode_reading, reading_of
from recapd.server.service import Service
from recapd.server.threads import in_thread

log = logging.getLogger(__name__)

# What a piece is answered in, mostly; the hard limit is several times that.
_USUAL_ANSWER_TOKENS: Final = 2_500


class Cost(Struct, frozen=True):
    """What reading the rest of a session will take, about."""

    pieces: int
    tokens: int
    usd: float


def estimate(service: Service, session: Session) -> Cost:
    """Blocks: it reads what is to be read."""
    settings = service.settings(session)
    pieces = pieces_to_read(service, session, session.reading)
    sent = sum(most_sent(reading_prompt(piece, session.reading)) for piece in pieces)
    received = len(pieces) * _USUAL_ANSWER_TOKENS
    return Cost(len(pieces), sent + received, cost_usd(model_of(settings), sent, received, settings.llm))


async def read_session(
    service: Service, durable: Durable, model: Model, session: Session, *, on_piece: Callable[[int, int], object]
) -> Reading | None:
    """Read what is new, and keep it; what is known in the end. ModelFailure where the model fails: what was read before
    that is kept. `on_piece` is told how many pieces are done, and how many there are."""
    reading = reading_of(durable, session)
    known = reading
    pieces = await in_thread(lambda: pieces_to_read(service, session, known), abandon_on_cancel=True)
    done = 0
    on_piece(done, len(pieces))
    while pieces:
        piece, *rest = pieces
        try:
            read = await _read_piece(piece, reading, service=service, model=model, session=session)
        except ModelFailure as failure:
            if failure.reason != "truncated" or len(piece.lines) < 2:
                raise
            # More was to be said of it than an answer has room for.
            pieces = [*_halves(piece), *rest]
            on_piece(done, done + len(pieces))
            continue
        if not await in_thread(partial(_is_still_so, service, session, read)):
            log.info("reading given up", extra={"cause": "the log was rewritten or rewound"})
            return None
        # From here on it is a matter of milliseconds, and half of it must not be kept.
        with anyio.CancelScope(shield=True):
            await in_thread(partial(_keep, durable, session.id, read, reading))
        reading, pieces, done = read, rest, done + 1
        on_piece(done, done + len(pieces))
    return reading


async def _read_piece(
    piece: Piece, reading: Reading | None, *, service: Service, model: Model, session: Session
) -> Reading:
    settings = service.settings(session)
    name = model_of(settings)
    made: list[Reading] = []

    def accept(answer: Answer) -> None:
        if answer.stop_reason == "refusal":
            raise ModelFailure("refused")
        if not answer.text.strip():
            raise ModelFailure("empty")
        if answer.stop_reason not in ("end_turn", "stop_sequence"):
            raise ModelFailure("truncated")
        asked = Asked(
            session=session,
            piece=piece,
            before=reading,
            by=settings.llm.provider,
            model=presentable(answer.model) or name,
            now=service.now(),
        )
        read = read_answer(answer.text, asked)
        if read is None:
            raise ModelFailure("badAnswer")
        made.append(with_usage(read, input_tokens=answer.input_tokens, output_tokens=answer.output_tokens))

    await model.ask_for(
        session.id,
        reading_prompt(piece, reading),
        msgspec.structs.replace(settings.llm, timeout_s=settings.reading.timeout_s),
        model=name,
        limits=limits_of_reading(settings.reading),
        accept=accept,
    )
    return made[0]


def _halves(piece: Piece) -> Sequence[Piece]:
    middle = len(piece.lines) // 2
    first, second = piece.lines[:middle], piece.lines[middle:]
    return Piece(piece.before, first), Piece(first[-len(piece.before) or -1 :], second)


def _is_still_so(service: Service, session: Session, reading: Reading) -> bool:
    """Of the session as it is now, which may be another than the one that was read."""
    now = service.listed(session.id)
    if now is None or now.main.uri != session.main.uri:
        # A log that was named by its path and is not followed: nobody has seen it change.
        return True
    return still_read(reading, service.whole(now))


def _keep(durable: Durable, session_id: str, reading: Reading, before: Reading | None) -> None:
    dropped = reading.dropped - (before.dropped if before is not None else 0)
    decisions = len(reading.decisions) - (len(before.decisions) if before is not None else 0)
    detail = (
        f"through turn {reading.turn} by {reading.model or reading.by}: {decisions} decisions, {dropped} dropped, "
        f"{reading.input_tokens} tokens in, {reading.output_tokens} out so far"
    )
    durable.set_reading(session_id, encode_reading(reading), detail)


def note_failure(durable: Durable, session_id: str, reason: str) -> None:
    durable.audit(session_id, AuditAction.READING_FAILED, reason)
