"""What the daemon keeps on disk, in two files of the state folder.

    cache.db   what can be read again from the logs: how far each file is read, states, texts to search in
    kept.db    what cannot: summaries, marks, verdicts, tombstones, audit, sessions whose logs were deleted

Deleting either breaks nothing; deleting the second loses what it holds.
"""

from recapd.daemon.store.api import InMemory
from recapd.daemon.store.fingerprints import fingerprint
from recapd.daemon.store.keeping import Keeping
from recapd.daemon.store.kept import Tombstone
from recapd.daemon.store.offline import Offline, forgotten_paths
from recapd.daemon.store.store import Store

__all__ = [
    "InMemory",
    "Keeping",
    "Offline",
    "Store",
    "Tombstone",
    "fingerprint",
    "forgotten_paths",
]
