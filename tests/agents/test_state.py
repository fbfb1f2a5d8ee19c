"""How a session stands, with the real agents: what they need is told while they need it, and never otherwise."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from recapd.daemon.following.watch import Pace
from tests.agents.model import Hold, Line, Run, Say, scripted_model
from tests.agents.rig import claude_code, codex_exec, daemon_of, told
from tests.agents.terminal import ENTER
from tests.support.daemons import Home

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

# How late the state may be told, on a machine that does other things too; how late it was is printed.
DEADLINE_S = 20.0
# How often it is looked who is there, whether or not anything says so.
RESCAN_S = Pace().hot_s


def test_a_permission_is_needed_from_the_dialog_to_the_answer(
    home: Home, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gate = threading.Event()
    lines: list[Line] = [Say("I will look at the folder first."), Hold(gate), Run("echo hello > made.txt; ls")]
    late: dict[str, float] = {}
    with (
        scripted_model(lines, [Say("Done: made.txt is there.")]) as model,
        daemon_of(home) as watching,
        claude_code(home, model, project=project) as terminal,
    ):
        terminal.type_line("Downloads fail, please add retries")
        watching.wait_until(lambda row: row["state"] == "active")
        terminal.forget()
        gate.set()
        shown = terminal.wait_for("Do you want to proceed?")
        needed = watching.wait_until(lambda row: row.get("needs") == "permission", within_s=DEADLINE_S)
        late["the dialog is told"] = needed - shown
        # The agent says that it waits a moment before its log says for what.
        watching.wait_until(lambda row: "made.txt" in (row.get("question") or ""), within_s=DEADLINE_S)
        (row,) = watching.rows()
        assert (row["needs"], row["live"]) == ("permission", True)
        assert not any(told(row) == ("waiting", "nothing") for _, row in watching.seen if row["turns"]), "mid-turn"

        answered = time.monotonic()
        terminal.press_until(lambda: watching.rows()[0].get("needs") != "permission")
        gone = watching.wait_until(lambda row: row.get("needs") != "permission", within_s=DEADLINE_S)
        late["the answer is told"] = gone - answered
        watching.wait_until(lambda row: told(row) == ("waiting", "nothing"), within_s=DEADLINE_S)
        assert (project / "made.txt").exists()

        terminal.press("/exit")
        time.sleep(0.5)
        terminal.press(ENTER)
        terminal.process.wait(60)
        ended = time.monotonic()
        left = watching.wait_until(lambda row: row["state"] != "waiting", within_s=DEADLINE_S)
        # It says that it leaves before it does.
        late["the end is told"] = max(left - ended, 0.0)
        (row,) = watching.rows()
        assert (row["state"], row["live"]) == ("finished", False)
        states = watching.states()
    # How it stands before its first turn is nobody's business: from the dialog on the order is fixed.
    needs = [need for _, need in states]
    after = needs[needs.index("permission") + 1 :]
    assert "permission" not in after and "nothing" in after, states
    with capsys.disabled():
        print("".join(f"\n  {what}: {seconds * 1000:.0f} ms" for what, seconds in late.items()))  # noqa: T201


def test_codex_never_waits_in_the_middle_of_its_turn(home: Home, project: Path) -> None:
    said, called = threading.Event(), threading.Event()
    lines: list[Line] = [Say("I will look at the folder first."), Hold(said), Run("echo hello > made.txt; ls")]
    answer: list[Line] = [Say("The file is there."), Hold(called), Say("Done: made.txt is there.")]
    with (
        scripted_model(lines, answer) as model,
        daemon_of(home) as watching,
        codex_exec(home, model, "Downloads fail, please add retries", project=project) as process,
    ):
        watching.wait_until(lambda row: row["state"] == "active")
        # Long enough for words to be logged, and for a state that is wrong to be told.
        time.sleep(3)
        said.set()
        watching.wait_until(lambda row: (row["messages"] or 0) >= 3)
        time.sleep(3)
        assert {state for state, _ in watching.states()} == {"active"}, watching.states()
        called.set()
        assert process.wait(60) == 0
        watching.wait_until(lambda row: row["state"] != "active", within_s=DEADLINE_S)
        states = [state for state, _ in watching.states()]
    assert states[0] == "active" and states[-1] in ("waiting", "finished"), states


def test_who_is_killed_waits_for_nobody(home: Home, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (
        scripted_model([Say("I can retry thrice. Shall I?")]) as model,
        daemon_of(home) as watching,
        claude_code(home, model, project=project) as terminal,
    ):
        terminal.type_line("Downloads fail, please add retries")
        watching.wait_until(lambda row: told(row) == ("waiting", "answer"))
        os.killpg(terminal.process.pid, signal.SIGKILL)
        killed = time.monotonic()
        # It says nothing of its end, so that shows with the next look at who is there.
        left = watching.wait_until(lambda row: row["state"] != "waiting", within_s=RESCAN_S + DEADLINE_S)
        (row,) = watching.rows()
        assert (row["state"], row["live"]) == ("answered", False) and "Shall I?" in row["question"]
    with capsys.disabled():
        print(f"\n  the death is told: {(left - killed) * 1000:.0f} ms")  # noqa: T201
