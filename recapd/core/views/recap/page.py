"""A page within its budget: parts that are dropped in a fixed order when room is short, folded where that is wanted.

Owns: how parts are put together, and the fold. Must not know: what parts say.
A budget is counted in the tokens that the answer names, those of the dearest family: a page is read by people first,
and nothing breaks where one tokenizer finds a token more.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from recapd.core.hygiene import escape_html
from recapd.core.text import Part, drop_to_fit, estimate_tokens, fit_tokens


class Page(Struct, frozen=True):
    """A head and the parts below it, in the order in which they are read."""

    head: str
    parts: tuple[Part, ...]
    separator: str = "\n"


def written(page: Page, *, max_tokens: int, collapsible: bool) -> str:
    """The page with as many of its parts as there is room for; folded only where the whole fold has room."""
    if collapsible:
        room = room_below(page.head, max_tokens=max_tokens, collapsible=True)
        if room >= 0:
            return _folded(page.head, within(page.parts, room, separator=page.separator))
    room = room_below(page.head, max_tokens=max_tokens, collapsible=False)
    body = within(page.parts, room, separator=page.separator) if room > 0 else ""
    most_needed = min(page.parts, key=lambda part: part.rank, default=None)
    if most_needed is not None and most_needed.rank == 0 and most_needed.text not in body:
        # Too little room for the head and what matters most: the head says nothing by itself.
        return cut(most_needed.text, max_tokens)
    if not body:
        return fit_tokens(page.head, max_tokens)
    return f"{page.head}{_gap(body)}{body}"


def room_below(head: str, *, max_tokens: int, collapsible: bool) -> int:
    """What the head leaves of the budget. Lines add up (see tokens), and 1 is for rounding."""
    # A break costs most behind a letter, and the body may end in one.
    frame = _folded(head, "x") if collapsible else f"{head}\n\n"
    return max_tokens - estimate_tokens(frame) - 1


def within(parts: Sequence[Part], room: int, *, separator: str) -> str:
    """The parts in their order, without those of highest rank that do not fit; the last one left is cut."""
    kept = drop_to_fit(parts, lambda some: _tokens(some, separator) <= room)
    if len(kept) == 1 and _tokens(kept, separator) > room:
        return cut(kept[0].text, room)
    return separator.join(part.text for part in kept)


def _tokens(parts: Sequence[Part], separator: str) -> int:
    return estimate_tokens(separator.join(part.text for part in parts))


def cut(text: str, room: int) -> str:
    """As much of a part as fits; a mark without its words goes too, for it would make a heading of the line above."""
    fitted = fit_tokens(text, max(room, 0))
    lines = fitted.split("\n")
    while len(lines) > 1 and not any(map(str.isalnum, lines[-1])):
        lines.pop()
    return "\n".join(lines)


def _gap(body: str) -> str:
    return "\n" if body.startswith("- ") else "\n\n"


def _folded(head: str, body: str) -> str:
    summary = escape_html(head.replace("**", "").rstrip(":"))
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"
