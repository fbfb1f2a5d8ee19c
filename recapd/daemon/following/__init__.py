"""Following the logs: hints of changes, looks at the files, news for the world."""

from recapd.daemon.following.known_files import RootProgress
from recapd.daemon.following.listener import Listener
from recapd.daemon.following.looks import Lagging
from recapd.daemon.following.settings import follow_watching
from recapd.daemon.following.tailer import Tailer
from recapd.daemon.following.unfinished import Unfinished

__all__ = [
    "Lagging",
    "Listener",
    "RootProgress",
    "Tailer",
    "Unfinished",
    "follow_watching",
]
