"""A model asked for a summary or to read: within the budget, not while it fails, and never taken at its word.

Owns the back-off and what the status says of the model, for one purpose. Text leaves the machine here and nowhere else,
and only where the settings say so: the prompt is made of redacted text, and is redacted once more as a whole.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from datetime import datetime, timedelta

import anyio

from recapd.core.log import canonical
from recapd.core.settings import LlmSettings
from recapd.core.summaries import Prompt, accepted
from recapd.core.text import count_for_budget, presentable
from recapd.core.trouble import Trouble
from recapd.daemon.models.providers import (
    IN_WORDS,
    PROVIDERS,
    Answer,
    Budget,
    Limits,
    ModelFailure,
    Provider,
    Spent,
    cost_usd,
    limits_of_summaries,
)
from recapd.server.durable import Durable
from recapd.server.threads import in_thread
from recapd.wire.types import SummaryBudget

log = logging.getLogger(__name__)

# After a failure the model is left alone for this long, doubled with each failure after it.
BACK_OFF_S = 30.0
MAX_BACK_OFF_S = 3600.0


_WITHOUT = "Summaries are made without the model"
# What the answer of a service that was not at fault is refused for.
_OF_ANSWERS = ("budget", "refused", "truncated", "degenerate")


def provider_of(settings: LlmSettings) -> Provider:
    return PROVIDERS[settings.provider](settings, os.environ)


def most_sent(prompt: Prompt) -> int:
    """Tokens of a prompt, at most."""
    return sum(map(count_for_budget, (prompt.system, prompt.prefix, prompt.content)))


def _accept_prose(answer: Answer) -> None:
    refusal = accepted(answer.text, answer.stop_reason)[1]
    if refusal is not None:
        raise ModelFailure(refusal)


def midnight_after(now: str) -> str:
    """When the day of a canonical time ends."""
    day = datetime.fromisoformat(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return canonical((day + timedelta(days=1)).isoformat())


def trouble_of(failure: ModelFailure, without: str = _WITHOUT) -> Trouble:
    """For the status: why summaries are made without the model."""
    what = IN_WORDS[failure.reason].below(without)
    return Trouble(what.message, f"{what.action}.") if what.action else Trouble(f"{what.message}.")


class Model:
    """All requests to models of one daemon for one purpose."""

    def __init__(
        self,
        durable: Durable,
        *,
        now: Callable[[], str],
        clock: Callable[[], float],
        provider: Callable[[LlmSettings], Provider] = provider_of,
        on_trouble: Callable[[], object] = lambda: None,
        without: str = _WITHOUT,
        beside: Model | None = None,
    ) -> None:
        """`without` begins the sentence that says what happens without it; `beside` is the one for another purpose,
        with which it shares what was spent, and the turn of programs that run one at a time."""
        self._now = now
        self._clock = clock
        self._provider = provider
        self._on_trouble = on_trouble
        self._without = without
        self.budget: Budget = Budget(durable, now) if beside is None else beside.budget
        self._alone: anyio.Lock = anyio.Lock() if beside is None else beside._alone
        self._failures = 0
        self._again_at = 0.0
        # Why summaries are made without the model, for the status; None while all is well.
        self.trouble: Trouble | None = None

    async def ask(self, session_id: str, prompt: Prompt, settings: LlmSettings, *, model: str, is_urgent: bool) -> str:
        """The answer, checked and clean; or ModelFailure. Where somebody waits (`is_urgent`) there is no back-off."""
        if settings.provider == "none":
            raise ModelFailure("disabled")
        if not is_urgent and self.is_backing_off:
            raise ModelFailure("backOff")
        answer = await self.ask_for(
            session_id, prompt, settings, model=model, limits=limits_of_summaries(settings), accept=_accept_prose
        )
        return accepted(answer.text, answer.stop_reason)[0]

    async def ask_for(
        self,
        session_id: str,
        prompt: Prompt,
        settings: LlmSettings,
        *,
        model: str,
        limits: Limits,
        accept: Callable[[Answer], None],
    ) -> Answer:
        """The answer as it came, if `accept` raises nothing; or ModelFailure."""
        try:
            answer = await self._asked(session_id, prompt, settings, model=model, limits=limits)
            accept(answer)
        except ModelFailure as failure:
            self._failed(failure)
            raise
        self._failures, self._again_at = 0, 0.0
        self._say(None)
        return answer

    @property
    def is_backing_off(self) -> bool:
        return self._clock() < self._again_at

    def spending(self, settings: LlmSettings) -> SummaryBudget:
        """For the status: what was spent since midnight UTC, and what may be."""
        if settings.provider == "none":
            return SummaryBudget(spent_tokens=0, limit_tokens=None, calls=0)
        tokens, usd, calls = self.budget.today()
        return SummaryBudget(
            spent_tokens=tokens,
            limit_tokens=settings.max_tokens_per_day or None,
            calls=calls,
            resets_at=midnight_after(self._now()),
            spent_usd=round(usd, 6),
            limit_usd=settings.max_usd_per_day or None,
            message=str(self.trouble) if self.trouble is not None else None,
        )

    def forget_trouble(self) -> None:
        """The settings changed: what failed may work now."""
        self._failures, self._again_at = 0, 0.0
        self._say(None)

    async def _asked(
        self, session_id: str, prompt: Prompt, settings: LlmSettings, *, model: str, limits: Limits
    ) -> Answer:
        if not settings.runs_program:
            return await self._asked_within(session_id, prompt, settings, model=model, limits=limits)
        async with self._alone:
            return await self._asked_within(session_id, prompt, settings, model=model, limits=limits)

    async def _asked_within(
        self, session_id: str, prompt: Prompt, settings: LlmSettings, *, model: str, limits: Limits
    ) -> Answer:
        safe = Prompt(
            system=presentable(prompt.system),
            content=presentable(prompt.content),
            max_tokens=prompt.max_tokens,
            prefix=presentable(prompt.prefix),
        )
        sent = most_sent(safe)
        most = sent + safe.max_tokens
        usd = cost_usd(model, sent, safe.max_tokens, settings)
        reserved = await in_thread(lambda: self.budget.reserve(session_id, model, limits, tokens=most, usd=usd))
        if reserved is None:
            raise ModelFailure("budget")
        answer: Answer | None = None
        lost = 1
        try:
            answer = await self._provider(settings).ask(safe, model)
            lost = answer.lost_tries
        except ModelFailure as failure:
            lost = failure.lost_tries
            raise
        finally:
            # Cancelled in mid-request: nobody knows, so all that was reserved counts.
            with anyio.CancelScope(shield=True):
                await in_thread(lambda: self._settle(reserved, answer, lost=lost, settings=settings))
        return answer

    def _settle(self, reserved: Spent, answer: Answer | None, *, lost: int, settings: LlmSettings) -> None:
        tokens, usd = reserved.tokens * lost, reserved.usd * lost
        if answer is not None:
            tokens += answer.input_tokens + answer.output_tokens
            usd += cost_usd(reserved.model, answer.input_tokens, answer.output_tokens, settings)
        self.budget.settle(reserved, tokens=tokens, usd=usd)

    def _failed(self, failure: ModelFailure) -> None:
        log.warning("model failed", extra={"reason": failure.reason})
        if failure.reason not in _OF_ANSWERS:
            pause_s = min(BACK_OFF_S * 2**self._failures, MAX_BACK_OFF_S)
            self._again_at = self._clock() + max(pause_s, failure.retry_after_s)
            # Beyond this many the pause is as long as it gets.
            self._failures = min(self._failures + 1, 16)
        self._say(trouble_of(failure, self._without))

    def _say(self, trouble: Trouble | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_trouble()
