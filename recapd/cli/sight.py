"""`recapd` alone: what needs you, then the latest sessions. Starts as fast as Python does: the daemon has the rows."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from functools import partial

from recapd.cli.ids import text_of
from recapd.cli.quick import ask_quickly
from recapd.cli.rows import needs_you, write_rows
from recapd.cli.terminal import paint, screen_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recapd.cli.rows import Row

_LATEST = 8
_MOST_ROWS = 50


def show_sight() -> int:
    """The exit code; where nothing is known yet, what to do first."""
    rows, total = _rows()
    if not rows:
        sys.stdout.write(
            "No session logs on this machine yet. See what recapd does with: recapd demo\nAll commands: recapd --help\n"
        )
        return 0
    from recapd.cli.last_list import keep_list

    rows = rows[: max(_LATEST, sum(map(needs_you, rows)))]
    keep_list([text_of(row, "id") for row in rows])
    width = screen_size()[0] if sys.stdout.isatty() else None
    lines = write_rows(rows, now=datetime.now(UTC), width=width, paint=partial(paint, sys.stdout))
    waiting = sum(map(needs_you, rows))
    head = f"{waiting} need{'s' if waiting == 1 else ''} you" if waiting else "Nothing needs you"
    sys.stdout.write(paint(sys.stdout, head, "1;33" if waiting else "1") + "\n")
    for number, line in enumerate(lines):
        if number == waiting:
            sys.stdout.write(("\n" if waiting else "") + paint(sys.stdout, "Latest sessions", "1") + "\n")
        sys.stdout.write(line + "\n")
    more = f"{total - len(rows)} more: recapd sessions · " if total > len(rows) else ""
    sys.stdout.write(
        paint(sys.stdout, f"\n{more}one of them: recapd recap 1 · live: recapd top · recapd --help", "2") + "\n"
    )
    sys.stdout.flush()
    return 0


def _rows() -> tuple[list[Row], int]:
    """Those that need somebody first, then the latest. From the daemon; without one, from the logs."""
    answer = ask_quickly("session/overview", {"limit": _MOST_ROWS})
    if answer is None:
        import msgspec

        from recapd.cli.answers import answer_somewhere

        answer = msgspec.json.decode(answer_somewhere("session/overview", b'{"limit":%d}' % _MOST_ROWS))
    assert isinstance(answer, dict)
    return list(answer["sessions"]), int(answer["total"])
