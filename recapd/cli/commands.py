"""The commands that read sessions. Each prints its answer on stdout and nothing else; notes go to stderr."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from recapd.cli.terminal import markdown_for, table, when
from recapd.daemon.library import Library
from recapd.server import files, recap, sessions
from recapd.server.dispatch import answer
from recapd.wire.base import SessionSelector, Wire
from recapd.wire.errors import request_failed
from recapd.wire.types import FilesListParams, RecapGetParams, SessionListParams

DEMO_LOG = Path(__file__).parent.parent / "demo" / "session.jsonl"
# `recapd files` shows all of them; the protocol pages.
_ALL_FILES = 1_000


def recap_command(args: argparse.Namespace) -> int:
    library = Library()
    selector = _selector(args.log, is_demo=args.demo)
    if selector is None and not library.newest_logs():
        sys.stderr.write("No session logs on this machine yet. This is a demo, from a built-in example session:\n\n")
        selector = SessionSelector(log=str(DEMO_LOG))
    if args.max_tokens is not None and args.max_tokens < 1:
        raise request_failed("--max-tokens must be at least 1.")
    params = RecapGetParams(
        session=selector, format=args.format, max_tokens=args.max_tokens, collapsible=args.collapsible
    )
    session = library.session(selector, None)
    result = recap.get(library, session, params)
    if args.json:
        return _print_json(result)
    _print(markdown_for(sys.stdout, result.markdown))
    if sys.stdout.isatty() and (command := library.resume_command(session)):
        _print(f"\nGo on with it: {command}")
    return 0


def files_command(args: argparse.Namespace) -> int:
    library = Library()
    selector = _selector(args.log)
    session = library.session(selector, None)
    result = files.list_(library, session, FilesListParams(session=selector, action=args.action, limit=_ALL_FILES))
    if args.json:
        return _print_json(result)
    rows = [
        (
            entry.action,
            f"{entry.touch_count}×",
            f"turn {entry.last_turn}",
            entry.path,
            _remarks(entry.failed, entry.via),
        )
        for entry in result.files
    ]
    _print(table(sys.stdout, rows) if rows else "No files were touched.")
    return 0


def sessions_command(args: argparse.Namespace) -> int:
    folders = None
    if args.folder is not None:
        folder = Path(args.folder)
        if not folder.is_dir():
            raise request_failed(f"{folder} is not a folder; to recap one log: recapd recap {folder}")
        folders = [folder]
    library = Library(folders)
    params = SessionListParams(agent=args.agent, query=args.query, limit=max(1, args.limit))
    result = sessions.list_(library, params)
    if args.json:
        return _print_json(result)
    if not result.sessions:
        where = args.folder or "the agents' log folders"
        sys.stderr.write(f"recapd: no session matches in {where}\n")
        return 1
    rows = [
        (
            when(info.last_active_at),
            info.state,
            info.agent,
            _counted(info.turns or 0, "turn"),
            info.title or "(untitled)",
        )
        for info in result.sessions
    ]
    _print(table(sys.stdout, rows))
    if result.next_cursor:
        sys.stderr.write(f"… more; see all with --limit {args.limit * 10}\n")
    return 0


def call_command(args: argparse.Namespace) -> int:
    return _print_json(answer(Library(), args.method, args.params.encode()))


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "recap": recap_command,
    "files": files_command,
    "sessions": sessions_command,
    "call": call_command,
}


def _selector(log: str | None, *, is_demo: bool = False) -> SessionSelector | None:
    """A session id looks like `agent:id` and is no file; everything else is a path."""
    if is_demo:
        return SessionSelector(log=str(DEMO_LOG))
    if log is None:
        return None
    if ":" in log and not os.path.exists(log) and "/" not in log:
        return SessionSelector(id=log)
    return SessionSelector(log=log)


def _remarks(failed: int, via: str | None) -> str:
    remarks = [f"{failed} failed"] if failed else []
    if via:
        remarks.append(f"by {via}")
    return ", ".join(remarks)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _print_json(result: Wire) -> int:
    text = msgspec.json.format(msgspec.json.encode(result), indent=2)
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.flush()
    return 0


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
