"""What a session is called: as it was named, or by the first request that says what it is about."""

from __future__ import annotations

from recapd.core.state.transcript import Transcript
from recapd.core.state.world import Session
from recapd.core.text import excerpt, stands_alone

_TITLE_CHARS = 100


def title_of(session: Session) -> str:
    transcript = session.main.transcript
    return excerpt(transcript.title or opening_request(transcript), _TITLE_CHARS)


def opening_request(transcript: Transcript) -> str:
    """The first request that says by itself what the conversation is about; where none does, the first."""
    first = transcript.original.text if transcript.original else ""
    if stands_alone(first):
        return first
    asked = (turn.request.text for turn in transcript.turns if not turn.abandoned)
    return next((text for text in asked if stands_alone(text)), first)
