"""Whose words a message in a Codex rollout are, and which of them the human typed.

Codex hands instructions, environment, skills and shell output to the model as messages of the user.
Editors put open files and tabs before the request; the request itself stands under a fixed heading.
"""

from __future__ import annotations

from recapd.adapters.shared import is_injected
from recapd.core.log import Event, Note, NoteKind, Prompt

# Codex's editors and its desktop app head the human's part with this, after what they found open.
_REQUEST_HEADING = "## My request for Codex:"


def human_words(text: str) -> str:
    """The request without what an editor put before it."""
    if text.lstrip().startswith("# "):
        _, heading, request = text.partition(_REQUEST_HEADING)
        if heading and request.strip():
            return request.strip()
    return text.strip()


def weak_prompt(text: str) -> tuple[Event, ...]:
    """A message under the user's name that an event may state again, and more plainly."""
    if not text.strip():
        return ()
    if is_injected(text):
        return (Note(_note_kind(text), text),)
    return (Prompt(human_words(text), weak=True),)


def _note_kind(text: str) -> NoteKind:
    start = text.lstrip()
    if start.startswith("<user_shell_command"):
        return "shell"
    if start.startswith("<subagent_notification"):
        return "teammate"
    return "meta"
