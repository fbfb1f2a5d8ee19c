"""The list that was shown last, so that the next command can name a session by its number in it."""

from __future__ import annotations

import json
import os

from recapd.client.errors import ClientError
from recapd.client.paths import places
from recapd.client.private import make_private, read_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NAME = "last-list.json"
_MOST_BYTES = 256 << 10


def keep_list(ids: Sequence[str]) -> None:
    """For the next command. A list that cannot be kept was shown all the same."""
    folder = places().state_dir
    made = os.path.join(folder, f"{_NAME}.{os.getpid()}")
    try:
        make_private(folder, variable="RECAPD_STATE_DIR")
        descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(list(ids), file)
        os.replace(made, os.path.join(folder, _NAME))
    except (OSError, ClientError, ValueError):
        return


def kept_list() -> list[str]:
    """The ids in the order in which they were shown; none where no list was."""
    try:
        found = json.loads(read_private(os.path.join(places().state_dir, _NAME), most=_MOST_BYTES))
    except (OSError, ClientError, ValueError):
        return []
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
