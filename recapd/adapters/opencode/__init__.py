"""opencode: what `opencode export` writes."""

from recapd.adapters.opencode.adapter import ADAPTER

__all__ = [
    "ADAPTER",
]
