"""Handlers of `context/*`: what an agent is given to go on."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import Final

from recapd.core.settings import Settings, WindowSettings
from recapd.core.state import Session
from recapd.core.text import CLOSE, count_for_budget, presentable
from recapd.core.views.context import (
    Assembled,
    Found,
    Preset,
    assembled,
    fitted_window,
    plan_of,
    preset_named,
)
from recapd.core.views.recap import formatted, recap_of, tools_used
from recapd.server.digests import unasked_digest
from recapd.server.log_texts import instructions_of, shown_texts_of, texts_of
from recapd.server.recaps import Recapped
from recapd.server.service import Service
from recapd.server.summarizing import summaries_of
from recapd.wire import convert
from recapd.wire.errors import invalid_params
from recapd.wire.types import (
    CONTEXT_SECTIONS,
    ChatMessage,
    ContextAssembleParams,
    ContextAssembleResult,
    ContextSection,
    ContextSummaryParams,
    ContextSummaryResult,
    Coverage,
    OmittedSection,
)

# A context of more is not kept for the next prompt.
_MOST_KEPT_TOKENS: Final = 16_000


def summary(service: Service, session: Session, params: ContextSummaryParams) -> ContextSummaryResult:
    service.recall_judged(session)
    facts = recap_of(session, service.now(), service.settings(session).decisions)
    usage = convert.tool_usage(tools_used(facts))
    return ContextSummaryResult(
        session_id=session.id,
        revision=session.revision,
        stats=convert.stats(facts.stats),
        key_decisions=convert.decisions(session, [each for each in facts.decisions if each.status == "active"]),
        progress=convert.progress(session, facts.progress),
        file_modifications=convert.files(session, facts.files),
        tools_used=tuple(each.tool for each in usage),
        tool_usage=usage,
        user_requests=tuple(presentable(request.text) for request in facts.requests),
        formatted=presentable(formatted(facts)),
    )


def assemble(service: Service, session: Session, params: ContextAssembleParams) -> ContextAssembleResult:
    for number, name in enumerate(params.include):
        if name not in CONTEXT_SECTIONS:
            raise invalid_params(f"include[{number}]", f"one of {', '.join(CONTEXT_SECTIONS)}")
    settings = service.settings(session)
    made = _assembled(service, session, params, settings)
    messages = _messages(made) if params.output == "messages" else None
    text = made.text if messages is None else ""
    return ContextAssembleResult(
        session_id=session.id,
        revision=session.revision,
        tokens=count_for_budget(text) if messages is None else sum(count_for_budget(each.content) for each in messages),
        sections=tuple(
            ContextSection(
                name=each.name,
                tokens=count_for_budget(each.text),
                refs=tuple(convert.ref_at(session.main, place) for place in each.places),
                from_message=each.first,
                to_message=each.last,
            )
            for each in made.sections
        ),
        coverage=Coverage(
            summarized_through=made.summarized_through,
            verbatim_from=made.verbatim_from,
            messages=session.main.transcript.totals.messages,
        ),
        omitted=tuple(OmittedSection(name=each.name, reason=each.reason, tokens=each.tokens) for each in made.omitted),
        prefix_hash=blake2b(made.prefix.encode("utf-8", "replace"), digest_size=8).hexdigest(),
        prefix_tokens=count_for_budget(made.prefix),
        text=text if messages is None else None,
        messages=messages,
    )


def _assembled(service: Service, session: Session, params: ContextAssembleParams, settings: Settings) -> Assembled:
    """Plan, read, find, write down."""
    preset = preset_named(params.preset or settings.context.preset)
    prompt = (params.prompt or "").strip()
    service.recall_judged(session)
    recapped = service.recaps.recall(session, service.now(), settings.decisions)
    if recapped.facts.unjudged:
        recapped = Recapped(recap_of(session, service.now(), settings.decisions))
    recap, summaries, source = recapped.facts, summaries_of(service, session), session.main
    chosen_window = _window(params, preset, settings)
    # The next prompt finds other things, and all else is as it was.
    asked = preset, chosen_window, params.max_tokens, params.include, bool(prompt)
    made_of = asked, summaries, service.modified_at(source.uri)
    kept = recapped if params.max_tokens <= _MOST_KEPT_TOKENS else Recapped(recap)
    plan = kept.recall(
        "plan",
        made_of,
        lambda: plan_of(
            recap,
            preset=preset,
            window=chosen_window,
            max_tokens=params.max_tokens,
            include=params.include,
            has_prompt=bool(prompt),
            summaries=summaries,
            instructions=instructions_of(service, source),
        ),
    )
    units = [unit for each in plan.exchanges for unit in each.units]

    def read() -> list[list[str]]:
        texts = iter(texts_of(service, source, units))
        return [list(islice(texts, len(each.units))) for each in plan.exchanges]

    window = kept.recall("window", made_of, lambda: fitted_window(session, plan, read()))
    found: list[Found] = []
    if prompt and "relevant" in plan.wanted:
        # What is given word for word need not be found.
        before = window.first if window is not None and window.is_whole else plan.messages
        found = service.indexes.find(source, prompt, before=before, read=partial(shown_texts_of, service))
    is_gone = window is None and not service.modified_at(source.uri)
    return assembled(
        recap,
        plan,
        window=window,
        found=found,
        summaries=summaries,
        tell_unasked=None if is_gone else partial(unasked_digest, service, session),
        is_gone=is_gone,
    )


def _window(params: ContextAssembleParams, preset: Preset, settings: Settings) -> WindowSettings:
    if params.window is not None:
        return WindowSettings(unit=params.window.unit, size=params.window.size)
    return preset.window or settings.window


def _messages(made: Assembled) -> tuple[ChatMessage, ...]:
    """The context as messages: what is known first, then the conversation in its own roles, which alternate."""
    window = made.window
    if window is None or not window.is_whole:
        return (ChatMessage(role="user", content=made.text),) if made.text else ()
    head = f"{made.head}\n{CLOSE}" if any(each.name != "recent" for each in made.sections) else ""
    roles: list[tuple[str, list[str]]] = [("user", [head])] if head else []
    for message in window.messages:
        role = "user" if message.speaker == "user" else "assistant"
        if not roles and role == "assistant":
            roles.append(("user", [f"{made.head}\n{CLOSE}"]))
        if roles and roles[-1][0] == role:
            roles[-1][1].append(message.text)
        else:
            roles.append((role, [message.text]))
    return tuple(ChatMessage(role=role, content="\n\n".join(texts)) for role, texts in roles)
