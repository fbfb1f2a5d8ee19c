"""What stands in the human's place in Claude Code's log: the human's words, and all that is put there by others.

Slash commands, shell commands, notifications, other agents' messages, summaries and reminders share one record type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recapd.adapters.claude_code.results import payload_text, result_events, shared_result
from recapd.core import late_re as re
from recapd.core.log import Event, Interrupted, Note, NoteKind, Prompt, Queued

if TYPE_CHECKING:
    from recapd.adapters.claude_code.shape import Block, Line, Origin

# How text begins that the harness wrote, in lower case. Human words do not begin so.
_INJECTED: dict[str, NoteKind] = {
    "<local-command-": "command",
    "<bash-input": "shell",
    "<bash-std": "shell",
    "<teammate-message": "teammate",
    "<task-notification": "meta",
    "<observed_from_primary_session": "meta",
    "<environment_context": "meta",
    "<user_instructions": "meta",
    "<instructions": "meta",
    "<system-reminder": "meta",
    "<permissions": "meta",
    "<collaboration_mode": "meta",
    "<turn_aborted": "meta",
    "<user_shell_command": "shell",
    "<subagent_notification": "meta",
    "<skill": "meta",
    "# agents.md": "meta",
    "caveat: the messages below": "meta",
    "this session is being continued from a previous": "compaction",
}
# Older versions queue a finished background task as plain JSON.
_QUEUED_TASK = '{"task_id":'
_INJECTED_STARTS = tuple(_INJECTED)
# What the harness adds when a tool was looked up, beside the result or in a record of its own.
_TOOL_LOADED = re.compile(r"Tool loaded\.(?:\n\[id:[^\]\n]+\])*+")
_COMMAND_STARTS = ("<command-name", "<command-message", "<command-args")
_INTERRUPTED = "[request interrupted"
_MEMORY = "<user-memory-input"
# Commands that set up the tool itself: what follows them asks the agent for nothing.
_SETTINGS = """
    /add-dir /agents /clear /color /compact /config /cost /doctor /effort /exit /export /fast /help /hooks /ide
    /login /logout /mcp /memory /model /output-style /permissions /plugin /rename /reload-plugins /resume
    /remote-control /status /theme /usage /vim
"""
_SETTINGS_COMMANDS = frozenset(_SETTINGS.split())
_FIRST_LETTERS = frozenset("<[#cCtT")
_LONGEST_START = max(map(len, _INJECTED_STARTS))

# Who else writes prompts, in versions that say so. Behind an origin not known here may be a human: a bridge, say.
_MACHINE_ORIGINS = frozenset(("task-notification", "auto-continuation", "coordinator", "peer"))


def user_events(line: Line) -> tuple[Event, ...]:
    message = line.message
    if message is None or message.content is None:
        return ()
    content = message.content
    if isinstance(content, str):
        return _text_events(line, content)
    if len(content) == 1 and content[0].type == "tool_result":
        return result_events(line, content[0])
    return _block_events(line, content)


def _block_events(line: Line, blocks: list[Block]) -> tuple[Event, ...]:
    """A prompt in pieces; also a result together with what the human said when letting the call pass."""
    events: list[Event] = []
    results = [block for block in blocks if block.type == "tool_result"]
    if len(results) == 1:
        events.extend(result_events(line, results[0]))
    else:
        events.extend(shared_result(line, block) for block in results)
    texts = [block.text for block in blocks if block.type == "text" and block.text]
    if len(texts) > 1:
        texts = [text for text in texts if not _TOOL_LOADED.fullmatch(text.strip())]
    if texts:
        events.extend(_text_events(line, "\n".join(texts)))
    return tuple(events)


def _text_events(line: Line, text: str) -> tuple[Event, ...]:
    if line.isCompactSummary:
        return (Note("compaction", text),)
    if not text.strip():
        return ()
    if line.isMeta or line.promptSource == "system":
        return (Note("meta", text),)
    if (author := _machine_author(line.origin)) is not None:
        return (Note(author, text),)
    if line.isSidechain:
        if text.startswith("[Request interrupted"):
            return (_interrupted(text),)
        return (Note("task", text),)
    words = _without_surroundings(text)
    if not words:
        return (Note("meta", text),)
    events = _human_events(words)
    if line.parentUuid is None and not line.logicalParentUuid and line.uuid:
        return tuple(_as_first(event) for event in events)
    return events


def _as_first(event: Event) -> Event:
    """The same, where the record hangs on nothing: the session's first, or said after going back to before that."""
    return Prompt(event.text, is_first=True) if isinstance(event, Prompt) and event.kind == "typed" else event


def _human_events(text: str) -> tuple[Event, ...]:
    if text[0] not in _FIRST_LETTERS:
        return (Prompt(text),)
    start = text[:_LONGEST_START].lower()
    if start.startswith(_COMMAND_STARTS):
        return (_command(text),)
    if start.startswith(_INTERRUPTED):
        return (_interrupted(text),)
    if start.startswith(_MEMORY):
        return (Prompt(_between(text, "user-memory-input") or text, "command"),)
    kind = "meta" if _TOOL_LOADED.fullmatch(text) else injected_kind(text)
    if kind is None:
        return (Prompt(text),)
    return (Note(kind, _between(text, "bash-input") or text),)


def injected_kind(text: str) -> NoteKind | None:
    """What kind of note the text is, where it begins like one the harness writes."""
    start = text.lstrip()[:_LONGEST_START].lower()
    if not start.startswith(_INJECTED_STARTS):
        return None
    return next(kind for known, kind in _INJECTED.items() if start.startswith(known))


def _machine_author(origin: Origin | None) -> NoteKind | None:
    if origin is None or origin.kind not in _MACHINE_ORIGINS:
        return None
    return "teammate" if origin.kind == "peer" else "meta"


def queue_events(line: Line) -> tuple[Event, ...]:
    """Prompts that wait while the agent works.

    A `dequeue` is followed by the prompt as a record of its own. A `remove` hands the prompt to the agent in mid-turn
    (it comes with the next tool result, and the agent answers): it is no withdrawal. Only `popAll` gives the words
    back to the human, into the input line.
    """
    if line.operation not in ("enqueue", "popAll", "remove"):
        return ()
    text = payload_text(line.content).strip()
    if line.operation == "remove":
        return (Queued(text, delivered=True),)
    if line.operation == "popAll":
        return (Queued(text, taken_back=True),)
    if not text or text.startswith(_QUEUED_TASK) or injected_kind(text) is not None:
        # Comes back as a record of its own.
        return ()
    if _is_command(text):
        return (Note("command", text),)
    return (Queued(text),)


def attached_events(line: Line) -> tuple[Event, ...]:
    """A waiting prompt that was handed to the agent in mid-turn; nothing else attached is anybody's words."""
    attachment = line.attachment
    if attachment is None or attachment.type != "queued_command":
        return ()
    text = _without_surroundings(payload_text(attachment.prompt))
    if not text:
        return ()
    kind = injected_kind(text) or _machine_author(attachment.origin)
    if kind is None and attachment.commandMode not in (None, "", "prompt"):
        kind = "shell" if attachment.commandMode == "bash" else "meta"
    if kind is not None:
        return (Note(kind, text),)
    return (Note("task", text),) if line.isSidechain else (Prompt(text, "queued"),)


def command_note(text: str) -> Note:
    """A slash command or its output, from a record that is never the human's turn."""
    return Note("command", _between(text, "command-name") or _between(text, "local-command-stdout") or text)


def _command(text: str) -> Event:
    name = _between(text, "command-name")
    words = _between(text, "command-args")
    if name in _SETTINGS_COMMANDS:
        return Note("command", f"{name} {words}".rstrip())
    # Older versions leave the slash out.
    typed = f"/{name.lstrip('/')}" if name else ""
    if words:
        return Prompt(words, "command", command=typed)
    # A command that stands for a prompt is logged with what it says first, one of the program's own with its name.
    if typed and text.startswith("<command-message"):
        return Prompt(typed, "command")
    return Note("command", name or text)


def _is_command(text: str) -> bool:
    """A slash and a name, not a path."""
    name = text[1:].partition(" ")[0]
    return text[0] == "/" and name.replace("-", "").replace("_", "").replace(":", "").isalnum()


def _interrupted(text: str) -> Interrupted:
    return Interrupted(during_tool="for tool use" in text[:_LONGEST_START])


def _between(text: str, tag: str) -> str:
    start = text.find(f"<{tag}>")
    if start < 0:
        return ""
    start += len(tag) + 2
    end = text.find(f"</{tag}>", start)
    return text[start : end if end >= 0 else len(text)].strip()


def _without_surroundings(text: str) -> str:
    """The words alone: what an editor put in front and reminders anywhere are cut, the rest is left as it is."""
    text = text.strip()
    while text.startswith("<ide_"):
        closing = f"</{text[1 : text.find('>')]}>"
        end = text.find(closing)
        if end < 0:
            return text
        text = text[end + len(closing) :].lstrip()
    if "<system-reminder>" in text:
        return _without_reminders(text)
    return text


def _without_reminders(text: str) -> str:
    parts: list[str] = []
    position = 0
    while (start := text.find("<system-reminder>", position)) >= 0:
        parts.append(text[position:start].strip())
        end = text.find("</system-reminder>", start)
        position = end + len("</system-reminder>") if end >= 0 else len(text)
    parts.append(text[position:].strip())
    return "\n".join(part for part in parts if part)
