"""`recapd` alone: what needs you, then the latest sessions. Starts as fast as Python does: the daemon has the rows."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from functools import partial

from recapd.cli.ids import text_of
from recapd.cli.quick import ask_quickly
from recapd.cli.rows import NEEDING, needs_you, write_rows
from recapd.cli.terminal import COMMAND_COLOUR, columns_of, cut_to, paint, screen_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recapd.cli.rows import Row

_LATEST = 8
_FEWEST = 3
_MOST_NEEDING = 50


def show_sight() -> int:
    """The exit code; where nothing is known yet, what to do first."""
    needing, latest, total = _rows()
    rows = [*needing, *latest]
    if not rows:
        from recapd.cli.nothing import NO_SESSIONS
        from recapd.cli.terminal import fill

        sys.stdout.write(f"{fill(sys.stdout, NO_SESSIONS)}\n{fill(sys.stdout, 'All commands: recapd --help')}\n")
        return 0
    from recapd.cli.last_list import keep_list

    keep_list([text_of(row, "id") for row in rows])
    width = screen_size()[0] if sys.stdout.isatty() else None
    # On a terminal what is asked has a line of its own: it is what somebody comes for.
    asked = [" ".join(text_of(row, "question").split()) if width else "" for row in needing]
    listed = [{**row, "question": ""} if question else row for row, question in zip(needing, asked, strict=True)]
    lines = write_rows([*listed, *latest], now=datetime.now(UTC), width=width, paint=partial(paint, sys.stdout))
    for number, question in enumerate(asked):
        lines[number] += f"\n   {cut_to(question, (width or 0) - 3)}" if question else ""
    head = f"{len(needing)} need{'s' if len(needing) == 1 else ''} you" if needing else "Nothing needs you"
    parts = ["\n".join((paint(sys.stdout, head, NEEDING if needing else "1"), *lines[: len(needing)]))]
    if latest:
        parts.append("\n".join((paint(sys.stdout, "Latest sessions", "1"), *lines[len(needing) :])))
    more = [f"{total - len(rows)} more: recapd sessions"] if total > len(rows) else []
    hints = [*more, "one of them: recapd recap 1", "live: recapd top", "all commands: recapd --help"]
    parts.append("\n".join(write_hints(hints, width)))
    sys.stdout.write("\n\n".join(parts) + "\n")
    sys.stdout.flush()
    return 0


def write_hints(hints: Sequence[str], width: int | None) -> list[str]:
    """On one line, or on as many as the width asks for."""
    lines = [[hints[0]]]
    for hint in hints[1:]:
        if width is None or columns_of(" · ".join((*lines[-1], hint))) <= width:
            lines[-1].append(hint)
        else:
            lines.append([hint])
    return [paint(sys.stdout, " · ", "2").join(map(_painted, line)) for line in lines]


def _painted(hint: str) -> str:
    what, _, command = hint.partition(": ")
    return paint(sys.stdout, f"{what}: ", "2") + paint(sys.stdout, command, COMMAND_COLOUR)


def _rows() -> tuple[list[Row], list[Row], int]:
    """Those that need somebody, the latest others, and how many there are. From the daemon; without one, from the
    logs."""
    questions: tuple[tuple[str, dict[str, object]], ...] = (
        ("session/overview", {"limit": _MOST_NEEDING}),
        # Some of them may be among those above, or have no turn yet.
        ("session/list", {"limit": 3 * _LATEST}),
    )
    answers = ask_quickly(*questions)
    if not answers or not _sessions_of(answers[-1]):
        # There is no daemon, or an agent may have written its first log just now, and it has yet to look.
        answers = [_answered_here(*question) for question in questions]
    overview, listed = answers
    assert isinstance(overview, dict) and isinstance(listed, dict)
    needing = [row for row in overview["sessions"] if needs_you(row)]
    known = {text_of(row, "id") for row in needing}
    # Rows of the overview say more; those of sessions in which nobody spoke yet are in neither.
    told = {text_of(row, "id"): row for row in overview["sessions"]}
    latest = [told.get(text_of(row, "id"), row) for row in listed["sessions"] if row.get("turns") != 0]
    latest = [row for row in latest if text_of(row, "id") not in known]
    # As many as `recapd sessions` has, those without a turn too; a daemon of an older version does not count them.
    total = int(listed.get("total") or overview["total"])
    return needing, latest[: max(_LATEST - len(needing), _FEWEST)], total


def _sessions_of(answer: object) -> object:
    return answer.get("sessions") if isinstance(answer, dict) else None


def _answered_here(method: str, params: dict[str, object]) -> object:
    import json

    from recapd.cli.answers import answer_somewhere

    return json.loads(answer_somewhere(method, json.dumps(params).encode(), use_daemon=False))
