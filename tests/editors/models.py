"""Models of the panel, recorded from a daemon that read the made-up afternoon of `story`."""

from __future__ import annotations

import json
import os
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recapd.client.call import call
from tests.editors.npm import CLIENTS, recapd_command
from tests.editors.story import LIMITS_ID, write_story
from tests.support.daemons import Home
from tests.support.logs import Act, agent, claude_log, human
from tests.support.processes import daemon_process

Model = dict[str, Any]


def record_story(folder: Path) -> Model:
    """The panel in the middle of the afternoon, by somebody who has looked at it before."""
    home = Home(folder)
    shop = str(folder / "shop")
    write_story(folder, shop)
    log = folder / ".claude/projects/-shop" / f"{LIMITS_ID.partition(':')[2]}.jsonl"
    whole = log.read_bytes()
    # They looked when two tests failed.
    told, _, _ = whole.partition(b"Never block checkout")
    log.write_bytes(told[: told.rindex(b"\n") + 1])
    with daemon_process(home):
        before = record(home, LIMITS_ID)
        session = {"id": LIMITS_ID}
        looked = {"session": session, "consumer": "panel", "cursor": before["session"]["cursor"]}
        call("recap/acknowledge", looked, where=home.places, start_if_missing=False)
        log.write_bytes(whole)
        turns = len(before["session"]["timeline"]["turns"])
        model = before
        while len(model["session"]["timeline"]["turns"]) <= turns + 1:
            model = record(home, LIMITS_ID)
        return model


def record_demo(folder: Path) -> Model:
    """The afternoon for who has no sessions yet: all of its sessions, and the pages their lines lead to."""
    model = record_story(folder)
    home = Home(folder)
    sessions, pages = {LIMITS_ID: model["session"]}, {}
    with daemon_process(home) as daemon:
        for row in model["rows"]:
            sessions.setdefault(row["id"], record(home, row["id"])["session"])
            for turn in range(1, sessions[row["id"]]["turn"] + 1):
                asked = {"session": {"id": row["id"]}, "turn": turn, "format": "markdown"}
                pages[f"{row['id']} {turn}"] = daemon.ask("transcript/get", asked)["markdown"]
    recorded = {
        "recordedAt": datetime.now(UTC).isoformat(),
        "model": {**model, "session": None},
        "sessions": sessions,
        "pages": pages,
    }
    demo: Model = json.loads(json.dumps(recorded).replace(str(folder), "/home/ada"))
    return demo


def record(home: Home, session: str) -> Model:
    environ = os.environ | home.environ | {"RECAPD_COMMAND": recapd_command()}
    command = ["node", str(CLIENTS / "vscode" / "test" / "record.mjs"), session]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    model: Model = json.loads(done.stdout)
    return model


def one_session(folder: Path, *acts: Act) -> Model:
    """The panel on a log with just this in it."""
    home = Home(folder)
    (home.logs / "a.jsonl").write_bytes(claude_log(*(acts or (human("Hello."), agent("Hello.")))))
    with daemon_process(home):
        return record(home, "-")


def one_deleted_session(folder: Path) -> Model:
    """The panel on a session whose log somebody deleted."""
    home = Home(folder)
    log = home.logs / "a.jsonl"
    log.write_bytes(claude_log(human("Please add retries."), agent("Added.")))
    with daemon_process(home):
        record(home, "-")
        log.unlink()
        while not (model := record(home, "-"))["session"]["logGone"]:
            time.sleep(0.2)
        return model
