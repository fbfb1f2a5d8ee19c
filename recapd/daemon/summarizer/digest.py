"""A digest told by a model: several episodes at a time, each by our own means where the model fails at it."""

from __future__ import annotations

from collections.abc import Callable

import anyio

from recapd.core.settings import LlmSettings
from recapd.core.state import Session
from recapd.core.summaries import episodes_of, room_of, scores_of, segment_prompt
from recapd.core.text import presentable
from recapd.daemon.models import IN_WORDS, Model, ModelFailure
from recapd.server.digests import Plan, made_of, plan_of, to_wire
from recapd.server.service import Service
from recapd.server.summarizing import decode_summaries
from recapd.server.threads import in_thread
from recapd.wire.errors import summary_unavailable
from recapd.wire.types import SummaryDigestParams, SummaryDigestResult

# More than fit into a digest; those that nobody will see are not paid for.
_MAX_TOLD = 16
# Earlier sessions of the folder whose summaries the reader may know.
_MAX_EARLIER = 5
_MAX_WORKERS = 16


async def digest(service: Service, session: Session, params: SummaryDigestParams, model: Model) -> SummaryDigestResult:
    settings = service.settings(session)
    plan = await in_thread(lambda: plan_of(service, session, params), abandon_on_cancel=True)
    earlier = await in_thread(lambda: earlier_recaps(service, session), abandon_on_cancel=True)
    told: dict[int, str] = {}
    failures: list[ModelFailure] = []
    if params.model is not None and settings.llm.provider != "none":
        workers = min(params.workers or settings.digest.workers, _MAX_WORKERS)
        try:
            with anyio.fail_after(settings.llm.timeout_s * 2):
                await _tell(
                    plan,
                    session.id,
                    settings.llm,
                    model,
                    name=presentable(params.model),
                    workers=workers,
                    told=told,
                    failed=failures.append,
                )
        except TimeoutError:
            raise summary_unavailable("timeout") from None
    elif params.model is not None:
        failures.append(ModelFailure("disabled"))
    made = await in_thread(lambda: made_of(plan, told, earlier))
    note = f"No model told {'some of this' if told else 'this'}: {IN_WORDS[failures[0].reason]}." if failures else None
    return to_wire(session, made, by_model=len(told), note=note)


def earlier_recaps(service: Service, session: Session) -> tuple[str, ...]:
    """What was said of earlier sessions in the same folder."""
    cwd = session.main.transcript.cwd
    if not cwd:
        return ()
    before = [
        each
        for each in service.sessions()
        if each.id != session.id
        and each.main.transcript.cwd == cwd
        and each.main.transcript.last_at <= session.main.transcript.last_at
    ]
    found: list[str] = []
    for each in before:
        # Whether its log is still the same does not matter: it was told so.
        if told := decode_summaries(service.durable.summaries(each.id)):
            found.append(told[-1].text)
        if len(found) == _MAX_EARLIER:
            break
    return tuple(found)


async def _tell(
    plan: Plan,
    session_id: str,
    llm: LlmSettings,
    model: Model,
    *,
    name: str,
    workers: int,
    told: dict[int, str],
    failed: Callable[[ModelFailure], None],
) -> None:
    """Ask for the chunks that stand the best chance; after a failure no more are begun."""
    scores = scores_of(episodes_of(plan.chunks, budget=plan.budget), (), plan.settings)
    order = sorted(range(len(scores)), key=lambda number: (-scores[number], -number))[:_MAX_TOLD]
    room = anyio.CapacityLimiter(workers)
    is_failing = False

    async def tell(number: int) -> None:
        nonlocal is_failing
        async with room:
            if is_failing:
                return
            prompt = segment_prompt(plan.chunks[number].text, room=room_of(len(plan.chunks), plan.budget))
            try:
                told[number] = await model.ask(session_id, prompt, llm, model=name, is_urgent=True)
            except ModelFailure as failure:
                failed(failure)
                # What is wrong with one answer need not be wrong with the next.
                is_failing = failure.reason not in ("empty", "truncated", "refused", "degenerate", "badAnswer")

    async with anyio.create_task_group() as group:
        for number in order:
            group.start_soon(tell, number)
