"""Whose memory a session is told with: one for each session that was asked about lately, gone when it is forgotten.

Owns: which memories are kept. Must not know: what is in one (see core.state.memory).
"""

from __future__ import annotations

from collections.abc import Collection
from threading import Lock
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core.state import Memory, Session

# Sessions that somebody may come back to. Of most little is known: they stood in a list.
MOST_SESSIONS: Final = 256
# Turns, scenes, decisions and lines of which something was made, and passages of the log, which recaps hold; of all
# sessions together. Each takes some 2 or 3 KB: this is 60 MB at most, or one session of 3,000 turns.
MOST_THINGS: Final = 20_000


class _Kept(Struct, frozen=True):
    memory: Memory
    # Passages of the session when it was last asked about.
    passages: int

    @property
    def things(self) -> int:
        """What a recap is made of is held with it, too."""
        return self.memory.things + self.passages


class Memories:
    """Least recently asked about first. For any number of threads."""

    def __init__(
        self, *, most_sessions: int = MOST_SESSIONS, most_things: int = MOST_THINGS, are_filled_ahead: bool = False
    ) -> None:
        self._are_filled_ahead = are_filled_ahead
        self._most_sessions = most_sessions
        self._most_things = most_things
        # By the session, and by the log it is told from: one that somebody names may be a copy.
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._lock = Lock()

    def remind(self, session: Session) -> Session:
        """The session with what was made of it before."""
        name = session.id, session.main.key
        passages = len(session.main.transcript.passages)
        with self._lock:
            kept = self._kept.pop(name, None)
            # Of a log that was rewritten to much less, most of what is known fits nothing any more.
            is_known = kept is not None and 2 * passages >= kept.passages
            memory = kept.memory if kept is not None and is_known else Memory(is_filled_ahead=self._are_filled_ahead)
            self._kept[name] = _Kept(memory, passages)
            self._shrink()
        return msgspec.structs.replace(session, memory=memory)

    def keeps(self, session: Session) -> bool:
        """Whether the next who asks about it gets the memory that it has."""
        kept = self._kept.get((session.id, session.main.key))
        return kept is not None and kept.memory is session.memory

    def forget(self, session_ids: Collection[str]) -> None:
        with self._lock:
            for name in [name for name in self._kept if name[0] in session_ids]:
                del self._kept[name]

    def _shrink(self) -> None:
        """The one that is asked about stays, whatever its size."""
        things = sum(each.things for each in self._kept.values())
        while len(self._kept) > 1 and (len(self._kept) > self._most_sessions or things > self._most_things):
            things -= self._kept.pop(next(iter(self._kept))).things
