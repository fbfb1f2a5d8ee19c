"""The list that was shown last, so that the next command can name a session by its number in it.

Kept with the logs of those that lie where nobody looks for logs by themselves: an id alone would not find them again.
"""

from __future__ import annotations

import json
import os

from recapd.client.errors import ClientError
from recapd.client.paths import places
from recapd.client.private import make_private, read_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NAME = "last-list.json"
_MOST_BYTES = 256 << 10


def keep_list(ids: Sequence[str], logs: Mapping[str, str] | None = None) -> None:
    """For the next command. A list that cannot be kept was shown all the same."""
    rows = [[each, log] if (log := (logs or {}).get(each)) else each for each in ids]
    folder = places().state_dir
    made = os.path.join(folder, f"{_NAME}.{os.getpid()}")
    try:
        make_private(folder, variable="RECAPD_STATE_DIR")
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(rows, file)
        os.replace(made, os.path.join(folder, _NAME))
    except (OSError, ClientError, ValueError):
        return


def kept_list() -> list[str]:
    """The ids in the order in which they were shown; none where no list was."""
    return [session_id for session_id, _ in _kept()]


def kept_logs() -> dict[str, str]:
    """The log of each session of the list that lies where nobody looks by himself, by its id."""
    return {session_id: log for session_id, log in _kept() if log}


def _kept() -> list[tuple[str, str]]:
    try:
        found = json.loads(read_private(os.path.join(places().state_dir, _NAME), most=_MOST_BYTES))
    except (OSError, ClientError, ValueError):
        return []
    rows = [[each, ""] if isinstance(each, str) else each for each in found] if isinstance(found, list) else []
    return [
        (row[0], row[1])
        for row in rows
        if isinstance(row, list) and len(row) == 2 and all(isinstance(part, str) for part in row)
    ]
