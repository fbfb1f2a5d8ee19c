"""Single records of Claude Code, as it writes them, and what is read out of one."""

from __future__ import annotations

import json

from recapd.adapters.claude_code.adapter import ADAPTER
from recapd.core.log.events import Record
from recapd.core.log.refs import Place

HEADER = {
    "parentUuid": "u0",
    "isSidechain": False,
    "userType": "external",
    "cwd": "/home/dev/shop",
    "sessionId": "s1",
    "version": "2.1.50",
    "gitBranch": "main",
    "uuid": "u1",
    "timestamp": "2026-03-01T09:00:00.000Z",
}


def line_of(kind: str, **fields: object) -> bytes:
    # The agent writes no spaces; facts are found by their bytes.
    return json.dumps({**HEADER, "type": kind, **fields}, separators=(",", ":")).encode()


def user(content: object, **fields: object) -> bytes:
    return line_of("user", message={"role": "user", "content": content}, **fields)


def assistant(*blocks: object, **fields: object) -> bytes:
    message = {"role": "assistant", "id": "msg_1", "model": "claude-opus-4-6", "content": list(blocks)}
    return line_of("assistant", message=message, **fields)


def parse(line: bytes) -> Record:
    records, problems = ADAPTER.parse(line, Place(1, 0, len(line)))
    assert not problems
    (record,) = records
    return record
