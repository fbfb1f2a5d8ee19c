"""recapd in real agents, as `recapd install` puts it there: what reached the model, on the wire, and what did not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recapd.bridges.hook import SIGNALS_ONLY
from recapd.client.call import call
from recapd.core.text import OPEN
from tests.agents.model import Hold, Line, Model, Run, Say, Use, asks_for_summary, scripted_model
from tests.agents.rig import (
    HookRun,
    claude_print,
    codex_print,
    daemon_of,
    install_in,
    noting_program,
    pi_print,
    runs_of_hooks,
    served,
)
from tests.agents.terminal import PATIENCE_S
from tests.support.daemons import Home

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]

ALLOWED = ("--allowedTools", "mcp__recapd__record,mcp__recapd__decisions")
TOOLS = {"recap", "decisions", "context", "search", "files", "sessions", "transcript", "record"}
SUMMARY = "The user works on a shop. " + "The cart, the prices and the checkout were looked at in turn. " * 12


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


def codex_in_one_turn(home: Home, model: Model, prompt: str, *, project: Path) -> None:
    """Codex compacts in the middle of a turn, and hands no summary over: it stands in its log."""
    codex_print(home, model, prompt, project=project)


def pi_in_two_turns(home: Home, model: Model, prompt: str, *, project: Path) -> None:
    """pi compacts between turns, and hands its summary over."""
    pi_print(home, model, prompt, "go on", project=project)


@pytest.mark.parametrize("is_lost", [True, False], ids=["lost", "kept"])
@pytest.mark.parametrize("run", [codex_in_one_turn, pi_in_two_turns], ids=["codex", "pi"])
def test_other_agents_get_back_what_their_own_compaction_lost(
    home: Home, project: Path, run: Callable[..., None], is_lost: bool
) -> None:
    kept = "Use pnpm, never npm"
    gate = threading.Event()

    def open_when_recorded() -> None:
        wait_for_record(home, project, kept)
        gate.set()

    second: list[Line] = [Hold(gate), Run("echo full") if run is codex_in_one_turn else Say("Noted.")]
    with daemon_of(home), scripted_model(record(kept), second, [Say("Going on.")]) as model:
        model.summary = SUMMARY if is_lost else f"{SUMMARY} {kept}. hm, pnpm it is then; ran: echo full"
        model.full_after = "Recorded."
        opening = threading.Thread(target=open_when_recorded)
        opening.start()
        run(home, model, "hm, pnpm it is then", project=project)
        opening.join()
        assert len([each for each in model.requests if asks_for_summary(each)]) == 1
        after = asked(model)[-1]
        assert SUMMARY.strip() in after
        assert ("Before the summary above, and not in it" in after) is is_lost
        assert after.count(kept) == 1


def claude_turn(home: Home, model: Model, prompt: str, *, project: Path, is_patient: bool) -> None:
    install_in(home, "claude-code")
    claude_print(home, model, prompt, project=project, arguments=("--allowedTools", "Bash"), is_patient=is_patient)


@pytest.mark.parametrize("run", [claude_turn, codex_print, pi_print], ids=["claude-code", "codex", "pi"])
def test_whatever_becomes_of_the_daemon_a_turn_goes_on(
    home: Home,
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    run: Callable[..., None],
) -> None:
    """There, stopped, killed while the model thinks about what a tool returned, not there. Each hook notes that it
    began and how it ended: one that an agent had to cut off has no end."""
    program = noting_program(tmp_path)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    took: dict[str, float] = {}
    hooks: dict[str, list[HookRun]] = {}

    def turn(name: str, *, midway: Callable[[], None] = lambda: None) -> None:
        gate = threading.Event()
        with scripted_model([Run("echo one")], [Hold(gate), Say("Done.")]) as model:
            acting = threading.Thread(target=act_when_asked_again, args=(model, midway, gate))
            acting.start()
            begun = time.monotonic()
            run(home, model, f"go on: {name}", project=project, is_patient=False)
            took[name] = time.monotonic() - begun
            acting.join()
            assert len(asked(model)) == 2, name
        hooks[name] = runs_of_hooks(tmp_path)

    with served(home):
        turn("first")
        turn("with a daemon")
        pid = daemon_pid(home)
        os.kill(pid, signal.SIGSTOP)
        try:
            turn("the daemon hangs")
        finally:
            os.kill(pid, signal.SIGCONT)
    with served(home):
        turn("killed midway", midway=lambda: os.kill(daemon_pid(home), signal.SIGKILL))
        subprocess.run([program, "down"], env=home.environ, check=True, stdout=subprocess.DEVNULL)
        turn("no daemon")
    with capsys.disabled():
        for name, seconds in took.items():
            worst = max((each.took_ms for each in hooks[name]), default=0)
            print(f"\n  {name}: {seconds:.1f} s, {len(hooks[name])} hooks, the longest {worst} ms", end="")  # noqa: T201
    for name, found in hooks.items():
        waited_for = [each for each in found if each.event not in SIGNALS_ONLY]
        assert {each.event for each in waited_for} >= {"SessionStart", "SessionEnd"}, name
        assert {each.code for each in waited_for} == {0}, (name, found)
    # An agent gives up on a hook after seconds, and a turn has several.
    usual = max(took["first"], took["with a daemon"])
    assert all(seconds <= 2 * usual + 5 for seconds in took.values()), took


def act_when_asked_again(model: Model, act: Callable[[], None], gate: threading.Event) -> None:
    ends = time.monotonic() + PATIENCE_S
    while len(asked(model)) < 2 and time.monotonic() < ends:
        time.sleep(0.05)
    act()
    gate.set()


def test_a_daemon_that_was_killed_is_there_again_for_the_next_turn(home: Home, project: Path) -> None:
    install_in(home, "claude-code")
    with served(home):
        killed = daemon_pid(home)
        os.kill(killed, signal.SIGKILL)
        with scripted_model(record("The server listens on port 8080"), [Say("Noted.")]) as model:
            claude_print(home, model, "port 8080, please", project=project, arguments=ALLOWED)
        wait_for_record(home, project, "The server listens on port 8080")
        assert daemon_pid(home) != killed


def daemon_pid(home: Home) -> int:
    return int(json.loads((home.runtime / "recapd.json").read_text())["pid"])
