"""What reads the arguments of a command, and what it says of those it does not know."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from recapd.cli.terminal import paint, screen_width, tell_failure, wrap

_CALLED_WRONGLY = 2


class _Formatter(argparse.HelpFormatter):
    """As argparse has it, but for what an option takes, which is named once, and where lines break."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        *others, last = action.option_strings or ("",)
        if not others or action.nargs == 0:
            return super()._format_action_invocation(action)
        return f"{', '.join(others)}, {last} {self._format_args(action, str(action.metavar))}"

    def _split_lines(self, text: str, width: int) -> list[str]:
        # What may be typed is not broken at its hyphens.
        return wrap(text, width)


class _LinesKept(_Formatter, argparse.RawDescriptionHelpFormatter):
    pass


class Parser(argparse.ArgumentParser):
    """As argparse has it, but for the width of help, and for mistakes, which are told in a sentence."""

    def __init__(self, name: str, *, text: str, epilog: str) -> None:
        super().__init__(prog=name, description=text or None, epilog=epilog or None)
        self._positionals.title, self._optionals.title = "Arguments", "Options"

    def format_help(self) -> str:
        # Each option is told below; named here as well, they hide what has to be given.
        self.usage = " ".join((self.prog, "[OPTIONS]", *map(usage_of, self._get_positional_actions())))
        # Where lines below stay as they are, argparse breaks none.
        self.description = "\n".join(wrap(self.description or "", screen_width()))
        return "".join(map(_with_head, super().format_help().splitlines(keepends=True)))

    def _get_formatter(self) -> argparse.HelpFormatter:
        # What is written below in lines of its own stays in them.
        style = _LinesKept if self.epilog else _Formatter
        return style(self.prog, width=screen_width())

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        found, unknown = self.parse_known_args(args, namespace)
        if any(not each.startswith("-") for each in unknown):
            # Options may stand anywhere, also between words that belong together. Not at once: told so, argparse knows
            # nothing of "--", and what it shows as help is wrong.
            found, unknown = self.parse_known_intermixed_args(args, namespace)
        if unknown:
            self.error(f"{unknown[0]} is not known here{self._meant(unknown[0])}")
        if isinstance(words := getattr(found, "log", None), list):
            found.log = " ".join(words) if words else None
        return found

    def error(self, message: str) -> NoReturn:
        told = message if message.endswith(("?", ".")) else f"{message}."
        tell_failure(self.prog, f"{told} What it takes: {self.prog} --help")
        raise SystemExit(_CALLED_WRONGLY)

    def _meant(self, word: str) -> str:
        names = [name for action in self._actions for name in action.option_strings]
        close = get_close_matches(word.partition("=")[0], names, n=1) if word.startswith("-") else []
        return f"; did you mean {close[0]}?" if close else ""


def _with_head(line: str) -> str:
    """Heads stand out, also those above what is written below in lines of its own."""
    is_head = line.endswith(":\n") and not line.startswith(" ")
    return paint(sys.stdout, line.removesuffix("\n"), "1") + "\n" if is_head else line


def usage_of(action: argparse.Action) -> str:
    name = str(action.metavar or "|".join(action.choices or ()))
    marks = {"?": "[{}]", "*": "[{} …]", "+": "{} …"}
    return marks.get(str(action.nargs), "{}").format(name)
