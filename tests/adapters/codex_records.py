"""Single records of Codex, and what is read out of one."""

from __future__ import annotations

import json

from recapd.adapters.shared.base import Adapter
from recapd.core.log.events import Parsed, Record
from recapd.core.log.refs import Place

STAMP = "2026-02-03T04:05:06.789Z"


def read(adapter: Adapter, line: bytes) -> Parsed:
    return adapter.parse(line, Place(1, 0, len(line)))


def only(parsed: Parsed) -> Record:
    records, problems = parsed
    assert not problems
    (record,) = records
    return record


def enveloped(kind: str, payload: object) -> bytes:
    return json.dumps({"timestamp": STAMP, "type": kind, "payload": payload}).encode()
