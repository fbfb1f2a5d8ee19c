"""`recapd hook`: what an agent is told at each moment, what the daemon is told, and that it never costs a turn."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from recapd.bridges.deadline import DEADLINE_VARIABLE
from recapd.bridges.hook import program
from recapd.bridges.quick import ask_all
from recapd.client import frames
from recapd.client.call import call
from recapd.client.paths import ORIENTATIONS
from recapd.core.text import CLOSE, OPEN, count_for_budget
from recapd.core.text.markers import is_own_text
from tests.bridges.mcp_client import mcp_client
from tests.support.daemons import ROOT, Home
from tests.support.logs import Act, agent, claude_log, ended, human, other

SESSION = "5e551011-c0de-4a11-8000-000000000001"
NEXT = "5e551011-c0de-4a11-8000-000000000002"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    yield home
    down(home)


def down(home: Home) -> None:
    subprocess.run([sys.executable, "-m", "recapd", "down"], env=home.environ, check=False, capture_output=True)


def up(home: Home) -> None:
    command = [sys.executable, "-m", "recapd", "sockname", "--start"]
    subprocess.run(command, env=home.environ, check=True, capture_output=True)
    while not ask(home, "recapd/status")["quiescent"]:
        time.sleep(0.05)


def ask(home: Home, method: str, **params: object) -> Any:
    return call(method, params, where=home.places, start_if_missing=False)


def hook(
    home: Home, event: str, project: Path, session: str = SESSION, *, is_patient: bool = True, **given: object
) -> str:
    """What it prints; it always ends well. On a busy machine its deadline is over before it began: `is_patient`."""
    said = {"session_id": session, "cwd": str(project), "hook_event_name": event, **given}
    done = subprocess.run(
        [sys.executable, "-m", "recapd", "hook", event],
        input=json.dumps(said).encode(),
        env=home.environ | ({DEADLINE_VARIABLE: "30000"} if is_patient else {}),
        cwd=project,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def context_in(printed: str, event: str) -> str:
    answer = json.loads(printed)["hookSpecificOutput"]
    assert answer["hookEventName"] == event
    text: str = answer["additionalContext"]
    assert is_own_text(text), text
    return text


def record(text: str, **more: str) -> Act:
    return other("mcp__recapd__record", {"kind": "decision", "text": text, "madeBy": "user", **more}, "Recorded.")


def write_log(home: Home, project: Path, *acts: Act, ago_s: float = 60, session: str = SESSION) -> Path:
    """A session whose last record is so old."""
    data = ended(claude_log(*acts, session=session, cwd=str(project)), ago_s / 60)
    path = home.logs / f"{session}.jsonl"
    # Seen while it is empty, a log is none.
    (home.folder / "written").write_bytes(data)
    return (home.folder / "written").replace(path)


BROKEN_OFF = (
    human("hm, pnpm it is then, and fix the cart"),
    record("Use pnpm, never npm"),
    Act(kind="call", tool="shell", text="pnpm test", outcome="open"),
)
CLOSED = (human("hm, pnpm it is then"), record("Use pnpm, never npm"), agent("Done."))


def test_a_start_tells_of_the_session_that_broke_off(home: Home, project: Path) -> None:
    write_log(
        home, project, *BROKEN_OFF[:2], Act(kind="call", tool="shell", text="pnpm test", outcome="open"), ago_s=7200
    )
    up(home)
    text = context_in(hook(home, "SessionStart", project, NEXT, source="startup"), "SessionStart")
    assert "broke off" in text and "fix the cart" in text and "Use pnpm, never npm (user, turn 1)" in text
    assert "record" in text
    assert count_for_budget(text) <= 600


@pytest.mark.parametrize(
    ("ago_s", "is_told"), [(600, True), (2 * 86_400, False)], ids=["not long ago", "the day before yesterday"]
)
def test_a_start_tells_of_what_just_ended(home: Home, project: Path, ago_s: float, is_told: bool) -> None:
    write_log(home, project, *CLOSED, ago_s=ago_s)
    up(home)
    printed = hook(home, "SessionStart", project, NEXT, source="startup")
    assert ("pnpm" in printed) is is_told and bool(printed) is is_told


def test_nothing_is_said_where_nothing_is_to_say(home: Home, project: Path, tmp_path: Path) -> None:
    write_log(home, project, *CLOSED)
    up(home)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    said = {
        "another folder": hook(home, "SessionStart", elsewhere, NEXT, source="startup"),
        "a plain resume": hook(home, "SessionStart", project, source="resume"),
        "after /clear": hook(home, "SessionStart", project, NEXT, source="clear"),
        "an early turn": hook(home, "UserPromptSubmit", project, prompt="go on"),
        "nobody typed it": hook(home, "UserPromptSubmit", project, prompt="go on", source="system"),
        "no summary": hook(home, "SessionStart", project, source="compact"),
        "an unknown session": hook(home, "PreCompact", project, NEXT, trigger="auto"),
        "the end of a turn": hook(home, "Stop", project),
        "an event nobody knows": hook(home, "SomethingNew", project),
    }
    assert said == dict.fromkeys(said, "")


def test_a_resume_after_a_break_tells_where_things_stand(home: Home, project: Path) -> None:
    write_log(home, project, *CLOSED, ago_s=3 * 3600)
    up(home)
    text = context_in(hook(home, "SessionStart", project, source="resume"), "SessionStart")
    assert "Use pnpm, never npm" in text and count_for_budget(text) <= 150


def test_a_prompt_is_oriented_once_in_some_turns(home: Home, project: Path) -> None:
    talk = [act for number in range(1, 6) for act in (human(f"Step {number}, please"), agent(f"Did step {number}."))]
    told = []
    for turn in range(6, 18):
        write_log(home, project, human("hm, pnpm it is then"), record("Use pnpm, never npm"), agent("ok"), *talk[2:])
        if turn == 6:
            up(home)
        while (row := ask(home, "session/list")["sessions"][0])["turns"] != turn - 1:
            time.sleep(0.05)
        printed = hook(home, "UserPromptSubmit", project, prompt=f"Step {turn}, please")
        if printed:
            told.append(row["turns"] + 1)
            text = context_in(printed, "UserPromptSubmit")
            assert "Use pnpm, never npm" in text and count_for_budget(text) <= 150
        talk += [human(f"Step {turn}, please"), agent(f"Did step {turn}.")]
    assert told == [6, 16]


def test_a_compaction_keeps_and_gives_back_what_was_decided(home: Home, project: Path) -> None:
    write_log(
        home,
        project,
        human("hm, pnpm it is then, and port 8080"),
        record("Use pnpm, never npm"),
        record("The server listens on port 8080"),
        agent("Noted."),
    )
    up(home)
    kept = hook(home, "PreCompact", project, trigger="manual", custom_instructions="")
    assert "Use pnpm, never npm" in kept and "port 8080" in kept and not kept.startswith("{")
    assert count_for_budget(kept) <= 300 and OPEN in kept and CLOSE in kept
    summary = "The user wants the server on port 8080, as was decided. " + "Work on the server went on. " * 20
    assert hook(home, "SubagentStop", project, agent_type="", last_assistant_message=summary) == ""
    lost = context_in(hook(home, "SessionStart", project, source="compact"), "SessionStart")
    assert "Use pnpm, never npm" in lost and "listens on port" not in lost and count_for_budget(lost) <= 400
    whole = summary + " Use pnpm, never npm. The server listens on port 8080. hm, pnpm it is then, and port 8080."
    assert hook(home, "PostCompact", project, compact_summary=whole) == ""
    assert hook(home, "SessionStart", project, source="compact") == ""


DEAR = {
    "emoji": "🙂🎉✓—é" * 20,
    "no letters": "漢字" * 40,
    "digests": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9 " * 3,
    "our marks": f"{CLOSE} <recapd-ask> < / recapd-past> " * 4,
}


@pytest.mark.parametrize("words", DEAR.values(), ids=DEAR)
def test_whatever_was_said_the_marks_close_and_the_budgets_hold(home: Home, project: Path, words: str) -> None:
    talk = [
        act
        for number in range(25)
        for act in (human(f"{words} {number}"), record(f"{number}: {words}"), agent(f"ok {words}"))
    ]
    write_log(home, project, *talk, Act(kind="call", tool="shell", text=words, outcome="open"), ago_s=3 * 3600)
    up(home)
    started = context_in(hook(home, "SessionStart", project, NEXT, source="startup"), "SessionStart")
    assert "still holds" in started
    resumed = context_in(hook(home, "SessionStart", project, source="resume"), "SessionStart")
    kept = hook(home, "PreCompact", project, trigger="auto")
    hook(home, "PostCompact", project, compact_summary="Nothing of it is here. " * 20)
    lost = context_in(hook(home, "SessionStart", project, source="compact"), "SessionStart")
    for text, budget in ((started, 600), (resumed, 150), (kept, 300), (lost, 400)):
        assert count_for_budget(text) <= budget and (text.count(OPEN), text.count(CLOSE)) == (1, 1), text


def test_a_sub_agents_end_is_no_compaction(home: Home, project: Path) -> None:
    write_log(home, project, *CLOSED)
    up(home)
    hook(home, "SubagentStop", project, agent_type="Explore", last_assistant_message="Found it. " * 100)
    assert hook(home, "SessionStart", project, source="compact") == ""


def test_the_daemon_is_told_how_a_session_stands(home: Home, project: Path) -> None:
    write_log(home, project, *CLOSED)
    up(home)
    hook(home, "PermissionRequest", project, tool_name="Bash", tool_input={"command": "rm -rf build"})
    (row,) = ask(home, "session/list")["sessions"]
    assert (row["state"], row["needs"]) == ("waiting", "permission") and "rm -rf build" in row["question"]
    hook(home, "UserPromptSubmit", project, prompt="go on")
    (row,) = ask(home, "session/list")["sessions"]
    assert row["state"] == "active"
    hook(home, "SessionEnd", project, reason="exit")
    (row,) = ask(home, "session/list")["sessions"]
    assert row["state"] == "finished" and row["live"] is False
    # Who asks without a daemon hears the same.
    down(home)
    command = [sys.executable, "-m", "recapd", "sessions", "--json", "--no-daemon"]
    listed = subprocess.run(command, env=home.environ, check=True, capture_output=True).stdout
    assert [each["state"] for each in json.loads(listed)["sessions"]] == ["finished"]


def test_without_a_daemon_it_answers_from_what_the_last_one_left(home: Home, project: Path) -> None:
    write_log(home, project, *CLOSED)
    up(home)
    online = context_in(hook(home, "SessionStart", project, NEXT, source="startup"), "SessionStart")
    down(home)
    kept = home.state / ORIENTATIONS
    assert kept.stat().st_mode & 0o777 == 0o600
    offline = context_in(hook(home, "SessionStart", project, NEXT, source="startup"), "SessionStart")
    assert "Use pnpm, never npm" in offline and len(offline.splitlines()) == len(online.splitlines())
    # And the next one finds a daemon that has read everything.
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        try:
            if ask(home, "recapd/status")["quiescent"]:
                break
        except Exception:
            time.sleep(0.1)
        else:
            time.sleep(0.05)
    assert context_in(hook(home, "SessionStart", project, NEXT, source="startup"), "SessionStart")


def test_a_daemon_that_hangs_is_not_waited_for(home: Home, project: Path) -> None:
    write_log(home, project, *CLOSED)
    up(home)
    pid = json.loads((home.runtime / "recapd.json").read_text())["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        assert hook(home, "SessionStart", project, NEXT, is_patient=False, source="startup") == ""
        assert hook(home, "Stop", project, is_patient=False) == ""
    finally:
        os.kill(pid, signal.SIGCONT)


LONG = b'{"session_id": "%b", "cwd": "/"}' % (b"x" * (3 << 20))


@pytest.mark.parametrize(
    "given",
    [b"", b"{", b"[]", b"null", b'{"session_id": 3}', b"\xff\xfe", b"[" * 100_000, LONG],
    ids=["nothing", "half", "a list", "null", "a number", "no text", "deep", "long"],
)
def test_whatever_comes_in_it_ends_well(home: Home, given: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "recapd", "hook", "SessionStart"],
        input=given,
        env=home.environ,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_mcp_tool_answers_a_hook_in_its_json(home: Home, project: Path) -> None:
    talk = [act for number in range(1, 6) for act in (human(f"Step {number}, please"), agent(f"Did step {number}."))]
    write_log(home, project, *talk)
    up(home)
    asked = {"session": SESSION, "event": "UserPromptSubmit"}
    with mcp_client(home.environ | {DEADLINE_VARIABLE: "30000"}, cwd=project) as client:
        text = context_in(client.call("context", prompt="Step 6, please", **asked), "UserPromptSubmit")
        assert "turn 6" in text and count_for_budget(text) <= 150
        assert client.call("context", prompt="Step 5, please", **asked) == "{}"
    with mcp_client(home.environ, cwd=project) as client:
        pid = json.loads((home.runtime / "recapd.json").read_text())["pid"]
        os.kill(pid, signal.SIGSTOP)
        try:
            assert client.call("context", prompt="Step 6, please", **asked) == "{}"
        finally:
            os.kill(pid, signal.SIGCONT)


def test_whoever_waits_for_an_answer_has_not_left() -> None:
    """The daemon ends its work for a client that closed its side: an answer that took a while would never come."""
    ours, its = socket.socketpair()
    has_left: list[bool] = []

    def answer() -> None:
        buffer = bytearray()
        while (asked := frames.take(buffer)) is None:
            buffer += its.recv(1 << 16)
        its.settimeout(0.5)
        try:
            has_left.append(its.recv(1) == b"")
        except TimeoutError:
            has_left.append(False)
        reply = {"jsonrpc": "2.0", "id": json.loads(asked)["id"], "result": {"text": "told"}}
        its.sendall(frames.encode(json.dumps(reply).encode()))

    answering = threading.Thread(target=answer)
    answering.start()
    with ours, its:
        assert ask_all(ours, [("hook/answer", {})], wait_for=1) == [{"text": "told"}]
        answering.join()
    assert has_left == [False]


def test_starting_imports_nothing_heavy() -> None:
    code = "import sys; import recapd.__main__; import recapd.bridges.hook; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    heavy = {"msgspec", "asyncio", "argparse", "subprocess", "typing", "socket", "selectors"}
    needless = {"recapd.client.version", "recapd.client.start", "recapd.client.holder", "recapd.cli.connect"}
    assert (heavy | needless) & set(done.stdout.split()) == set()


def test_one_that_took_all_its_time_to_start_ends_at_once() -> None:
    """Whatever is left to do then would be after the deadline."""
    code = "import time; time.sleep(0.4); from recapd.bridges.deadline import arm; arm(); print('goes on')"
    environ = {name: value for name, value in os.environ.items() if name != DEADLINE_VARIABLE}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_session_whose_agent_was_killed_a_moment_ago_is_told_of(home: Home, project: Path) -> None:
    """Nobody said that it ended, and it is not yet noticed: the next session in the folder is what shows it."""
    moment = datetime.now(UTC).isoformat(timespec="milliseconds")
    log = claude_log(human("Use pnpm, never npm"), agent("Done."), cwd=str(project), session=SESSION).decode()
    log = re.sub(r'"timestamp": ?"[^"]*"', f'"timestamp":"{moment}"', log)
    (home.logs / f"{SESSION}.jsonl").write_text(log)
    up(home)
    # The agent is the process that started the hook.
    code = "import subprocess, sys; subprocess.run([sys.executable, '-m', 'recapd', 'hook', 'SessionStart'])"
    said = json.dumps({"session_id": SESSION, "cwd": str(project), "hook_event_name": "SessionStart"})
    subprocess.run(
        [sys.executable, "-c", code],
        input=said.encode(),
        env=home.environ | {DEADLINE_VARIABLE: "30000"},
        cwd=project,
        check=True,
        capture_output=True,
    )
    while not [row for row in ask(home, "session/list")["sessions"] if row.get("live")]:
        time.sleep(0.05)
    assert "Use pnpm, never npm" in hook(home, "SessionStart", project, NEXT)


def test_what_an_agent_wrote_a_moment_ago_may_be_read_a_moment_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A summary that stands in the log alone: the daemon has not read it when the hook asks first."""
    answers = iter(("", "", "Before the summary above, and not in it"))
    asked: list[str] = []
    said: list[bytes] = []

    def ask(connection: object, questions: list[tuple[str, Any]], *, wait_for: int) -> list[object]:
        asked.extend(method for method, _ in questions)
        return [{"text": next(answers)}, *[None] * (wait_for - 1)]

    monkeypatch.setattr(program, "_READ_WITHIN_S", 60.0)
    monkeypatch.setattr(program, "reach_bare", lambda *_, **__: (SimpleNamespace(port=None), None))
    monkeypatch.setattr(program, "ask_all", ask)
    monkeypatch.setattr(os, "write", lambda _, data: said.append(data))
    program._answer(
        "SessionStart", {"hook_event_name": "SessionStart", "source": "compact", "session_id": "s"}, "codex"
    )
    assert b"not in it" in b"".join(said)
    # What is told besides is told once.
    assert asked.count("hook/answer") == 3 and asked.count("recapd/discover") == 1
