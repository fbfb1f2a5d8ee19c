"""A made-up session that grows: the demo's, cut into steps, in a folder of the stage."""

from __future__ import annotations

import json
from datetime import datetime

from tests.frozen.stage import Stage, put

# The folder that the made-up session worked in.
_PLAYED_CWD = b"/home/demo/shop"
# How many lines are there at the beginning.
_FIRST = 4


class Growing:
    """The log of a session that is being written below the user's home, and what comes next in it."""

    def __init__(self, stage: Stage) -> None:
        self.workspace = stage.work / "shop"
        self.workspace.mkdir(exist_ok=True)
        self.path = stage.home / ".claude" / "projects" / "-work-shop" / "one.jsonl"
        text = (stage.logs / "demo" / "session.jsonl").read_bytes()
        self._lines = text.replace(_PLAYED_CWD, str(self.workspace).encode()).splitlines(keepends=True)
        put(self.path, b"".join(self._lines[:_FIRST]))
        self._next = _FIRST

    @property
    def is_over(self) -> bool:
        return self._next >= len(self._lines)

    @property
    def after_s(self) -> float:
        """A minute after the last line was written."""
        last = json.loads(self._lines[-1])["timestamp"]
        return datetime.fromisoformat(last).timestamp() + 60

    def take(self, count: int) -> bytes:
        """The next lines, as they are to be appended."""
        lines = self._lines[self._next : self._next + count]
        self._next += count
        return b"".join(lines)

    def other(self) -> bytes:
        """The beginning of another session in the same folder."""
        return b"".join(self._lines[:8]).replace(b'"sessionId":"', b'"sessionId":"other-')
