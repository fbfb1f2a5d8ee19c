"""The commands that read sessions. Each prints its answer on stdout and nothing else; notes go to stderr."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from recapd.cli.answers import answer_somewhere, ask, resume_command
from recapd.cli.terminal import format_table, format_time, render_markdown, without_marks
from recapd.client.paths import is_text
from recapd.wire.errors import SESSION_NOT_FOUND, RecapError, request_failed
from recapd.wire.types import (
    FilesListParams,
    FilesListResult,
    RecapGetParams,
    RecapGetResult,
    SessionListParams,
    SessionListResult,
    SessionSelector,
    Since,
    Wire,
)

DEMO_LOG = Path(__file__).parent.parent / "demo" / "session.jsonl"
# No agent's own ids are shorter than this: such a one is whole.
_WHOLE_ID = 32
_SHORT_ID = 8
# So many sessions are named where one was meant.
_NAMED = 5
# `recapd files` shows all of them; the protocol pages.
_ALL_FILES = 1_000


def recap_command(args: argparse.Namespace) -> int:
    if any((args.budget, args.model, args.output, args.workers)):
        from recapd.cli.summaries import digest_command

        return digest_command(args)
    if args.max_tokens is not None and args.max_tokens < 1:
        raise request_failed("--max-tokens must be at least 1.")
    if (args.at_turn is not None and args.at_turn < 1) or (args.since_turn is not None and args.since_turn < 0):
        raise request_failed("Turns are numbered from 1.")
    params = RecapGetParams(
        session=selector_of(args.log, use_daemon=not args.no_daemon, is_demo=args.demo),
        format=args.format,
        max_tokens=args.max_tokens,
        collapsible=args.collapsible,
        show_decisions=False if args.no_decisions else None,
        at_turn=args.at_turn,
        since=Since(turn=args.since_turn) if args.since_turn is not None else None,
    )
    result = _recap_or_demo(params, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    if not result.markdown.strip():
        raise request_failed(f"Nothing of a recap fits into {args.max_tokens} tokens; 50 are enough to begin with.")
    _show(result)
    return 0


def show_latest() -> int:
    """Where the most recently active session stands."""
    _show(_recap_or_demo(RecapGetParams(format="full"), use_daemon=True))
    return 0


def _recap_or_demo(params: RecapGetParams, *, use_daemon: bool) -> RecapGetResult:
    try:
        return ask("recap/get", params, RecapGetResult, use_daemon=use_daemon)
    except RecapError as error:
        if error.code != SESSION_NOT_FOUND or params.session is not None:
            raise
    sys.stderr.write("No session logs on this machine yet. This is a demo, from a built-in example session:\n\n")
    demo = msgspec.structs.replace(params, session=SessionSelector(log=str(DEMO_LOG)))
    return ask("recap/get", demo, RecapGetResult, use_daemon=use_daemon)


def _show(result: RecapGetResult) -> None:
    _print(render_markdown(sys.stdout, without_marks(result.markdown)))
    command = resume_command(result.session_id) if sys.stdout.isatty() else None
    # Most pages end with it, where it fits.
    if command and command not in result.markdown:
        _print(f"\nGo on with it: {command}")


def files_command(args: argparse.Namespace) -> int:
    params = FilesListParams(
        session=selector_of(args.log, use_daemon=not args.no_daemon), action=args.action, limit=_ALL_FILES
    )
    result = ask("files/list", params, FilesListResult, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    rows = [
        (
            entry.action if entry.touch_count else "untouched",
            f"{entry.touch_count}×",
            f"turn {entry.last_turn}",
            entry.path,
            _remarks(entry.failed, entry.via),
        )
        for entry in result.files
    ]
    none = f"No file was {args.action}." if args.action else "No files were touched."
    _print(format_table(sys.stdout, rows) if rows else none)
    return 0


def sessions_command(args: argparse.Namespace) -> int:
    params = SessionListParams(agent=args.agent, query=args.query, limit=max(1, args.limit))
    if args.folder is None:
        result = ask("session/list", params, SessionListResult, use_daemon=not args.no_daemon)
    else:
        result = _sessions_below(Path(args.folder), params)
    if args.json:
        return print_json(result)
    if not result.sessions:
        where = args.folder or "the agents' log folders"
        sys.stderr.write(f"recapd: no session matches in {where}\n")
        return 1
    names = short_ids(info.id for info in result.sessions)
    rows = [
        (
            format_time(info.last_active_at),
            info.state,
            info.agent,
            _counted(info.turns or 0, "turn"),
            names[info.id],
            info.title or "(untitled)",
        )
        for info in result.sessions
    ]
    _print(format_table(sys.stdout, rows))
    if result.next_cursor:
        sys.stderr.write(f"… more; see all with --limit {args.limit * 10}\n")
    return 0


def _sessions_below(folder: Path, params: SessionListParams) -> SessionListResult:
    """The daemon knows the agents' folders; this may be any other."""
    from recapd.daemon.library import Library
    from recapd.server.methods import answer

    if not folder.is_dir():
        raise request_failed(f"{folder} is not a folder; to recap one log: recapd recap {folder}")
    found = answer(Library([folder]), "session/list", msgspec.json.encode(params))
    assert isinstance(found, SessionListResult)
    return found


def call_command(args: argparse.Namespace) -> int:
    return print_json(msgspec.Raw(answer_somewhere(args.method, args.params.encode(), use_daemon=not args.no_daemon)))


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "recap": recap_command,
    "files": files_command,
    "sessions": sessions_command,
    "call": call_command,
}


def selector_of(log: str | None, *, use_daemon: bool, is_demo: bool = False) -> SessionSelector | None:
    """What is no file may be a session's id, `agent:id` or the agent's own, or the beginning of one; else a path."""
    if is_demo:
        return SessionSelector(log=str(DEMO_LOG))
    if log is None:
        return None
    if not log or "/" in log or not is_text(log) or os.path.exists(log):
        return SessionSelector(log=log)
    agent, _, own_id = log.partition(":")
    if agent and len(own_id) >= _WHOLE_ID:
        return SessionSelector(id=log)
    params = SessionListParams(id_prefix=log, limit=_NAMED)
    found = [info.id for info in ask("session/list", params, SessionListResult, use_daemon=use_daemon).sessions]
    exact = [each for each in found if log in (each, each.partition(":")[2])]
    if len(exact or found) > 1:
        raise request_failed(f"Several sessions begin with {log}: {', '.join(found)}")
    if found:
        return SessionSelector(id=(exact or found)[0])
    return SessionSelector(id=log) if own_id else SessionSelector(log=log)


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """As much of each as tells it from the others; that is what a command takes for it."""
    own = {each: each.partition(":")[2] or each for each in ids}
    shown: dict[str, str] = {}
    for each, own_id in own.items():
        others = [other for key, other in own.items() if key != each]
        length = _SHORT_ID
        while length < len(own_id) and any(other.startswith(own_id[:length]) for other in others):
            length += 1
        shown[each] = own_id[:length] if own_id not in others else each
    return shown


def _remarks(failed: int, via: str | None) -> str:
    remarks = [f"{failed} failed"] if failed else []
    if via:
        remarks.append(f"by {via}")
    return ", ".join(remarks)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def print_json(result: Wire | msgspec.Raw) -> int:
    text = msgspec.json.format(msgspec.json.encode(result), indent=2)
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.flush()
    return 0


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
