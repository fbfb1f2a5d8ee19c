"""Completion, in the shells that are here; the manual page; opening and copying."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recapd.cli.completion import SCRIPTS, candidates
from recapd.cli.editor import editor_arguments
from recapd.cli.manual import PAGE, write_manual
from recapd.cli.table import COMMANDS
from tests.cli.test_commands import DEMO, run


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (["rec"], ["recap"]),
        (["recap", "--form"], ["--format"]),
        (["recap", "--format", "t"], ["timeline"]),
        (["decisions", "--status", "ten"], ["tentative"]),
        (["decisions", "--status", "rep"], ["replaced"]),
        (["decisions", "--by", "b"], ["both"]),
        (["context", "--include", "re"], ["request", "relevant", "recent"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["nonsense", ""], []),
        (["recap", "./some/fi"], []),
    ],
)
def test_what_may_follow(typed: list[str], found: list[str]) -> None:
    assert [value for value, _ in candidates(typed)] == found


def test_every_command_is_offered() -> None:
    assert [value for value, _ in candidates([""])] == [command.name for command in COMMANDS]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes(tmp_path: Path) -> None:
    script = tmp_path / "recapd.bash"
    script.write_text(SCRIPTS["bash"])
    recapd = tmp_path / "recapd"
    recapd.write_text(f'#!/bin/sh\nexec {sys.executable} -m recapd "$@"\n')
    recapd.chmod(0o700)
    line = 'COMP_LINE="recapd recap --format re"; COMP_POINT=${#COMP_LINE}'
    typed = f'{line}; _recapd; printf "%s\\n" "${{COMPREPLY[@]}}"'
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(DEMO.parents[2])}
    done = subprocess.run(
        ["bash", "-c", f"source {script}; {typed}"], capture_output=True, text=True, env=environ, check=True, timeout=60
    )
    assert done.stdout == "resume\n"


def test_the_manual_page_is_fresh_and_names_every_command() -> None:
    assert PAGE.read_text(encoding="utf-8") == write_manual(), "run python -m recapd.cli.manual"
    assert all(f"\n\\fB{command.name}\\fR" in write_manual() for command in COMMANDS)


@pytest.mark.parametrize(
    ("editor", "arguments"),
    [
        ("/usr/bin/vim", ["+7", "/a/log.jsonl"]),
        ("code", ["--goto", "/a/log.jsonl:7"]),
        ("hx", ["/a/log.jsonl:7"]),
    ],
)
def test_editors_are_told_the_line(editor: str, arguments: list[str]) -> None:
    assert editor_arguments(editor, "/a/log.jsonl", 7) == arguments


def test_a_copy_goes_to_the_program_of_the_desktop(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "pbcopy"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncat > {tmp_path}/copied\n")
    program.chmod(0o700)
    environ = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    environ |= {"RECAPD_RUNTIME_DIR": str(tmp_path / "run"), "PYTHONPATH": str(DEMO.parents[2]), "LANG": "C.UTF-8"}
    command = [sys.executable, "-m", "recapd", "recap", str(DEMO), "--copy", "--no-daemon"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, cwd=tmp_path, check=True, timeout=60)
    assert done.stdout == "" and "Copied" in done.stderr
    assert (tmp_path / "copied").read_text(encoding="utf-8").strip() == run(
        "recap", str(DEMO), home=tmp_path
    ).stdout.strip()


def test_what_somebody_waits_for_imports_little() -> None:
    """`recapd` alone and a press of Tab take about as long as Python itself: each of these takes a third of that."""
    modules = ("recapd.__main__", "recapd.cli.sight", "recapd.cli.last_list", "recapd.cli.completion", "recapd.cli.ids")
    script = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True, timeout=60)
    heavy = {"argparse", "contextlib", "dataclasses", "logging", "msgspec", "socket", "subprocess", "typing"}
    assert heavy.intersection(done.stdout.split()) == set()
