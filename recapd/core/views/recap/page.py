"""A page within its budget: parts that are dropped in a fixed order when room is short, folded where that is wanted.

Owns: how parts are put together, and the fold. Must not know: what parts say.
A budget is counted in the tokens that the answer names, those of the dearest family: a page is read by people first,
and nothing breaks where one tokenizer finds a token more.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from recapd.core.hygiene import escape_html
from recapd.core.text import PAGE_HEADS, Part, drop_to_fit, estimate_tokens, fit_tokens
from recapd.core.views.recap.view import Section, merged


class Block(Part, frozen=True):
    """A part that was written from statements; it has none where it says nothing of the session."""

    section: Section | None = None


class Page(Struct, frozen=True):
    """A head and the parts below it, in the order in which they are read."""

    head: str
    parts: tuple[Block, ...]
    separator: str = "\n"


class Written(Struct, frozen=True):
    """A page as it is read, and the sections that it tells."""

    text: str
    sections: tuple[Section, ...]


def head_of(name: str, turn: int) -> str:
    """The first line of a page; where nobody asked anything but by commands, there are no turns to count."""
    return f"{PAGE_HEADS[name]} (turn {turn})" if turn else PAGE_HEADS[name]


def write(page: Page, *, max_tokens: int, collapsible: bool) -> Written:
    """The page with as many of its parts as there is room for; folded only where the whole fold has room."""
    if collapsible:
        room = room_below(page.head, max_tokens=max_tokens, collapsible=True)
        if room >= 0:
            body, kept = _within(page, room)
            return _written(_folded(page.head, body), kept)
    room = room_below(page.head, max_tokens=max_tokens, collapsible=False)
    body, kept = _within(page, room) if room > 0 else ("", [])
    most_needed = min(page.parts, key=lambda part: part.rank, default=None)
    if most_needed is not None and most_needed.rank == 0 and most_needed.text not in body:
        # Too little room for the head and what matters most: the head says nothing by itself.
        return _written(cut(most_needed.text, max_tokens), [most_needed])
    if not body:
        return _written(fit_tokens(page.head, max_tokens), [])
    return _written(f"{page.head}{_gap(body)}{body}", kept)


def _written(text: str, parts: Sequence[Block]) -> Written:
    return Written(text, merged(part.section for part in parts if part.section is not None))


def room_below(head: str, *, max_tokens: int, collapsible: bool) -> int:
    """What the head leaves of the budget. Lines add up (see tokens), and 1 is for rounding."""
    # A break costs most behind a letter, and the body may end in one.
    frame = _folded(head, "x") if collapsible else f"{head}\n\n"
    return max_tokens - estimate_tokens(frame) - 1


def _within(page: Page, room: int) -> tuple[str, list[Block]]:
    """The parts in their order, without those of highest rank that do not fit; the last one left is cut."""
    kept = drop_to_fit(page.parts, lambda some: _tokens(some, page.separator) <= room)
    if len(kept) == 1 and _tokens(kept, page.separator) > room:
        return cut(kept[0].text, room), kept
    return page.separator.join(part.text for part in kept), kept


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
