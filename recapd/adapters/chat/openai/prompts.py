"""Whose words stand in the user's place of an OpenAI-style chat: the human's, or those of what runs the agent.

Chats of this shape come from many agents and from converters, so texts are told apart by how they begin.
"""

from __future__ import annotations

from recapd.adapters.shared import is_injected
from recapd.core.log import Event, Interrupted, Note, NoteKind, Prompt

_INTERRUPTED = "[Request interrupted by user"
_FOR_TOOL = "for tool use]"
_REMINDER = "<system-reminder>"
_REMINDER_END = "</system-reminder>"
_IDE = "<ide_"
# Long enough for every start below.
_HEAD = 64
# Texts that an agent sends to itself on a timer, after a restart, or when a task is over.
_MACHINE: dict[str, NoteKind] = {
    "This session is being continued from a previous": "compaction",
    "Read HEARTBEAT.md in your workspace": "meta",
    "Review the conversation above and consider ": "meta",
    "<teammate-message": "teammate",
    "<command-": "command",
    "<local-command-": "command",
    "<bash-": "shell",
    "<user_shell_command": "shell",
}
_MACHINE_STARTS = tuple(_MACHINE)
_CONTINUED = "Continue from where you left off."
# Lines that a converter or a bridge puts before the human's words; the bracket ends the line.
_LINE_PREFIXES = ("[attached ", "[Attached ")
# Brackets of any length that end before an empty line.
_BLOCK_PREFIXES = (("[SYSTEM: ", "]\n\n"), ('[Replying to: "', '"]\n\n'))


def user_events(text: str) -> tuple[Event, ...]:
    """What a message under the user's name means."""
    words = without_reminders(text.strip())
    if not words:
        return (Note("meta", text),) if text.strip() else ()
    if words.startswith(_INTERRUPTED):
        return (Interrupted(during_tool=_FOR_TOOL in words[:_HEAD]),)
    if words.startswith(_MACHINE_STARTS):
        return (Note(next(kind for start, kind in _MACHINE.items() if words.startswith(start)), text),)
    if words == _CONTINUED or is_injected(words):
        return (Note("meta", text),)
    words = _without_prefixes(words)
    return (Prompt(words),) if words else (Note("meta", text),)


def without_reminders(text: str) -> str:
    """The text without the blocks that a harness put into it; what remains is as it was, joined by line ends."""
    if _REMINDER not in text:
        return text
    parts: list[str] = []
    position = 0
    while (start := text.find(_REMINDER, position)) >= 0:
        parts.append(text[position:start].strip())
        end = text.find(_REMINDER_END, start)
        position = end + len(_REMINDER_END) if end >= 0 else len(text)
    parts.append(text[position:].strip())
    return "\n".join(filter(None, parts))


def _without_prefixes(text: str) -> str:
    rest = text
    while rest.startswith(_LINE_PREFIXES):
        line, _, after = rest.partition("\n")
        if not line.rstrip().endswith("]"):
            break
        rest = after.lstrip()
    for opening, closing in _BLOCK_PREFIXES:
        if rest.startswith(opening):
            end = rest.find(closing)
            rest = rest[end + len(closing) :].lstrip() if end >= 0 else rest
    while rest.startswith(_IDE):
        tag = rest[1 : rest.find(">")]
        end = rest.find(f"</{tag}>")
        if end < 0:
            break
        rest = rest[end + len(tag) + 3 :].lstrip()
    return rest
