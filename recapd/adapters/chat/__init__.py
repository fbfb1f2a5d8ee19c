"""Messages that many programs write alike: rows told apart by how they write content, and OpenAI-style chats."""

from recapd.adapters.chat.agent_documents import ADAPTER as AGENT_DOCUMENT
from recapd.adapters.chat.agent_messages import ADAPTER as AGENT_MESSAGES
from recapd.adapters.chat.anthropic_messages import ADAPTER as ANTHROPIC_MESSAGES
from recapd.adapters.chat.openai.document import ADAPTER as OPENAI_DOCUMENT
from recapd.adapters.chat.openai.jsonl import ADAPTER as OPENAI_JSONL
from recapd.adapters.chat.openai.prompts import user_events, without_reminders
from recapd.adapters.chat.rows import ADAPTER as CHAT_ROWS

__all__ = [
    "AGENT_DOCUMENT",
    "AGENT_MESSAGES",
    "ANTHROPIC_MESSAGES",
    "CHAT_ROWS",
    "OPENAI_DOCUMENT",
    "OPENAI_JSONL",
    "user_events",
    "without_reminders",
]
