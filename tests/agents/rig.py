"""Real agents in a home of their own, against a scripted model, and a daemon that follows them.

RECAPD_AGENTS is a folder in which npm has installed them:

    npm install --prefix FOLDER @anthropic-ai/claude-code@2.1.325 @openai/codex@0.166.0
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from recapd.client.call import call
from tests.agents.model import Model
from tests.agents.terminal import PATIENCE_S, Terminal, on_terminal
from tests.support.daemons import Home

KEY = "sk-dummy-0000000000000000000000000000"
# Between two looks at how the sessions stand.
_LOOK_S = 0.03


def agents_folder() -> Path:
    folder = Path(os.environ["RECAPD_AGENTS"])
    assert folder.is_dir(), f"RECAPD_AGENTS is no folder: {folder}"
    return folder


def _binary(name: str) -> str:
    path = agents_folder() / "node_modules" / ".bin" / name
    assert path.exists(), f"{name} is not installed in RECAPD_AGENTS; see tests/agents/rig.py"
    return str(path)


def agent_environ(home: Home, **more: str) -> dict[str, str]:
    """What an agent is started with: nothing of ours, least of all keys."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home.folder),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        **more,
    }


# ---- Claude Code


@contextmanager
def claude_code(home: Home, model: Model, *, project: Path, arguments: tuple[str, ...] = ()) -> Iterator[Terminal]:
    """Claude Code as a person starts it, past its first questions and ready for a prompt."""
    settings = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(project): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }
    (home.folder / ".claude.json").write_text(json.dumps(settings))
    environ = agent_environ(
        home,
        ANTHROPIC_BASE_URL=model.url,
        ANTHROPIC_API_KEY=KEY,
        DISABLE_TELEMETRY="1",
        DISABLE_AUTOUPDATER="1",
        DISABLE_ERROR_REPORTING="1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        IS_SANDBOX="1",
    )
    command = [_binary("claude"), "--permission-mode", "default", *arguments]
    with on_terminal(command, env=environ, cwd=project) as terminal:
        terminal.wait_for("? for shortcuts", "for shortcuts", "❯")
        yield terminal


# ---- Codex


@contextmanager
def codex_exec(home: Home, model: Model, prompt: str, *, project: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Codex with one prompt; it ends when the work is done, at the latest with the block."""
    folder = home.folder / ".codex"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(
        'model = "fake-model"\nmodel_provider = "fake"\n\n[model_providers.fake]\nname = "fake"\n'
        f'base_url = "{model.url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n'
    )
    command = [_binary("codex"), "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt]
    process = subprocess.Popen(
        command,
        env=agent_environ(home, FAKE_KEY=KEY, CODEX_HOME=str(folder)),
        cwd=project,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        # What it started too: the command is a script around the agent.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


# ---- the daemon


class Watching:
    """How the sessions of a home stand, looked at all the time: what a panel could have shown."""

    def __init__(self, home: Home) -> None:
        self._home = home
        # When a look first gave something new, and what.
        self.seen: list[tuple[float, dict[str, Any]]] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def rows(self) -> list[dict[str, Any]]:
        answer = call("session/list", {}, where=self._home.places, start_if_missing=False)
        return cast(dict[str, list[dict[str, Any]]], answer)["sessions"]

    def wait_until(self, is_so: Callable[[Mapping[str, Any]], bool], *, within_s: float = PATIENCE_S) -> float:
        """Until a session's row is so; when that was first seen."""
        begun, ends = len(self.seen) - 1, time.monotonic() + within_s
        while time.monotonic() < ends:
            for at, row in self.seen[max(begun, 0) :]:
                if is_so(row):
                    return at
            time.sleep(_LOOK_S)
        raise AssertionError(f"never so: {[told(row) for _, row in self.seen]}")

    def states(self) -> list[tuple[str, str | None]]:
        """State and need, each time one of them changed."""
        found: list[tuple[str, str | None]] = []
        for _, row in self.seen:
            if not found or found[-1] != told(row):
                found.append(told(row))
        return found

    def end(self) -> None:
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        known: dict[str, Any] = {}
        while not self._is_over.wait(_LOOK_S):
            for row in self.rows():
                if known.get(row["id"]) != row:
                    known[row["id"]] = row
                    self.seen.append((time.monotonic(), row))


def told(row: Mapping[str, Any]) -> tuple[str, str | None]:
    return row["state"], row.get("needs")


@contextmanager
def daemon_of(home: Home) -> Iterator[Watching]:
    command = [sys.executable, "-m", "recapd"]
    subprocess.run([*command, "sockname", "--start"], env=home.environ, check=True, stdout=subprocess.DEVNULL)
    watching = Watching(home)
    try:
        yield watching
    finally:
        watching.end()
        subprocess.run([*command, "down"], env=home.environ, check=True, stdout=subprocess.DEVNULL)
