"""Events of Copilot CLI by their type: what each says, and which say nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.copilot.tools import Answer, ToolError, read_result, read_start
from recapd.adapters.shared import decode_or_none, is_injected, text_in
from recapd.core.log import (
    Call,
    Compacted,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Note,
    Opened,
    Prompt,
    Reply,
    Thought,
    Titled,
)


class _ShellExit(Struct, gc=False):
    exitCode: int | None = None


class Data(Struct, gc=False):
    """What the events that tell something hold. Hooks repeat calls and prompts in `input`, which stays unread."""

    sessionId: str | None = None
    copilotVersion: str | None = None
    selectedModel: str | None = None
    newModel: str | None = None
    model: str | None = None
    # A struct, but some events have a text by this name.
    context: Raw = Raw()
    cwd: str | None = None
    branch: str | None = None
    content: Raw = Raw()
    source: str | None = None
    delivery: str | None = None
    isAutopilotContinuation: bool | None = None
    messageId: str | None = None
    toolRequests: Raw = Raw()
    reasoningText: Raw = Raw()
    toolCallId: str | None = None
    parentToolCallId: str | None = None
    toolName: str | None = None
    arguments: Raw = Raw()
    success: bool | None = None
    result: Answer | None = None
    error: ToolError | str | None = None
    shellExecution: _ShellExit | None = None
    toolTelemetry: Raw = Raw()
    reason: Raw = Raw()
    message: Raw = Raw()
    title: Raw = Raw()
    summary: Raw = Raw()
    summaryContent: Raw = Raw()
    trigger: Raw = Raw()
    preCompactionTokens: Raw = Raw()
    shutdownType: str | None = None
    errorReason: Raw = Raw()


EventReader: TypeAlias = Callable[[Data], tuple[Event, ...]]

_count = msgspec.json.Decoder(int)
_NO_REQUESTS = b"[]"

# What the human typed has no source, or one of these; every other source is a part of the program that speaks.
_HUMAN_SOURCES = frozenset(("", "user", "immediate-prompt", "other"))


def _started(data: Data) -> tuple[Event, ...]:
    return (Opened(),)


def _user(data: Data) -> tuple[Event, ...]:
    text = text_in(data.content)
    source = data.source or ""
    if not text.strip():
        return ()
    if source.startswith("agent-"):
        return (Note("teammate", text),)
    if source == "autopilot-objective":
        # The goal that the human set; the turns it drives are the program's.
        return (Prompt(text, "command"),)
    if source.startswith("command"):
        return (Note("command", text),)
    if source not in _HUMAN_SOURCES or data.isAutopilotContinuation or is_injected(text):
        return (Note("meta", text),)
    return (Prompt(text, "queued" if data.delivery == "steering" else "typed"),)


def _assistant(data: Data) -> tuple[Event, ...]:
    """Words and thoughts; the calls asked for here come back as events of their own when they start. A message that
    neither says nor asks for anything is how the program is told that there is nothing more to do."""
    events: list[Event] = []
    if length := len(text_in(data.reasoningText)):
        events.append(Thought(length))
    text = text_in(data.content)
    if text and not text.isspace():
        events.append(Reply(text, data.messageId or ""))
    elif bytes(data.toolRequests) == _NO_REQUESTS:
        events.append(Ended("turn"))
    return tuple(events)


def _reasoning(data: Data) -> tuple[Event, ...]:
    return (Thought(len(text_in(data.content))),)


def _tool_start(data: Data) -> tuple[Event, ...]:
    return read_start(data.toolCallId or "", data.toolName or "", data.arguments)


def _tool_complete(data: Data) -> tuple[Event, ...]:
    exit_code = data.shellExecution.exitCode if data.shellExecution is not None else None
    error = ToolError(message=data.error) if isinstance(data.error, str) else data.error
    return (
        read_result(
            data.toolCallId or "",
            succeeded=data.success is not False,
            answer=data.result,
            error=error,
            exit_code=exit_code,
            telemetry=data.toolTelemetry,
        ),
    )


def _system_message(data: Data) -> tuple[Event, ...]:
    return (Note("meta", text_in(data.content)),)


def _notification(data: Data) -> tuple[Event, ...]:
    return (Note("meta", text_in(data.content)),)


def _informed(data: Data) -> tuple[Event, ...]:
    return (Note("meta", text_in(data.message)),)


def _handed_off(data: Data) -> tuple[Event, ...]:
    return (Note("meta", text_in(data.summary)),)


def _compacted(data: Data) -> tuple[Event, ...]:
    if data.success is False:
        return ()
    summary = text_in(data.summaryContent)
    tokens = decode_or_none(_count, data.preCompactionTokens) or 0
    note = (Note("compaction", summary),) if summary.strip() else ()
    return (Compacted(text_in(data.trigger), tokens), *note)


def _failed(data: Data) -> tuple[Event, ...]:
    return (Faulted(text_in(data.message)),)


def _aborted(data: Data) -> tuple[Event, ...]:
    return (Interrupted(),)


def _titled(data: Data) -> tuple[Event, ...]:
    title = text_in(data.title).strip()
    return (Titled(title),) if title else ()


def _shut_down(data: Data) -> tuple[Event, ...]:
    if data.shutdownType == "error":
        return (Ended("session", text_in(data.errorReason) or "error"),)
    return (Ended("session"),)


def _shell_of_human(data: Data) -> tuple[Event, ...]:
    call = _tool_start(data)[0]
    return (Note("shell", call.target if isinstance(call, Call) else ""),)


# A turn in this log is one call of the model: neither its start nor its end says anything of the human's turn.
_SILENT = """
    hook.start hook.end hook.progress assistant.turn_start assistant.turn_end assistant.intent assistant.idle
    assistant.usage assistant.message_start assistant.message_delta assistant.reasoning_delta assistant.streaming_delta
    tool.execution_partial_result tool.execution_progress tool.search_activated model.call_failure model.call_finished
    permission.requested permission.completed user_input.requested user_input.completed
    elicitation.requested elicitation.completed exit_plan_mode.requested exit_plan_mode.completed
    external_tool.requested external_tool.completed command.queued command.execute command.completed
    pending_messages.modified session.idle session.model_change session.mode_changed session.permissions_changed
    session.plan_changed session.todos_changed session.workspace_file_changed session.truncation
    session.snapshot_rewind session.context_changed session.context_cleared session.usage_info session.usage_checkpoint
    session.compaction_start session.task_complete session.remote_steerable_changed session.schedule_created
    session.schedule_cancelled session.schedule_rearmed session.autopilot_objective_changed session.tools_updated
    session.background_tasks_changed session.skills_loaded session.custom_agents_updated session.mcp_servers_loaded
    session.mcp_server_status_changed session.extensions_loaded session.custom_notification session.binary_asset
    skill.invoked subagent.started subagent.configured subagent.completed subagent.failed subagent.selected
    subagent.deselected sampling.requested sampling.completed mcp.oauth_required mcp.oauth_completed
    auto_mode_switch.requested auto_mode_switch.completed commands.changed capabilities.changed
"""

READERS: dict[str, EventReader | None] = {
    **dict.fromkeys(_SILENT.split()),
    "session.start": _started,
    "session.resume": _started,
    "session.error": _failed,
    "session.info": _informed,
    "session.warning": _informed,
    "session.handoff": _handed_off,
    "session.title_changed": _titled,
    "session.compaction_complete": _compacted,
    "session.shutdown": _shut_down,
    "user.message": _user,
    "assistant.message": _assistant,
    "assistant.reasoning": _reasoning,
    "tool.user_requested": _shell_of_human,
    "tool.execution_start": _tool_start,
    "tool.execution_complete": _tool_complete,
    "system.message": _system_message,
    "system.notification": _notification,
    "abort": _aborted,
}
