"""recapd in real agents, as `recapd install` puts it there: what reached the model, on the wire, and what did not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recapd.client.call import call
from recapd.core.text import OPEN
from tests.agents.model import Hold, Line, Model, Say, Use, asks_for_summary, scripted_model
from tests.agents.rig import claude_print, codex_print, daemon_of, install_in, pi_print
from tests.agents.terminal import PATIENCE_S
from tests.support.daemons import Home

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]

ALLOWED = ("--allowedTools", "mcp__recapd__record,mcp__recapd__decisions")
TOOLS = {"recap", "decisions", "context", "search", "files", "sessions", "transcript", "record"}
SUMMARY = "The user works on a shop. " + "The cart, the prices and the checkout were looked at in turn. " * 12


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def record(text: str, **more: str) -> list[Line]:
    return [Use("record", {"kind": "decision", "text": text, "madeBy": "user", **more})]


def decisions(home: Home, project: Path) -> list[dict[str, Any]]:
    params = {"session": {"workspace": str(project)}}
    found: Any = call("decisions/list", params, where=home.places, start_if_missing=False)
    return [each for each in found["decisions"] if each["how"] == "recorded"]


def wait_for_record(home: Home, project: Path, text: str) -> dict[str, Any]:
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        try:
            found = [each for each in decisions(home, project) if each["text"] == text]
        except Exception:
            found = []
        if found:
            return found[0]
        time.sleep(0.2)
    raise AssertionError(f"never recorded: {text}")


def asked(model: Model) -> list[str]:
    """What the model was asked in the conversation itself, each request as text."""
    return [json.dumps(each, ensure_ascii=False) for each in model.requests if each.get("tools")]


@pytest.mark.parametrize("is_old", [False, True], ids=["2.1.325", "2.1.197"])
def test_claude_code_knows_what_was_decided(home: Home, project: Path, is_old: bool) -> None:
    install_in(home, "claude-code")
    mark = json.dumps(OPEN)[1:-1]
    with daemon_of(home):
        with scripted_model(record("Use pnpm, never npm"), [Say("Noted.")]) as model:
            claude_print(home, model, "hm, pnpm it is then", project=project, arguments=ALLOWED, is_old=is_old)
            names = {tool["name"] for tool in model.requests[-1].get("tools", [])}
            # The others may be looked up when they are needed; the agent knows of all.
            assert "mcp__recapd__record" in names
            assert all(f"mcp__recapd__{name}" in asked(model)[0] for name in TOOLS)
            # Nothing was to say to the first session of a folder: not a token.
            assert not any(mark in each for each in asked(model))
        entry = wait_for_record(home, project, "Use pnpm, never npm")
        assert (entry["proof"], entry["madeBy"], entry["status"]) == ("record", "user", "active")
        assert entry["ref"]["line"] > 0 and entry["proposalRef"]["line"] > 0

        with scripted_model(record("The server listens on port 8080"), [Say("Noted.")]) as model:
            result = claude_print(home, model, "port 8080, please", project=project, arguments=ALLOWED, is_old=is_old)
            first = asked(model)[0]
            assert "Use pnpm, never npm (user, turn 1)" in first and mark in first
        session = str(result["session_id"])
        wait_for_record(home, project, "The server listens on port 8080")

        with scripted_model([Say("Going on.")]) as model:
            told = first.count(mark)
            claude_print(home, model, "go on", project=project, arguments=("--resume", session), is_old=is_old)
            # A plain resume has its history; nothing is added to it.
            assert asked(model)[0].count(mark) == told

        with scripted_model() as model:
            model.summary = SUMMARY
            claude_print(home, model, "/compact", project=project, arguments=("--resume", session), is_old=is_old)
            (summarized,) = [each for each in model.requests if asks_for_summary(each)]
            last = json.dumps(summarized["messages"][-1], ensure_ascii=False)
            assert "Keep these word for word" in last and "The server listens on port 8080" in last
        with scripted_model([Say("Going on.")]) as model:
            claude_print(home, model, "go on", project=project, arguments=("--resume", session), is_old=is_old)
            (after,) = asked(model)[:1]
            assert "Before the summary above, and not in it" in after and "The server listens on port 8080" in after
            assert "Use pnpm, never npm (user, turn 1)" not in after


@pytest.mark.parametrize("is_old", [False, True], ids=["2.1.325", "2.1.197"])
def test_claude_code_is_oriented_past_the_threshold_and_not_before(home: Home, project: Path, is_old: bool) -> None:
    """By its server of tools, which answers the hook: no process is started for a prompt."""
    install_in(home, "claude-code")
    told: list[int] = []
    with daemon_of(home) as watching:
        arguments: tuple[str, ...] = ()
        for turn in range(1, 8):
            with scripted_model([Say(f"Did step {turn}.")]) as model:
                prompt = f"Step {turn}, please"
                said = claude_print(home, model, prompt, project=project, arguments=arguments, is_old=is_old)
                told.append(asked(model)[0].count("This is turn"))
            arguments = ("--resume", str(said["session_id"]))
            watching.wait_until(lambda row, turn=turn: row["turns"] == turn)  # type: ignore[misc]
    # What was told once stays in the history.
    assert told == [0, 0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("run", [codex_print, pi_print], ids=["codex", "pi"])
def test_other_agents_know_what_was_decided(home: Home, project: Path, run: Callable[..., None]) -> None:
    with daemon_of(home):
        with scripted_model(record("Use pnpm, never npm"), [Say("Noted.")]) as model:
            run(home, model, "hm, pnpm it is then", project=project)
            assert not any(OPEN in each.replace('\\"', '"') for each in asked(model))
        entry = wait_for_record(home, project, "Use pnpm, never npm")
        assert (entry["proof"], entry["madeBy"]) == ("record", "user")
        with scripted_model([Say("Going on.")]) as model:
            run(home, model, "go on", project=project)
            assert "Use pnpm, never npm (user, turn 1)" in asked(model)[0]


def test_a_daemon_killed_in_the_middle_of_a_turn_costs_nothing(
    home: Home, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the model thinks about what a tool returned; each hook writes down how it ended."""
    ended = tmp_path / "ended"
    program = tmp_path / "bin" / "recapd"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n{sys.executable} -m recapd "$@"\necho "$1 $2 $?" >> {ended}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    install_in(home, "claude-code")
    subprocess.run([program, "sockname", "--start"], env=home.environ, check=True, stdout=subprocess.DEVNULL)
    gate = threading.Event()

    def kill_when_asked_again(model: Model, pid: int) -> None:
        ends = time.monotonic() + PATIENCE_S
        while len(asked(model)) < 2 and time.monotonic() < ends:
            time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        gate.set()

    try:
        killed = daemon_pid(home)
        with scripted_model(record("Use pnpm, never npm"), [Hold(gate), Say("Noted.")]) as model:
            killing = threading.Thread(target=kill_when_asked_again, args=(model, killed))
            killing.start()
            said = claude_print(
                home, model, "hm, pnpm it is then", project=project, arguments=ALLOWED, is_patient=False
            )
            killing.join()
            assert said["result"] == "Noted." and len(asked(model)) == 2
        hooks = [line.split()[1:] for line in ended.read_text().splitlines() if line.startswith("hook ")]
        assert "SessionEnd" in {event for event, _ in hooks} and {code for _, code in hooks} == {"0"}

        with scripted_model(record("The server listens on port 8080"), [Say("Noted.")]) as model:
            claude_print(home, model, "port 8080, please", project=project, arguments=ALLOWED)
        wait_for_record(home, project, "The server listens on port 8080")
        assert daemon_pid(home) != killed
    finally:
        gate.set()
        subprocess.run([program, "down"], env=home.environ, check=True, stdout=subprocess.DEVNULL)


def daemon_pid(home: Home) -> int:
    return int(json.loads((home.runtime / "recapd.json").read_text())["pid"])


def test_a_daemon_that_hangs_or_dies_costs_no_turn(
    home: Home, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install_in(home, "claude-code")
    took: dict[str, float] = {}

    def turn(name: str) -> None:
        begun = time.monotonic()
        with scripted_model([Say("Done.")]) as model:
            said = claude_print(home, model, "go on", project=project, is_patient=False)
            assert said["result"] == "Done."
        took[name] = time.monotonic() - begun

    with daemon_of(home):
        turn("first")
        turn("with a daemon")
        pid = daemon_pid(home)
        os.kill(pid, signal.SIGSTOP)
        try:
            turn("the daemon hangs")
        finally:
            os.kill(pid, signal.SIGCONT)
    turn("no daemon")
    with capsys.disabled():
        print("".join(f"\n  {name}: {seconds:.1f} s" for name, seconds in took.items()))  # noqa: T201
