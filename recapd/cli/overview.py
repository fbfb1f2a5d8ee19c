"""`recapd overview`: what every session here is at, those that wait for you first."""

from __future__ import annotations

import argparse
import os

import msgspec

from recapd.cli.answers import ask
from recapd.cli.commands import print_json, show_rows
from recapd.cli.nothing import NO_SESSIONS
from recapd.cli.terminal import tell
from recapd.wire.types import SessionOverviewParams, SessionOverviewResult


def overview_command(args: argparse.Namespace) -> int:
    workspace = None if args.all else os.path.abspath(args.folder or os.curdir)
    params = SessionOverviewParams(workspace=workspace, limit=max(1, min(args.limit, 200)))
    result = ask("session/overview", params, SessionOverviewResult, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    if not result.sessions:
        tell(f"recapd: {_why_none(workspace)}")
        return 1
    show_rows([msgspec.to_builtins(row) for row in result.sessions])
    if result.total > len(result.sessions):
        tell(f"… and {result.total - len(result.sessions)} more; see them with --limit {result.total}")
    return 0


def _why_none(workspace: str | None) -> str:
    if workspace is None:
        return NO_SESSIONS
    what = "No session in" if os.path.isdir(workspace) else "There is no folder"
    return f"{what} {workspace}; see all with: recapd overview --all"
