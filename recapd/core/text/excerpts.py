"""Excerpts of log text as the state keeps them: one line, bounded, clean, without secrets.

Secrets go before the text is cut: half a key no longer looks like one.
"""

from __future__ import annotations

from functools import lru_cache

from recapd.core.giving_up import look_up
from recapd.core.hygiene import clean
from recapd.core.secrets import redact
from recapd.core.text.cut import one_line

# Read this many times the limit before cleaning: whitespace, escapes and markup shrink, and a secret at the cut
# is still seen whole.
_READ_AHEAD = 4
_LEAST_READ = 1_000
# No token is shorter.
_LEAST_SECRET = 20
# An answer about a session that went on says mostly what the one before said: some 300 to 700 short texts, and the
# paths of 100 files. So many are the answers of a handful of sessions. Long texts are not worth their room.
_REMEMBERED, _REMEMBERED_CHARS = 4_096, 600
_REMEMBERED_PATHS = 1_024


def excerpt(text: str, limit: int) -> str:
    return one_line(presentable(text[: max(limit * _READ_AHEAD, _LEAST_READ)]), limit)


@lru_cache(maxsize=_REMEMBERED_PATHS)
def presentable_path(path: str) -> str:
    """A path as it may be shown: a name that is a secret as a whole goes, though digests in paths look alike."""
    shown = presentable(path)
    if len(path) < _LEAST_SECRET:
        return shown
    return "/".join(redact(part) if len(part) >= _LEAST_SECRET else part for part in shown.split("/"))


def presentable(text: str) -> str:
    """Log text as it may be shown or stored: without control characters and secrets."""
    look_up()
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else redact(clean(text))


@lru_cache(maxsize=_REMEMBERED)
def _remembered(text: str) -> str:
    return redact(clean(text)) if text else text
