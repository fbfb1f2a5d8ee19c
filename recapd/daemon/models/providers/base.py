"""What is asked of a model, what comes back, how it fails, and when it is asked once more. Knows no vendor."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import Literal, Protocol, TypeAlias

import anyio
import msgspec
from msgspec import Struct

from recapd.core.settings import LlmSettings
from recapd.core.summaries import Prompt
from recapd.core.trouble import Trouble

Reason: TypeAlias = Literal[
    "disabled",  # not switched on
    "noLibrary",  # the vendor's library is not installed
    "noKey",  # no key, or one that is not accepted
    "noCommand",  # the program is not there, or none is named
    "commandFailed",  # the program ended with an error
    "noModel",  # the service does not know the model
    "badRequest",  # the service cannot use the request
    "rateLimited",
    "overloaded",  # the service fails, and may not fail later
    "offline",
    "timeout",
    "budget",
    "backOff",  # it failed a moment ago, and is not asked again yet
    "badAnswer",  # not JSON, or not of the shape that was promised
    "empty",
    "truncated",
    "refused",
    "degenerate",
]

IN_WORDS: dict[Reason, Trouble] = {
    "disabled": Trouble("model summaries are off"),
    "noLibrary": Trouble("the anthropic library is not installed", "install it with: pip install 'recapd[anthropic]'"),
    "noKey": Trouble("the key is missing or not accepted", "check the environment variable that llm.api_key_env names"),
    "noCommand": Trouble("the program is not there", "check llm.command"),
    "commandFailed": Trouble("the program ended with an error", "try by hand what llm.command says"),
    "noModel": Trouble("the service does not know the model", "check llm.model"),
    "badRequest": Trouble("the service could not use the request", "check llm.model and llm.base_url"),
    "rateLimited": Trouble("the service asks to wait", "it is tried again later"),
    "overloaded": Trouble("the service has trouble", "it is tried again later"),
    "offline": Trouble("the service cannot be reached", "it is tried again later"),
    "timeout": Trouble("the service took too long", "it is tried again later"),
    "budget": Trouble(
        "the budget is spent", "raise max_tokens_per_day, max_tokens_per_session or max_usd_per_day of it, or wait"
    ),
    "backOff": Trouble("the service failed a moment ago", "it is tried again later"),
    "badAnswer": Trouble("the service's answer could not be read"),
    "empty": Trouble("the model's answer was empty"),
    "truncated": Trouble("the model's answer was cut off"),
    "refused": Trouble("the model refused"),
    "degenerate": Trouble("the model's answer said nothing"),
}


class Answer(Struct, frozen=True):
    text: str
    # As the service says it: "end_turn", "max_tokens", "refusal", …
    stop_reason: str
    input_tokens: int
    output_tokens: int
    model: str
    # Tries before it that got through and may have been counted at the service, though nothing came back.
    lost_tries: int = 0


class ModelFailure(Exception):
    """No answer; never holds text of the log or of the service."""

    def __init__(self, reason: Reason, *, retry_after_s: float = 0.0, lost_tries: int = 0) -> None:
        super().__init__(str(IN_WORDS[reason]))
        self.reason: Reason = reason
        # How long the service asks to be left alone.
        self.retry_after_s = retry_after_s
        # As in Answer, the last one included.
        self.lost_tries = lost_tries


class Provider(Protocol):
    async def ask(self, prompt: Prompt, model: str) -> Answer:
        """The model's answer, or ModelFailure. Text is sent as given: whoever calls has redacted it."""
        ...


# ---- asking once more

# Between two tries where the service names no time; doubled each time.
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 8.0
_AGAIN = frozenset(("rateLimited", "overloaded", "offline", "timeout"))

Sleep: TypeAlias = Callable[[float], Awaitable[None]]


class _Tries:
    """Counted outside the deadline, which may end them at any point."""

    def __init__(self) -> None:
        self.made = 0
        self.lost = 0


async def ask_within(request: Callable[[], Awaitable[Answer]], settings: LlmSettings, sleep: Sleep) -> Answer:
    """The answer of the first try that has one. One deadline holds for all tries together."""
    tries = _Tries()
    try:
        with anyio.fail_after(settings.timeout_s):
            return await _tried(request, settings, sleep, tries)
    except TimeoutError:
        raise ModelFailure("timeout", lost_tries=tries.lost + 1) from None


async def _tried(
    request: Callable[[], Awaitable[Answer]], settings: LlmSettings, sleep: Sleep, tries: _Tries
) -> Answer:
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            return msgspec.structs.replace(await request(), lost_tries=tries.lost)
        except ModelFailure as error:
            failure = error
        tries.made += 1
        tries.lost += failure.lost_tries
        failure.lost_tries = tries.lost
        # Who asks for minutes is not waited for here: whoever asked comes back by itself.
        if tries.made > settings.retries or failure.reason not in _AGAIN or failure.retry_after_s > _LONGEST_PAUSE_S:
            raise failure
        await sleep(failure.retry_after_s or pause_s)
        pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)


def failure_of_status(status: int, retry_after_s: float) -> ModelFailure:
    """What an answer of HTTP says that is none."""
    if status in (401, 403):
        return ModelFailure("noKey")
    if status == 404:
        return ModelFailure("noModel")
    if status == 429:
        return ModelFailure("rateLimited", retry_after_s=retry_after_s)
    if status >= 500:
        return ModelFailure("overloaded", retry_after_s=retry_after_s)
    return ModelFailure("badRequest")


def seconds_in(header: str) -> float:
    """What `retry-after` says; 0 where it names no time."""
    try:
        seconds = float(header)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0
