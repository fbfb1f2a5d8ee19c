"""`recapd overview`: what every session here is at, those that wait for you first."""

from __future__ import annotations

import argparse
import os
import sys

import msgspec

from recapd.cli.answers import ask
from recapd.cli.commands import short_ids
from recapd.cli.terminal import format_table, format_time, paint
from recapd.core.views.state_words import state_word
from recapd.wire.types import OverviewRow, SessionOverviewParams, SessionOverviewResult

_COLOURS = {"waiting": "1;33", "active": "32", "interrupted": "31", "answered": "", "finished": "2"}
_TITLE_CHARS = 40


def overview_command(args: argparse.Namespace) -> int:
    workspace = None if args.all else os.path.abspath(args.folder or os.curdir)
    params = SessionOverviewParams(workspace=workspace, limit=max(1, min(args.limit, 200)))
    result = ask("session/overview", params, SessionOverviewResult, use_daemon=not args.no_daemon)
    if args.json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")
        sys.stdout.flush()
        return 0
    if not result.sessions:
        where = "on this machine" if args.all else f"in {workspace}; see all with --all"
        sys.stderr.write(f"recapd: no sessions {where}\n")
        return 1
    names = short_ids(row.id for row in result.sessions)
    lines = format_table(sys.stdout, [_cells(row, names[row.id]) for row in result.sessions]).split("\n")
    for row, line in zip(result.sessions, lines, strict=True):
        sys.stdout.write(paint(sys.stdout, line, _COLOURS.get(row.state, "")) + "\n")
    if result.total > len(result.sessions):
        sys.stderr.write(f"… and {result.total - len(result.sessions)} more; see them with --limit {result.total}\n")
    sys.stdout.flush()
    return 0


def _cells(row: OverviewRow, name: str) -> tuple[str, ...]:
    told = f"{_shortened(row.title)} — {row.detail}" if row.detail else row.title
    return (
        state_word(row.state, row.question, row.needs),
        format_time(row.last_active_at or ""),
        f"turn {row.turn}",
        name,
        told,
    )


def _shortened(title: str) -> str:
    """Room for what is waited for, which matters more than what it is about."""
    return title if len(title) <= _TITLE_CHARS else title[: _TITLE_CHARS - 1].rstrip() + "…"
