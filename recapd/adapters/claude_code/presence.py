"""What a running Claude Code says of itself, in `sessions/<pid>.json` of its folder (2.1.197 and later).

It rewrites the file whenever it begins to work, to wait or to rest, and removes it when it ends.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from recapd.core.log import from_epoch
from recapd.core.presence import Doing, Presence, RunningAgent

_DOING: Final[dict[str, Doing]] = {"busy": "working", "idle": "resting"}
# What it waits for, where that is a yes or no to something it is about to do; other dialogs are questions.
_PERMISSIONS: Final = frozenset(("permission prompt", "sandbox request", "worker request"))


class _Card(Struct, gc=False):
    pid: int
    sessionId: str
    procStart: str = ""
    status: str = ""
    waitingFor: str | None = None
    statusUpdatedAt: float | None = None
    startedAt: float | None = None
    # "linux:…:pid:[4026531836]"
    pidDomain: str | None = None


_card = msgspec.json.Decoder(_Card)


def read_presence(data: bytes) -> RunningAgent | None:
    """None where that is not what such a file says; one that is being written is none either."""
    try:
        card = _card.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    doing: Doing = _DOING.get(card.status, "running")
    if card.status == "waiting":
        doing = "permission" if card.waitingFor is None or card.waitingFor in _PERMISSIONS else "asking"
    since_ms = card.statusUpdatedAt or card.startedAt
    return RunningAgent(
        session=card.sessionId,
        pid=card.pid,
        started=card.procStart,
        presence=Presence(doing, from_epoch(since_ms / 1000) if since_ms else ""),
        namespace="pid:" + domain[1] if len(domain := (card.pidDomain or "").rsplit(":pid:", 1)) == 2 else "",
    )
