"""Seed 004 through messages and checkpoints in its own format, APEX's, to what its user sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest

from recapd.__main__ import main

Json: TypeAlias = dict[str, object]


def said(speaker: str, text: str) -> Json:
    return {"type": speaker, "content": [{"type": "text", "text": text}]}


def used(tool: str, returned: str, **arguments: object) -> list[Json]:
    """A call, and the message that brings its result; neither has an id."""
    return [
        {"type": "assistant", "content": [{"type": "tool_use", "toolName": tool, "toolInput": arguments}]},
        {"type": "user", "content": [{"type": "tool_result", "toolResult": returned}]},
    ]


WORK: list[Json] = [
    said("user", "Add rate limiting to the gateway"),
    *used("Read", "export const gateway = 1", file_path="src/gateway.ts"),
    *used("Write", "ok", file_path="src/limits.ts", content="export const limit = 10\n"),
    *used("Edit", "ok", file_path="src/gateway.ts", old_string="1", new_string="2"),
    *used("Bash", "", command="rm src/old.ts"),
    *used("Bash", "Tests: 42 passed, 42 total", command="npm test"),
    said("assistant", "The gateway limits each key now."),
]


def as_list(messages: list[Json]) -> object:
    return messages


def as_checkpoint(messages: list[Json]) -> object:
    return {
        "taskId": "task_1",
        "checkpointId": "task_1-1769940000000",
        "stage": "implementation",
        "stageIndex": 0,
        "conversationState": messages,
        "metadata": {"status": "in-progress", "timestamp": "2026-02-01T10:00:00.000Z"},
        "createdAt": "2026-02-01T10:00:00.000Z",
    }


def as_session(messages: list[Json]) -> object:
    return {
        "lastCheckpoint": "2026-02-01T10:00:00.000Z",
        "contextSummary": "Conversation is within normal length",
        "conversationHistory": messages,
        "stageState": {},
        "resumePoint": {"stage": "implementation", "stepIndex": 0, "metadata": {"keyDecisions": []}},
    }


def saved(folder: Path, document: object, *, indent: int | None = 2) -> Path:
    log = folder / "task_1-1769940000000.json"
    log.write_text(json.dumps(document, indent=indent))
    return log


def printed(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert main([*command, "--no-daemon"]) == 0
    return capsys.readouterr().out


def summary(capsys: pytest.CaptureFixture[str], log: Path) -> Json:
    """What an agent that resumes asks for."""
    found = printed(capsys, "call", "context/summary", json.dumps({"session": {"log": str(log)}}))
    result: Json = json.loads(found)
    return result


@pytest.mark.parametrize("indent", [2, None], ids=["indented", "on a line"])
@pytest.mark.parametrize(
    "document", [as_list(WORK), as_checkpoint(WORK), as_session(WORK)], ids=["list", "checkpoint", "session"]
)
def test_messages_are_read_however_they_were_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], document: object, indent: int | None
) -> None:
    log = saved(tmp_path, document, indent=indent)
    found = printed(capsys, "recap", "--format", "full", str(log))
    assert "**Original request:** Add rate limiting to the gateway" in found
    assert "Tests pass: 42 passed (npm test)" in found
    assert "The gateway limits each key now" in found
    listed = printed(capsys, "files", str(log))
    assert [word for word in ("deleted", "modified", "written") if word in listed] == ["deleted", "modified", "written"]


def test_a_checkpoint_is_known_by_its_task_and_its_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(capsys, "recap", "--json", str(saved(tmp_path, as_checkpoint(WORK)))))
    assert found["sessionId"].endswith(":task_1")
    assert found["recap"]["stats"]["firstAt"] == "2026-02-01T10:00:00.000Z"


@pytest.mark.parametrize("document", ["[1, 2]", '[{"type": "user", "name": "Ada"}]', '{"taskId": "t", "steps": []}'])
def test_other_lists_and_tasks_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], document: str) -> None:
    log = tmp_path / "other.json"
    log.write_text(document)
    assert main(["recap", "--no-daemon", str(log)]) == 1
    assert "unsupported format" in capsys.readouterr().err
