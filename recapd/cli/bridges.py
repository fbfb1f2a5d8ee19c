"""The commands that agents start: `__main__` comes here before argparse is imported, as for `connect`."""

from __future__ import annotations

import os

from recapd.client.paths import ASKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run_bridge(arguments: list[str]) -> int | None:
    """The exit code, or None where these arguments are for a parser."""
    if arguments[:1] in (["mcp"], ["hook"]) and os.environ.get(ASKED):
        # The agent reads for recapd: it works for nobody, and has no past to be told of.
        return 0
    if arguments == ["mcp"]:
        from recapd.bridges.mcp import serve

        return serve()
    if arguments[:1] == ["hook"] and len(arguments) > 1 and not arguments[1].startswith("-"):
        from recapd.bridges.deadline import arm

        # Before the rest is imported: that takes its time, too.
        arm()
        from recapd.bridges.hook import run

        return run(arguments[1:])
    if arguments == ["statusline"]:
        from recapd.bridges.deadline import arm

        arm()
        from recapd.bridges.statusline import run as run_status_line

        return run_status_line()
    return None


def mcp_command(args: argparse.Namespace) -> int:
    return run_bridge(["mcp"]) or 0


def hook_command(args: argparse.Namespace) -> int:
    return run_bridge(["hook", args.event, "--agent", args.agent]) or 0


def statusline_command(args: argparse.Namespace) -> int:
    return run_bridge(["statusline"]) or 0
