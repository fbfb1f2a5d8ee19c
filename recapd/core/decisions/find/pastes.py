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
# A block of code or output that begins or ends within a line.
_FENCED_RE: Final = re.compile(r"```[^`]*```")
# A message that is nothing but the name of a command.
_COMMAND_RE: Final = re.compile(r"\s*/[\w:.-]+\s*\Z")
# What somebody wrote about code, to nobody: so a review begins, it names things of code, has no "I" and no "you", and
# lays nothing down.
_PARAGRAPH_RE: Final = re.compile(r"[^\n]+(?:\n[^\n]+)*")
_REVIEWS_RE: Final = re.compile(
    r"(?:the|this|these|there|when|while|for|in|if|an?|both|since|because|after|before|currently|missing|although)\s",
    re.IGNORECASE,
)
_CODED_RE: Final = re.compile(r"[a-z0-9][A-Z]\w|\w_\w|\w\(\)|\blines? \d")
_SPEAKS_RE: Final = re.compile(
    r"(?<!\w)(?:i|i['’]\w+|we|we['’]\w+|you|you['’]\w+|u|my|our|your|me|us|let['’]?s|please|pls)(?!\w)", re.IGNORECASE
)
_LAYS_DOWN_RE: Final = re.compile(r"\b(?:must|shall|(?:has|have) to|should (?:always|never|only))\b", re.IGNORECASE)
_REVIEW_WORDS: Final = 20
_REVIEW_NAMES: Final = 2


def own_units(text: str) -> tuple[list[Unit], float]:
    """Units of a message that the human may have written, and their share of the message."""
    if _COMMAND_RE.match(text):
        return [], 0.0
    units = units_of(_without_fenced(_without_tagged(text)))
    reviews = _reviews_in(text)
    own = [
        unit
        for unit in units
        if unit.marker != "quote" and not unit.is_table and not any(at <= unit.start < end for at, end in reviews)
    ]
    chars = sum(len(unit.text) for unit in own)
    return own, chars / max(1, len(text.strip()))


def _reviews_in(text: str) -> list[tuple[int, int]]:
    """Where paragraphs tell of code and speak to nobody; what goes on with one in the same voice belongs to it."""
    found: list[tuple[int, int]] = []
    was_review = False
    for paragraph in _PARAGRAPH_RE.finditer(text):
        words = paragraph[0].strip()
        is_prose = len(words.split()) >= _REVIEW_WORDS and words.endswith(".") and words[0].isupper()
        is_begun = _REVIEWS_RE.match(words) is not None and len(_CODED_RE.findall(words)) >= _REVIEW_NAMES
        is_to_somebody = _SPEAKS_RE.search(words) or _LAYS_DOWN_RE.search(words)
        was_review = is_prose and (is_begun or was_review) and not is_to_somebody
        if was_review:
            found.append(paragraph.span())
    return found


def _without_fenced(text: str) -> str:
    """What stands between fences is blanked, wherever in a line they stand."""
    return _FENCED_RE.sub(lambda fenced: _blank(len(fenced[0])), text) if "```" in text else text


def _blank(chars: int) -> str:
    """As long as what it stands for, a line by itself, and nothing that what stands around it may go on over."""
    return "\n" + "\0" * (chars - 2) + "\n"


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
            pieces += (text[done : opening.start()], _blank(later[at] - opening.start()))
            done = later[at]
    return "".join((*pieces, text[done:]))


def looks_pasted(unit: Unit) -> bool:
    return bool(_LOG_LINE_RE.match(unit.text))
