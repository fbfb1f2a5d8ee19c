"""Whose words a user message of Gemini CLI holds: the human's, typed or thrown in while the agent works, or others'.

The CLI appends the files that a prompt names, its editor extension appends open files, and hooks add parts.
"""

from __future__ import annotations

from recapd.adapters.shared import is_injected
from recapd.core.log import Event, Note, NoteKind, Prompt

# What the CLI and its hooks put into the conversation as parts of their own.
_INJECTED: dict[str, NoteKind] = {
    "<session_context>": "meta",
    "<hook_context>": "meta",
    "<state_snapshot>": "compaction",
    "This is the Gemini CLI. We are setting up the context": "meta",
    # Prompts of the built-in sub-agents; before there was a kind of session, theirs looked like any other.
    "Your task is to do a deep investigation of the codebase to find all relevant files": "task",
    "Your task is to answer the following question about Gemini CLI:": "task",
}
_INJECTED_STARTS = tuple(_INJECTED)
_CONTINUED = frozenset(("Please continue.", "System: Please continue."))
_STEERING = ("User steering update:", "User hints:")
_STEERING_OPEN = "<user_input>\n"
_STEERING_CLOSE = "\n</user_input>"
_REFERENCED = "--- Content from referenced files ---"
# What the editor extension appends, last first.
_SELECTED = "\n\nUser Selected Files:\n"
_CURRENT = "\nCurrent File Path:\n```"
_FENCE = "```"
# Heading, opening fence, path, closing fence.
_CURRENT_LINES = 4


def user_events(texts: list[str], shown: str) -> tuple[Event, ...]:
    """What the message means. `shown` is what the human saw himself type, where that differs from what was sent."""
    if shown.strip():
        return _typed(shown)
    events: list[Event] = []
    words: list[str] = []
    for text in texts:
        before, mark, _ = text.partition(_REFERENCED)
        start = before.lstrip()
        if start.startswith(_INJECTED_STARTS):
            events.append(Note(task_kind(start) or "meta", text))
        elif start.startswith(_STEERING):
            events.append(Prompt(_steering(start), "queued"))
        elif before.strip():
            words.append(before)
        if mark:
            # The contents of files follow, as parts of their own.
            break
    if words:
        events.extend(_typed("\n".join(words)))
    return tuple(events)


def task_kind(text: str) -> NoteKind | None:
    """The kind of note that a text is, where it begins like one the CLI writes."""
    return next((kind for start, kind in _INJECTED.items() if text.startswith(start)), None)


def _typed(text: str) -> tuple[Event, ...]:
    text = text.strip()
    if not text:
        return ()
    if text in _CONTINUED or is_injected(text):
        return (Note("meta", text),)
    if _is_command(text):
        words = text.partition(" ")[2].strip()
        return (Prompt(words, "command"),) if words else (Note("command", text),)
    return (Prompt(_without_editor(text)),)


def _is_command(text: str) -> bool:
    """A slash and a name, not a path."""
    name = text[1:].partition(" ")[0]
    return text[0] == "/" and name.replace("-", "").replace("_", "").replace(":", "").isalnum()


def _steering(text: str) -> str:
    """The human's words in the instruction that they are wrapped in."""
    start = text.find(_STEERING_OPEN)
    if start < 0:
        # Older versions quote the words on the first line.
        return text.partition(":")[2].partition("\nInternal instruction:")[0].strip().strip('"')
    end = text.rfind(_STEERING_CLOSE)
    return text[start + len(_STEERING_OPEN) : end if end > start else len(text)].strip()


def _without_editor(text: str) -> str:
    words = text
    start = words.rfind(_SELECTED)
    if start >= 0 and all(not line or line.startswith("- ") for line in words[start + len(_SELECTED) :].split("\n")):
        words = words[:start].rstrip()
    start = words.rfind(_CURRENT)
    if start >= 0 and words.endswith(_FENCE) and words.count("\n", start) == _CURRENT_LINES:
        words = words[:start].rstrip()
    return words or text
