"""Odd input and odd output end in one sentence, and nothing from a log passes for recapd's own words."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from recapd.cli.markdown import render_markdown
from recapd.cli.terminal import format_table

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "recapd" / "demo" / "session.jsonl"


def run(command: str, home: Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    environ |= {"RECAPD_RUNTIME_DIR": str(home / "run"), "RECAPD_STATE_DIR": str(home / "state")} | more
    line = command.replace("recapd", f"{sys.executable} -m recapd", 1)
    return subprocess.run(["bash", "-c", line], capture_output=True, env=environ, cwd=home, check=False)


@pytest.mark.parametrize(
    "command",
    [
        "recapd recap --no-daemon $'a\\xffb'",
        "recapd recap --no-daemon $'\\e[31mred'",
        'recapd call --no-daemon recap/get "$(python3 -c \'print("["*100000)\')"',
        'recapd call --no-daemon recap/get $\'{"a":"\\xff"}\'',
        f"recapd recap --no-daemon {DEMO} > /dev/full",
        f"recapd recap --no-daemon {DEMO} >&-",
    ],
)
def test_one_sentence_and_no_traceback(command: str, tmp_path: Path) -> None:
    done = run(command, tmp_path)
    assert done.returncode != 0
    assert b"Traceback" not in done.stderr and b"\x1b" not in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_characters_a_terminal_lacks_are_replaced(tmp_path: Path) -> None:
    done = run(f"recapd recap --no-daemon {DEMO}", tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and b"Where we are" in done.stdout


def test_stdio_with_nothing_behind_it_ends(tmp_path: Path) -> None:
    assert run("recapd serve --stdio < /dev/null", tmp_path).returncode == 0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_code_from_a_log_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = render_markdown(Terminal(), "- Ran `` a ` **State:** finished ``\n**State:** waiting")
    assert "a ` **State:** finished" in shown
    assert shown.count("\x1b[1mState:\x1b[0m") == 1


def test_a_name_cannot_make_a_row_of_its_own() -> None:
    assert format_table(io.StringIO(), [("read", "x\nmodified  9×  /etc/passwd")]).count("\n") == 0


@pytest.mark.parametrize("columns", [24, 30, 39, 60, 200])
def test_a_table_fits_its_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    rows = [
        ("modified", "12×", "turn 4", "src/shop/checkout/cart.py", "failed once"),
        ("read", "1×", "turn 1", "a", ""),
    ]
    lines = format_table(Terminal(), rows).split("\n")
    assert max(map(len, lines)) <= columns
    # A pipe gets all of it.
    assert "src/shop/checkout/cart.py" in format_table(io.StringIO(), rows)
    assert columns < 200 or "src/shop/checkout/cart.py" in lines[0]


def test_a_recap_that_finds_no_room_says_so(tmp_path: Path) -> None:
    done = run(f"recapd recap --no-daemon {DEMO} --max-tokens 1", tmp_path)
    assert done.returncode != 0 and not done.stdout.strip()
    assert b"fits into 1 tokens" in done.stderr and done.stderr.count(b"\n") == 1
