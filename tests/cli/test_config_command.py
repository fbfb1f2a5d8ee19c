"""`recapd config` as a user runs it: the value, where it comes from, what a key means."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from recapd.cli.config import config_text, explain_settings
from recapd.daemon.config import read_configuration
from recapd.daemon.config.setting_keys import keys
from recapd.daemon.live_configuration import describe_configuration

ROOT = Path(__file__).parent.parent.parent


def run(home: Path, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    environ |= {"RECAPD_RUNTIME_DIR": str(home / "run"), "RECAPD_STATE_DIR": str(home / "state")} | more
    command = [sys.executable, "-m", "recapd", "config", *args]
    return subprocess.run(command, capture_output=True, text=True, env=environ, cwd=home, check=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    config = tmp_path / ".config" / "recapd"
    config.mkdir(parents=True)
    (config / "config.toml").write_text('preset = "gitclaw"\n[recap]\nturn_threshold = 8\nfromat = "full"\n')
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / ".recapd.toml").write_text("[recap]\nmin_turns = 2\n[llm]\nprovider = 'anthropic'\n")
    return tmp_path


def test_every_value_and_its_source(home: Path) -> None:
    done = run(home, "--workspace", "shop", RECAPD_SUMMARY_VOICE="first")
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    assert done.returncode == 0 and rows.keys() == keys().keys() | {"preset"}
    assert rows["preset"] == ["gitclaw", "user"]
    assert rows["recap.turn_threshold"] == ["8", "user"]
    assert rows["recap.short_decisions"] == ["1", "preset"]
    assert rows["recap.min_turns"] == ["2", "workspace"]
    assert rows["summary.voice"] == ["first", "RECAPD_SUMMARY_VOICE"]
    assert rows["window.size"] == ["10", "default"]
    assert "did you mean recap.format" in done.stderr and "llm.provider: belongs in" in done.stderr


def test_one_value_is_all_that_stdout_carries(home: Path) -> None:
    assert run(home, "recap.turn_threshold").stdout == "8\n"
    assert run(home, "recap.enabled").stdout == "true\n"
    assert run(home, "preset").stdout == "gitclaw\n"
    lines = [line.split() for line in run(home, "window").stdout.splitlines()]
    assert ["window.size", "10", "default"] in lines and ["window.unit", "exchanges", "default"] in lines
    assert all(line[0].startswith("window.") for line in lines)


def test_json(home: Path) -> None:
    found = json.loads(run(home, "--json", "--workspace", str(home / "shop")).stdout)
    assert found["workspace"] == str(home / "shop") and len(found["problems"]) == 2
    assert [each["key"] for each in found["values"]] == sorted(each["key"] for each in found["values"])
    entry = next(each for each in found["values"] if each["key"] == "recap.min_turns")
    assert entry == {
        "key": "recap.min_turns",
        "value": 2,
        "source": "workspace",
        "path": str(home / "shop" / ".recapd.toml"),
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["recap.turn_treshold"], "did you mean recap.turn_threshold?"),
        (["--explain", "recap.turn_treshold"], "did you mean recap.turn_threshold?"),
        (["zzz"], "see: recapd config --explain"),
        (["--workspace", "nowhere"], "is no folder"),
    ],
)
def test_what_there_is_not(arguments: list[str], told: str, home: Path) -> None:
    done = run(home, *arguments)
    assert done.returncode == 1 and done.stdout == "" and told in done.stderr.splitlines()[-1]


def test_explain_says_everything(home: Path) -> None:
    text = run(home, "--explain").stdout
    for key in keys().values():
        assert f"{key.name} = " in text and key.variable in text
    one = run(home, "--explain", "recap.turn_threshold").stdout
    assert "recap.turn_threshold = 5\n" in one and "a whole number of at least 1" in one and "min_turns" not in one


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [20, 40, 71, 72, 80, 120, 200])
def test_a_terminal_of_any_width(columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "c.toml").write_text('[watch]\nroots = ["/srv/a/rather/long/folder", "/srv/another/rather/long/one"]\n')
    values = describe_configuration(read_configuration(str(tmp_path / "c.toml"), {}), None).values
    text = config_text(Terminal(), values)
    for key in keys():
        # Names are what one looks for: they are never cut.
        assert any(line.startswith(key) for line in text.splitlines())
    *_, last = text.split("\n\n")
    assert last.startswith(f"user: {tmp_path / 'c.toml'}\n") and "1 of " in last
    if columns >= 72:
        assert all(len(line) <= columns for line in text.split("\n\n")[0].splitlines())
    # Nor are they wrapped.
    wrapped = [
        line for line in explain_settings(Terminal()).splitlines() if line.startswith(" ") and "RECAPD_" not in line
    ]
    assert len(wrapped) > 100 and all(len(line) <= max(columns, 30) for line in wrapped)


def test_what_was_chosen_stands_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    (tmp_path / "c.toml").write_text("[recap]\nmin_turns = 2\n")
    values = describe_configuration(read_configuration(str(tmp_path / "c.toml"), {}), None).values
    lines = config_text(Terminal(), values).splitlines()
    marked = [line for line in lines if "\x1b[1m" in line]
    assert len(marked) == 1 and "recap.min_turns" in marked[0]
    # Of the others where they come from stands back.
    assert len([line for line in lines if line.endswith("\x1b[2mdefault\x1b[0m")]) == len(values) - 1
    assert "\x1b" not in config_text(io.StringIO(), values)
