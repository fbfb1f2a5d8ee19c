"""Codex: rollouts, with and without envelope."""

from recapd.adapters.codex.adapter import ADAPTER
from recapd.adapters.codex.bare import ADAPTER as BARE_ADAPTER

__all__ = ["ADAPTER", "BARE_ADAPTER"]
