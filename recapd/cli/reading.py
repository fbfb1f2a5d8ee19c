"""`recapd read`: have sessions read by the model that the configuration names. Says before what it will cost."""

from __future__ import annotations

import argparse
import os
import sys
import time

import msgspec

from recapd.cli.answers import ask
from recapd.cli.commands import print_json
from recapd.cli.finding import selector_of
from recapd.cli.nothing import NO_SESSIONS
from recapd.cli.progress import Progress
from recapd.cli.terminal import tell
from recapd.client.call import FIRST_ANSWER_S, call
from recapd.client.errors import CallError, NotRecapd
from recapd.client.paths import is_text
from recapd.wire.errors import NOT_READY, SESSION_NOT_FOUND, request_failed
from recapd.wire.types import (
    ReadingStartParams,
    ReadingStartResult,
    SessionListParams,
    SessionListResult,
    SessionSelector,
)

_LOOK_S = 0.5
_PAGE = 200
_STOPPED = 130


def read_command(args: argparse.Namespace) -> int:
    if args.all:
        if args.log is not None:
            raise request_failed("Name a session, or --all, not both.")
        return _read_all(args)
    selector = selector_of(args.log, use_daemon=True)
    found = _ask("reading/start", selector, dry_run=True)
    if args.json and args.dry_run:
        return print_json(found)
    if found.state == "off":
        raise request_failed(found.message or "No reader is set up.")
    # The session that was meant, also if another becomes the latest meanwhile.
    selector = selector or SessionSelector(id=found.session_id)
    if found.state == "done":
        return _tell_end(found, args)
    _note(_cost([found]))
    if args.dry_run:
        return 0
    return _tell_end(_read(selector), args)


def _read_all(args: argparse.Namespace) -> int:
    selectors = [SessionSelector(id=each) for each in _all_sessions()]
    unread: list[tuple[SessionSelector, ReadingStartResult]] = []
    for number, selector in enumerate(selectors, 1):
        _show(f"Looking at {number} of {len(selectors)} sessions…")
        found = _ask("reading/start", selector, dry_run=True)
        if found.state == "off":
            raise request_failed(found.message or "No reader is set up.")
        if found.state != "done":
            unread.append((selector, found))
    _show("")
    _note(_cost([found for _, found in unread]) if unread else f"All {len(selectors)} sessions are read.")
    if args.dry_run:
        return 0
    ends = [_read(selector) for selector, _ in unread]
    failed = [each for each in ends if each.state != "done"]
    for each in failed[:1]:
        tell(f"recapd: {each.message or 'not all could be read'}")
    if ends:
        _print(f"{len(ends) - len(failed)} of {len(ends)} sessions were read.")
    return 1 if failed else 0


def _all_sessions() -> list[str]:
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = ask("session/list", SessionListParams(limit=_PAGE, cursor=cursor), SessionListResult)
        found += [each.id for each in page.sessions]
        cursor = page.next_cursor
        if cursor is None:
            return found


def _read(selector: SessionSelector) -> ReadingStartResult:
    """Have it read, and say how far it is until it is done. Interrupted, it is stopped, and what was read is kept."""
    try:
        found = _ask("reading/start", selector)
        while found.state in ("waiting", "reading"):
            _show(f"Reading… {found.pieces_done} of {found.pieces} pieces")
            time.sleep(_LOOK_S)
            found = _ask("reading/start", selector, dry_run=True)
        return found
    except KeyboardInterrupt:
        _show("")
        _ask("reading/stop", selector)
        tell("recapd: stopped; what was read is kept, and the next `recapd read` goes on from there")
        raise SystemExit(_STOPPED) from None
    finally:
        _show("")


def _ask(method: str, selector: SessionSelector | None, *, dry_run: bool = False) -> ReadingStartResult:
    """Of the daemon, which is started where it does not run: models are asked there alone."""
    if selector is not None and selector.log is not None and is_text(selector.log):
        selector = SessionSelector(log=os.path.abspath(selector.log))
    params = ReadingStartParams(session=selector, dry_run=dry_run)
    sent = msgspec.to_builtins(params)
    if method == "reading/stop":
        sent.pop("dryRun", None)
    result = _called(method, sent)
    try:
        return msgspec.convert(result, type=ReadingStartResult)
    except msgspec.ValidationError:
        raise NotRecapd from None


def _called(method: str, params: dict[str, object]) -> object:
    """The answer; a daemon that was just started is waited for until it has seen which sessions there are."""
    deadline = time.monotonic() + FIRST_ANSWER_S
    with Progress("Waiting for the daemon to read the logs"):
        while True:
            try:
                return call(method, params, timeout_s=FIRST_ANSWER_S)
            except CallError as error:
                if error.code == SESSION_NOT_FOUND and params.get("session") is None:
                    raise request_failed(NO_SESSIONS) from None
                if error.code != NOT_READY or time.monotonic() >= deadline:
                    raise
            time.sleep(_LOOK_S)


def _cost(found: list[ReadingStartResult]) -> str:
    pieces, tokens = sum(each.pieces for each in found), sum(each.tokens or 0 for each in found)
    usd = sum(each.usd or 0.0 for each in found)
    first = found[0]
    by = first.model or first.by
    sessions = f"{len(found)} sessions, " if len(found) > 1 else ""
    money = f", at most about ${usd:.2f}" if usd else ""
    counted = "1 piece" if pieces == 1 else f"{pieces} pieces"
    return f"To be read by {by}: {sessions}{counted}, about {tokens:,} tokens{money}."


def _tell_end(found: ReadingStartResult, args: argparse.Namespace) -> int:
    if args.json:
        return print_json(found)
    if found.state != "done":
        why = found.message or "It was not read to its end"
        tell(f"recapd: {why}")
    if found.through_turn:
        dropped = f", {found.dropped} dropped" if found.dropped else ""
        _print(
            f"Read through turn {found.through_turn} of {found.turns}: {found.decisions} decisions{dropped}; "
            f"{found.input_tokens:,} tokens in, {found.output_tokens:,} out."
        )
    return 0 if found.state == "done" else 1


def _note(text: str) -> None:
    tell(text)


def _show(text: str) -> None:
    """On a terminal, over what was shown before."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
