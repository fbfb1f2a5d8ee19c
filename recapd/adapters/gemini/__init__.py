"""Gemini CLI: chats as JSON and as JSONL."""

from recapd.adapters.gemini.adapter import ADAPTER

__all__ = [
    "ADAPTER",
]
