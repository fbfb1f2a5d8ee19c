"""What in a human's message is the human's own: not logs, code, documents and reviews pasted into it."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.find.units import Unit, units_of

_TAG: Final = r"(ide_\w{1,80}|system-reminder|context|file|document|attachments?|selection|pasted\w{0,80})"
_OPENING_RE: Final = re.compile(rf"<{_TAG}\b[^<>]*>")
_CLOSING_RE: Final = re.compile(rf"</{_TAG}>")
_LOG_LINE_RE: Final = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\[\w+\]\s|at \S+ ?\(|File \"|Traceback|\$ |> |>>> |[+-]{3} |@@ |"
    r"diff --git|\S+:\d+:\d+|"
    r"\(\w+\) (?:PS )?\S+[>$#]|[●✗✘⎿]|usage: \S|[\w./-]+: (?:error|fatal|warning): |(?:fatal|panic|exception): |"
    r"(?:npm|error|warning|info|debug|err|warn)\b[:!\s]|\{|\}|\[|\]|<\/?\w|\w+\s*=\s|import |from \S+ import|"
    r"(?:const|let|var) \w+\s*=|def |class \w+\s*[:({]|function |#include|//|\* |=====|-----|│|├|└)",
    re.IGNORECASE,
)


def own_units(text: str) -> tuple[list[Unit], float]:
    """Units of a message that the human may have written, and their share of the message."""
    units = units_of(_without_tagged(text))
    own = [unit for unit in units if unit.marker != "quote" and not unit.is_table]
    chars = sum(len(unit.text) for unit in own)
    return own, chars / max(1, len(text.strip()))


def _without_tagged(text: str) -> str:
    """What stands between tags is blanked, and everything else stays where it is. In one pass: a text may open a
    thousand tags and close none."""
    ends: dict[str, list[int]] = {}
    for closing in _CLOSING_RE.finditer(text):
        ends.setdefault(closing[1], []).append(closing.end())
    pieces: list[str] = []
    done = 0
    for opening in _OPENING_RE.finditer(text) if ends else ():
        later = ends.get(opening[1], [])
        at = bisect_right(later, opening.end())
        if opening.start() >= done and at < len(later):
            pieces += (text[done : opening.start()], "\n", " " * (later[at] - opening.start() - 1))
            done = later[at]
    return "".join((*pieces, text[done:]))


def looks_pasted(unit: Unit) -> bool:
    return bool(_LOG_LINE_RE.match(unit.text))
