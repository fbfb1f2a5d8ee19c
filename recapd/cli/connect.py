"""`recapd connect`: what editors and agents start. `__main__` comes here before argparse is imported."""

from __future__ import annotations

# What editors add to every server's command line; neither changes anything here.
_EDITORS_OWN = ("--stdio", "--clientProcessId")


def is_plain(arguments: list[str]) -> bool:
    """Whether these arguments mean `connect` and hold nothing that needs a parser."""
    return arguments[:1] == ["connect"] and all(
        each.startswith(_EDITORS_OWN) or each.isdecimal() for each in arguments[1:]
    )


def run() -> int:
    from recapd.client.forward import forward

    return forward()
