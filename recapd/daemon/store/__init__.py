"""What the daemon keeps on disk, in two files of the state folder.

    cache.db   what can be read again from the logs: how far each file is read, states, texts to search in
    kept.db    what cannot: summaries, marks, verdicts, tombstones, audit, sessions whose logs were deleted

Deleting either breaks nothing; deleting the second loses what it holds.
"""

from recapd.daemon.store.in_memory import InMemory, KeepingNothing, keep_in_memory
from recapd.daemon.store.keeping import Keeping, keep_on_disk
from recapd.daemon.store.kept import Tombstone
from recapd.daemon.store.offline import Offline

__all__ = [
    "InMemory",
    "Keeping",
    "KeepingNothing",
    "Offline",
    "Tombstone",
    "keep_in_memory",
    "keep_on_disk",
]
