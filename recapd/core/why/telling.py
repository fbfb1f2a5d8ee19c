"""What is told of the turn that wrote a line: what held then, and the answer in three lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from recapd.core.hygiene import escape_markdown
from recapd.core.text import one_line

if TYPE_CHECKING:
    # Who only reads edits off logs takes this door too, and judges nothing.
    from recapd.core.decisions import Entry

MOST_DECISIONS: Final = 5
_REQUEST_CHARS: Final = 160


def decisions_in_force(entries: Sequence[Entry], *, turn: int, path: str) -> list[Entry]:
    """Of a ledger what held in a turn, the decisions of that turn and those that name the file first, then the latest.

    What was replaced, taken back or dismissed only later held then; what is uncertain is not told.
    """
    turn_of = {entry.id: entry.turn for entry in entries}
    name = path.rpartition("/")[2].lower()

    def held(entry: Entry) -> bool:
        if entry.turn > turn or entry.verdict == "dismissed" or entry.status in ("tentative", "abandoned"):
            return False
        if entry.status == "active":
            return True
        return turn_of.get(entry.superseded_by, 0) > turn

    def is_about(entry: Entry) -> bool:
        return name in entry.finding.text.lower() or name in entry.finding.quote.lower()

    return sorted(
        (entry for entry in entries if held(entry)),
        key=lambda entry: (entry.turn == turn, is_about(entry), entry.turn),
        reverse=True,
    )


def write_answer(
    *, turn: int, agent: str, title: str, at: str, request: str, decided: Sequence[str], total: int
) -> str:
    """At most three lines of Markdown: whose turn it was, what was asked, what had been decided."""
    parts = (f"**turn {turn}**", escape_markdown(agent), _minute(at), escape_markdown(title))
    head = " · ".join(part for part in parts if part)
    lines = [head]
    if request:
        lines.append(f"Asked: {escape_markdown(one_line(request, _REQUEST_CHARS))}")
    if decided:
        more = f" (and {total - 1} more)" if total > 1 else ""
        lines.append(f"Decided: {escape_markdown(decided[0])}{more}")
    # Two spaces end a line within a paragraph.
    return "  \n".join(lines)


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
