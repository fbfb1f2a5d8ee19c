"""The table of commands: name, group, what it does, where it lives, what it takes.

Help, completion, the manual page and "did you mean" are written from it.
Of all commands only the one that is called is imported, and only its arguments are built.
"""

from __future__ import annotations

from recapd.cli.connect import EXIT_CODES

TYPE_CHECKING = False  # typing and argparse cost more to import than `recapd connect` takes
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterable

    Arguments = Callable[[ArgumentParser], None]

# In the order in which help shows them.
GROUPS = {"read": "Read", "daemon": "Daemon", "plumbing": "For editors, agents and scripts"}
FORMATS = ("short", "full", "decisions", "timeline", "resume")
# As `recapd decisions` tells them, and what the protocol calls them; both are taken.
MAKERS = {"you": "user", "agent": "agent", "both": "collaborative"}
STATUSES = {
    "holds": "active",
    "less-certain": "active",
    "replaced": "superseded",
    "taken-back": "reverted",
    "left": "abandoned",
    "perhaps": "tentative",
    "dismissed": "dismissed",
}
_ACTIONS = ("read", "created", "modified", "deleted", "renamed", "written")
_SECTIONS = (
    *("pinned", "request", "decisions", "summary", "progress"),
    *("files", "lost", "relevant", "recent", "warning"),
)
_PRESETS = ("default", "resume", "gitclaw", "mindloop", "know-thyself", "mycode", "apex")


_COMPLETION = """\
To switch it on:
  bash  echo 'source <(recapd completion bash)' >> ~/.bashrc
  zsh   echo 'source <(recapd completion zsh)' >> ~/.zshrc
  fish  recapd completion fish > ~/.config/fish/completions/recapd.fish
"""


class Command:
    """One row; it is run by the function `NAME_command` of its module below `recapd`."""

    __slots__ = ("add_arguments", "epilog", "group", "module", "name", "text")

    def __init__(
        self, name: str, group: str, module: str, text: str, add_arguments: Arguments | None = None, *, epilog: str = ""
    ) -> None:
        self.name = name
        self.group = group
        self.module = module
        self.text = text
        self.add_arguments = add_arguments
        self.epilog = epilog


def add_colour(parser: ArgumentParser) -> None:
    """What every command takes, and `recapd` alone."""
    _add_choice(parser, "--color", "WHEN", ("auto", "always", "never"), "colours (default: auto):", default="auto")


def _add_choice(
    parser: ArgumentParser,
    name: str,
    metavar: str,
    choices: tuple[str, ...],
    text: str,
    *,
    default: str | None = None,
    also: Iterable[str] = (),
) -> None:
    """With what it may be in the text: the line of usage, which argparse does not break in a choice, stays short.

    `also` is taken as well."""
    every = tuple(dict.fromkeys((*choices, *also)))
    told = f"{text} {_listed(choices)}"
    parser.add_argument(name, metavar=metavar, type=_hyphened, choices=every, default=default, help=told)


def _listed(choices: tuple[str, ...]) -> str:
    return f"{', '.join(choices[:-1])} or {choices[-1]}"


def _hyphened(text: str) -> str:
    """Two words in quotes are one choice."""
    return text.replace(" ", "-")


def _add_log(parser: ArgumentParser) -> None:
    # Words of a title need no quotes.
    parser.add_argument(
        "log", nargs="*", metavar="LOG", help="number, id, words of its title, or file (default: latest)"
    )


def _add_answer(parser: ArgumentParser) -> None:
    """What every command takes that prints an answer of the daemon's."""
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    parser.add_argument("--no-daemon", action="store_true", help="read the logs here, even if a daemon runs")


def _recap(parser: ArgumentParser) -> None:
    _add_log(parser)
    _add_choice(parser, "--format", "FORMAT", FORMATS, "how much (default: short):", default="short")
    parser.add_argument("--no-decisions", action="store_true", help="leave decisions out")
    parser.add_argument("--at-turn", type=_number, metavar="N", help="as it was after this turn")
    parser.add_argument("--since-turn", type=_number, metavar="N", help="only what is new after this turn")
    parser.add_argument("--max-tokens", type=_number, metavar="N", help="hard cap on the recap's length")
    parser.add_argument("--collapsible", action="store_true", help="wrap in <details>, for web pages")
    parser.add_argument("--demo", action="store_true", help="show a built-in example session")
    parser.add_argument("--copy", action="store_true", help="copy it instead of showing it")
    parser.add_argument("--budget", type=_number, metavar="N", help="a digest of the whole session within N tokens")
    parser.add_argument("--model", metavar="MODEL", help="have a model tell the digest, where models are switched on")
    parser.add_argument("--workers", type=_number, metavar="N", help="requests to the model at the same time")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the digest there instead of to stdout")
    _add_answer(parser)


def _files(parser: ArgumentParser) -> None:
    _add_log(parser)
    parser.add_argument("--all", action="store_true", help="also files that were only read")
    _add_choice(parser, "--action", "ACTION", _ACTIONS, "only files that were")
    _add_answer(parser)


def _decisions(parser: ArgumentParser) -> None:
    _add_log(parser)
    parser.add_argument("--all", action="store_true", help="also what is uncertain, dismissed or on a branch left")
    _add_choice(parser, "--by", "WHO", tuple(MAKERS), "only decisions of", also=MAKERS.values())
    _add_choice(parser, "--status", "STATUS", tuple(STATUSES), "only decisions told as", also=STATUSES.values())
    parser.add_argument("--query", metavar="TEXT", help="only decisions with these words")
    word = parser.add_mutually_exclusive_group()
    word.add_argument("--open", metavar="ID", help="open the line of the log that proves this one, in your editor")
    word.add_argument("--dismiss", metavar="ID", help="say that this is no decision")
    word.add_argument("--confirm", metavar="ID", help="say that this is one")
    word.add_argument("--take-back", metavar="ID", help="take back what was said of this one")
    parser.add_argument("--reason", metavar="TEXT", help="why, kept with --dismiss, --confirm and --take-back")
    _add_answer(parser)


def _context(parser: ArgumentParser) -> None:
    _add_log(parser)
    parser.add_argument("--budget", type=_number, default=4_000, metavar="N", help="tokens at most (default: 4000)")
    parser.add_argument("--prompt", metavar="TEXT", help="what the agent is about to work on")
    _add_choice(parser, "--preset", "PRESET", _PRESETS, "headings and order (default: as configured):")
    _add_choice(parser, "--output", "HOW", ("text", "messages"), "one text, or messages as JSON:", default="text")
    told = f"only this section; may be repeated: {_listed(_SECTIONS)}"
    parser.add_argument("--include", action="append", choices=_SECTIONS, metavar="SECTION", help=told)
    _add_answer(parser)


def _summarize(parser: ArgumentParser) -> None:
    _add_log(parser)
    parser.add_argument("--focus", metavar="TEXT", help="what to dwell on")
    parser.add_argument("--model", metavar="MODEL", help="another model than the configured one")
    _add_answer(parser)


def _read(parser: ArgumentParser) -> None:
    _add_log(parser)
    parser.add_argument("--all", action="store_true", help="every session that is known")
    parser.add_argument("--dry-run", action="store_true", help="only say what it would cost, and how far it is")
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")


def _history(parser: ArgumentParser) -> None:
    _add_log(parser)
    parser.add_argument("--full", action="store_true", help="every message")
    _add_answer(parser)


def _sessions(parser: ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help="folder to search for logs (default: all agents')")
    parser.add_argument("--agent", metavar="AGENT", help="only sessions of this agent, such as claude-code")
    parser.add_argument("--query", metavar="TEXT", help="only with these words in title, request, folder or branch")
    parser.add_argument("--limit", type=_number, default=30, metavar="N", help="how many to show (default: 30)")
    _add_answer(parser)


def _top(parser: ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help="only sessions of this workspace (default: all)")


def _pick(parser: ArgumentParser) -> None:
    parser.add_argument("--id", action="store_true", help="print its id instead of its recap")


def _search(parser: ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help="what was said; a word may be a beginning")
    parser.add_argument("--in", dest="folder", metavar="DIR", help="only sessions of this folder")
    parser.add_argument("--limit", type=_number, default=20, metavar="N", help="how many to show (default: 20)")
    _add_answer(parser)


def _why(parser: ArgumentParser) -> None:
    parser.add_argument("place", metavar="FILE:LINE", help="a line; also FILE:FROM-TO, or FILE for all of its lines")
    parser.add_argument("--stdin", action="store_true", help="the file's text comes on stdin, as it is in an editor")
    _add_answer(parser)


def _overview(parser: ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help="the workspace (default: this folder)")
    parser.add_argument("--all", action="store_true", help="every session on this machine")
    parser.add_argument("--limit", type=_number, default=20, metavar="N", help="how many to show (default: 20)")
    _add_answer(parser)


def _call(parser: ArgumentParser) -> None:
    parser.add_argument("method", metavar="METHOD", help="such as recap/get")
    parser.add_argument("params", nargs="?", default="{}", metavar="JSON", help="the params, one object (default: {})")
    parser.add_argument("--no-daemon", action="store_true", help="read the logs here, even if a daemon runs")


def _config(parser: ArgumentParser) -> None:
    parser.add_argument("key", nargs="?", metavar="KEY", help="one setting or one section, such as recap.format")
    parser.add_argument("--workspace", metavar="DIR", help="folder whose own settings count too (default: this one)")
    parser.add_argument("--explain", action="store_true", help="what every key means, takes, and is by default")
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    parser.add_argument("--no-daemon", action="store_true", help="read the files here, even if a daemon runs")


def _dialect(parser: ArgumentParser) -> None:
    parser.add_argument("log", metavar="LOG", help="log file")
    parser.add_argument("--config", metavar="FILE", help="configuration file (default: the user's)")


def _status(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")


def _speed(parser: ArgumentParser) -> None:
    parser.add_argument("--speed", type=_speed_of, default=1.0, metavar="X", help="play the demo X times as fast")


def _watch(parser: ArgumentParser) -> None:
    parser.add_argument("--exclude", action="store_true", help="also add it to this checkout's .git/info/exclude")
    parser.add_argument("--list", action="store_true", help="change nothing; show the folders that are watched")
    _workspace(parser)


def _workspace(parser: ArgumentParser) -> None:
    parser.add_argument("workspace", nargs="?", default=".", metavar="DIR", help="the folder (default: this one)")


def _install(parser: ArgumentParser) -> None:
    from recapd.bridges.install import TARGETS
    from recapd.cli.terminal import screen_width, write_columns

    parser.add_argument("target", choices=[each.name for each in TARGETS], metavar="TARGET", help="which program")
    parser.epilog = "Targets:\n" + write_columns([(each.name, each.about) for each in TARGETS], screen_width()) + "\n"
    parser.add_argument(
        "--project", nargs="?", const=".", metavar="DIR", help="for one project only (default: this folder)"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _panel(parser: ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help="sessions of this folder (default: this one)")
    parser.add_argument("--all", action="store_true", help="every session on this machine")
    parser.add_argument("--port", type=_number, metavar="PORT", help="listen there (default: any that is free)")
    parser.add_argument("--no-open", action="store_true", help="print the address, and start no browser")
    parser.add_argument("--off", action="store_true", help="switch it off again")


def _hook(parser: ArgumentParser) -> None:
    parser.add_argument("event", metavar="EVENT", help="the hook's name, such as SessionStart")
    parser.add_argument("--agent", default="claude-code", help="whose hook it is (default: claude-code)")


def _completion(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def _complete(parser: ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORD", help="what was typed after recapd; the last is unfinished")


def _sockname(parser: ArgumentParser) -> None:
    parser.add_argument("--start", action="store_true", help="start it if it does not run")


def _connect(parser: ArgumentParser) -> None:
    from recapd.cli.terminal import screen_width, write_columns

    parser.add_argument("--stdio", action="store_true", help="accepted because editors add it")
    parser.epilog = "Exit codes:\n" + write_columns(EXIT_CODES, screen_width()) + "\n"


def _serve(parser: ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--stdio", action="store_true", help="one client on stdin and stdout")
    where.add_argument("--socket", nargs="?", const="", metavar="PATH", help="many clients on a Unix socket")
    where.add_argument("--tcp", type=_number, metavar="PORT", help="many clients on a loopback port, with a token")
    parser.add_argument("--idle", type=_seconds, metavar="SECONDS", help="end when unused for so long; 0: never")
    parser.add_argument("--foreground", action="store_true", help="stay in the foreground, for service managers")
    parser.add_argument("--root", action="append", default=[], metavar="DIR", help="read logs here, not the agents'")
    parser.add_argument("--recap-file-in", action="append", default=[], metavar="DIR", help="keep _recap.md here")


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _mistake(f"{text} is no whole number") from None


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise _mistake(f"{text} is no number") from None


def _speed_of(text: str) -> float:
    number = _seconds(text)
    if not number > 0:
        raise _mistake(f"{text} is not more than 0")
    return number


def _mistake(text: str) -> Exception:
    from argparse import ArgumentTypeError

    return ArgumentTypeError(text)


COMMANDS = (
    Command("recap", "read", "cli.commands", "where a session stands: what was asked, done, and is open", _recap),
    Command(
        "overview",
        "read",
        "cli.overview",
        "where the sessions of a folder stand, those that need you first",
        _overview,
    ),
    Command("sessions", "read", "cli.commands", "sessions on this machine, or below a folder of logs", _sessions),
    Command(
        "decisions",
        "read",
        "cli.decisions",
        "what was decided in a session, by whom, and whether it still holds",
        _decisions,
    ),
    Command("top", "read", "cli.top", "all sessions, live, those that need you first", _top),
    Command("pick", "read", "cli.top", "choose a session on the screen, with its recap below, and show it", _pick),
    Command("files", "read", "cli.files", "files a session touched, and what it did to them", _files),
    Command(
        "why",
        "read",
        "cli.why",
        "which turn wrote a line, and what was asked and decided then",
        _why,
    ),
    Command("search", "read", "cli.search", "find words in everything that was said, in all sessions", _search),
    Command(
        "context", "read", "cli.context", "what an agent needs to go on with a session, within a token budget", _context
    ),
    Command("history", "read", "cli.summaries", "a session's summaries, then its recent messages", _history),
    Command("summarize", "read", "cli.summaries", "make a summary of a session now, and say what it saves", _summarize),
    Command("read", "read", "cli.reading", "have a session read by the model you set up; says the cost first", _read),
    Command("up", "daemon", "cli.service", "start the daemon, show how far it has read, then the latest recap", _speed),
    Command("down", "daemon", "cli.service", "end the daemon"),
    Command(
        "status",
        "daemon",
        "cli.service",
        "how the daemon is: what it watches, has read, and what is wrong",
        _status,
    ),
    Command("doctor", "daemon", "cli.doctor", "check what recapd needs of this machine, and say what to do"),
    Command("watch", "daemon", "cli.watch", "keep a _recap.md up to date in a folder", _watch),
    Command("unwatch", "daemon", "cli.watch", "leave a folder's _recap.md alone from now on", _workspace),
    Command("config", "daemon", "cli.config", "the configuration in effect, and where each value comes from", _config),
    Command(
        "install", "daemon", "cli.install", "put recapd into a program you use; shows what changes, and asks", _install
    ),
    Command(
        "uninstall",
        "daemon",
        "cli.install",
        "take recapd out of a program again, and change nothing else",
        _install,
    ),
    Command("panel", "daemon", "cli.panel", "the recap panel in a browser, on this machine alone", _panel),
    Command("demo", "daemon", "cli.demo", "play a made-up session, live, to see what recapd does", _speed),
    Command(
        "connect",
        "plumbing",
        "cli.connect",
        "for editors: the protocol on stdin and stdout; starts the daemon",
        _connect,
    ),
    Command("mcp", "plumbing", "cli.bridges", "serve agents on stdin and stdout by the Model Context Protocol"),
    Command("hook", "plumbing", "cli.bridges", "tell and ask the daemon what an agent's hook is for, on stdin", _hook),
    Command("statusline", "plumbing", "cli.bridges", "one line for Claude Code's status line, from its JSON on stdin"),
    Command("call", "plumbing", "cli.commands", "send one request of the protocol and print its result as JSON", _call),
    Command("serve", "plumbing", "cli.serve", "serve the protocol; connect and up do this for you", _serve),
    Command(
        "completion",
        "plumbing",
        "cli.completion",
        "print what a shell needs to complete commands and sessions",
        _completion,
        epilog=_COMPLETION,
    ),
    Command("complete", "plumbing", "cli.completion", "what may follow these words; shells ask this", _complete),
    Command("sockname", "plumbing", "cli.service", "where the daemon listens, as JSON", _sockname),
    Command(
        "dialect",
        "plumbing",
        "cli.dialect",
        "what recapd understands of a log by the configured dialects",
        _dialect,
    ),
)
