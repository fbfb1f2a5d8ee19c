"""recapd's own log: one line an event, with ids, counts and durations. Never text of a log, nor users' paths."""

from __future__ import annotations

import logging
import os
import sys
import time

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
# They write down bodies of messages and paths of files at lower levels.
_TOO_TALKATIVE = ("asyncio", "pygls", "watchfiles")


class OneLine(logging.Formatter):
    """`2026-02-03T04:05:06Z INFO recapd.daemon.app serving transport=unix`"""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        extras = "".join(f" {key}={value}" for key, value in vars(record).items() if key not in _STANDARD)
        line = f"{at} {record.levelname} {record.name} {record.getMessage()}{extras}"
        return f"{line} {record.exc_info[0].__name__}" if record.exc_info and record.exc_info[0] else line


def set_up() -> None:
    """Log to stderr, which of a detached daemon is a file in the state folder. RECAPD_LOG sets the level."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    level = os.environ.get("RECAPD_LOG", "WARNING").upper()
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level if level in logging.getLevelNamesMapping() else "WARNING")
    for name in _TOO_TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
