"""Handlers of `history/*`: the conversation, its beginning as summaries."""

from __future__ import annotations

from recapd.core.state import Session
from recapd.core.summaries import Beat
from recapd.core.text import fenced, one_line
from recapd.server.log_texts import read_messages
from recapd.server.paging import MAX_LIMIT, page
from recapd.server.service import Service
from recapd.server.summarizing import numbered_summaries
from recapd.wire.convert import ref_at
from recapd.wire.types import HistoryGetParams, HistoryGetResult, HistoryMessage, Summary

_MESSAGE_CHARS = 240
# Without summaries and without `full`, as many turns as a person looks back on.
_RECENT_TURNS = 10
_SPEAKERS = {"user": "User", "agent": "Assistant"}


def get(service: Service, session: Session, params: HistoryGetParams) -> HistoryGetResult:
    """Summaries of the beginning, then each message on a line; with `full`, every message. A page at a time, and the
    summaries on the first. The text is for agents."""
    summaries = numbered_summaries(service, session)
    total = session.main.transcript.totals.messages
    after = summaries[-1].to_message + 1 if summaries else _recent(session)
    first = 0 if params.full else after
    numbers, next_cursor = page(range(total), params.limit or MAX_LIMIT, params.cursor, first=first)
    messages = _messages(service, session, numbers[0], numbers[-1]) if numbers else []
    listed = _listed(messages, covered=summaries[-1].to_message if summaries else -1)
    shown = summaries if params.cursor is None else []
    return HistoryGetResult(
        session_id=session.id,
        revision=session.revision,
        text=fenced("\n".join((*_summed_up(shown, total), *listed) if params.cursor is None else listed)),
        total=total,
        summaries=tuple(shown),
        messages=tuple(messages),
        next_cursor=next_cursor,
    )


def _recent(session: Session) -> int:
    """Number of the first message of the last few turns."""
    transcript = session.main.transcript
    first = transcript.totals.turns - _RECENT_TURNS
    rows = {row for row, turn in enumerate(transcript.turns) if not turn.abandoned and turn.number > first}
    return next((each.message for each in transcript.utterances if each.turn_row in rows), 0)


def _messages(service: Service, session: Session, first: int, last: int) -> list[HistoryMessage]:
    """Lines of one message are one."""
    found: dict[int, list[Beat]] = {}
    for beat in read_messages(service, session.main, first=first, last=last):
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


def _summed_up(summaries: list[Summary], total: int) -> list[str]:
    lines = [f"Session history ({total} message{'' if total == 1 else 's'} total):"]
    for each in summaries:
        lines += ["", f"[Summary {each.number}] messages {each.from_message + 1}–{each.to_message + 1}:"]
        lines.append(f"  {one_line(each.part or each.text, len(each.part or each.text))}")
    return lines


def _listed(messages: list[HistoryMessage], *, covered: int) -> list[str]:
    if not messages:
        return []
    label = "Recent" if messages[0].index > covered else "All"
    lines = [f"  [{each.index + 1}] {_SPEAKERS[each.speaker]}: {each.text}" for each in messages]
    return ["", f"[{label}] messages {messages[0].index + 1}–{messages[-1].index + 1}:", *lines]
