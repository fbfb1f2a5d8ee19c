"""What a document that an agent writes states outright as decided, by its form and not by its words.

    ## Decision            the first sentence below it, or each item
    **Decision:** …        the rest of the line
    ### Selected store: X  the heading itself
    ## Out of scope        its items together, told with the heading; so with what always holds

Owns: which lines of which files these are. Must not know who reads them, nor what was done about it.
What an agent keeps for itself (a memory, a rule sheet) says again what was decided elsewhere.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re

_DOCUMENT_RE: Final = re.compile(r"\.(?:md|mdx|markdown|txt|rst|adoc)$", re.IGNORECASE)
_KEPT_RE: Final = re.compile(r"memor|(?:^|[/\\])(?:claude|agents|gemini|readme|changelog|skill)\b", re.IGNORECASE)
_HEADING_RE: Final = re.compile(r"#{1,6}\s+(?:[\d.)]+\s+)?(?P<words>\S.*?)[\s#]*$")
_ITEM_RE: Final = re.compile(r"(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?(?P<words>\S.*?)\s*$")
_DECISION: Final = (
    r"(?:(?:final|key|design|architecture|architectural|resolved|technical)\s)?(?:decisions?|decided)|决定|决策|最终决定|"
    r"решени[ея]|décisions?|decisi[oó]n(?:es)?|entscheidung(?:en)?|decis(?:ão|ões)|decision[ei]|결정|決定(?:事項)?"
)
# A line that is headed as a decision.
_STATED_RE: Final = re.compile(rf"[*_>\s]*(?:{_DECISION})[*_]*\s?[:：][*_]*\s*(?P<words>\S.*?)\s*$", re.IGNORECASE)
# "Selected strategy: X", "Chosen approach: X", as a heading.
_CHOSEN_RE: Final = re.compile(
    r"(?:selected|chosen|gewählte\w*|choisie?|elegid[ao]|escolhid[ao]|выбранн\w+|选定|采用)[^:：]{0,40}[:：]\s*\S",
    re.IGNORECASE,
)
_DECIDED_RE: Final = re.compile(rf"(?:{_DECISION})(?:\s(?:made|log))?$", re.IGNORECASE)
# What is below them is told with them.
_BOUND_RE: Final = re.compile(
    r".{0,24}?\b(?:out of scope|non-?goals?|not in scope|what we are not (?:doing|building)|won't do|"
    r"(?:non-negotiable |hard |key |design )?(?:invariants|constraints)|non-negotiables?|"
    r"nicht im umfang|nicht-?ziele|hors périmètre|fuera de alcance|fora do escopo|вне рамок|ограничения)\b.{0,16}$"
    r"|(?:非目标|不在范围|范围之外|约束|対象外|制約|제외|범위 밖|제약).{0,6}$",
    re.IGNORECASE,
)
_FENCE: Final = ("```", "~~~")
# A place that nobody filled in: the document is a form.
_BLANK_RE: Final = re.compile(r"\{\{|\[[A-Za-z][^\]\n]{2,60}\](?!\()|<[a-z][a-z _-]{2,40}>|\bTBD\b|^\W*$")
_MARKS_RE: Final = re.compile(r"[*_`]{1,3}")
# Most of one document; characters of one that stands alone, of one in a list, and of the document that is read.
_MOST: Final = 12
_LEAST_CHARS: Final = 12
_LEAST_LISTED: Final = 4
_MOST_CHARS: Final = 300
_READ_CHARS: Final = 60_000
# A list is told in so many.
_TOLD_CHARS: Final = 200


def decided_in(path: str, text: str) -> tuple[tuple[str, str], ...]:
    """In the order of the document: exact words of it, and how they are told."""
    if not _DOCUMENT_RE.search(path) or _KEPT_RE.search(path):
        return ()
    found: list[tuple[str, str]] = []
    # What is open for the lines that follow: nothing, what was decided, or what they are told with.
    is_below, heading, is_code = False, "", False
    for raw in text[:_READ_CHARS].split("\n"):
        line = raw.strip()
        if line.startswith(_FENCE):
            is_code = not is_code
        if is_code or not line or len(found) >= _MOST:
            continue
        head = _HEADING_RE.match(line) if line[0] == "#" else None
        if head is not None:
            words = _MARKS_RE.sub("", head["words"])
            is_below = _DECIDED_RE.match(words) is not None
            heading = words if _BOUND_RE.match(words) else ""
            if _CHOSEN_RE.match(words):
                found += _written(head["words"])
            continue
        if not (is_below or heading or ":" in line or "：" in line):
            # Most lines stand below nothing, and head nothing.
            continue
        item = _ITEM_RE.match(line)
        words = item["words"] if item is not None else line
        stated = _STATED_RE.match(words)
        is_listed = item is not None and raw[:1] not in " \t"
        if stated is not None:
            found += _written(stated["words"])
        elif is_listed and heading and _is_whole(words, _LEAST_LISTED):
            if found and found[-1][1].startswith(f"{heading}: "):
                found[-1] = found[-1][0], _with_item(found[-1][1], words)
            else:
                found.append((words, f"{heading}: {words}"))
        elif (is_listed or item is None) and is_below and not line.startswith(("|", ">", "<")):
            found += _written(words)
            is_below = is_listed
    return tuple(found)


def _written(words: str) -> list[tuple[str, str]]:
    return [(words, words)] if _is_whole(words, _LEAST_CHARS) else []


def _is_whole(words: str, least: int) -> bool:
    return (
        least <= len(words) <= _MOST_CHARS
        and not words.endswith((":", "：", "?", "？"))
        and not _BLANK_RE.search(words)
    )


def _with_item(told: str, words: str) -> str:
    """Items as long as they fit whole."""
    longer = f"{told.rstrip('.;')}; {words}"
    return longer if len(longer) <= _TOLD_CHARS else told
