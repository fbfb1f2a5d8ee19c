"""What in a human's message is the human's own: not logs, code, documents and reviews pasted into it."""

from __future__ import annotations

import re
from typing import Final

from recapd.core.decisions.find.units import Unit, units_of

_TAGGED_RE: Final = re.compile(
    r"<(ide_\w+|system-reminder|context|file|document|attachments?|selection|pasted\w*)\b[^>]*>.*?</\1>", re.DOTALL
)
_LOG_LINE_RE: Final = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\[\w+\]\s|at \S+ ?\(|File \"|Traceback|\$ |> |>>> |[+-]{3} |@@ |"
    r"diff --git|\S+:\d+:\d+|"
    r"(?:npm|error|warning|info|debug|err|warn)\b[:!\s]|\{|\}|\[|\]|<\/?\w|\w+\s*=\s|import |from \S+ import|"
    r"const |let |var |def |class |function |#include|//|\* |=====|-----|│|├|└)",
    re.IGNORECASE,
)


def own_units(text: str) -> tuple[list[Unit], float]:
    """Units of a message that the human may have written, and their share of the message."""
    blanked = _TAGGED_RE.sub(lambda tagged: "\n" + " " * (len(tagged[0]) - 1), text)
    units = units_of(blanked)
    own = [unit for unit in units if unit.marker != "quote" and not unit.is_table]
    chars = sum(len(unit.text) for unit in own)
    return own, chars / max(1, len(text.strip()))


def looks_pasted(unit: Unit) -> bool:
    return bool(_LOG_LINE_RE.match(unit.text))
