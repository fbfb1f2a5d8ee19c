r"""Real agents in a home of their own, against a scripted model, and a daemon that follows them.

RECAPD_AGENTS is a folder in which npm has installed them, RECAPD_AGENTS_OLD one with an older Claude Code:

    npm install --prefix FOLDER @anthropic-ai/claude-code@2.1.325 @openai/codex@0.166.0 \
        @mariozechner/pi-coding-agent@0.73.1 @modelcontextprotocol/inspector@0.15.0
    npm install --prefix OLDER @anthropic-ai/claude-code@2.1.197
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from recapd.bridges.deadline import DEADLINE_VARIABLE
from recapd.client.call import call
from tests.agents.model import Model
from tests.agents.terminal import PATIENCE_S, Terminal, on_terminal
from tests.support.daemons import Home

KEY = "sk-dummy-0000000000000000000000000000"
# Between two looks at how the sessions stand.
_LOOK_S = 0.03


# Hooks have all the time, and Claude Code asks its model nothing before it has the tools of its servers.
_PATIENT = {
    DEADLINE_VARIABLE: "20000",
    "MCP_CONNECTION_NONBLOCKING": "0",
    "MCP_CONNECT_TIMEOUT_MS": "60000",
    "MCP_TIMEOUT": "60000",
}


def agents_folder() -> Path:
    folder = Path(os.environ["RECAPD_AGENTS"])
    assert folder.is_dir(), f"RECAPD_AGENTS is no folder: {folder}"
    return folder


def agent_binary(name: str, *, is_old: bool = False) -> str:
    variable = "RECAPD_AGENTS_OLD" if is_old else "RECAPD_AGENTS"
    path = Path(os.environ.get(variable, "")) / "node_modules" / ".bin" / name
    assert path.exists(), f"{name} is not installed in {variable}; see tests/agents/rig.py"
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


def install_in(home: Home, target: str) -> None:
    """As a person would, into the agent's own configuration."""
    command = [sys.executable, "-m", "recapd", "install", target, "--yes"]
    subprocess.run(command, env=home.environ, check=True, stdout=subprocess.DEVNULL)


def _own_program(folder: Path) -> Path:
    program = folder / "recapd"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m recapd "$@"\n')
    program.chmod(0o755)
    return program


class HookRun(NamedTuple):
    event: str
    # None where it never ended by itself.
    code: int | None
    took_ms: int


def noting_program(folder: Path) -> Path:
    """A `recapd` that notes, in the folder, when each hook begins, how it ends, and how long it took."""
    program = folder / "bin" / "recapd"
    program.parent.mkdir()
    notes = folder / "hooks"
    program.write_text(
        f'#!/bin/bash\n[ "$1" = hook ] || exec {sys.executable} -m recapd "$@"\n'
        f'echo "$$ $2 began ${{EPOCHREALTIME/./}}" >> {notes}\n{sys.executable} -m recapd "$@"\n'
        f'code=$?\necho "$$ $2 $code ${{EPOCHREALTIME/./}}" >> {notes}\nexit $code\n'
    )
    program.chmod(0o755)
    return program


def runs_of_hooks(folder: Path) -> list[HookRun]:
    """What `noting_program` noted, which is forgotten with that."""
    notes = folder / "hooks"
    rows = [line.split() for line in notes.read_text().splitlines()] if notes.exists() else []
    notes.unlink(missing_ok=True)
    ended = {pid: (int(code), int(at)) for pid, _, code, at in rows if code != "began"}
    begun = {pid: (event, int(at)) for pid, event, code, at in rows if code == "began"}
    return [
        HookRun(event, ended[pid][0], (ended[pid][1] - at) // 1000) if pid in ended else HookRun(event, None, 0)
        for pid, (event, at) in begun.items()
    ]


def claude_print(
    home: Home,
    model: Model,
    prompt: str,
    *,
    project: Path,
    arguments: tuple[str, ...] = (),
    is_old: bool = False,
    is_patient: bool = True,
) -> dict[str, Any]:
    """Claude Code with one prompt, to its end; what it says of it. `is_patient`: recapd's hooks have all the time."""
    command = [agent_binary("claude", is_old=is_old), "-p", prompt, "--output-format", "json", *arguments]
    done = subprocess.run(
        command,
        env=_claude_environ(home, model) | _recapd_environ(home, is_patient=is_patient),
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )
    assert done.returncode == 0, (done.stdout[-800:], done.stderr[-800:])
    found: Any = json.loads(done.stdout)
    return cast(dict[str, Any], found[-1] if isinstance(found, list) else found)


def _recapd_environ(home: Home, *, is_patient: bool = True) -> dict[str, str]:
    """What recapd's hooks and tools go by; on a busy machine they would be late for everything."""
    ours = {name: value for name, value in home.environ.items() if name.startswith(("RECAPD_", "PYTHONPATH"))}
    return ours | (_PATIENT if is_patient else {})


def _claude_environ(home: Home, model: Model) -> dict[str, str]:
    return agent_environ(
        home,
        ANTHROPIC_BASE_URL=model.url,
        ANTHROPIC_API_KEY=KEY,
        DISABLE_TELEMETRY="1",
        DISABLE_AUTOUPDATER="1",
        DISABLE_ERROR_REPORTING="1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        IS_SANDBOX="1",
    )


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
    environ = _claude_environ(home, model)
    command = [agent_binary("claude"), "--permission-mode", "default", *arguments]
    with on_terminal(command, env=environ, cwd=project) as terminal:
        terminal.wait_for("? for shortcuts", "for shortcuts", "❯")
        yield terminal


# ---- Codex


def configure_codex(home: Home, model: Model) -> Path:
    folder = home.folder / ".codex"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(
        'model = "fake-model"\nmodel_provider = "fake"\nmodel_auto_compact_token_limit = 20000\n\n'
        '[model_providers.fake]\nname = "fake"\n'
        f'base_url = "{model.url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n'
    )
    return folder


def codex_print(home: Home, model: Model, prompt: str, *, project: Path, is_patient: bool = True) -> None:
    """Codex with recapd in it, with one prompt, to its end. A person would trust the hooks once."""
    folder = configure_codex(home, model)
    install_in(home, "codex")
    options = ("--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust")
    done = subprocess.run(
        [agent_binary("codex"), "exec", *options, prompt],
        env=agent_environ(home, FAKE_KEY=KEY, CODEX_HOME=str(folder)) | _recapd_environ(home, is_patient=is_patient),
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )
    assert done.returncode == 0, (done.stdout[-800:], done.stderr[-800:])
    assert b"hooks.json" not in done.stderr, "Codex warns of something in our hooks"


# ---- pi


def pi_print(home: Home, model: Model, *prompts: str, project: Path, is_patient: bool = True) -> None:
    """pi with recapd's extension, with one prompt after the other, to its end."""
    folder = home.folder / ".pi" / "agent"
    folder.mkdir(parents=True, exist_ok=True)
    offered = {"id": "fake-model", "contextWindow": 40_000}
    provider = {"baseUrl": model.url, "api": "anthropic-messages", "apiKey": KEY, "models": [offered]}
    (folder / "settings.json").write_text(json.dumps({"compaction": {"reserveTokens": 1_000, "keepRecentTokens": 1}}))
    (folder / "models.json").write_text(json.dumps({"providers": {"fake": provider}}))
    install_in(home, "pi")
    started = shutil.which("recapd") or str(_own_program(home.folder))
    done = subprocess.run(
        [agent_binary("pi"), "--provider", "fake", "--model", "fake-model", "-p", *prompts],
        env=agent_environ(home, RECAPD_COMMAND=started) | _recapd_environ(home, is_patient=is_patient),
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )
    assert done.returncode == 0, (done.stdout[-800:], done.stderr[-800:])


@contextmanager
def codex_exec(home: Home, model: Model, prompt: str, *, project: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Codex with one prompt; it ends when the work is done, at the latest with the block."""
    folder = configure_codex(home, model)
    command = [
        agent_binary("codex"),
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        prompt,
    ]
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
    with served(home):
        watching = Watching(home)
        try:
            yield watching
        finally:
            watching.end()


@contextmanager
def served(home: Home) -> Iterator[None]:
    """There is a daemon, and none afterwards, whatever became of this one; nobody looks at it meanwhile."""
    command = [sys.executable, "-m", "recapd"]
    subprocess.run([*command, "sockname", "--start"], env=home.environ, check=True, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        subprocess.run([*command, "down"], env=home.environ, check=True, stdout=subprocess.DEVNULL)
