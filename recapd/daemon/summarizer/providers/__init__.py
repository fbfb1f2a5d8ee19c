"""Models that write summaries. The only part of recapd through which text leaves the machine.

    base           what is asked of a model, what comes back, and how it fails
    anthropic_api  Anthropic's Messages API, through its own library, imported at the first request
    prices         what a request may cost at most
    budget         hard limits by day and session, kept over restarts

Nothing here is imported unless the user switched a provider on.
"""

from recapd.daemon.summarizer.providers.anthropic_api import AnthropicApi
from recapd.daemon.summarizer.providers.base import IN_WORDS, Answer, ModelFailure, Provider
from recapd.daemon.summarizer.providers.budget import Budget, Spent
from recapd.daemon.summarizer.providers.prices import cost_usd

__all__ = ["IN_WORDS", "Answer", "AnthropicApi", "Budget", "ModelFailure", "Provider", "Spent", "cost_usd"]
