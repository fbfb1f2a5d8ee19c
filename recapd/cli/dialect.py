"""`recapd dialect`: says what recapd understands of a log by the dialects in the configuration."""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path

from recapd.adapters.dialect import Dialect, Explanation, explain
from recapd.cli.terminal import below_home
from recapd.daemon.config import BadConfiguration, config_path, read_dialects
from recapd.wire.errors import request_failed

# Enough lines to see every role and every kind of call; a check answers at once.
_LINES = 2_000


def dialect_command(args: argparse.Namespace) -> int:
    path = Path(args.config) if args.config else config_path()
    try:
        dialects = read_dialects(path)
    except BadConfiguration as error:
        raise request_failed(str(error)) from None
    if not dialects:
        raise request_failed(
            f"{below_home(str(path))} describes no dialect; add a [[dialect]] table with name, role and text."
        )
    try:
        with open(args.log, "rb") as file:
            lines = list(islice(file, _LINES))
    except OSError as error:
        raise request_failed(f"{args.log} could not be read: {error.strerror}.") from None
    explained = [(dialect, explain(dialect, lines)) for dialect in dialects]
    for dialect, explanation in explained:
        sys.stdout.write("\n".join(_told(dialect, explanation)) + "\n")
    return 0 if any(explanation.matched for _, explanation in explained) else 1


def _told(dialect: Dialect, found: Explanation) -> list[str]:
    told = [f"{dialect.name}: {found.matched} of {found.lines} lines fit"]
    told += [f"  {count:>6} lines of {role}" for role, count in sorted(found.roles.items())]
    told += [f"  {count:>6} × {event}" for event, count in sorted(found.events.items())]
    told += [f"  never found: {path}" for path in found.never_found]
    told += [f"  a line that does not fit looks like {shape}" for shape in found.unmatched_shapes]
    told += [f"  problem: {problem}" for problem in found.problems]
    return told
