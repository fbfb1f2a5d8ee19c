"""`recapd overview`: what every session here is at, those that need you first."""

from __future__ import annotations

import argparse
import os

import msgspec

from recapd.cli.answers import ask
from recapd.cli.commands import check_counts, print_json, show_rows
from recapd.cli.nothing import NO_SESSIONS
from recapd.cli.terminal import below_home, tell, tell_failure
from recapd.wire.types import SessionOverviewParams, SessionOverviewResult


def overview_command(args: argparse.Namespace) -> int:
    check_counts(args, "limit")
    workspace = None if args.all else os.path.abspath(args.folder or os.curdir)
    params = SessionOverviewParams(workspace=workspace, limit=min(args.limit, 200))
    result = ask("session/overview", params, SessionOverviewResult, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    if not result.sessions:
        tell_failure("recapd", _why_none(workspace, use_daemon=not args.no_daemon))
        return 1
    show_rows([msgspec.to_builtins(row) for row in result.sessions])
    if result.total > len(result.sessions):
        tell(f"… and {result.total - len(result.sessions)} more; see them with --limit {result.total}")
    return 0


def _why_none(workspace: str | None, *, use_daemon: bool) -> str:
    if workspace is not None and not os.path.isdir(workspace):
        return f"There is no folder {below_home(workspace)}; see all with: recapd overview --all"
    anywhere = SessionOverviewParams(limit=1)
    if workspace is None or not ask("session/overview", anywhere, SessionOverviewResult, use_daemon=use_daemon).total:
        return NO_SESSIONS
    return f"No session in {below_home(workspace)}; see all with: recapd overview --all"
