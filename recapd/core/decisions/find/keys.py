"""What a decision is about: the names, places and values in it, by which a later one is seen to change it."""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.find.content import names_of

# A value that something has: "limit to 20", "port 5173", "timeout = 3s", "v2.1".
_VALUE_RE: Final = re.compile(r"(?<![\w.#/-])v?\d+(?:[.:]\d+)*(?:%|px|ms|s|kb|mb|gb|k)?(?![\w/-])", re.IGNORECASE)
_QUOTED_RE: Final = re.compile(r"[\"“«「『]([^\"”»」』\n]{2,60})[\"”»」』]")
_MAX_KEYS: Final = 16
_MAX_KEY_CHARS: Final = 80


def keys_of(text: str) -> tuple[str, ...]:
    """Names first, then what stands in quotation marks, then values; each once, in a fixed order."""
    names = sorted(name.rstrip(".,:;") for name in names_of(text))
    quoted = _QUOTED_RE.findall(text)
    values = _VALUE_RE.findall(text)
    found = dict.fromkeys(key for key in (*names, *quoted, *values) if 0 < len(key) <= _MAX_KEY_CHARS)
    return tuple(found)[:_MAX_KEYS]
