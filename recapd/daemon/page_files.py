"""Pages that an editor without an extension shows as files: the user's own, replaced at every showing."""

from __future__ import annotations

import os
import re

from recapd.client.errors import NotPrivate
from recapd.client.paths import places
from recapd.client.private import make_private
from recapd.daemon.atomic import opened_folder, replace_file

_FOLDER = "pages"
_ODD = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_CHARS = 80


def write_page(name: str, markdown: str) -> str | None:
    """The path of a file with this page; None where nothing can be written."""
    try:
        folder = make_private(os.path.join(places().state_dir, _FOLDER), variable="RECAPD_STATE_DIR")
        file = f"{_ODD.sub('-', name)[:_NAME_CHARS].strip('.-') or 'page'}.md"
        with opened_folder(folder) as opened:
            replace_file(opened, file, markdown.encode("utf-8", "replace"))
    except (OSError, NotPrivate):
        return None
    return os.path.join(folder, file)
