"""`recapd connect`: what editors and agents start. `__main__` comes here before argparse is imported."""

from __future__ import annotations

import sys

# What editors add to every server's command line; neither changes anything here.
_EDITORS_OWN = ("--stdio", "--clientProcessId")
# As argparse has it.
CALLED_WRONGLY = 2
EXIT_CODES = (
    ("0", "the editor or the daemon ended it"),
    ("1", "it broke: the daemon was killed or crashed; starting it again helps"),
    ("2", "it was called wrongly: an unknown argument, or no stdin or stdout"),
    ("3", "no daemon could be had, or what answers is none; stderr says what to do"),
    ("4", "the daemon that runs is of another version that this one cannot use"),
    ("5", "the daemon let this client go: it has too many, or this one did not read"),
)


def is_plain(arguments: list[str]) -> bool:
    """Whether these arguments mean `connect` and hold nothing that needs a parser."""
    return arguments[:1] == ["connect"] and all(
        each.startswith(_EDITORS_OWN) or each.isdecimal() for each in arguments[1:]
    )


def connect_command(_: object) -> int:
    return run()


def run() -> int:
    from recapd.client.forward import forward, tell

    if sys.stdin is None or sys.stdout is None:
        tell(f"There is no {'stdin' if sys.stdin is None else 'stdout'} to speak on; whoever starts this gives both.")
        return CALLED_WRONGLY
    return forward()
