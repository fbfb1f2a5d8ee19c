"""The manual page, written from the table of commands.

`python -m recapd.cli.manual` writes recapd/manual/recapd.1, with `--check` it tells whether that is fresh.
It is installed with the package, where `man` finds it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from recapd.__main__ import parser_of
from recapd.cli.help import ABOUT, NOTES
from recapd.cli.parser import usage_of
from recapd.cli.table import COMMANDS, GROUPS

PAGE = Path(__file__).parent.parent / "manual" / "recapd.1"


def write_manual() -> str:
    lines = [
        '.TH RECAPD 1 "" recapd "User Commands"',
        # Names of options and files are neither stretched nor hyphenated.
        ".ad l",
        ".nh",
        ".SH NAME",
        r"recapd \- where conversations with coding agents stand",
        ".SH SYNOPSIS",
        ".B recapd",
        ".RI [ COMMAND ]",
        ".RI [ ARGUMENTS ]",
        ".SH DESCRIPTION",
        _plain(ABOUT),
    ]
    for note in NOTES:
        lines += [".PP", _plain(note)]
    for group, title in GROUPS.items():
        lines.append(f'.SH "{title.upper()}"')
        for command in COMMANDS:
            if command.group == group:
                parser = parser_of(command)
                takes = " ".join(map(usage_of, parser._get_positional_actions()))
                lines += _described(command.name, command.text, takes=takes)
                for action in parser._actions:
                    lines += _option(action.option_strings, action.metavar, action.help)
    lines += [
        ".SH FILES",
        *_described("~/.config/recapd/config.toml", "the configuration; recapd config --explain says what it may hold"),
        *_described("_recap.md", "kept up to date in the folders that recapd watch was told of"),
    ]
    return "\n".join(lines) + "\n"


def _described(name: str, text: str, *, takes: str = "") -> list[str]:
    shown = f"\\fB{_plain(name)}\\fR" + (f" \\fI{_plain(takes)}\\fR" if takes else "")
    return [".TP", shown, _plain(text[0].upper() + text[1:] + ("" if text.endswith(".") else "."))]


def _option(names: Sequence[str], metavar: object, text: str | None) -> list[str]:
    if not names or names[0] == "-h" or not text:
        return []
    value = f" \\fI{_plain(str(metavar))}\\fR" if isinstance(metavar, str) else ""
    shown = ", ".join(f"\\fB{_plain(name)}\\fR" for name in names)
    return [".RS", ".TP", f"{shown}{value}", _plain(text), ".RE"]


def _plain(text: str) -> str:
    """Text that roff takes as it is; a line must not begin with what it obeys."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("…", "...")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def main(arguments: list[str]) -> int:
    made = write_manual()
    if arguments == ["--check"]:
        is_fresh = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == made
        if not is_fresh:
            sys.stderr.write("recapd/manual/recapd.1 is stale: run python -m recapd.cli.manual\n")
        return 0 if is_fresh else 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
