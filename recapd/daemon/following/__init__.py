"""Following the logs: hints of changes, looks at the files, news for the world."""

from recapd.daemon.following.indexer import IDLE_S, ParseProcess, WorkerDied
from recapd.daemon.following.looks import Lagging
from recapd.daemon.following.tailer import RootProgress, Tailer

__all__ = [
    "IDLE_S",
    "Lagging",
    "ParseProcess",
    "RootProgress",
    "Tailer",
    "WorkerDied",
]
