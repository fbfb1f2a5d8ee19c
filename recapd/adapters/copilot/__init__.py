"""Copilot CLI: `events.jsonl`."""

from recapd.adapters.copilot.adapter import ADAPTER

__all__ = [
    "ADAPTER",
]
