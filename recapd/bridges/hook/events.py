"""The table of events: what each means for the daemon, and how its answer is written for the agent. Pure."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recapd.bridges.quick import Json

# What the log has more of than anybody reads.
_LONGEST_TEXT = 300
_LONGEST_PROMPT = 8_000
# A summary of a whole conversation; the protocol's frames are far larger.
_LONGEST_SUMMARY = 200_000

# By event: which moment is asked about, and which signal is told. SessionStart and the two of a compaction depend on
# more than their names.
_MOMENTS = {"UserPromptSubmit": "prompt", "PreCompact": "compacting"}
_STARTS = {"startup": "started", "resume": "resumed", "fork": "resumed", "compact": "compacted"}
_SIGNALS = {
    "SessionStart": "started",
    "UserPromptSubmit": "prompt",
    "PreCompact": "compacting",
    "PostCompact": "compacting",
    "PermissionRequest": "permission",
    "Stop": "stopped",
    "StopFailure": "failed",
    "SessionEnd": "ended",
}
_NOTIFICATIONS = {"permission_prompt": "permission", "idle_prompt": "idle"}
EVENTS = (*_SIGNALS, "SubagentStop", "Notification")
# Of these the agent waits for no answer: they run beside its turn. Not the end of a sub-agent: what a summary lost is
# asked for right after it.
SIGNALS_ONLY = ("PostCompact", "PermissionRequest", "Notification", "Stop", "StopFailure")
# Prompts that nobody typed.
_TYPED = (None, "", "user")


def question_of(given: Json, agent: str = "claude-code") -> Json | None:
    """The params of `hook/answer`; None where the agent is to be told nothing."""
    event = given.get("hook_event_name")
    moment = _STARTS.get(given.get("source") or "startup") if event == "SessionStart" else _MOMENTS.get(str(event))
    session = _text(given, "session_id", _LONGEST_TEXT)
    if moment is None or not session or (event == "UserPromptSubmit" and given.get("source") not in _TYPED):
        return None
    asked: Json = {"session": {"agent": agent, "agentSessionId": session}, "moment": moment}
    if cwd := _text(given, "cwd", 4_096):
        asked["workspace"] = cwd
    if moment == "prompt":
        asked["prompt"] = _text(given, "prompt", _LONGEST_PROMPT)
    return asked


def signal_of(given: Json, agent: str, *, at: str, pid: int = 0) -> Json | None:
    """The params of `session/signal`; None where nothing happened that a state depends on."""
    event = str(given.get("hook_event_name"))
    session = _text(given, "session_id", _LONGEST_TEXT)
    kind = _SIGNALS.get(event)
    told: Json = {"session": {"agent": agent, "agentSessionId": session}, "at": at}
    if event == "SessionStart" and given.get("source") == "compact":
        # The turn goes on.
        kind = None
    elif event == "SubagentStop":
        # A sub-agent without a kind is the one that summarizes.
        kind = "compacting" if given.get("agent_type") == "" and given.get("last_assistant_message") else None
    elif event == "Notification":
        kind = _NOTIFICATIONS.get(str(given.get("notification_type")))
    if kind is None or not session:
        return None
    told["kind"] = kind
    said = "compact_summary" if event == "PostCompact" else "last_assistant_message"
    if kind == "compacting" and (summary := _text(given, said, _LONGEST_SUMMARY)):
        told["summary"] = summary
    if text := _why(event, given):
        told["text"] = text
    if pid:
        told["pid"] = pid
    return told


def answer_json(event: str, text: str) -> str:
    """How the agent takes it: before a compaction as plain text, else in the hooks' JSON; `{}` says nothing."""
    if event == "PreCompact":
        return text
    if not text:
        return "{}"
    said = {"hookEventName": event, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": said, "suppressOutput": True})


def _why(event: str, given: Json) -> str:
    if event == "PermissionRequest":
        asked = given.get("tool_input")
        target = asked.get("command") or asked.get("file_path") or "" if isinstance(asked, dict) else ""
        return f"{given.get('tool_name') or ''} {target}".strip()[:_LONGEST_TEXT]
    return _text(given, "error", _LONGEST_TEXT) if event == "StopFailure" else ""


def _text(given: Json, name: str, most: int) -> str:
    value = given.get(name)
    return value[:most] if isinstance(value, str) else ""
