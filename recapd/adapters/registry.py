"""Every format recapd reads, in the order they are tried. Adding a format is adding a line here."""

from __future__ import annotations

from recapd.adapters.aider.adapter import ADAPTER as AIDER
from recapd.adapters.base import Adapter, first_objects
from recapd.adapters.chat.agent_messages import ADAPTER as AGENT_MESSAGES
from recapd.adapters.chat.anthropic_messages import ADAPTER as ANTHROPIC_MESSAGES
from recapd.adapters.chat.rows import ADAPTER as CHAT_ROWS
from recapd.adapters.claude_code.adapter import ADAPTER as CLAUDE_CODE
from recapd.adapters.codex.adapter import ADAPTER as CODEX
from recapd.adapters.codex.bare import ADAPTER as CODEX_BARE
from recapd.adapters.copilot.adapter import ADAPTER as COPILOT
from recapd.adapters.gemini.adapter import ADAPTER as GEMINI
from recapd.adapters.openai_chat.document import ADAPTER as OPENAI_CHAT_JSON
from recapd.adapters.openai_chat.jsonl import ADAPTER as OPENAI_CHAT
from recapd.adapters.opencode.adapter import ADAPTER as OPENCODE
from recapd.adapters.pi.adapter import ADAPTER as PI

# Agents' own formats first, then what many programs write alike.
ADAPTERS: tuple[Adapter, ...] = (
    CLAUDE_CODE,
    CODEX,
    CODEX_BARE,
    PI,
    COPILOT,
    GEMINI,
    OPENCODE,
    AIDER,
    OPENAI_CHAT,
    OPENAI_CHAT_JSON,
    ANTHROPIC_MESSAGES,
    AGENT_MESSAGES,
    CHAT_ROWS,
)
_BY_NAME = {adapter.name: adapter for adapter in ADAPTERS}


def recognise(head: bytes) -> Adapter | None:
    """The adapter for a log that begins with `head`, or None where no format fits."""
    objects = first_objects(head)
    for adapter in ADAPTERS:
        if objects and adapter.recognise(objects):
            return adapter
        if adapter.recognise_head is not None and adapter.recognise_head(head):
            return adapter
    return None


def adapter_named(name: str) -> Adapter:
    return _BY_NAME[name]
