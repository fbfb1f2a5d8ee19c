"""Handlers of `history/*`: the conversation, its beginning as summaries."""

from __future__ import annotations

from recapd.core.state import Session
from recapd.core.summaries import Beat
from recapd.core.text import one_line
from recapd.server.log_texts import read_stretch
from recapd.server.service import Service
from recapd.server.summarizing import numbered_summaries
from recapd.wire.convert import ref_at
from recapd.wire.types import HistoryGetParams, HistoryGetResult, HistoryMessage, Summary

_MESSAGE_CHARS = 240
# Without summaries and without `full`, as many turns as a person looks back on.
_RECENT_TURNS = 10
_SPEAKERS = {"user": "User", "agent": "Assistant"}


def get(service: Service, session: Session, params: HistoryGetParams) -> HistoryGetResult:
    """Summaries of the beginning, then each message on a line; with `full`, every message."""
    summaries = numbered_summaries(service, session)
    total = session.main.transcript.totals.messages
    after = summaries[-1].to_message + 1 if summaries else _recent(session)
    first = 0 if params.full else after
    messages = _messages(service, session, first, total - 1) if total > first else []
    return HistoryGetResult(
        session_id=session.id,
        revision=session.revision,
        text=_text(summaries, messages, total),
        total=total,
        summaries=tuple(summaries),
        messages=tuple(messages),
    )


def _recent(session: Session) -> int:
    """Number of the first message of the last few turns."""
    transcript = session.main.transcript
    first = transcript.totals.turns - _RECENT_TURNS
    rows = {row for row, turn in enumerate(transcript.turns) if not turn.abandoned and turn.number > first}
    return next((each.message for each in transcript.utterances if each.turn_row in rows), 0)


def _messages(service: Service, session: Session, first: int, last: int) -> list[HistoryMessage]:
    """Lines of one message are one; what the log says on calls is no message."""
    found: dict[int, list[Beat]] = {}
    for beat in read_stretch(service, session.main, first=first, last=last).beats:
        if beat.voice != "action":
            found.setdefault(beat.message, []).append(beat)
    return [
        HistoryMessage(
            index=number,
            speaker=beats[0].voice,
            text=one_line(" ".join(beat.text for beat in beats), _MESSAGE_CHARS),
            turn=beats[0].turn,
            ref=ref_at(session.main, beats[0].place),
            at=beats[0].at or None,
        )
        for number, beats in found.items()
    ]


def _text(summaries: list[Summary], messages: list[HistoryMessage], total: int) -> str:
    lines = [f"Session history ({total} message{'' if total == 1 else 's'} total):"]
    for each in summaries:
        lines += ["", f"[Summary {each.number}] messages {each.from_message + 1}–{each.to_message + 1}:"]
        lines.append(f"  {one_line(each.part or each.text, len(each.part or each.text))}")
    if messages:
        covered = summaries[-1].to_message if summaries else -1
        label = "Recent" if messages[0].index > covered else "All"
        lines += ["", f"[{label}] messages {messages[0].index + 1}–{messages[-1].index + 1}:"]
        lines += [f"  [{each.index + 1}] {_SPEAKERS[each.speaker]}: {each.text}" for each in messages]
    return "\n".join(lines)
