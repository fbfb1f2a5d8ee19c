"""A new user's first ten minutes, command by command: on a machine with logs, and on one without.

    python -m tests.screens.first_minutes [COLUMNS]     prints each command, and what is then on the screen

Each step says what somebody who has never seen recapd needs to find on the screen to go on.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from tests.screens.shown import Machine, fresh_machine, write_logs
from tests.support.logs import agent, claude_log, ended, human
from tests.support.ptys import in_terminal

COLUMNS = 80
# Of a terminal so long that nothing is paged.
_LINES = 300
_ENDS_WITHIN_S = 60.0
# What was on a line before it was written anew.
_OVERWRITTEN = re.compile(r"[^\n]*\r\x1b\[K")
_NEXT_LINE = re.compile(r"\x1b\[\d+;1H")
_CONTROL = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]|\x1b\][^\a]*\a|\r")


class Step(Struct, frozen=True):
    """What is typed, and what is found on the screen then; `keys` are pressed once so many of it are there."""

    command: str
    found: tuple[str, ...]
    code: int = 0
    keys: str = ""
    waits_for: int = 2


class Seen(Struct, frozen=True):
    step: Step
    lines: list[str]
    code: int


WITH_LOGS = (
    # The name is all that is known of it.
    Step(
        "recapd", ("1 needs you", "Should the limit be configurable per customer?", "recapd recap 1", "recapd --help")
    ),
    Step("recapd --help", ("where a session stands", "start the daemon", "recapd COMMAND --help")),
    Step("recapd up", ("runs (pid ", "Release notes for 2.4", "Where we are", "Go on with it: codex resume")),
    Step("recapd recap 1", ("Rate limiting per API key · shop", "Next: Should the limit", "claude --resume b61f0a52")),
    Step("recapd recap rate limiting", ("Rate limiting per API key · shop", "Where we are (turn 5)")),
    Step("recapd recap 1 --format timeline", ("✓ tests passed", "turn 5  Which default", "Committed: Limit requests")),
    Step("recapd files 1", ("Rate limiting per API key", "in ~/shop/", "limits.py", "see them with --all")),
    Step("recapd decisions 1", ("2 hold, 1 less certain, 2 replaced", "Never block checkout", "replaced in turn 3")),
    Step("recapd search redis", ("1  ● needs you", "turn 4  you", "2  ○ left open")),
    Step("recapd recap 2", ("Our checkout API falls over", "Next: The default is 20")),
    Step("recapd why tests/test_limits.py:1", ("turn 3 of b61f0a52", "asked", "decided")),
    Step("recapd sessions", ("1  ▶ working", "支払いページの翻訳を直す", "Oct 2025")),
    Step("recapd top", ("12 sessions", "State:", "Enter open"), keys="q"),
    Step("recapd context 3", ("Naming of the pages", "State: ", "tokens of 2 messages")),
    Step(
        "recapd install claude-code", ("+++ ", "settings.json", "Do this? [y/N]", "Nothing was changed."), 1, "n\r", 3
    ),
    Step("recapd recpa", ("did you mean recap?",), 2),
    Step("recapd recap no such thing", ("recapd sessions", "recapd search no such thing"), 1),
    Step("recapd status", ("recapd is well: 12 sessions, all read.", "claude-code  10 logs")),
    Step("recapd doctor", ("ok    the daemon", "folders to watch")),
    Step("recapd watch", ("shop/_recap.md up to date", "recapd unwatch")),
    Step("recapd unwatch", ("alone from now on",)),
    Step("recapd down", ("has ended.",)),
    # What was shown with the daemon is shown without.
    Step("recapd", ("1 needs you", "recapd recap 1")),
)

WITHOUT_LOGS = (
    Step("recapd", ("No session logs on this machine yet", "recapd demo", "recapd --help")),
    Step(
        "recapd up --speed 20",
        ("so here is a demo", "Where we are (turn 2)", "_recap.md", "has left nothing behind", "recapd up"),
    ),
    Step("recapd recap", ("No session logs", "A made-up session", "Where we are")),
    Step("recapd recap 1", ("The last list has no number 1",), 1),
    Step("recapd sessions", ("No session logs", "recapd demo"), 1),
    Step("recapd overview", ("No session logs", "recapd demo"), 1),
    Step("recapd search redis", ("No session logs", "recapd demo"), 1),
    Step("recapd files", ("No session logs", "recapd demo"), 1),
    Step("recapd read", ("No session logs", "recapd demo"), 1),
    Step("recapd top", ("0 sessions", "they appear here as agents write them"), keys="q"),
    Step("recapd status", ("recapd is well: 0 sessions", "No agent has written a log here yet")),
    Step("recapd doctor", ("no agent has written logs", "recapd demo")),
)
# An agent has begun its first session meanwhile.
THEN_WITH_ONE = (
    Step("recapd", ("Mend the parser", "recapd recap 1")),
    Step("recapd recap", ("Mend the parser", "Started with")),
    Step("recapd down", ("has ended.",)),
)


def walk(machine: Machine, steps: Sequence[Step], *, columns: int = COLUMNS) -> Iterator[Seen]:
    for step in steps:
        yield _taken(step, machine, columns)


def begin_session(machine: Machine) -> None:
    log = machine.home / ".claude" / "projects" / "-shop" / "first.jsonl"
    log.parent.mkdir(parents=True)
    log.write_bytes(
        ended(claude_log(human("Mend the parser of the shop."), agent("It is mended."), session="first"), 1)
    )


def _taken(step: Step, machine: Machine, columns: int) -> Seen:
    environ = machine.environ | {"NO_COLOR": "1"}
    shell = ["sh", "-c", step.command]
    where = in_terminal(shell, environ=environ, cwd=machine.shop, columns=columns, lines=30 if step.keys else _LINES)
    with where as (terminal, process):
        if step.keys:
            seen = "".join(terminal.read_until(text) for text in step.found[: step.waits_for])
            terminal.type(step.keys)
        else:
            seen = ""
        while process.poll() is None:
            terminal.read_for(0.1)
        terminal.read_for(0.1)
        return Seen(step, _on_screen(seen + terminal.written), process.wait(_ENDS_WITHIN_S))


def _on_screen(written: str) -> list[str]:
    lines = _NEXT_LINE.sub("\n", written.replace("\r\n", "\n"))
    text = _CONTROL.sub("", _OVERWRITTEN.sub("", lines))
    return text.rstrip("\n").split("\n")


def _print(seen: Seen) -> None:
    code = f"   (exit code {seen.code})" if seen.code else ""
    sys.stdout.write("\n".join((f"$ {seen.step.command}{code}", *seen.lines, "", "")))
    sys.stdout.flush()


def main() -> None:
    columns = int(sys.argv[1]) if len(sys.argv) > 1 else COLUMNS
    with TemporaryDirectory(prefix="fm-") as made, fresh_machine(Path(made)) as machine:
        sys.stdout.write("A machine with logs\n===================\n\n")
        write_logs(machine.home, machine.shop)
        for seen in walk(machine, WITH_LOGS, columns=columns):
            _print(seen)
    with TemporaryDirectory(prefix="fm-") as made, fresh_machine(Path(made)) as machine:
        sys.stdout.write("A machine without logs\n======================\n\n")
        for seen in walk(machine, WITHOUT_LOGS, columns=columns):
            _print(seen)
        begin_session(machine)
        for seen in walk(machine, THEN_WITH_ONE, columns=columns):
            _print(seen)


if __name__ == "__main__":
    main()
