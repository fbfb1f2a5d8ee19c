"""A table of messages, one row per line: {role, content} with perhaps an id, a time and a conversation.

The plainest format there is: nothing but what the human and the agent said. Rows are read as messages of any style,
so that a log whose first lines are plain loses nothing when tool calls come later.
"""

from __future__ import annotations

from collections.abc import Sequence

from recapd.adapters.chat import anthropic_messages
from recapd.adapters.chat.anthropic_messages import is_nearly_all, is_row, parse
from recapd.adapters.chat.openai import jsonl as openai_chat_jsonl
from recapd.adapters.shared import Adapter, JsonObject

_SPEAKERS = frozenset(("user", "assistant", "system", "human"))


def recognise(objects: Sequence[JsonObject]) -> bool:
    """Hardly anything but plain rows, one of them the human's, and no sign of a richer style."""
    if not is_nearly_all(sum(map(_is_plain, objects)), objects):
        return False
    if openai_chat_jsonl.recognise(objects) or anthropic_messages.recognise(objects):
        return False
    return any(found.get("role") in ("user", "human") for found in objects)


def _is_plain(found: JsonObject) -> bool:
    if not is_row(found) or found.get("role") not in _SPEAKERS:
        return False
    content = found.get("content")
    return isinstance(content, str) or (
        isinstance(content, list)
        and all(isinstance(part, dict) and part.get("type") in ("text", "image", "image_url") for part in content)
    )


ADAPTER = Adapter(name="chat-rows", title="Chat rows", recognise=recognise, parse=parse, holds_many_sessions=True)
