"""What `recapd --help` says, and what is said of a command that there is none of. Written from the table."""

from __future__ import annotations

import sys

from recapd.cli.table import COMMANDS, GROUPS
from recapd.cli.terminal import fill_lines, paint, screen_width, wrap, write_columns

ABOUT = "Where your conversations with coding agents stand, read from their logs."
NOTES = (
    (
        "LOG is a session's number in the last list, its id or the beginning of one, words of its title, or a "
        "log file; without it, the latest session."
    ),
    "Logs are found where the agents keep them; nothing leaves this machine, unless you switch on a model.",
    "More about one of them: recapd COMMAND --help",
)


def write_help() -> str:
    width = screen_width()
    lines = ["usage: recapd COMMAND …", "", *wrap(ABOUT, width)]
    # One column for all groups.
    longest = max(len(command.name) for command in COMMANDS)
    for group, title in GROUPS.items():
        rows = [(f"{command.name:<{longest}}", command.text) for command in COMMANDS if command.group == group]
        lines += ["", paint(sys.stdout, f"{title}:", "1"), write_columns(rows, width)]
    for note in NOTES:
        lines += ["", *fill_lines(sys.stdout, note, width)]
    return "\n".join(lines) + "\n"


def write_unknown(name: str) -> str:
    from difflib import get_close_matches

    is_option = name.startswith("-")
    known = ["--help", "--version", "--color"] if is_option else [command.name for command in COMMANDS]
    close = get_close_matches(name, known, n=1)
    meant = f"; did you mean {close[0]}?" if close else "."
    return f"There is no {'option' if is_option else 'command'} {name}{meant} See them all with: recapd --help"
