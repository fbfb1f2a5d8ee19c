"""The command line. Start-up imports nothing heavy: each command imports what it needs when it runs."""

from __future__ import annotations

import io
import os
import sys

from recapd import __version__
from recapd.cli import connect

TYPE_CHECKING = False  # typing and argparse cost more to import than `recapd connect` takes
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_EPILOG = """\
LOG is a session log file or a session id, or the beginning of one; without it, the most recently active session.
Logs are found where the agents keep them; nothing leaves this machine, unless you switch on a model for summaries.
"""


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    try:
        if connect.is_plain(arguments):
            return connect.run()
        _make_outputs_lenient()
        if sys.stdout is None:
            return _fail("There is no stdout to write to.")
        args = _parser().parse_args(arguments)
        if args.command is None:
            _parser().print_help()
            return 0
        return _run(args)
    except BrokenPipeError:
        # The reader has seen enough (`| head`).
        _drop_output()
        return 0
    except KeyboardInterrupt:
        return 130


def _open_closed_streams() -> None:
    """Where stdin, stdout or stderr is closed, the next socket or pipe would get its number, and be taken for it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest that is free, which is this one.
            os.open(os.devnull, os.O_RDWR)


def _run(args: argparse.Namespace) -> int:
    from recapd.client.errors import CallError, ClientError
    from recapd.wire.errors import RecapError

    try:
        return _command(args.command)(args)
    except (RecapError, ClientError, CallError) as error:
        return _fail(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_output()
        return _fail(f"The answer could not be written: {error.strerror or error}.")
    except (RecursionError, UnicodeError):
        return _fail("What was given cannot be read: it is nested too deep, or no valid text.")


def _drop_output() -> None:
    """What is left must not be flushed at exit into where it cannot go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str) -> int:
    """One line on stderr; what it quotes may hold anything, and a terminal obeys control characters."""
    shown = "".join(each if each.isprintable() else "?" for each in sentence)
    if sys.stderr is not None:
        sys.stderr.write(f"recapd: {shown}\n")
    return 1


def _make_outputs_lenient() -> None:
    """A character that the terminal's encoding lacks is shown as `?` instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    """Each family of commands is a module, imported when one of its commands is run."""
    match name:
        case "serve":
            from recapd.cli.serve import serve_command

            return serve_command
        case "connect":
            return lambda _: connect.run()
        case "up" | "down" | "status" | "sockname":
            from recapd.cli import service

            return service.COMMANDS[name]
        case "demo":
            from recapd.cli.demo import demo_command

            return demo_command
        case "doctor":
            from recapd.cli.doctor import doctor_command

            return doctor_command
        case "watch" | "unwatch":
            from recapd.cli import watch

            return watch.watch_command if name == "watch" else watch.unwatch_command
        case "config":
            from recapd.cli.config import config_command

            return config_command
        case "decisions":
            from recapd.cli.decisions import decisions_command

            return decisions_command
        case "context":
            from recapd.cli.context import context_command

            return context_command
        case "summarize" | "history":
            from recapd.cli import summaries

            return summaries.COMMANDS[name]
        case "search":
            from recapd.cli.search import search_command

            return search_command
        case "overview":
            from recapd.cli.overview import overview_command

            return overview_command
        case "dialect":
            from recapd.cli.dialect import dialect_command

            return dialect_command
    from recapd.cli import commands

    return commands.COMMANDS[name]


def _parser() -> argparse.ArgumentParser:
    import argparse

    parser = argparse.ArgumentParser(
        prog="recapd",
        description="Where your conversations with coding agents stand, read from the logs the agents write.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"recapd {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_reading(commands)
    _add_service(commands)
    return parser


def _add_reading(commands: Commands) -> None:
    recap = _add(commands, "recap", "where a session stands: what was asked, done, and is open")
    recap.add_argument("log", nargs="?", metavar="LOG", help="log file or session id (default: the latest session)")
    formats = ("short", "full", "decisions", "timeline", "resume")
    recap.add_argument("--format", choices=formats, default="full", help="how much, and of what (default: full)")
    recap.add_argument("--no-decisions", action="store_true", help="leave decisions out")
    recap.add_argument("--at-turn", type=int, metavar="N", help="as it was after this turn")
    recap.add_argument("--since-turn", type=int, metavar="N", help="only what is new after this turn")
    recap.add_argument("--max-tokens", type=int, metavar="N", help="hard cap on the recap's length")
    recap.add_argument("--collapsible", action="store_true", help="wrap in <details>, for web pages")
    recap.add_argument("--demo", action="store_true", help="show a built-in example session")
    recap.add_argument("--budget", type=int, metavar="N", help="a digest of the whole session within N tokens")
    recap.add_argument("--model", metavar="MODEL", help="have a model tell the digest, where models are switched on")
    recap.add_argument("--workers", type=int, metavar="N", help="requests to the model at the same time")
    recap.add_argument("-o", "--output", metavar="FILE", help="write the digest there instead of to stdout")
    recap.add_argument("--json", action="store_true", help="print the whole result as JSON")

    files = _add(commands, "files", "files a session touched, and what it did to them")
    files.add_argument("log", nargs="?", metavar="LOG", help="log file or session id (default: the latest session)")
    files.add_argument("--action", choices=("read", "created", "modified", "deleted", "renamed", "written"))
    files.add_argument("--json", action="store_true", help="print the whole result as JSON")

    decisions = _add(commands, "decisions", "what was decided in a session, by whom, and whether it still holds")
    decisions.add_argument("log", nargs="?", metavar="LOG", help="log file or session id (default: the latest session)")
    decisions.add_argument("--all", action="store_true", help="also what is uncertain, dismissed or on a branch left")
    decisions.add_argument("--by", choices=("user", "agent", "collaborative"), help="only decisions of this side")
    statuses = ("active", "superseded", "reverted", "abandoned", "tentative", "dismissed")
    decisions.add_argument("--status", choices=statuses, help="only decisions of which this became")
    decisions.add_argument("--query", help="only decisions with these words")
    word = decisions.add_mutually_exclusive_group()
    word.add_argument("--dismiss", metavar="ID", help="say that this is no decision")
    word.add_argument("--confirm", metavar="ID", help="say that this is one")
    word.add_argument("--take-back", metavar="ID", help="take back what was said of this one")
    decisions.add_argument("--reason", metavar="TEXT", help="why, kept with --dismiss, --confirm and --take-back")
    decisions.add_argument("--json", action="store_true", help="print the whole result as JSON")

    context = _add(commands, "context", "what an agent needs to go on with a session, within a token budget")
    context.add_argument("log", nargs="?", metavar="LOG", help="log file or session id (default: the latest session)")
    context.add_argument("--budget", type=int, default=4_000, metavar="N", help="tokens at most (default: 4000)")
    context.add_argument("--prompt", metavar="TEXT", help="what the agent is about to work on")
    context.add_argument(
        "--preset",
        choices=("default", "resume", "gitclaw", "mindloop", "know-thyself", "mycode", "apex"),
        help="headings and order (default: as configured)",
    )
    context.add_argument("--output", choices=("text", "messages"), default="text", help="one text, or messages as JSON")
    context.add_argument("--include", action="append", metavar="SECTION", help="only this section; may be repeated")
    context.add_argument("--json", action="store_true", help="print the whole result as JSON")

    summarize = _add(commands, "summarize", "make a summary of a session now, and say what it saves")
    summarize.add_argument("--focus", metavar="TEXT", help="what to dwell on")
    summarize.add_argument("--model", metavar="MODEL", help="another model than the configured one")
    history = _add(commands, "history", "a session's summaries, then its recent messages")
    history.add_argument("--full", action="store_true", help="every message")
    for command in (summarize, history):
        command.add_argument(
            "log", nargs="?", metavar="LOG", help="log file or session id (default: the latest session)"
        )
        command.add_argument("--json", action="store_true", help="print the whole result as JSON")
        command.add_argument("--no-daemon", action="store_true", help="read the logs here, even if a daemon runs")

    sessions = _add(commands, "sessions", "sessions on this machine, or below a folder of logs")
    sessions.add_argument("folder", nargs="?", metavar="DIR", help="folder to search for logs (default: all agents')")
    sessions.add_argument("--agent", help="only sessions of this agent, such as claude-code")
    sessions.add_argument("--query", help="only sessions whose title, request, folder or branch has these words")
    sessions.add_argument("--limit", type=int, default=30, metavar="N", help="how many to show (default: 30)")
    sessions.add_argument("--json", action="store_true", help="print the whole result as JSON")

    search = _add(commands, "search", "find words in everything that was said, in all sessions")
    search.add_argument("words", nargs="+", metavar="WORD", help="what was said; a word may be a beginning")
    search.add_argument("--in", dest="folder", metavar="DIR", help="only sessions of this folder")
    search.add_argument("--limit", type=int, default=20, metavar="N", help="how many to show (default: 20)")
    search.add_argument("--json", action="store_true", help="print the whole result as JSON")

    overview = _add(commands, "overview", "where the sessions of a folder stand, those that wait for you first")
    overview.add_argument("folder", nargs="?", metavar="DIR", help="the workspace (default: this folder)")
    overview.add_argument("--all", action="store_true", help="every session on this machine")
    overview.add_argument("--limit", type=int, default=20, metavar="N", help="how many to show (default: 20)")
    overview.add_argument("--json", action="store_true", help="print the whole result as JSON")

    call = _add(commands, "call", "send one request of the protocol and print its result as JSON")
    call.add_argument("method", metavar="METHOD", help="such as recap/get")
    call.add_argument("params", nargs="?", default="{}", metavar="JSON", help="the params, one object (default: {})")

    for command in (recap, files, decisions, context, sessions, search, overview, call):
        command.add_argument("--no-daemon", action="store_true", help="read the logs here, even if a daemon runs")

    config = _add(commands, "config", "the configuration in effect, and where each value comes from")
    config.add_argument("key", nargs="?", metavar="KEY", help="one setting or one section, such as recap.format")
    config.add_argument("--workspace", metavar="DIR", help="folder whose own settings count too (default: this one)")
    config.add_argument("--explain", action="store_true", help="what every key means, takes, and is by default")
    config.add_argument("--json", action="store_true", help="print the whole result as JSON")
    config.add_argument("--no-daemon", action="store_true", help="read the files here, even if a daemon runs")

    dialect = _add(commands, "dialect", "what recapd understands of a log by the dialects in the configuration")
    dialect.add_argument("log", metavar="LOG", help="log file")
    dialect.add_argument("--config", metavar="FILE", help="configuration file (default: the user's)")


def _add_service(commands: Commands) -> None:
    import argparse

    up = _add(commands, "up", "start the daemon, show how far it has read, then the latest recap")
    _add(commands, "down", "end the daemon")
    status = _add(commands, "status", "how the daemon is: what it watches, what it has read, what is wrong")
    status.add_argument("--json", action="store_true", help="print the whole result as JSON")
    _add(commands, "doctor", "check what recapd needs of this machine, and say what to do")
    demo = _add(commands, "demo", "play a made-up session, live, to see what recapd does")
    for command in (up, demo):
        command.add_argument("--speed", type=_positive, default=1.0, metavar="X", help="play the demo X times as fast")

    watch = _add(commands, "watch", "keep a _recap.md up to date in a folder")
    watch.add_argument("--exclude", action="store_true", help="also add it to this checkout's .git/info/exclude")
    watch.add_argument("--list", action="store_true", help="change nothing; show the folders that are watched")
    unwatch = _add(commands, "unwatch", "leave a folder's _recap.md alone from now on")
    for command in (watch, unwatch):
        command.add_argument("workspace", nargs="?", default=".", metavar="DIR", help="the folder (default: this one)")

    sockname = _add(commands, "sockname", "where the daemon listens, as JSON")
    sockname.add_argument("--start", action="store_true", help="start it if it does not run")

    speak = _add(commands, "connect", "speak to the daemon on stdin and stdout, for editors; starts it if need be")
    speak.add_argument("--stdio", action="store_true", help="accepted because editors add it")
    speak.epilog, speak.formatter_class = connect.EXIT_CODES, argparse.RawDescriptionHelpFormatter

    serve = _add(commands, "serve", "serve the protocol; `connect` and `up` do this for you")
    where = serve.add_mutually_exclusive_group(required=True)
    where.add_argument("--stdio", action="store_true", help="one client on stdin and stdout")
    where.add_argument("--socket", nargs="?", const="", metavar="PATH", help="many clients on a Unix socket")
    where.add_argument("--tcp", type=int, metavar="PORT", help="many clients on a loopback port, with a token")
    serve.add_argument("--idle", type=float, metavar="SECONDS", help="end when unused for so long; 0: never")
    serve.add_argument("--foreground", action="store_true", help="stay in the foreground, for service managers")
    serve.add_argument("--root", action="append", default=[], metavar="DIR", help="read logs here, not the agents'")
    serve.add_argument("--recap-file-in", action="append", default=[], metavar="DIR", help="keep _recap.md here")


def _positive(text: str) -> float:
    number = float(text)
    if not number > 0:
        raise ValueError
    return number


def _add(commands: Commands, name: str, text: str) -> argparse.ArgumentParser:
    return commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")


if __name__ == "__main__":
    sys.exit(main())
