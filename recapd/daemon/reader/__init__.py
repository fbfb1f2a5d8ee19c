"""Sessions read by a model that the user chose, while they go on or when somebody asks."""

from recapd.daemon.reader.flight import estimate, read_session
from recapd.daemon.reader.reader import Reader

__all__ = [
    "Reader",
    "estimate",
    "read_session",
]
