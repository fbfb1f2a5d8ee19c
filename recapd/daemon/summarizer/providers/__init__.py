"""Models that write summaries. The only part of recapd through which text leaves the machine.

    base           what is asked of a model, what comes back, and how it fails
    anthropic_api  Anthropic's Messages API, through its own library, imported at the first request
    prices         what a request may cost at most
    budget         hard limits by day and session, kept over restarts

A provider's own library is imported at its first request: who switched none on does not pay for it.
"""

from collections.abc import Callable, Mapping
from typing import Final

from recapd.core.settings import LlmSettings
from recapd.daemon.summarizer.providers.anthropic_api import AnthropicApi
from recapd.daemon.summarizer.providers.base import IN_WORDS, Answer, ModelFailure, Provider
from recapd.daemon.summarizer.providers.budget import Budget, Spent
from recapd.daemon.summarizer.providers.prices import cost_usd

__all__ = ["IN_WORDS", "PROVIDERS", "Answer", "Budget", "ModelFailure", "Provider", "Spent", "cost_usd"]

# By the names that `llm.provider` may have.
PROVIDERS: Final[Mapping[str, Callable[[LlmSettings, Mapping[str, str]], Provider]]] = {"anthropic": AnthropicApi}
