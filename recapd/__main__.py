"""The command line. Start-up imports argparse and nothing heavy: each command imports what it needs when it runs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from recapd import __version__

_EPILOG = """\
LOG is a session log file or a session id; without one, the most recently active session is meant.
Logs are found where the agents keep them (Claude Code, Codex, pi); nothing leaves this machine.
"""


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    if args.command is None:
        _parser().print_help()
        return 0
    try:
        return _run(args)
    except BrokenPipeError:
        # The reader has seen enough (`| head`); what is left must not be flushed into a closed pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _run(args: argparse.Namespace) -> int:
    from recapd.cli import commands
    from recapd.wire.errors import RecapError

    try:
        return commands.COMMANDS[args.command](args)
    except RecapError as error:
        sys.stderr.write(f"recapd: {error.message}\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="recapd",
        description="Where your conversations with coding agents stand, read from the logs the agents write.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"recapd {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    recap = _add(commands, "recap", "where a session stands: what was asked, done, and is open")
    recap.add_argument("log", nargs="?", metavar="LOG", help="log file or session id (default: the latest session)")
    recap.add_argument("--format", choices=("short", "full"), default="full", help="a few lines, or a page (default)")
    recap.add_argument("--max-tokens", type=int, metavar="N", help="hard cap on the recap's length")
    recap.add_argument("--collapsible", action="store_true", help="wrap in <details>, for web pages")
    recap.add_argument("--demo", action="store_true", help="show a built-in example session")
    recap.add_argument("--json", action="store_true", help="print the whole result as JSON")

    files = _add(commands, "files", "files a session touched, and what it did to them")
    files.add_argument("log", nargs="?", metavar="LOG", help="log file or session id (default: the latest session)")
    files.add_argument("--action", choices=("read", "created", "modified", "deleted", "renamed", "written"))
    files.add_argument("--json", action="store_true", help="print the whole result as JSON")

    sessions = _add(commands, "sessions", "sessions on this machine, or below a folder of logs")
    sessions.add_argument("folder", nargs="?", metavar="DIR", help="folder to search for logs (default: all agents')")
    sessions.add_argument("--agent", help="only sessions of this agent, such as claude-code")
    sessions.add_argument("--query", help="only sessions whose title, request, folder or branch has these words")
    sessions.add_argument("--limit", type=int, default=30, metavar="N", help="how many to show (default: 30)")
    sessions.add_argument("--json", action="store_true", help="print the whole result as JSON")

    call = _add(commands, "call", "send one request of the protocol and print its result as JSON")
    call.add_argument("method", metavar="METHOD", help="such as recap/get")
    call.add_argument("params", nargs="?", default="{}", metavar="JSON", help="the params, one object (default: {})")
    return parser


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    return commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")


if __name__ == "__main__":
    sys.exit(main())
