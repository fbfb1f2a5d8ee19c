"""The edits in an answer of aider's model: a file's name on a line of its own, then its text or changes in a fence.

They are work, not words to the human, and aider reports them again when it has applied them.
"""

from __future__ import annotations

# aider picks, for each answer, a fence that none of the files contains.
_FENCES = {
    "```": "```",
    "````": "````",
    "<source>": "</source>",
    "<code>": "</code>",
    "<pre>": "</pre>",
    "<codeblock>": "</codeblock>",
    "<sourcecode>": "</sourcecode>",
}
_OPENINGS = tuple(_FENCES)
_CHANGE = "<<<<<<< SEARCH"
_LONGEST_NAME = 250


def without_listings(text: str) -> str:
    """The text without its edits; the very same text where there are none."""
    if not any(opening in text for opening in _OPENINGS):
        return text
    lines = text.split("\n")
    closings = _closing_rows(lines)
    kept: list[str] = []
    row = 0
    while row < len(lines):
        end = _listing_end(lines, row, closings)
        if end is None:
            kept.append(lines[row])
            row += 1
            continue
        if kept and _is_name(kept[-1]):
            kept.pop()
        row = end + 1
    return text if len(kept) == len(lines) else "\n".join(kept)


def _closing_rows(lines: list[str]) -> dict[str, list[int]]:
    """Rows that close a fence, last first: each is looked at once, so the cost stays linear."""
    rows: dict[str, list[int]] = {closing: [] for closing in _FENCES.values()}
    for row in range(len(lines) - 1, -1, -1):
        found = rows.get(lines[row].strip())
        if found is not None:
            found.append(row)
    return rows


def _listing_end(lines: list[str], row: int, closings: dict[str, list[int]]) -> int | None:
    """The last row of the listing whose fence opens at `row`."""
    opening = _opening(lines[row])
    if opening is None:
        return None
    is_change = row + 1 < len(lines) and lines[row + 1].startswith(_CHANGE)
    if not is_change and not (row and _is_name(lines[row - 1])):
        return None
    rows = closings[_FENCES[opening]]
    while rows and rows[-1] <= row:
        rows.pop()
    return rows[-1] if rows else len(lines) - 1


def _opening(line: str) -> str | None:
    if not line.startswith(_OPENINGS):
        return None
    if line.startswith("````"):
        return "````"
    # Behind the fence stands a language at most.
    return next(opening for opening in _OPENINGS if line.startswith(opening)) if len(line) < 40 else None


def _is_name(line: str) -> bool:
    """Whether a line is a file's name and nothing else."""
    name = line.strip().strip("`*#: ")
    if not name or len(name) > _LONGEST_NAME or " " in name:
        return False
    return "." in name or "/" in name or "\\" in name or name in ("Makefile", "Dockerfile", "LICENSE")
