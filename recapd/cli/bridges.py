"""The commands that agents and editors start: `__main__` comes here before argparse is imported."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run_bridge(arguments: list[str]) -> int | None:
    """The exit code, or None where these arguments are for a parser. Imports nothing before it knows what for."""
    match arguments:
        case ["hook", event, *_] if not event.startswith("-"):
            _arm()
            if _is_asked():
                return 0
            from recapd.bridges.hook import run

            return run(arguments[1:])
        case ["statusline"]:
            _arm()
            from recapd.bridges.statusline import run as run_status_line

            return run_status_line()
        case ["mcp"]:
            if _is_asked():
                return 0
            from recapd.bridges.mcp import serve

            return serve()
        case ["connect", *_]:
            from recapd.cli import connect

            return connect.run() if connect.is_plain(arguments) else None
    return None


def _arm() -> None:
    """Before the rest is imported: that takes its time, too."""
    from recapd.bridges.deadline import arm

    arm()


def _is_asked() -> bool:
    """Whether the agent reads for recapd: it works for nobody, and has no past to be told of."""
    from recapd.client.paths import ASKED

    return bool(os.environ.get(ASKED))


def mcp_command(args: argparse.Namespace) -> int:
    return run_bridge(["mcp"]) or 0


def hook_command(args: argparse.Namespace) -> int:
    return run_bridge(["hook", args.event, "--agent", args.agent]) or 0


def statusline_command(args: argparse.Namespace) -> int:
    return run_bridge(["statusline"]) or 0
