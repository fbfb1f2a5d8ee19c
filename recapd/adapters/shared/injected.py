"""Texts that harnesses file under the user's name although no human wrote them: told by how they begin."""

from __future__ import annotations

# Lower case: agents and their versions do not agree on it.
_INJECTED = (
    "<environment_context",
    "<user_instructions",
    "<instructions",
    "<system-reminder",
    "<local-command-std",
    "<command-name",
    "<command-message",
    "<command-args",
    "<bash-input",
    "<bash-std",
    "<teammate-message",
    "<user-memory-input",
    "<permissions",
    "<collaboration_mode",
    "<turn_aborted",
    "<user_shell_command",
    "<subagent_notification",
    "<skill",
    "<task-notification",
    "# agents.md",
    "caveat: the messages below",
    "[request interrupted",
    "this session is being continued from a previous",
    "pre-compaction memory flush",
)
_INJECTED_LENGTH = max(map(len, _INJECTED))


def is_injected(text: str) -> bool:
    """Whether a message that is filed under the user was put in by the harness."""
    return text.lstrip()[:_INJECTED_LENGTH].lower().startswith(_INJECTED)
