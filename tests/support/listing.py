"""Decisions as a client gets them: a log is written, and `decisions/list` asked about it."""

from __future__ import annotations

import json
from pathlib import Path

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.types import Decision, DecisionsListResult
from tests.support.logs import Act, claude_log


def listed(folder: Path, *talk: Act) -> tuple[Decision, ...]:
    """What is listed by default of a log with this talk: not what is tentative."""
    log = folder / "log.jsonl"
    log.write_bytes(claude_log(*talk))
    params = {"session": {"log": str(log)}, "limit": 500}
    found = answer(Library([folder], environ={}), "decisions/list", json.dumps(params).encode())
    assert isinstance(found, DecisionsListResult)
    return found.decisions


def standing(folder: Path, *talk: Act) -> list[str]:
    return [each.text for each in listed(folder, *talk) if each.status == "active"]
