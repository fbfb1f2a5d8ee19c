"""Claude Code: sessions, and all layouts of sub-agents."""

from recapd.adapters.claude_code.adapter import ADAPTER

__all__ = [
    "ADAPTER",
]
