"""Models that the user switched on: who they are, what they may cost, and how they are asked."""

from recapd.daemon.models.model import Model, midnight_after, most_sent
from recapd.daemon.models.providers import IN_WORDS, Answer, ModelFailure, cost_usd, limits_of_reading

__all__ = [
    "IN_WORDS",
    "Answer",
    "Model",
    "ModelFailure",
    "cost_usd",
    "limits_of_reading",
    "midnight_after",
    "most_sent",
]
