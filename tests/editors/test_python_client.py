"""The Python client as its users have it: built, and installed where there is no recapd."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.npm import CLIENTS, recapd_command
from tests.support.daemons import ROOT
from tests.support.processes import until

pytestmark = pytest.mark.editors

CLIENT = CLIENTS / "python"
EXAMPLES = re.findall(r"```python\n(.*?)```", (CLIENT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
WRONG = """
from recapd_client import Recapd

Recapd().call("recap/get", {"session": {"id": "a:1"}, "format": "shrt"})
Recapd().call("recap/gte", {})
Recapd().call("session/list")["session"]
"""


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the client and nothing else."""
    folder = tmp_path_factory.mktemp("client")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, CLIENT)
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    (wheel,) = folder.glob("recapd_client-*.whl")
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", wheel)
    return python


@pytest.fixture
def environ(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A user with one session, who installed recapd as pipx does, and whose PATH does not say so."""
    logs = tmp_path / ".claude" / "projects" / "shop"
    logs.mkdir(parents=True)
    shutil.copy(ROOT / "recapd" / "demo" / "session.jsonl", logs)
    commands = tmp_path / ".local" / "bin"
    commands.mkdir(parents=True)
    (commands / "recapd").symlink_to(recapd_command())
    environ = {"HOME": str(tmp_path), "PATH": os.defpath, "LANG": "C.UTF-8"}
    environ |= {"RECAPD_RUNTIME_DIR": str(tmp_path / "run"), "RECAPD_STATE_DIR": str(tmp_path / "state")}
    yield environ
    subprocess.run([recapd_command(), "down"], env=environ, capture_output=True, check=False)


def test_recapd_is_not_there_and_nothing_else_is_needed(python: Path) -> None:
    script = "import importlib.metadata as found; print(*(each.name for each in found.distributions()))"
    assert run(python, "-I", "-c", script).split() == ["recapd-client"]


@pytest.mark.parametrize("way", ["blocking", "asyncio"])
def test_it_holds_the_conversations_of_the_protocol(python: Path, way: str) -> None:
    runner = [sys.executable, "protocol/conformance/run.py", "--recapd", recapd_command()]
    told = run(*runner, "--", python, "-I", CLIENT / "test" / "driver.py", way)
    assert told.count("ok ") == len(list((ROOT / "protocol" / "conformance" / "transcripts").glob("*.json")))


def test_the_examples_of_its_readme_run(python: Path, environ: dict[str, str]) -> None:
    # The first starts recapd, which has the log still to read.
    until(lambda: "Redis" in run(python, "-I", "-c", EXAMPLES[0], env=environ))
    blocking, asynchronous = (run(python, "-I", "-c", example, env=environ) for example in EXAMPLES)
    assert "1001 " in blocking
    assert asynchronous.split()[0] == "1"


def test_who_has_no_recapd_is_told_how_to_get_it(python: Path, environ: dict[str, str]) -> None:
    (Path(environ["HOME"]) / ".local" / "bin" / "recapd").unlink()
    script = [python, "-I", "-c", EXAMPLES[0]]
    done = subprocess.run(script, env=environ, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith("install it with: pipx install recapd")


def test_a_type_checker_knows_what_each_method_takes_and_gives(python: Path, tmp_path: Path) -> None:
    check = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--python-executable", str(python)]
    for number, example in enumerate(EXAMPLES):
        (tmp_path / f"right{number}.py").write_text(example)
    run(*check, *sorted(tmp_path.glob("right*.py")))
    (tmp_path / "wrong.py").write_text(WRONG)
    told = subprocess.run(
        [*check, str(tmp_path / "wrong.py")], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert [line.split(":")[1] for line in told.stdout.splitlines() if ": error:" in line] == ["4", "5", "6"]
