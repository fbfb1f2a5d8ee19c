"""recapd's own log says what happened in one line, and nothing of what a log holds."""

from __future__ import annotations

import logging
import sys

from recapd.daemon.log import OneLine


def test_a_line_has_the_event_and_its_numbers() -> None:
    record = logging.makeLogRecord({"name": "recapd.daemon.app", "levelname": "INFO", "msg": "serving", "created": 0.0})
    record.transport = "unix"
    assert OneLine().format(record) == "1970-01-01T00:00:00Z INFO recapd.daemon.app serving transport=unix"


def test_an_exception_is_named_and_its_words_are_left_out() -> None:
    """What went wrong may quote what a user wrote."""
    try:
        raise ValueError("the prompt said: swordfish")
    except ValueError:
        record = logging.LogRecord("recapd", logging.ERROR, "", 0, "failed", None, sys.exc_info())
    line = OneLine().format(record)
    assert line.endswith("failed ValueError") and "swordfish" not in line
