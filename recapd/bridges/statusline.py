"""`recapd statusline`: a line for Claude Code's status line: how far this session is, and whether another needs you."""

from __future__ import annotations

import os

from recapd.bridges.deadline import end
from recapd.bridges.quick import LONGEST_S, ask_all, read_input
from recapd.client.find import reach_bare
from recapd.client.paths import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recapd.bridges.quick import Json


def run() -> int:
    """Prints nothing where nothing is known; never fails, never waits long."""
    try:
        given = read_input()
        line = _line(given) if isinstance(given, dict) else ""
        if line:
            os.write(1, line.encode() + b"\n")
    except Exception:
        # Nothing of ours is worth an error on somebody's screen.
        end()
    end()


def _line(given: Json) -> str:
    session = str(given.get("session_id") or "")
    reached = reach_bare(places(), timeout_s=LONGEST_S)
    if reached is None or not session:
        return ""
    cwd = given.get("cwd")
    asked: list[tuple[str, Json]] = [
        (
            "decisions/list",
            {"session": {"agent": "claude-code", "agentSessionId": session}, "status": "active", "limit": 1},
        ),
        ("session/list", {"idPrefix": session, "limit": 1}),
        ("session/overview", {"workspace": cwd, "limit": 5} if isinstance(cwd, str) else {"limit": 5}),
    ]
    decisions, listed, overview = ask_all(reached[1], asked, wait_for=len(asked))
    parts: list[str] = []
    rows = listed.get("sessions") if isinstance(listed, dict) else None
    if rows and rows[0].get("turns"):
        parts.append(f"turn {rows[0]['turns']}")
    if isinstance(decisions, dict) and decisions.get("total"):
        total = decisions["total"]
        parts.append(f"{total} decision{'s' if total > 1 else ''}")
    others = [
        row
        for row in (overview.get("sessions") or () if isinstance(overview, dict) else ())
        # One that was left with an open question waits for nobody any more.
        if row.get("state") == "waiting" and row.get("needs") != "nothing" and not str(row.get("id")).endswith(session)
    ]
    if others:
        needing = "another session needs you" if len(others) == 1 else f"{len(others)} other sessions need you"
        parts.append(needing)
    return " · ".join(parts)
