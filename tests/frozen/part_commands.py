"""Commands as a shell runs them: help texts, answers with and without a daemon, and mistakes."""

from __future__ import annotations

import json
import re

from tests.frozen.checkouts import Checkout, await_rest
from tests.frozen.frames import client_of_socket
from tests.frozen.made_up import Growing
from tests.frozen.questions import FORMATS, PRESETS, PROMPT
from tests.frozen.recording import SIZES, Normalisation, Recorder, Wanted, normalised
from tests.frozen.stage import append, put

# Of a command's own text: inside the recorded JSON it would be escaped.
NORMALISATIONS: tuple[Normalisation, ...] = (
    Normalisation(re.compile(r"\bpid \d+"), "pid <pid>"),
    Normalisation(re.compile(r'("pid": )\d+'), r"\1<pid>"),
    Normalisation(re.compile(rf'("(?:{"|".join(SIZES)})": )\d+'), r"\1<number>"),
    Normalisation(re.compile(r'("writtenAt": )"[^"]*"'), r"\1<time>"),
    Normalisation(re.compile(r'("path": "[^"]*/state",\s+"sizeBytes": )\d+'), r"\1<number>"),
    # The status for people: what the process takes, and what it has written when.
    Normalisation(re.compile(r"\b[\d.,]+ [kMG]?B of memory\b"), "<size> of memory"),
    Normalisation(re.compile(r"\b[\d.,]+ [kMG]?B on disk \(written [^)]*\)"), "<size> on disk (written <time>)"),
    # The machine's own limit of watched folders.
    Normalisation(re.compile(r"\b\d+ allowed$", re.MULTILINE), "<limit> allowed"),
)

COMMANDS = (
    "recap files decisions context summarize history sessions overview call config dialect "
    "up down status doctor demo watch unwatch sockname connect serve"
).split()

_WRONG: tuple[tuple[str, ...], ...] = (
    ("no-such-command",),
    ("recap", "--format", "long"),
    ("recap", "/no/such/log.jsonl"),
    ("recap", "no:such-session"),
    ("recap", "--demo", "--max-tokens", "0"),
    ("recap", "--demo", "--max-tokens", "1"),
    ("recap", "--demo", "--at-turn", "0"),
    ("context", "--budget", "many"),
    ("call", "no/such"),
    ("call", "recap/get", "{"),
    ("call", "recap/get", '{"format": 7}'),
    ("config", "no.such"),
    ("serve",),
    ("watch", "/no/such/folder"),
    ("unwatch", "/no/such/folder"),
)


def record_commands(checkout: Checkout, recorder: Recorder, is_wanted: Wanted) -> None:
    steps = _Commands(checkout, recorder)
    steps.run("help", "--help")
    steps.run("help")
    steps.run("help", "--version")
    for command in COMMANDS:
        steps.run("help", command, "--help")
    _without_daemon(checkout, steps)
    _with_daemon(checkout, steps)


class _Commands:
    def __init__(self, checkout: Checkout, recorder: Recorder) -> None:
        self._checkout = checkout
        self._recorder = recorder

    def run(self, of: str, *arguments: str, environ: dict[str, str] | None = None) -> None:
        done = self._checkout.run(*arguments, environ=environ)
        answer = {"exit": done.returncode, "stdout": self._text(done.stdout), "stderr": self._text(done.stderr)}
        named = " ".join((*(f"{name}={value}" for name, value in (environ or {}).items()), *arguments))
        self._recorder.add(of, named, json.dumps(answer, ensure_ascii=False))

    def run_on_terminal(self, *arguments: str) -> None:
        code, written = self._checkout.run_on_terminal(*arguments)
        answer = {"exit": code, "terminal": self._text(written)}
        self._recorder.add("terminal", " ".join(arguments), json.dumps(answer, ensure_ascii=False))

    def _text(self, data: bytes) -> str:
        text = data.decode("utf-8", "backslashreplace").replace(str(self._checkout.folder), "<checkout>")
        return normalised(text, NORMALISATIONS)


def _without_daemon(checkout: Checkout, steps: _Commands) -> None:
    of = "nothing there"
    for command in ("status", "doctor", "sockname", "down"):
        steps.run(of, command)
    steps.run(of, "status", "--json")
    for command in ("sessions", "overview", "files", "recap"):
        steps.run(of, command, "--no-daemon")
    for wrong in _WRONG:
        if wrong[0] not in ("watch", "unwatch"):
            steps.run("mistakes", *wrong, *(("--no-daemon",) if wrong[0] in ("recap", "context", "call") else ()))
    _configuration(checkout, steps)
    demo = str(checkout.stage.logs / "demo" / "session.jsonl")
    for name in FORMATS:
        steps.run("demo", "recap", "--demo", "--format", name, "--no-daemon")
    steps.run("demo", "recap", "--demo", "--json", "--no-daemon")
    Growing(checkout.stage)
    _reading(steps, "without a daemon", demo, "--no-daemon")
    for command in ("recap", "files", "decisions", "context", "history"):
        steps.run("without a daemon", command, "--no-daemon")
        steps.run_on_terminal(command, "--no-daemon")
    for name in FORMATS:
        steps.run_on_terminal("recap", "--demo", "--format", name, "--no-daemon")
    for command in ("sessions", "overview"):
        steps.run_on_terminal(command, "--no-daemon")
    for preset in PRESETS[1:]:
        environ = {"RECAPD_PRESET": preset}
        for command in ("recap", "context", "summarize"):
            steps.run("presets", command, demo, "--no-daemon", environ=environ)
        steps.run("presets", "recap", demo, "--format", "short", "--no-daemon", environ=environ)
    steps.run("without a daemon", "sessions", str(checkout.stage.logs / "fixtures"), "--limit", "100")
    steps.run("without a daemon", "sessions", str(checkout.stage.logs / "fixtures"), "--json")
    steps.run("without a daemon", "call", "recap/get", json.dumps({"session": {"log": demo}}), "--no-daemon")
    steps.run("without a daemon", "call", "session/export", json.dumps({"session": {"log": demo}}), "--no-daemon")


def _configuration(checkout: Checkout, steps: _Commands) -> None:
    for options in ("", "--json", "--explain", "recap", "recap.format"):
        steps.run("configuration", "config", *options.split(), "--no-daemon")
    steps.run("configuration", "config", "recap", "--no-daemon", environ={"RECAPD_RECAP_TURN_THRESHOLD": "8"})
    steps.run("configuration", "config", "--no-daemon", environ={"RECAPD_PRESET": "gitclaw", "RECAPD_NO_SUCH": "1"})
    put(checkout.stage.work / ".recapd.toml", b'[recap]\nformat = "full"\n[llm]\nprovider = "anthropic"\n[nothing]\n')
    steps.run("configuration", "config", "--no-daemon")
    steps.run("configuration", "doctor")
    (checkout.stage.work / ".recapd.toml").unlink()
    dialects = checkout.stage.logs / "fixtures" / "adapters" / "data" / "dialect" / "dialects.toml"
    for log in sorted((checkout.stage.logs / "fixtures").rglob("*.jsonl")):
        steps.run("dialects", "dialect", str(log), "--config", str(dialects))


def _reading(steps: _Commands, of: str, *arguments: str) -> None:
    """Every command that reads a session, of the log that is named among the arguments, or of the latest session."""
    for options in ("", "--json", "--collapsible", "--no-decisions", "--at-turn 1", "--since-turn 1"):
        steps.run(of, "recap", *arguments, *options.split())
    steps.run(of, "recap", *arguments, "--max-tokens", "80", "--format", "short")
    steps.run(of, "recap", *arguments, "--budget", "200")
    for options in ("", "--json", "--action modified"):
        steps.run(of, "files", *arguments, *options.split())
    for options in ("", "--json", "--all", "--by user", "--status active", "--query redis"):
        steps.run(of, "decisions", *arguments, *options.split())
    for options in ("", "--json", "--budget 300", "--output messages"):
        steps.run(of, "context", *arguments, *options.split())
    steps.run(of, "context", *arguments, "--prompt", PROMPT)
    for preset in PRESETS:
        steps.run(of, "context", *arguments, "--preset", preset)
    steps.run(of, "context", *arguments, "--include", "files", "--include", "decisions")
    for options in ("", "--full", "--json"):
        steps.run(of, "history", *arguments, *options.split())
    steps.run(of, "summarize", *arguments)
    steps.run(of, "summarize", *arguments, "--focus", "redis", "--json")
    steps.run(of, "history", *arguments)


def _with_daemon(checkout: Checkout, steps: _Commands) -> None:
    checkout.stage.clear()
    growing = Growing(checkout.stage)
    append(growing.path, growing.take(100))
    environ = {"RECAPD_SUMMARY_ENABLED": "false"}
    with checkout.serving(environ=environ) as path:
        client = client_of_socket(path)
        await_rest(client, sessions=1)
        client.close()
        of = "with a daemon"
        _reading(steps, of)
        for arguments in (
            ("sessions",),
            ("sessions", "--json"),
            ("sessions", "--query", "nothing of the kind"),
            ("overview",),
            ("overview", "--all"),
            ("overview", "--all", "--json"),
            ("status",),
            ("status", "--json"),
            ("doctor",),
            ("sockname",),
            ("config",),
            ("call", "recapd/discover"),
            ("call", "session/overview"),
            ("watch", "--list"),
            *(wrong for wrong in _WRONG if wrong[0] in ("watch", "unwatch", "call")),
        ):
            steps.run(of, *arguments)
        steps.run(of, "down")
        steps.run(of, "status")
    # A daemon that the command itself starts, and ends.
    try:
        for command in ("up", "sockname", "up", "down", "down"):
            steps.run("up and down", command)
    finally:
        checkout.run("down")
