"""What a request costs at most, in US dollars. For the limit on money, so a model that nobody knows costs the most.

A model on this machine, and a program that the user pays for otherwise, cost what the settings say, else nothing: their
limits are those in tokens.
"""

from __future__ import annotations

from recapd.core.settings import LlmSettings
from recapd.daemon.models.providers.openai_api import is_on_this_machine

# Dollars for a million tokens in and out, by how a model's name begins; the published list prices.
_PRICES: tuple[tuple[str, float, float], ...] = (
    ("claude-haiku-4", 1.0, 5.0),
    ("claude-3-5-haiku", 0.8, 4.0),
    ("claude-3-haiku", 0.25, 1.25),
    ("claude-sonnet-4", 3.0, 15.0),
    ("claude-3-7-sonnet", 3.0, 15.0),
    ("claude-3-5-sonnet", 3.0, 15.0),
    ("claude-opus-4-5", 5.0, 25.0),
    ("claude-opus-4-6", 5.0, 25.0),
)
_DEAREST = (15.0, 75.0)
_MILLION = 1_000_000


def cost_usd(model: str, input_tokens: int, output_tokens: int, settings: LlmSettings) -> float:
    is_free = settings.runs_program or (settings.provider == "openai" and is_on_this_machine(settings.base_url))
    price_in, price_out = (0.0, 0.0) if is_free else _price(model)
    price_in = settings.usd_per_million_in or price_in
    price_out = settings.usd_per_million_out or price_out
    return (input_tokens * price_in + output_tokens * price_out) / _MILLION


def _price(model: str) -> tuple[float, float]:
    # Routers put names in front: "anthropic/claude-haiku-4-5".
    name = model.lower().rpartition("/")[2]
    found = ((price_in, price_out) for start, price_in, price_out in _PRICES if name.startswith(start))
    return next(found, _DEAREST)
