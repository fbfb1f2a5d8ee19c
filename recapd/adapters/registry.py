"""Every format recapd reads, in the order they are tried. Adding a format is adding a line here."""

from __future__ import annotations

from recapd.adapters import aider, chat, claude_code, codex, copilot, gemini, opencode, pi
from recapd.adapters.shared import Adapter, first_objects

# Agents' own formats first, then what many programs write alike.
ADAPTERS: tuple[Adapter, ...] = (
    claude_code.ADAPTER,
    codex.ADAPTER,
    codex.BARE_ADAPTER,
    pi.ADAPTER,
    copilot.ADAPTER,
    gemini.ADAPTER,
    opencode.ADAPTER,
    aider.ADAPTER,
    chat.OPENAI_JSONL,
    chat.OPENAI_DOCUMENT,
    chat.ANTHROPIC_MESSAGES,
    chat.AGENT_DOCUMENT,
    chat.AGENT_MESSAGES,
    chat.CHAT_ROWS,
)


def recognise(head: bytes) -> Adapter | None:
    """The adapter for a log that begins with `head`, or None where no format fits."""
    objects = first_objects(head)
    for adapter in ADAPTERS:
        if objects and adapter.recognise(objects):
            return adapter
        if adapter.recognise_head is not None and adapter.recognise_head(head):
            return adapter
    return None
