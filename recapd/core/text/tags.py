"""Texts of a log between tags, as data: joined and never formatted, so braces, dollar signs and placeholders in them
mean nothing. A tag inside a text is broken up, so no text ends the data early or begins another part.
"""

from __future__ import annotations

from collections.abc import Sequence

from recapd.core import late_re as re

_BROKEN = "<\u200b"


def tagged(tag: str, text: str, tags: Sequence[str]) -> str:
    """`text` as the data called `tag`; `tags` are all that the same prompt has."""
    return "".join((f"<{tag}>\n", _tag_re(tags).sub(_BROKEN, text), f"\n</{tag}>"))


def _tag_re(tags: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"</?(?=\s*(?:{'|'.join(map(re.escape, tags))})\b)", re.IGNORECASE)
