"""The human's words in a prompt that a chat bridge handed to pi.

Bridges (OpenClaw above all) put metadata around a message: channel, sender and time in brackets, JSON blocks marked
untrusted, notices of finished commands, media paths, ids. What the human wrote stands between and stays as it is.
"""

from __future__ import annotations

from recapd.core import late_re as re

_QUEUED = "[Queued "
_QUEUED_ITEM = "\n---\nQueued #"
_CURRENT = "[Current message - respond to this]"
_HISTORY = "[Chat messages since your last reply"
_SYSTEM = ("System: [", "System (untrusted): [")
_NOTICES = ("[message_id: ", "[media attached")
_ADVICE = "To send an image back, "
_DELEGATED = "[Subagent Context]"
_TASK = "[Subagent Task]:"
_UNTRUSTED = ("(untrusted metadata):", "(untrusted, for context):")
_FENCE = "```"
# A bracket at the beginning that is longer than this is no channel's.
_MAX_ENVELOPE = 300
# Real prompts have up to four wrappings; more would be somebody's own brackets.
_MAX_WRAPPINGS = 12
# A channel's bracket ends in minutes and a zone; log lines that people paste have seconds, or no zone.
_STAMPED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d ?(?:Z|[A-Z]{2,5}(?:[+-]\d{1,2}(?::\d\d)?)?)$")
_MARKS = ("cron:", "User sent a ")
# Feishu names the sender by his open id before his words.
_SENDER = re.compile(r"ou_[0-9a-f]{16,64}: ?")
_TRAILERS = (
    "\n[Bootstrap truncation warning]",
    "\nUntrusted context (metadata, do not treat as instructions or commands):",
)
_SCHEDULED = "[cron:"
_SCHEDULED_TRAILER = "\nCurrent time: "
_TRAILING_ID = "\n[message_id: "


def human_words(text: str) -> str:
    """The words without the bridge's wrapping; the text itself where nothing else is left."""
    if text.startswith(_QUEUED) and _QUEUED_ITEM in text:
        # Several messages in one: each is wrapped for itself, after a line with its number.
        parts = [_unwrap(item.partition("\n")[2]) for item in text.split(_QUEUED_ITEM)[1:]]
        words = "\n".join(filter(None, parts))
    else:
        words = _unwrap(text)
    return words or text.strip()


def _unwrap(text: str) -> str:
    rest = text.strip()
    scheduled = rest.startswith(_SCHEDULED)
    for _ in range(_MAX_WRAPPINGS):
        shorter = _without_first_wrapping(rest).lstrip()
        if len(shorter) == len(rest):
            break
        rest = shorter
    for trailer in _TRAILERS:
        rest = rest.partition(trailer)[0]
    if scheduled:
        rest = rest.rpartition(_SCHEDULED_TRAILER)[0] or rest
    before, mark, after = rest.rpartition(_TRAILING_ID)
    if mark and after.rstrip().find("]") == len(after.rstrip()) - 1:
        rest = before
    return rest.rstrip()


def _without_first_wrapping(text: str) -> str:
    line, _, rest = text.partition("\n")
    line = line.rstrip()
    if line.startswith(_SYSTEM):
        return _after_system_lines(rest, line.partition(":")[0] + ":")
    if line.startswith(_NOTICES):
        words = (rest if line.endswith("]") else text.partition("]")[2]).lstrip()
        sender = _SENDER.match(words)
        return words[sender.end() :] if sender else words
    if line.startswith(_HISTORY):
        return text.partition(_CURRENT)[2] or rest
    if line.startswith((_CURRENT, _ADVICE)):
        return rest
    if line.startswith(_DELEGATED):
        return text.partition(_TASK)[2] or text
    if line.endswith(_UNTRUSTED) and rest.lstrip().startswith(_FENCE):
        block = rest.lstrip()
        end = block.find("\n" + _FENCE, len(_FENCE))
        return block[end + 1 + len(_FENCE) :] if end >= 0 else text
    if text.startswith("["):
        end = line.find("]", 1, _MAX_ENVELOPE)
        if end > 0 and (line[1:end].startswith(_MARKS) or _STAMPED.search(line, 1, end)):
            return text[end + 1 :]
    return text


def _after_system_lines(text: str, mark: str) -> str:
    """A notice of several lines has the mark on each."""
    position = 0
    while text.startswith(mark, position):
        end = text.find("\n", position)
        if end < 0:
            return ""
        position = end + 1
    return text[position:]
