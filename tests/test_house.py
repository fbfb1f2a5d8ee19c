"""What keeps the house in order: imports flow one way, start-up is light, the top level holds what it should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "recapd", "clients", "protocol", "tests"}


def test_import_contracts() -> None:
    # In a process of its own: import-linter silences every logger of the one it runs in.
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_top_level_is_what_the_readme_says() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    names = {line.partition("/")[0] for line in tracked.splitlines()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_start_up_imports_nothing_heavy() -> None:
    code = "import sys; before = set(sys.modules); import recapd.__main__; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    heavy = {"msgspec", "asyncio", "anyio", "pygls", "anthropic", "watchfiles", "logging"} & set(done.stdout.split())
    assert heavy == set()
