"""The commands as a user runs them: a real process, its stdout, stderr and exit code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import pytest

from recapd.daemon.log_files.reading import UnreadableLog, open_log

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "recapd" / "demo" / "session.jsonl"


def run(*args: str, home: Path) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    # Whoever runs the tests may have a daemon of their own.
    environ["RECAPD_RUNTIME_DIR"] = str(home / "run")
    return subprocess.run(
        [sys.executable, "-m", "recapd", *args], capture_output=True, text=True, env=environ, cwd=home, check=False
    )


def test_recap_of_a_log_is_all_that_stdout_carries(tmp_path: Path) -> None:
    done = run("recap", str(DEMO), "--format", "full", home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("📍 **Conversation recap** (turn 2)")
    assert "Add rate limiting per API key" in done.stdout
    assert "Tests pass: 48 passed" in done.stdout
    assert done.stderr == ""


def test_a_machine_without_logs_shows_the_example_and_says_so(tmp_path: Path) -> None:
    done = run("recap", home=tmp_path)
    assert done.returncode == 0
    assert "limited per API key in Redis" in done.stdout
    assert "demo" in done.stderr


def test_the_readme_shows_what_is_printed(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    samples = re.findall(r"^```\n\$ recapd (.*?) \| cat\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert [command for command, _ in samples] == ["recap --demo"]
    for command, shown in samples:
        assert shown == run(*command.split(), home=tmp_path).stdout


def test_the_latest_session_is_found_where_the_agent_keeps_it(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "-home-demo-shop"
    project.mkdir(parents=True)
    (project / "d3.jsonl").write_bytes(DEMO.read_bytes())
    done = run("recap", "--format", "short", home=tmp_path)
    assert "Where we are" in done.stdout and done.stderr == ""
    listed = run("sessions", home=tmp_path)
    assert "shop" in listed.stdout and "checkout API" in listed.stdout


def test_a_folder_is_searched_for_exports_too(tmp_path: Path) -> None:
    exports = tmp_path / "exports"
    exports.mkdir()
    (exports / "package.json").write_text('{"name": "shop", "version": "1.0.0"}')
    (exports / "talk.json").write_bytes((ROOT / "tests/adapters/data/opencode/export.json").read_bytes())
    listed = run("sessions", "exports", home=tmp_path)
    assert listed.stdout.count("\n") == 1 and "Rename the key" in listed.stdout and listed.stderr == ""


def test_files_say_what_became_of_each(tmp_path: Path) -> None:
    done = run("files", str(DEMO), home=tmp_path)
    rows = {line.split()[-1]: line.split()[0] for line in done.stdout.splitlines()}
    assert rows["/home/demo/shop/src/api/limits.py"] == "created"
    assert rows["/home/demo/shop/src/api/server.py"] == "modified"


def test_json_is_the_whole_result(tmp_path: Path) -> None:
    result = json.loads(run("recap", str(DEMO), "--json", home=tmp_path).stdout)
    assert result["recap"]["stats"]["turns"] == 2
    assert result["recap"]["originalRequest"]["ref"]["line"] == 1


@pytest.mark.parametrize(
    ("method", "key"),
    [
        ("session/list", "sessions"),
        ("recapd/discover", "methods"),
    ],
)
def test_call_without_params(method: str, key: str, tmp_path: Path) -> None:
    done = run("call", method, home=tmp_path)
    assert key in json.loads(done.stdout)


@pytest.mark.parametrize("method", ["recap/get", "files/list", "context/summary", "recap/verify"])
def test_call_about_a_session(method: str, tmp_path: Path) -> None:
    done = run("call", method, json.dumps({"session": {"log": str(DEMO)}}), home=tmp_path)
    result = json.loads(done.stdout)
    assert result["sessionId"].startswith("claude-code:")
    assert result["revision"] > 0


def test_every_ref_of_a_recap_resolves(tmp_path: Path) -> None:
    recap = json.loads(run("recap", str(DEMO), "--json", home=tmp_path).stdout)
    ref = recap["recap"]["originalRequest"]["ref"]
    done = run("call", "ref/resolve", json.dumps({"ref": ref}), home=tmp_path)
    result = json.loads(done.stdout)
    assert result["kind"] == "userMessage" and not result["stale"]
    assert "rate limiting per API key" in result["excerpt"]


def bad_inputs(folder: Path) -> dict[str, Path]:
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "binary.bin").write_bytes(bytes(range(256)) * 20)
    (folder / "notes.txt").write_text("just some notes\n")
    (folder / "other.jsonl").write_text('{"level":"info","msg":"started"}\n')
    (folder / "folder").mkdir()
    return {
        "does not exist": folder / "missing.jsonl",
        "is empty": folder / "empty.jsonl",
        "binary": folder / "binary.bin",
        "unsupported format": folder / "notes.txt",
        "unsupported format ": folder / "other.jsonl",
        "is a directory": folder / "folder",
    }


def test_what_cannot_be_read_is_one_sentence_on_stderr(tmp_path: Path) -> None:
    for (expected, path), command in zip(bad_inputs(tmp_path).items(), cycle(("recap", "files")), strict=False):
        done = run(command, str(path), home=tmp_path)
        assert done.returncode != 0
        assert done.stdout == ""
        assert expected.strip() in done.stderr and str(path) in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1 and "Traceback" not in done.stderr


def test_no_permission_is_one_sentence(tmp_path: Path) -> None:
    log = tmp_path / "locked.jsonl"
    log.write_bytes(DEMO.read_bytes())
    log.chmod(0)
    with as_nobody(), pytest.raises(UnreadableLog) as refused:
        open_log(log)
    assert str(log) in str(refused.value) and "permissions" in str(refused.value)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may read everything: be somebody else for a while, where the tests run as root."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("call", "no/such"), "There is no method"),
        (("call", "recap/get", '{"format":"long"}'), "`format` must be one of"),
        (("call", "recap/get", "{"), "The params are no JSON"),
        (("recap", "claude-code:unknown"), "No session has the id"),
        (("recap", "--max-tokens", "0"), "at least 1"),
        (("sessions", "/no/such/folder"), "There is no folder"),
    ],
)
def test_mistakes_are_told_in_one_sentence(args: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    done = run(*args, home=tmp_path)
    assert done.returncode == 1
    assert expected in done.stderr and done.stdout == ""


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    command = f"{sys.executable} -m recapd recap {DEMO} --json | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environ, check=False)
    assert done.stderr == ""
