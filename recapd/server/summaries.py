"""Handlers of `summary/*` and `history/get`: until there are summaries, the history is the turns as they stand."""

from __future__ import annotations

from recapd.core.excerpt import excerpt
from recapd.core.session import live_turns
from recapd.core.world import Session
from recapd.server.service import Service
from recapd.wire.convert import ref_at
from recapd.wire.errors import summary_unavailable
from recapd.wire.types import (
    HistoryGetParams,
    HistoryGetResult,
    HistoryMessage,
    SummaryCreateParams,
    SummaryCreateResult,
    SummaryListParams,
    SummaryListResult,
)

_MESSAGE_CHARS = 240
# Without `full`, as many turns as a person looks back on.
_RECENT_TURNS = 10


def create(service: Service, session: Session, params: SummaryCreateParams) -> SummaryCreateResult:
    raise summary_unavailable("disabled")


def list_(service: Service, session: Session, params: SummaryListParams) -> SummaryListResult:
    return SummaryListResult(session_id=session.id, revision=session.revision, summaries=())


def history(service: Service, session: Session, params: HistoryGetParams) -> HistoryGetResult:
    """Each prompt and the agent's last words on it; what was said between stands in the log."""
    messages: list[HistoryMessage] = []
    index = 0
    for turn in live_turns(session.main.transcript):
        request = turn.request
        messages.append(
            HistoryMessage(
                index=index,
                speaker="user",
                text=excerpt(request.text, _MESSAGE_CHARS),
                turn=turn.number,
                ref=ref_at(session.main, request.place),
                at=request.at or None,
            )
        )
        index += turn.messages
        if turn.replied is not None:
            messages.append(
                HistoryMessage(
                    index=index - 1,
                    speaker="agent",
                    text=excerpt(turn.outcome, _MESSAGE_CHARS),
                    turn=turn.number,
                    ref=ref_at(session.main, turn.replied),
                )
            )
    first = session.main.transcript.totals.turns - _RECENT_TURNS
    shown = [each for each in messages if params.full or each.turn > first]
    speakers = {"user": "User", "agent": "Assistant"}
    return HistoryGetResult(
        session_id=session.id,
        revision=session.revision,
        text="\n".join(f"[{each.index + 1}] {speakers[each.speaker]}: {each.text}" for each in shown),
        total=session.main.transcript.totals.messages,
        summaries=(),
        messages=tuple(shown),
    )
