"""Digests for handlers and the summarizer: a session boiled down to a budget."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from recapd.core.decisions import ledger_of
from recapd.core.settings import DigestSettings
from recapd.core.state import Session, open_items
from recapd.core.summaries import Chunk, Digest, Frame, chunked, episodes_of, finished, request_in
from recapd.core.text import excerpt, presentable
from recapd.server.log_texts import read_all
from recapd.server.service import Service
from recapd.wire.convert import ref_at
from recapd.wire.types import Episode, SummaryDigestParams, SummaryDigestResult

_NOTE_CHARS = 120
_MAX_OPEN = 6
_GOAL_CHARS = 300


class Plan(Struct, frozen=True):
    """What a digest is made of: the chunks, what frames them, and the limits."""

    chunks: tuple[Chunk, ...]
    frame: Frame
    settings: DigestSettings
    budget: int


def plan_of(service: Service, session: Session, params: SummaryDigestParams) -> Plan:
    """Reads the log. Blocks."""
    settings = service.settings(session)
    chunks, _ = chunked(read_all(service, session.main).beats, settings.digest)
    original = session.main.transcript.original
    service.recall_judged(session)
    ledger = ledger_of(session, settings.decisions) if settings.decisions.enabled else ()
    frame = Frame(
        request=request_in(presentable(original.text), _GOAL_CHARS) if original is not None else "",
        decisions=tuple(excerpt(each.finding.text, _NOTE_CHARS) for each in ledger if each.status == "active"),
        open_items=tuple(item.text for item in open_items(session, service.now())[:_MAX_OPEN]),
    )
    return Plan(tuple(chunks), frame, settings.digest, params.max_tokens or settings.recap.full_max_tokens)


def made_of(plan: Plan, by_others: dict[int, str], earlier: Sequence[str]) -> Digest:
    """`by_others` are chunks that somebody else told, by number; `earlier` what the reader was told before."""
    episodes = episodes_of(plan.chunks, budget=plan.budget, by_others=by_others)
    return finished(episodes, plan.settings, budget=plan.budget, frame=plan.frame, earlier=earlier)


def to_wire(session: Session, made: Digest, *, by_model: int = 0, note: str | None = None) -> SummaryDigestResult:
    shown = [made.episodes[number] for number in made.shown]
    return SummaryDigestResult(
        session_id=session.id,
        revision=session.revision,
        text=presentable(made.text),
        tokens=made.tokens,
        episodes=tuple(
            Episode(
                text=presentable(each.text),
                from_message=each.first_message,
                to_message=each.last_message,
                ref=ref_at(session.main, each.place),
            )
            for each in shown
        ),
        total=len(made.episodes),
        method="model" if by_model else "extractive",
        note=note,
    )
