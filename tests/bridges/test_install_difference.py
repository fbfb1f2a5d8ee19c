"""What `recapd install` shows of other programs' files: what is ours, and no word of what is theirs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recapd.bridges.install.difference import describe
from recapd.bridges.install.plan import Edit
from tests.bridges.test_install import recapd
from tests.bridges.test_install_agents import SETTINGS, Files, write

SECRET = "qwpoeiru-7781"
HIDDEN = SECRET.encode()
SERVERS = {"github": {"command": "gh-mcp", "args": [f"--key={SECRET}"], "env": {"GH": SECRET}, "headers": [SECRET]}}
# Of each agent: files in which a secret stands right where ours is put in.
SECRETIVE: dict[str, tuple[str, Files]] = {
    "on one line": ("claude-code", {".claude.json": json.dumps({"mcpServers": SERVERS}).encode()}),
    "line by line": ("claude-code", {".claude.json": json.dumps({"mcpServers": SERVERS}, indent=2).encode()}),
    "in a comment": ("claude-code", {SETTINGS: b'{\n // "%b"\n "m": 1 /* %b\n%b */\n}' % (HIDDEN, HIDDEN, HIDDEN)}),
    "with a quote": ("claude-code", {SETTINGS: b'{"env": {"A": "a\\"b // %s"}}' % HIDDEN}),
    "in TOML": ("codex", {".codex/config.toml": b'[mcp_servers.a]\ncommand = "a"\nenv = { K = "%b" }' % HIDDEN}),
    "in TOML, over lines": ("codex", {".codex/config.toml": b'k = """\n%b\n"""\n# %b\n' % (HIDDEN, HIDDEN)}),
}  # fmt: skip


@pytest.mark.parametrize(("target", "files"), SECRETIVE.values(), ids=SECRETIVE)
def test_what_is_shown_is_ours(tmp_path: Path, target: str, files: Files) -> None:
    home = tmp_path / "home"
    write(home, files)
    shown = recapd(tmp_path, "install", target).stdout
    assert SECRET not in shown and "recapd hook Stop" in shown and "mcp" in shown
    recapd(tmp_path, "install", target, "--yes")
    shown = recapd(tmp_path, "uninstall", target).stdout
    assert SECRET not in shown and "recapd hook Stop" in shown and "mcp" in shown


def test_what_is_put_behind_a_long_line_is_shown() -> None:
    others = {f"server-{number}": {"command": "x" * 40} for number in range(40)}
    old = json.dumps({"mcpServers": others})
    new = json.dumps({"mcpServers": others | {"recapd": {"command": "recapd", "args": ["mcp"]}}})
    shown = list(describe(Edit("a.json", old.encode(), new.encode())))
    assert '+"recapd": {' in shown and '+"command": "recapd",' in shown
    assert not any("xxx" in line for line in shown) and len(shown) < 20


def test_a_long_file_is_compared_in_a_moment() -> None:
    """With a search through both, which takes time by the square of what is alike, this would not end."""
    lines = [f'  "k{number}": "the same",\n' for number in range(100_000)]
    old, new = (
        "{\n" + "".join(each) + '  "z": 1\n}\n'
        for each in (lines, [*lines[:50_000], '  "ours": "recapd",\n', *lines[50_000:]])
    )
    shown = list(describe(Edit("a.json", old.encode(), new.encode())))
    assert [line for line in shown if line[0] in "+-"][2:] == ['+  "ours": "recapd",'] and len(shown) == 8
