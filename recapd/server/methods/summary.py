"""Handlers of `summary/*` and `history/get`."""

from __future__ import annotations

from recapd.core.state import Session, estimated_tokens
from recapd.core.summaries import Beat, RollingSummary, extractive, on_request
from recapd.core.text import one_line
from recapd.server.methods.summary_convert import to_wire
from recapd.server.paging import page
from recapd.server.service import Service
from recapd.server.stretches import read_stretch
from recapd.server.summarizing import FAILED, draft_for, is_due, latest_summary, summaries_of, tokens_left
from recapd.wire.convert import ref_at
from recapd.wire.errors import summary_unavailable
from recapd.wire.types import (
    HistoryGetParams,
    HistoryGetResult,
    HistoryMessage,
    Reduction,
    Summary,
    SummaryCreateParams,
    SummaryCreateResult,
    SummaryListParams,
    SummaryListResult,
    SummaryNote,
)

_MESSAGE_CHARS = 240
# Without summaries and without `full`, as many turns as a person looks back on.
_RECENT_TURNS = 10
_SPEAKERS = {"user": "User", "agent": "Assistant"}


def create(service: Service, session: Session, params: SummaryCreateParams) -> SummaryCreateResult:
    """In a process of its own: by our own means, and not kept. The daemon has a summarizer that may ask a model."""
    chain = summaries_of(service, session)
    wanted = on_request(session.main.transcript, chain[-1] if chain else None, service.settings(session))
    draft = draft_for(service, session, wanted, focus=params.focus or "") if wanted is not None else None
    note = "Models write summaries in the daemon only; start it with: recapd up" if params.model else ""
    made = extractive(draft, note=note) if draft is not None else None
    if made is None:
        raise summary_unavailable("nothing")
    return created(session, made, number=len(chain) + 1)


def created(session: Session, made: RollingSummary, *, number: int) -> SummaryCreateResult:
    return SummaryCreateResult(
        session_id=session.id,
        revision=session.revision,
        summary=to_wire(session, made, number),
        stats=reduction(session, made),
    )


def reduction(session: Session, made: RollingSummary) -> Reduction:
    """What the conversation would be with the summary in the place of what it covers."""
    transcript = session.main.transcript
    before = estimated_tokens(transcript)
    after = min(made.tokens + tokens_left(transcript, made.coverage), before)
    messages = transcript.totals.messages
    return Reduction(
        messages_before=messages,
        messages_after=messages - made.coverage.last,
        tokens_before=before,
        tokens_after=after,
        reduction=round(1 - after / before, 3) if before else 0.0,
    )


def list_(service: Service, session: Session, params: SummaryListParams) -> SummaryListResult:
    shown, next_cursor = page(_numbered(service, session), params.limit, params.cursor)
    return SummaryListResult(
        session_id=session.id, revision=session.revision, summaries=tuple(shown), next_cursor=next_cursor
    )


def note_of(service: Service, session: Session) -> SummaryNote:
    """For `recap/get`: the latest summary, or whether one is on its way."""
    latest = latest_summary(service, session)
    if latest is not None:
        return SummaryNote(state="ready", text=latest.text, covers_through=latest.coverage.last)
    if is_due(service, session) is None:
        return SummaryNote(state="none")
    audit = service.durable().audit_of(session.id)
    is_failed = bool(audit) and audit[-1].action == FAILED
    return SummaryNote(state="failed" if is_failed else "pending")


def history(service: Service, session: Session, params: HistoryGetParams) -> HistoryGetResult:
    """Summaries of the beginning, then each message on a line; with `full`, every message."""
    summaries = _numbered(service, session)
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


def _numbered(service: Service, session: Session) -> list[Summary]:
    return [to_wire(session, each, number) for number, each in enumerate(summaries_of(service, session), 1)]


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
