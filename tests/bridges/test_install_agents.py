"""recapd in the configuration of agents, as found in the wild: put in once, and out without a byte left behind."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from recapd.bridges.hook.events import EVENTS, SIGNALS_ONLY
from recapd.bridges.install.hooks import TIMEOUT_S
from tests.bridges.test_install import recapd
from tests.support.daemons import ROOT

SETTINGS = ".claude/settings.json"
# Answered by the server of tools.
BY_TOOL = "UserPromptSubmit"
Files = dict[str, bytes]

# Of Claude Code: its settings, and the file in which it keeps servers beside much else.
FOUND: dict[str, Files] = {
    "nothing": {},
    "empty objects": {SETTINGS: b"{}", ".claude.json": b"{}\n"},
    "empty objects, oddly": {SETTINGS: b"{ }", ".claude.json": b"{\n}\n"},
    "an empty file": {SETTINGS: b""},
    "empty lists": {SETTINGS: b'{"hooks": {"SessionStart": []}}', ".claude.json": b'{\n  "mcpServers": {}\n}'},
    "two spaces": {SETTINGS: b'{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n'},
    "tabs, and no end of line": {SETTINGS: b'{\n\t"model": "opus"\n}'},
    "four spaces, CRLF, a byte order mark": {SETTINGS: b'\xef\xbb\xbf{\r\n    "model": "opus"\r\n}\r\n'},
    "on one line": {SETTINGS: b'{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}'},
    "comments": {
        SETTINGS: b'// mine\n{\n  // the good one\n  "model": "opus", /* for now */\n  "x": [1, 2] // last\n}\n// end\n'
    },
    "trailing commas": {SETTINGS: b'{\n  "model": "opus",\n  "hooks": {\n    "Stop": [],\n  },\n}\n'},
    "hooks of others": {
        SETTINGS: b'{\n  "hooks": {\n    "SessionStart": [\n      {"matcher": "startup", "hooks": '
        b'[{"type": "command", "command": "echo hi"}]}\n    ],\n    "Stop": [{"hooks": []}]\n  },\n'
        b'  "z": "// no comment"\n}\n'
    },
    "a status line of one's own": {SETTINGS: b'{"statusLine": {"type": "command", "command": "my-line"}}'},
    "other servers": {
        ".claude.json": b'{"numStartups": 3, "mcpServers": {"github": {"command": "gh-mcp"}}, "projects": {"/x": {}}}'
    },
    "much text": {SETTINGS: json.dumps({"a": '\u00fc\\"{[', "b": {"c": [{}, [], {"d": "}"}]}}, indent=3).encode()},
}


def write(home: Path, files: Files) -> None:
    for name, data in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)


def read(home: Path) -> Files:
    files = (each for each in home.rglob("*") if each.is_file() or each.is_symlink())
    return {str(each.relative_to(home)): each.read_bytes() for each in files}


def settings_in(home: Path) -> dict[str, object]:
    """As Claude Code reads it, and whoever takes comments, too."""
    found: dict[str, object] = json.loads((home / SETTINGS).read_bytes().decode("utf-8-sig"))
    return found


@pytest.mark.parametrize("files", FOUND.values(), ids=FOUND)
def test_in_and_out_of_claude_code(tmp_path: Path, files: Files) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, files)
    before = read(home)
    assert recapd(tmp_path, "install", "claude-code", "--yes").returncode == 0
    once = read(home)
    text = (home / SETTINGS).read_text()
    assert all(text.count(f'recapd hook {event}"') == 1 for event in EVENTS if event != BY_TOOL)
    assert text.count('"mcp_tool"') == 1
    for kept in (b"echo hi", b"my-line", b"gh-mcp", b"the good one", b"Bash(ls:*)"):
        assert any(kept in data for data in before.values()) == any(kept in data for data in once.values())
    again = recapd(tmp_path, "install", "claude-code", "--yes")
    assert again.returncode == 0 and "nothing was changed" in again.stdout
    assert read(home) == once
    assert recapd(tmp_path, "uninstall", "claude-code", "--yes").returncode == 0
    assert read(home) == before


# As `claude plugin install recapd@tools` leaves it.
PLUGIN: Files = {
    SETTINGS: b'{\n  "extraKnownMarketplaces": {\n    "tools": {\n      "source": {\n        "source": "directory",\n'
    b'        "path": "/srv/tools"\n      }\n    }\n  },\n  "enabledPlugins": {\n    "recapd@tools": true\n  }\n}\n',
    ".claude.json": b'{\n  "numStartups": 3\n}',
}


LOCAL = SETTINGS.replace("settings", "settings.local")
OFF = b'{"enabledPlugins": {"recapd@tools": false}}'
# By who is asked: files of the home and of the folder that install is run in, and whether the plugin is on there.
PLUGINS: dict[str, tuple[Files, Files, bool, bool]] = {
    "the user's": (PLUGIN, {}, True, True),
    "the project's": ({}, {SETTINGS: PLUGIN[SETTINGS]}, True, True),
    "one's own in the project": ({}, {LOCAL: b'// mine\n{"enabledPlugins": {"recapd@tools": true},}'}, True, True),
    "the user's, and off in the project": (PLUGIN, {LOCAL: OFF}, True, False),
    "the project's, and off for oneself": ({}, {SETTINGS: PLUGIN[SETTINGS], LOCAL: OFF}, False, False),
    "a file that nobody can read": ({}, {LOCAL: b'{"enabledPlugins": {"recapd@tools": true'}, False, False),
}


@pytest.mark.parametrize(("own", "here", "is_on", "is_on_here"), PLUGINS.values(), ids=PLUGINS)
def test_a_plugin_that_is_there_is_enough(
    tmp_path: Path, own: Files, here: Files, is_on: bool, is_on_here: bool
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, own)
    write(tmp_path, here)
    before = read(tmp_path)
    for scope, is_enough in (((), is_on), (("--project",), is_on_here)):
        done = recapd(tmp_path, "install", "claude-code", "--yes", *scope)
        assert done.returncode == 0
        assert ("The plugin recapd@tools brings hooks and tools already" in done.stdout) is is_enough
        assert (read(tmp_path) == before) is is_enough
        recapd(tmp_path, "uninstall", "claude-code", "--yes", *scope)
        assert read(tmp_path) == before


def test_a_plugin_that_is_switched_off_or_another_is_not(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home, {SETTINGS: PLUGIN[SETTINGS].replace(b"true", b'false,\n    "recapd-notes@tools": true')})
    before = read(home)
    assert recapd(tmp_path, "install", "claude-code", "--yes").returncode == 0
    assert set(EVENTS) == set(dict(settings_in(home))["hooks"])  # type: ignore[call-overload]
    recapd(tmp_path, "uninstall", "claude-code", "--yes")
    assert read(home) == before


def test_what_is_put_into_claude_code(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    recapd(tmp_path, "install", "claude-code", "--yes")
    settings = settings_in(tmp_path / "home")
    hooks = settings["hooks"]
    assert isinstance(hooks, dict) and set(hooks) == set(EVENTS)
    assert {event for event, (entry,) in hooks.items() if entry["hooks"][0].get("async")} == set(SIGNALS_ONLY)
    servers = json.loads((tmp_path / "home" / ".claude.json").read_text())["mcpServers"]
    assert servers["recapd"]["args"][-1] == "mcp"
    assert "statusline" in str(settings["statusLine"])


def test_a_project_names_the_command_and_says_what_is_left_to_do(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    done = recapd(tmp_path, "install", "claude-code", "--project", "--yes")
    assert json.loads((tmp_path / ".mcp.json").read_text())["mcpServers"]["recapd"]["command"] == "recapd"
    assert '"recapd hook Stop"' in (tmp_path / SETTINGS).read_text()
    assert "say yes" in done.stdout and read(tmp_path / "home").keys() == {".local/state/recapd/installed.json"}
    recapd(tmp_path, "uninstall", "claude-code", "--project", "--yes")
    assert read(tmp_path) == {}


def test_what_others_changed_since_stays(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home, {SETTINGS: b'{\n  "model": "opus"\n}\n'})
    recapd(tmp_path, "install", "claude-code", "--yes")
    settings = settings_in(home)
    hooks = settings["hooks"]
    assert isinstance(hooks, dict)
    hooks["Stop"].append({"hooks": [{"type": "command", "command": "say done"}]})
    (home / SETTINGS).write_text(json.dumps(settings))
    recapd(tmp_path, "uninstall", "claude-code", "--yes")
    kept = {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}
    assert settings_in(home) == {"model": "opus", "hooks": kept}


def test_what_others_put_beside_ours_stays_theirs(tmp_path: Path) -> None:
    """A hook in the very group of ours, one that only speaks of recapd, and a status line of which ours is a part."""
    home = tmp_path / "home"
    home.mkdir()
    recapd(tmp_path, "install", "claude-code", "--yes")
    settings = settings_in(home)
    hooks = settings["hooks"]
    assert isinstance(hooks, dict)
    beside: dict[str, object] = {"type": "command", "command": "say done"}
    tool: dict[str, object] = {"type": "mcp_tool", "server": "notes", "tool": "add", "input": {"about": "recapd"}}
    about: dict[str, object] = {"type": "command", "command": "echo after recapd hook Stop >> ~/log"}
    hooks["Stop"][0]["hooks"].append(beside)
    hooks["Stop"].append({"hooks": [about]})
    hooks[BY_TOOL].append({"hooks": [tool]})
    settings["statusLine"] = line = {"type": "command", "command": "recapd statusline | my-line"}
    (home / SETTINGS).write_text(json.dumps(settings, indent=2))
    recapd(tmp_path, "uninstall", "claude-code", "--yes")
    kept = {"Stop": [{"hooks": [beside]}, {"hooks": [about]}], BY_TOOL: [{"hooks": [tool]}]}
    assert settings_in(home) == {"hooks": kept, "statusLine": line}


def test_a_command_in_a_folder_with_a_space_is_known_again(tmp_path: Path) -> None:
    home, program = tmp_path / "home", program_in(tmp_path / "my programs")
    home.mkdir()
    path = f"{program.parent}:{os.environ['PATH']}"
    recapd(tmp_path, "install", "claude-code", "--yes", PATH=path)
    once = read(home)
    assert b"'" + str(program).encode() + b"' hook Stop" in once[SETTINGS]
    recapd(tmp_path, "install", "claude-code", "--yes", PATH=path)
    assert read(home) == once
    recapd(tmp_path, "uninstall", "claude-code", "--yes", PATH=path)
    assert read(home) == {}


def program_in(folder: Path) -> Path:
    folder.mkdir()
    program = folder / "recapd"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("target", ["claude-code", "codex"])
def test_a_recapd_that_was_installed_anew_is_found_again(tmp_path: Path, target: str) -> None:
    """Hooks that name a program which is gone would fail at every turn."""
    home = tmp_path / "home"
    write(home, {SETTINGS: b'{\n  "model": "opus"\n}\n', ".codex/config.toml": b'# mine\nmodel = "x"\n'})
    before = read(home)
    old, new = program_in(tmp_path / "old"), program_in(tmp_path / "new")
    recapd(tmp_path, "install", target, "--yes", PATH=f"{old.parent}:{os.environ['PATH']}")
    assert any(str(old).encode() in data for data in read(home).values())
    old.unlink()
    recapd(tmp_path, "install", target, "--yes", PATH=f"{new.parent}:{os.environ['PATH']}")
    after = read(home)
    assert not any(str(old).encode() in data for data in after.values())
    named = sum(data.count(str(new).encode()) for data in after.values())
    # All events but the one that the server of tools answers, the server itself, and a status line.
    assert named == (len(EVENTS) + 1 if target == "claude-code" else len(EVENTS) - 3 + 1)
    recapd(tmp_path, "uninstall", target, "--yes")
    assert read(home) == before


def test_a_server_of_that_name_which_is_somebody_elses_stays(tmp_path: Path) -> None:
    home = tmp_path / "home"
    servers = {"recapd": {"command": "ssh", "args": ["box", "recapd", "mcp"]}}
    write(home, {".claude.json": json.dumps({"mcpServers": servers}).encode()})
    before = read(home)
    for verb in ("uninstall", "install", "uninstall"):
        assert recapd(tmp_path, verb, "claude-code", "--yes").returncode == 0
        assert read(home)[".claude.json"] == before[".claude.json"]


def test_of_two_members_of_a_name_the_one_that_counts_is_changed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home, {SETTINGS: b'{\n  "hooks": {},\n  "hooks": {"Stop": []}\n}\n'})
    before = read(home)
    recapd(tmp_path, "install", "claude-code", "--yes")
    hooks = settings_in(home)["hooks"]
    assert isinstance(hooks, dict) and set(hooks) == set(EVENTS)
    recapd(tmp_path, "uninstall", "claude-code", "--yes")
    assert read(home) == before


def test_a_project_beside_ones_own_settings_says_that_all_is_told_twice(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    assert "twice" not in recapd(tmp_path, "install", "claude-code", "--yes").stdout
    assert "told everything twice" in recapd(tmp_path, "install", "claude-code", "--project", "--yes").stdout


def test_an_end_of_ours_that_somebody_else_wrote_is_no_end(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home, {".codex/config.toml": b'# recapd: end\nmodel = "gpt-5"\n'})
    (tmp_path / "AGENTS.md").write_bytes(b"<!-- /recapd -->\nRules\n")
    before = read(tmp_path)
    for target in ("codex", "agents-md"):
        recapd(tmp_path, "install", target, "--yes")
        recapd(tmp_path, "uninstall", target, "--yes")
    assert read(tmp_path) == before


def test_an_extension_of_ones_own_is_not_written_over(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home, {".pi/agent/extensions/recapd.ts": b"export default () => {};\n"})
    before = read(home)
    done = recapd(tmp_path, "install", "pi", "--yes")
    assert done.returncode == 1 and "nothing was changed" in done.stderr and read(home) == before


DEEP = 100_000
UNREADABLE: dict[str, tuple[str, str, bytes]] = {
    "no end": ("claude-code", SETTINGS, b"{"),
    "no colon": ("claude-code", SETTINGS, b'{"a" 1}'),
    "no end of a list": ("claude-code", SETTINGS, b"[1,"),
    "no text": ("claude-code", SETTINGS, b"\xff\xfe"),
    "hooks that are none": ("claude-code", SETTINGS, b'{"hooks": 3}'),
    "deep objects": ("claude-code", SETTINGS, b'{"a":' * DEEP + b"1" + b"}" * DEEP),
    "deep lists": ("claude-code", ".claude.json", b'{"a":' + b"[" * DEEP + b"]" * DEEP + b"}"),
    "deep hooks of Codex": ("codex", ".codex/hooks.json", b'{"hooks":' + b"[" * DEEP + b"]" * DEEP + b"}"),
    "deep TOML": ("codex", ".codex/config.toml", b"a = " + b"[" * DEEP + b"]" * DEEP + b"\n"),
}


@pytest.mark.parametrize(("target", "name", "broken"), UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_what_cannot_be_read_is_left_alone(tmp_path: Path, verb: str, target: str, name: str, broken: bytes) -> None:
    home = tmp_path / "home"
    write(home, {name: broken})
    done = recapd(tmp_path, verb, target, "--yes")
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) <= 1
    if verb == "install":
        assert done.returncode == 1 and "nothing was changed" in done.stderr and name in done.stderr
    assert read(home) == {name: broken}


def test_notes_that_cannot_be_read_are_no_notes(tmp_path: Path) -> None:
    notes = ".local/state/recapd/installed.json"
    home = tmp_path / "home"
    for damaged in (b"[" * DEEP, b"[]", b'{"%s": 3}' % str(home / SETTINGS).encode()):
        write(home, {SETTINGS: b'{\n  "model": "opus"\n}\n', notes: damaged})
        assert recapd(tmp_path, "install", "claude-code", "--yes").returncode == 0
        assert recapd(tmp_path, "uninstall", "claude-code", "--yes").returncode == 0
        assert read(home) == {SETTINGS: b'{\n  "model": "opus"\n}\n'}


def test_links_stay_links_and_read_only_stays_read_only(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home, {"dotfiles/claude.json": b'{\n  "model": "opus"\n}\n'})
    (home / ".claude").mkdir()
    (home / SETTINGS).symlink_to(home / "dotfiles" / "claude.json")
    before = read(home)
    recapd(tmp_path, "install", "claude-code", "--yes")
    assert (home / SETTINGS).is_symlink() and b"recapd hook" in (home / "dotfiles" / "claude.json").read_bytes()
    recapd(tmp_path, "uninstall", "claude-code", "--yes")
    assert read(home) == before and (home / SETTINGS).is_symlink()
    (home / "dotfiles" / "claude.json").chmod(0o444)
    done = recapd(tmp_path, "install", "claude-code", "--yes")
    assert done.returncode == 1 and "read-only" in done.stderr and read(home) == before


def test_a_project_by_another_name_is_the_same_project(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    write(tmp_path, {f"shop/{SETTINGS}": b'{\n  "hooks": {"Stop": []}\n}\n', "shop/.mcp.json": b'{"mcpServers": {}}'})
    (tmp_path / "link").symlink_to(tmp_path / "shop")
    before = read(tmp_path / "shop")
    assert recapd(tmp_path, "install", "claude-code", "--project", "shop", "--yes").returncode == 0
    assert read(tmp_path / "shop") != before
    assert recapd(tmp_path, "uninstall", "claude-code", "--project", "link", "--yes").returncode == 0
    assert read(tmp_path / "shop") == before and read(tmp_path / "home") == {}


CODEX: dict[str, Files] = {
    "nothing": {},
    "as a user has it": {".codex/config.toml": b'model = "gpt-5"\n\n[mcp_servers.docs]\ncommand = "docs"\n'},
    "no end of line": {".codex/config.toml": b'# mine\nmodel = "gpt-5"'},
    "comments": {
        ".codex/config.toml": b'# mine\na = "b" # the good one\n\n[mcp_servers.docs] # docs\ncommand = "docs"\n# end\n'
    },
    "CRLF": {".codex/config.toml": b'model = "gpt-5"\r\n[mcp_servers.docs]\r\ncommand = "docs"\r\n'},
    "CRLF, no end of line": {".codex/config.toml": b'# mine\r\nmodel = "gpt-5"'},
    "hooks of others": {
        ".codex/hooks.json": b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}'
    },
}


@pytest.mark.parametrize("files", CODEX.values(), ids=CODEX)
def test_in_and_out_of_codex(tmp_path: Path, files: Files) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, files)
    before = read(home)
    done = recapd(tmp_path, "install", "codex", "--yes")
    assert done.returncode == 0 and "trust" in done.stdout
    servers = tomllib.loads((home / ".codex" / "config.toml").read_text())["mcp_servers"]
    assert servers["recapd"]["args"][-1] == "mcp"
    assert "--agent codex" in (home / ".codex" / "hooks.json").read_text()
    once = read(home)
    recapd(tmp_path, "install", "codex", "--yes")
    assert read(home) == once
    recapd(tmp_path, "uninstall", "codex", "--yes")
    assert read(home) == before


TOML = ".codex/config.toml"
# What becomes of the file between the two: as editors save it, and as others go on writing it.
BETWEEN: dict[str, tuple[bytes, Callable[[bytes], bytes], bytes]] = {
    "saved with other line ends": (b"a = 1\n", lambda data: data.replace(b"\n", b"\r\n"), b"a = 1\r\n"),
    "saved without the last line end": (b"a = 1\n", lambda data: data.rstrip(b"\n"), b"a = 1\n"),
    "gone on with": (b"a = 1\n", lambda data: data + b"[b]\nc = 2\n", b"a = 1\n[b]\nc = 2\n"),
    "gone on with, after no line end": (b"a = 1", lambda data: data + b"[b]\nc = 2\n", b"a = 1\n[b]\nc = 2\n"),
    "pushed together": (b"a = 1\n", lambda data: data.replace(b"\n\n", b"\n") + b"[b]\n", b"a = 1\n[b]\n"),
}


@pytest.mark.parametrize(("before", "change", "after"), BETWEEN.values(), ids=BETWEEN)
def test_what_becomes_of_a_file_in_between(
    tmp_path: Path, before: bytes, change: Callable[[bytes], bytes], after: bytes
) -> None:
    """The same for a configuration and for a text."""
    home = tmp_path / "home"
    write(home, {TOML: before})
    write(tmp_path, {"AGENTS.md": before})
    for target, file in (("codex", home / TOML), ("agents-md", tmp_path / "AGENTS.md")):
        recapd(tmp_path, "install", target, "--yes")
        file.write_bytes(change(file.read_bytes()))
        assert "nothing was changed" in recapd(tmp_path, "install", target, "--yes").stdout
        recapd(tmp_path, "uninstall", target, "--yes")
        assert file.read_bytes() == after


def test_a_server_that_cannot_be_added_to_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for written in (b'mcp_servers = { docs = { command = "docs" } }\n', b"mcp_servers = 3\n"):
        write(home, {TOML: written})
        done = recapd(tmp_path, "install", "codex", "--yes")
        assert done.returncode == 1 and "mcp_servers" in done.stderr and read(home) == {TOML: written}


def test_what_others_say_of_our_server_is_told_and_stays(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    recapd(tmp_path, "install", "codex", "--yes")
    with (home / TOML).open("a") as file:
        file.write("[mcp_servers.recapd.tools.record]\napproval_mode = 'approve'\n")
    done = recapd(tmp_path, "uninstall", "codex", "--yes")
    assert "by hand" in done.stdout and "approval_mode" in (home / TOML).read_text()


def test_in_and_out_of_pi(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write(home, {".pi/agent/extensions/mine.ts": b"export default () => {};\n"})
    before = read(home)
    assert recapd(tmp_path, "install", "pi", "--yes").returncode == 0
    assert b"recapd_record" in (home / ".pi/agent/extensions/recapd.ts").read_bytes()
    recapd(tmp_path, "uninstall", "pi", "--yes")
    assert read(home) == before


def test_the_shipped_files_are_those_of_the_clients() -> None:
    shipped = ROOT / "recapd" / "bridges" / "install" / "pi_extension.ts"
    # One file, which is shipped; a copy would be another one some day.
    assert (ROOT / "clients" / "pi" / "recapd.ts").resolve() == shipped and not shipped.is_symlink()
    plugin = json.loads((ROOT / "clients" / "claude-code" / "hooks" / "hooks.json").read_text())["hooks"]
    assert list(plugin) == list(EVENTS)
    for event, ((entry,),) in ((event, [each["hooks"] for each in groups]) for event, groups in plugin.items()):
        assert entry["timeout"] == TIMEOUT_S
        if event == BY_TOOL:
            assert (entry["type"], entry["server"], entry["tool"]) == ("mcp_tool", "plugin:recapd:recapd", "context")
            continue
        assert entry["command"] == f"recapd hook {event}" and entry.get("async", False) is (event in SIGNALS_ONLY)
