"""Digests for handlers and the summarizer: a session boiled down to a budget."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from recapd.core.decisions import ledger_of, stands_on_proof
from recapd.core.settings import DigestSettings
from recapd.core.state import Session, is_changed, standing_milestones
from recapd.core.summaries import (
    Candidate,
    Chunk,
    Digest,
    Frame,
    candidate_of,
    chunked,
    digest_of,
    episodes_of,
    finished,
    request_in,
)
from recapd.core.text import excerpt, presentable, presentable_path
from recapd.core.views.recap import Recap, open_work, recap_of, segments_of, short_names, state_words, telling_of
from recapd.server.log_texts import read_all
from recapd.server.service import Service
from recapd.wire.convert import ref_at
from recapd.wire.errors import RecapError
from recapd.wire.types import Episode, SummaryDigestParams, SummaryDigestResult

_NOTE_CHARS = 120
_MAX_OPEN = 6
_GOAL_CHARS = 300
# Less holds no statement.
_LEAST_TOKENS = 24


class Plan(Struct, frozen=True):
    """What a digest is made of: the chunks, what frames them, and the limits."""

    chunks: tuple[Chunk, ...]
    frame: Frame
    # What a recap tells of the turns, by their numbers.
    results: dict[int, tuple[Candidate, ...]]
    settings: DigestSettings
    budget: int


def plan_of(service: Service, session: Session, params: SummaryDigestParams) -> Plan:
    """Reads the log. Blocks."""
    settings = service.settings(session)
    budget = params.max_tokens or settings.recap.full_max_tokens
    chunks, _ = chunked(read_all(service, session.main).beats, settings.digest, budget=budget)
    original = session.main.transcript.original
    service.recall_judged(session)
    ledger = ledger_of(session, settings.decisions) if settings.decisions.enabled else ()
    recap = recap_of(session, service.now(), settings.decisions)
    request = request_in(presentable(original.text), _GOAL_CHARS) if original is not None else ""
    decided = [
        excerpt(each.finding.text, _NOTE_CHARS) for each in ledger if each.status == "active" and stands_on_proof(each)
    ]
    frame = Frame(
        request=request,
        # What the request says is not said twice.
        decisions=tuple(text for text in decided if text.casefold() not in request.casefold()),
        reached=tuple(presentable(each.text) for each in standing_milestones(session.main.transcript)),
        files=tuple(short_names([presentable_path(each.fact.path) for each in recap.files if is_changed(each.fact)])),
        latest=_latest(recap),
        topics=tuple(recap.turns[each.first].number for each in segments_of(recap)),
        open_items=tuple(item.text for item in open_work(recap))[:_MAX_OPEN],
        state=tuple(state_words(recap, _NOTE_CHARS)),
    )
    return Plan(tuple(chunks), frame, _results(recap), settings.digest, budget)


def _latest(recap: Recap) -> str:
    """What was asked last, unless that is what was asked first."""
    focus = recap.focus
    if focus is None or (recap.original is not None and focus.place == recap.original.place):
        return ""
    return request_in(presentable(focus.text), _NOTE_CHARS)


def _results(recap: Recap) -> dict[int, tuple[Candidate, ...]]:
    found: dict[int, list[Candidate]] = {}
    for each in telling_of(recap).results:
        found.setdefault(recap.turns[each.turn].number, []).append(candidate_of(each.phrase.text, each.factor))
    return {turn: tuple(told) for turn, told in found.items()}


def digest_text(service: Service, session: Session, max_tokens: int) -> str:
    """A session told within a budget; "" where its log is gone. Reads the log. Blocks."""
    try:
        plan = plan_of(service, session, SummaryDigestParams(max_tokens=max_tokens))
    except RecapError:
        return ""
    return made_of(plan, {}, ()).text


def unasked_digest(service: Service, session: Session, max_tokens: int) -> str:
    """What went on before anybody asked for anything; "" where there is no room for it. Reads the log. Blocks."""
    if max_tokens < _LEAST_TOKENS:
        return ""
    settings = service.settings(session).digest
    beats = [beat for beat in read_all(service, session.main).beats if not beat.turn]
    # Lines are counted one by one where this goes.
    return digest_of(beats, settings, budget=max_tokens - _LEAST_TOKENS // 2, frame=Frame()).text


def made_of(plan: Plan, by_others: dict[int, str], earlier: Sequence[str]) -> Digest:
    """`by_others` are chunks that somebody else told, by number; `earlier` what the reader was told before."""
    episodes = episodes_of(plan.chunks, budget=plan.budget, by_others=by_others, results=plan.results)
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
