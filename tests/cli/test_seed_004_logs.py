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


# ---- what a session is resumed from

RULE = "Limit by API key, never by address."
TODOS = [
    {"content": "token bucket", "status": "completed"},
    {"content": "headers", "status": "in_progress"},
    {"content": "docs", "status": "pending"},
]
LEFT_OFF: list[Json] = [
    *WORK[:-1],
    *used("Edit", "<tool_use_error>String not found</tool_use_error>", file_path="src/missing.ts"),
    *used("TodoWrite", "ok", todos=TODOS),
    said("assistant", "The bucket is in limits.ts. The headers are next."),
    said("user", RULE),
    said("assistant", "Each key has its own bucket now. Shall I return 429 or 503?"),
]


def test_the_summary_is_structured_and_says_the_same_as_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = saved(tmp_path, as_checkpoint(LEFT_OFF))
    found = json.loads(printed(capsys, "call", "context/summary", json.dumps({"session": {"log": str(log)}})))
    assert (found["stats"]["messages"], found["stats"]["toolCalls"]) == (4, 7) and found["stats"]["estimatedTokens"] > 9
    (decision,) = found["keyDecisions"]
    assert (decision["text"], decision["type"], decision["madeBy"]) == (RULE, "constraint", "user")
    assert 0 < decision["confidence"] <= 1 and decision["messageIndex"] == 2
    start = decision["ref"]["byteOffset"]
    assert RULE in log.read_bytes()[start : start + decision["ref"]["byteLength"]].decode()
    files = {each["path"]: (each["action"], each["touchCount"], each["failed"]) for each in found["fileModifications"]}
    assert files["src/gateway.ts"] == ("modified", 2, 0) and files["src/old.ts"][0] == "deleted"
    assert files["src/missing.ts"] == ("untouched", 0, 1)
    assert (found["progress"]["percentage"], found["progress"]["currentStage"]) == (33, "implementation")
    assert {"Read", "Edit", "Write", "Bash"} <= set(found["toolsUsed"])
    assert found["userRequests"] == ["Add rate limiting to the gateway", RULE]
    text = found["formatted"]
    for part in (
        "Messages: 4 in 2 turns",
        "Original request: Add rate limiting",
        f"Key decisions:\n- {RULE}",
        "headers",
    ):
        assert part in text
    assert "tool_use_error" not in text and "object" not in text


def test_a_page_to_resume_from_tells_task_state_and_what_not_to_repeat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = saved(tmp_path, as_checkpoint(LEFT_OFF))
    result = json.loads(
        printed(capsys, "call", "recap/get", json.dumps({"session": {"log": str(log)}, "format": "resume"}))
    )
    text = result["markdown"]
    assert "**Task:** Add rate limiting to the gateway" in text and f"**Last request:** {RULE}" in text
    assert "left open — Shall I return 429 or 503?" in text and "not an instruction" in text
    done = text.partition("**Accomplished (do not repeat):**\n")[2].partition("\n\n")[0]
    assert done.split("\n") == ["- token bucket", "- Tests pass: 42 passed (npm test), edited since"]
    assert f"**Key decisions:**\n- {RULE[:-1]}" in text
    about = result["sessionSummary"]
    assert (about["conversationLength"], about["keyDecisions"]) == (4, [RULE])
    assert "1 of 3 tasks done (33 %)" in about["progressSummary"] and RULE in about["currentContext"]


def test_what_failed_is_told_without_the_marks_of_its_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed = used("Edit", "<tool_use_error>String not found</tool_use_error>", file_path="src/missing.ts")
    page = printed(capsys, "recap", "--format", "full", str(saved(tmp_path, as_list([ASKED, *failed]))))
    assert "Tried to edit missing.ts — failed: String not found" in page and "tool_use_error" not in page


def test_only_the_agent_decides_where_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = saved(tmp_path, as_checkpoint(LEFT_OFF))
    assert RULE in printed(capsys, "decisions", str(log))
    monkeypatch.setenv("RECAPD_PRESET", "apex")
    assert RULE not in printed(capsys, "decisions", str(log))


def test_without_history_there_is_nothing_to_resume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = printed(capsys, "recap", "--format", "resume", str(saved(tmp_path, as_checkpoint([]))))
    assert "## Previous context summary" in page and "**Task:**" not in page and "do not repeat" not in page


# ---- progress: stages, percentage, milestones


def progress(capsys: pytest.CaptureFixture[str], tmp_path: Path, *messages: Json | list[Json]) -> dict[str, object]:
    flat = [each for part in messages for each in (part if isinstance(part, list) else [part])]
    found = summary(capsys, saved(tmp_path, as_list(flat)))["progress"]
    assert isinstance(found, dict)
    return found


ASKED = said("user", "Add rate limiting to the gateway")
RAN_TESTS = used("Bash", "Tests: 42 passed, 42 total", command="npm test")
WROTE = used("Write", "ok", file_path="src/limits.ts", content="x\n")

STAGES: list[tuple[str, list[Json], list[str], str | None]] = [
    ("a marker of the orchestrator", [said("system", "Current stage: implementation"), ASKED], [], "implementation"),
    (
        "completed and gone on",
        [ASKED, said("assistant", "Planning stage completed. Moving to implementation stage.")],
        ["planning"],
        "implementation",
    ),
    (
        "in one sentence",
        [ASKED, said("assistant", "Planning is done, moving to the testing phase.")],
        ["planning"],
        "testing",
    ),
    (
        "with a mark before it",
        [ASKED, said("assistant", "## Status\n- ✅ **Architecture stage completed**\n- Stage: review")],
        ["architecture"],
        "review",
    ),
    ("begun again", [ASKED, said("assistant", "Review done."), said("user", "Current stage: review")], [], "review"),
    ("before what is done", [said("system", "Current stage: review"), ASKED, *RAN_TESTS], [], "review"),
    ("by tests that run", [ASKED, *WROTE, *RAN_TESTS], [], "testing"),
    ("by files that change", [ASKED, *RAN_TESTS, *WROTE], [], "implementation"),
    ("nothing to tell it by", [ASKED, said("assistant", "Which gateway?")], [], None),
]


@pytest.mark.parametrize(("messages", "done", "current"), [row[1:] for row in STAGES], ids=[row[0] for row in STAGES])
def test_stages_are_told_by_markers_and_then_by_what_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], messages: list[Json], done: list[str], current: str | None
) -> None:
    found = progress(capsys, tmp_path, messages)
    assert (found["completedStages"], found.get("currentStage")) == (done, current)


@pytest.mark.parametrize(
    "text",
    [
        "Once the planning stage is completed, we can talk.",
        "Is the testing stage done?",
        "The planning stage is not completed.",
        "If review is done, merge it.",
        "Moving to implementation details of the parser.",
        "```yaml\nStage: testing\n```",
        "stage: testing",
        "Testing done right is hard.",
        "What comes after the current stage: more of the same, I guess, or something else entirely?",
        "No testing completed yet.",
    ],
)
def test_what_only_mentions_a_stage_names_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    found = progress(capsys, tmp_path, ASKED, said("assistant", text))
    assert (found["completedStages"], found.get("currentStage")) == ([], None)


def test_stages_of_a_checkpoint_are_shown_to_who_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages = [said("system", "Current stage: planning"), *WORK, said("assistant", "Planning stage completed.")]
    log = saved(tmp_path, as_checkpoint(messages))
    assert "**Progress:** stage: implementation; completed: planning" in printed(
        capsys, "recap", "--format", "full", str(log)
    )
    assert "Stage: implementation; completed: planning" in printed(capsys, "context", "--preset", "apex", str(log))


def test_the_percentage_comes_from_a_list_that_is_ticked_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = said("assistant", "The plan:\n- [x] token bucket\n- [x] Redis store\n- [ ] headers\n- [ ] docs")
    found = progress(capsys, tmp_path, ASKED, plan)
    assert (found["percentage"], found["completedStages"]) == (50, ["token bucket", "Redis store"])
    later = said("assistant", "Now:\n1. [x] token bucket\n2. [x] Redis store\n3. [x] headers\n4. [ ] docs")
    assert progress(capsys, tmp_path, ASKED, plan, later)["percentage"] == 75


@pytest.mark.parametrize(
    "text",
    [
        "All done, 100 % complete!",
        "## Test plan\n- [ ] run the suite\n- [ ] click through the panel",
        "```\n- [x] a\n- [ ] b\n```",
        "- [x] only this",
    ],
)
def test_without_a_list_there_is_no_percentage(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert progress(capsys, tmp_path, ASKED, said("assistant", text))["percentage"] is None


def test_a_list_that_a_tool_keeps_counts_before_one_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    todos = [
        {"content": "bucket", "status": "completed"},
        {"content": "docs", "status": "in_progress"},
        {"content": "tests", "status": "pending"},
        {"content": "release", "status": "pending"},
    ]
    words = said("assistant", "- [x] bucket\n- [x] docs")
    kept = used("TodoWrite", "ok", todos=todos)
    for order in ((words, kept), (kept, words)):
        found = progress(capsys, tmp_path, ASKED, *order)
        assert (found["percentage"], found["currentStage"]) == (25, "docs")


LEFT: list[tuple[str, list[Json], list[str]]] = [
    ("a next step", [said("assistant", "Limits are in. Next step: add the headers.")], ["add the headers."]),
    (
        "steps in a list",
        [said("assistant", "Limits are in.\n\n**Next steps**\n1. Add the headers\n2. Tell ops")],
        ["Add the headers", "Tell ops"],
    ),
    (
        "a next step and a mark",
        [said("assistant", "Limits are in. Next step: add the headers. TODO: document the limits")],
        ["add the headers.", "document the limits"],
    ),
    ("a mark", [said("assistant", "Limits are in.\nTODO: document the limits")], ["document the limits"]),
    (
        "a question nobody answered",
        [said("assistant", "Limits are in."), said("user", "Which keys are limited?")],
        ["Not answered: Which keys are limited?"],
    ),
    (
        "a question whose answer broke off",
        [said("assistant", "Limits are in."), said("user", "Which keys are limited?"), *WROTE],
        ["Not answered: Which keys are limited?"],
    ),
    ("answered", [said("user", "Which keys are limited?"), said("assistant", "All but the admin's.")], []),
]


@pytest.mark.parametrize(("messages", "left"), [row[1:] for row in LEFT], ids=[row[0] for row in LEFT])
@pytest.mark.parametrize("command", ["recap --format full", "recap --format resume", "context --preset apex"])
def test_what_is_left_open_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], messages: list[Json], left: list[str], command: str
) -> None:
    page = printed(capsys, *command.split(), str(saved(tmp_path, as_list([ASKED, *messages]))))
    told = [line.removeprefix("- ") for line in page.split("\n")]
    assert [item for item in left if item not in told] == []
    assert left or not any("keys are limited?" in line for line in page.split("\n") if line.startswith("- Not"))


MILESTONES: list[tuple[str, str, str, str | None]] = [
    ("approved", "gh pr review 7 --approve", "Approved pull request #7", "Review approved: PR #7"),
    ("merged", "gh pr merge 7 --squash", "Merged pull request #7", "Merged: PR #7"),
    ("deployed", "npm run deploy", "deployed to staging", "Deployed (npm run deploy)"),
    ("built", "npm run build", "Build succeeded", "Build succeeded (npm run build)"),
    ("refused", "gh pr merge 7 --squash", "Error: Pull request #7 is not mergeable", None),
    ("only looked at", "gh pr view 7", "deployed to staging, code review approved, tests pass", None),
    ("failed tests", "npm test", "Tests: 3 failed, 12 passed, 15 total", None),
]


@pytest.mark.parametrize(
    ("command", "returned", "reached"), [row[1:] for row in MILESTONES], ids=[row[0] for row in MILESTONES]
)
def test_milestones_have_their_proof(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, returned: str, reached: str | None
) -> None:
    log = saved(
        tmp_path,
        as_list(
            [
                ASKED,
                *used("Bash", returned, command=command),
                said("assistant", "Tests pass, deployed to production, review approved."),
            ]
        ),
    )
    found = json.loads(printed(capsys, "recap", "--json", str(log)))["recap"]["progress"]["milestones"]
    assert [each["text"] for each in found] == ([reached] if reached else [])
    for each in found:
        start = each["ref"]["byteOffset"]
        assert command in log.read_bytes()[start : start + each["ref"]["byteLength"]].decode()
    page = printed(capsys, "recap", "--format", "full", str(log))
    assert reached is None or f"**Progress:** {reached}" in page
