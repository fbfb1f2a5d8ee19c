"""The command line. Start-up imports nothing heavy: each command imports what it needs when it runs."""

from __future__ import annotations

import os
import sys
from functools import partial

from recapd.cli.bridges import run_bridge

TYPE_CHECKING = False  # typing and argparse cost more to import than `recapd connect` takes
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from recapd.cli.table import Command

# As argparse has it.
_CALLED_WRONGLY = 2


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    try:
        if (code := run_bridge(arguments)) is not None:
            return code
        _make_outputs_lenient()
        if sys.stdout is None:
            return _fail("There is no stdout to write to.")
        return _dispatch(arguments)
    except BrokenPipeError:
        # The reader has seen enough (`| head`).
        _drop_output()
        return 0
    except KeyboardInterrupt:
        return 130


def _dispatch(arguments: list[str]) -> int:
    if arguments and arguments[0].startswith("--color"):
        # What every command takes may stand before its name.
        count = 1 if "=" in arguments[0] else 2
        arguments = [*arguments[count:], *arguments[:count]]
    if not arguments or arguments[0].startswith("--color"):
        return _guarded(partial(_show_sight, arguments))
    from recapd.cli.table import COMMANDS

    first = arguments[0]
    if arguments[:2] == ["complete", "--"]:
        # A shell waits for it at every press of a key: without argparse.
        from recapd.cli.completion import complete

        return _guarded(lambda: complete(arguments[2:]))
    named = next((each for each in COMMANDS if each.name == first), None)
    if named is not None:
        args = parser_of(named).parse_args(arguments[1:])
        _set_colour(args.color)
        return _guarded(lambda: _function_of(named)(args))
    from recapd.cli import help as help_texts

    if first in ("-h", "--help", "help"):
        asked = next((each for each in COMMANDS if each.name in arguments[1:]), None)
        sys.stdout.write(help_texts.write_help() if asked is None else parser_of(asked).format_help())
        return 0
    if first in ("-V", "--version"):
        from recapd import __version__

        sys.stdout.write(f"recapd {__version__}\n")
        return 0
    _fail(help_texts.write_unknown(first))
    return _CALLED_WRONGLY


def parser_of(command: Command) -> argparse.ArgumentParser:
    """What reads the arguments of one command; its help is written for the width of the terminal."""
    from recapd.cli.parser import Parser
    from recapd.cli.table import add_colour

    parser = Parser(
        f"recapd {command.name}", text=command.text[0].upper() + command.text[1:] + ".", epilog=command.epilog
    )
    if command.add_arguments is not None:
        command.add_arguments(parser)
    add_colour(parser)
    return parser


def _show_sight(arguments: list[str]) -> int:
    """What is shown where no command is named."""
    if arguments:
        from recapd.cli.parser import Parser
        from recapd.cli.table import add_colour

        parser = Parser("recapd", text="", epilog="")
        add_colour(parser)
        _set_colour(parser.parse_args(arguments).color)
    from recapd.cli.sight import show_sight

    return show_sight()


def _set_colour(wanted: str) -> None:
    """By the variables that other programs go by too: a pager or an editor that is started knows it then."""
    if wanted == "never":
        os.environ["NO_COLOR"] = "1"
    elif wanted == "always":
        os.environ.pop("NO_COLOR", None)
        os.environ["CLICOLOR_FORCE"] = "1"


def _guarded(run: Callable[[], int]) -> int:
    """The exit code; what was expected to go wrong is told in a sentence."""
    try:
        return run()
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:
        _drop_output()
        return _fail(f"The answer could not be written: {error.strerror or error}.")
    except (RecursionError, UnicodeError):
        return _fail("What was given cannot be read: it is nested too deep, or no valid text.")
    except Exception as error:
        # Imported where something went wrong: a command that works may need none of it.
        from recapd.client.errors import CallError, ClientError
        from recapd.wire.errors import RecapError

        if not isinstance(error, RecapError | ClientError | CallError):
            raise
        return _fail(str(error))


def _function_of(command: Command) -> Callable[[argparse.Namespace], int]:
    """Each family of commands is a module, imported when one of its commands is run."""
    from importlib import import_module

    module = import_module(f"recapd.{command.module}")
    return getattr(module, f"{command.name.replace('-', '_')}_command")  # type: ignore[no-any-return]


def _open_closed_streams() -> None:
    """Where stdin, stdout or stderr is closed, the next socket or pipe would get its number, and be taken for it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest that is free, which is this one.
            os.open(os.devnull, os.O_RDWR)


def _drop_output() -> None:
    """What is left must not be flushed at exit into where it cannot go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str) -> int:
    """One line on stderr; what it quotes may hold anything, and a terminal obeys control characters."""
    shown = "".join(each if each.isprintable() else "?" for each in sentence)
    if sys.stderr is not None:
        # Imported where something went wrong.
        from recapd.cli.terminal import tell_failure

        tell_failure("recapd", shown)
    return 1


def _make_outputs_lenient() -> None:
    """A character that the terminal's encoding lacks is shown as `?` instead of ending the command."""
    import io

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
