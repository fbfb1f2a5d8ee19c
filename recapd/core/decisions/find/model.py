"""How likely a candidate is a decision: its features, each weighed, and added up.

The weights stand in weights/, made by tests/eval/train_decisions.py. Deterministic, and no library needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log1p
from typing import Final, TypeAlias

from recapd.core.decisions.find.weights import agent, assent, user

# What is left of the log odds of those that were weighed against their rivals, and a constant.
Scale: TypeAlias = tuple[float, float]

_WEIGHTS: Final = {
    "agent": (agent.BIAS, agent.SLOPES),
    "user": (user.BIAS, user.SLOPES),
    "assent": (assent.BIAS, assent.SLOPES),
}
SCALES: Final[dict[str, Scale]] = {"agent": agent.SCALE, "user": user.SCALE, "assent": assent.SCALE}


def likelihood(name: str, features: Mapping[str, float]) -> float:
    """How likely it is a decision, 0 to 1. Of a number its logarithm counts: twice as long is not twice as apt."""
    odds, slopes = _WEIGHTS[name]
    for feature, value in features.items():
        if value:
            odds += slopes.get(feature, 0.0) * log1p(abs(value))
    return 1.0 / (1.0 + exp(-odds))
