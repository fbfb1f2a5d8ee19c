"""Seed 003 through session files in its own format, mycode's, to what its user sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest

from recapd.__main__ import main

Json: TypeAlias = dict[str, object]

SYSTEM = "You are mycode, a coding assistant. Never push to main."


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests has sessions and summaries of their own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECAPD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("RECAPD_RUNTIME_DIR", str(tmp_path / "run"))


def says(text: str) -> Json:
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def asks(text: str) -> Json:
    return {"role": "user", "content": text}


def uses(call_id: str, tool: str, returned: str, *, is_error: bool = False, **arguments: object) -> list[Json]:
    """A call, and the message that brings its result."""
    call = {"type": "tool_use", "id": call_id, "name": tool, "input": arguments}
    result: Json = {"type": "tool_result", "toolUseId": call_id, "content": returned}
    if is_error:
        result["isError"] = True
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


WORK: list[Json] = [
    asks("Add login with JWT to the shop service"),
    *uses("t1", "Read", "export function login() {}", file_path="src/auth.ts"),
    *uses("t2", "Edit", "Edited src/auth.ts", file_path="src/auth.ts", old_string="() {}", new_string="() { sign() }"),
    *uses("t3", "Write", "Created src/token.ts", file_path="src/token.ts", content="export const ttl = 900\n"),
    *uses("t4", "Bash", "Tests: 1 failed, 11 passed", is_error=True, command="npm test"),
    *uses("t5", "Bash", "Tests: 12 passed, 12 total", command="npm test"),
    says("Login works with JWT, and all tests pass."),
    asks("We'll go with PostgreSQL for the sessions table."),
    says("The sessions table is on PostgreSQL."),
]


def session(messages: list[Json], **more: object) -> Json:
    about = {
        "id": "m5x-1a2b3c4d",
        "title": "Login for the shop",
        "createdAt": "2026-02-01T10:00:00.000Z",
        "updatedAt": "2026-02-01T10:30:00.000Z",
        "provider": "anthropic",
        "model": "some-model",
        "cwd": "/home/dev/shop",
        "messageCount": len(messages),
    }
    return {"metadata": about, "messages": messages, **more}


def saved(folder: Path, document: Json, *, indent: int | None = 2) -> Path:
    log = folder / "m5x-1a2b3c4d.json"
    log.write_text(json.dumps(document, indent=indent))
    return log


def printed(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert main([*command, "--no-daemon"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("indent", [2, None], ids=["indented", "on a line"])
def test_a_session_file_is_read_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str], indent: int | None) -> None:
    log = saved(tmp_path, session(WORK), indent=indent)
    found = printed(capsys, "recap", "--format", "full", str(log))
    assert "**Original request:** Add login with JWT to the shop service" in found
    assert "We'll go with PostgreSQL for the sessions table (you)" in found
    assert "Edited auth.ts; Wrote token.ts (1 line); Ran `npm test` — failed: Tests: 1 failed, 11 passed" in found
    assert "Tests pass: 12 passed (npm test)" in found
    assert "**Files changed (2):**" in found


def test_sessions_are_found_where_mycode_keeps_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / ".mycode" / "sessions"
    folder.mkdir(parents=True)
    saved(folder, session(WORK))
    (row,) = json.loads(printed(capsys, "sessions", "--json"))["sessions"]
    assert (row["title"], row["workspace"]) == ("Login for the shop", "/home/dev/shop")
    assert (row["startedAt"], row["lastActiveAt"]) == ("2026-02-01T10:00:00.000Z", "2026-02-01T10:30:00.000Z")


SUMMARY: Json = {
    "id": "s1",
    "covering_messages": [0, 40],
    "content": "- The old endpoint was deleted.\n- Passwords are hashed with argon2.",
    "key_decisions": [],
    "files_modified": ["src/hash.ts"],
    "tools_used": [],
    "generated_at": "2026-02-01T10:20:00.000Z",
    "token_count": 20,
}
PLACEHOLDER: Json = {
    "role": "system",
    "content": f"[Previous conversation summarized - 41 messages]\n\n{SUMMARY['content']}",
}


@pytest.mark.parametrize(
    "document",
    [
        session(
            [{"role": "system", "content": SYSTEM}, PLACEHOLDER, *WORK], summaries=[SUMMARY], full_message_count=55
        ),
        {**session([]), "messages": None, "summaries": [SUMMARY], "recent_messages": WORK, "full_message_count": 55},
    ],
    ids=["in place", "beside the recent messages"],
)
def test_a_compressed_session_begins_with_what_is_left_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], document: Json
) -> None:
    log = saved(tmp_path, {key: value for key, value in document.items() if value is not None})
    found = json.loads(printed(capsys, "recap", "--json", str(log)))["recap"]
    assert found["originalRequest"]["text"] == "Add login with JWT to the shop service"
    assert (found["stats"]["toolCalls"], found["stats"]["failedToolCalls"]) == (5, 1)
    way = json.loads(printed(capsys, "call", "timeline/get", json.dumps({"session": {"log": str(log)}})))
    assert sum(each["kind"] == "compaction" for each in way["marks"]) == 1


# ---- what was used (AC-5)

USED = [("Bash", 2, 1, ["npm test"]), ("Edit", 1, 0, ["src/auth.ts"])]


def test_tools_used_are_counted_with_failures_and_notable_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(saved(tmp_path, session(WORK)))
    told = "Bash 2 (1 failed): npm test; Edit 1: src/auth.ts; Read 1: src/auth.ts; Write 1: src/token.ts"
    assert f"**Tools used:** {told}" in printed(capsys, "recap", "--format", "full", log)
    found = json.loads(printed(capsys, "call", "context/summary", json.dumps({"session": {"log": log}})))
    rows = [(each["tool"], each["count"], each["failed"], each["notableUses"]) for each in found["toolUsage"]]
    assert rows[:2] == USED and f"Tools used: {told}" in found["formatted"]
    box = printed(capsys, "summarize", log)
    assert "│ Files Modified: 2 " in box and "│ Commands Run: 2 " in box
    assert "│ • Bash 2 (1 failed): npm test " in box


def test_notable_uses_are_those_that_changed_something_and_then_the_most_frequent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = ["npm test", "npm test", "npm test", "npm run lint", "npm run lint", "npm run build", "ls"]
    calls = [uses(f"c{at}", "Bash", "ok", command=command) for at, command in enumerate(commands)]
    log = saved(tmp_path, session([asks("Make it pass"), *(each for pair in calls for each in pair), says("It does.")]))
    found = json.loads(printed(capsys, "call", "context/summary", json.dumps({"session": {"log": str(log)}})))
    assert found["toolUsage"][0]["notableUses"] == ["npm test ×3", "npm run lint ×2", "ls"]


# ---- summaries are kept


def talk(exchanges: int) -> list[Json]:
    return [
        each
        for number in range(exchanges)
        for each in (
            asks(f"Add endpoint {number} to the service"),
            *uses(f"e{number}", "Edit", "ok", file_path=f"src/e{number}.ts", old_string="a", new_string="b"),
            says(f"Endpoint {number} is there."),
        )
    ]


def test_a_summary_made_without_a_daemon_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = str(saved(tmp_path, session(talk(30))))
    assert "│ Messages: 60 → 21 " in printed(capsys, "summarize", log)
    shown = printed(capsys, "history", log)
    assert "[Summary 1] messages 1–40" in shown and "[Recent] messages 41–60:" in shown
    context = printed(capsys, "context", "--preset", "mycode", "--budget", "2000", log)
    assert "--- Earlier in conversation ---\nThe user asked: “Add endpoint 0 to the service”" in context


def test_what_was_decided_is_in_the_summary_and_what_was_replaced_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = [
        asks("We'll use Postgres for the job queue."),
        says("The queue is on Postgres."),
        asks("Keep the public API unchanged."),
        says("It stays as it is."),
        asks("Actually, use Redis for the job queue instead of Postgres."),
        says("The queue is on Redis."),
    ]
    after = [asks("We'll go with gRPC for the workers."), says("The workers speak gRPC.")]
    log = str(saved(tmp_path, session([*said, *talk(25), *after])))
    box = printed(capsys, "summarize", log)
    assert "│ Key Decisions: 2 " in box
    summary = box.partition("┘")[2]
    assert "Decided: Keep the public API unchanged; Actually, use Redis for the job queue" in summary
    # What was decided behind the covered messages is not theirs.
    assert "We'll use Postgres" not in summary.partition("Decided:")[2] and "gRPC" not in summary


def test_where_a_summary_cannot_be_kept_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "state").write_text("no folder")
    assert main(["summarize", "--no-daemon", str(saved(tmp_path, session(talk(30))))]) == 0
    told = capsys.readouterr()
    assert "│ Messages: 60 → 21 " in told.out and "It is not kept: " in told.err


# ---- the system prompt (preserve_system)


@pytest.mark.parametrize(
    "document",
    [session(talk(30), systemPrompt=SYSTEM), session([{"role": "system", "content": SYSTEM}, *talk(30)])],
    ids=["beside the messages", "as a message"],
)
@pytest.mark.parametrize("preset", ["mycode", "default", "apex"])
@pytest.mark.parametrize("budget", [300, 2000])
def test_the_system_prompt_is_in_every_context(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], document: Json, preset: str, budget: int
) -> None:
    log = str(saved(tmp_path, document))
    asked = ("context", "--preset", preset, "--budget", str(budget), log)
    text = printed(capsys, *asked)
    assert text.count(SYSTEM) == 1 and text.index(SYSTEM) < text.index("endpoint")
    found = json.loads(printed(capsys, *asked, "--json"))
    assert found["sections"][0]["name"] == "pinned" and found["tokens"] <= budget
    (ref,) = found["sections"][0]["refs"]
    raw = Path(log).read_bytes()[ref["byteOffset"] : ref["byteOffset"] + ref["byteLength"]]
    assert SYSTEM in raw.decode()


def test_a_long_system_prompt_leaves_room_for_the_conversation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = " ".join(f"Rule {number} of the house holds." for number in range(2000))
    log = str(saved(tmp_path, session(talk(30), systemPrompt=told)))
    found = json.loads(printed(capsys, "context", "--preset", "mycode", "--budget", "1000", log, "--json"))
    shares = {each["name"]: each["tokens"] for each in found["sections"]}
    assert 150 < shares["pinned"] <= 200 and "recent" in shares and found["tokens"] <= 1000


def test_an_unknown_section_of_a_context_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    params = {"session": {"log": str(saved(tmp_path, session(WORK)))}, "maxTokens": 500, "include": ["wishes"]}
    assert main(["call", "--no-daemon", "context/assemble", json.dumps(params)]) == 1
    assert "include[0]" in capsys.readouterr().err
