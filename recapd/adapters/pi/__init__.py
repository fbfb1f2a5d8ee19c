"""pi, OpenClaw, gitclaw: v1 and v3, trees, bridges."""

from recapd.adapters.pi.adapter import ADAPTER

__all__ = [
    "ADAPTER",
]
