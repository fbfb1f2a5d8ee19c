"""The commands that read sessions. Each prints its answer on stdout and nothing else; notes go to stderr."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from recapd.cli.answers import answer_somewhere, ask, resume_command
from recapd.cli.finding import selector_of
from recapd.cli.ids import text_of
from recapd.cli.last_list import keep_list
from recapd.cli.markdown import render_markdown, without_marks
from recapd.cli.nothing import NO_LOGS, NO_SESSIONS
from recapd.cli.quick import ask_quickly
from recapd.cli.rows import write_head, write_rows
from recapd.cli.terminal import COMMAND_COLOUR, below_home, paint, screen_size, screen_width, show, tell, tell_failure
from recapd.wire.errors import SESSION_NOT_FOUND, RecapError, request_failed
from recapd.wire.types import (
    RecapGetParams,
    RecapGetResult,
    SessionListParams,
    SessionListResult,
    SessionSelector,
    Since,
    TimelineGetParams,
    TimelineGetResult,
    Wire,
)

_GO_ON = "Go on with it:"
# The head of a page and a statement.
_ENOUGH_TOKENS = 50
DEMO_LOG = Path(__file__).parent.parent / "demo" / "session.jsonl"


def check_counts(args: argparse.Namespace, *names: str) -> None:
    """Options that count something count at least one of it."""
    for name in names:
        if (number := getattr(args, name)) is not None and number < 1:
            raise request_failed(f"--{name.replace('_', '-')} must be at least 1.")


def check_fits(page: str, max_tokens: int | None, *, of: str) -> None:
    """RecapError where not even one whole statement had room: a piece of one tells nobody anything."""
    is_small = max_tokens is not None and max_tokens < _ENOUGH_TOKENS
    if not page.strip() or (is_small and not any(map(_is_statement, page.split("\n")))):
        raise request_failed(
            f"Nothing of a {of} fits into {max_tokens} tokens; {_ENOUGH_TOKENS} are enough to begin with."
        )


def _is_statement(line: str) -> bool:
    """Neither a head nor a piece of what was cut off."""
    line = line.strip()
    return bool(line) and not line.startswith(("📍", "📋")) and not line.endswith((":", ":**", "…"))


def recap_command(args: argparse.Namespace) -> int:
    if any(each is not None for each in (args.budget, args.model, args.output, args.workers)):
        from recapd.cli.summaries import digest_command

        return digest_command(args)
    check_counts(args, "max_tokens")
    if (args.at_turn is not None and args.at_turn < 1) or (args.since_turn is not None and args.since_turn < 0):
        raise request_failed("Turns are numbered from 1.")
    if args.at_turn is not None and args.since_turn is not None and args.since_turn >= args.at_turn:
        raise request_failed("--since-turn must lie before --at-turn.")
    params = RecapGetParams(
        session=demo_selector() if args.demo else selector_of(args.log, use_daemon=not args.no_daemon),
        format=args.format,
        max_tokens=args.max_tokens,
        collapsible=args.collapsible,
        show_decisions=False if args.no_decisions else None,
        at_turn=args.at_turn,
        since=Since(turn=args.since_turn) if args.since_turn is not None else None,
    )
    result, is_demo = _recap_or_demo(params, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    check_fits(result.markdown, args.max_tokens, of="recap")
    if args.copy:
        from recapd.cli.clipboard import copy

        way = copy(without_marks(result.markdown))
        tell(f"Copied, {result.tokens} tokens, with {way}.")
        return 0
    if args.format == "timeline" and sys.stdout.isatty():
        _show_timeline(result, params, use_daemon=not args.no_daemon)
    else:
        _show(result, is_demo=is_demo)
    return 0


def _show_timeline(result: RecapGetResult, params: RecapGetParams, *, use_daemon: bool) -> None:
    """With the picture and the days, for people: a page in a pipe is Markdown and nothing else."""
    from recapd.cli.timeline import write_timeline

    width = screen_width()
    session = params.session or SessionSelector(id=result.session_id)
    asked = TimelineGetParams(session=session, since=params.since, buckets=width)
    found = msgspec.to_builtins(ask("timeline/get", asked, TimelineGetResult, use_daemon=use_daemon))
    if params.at_turn is not None:
        found |= {name: [row for row in found[name] if row["turn"] <= params.at_turn] for name in ("turns", "marks")}
    sections = result.view.sections if result.view is not None else ()
    items = [item for section in sections if section.name == "timeline" for item in section.items]
    if not items:
        _show(result)
        return
    drawn = write_timeline(
        items, turns=found["turns"], marks=found["marks"], width=width, paint=partial(paint, sys.stdout)
    )
    show_page(result.session_id, drawn)


def demo_selector() -> SessionSelector:
    return SessionSelector(log=str(DEMO_LOG))


def show_latest() -> int:
    """Where the most recently active session stands."""
    result, is_demo = _recap_or_demo(RecapGetParams(), use_daemon=True)
    _show(result, is_demo=is_demo)
    return 0


def show_recap_of(session_id: str) -> int:
    _show(ask("recap/get", RecapGetParams(session=SessionSelector(id=session_id)), RecapGetResult))
    return 0


def _recap_or_demo(params: RecapGetParams, *, use_daemon: bool) -> tuple[RecapGetResult, bool]:
    """A recap, and whether it is of the made-up session."""
    try:
        found = ask("recap/get", params, RecapGetResult, use_daemon=use_daemon)
        return found, params.session == demo_selector()
    except RecapError as error:
        if error.code != SESSION_NOT_FOUND or params.session is not None:
            raise
    tell(f"{NO_LOGS} A made-up session, as a demo:")
    sys.stderr.write("\n")
    demo = msgspec.structs.replace(params, session=demo_selector())
    return ask("recap/get", demo, RecapGetResult, use_daemon=use_daemon), True


def _show(result: RecapGetResult, *, is_demo: bool = False) -> None:
    text = render_markdown(sys.stdout, without_marks(result.markdown))
    # Nobody can go on with what is made up.
    command = resume_command(result.session_id) if sys.stdout.isatty() and not is_demo else None
    # Most pages end with it, where it fits.
    if command and command not in result.markdown:
        # To be copied whole: on a line of its own where it would be broken.
        gap = " " if len(_GO_ON) + 1 + len(command) <= screen_size()[0] else "\n"
        text += f"\n\n{paint(sys.stdout, _GO_ON, '2')}{gap}{paint(sys.stdout, command, COMMAND_COLOUR)}"
    show_page(result.session_id, text)


def sessions_command(args: argparse.Namespace) -> int:
    check_counts(args, "limit")
    params = SessionListParams(agent=args.agent, query=args.query, limit=args.limit)
    if args.folder is None:
        result = ask("session/list", params, SessionListResult, use_daemon=not args.no_daemon)
    else:
        result = _sessions_below(Path(args.folder), params)
    if args.json:
        return print_json(result)
    if not result.sessions:
        tell_failure("recapd", _why_none(args))
        return 1
    rows = [msgspec.to_builtins(info) for info in result.sessions]
    show_rows(rows, logs={} if args.folder is None else {text_of(row, "id"): text_of(row, "log") for row in rows})
    if result.next_cursor:
        # A daemon of an older version does not say how many there are.
        total = result.total or args.limit * 10
        more = f"{total - len(result.sessions)} more" if result.total else "more"
        tell(f"… {more}; see all with --limit {total}")
    return 0


def _why_none(args: argparse.Namespace) -> str:
    if args.agent or args.query:
        return "No session matches; see all with: recapd sessions"
    return (
        f"There is no log of an agent below {below_home(os.path.abspath(args.folder))}." if args.folder else NO_SESSIONS
    )


def _sessions_below(folder: Path, params: SessionListParams) -> SessionListResult:
    """The daemon knows the agents' folders; this may be any other."""
    from recapd.daemon.library import Library
    from recapd.server.methods import answer

    if not folder.is_dir():
        if not folder.exists():
            raise request_failed(f"There is no folder {folder}; sessions of all agents: recapd sessions")
        raise request_failed(f"{folder} is not a folder; to recap one log: recapd recap {folder}")
    found = answer(Library([folder]), "session/list", msgspec.json.encode(params))
    assert isinstance(found, SessionListResult)
    return found


def call_command(args: argparse.Namespace) -> int:
    try:
        msgspec.json.decode(args.params)
    except msgspec.DecodeError as error:
        raise request_failed(
            f"The params are no JSON ({error}); give one object, such as '{{\"limit\": 1}}'."
        ) from None
    return print_json(msgspec.Raw(answer_somewhere(args.method, args.params.encode(), use_daemon=not args.no_daemon)))


def show_page(session_id: str, text: str) -> None:
    """What is told of a session; on a terminal below a line that says of which, as far as a daemon knows it."""
    head = _head_of(session_id) if sys.stdout.isatty() else ""
    show(f"{head}\n\n{text}" if head else text)


def _head_of(session_id: str) -> str:
    row = known_rows([session_id]).get(session_id)
    if row is None:
        return ""
    return write_head(row, now=datetime.now(UTC), width=screen_size()[0], paint=partial(paint, sys.stdout))


def known_rows(ids: Sequence[str]) -> dict[str, Mapping[str, object]]:
    """Of those of these sessions that a daemon knows, what a list shows of each."""
    answers = ask_quickly(*(("session/list", {"idPrefix": each, "limit": 1}) for each in ids)) or []
    rows = [row for answer in answers if isinstance(answer, dict) for row in answer.get("sessions", ())]
    return {text_of(row, "id"): row for row in rows if text_of(row, "id") in ids}


def show_rows(rows: Sequence[Mapping[str, object]], *, logs: Mapping[str, str] | None = None) -> None:
    """Sessions in a line each; the next command may name one by its number."""
    keep_list([text_of(row, "id") for row in rows], logs)
    width = screen_size()[0] if sys.stdout.isatty() else None
    show("\n".join(write_rows(rows, now=datetime.now(UTC), width=width, paint=partial(paint, sys.stdout))))


def print_json(result: Wire | msgspec.Raw) -> int:
    text = msgspec.json.format(msgspec.json.encode(result), indent=2)
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.flush()
    return 0
