"""What is asked of a model, what comes back, and how it fails. Knows no vendor."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from recapd.core.summaries import Prompt
from recapd.core.trouble import Trouble

Reason: TypeAlias = Literal[
    "disabled",  # not switched on
    "noLibrary",  # the vendor's library is not installed
    "noKey",  # no key, or one that is not accepted
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
    "noModel": Trouble("the service does not know the model", "check llm.model"),
    "badRequest": Trouble("the service could not use the request", "check llm.model and llm.base_url"),
    "rateLimited": Trouble("the service asks to wait", "it is tried again later"),
    "overloaded": Trouble("the service has trouble", "it is tried again later"),
    "offline": Trouble("the service cannot be reached", "it is tried again later"),
    "timeout": Trouble("the service took too long", "it is tried again later"),
    "budget": Trouble(
        "the budget is spent", "raise llm.max_tokens_per_day, max_tokens_per_session or max_usd_per_day, or wait"
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
