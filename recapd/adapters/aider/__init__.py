"""aider: `.aider.chat.history.md`."""

from recapd.adapters.aider.adapter import ADAPTER

__all__ = [
    "ADAPTER",
]
