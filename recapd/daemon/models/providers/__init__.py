"""Models that write summaries and read sessions. The only part of recapd through which text leaves the machine.

    base           what is asked of a model, what comes back, how it fails, and when it is asked once more
    anthropic_api  Anthropic's Messages API, through its own library, imported at the first request
    openai_api     any service that speaks OpenAI's chat completions, by the standard library
    command        a program of the user's that reads a prompt and prints an answer
    prices         what a request may cost at most
    budget         hard limits by day and session, kept over restarts

A provider's own library is imported at its first request: who switched none on does not pay for it.
"""

from collections.abc import Callable, Mapping
from typing import Final

from recapd.core.settings import LlmSettings
from recapd.daemon.models.providers.anthropic_api import AnthropicApi
from recapd.daemon.models.providers.base import IN_WORDS, Answer, ModelFailure, Provider
from recapd.daemon.models.providers.budget import Budget, Limits, Spent, limits_of_reading, limits_of_summaries
from recapd.daemon.models.providers.command import Command
from recapd.daemon.models.providers.openai_api import OpenAiApi
from recapd.daemon.models.providers.prices import cost_usd

__all__ = [
    "IN_WORDS",
    "PROVIDERS",
    "Answer",
    "Budget",
    "Limits",
    "ModelFailure",
    "Provider",
    "Spent",
    "cost_usd",
    "limits_of_reading",
    "limits_of_summaries",
]

# By the names that `llm.provider` may have.
PROVIDERS: Final[Mapping[str, Callable[[LlmSettings, Mapping[str, str]], Provider]]] = {
    "anthropic": AnthropicApi,
    "openai": OpenAiApi,
    "command": Command,
}
