"""`recapd summarize`, `recapd history`, and the digest of `recapd recap --budget`. On stdout is the answer alone."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from recapd.cli.answers import ask
from recapd.cli.commands import demo_selector, print_json
from recapd.cli.finding import selector_of
from recapd.cli.terminal import columns_of, cut_to, without_marks
from recapd.wire.errors import request_failed
from recapd.wire.types import (
    HistoryGetParams,
    HistoryGetResult,
    SessionSelector,
    SummaryCreateParams,
    SummaryCreateResult,
    SummaryDigestParams,
    SummaryDigestResult,
    ToolUsage,
)

_WIDTH = 51
_TITLE = "Session Summary"
_MAX_TOPICS = 5
_MAX_TOOLS = 5
_TOOL_COLUMNS = 72
# A command that answers at once needs no progress.
_SHOW_AFTER_S = 0.5
_TICK_S = 0.2


def summarize_command(args: argparse.Namespace) -> int:
    params = SummaryCreateParams(
        session=selector_of(args.log, use_daemon=not args.no_daemon), focus=args.focus, model=args.model
    )
    with _progress("Summarizing conversation history"):
        result = ask("summary/create", params, SummaryCreateResult, use_daemon=not args.no_daemon)
    _note(result.summary.note)
    if args.json:
        return print_json(result)
    _print(f"{box(result)}\n\n{result.summary.text}")
    return 0


def history_command(args: argparse.Namespace) -> int:
    params = HistoryGetParams(session=selector_of(args.log, use_daemon=not args.no_daemon), full=args.full)
    result, texts = _all_pages(params, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    _print("\n".join(map(without_marks, texts)))
    return 0


def _all_pages(params: HistoryGetParams, *, use_daemon: bool) -> tuple[HistoryGetResult, list[str]]:
    """The whole as one answer, and the texts of its pages."""
    first = page = ask("history/get", params, HistoryGetResult, use_daemon=use_daemon)
    texts, messages = [first.text], [*first.messages]
    # The session the first page is of, also if another becomes the latest meanwhile.
    params = replace(params, session=SessionSelector(id=first.session_id))
    while page.next_cursor is not None:
        page = ask("history/get", replace(params, cursor=page.next_cursor), HistoryGetResult, use_daemon=use_daemon)
        texts.append(page.text)
        messages += page.messages
    return replace(first, text="\n".join(texts), messages=tuple(messages), next_cursor=None), texts


def digest_command(args: argparse.Namespace) -> int:
    """`recapd recap LOG --budget N --model M --workers W -o FILE`."""
    for name in ("budget", "workers"):
        if (number := getattr(args, name)) is not None and number < 1:
            raise request_failed(f"--{name} must be at least 1.")
    params = SummaryDigestParams(
        session=demo_selector() if args.demo else selector_of(args.log, use_daemon=not args.no_daemon),
        max_tokens=args.budget or args.max_tokens,
        model=args.model,
        workers=args.workers,
    )
    with _progress("Making a digest"):
        result = ask("summary/digest", params, SummaryDigestResult, use_daemon=not args.no_daemon)
    _note(result.note)
    if args.output is not None:
        _write(args.output, result.text)
        return 0
    if args.json:
        return print_json(result)
    _print(result.text)
    return 0


def box(result: SummaryCreateResult) -> str:
    """What a summary saves and holds, in a frame."""
    stats, facts = result.stats, result.summary.facts
    saved = stats.tokens_before - stats.tokens_after
    reduction = round(100 * (1 - stats.messages_after / stats.messages_before)) if stats.messages_before else 0
    lines = [
        f"Messages: {stats.messages_before} → {stats.messages_after} ({reduction}% reduction)",
        f"Tokens saved: ~{saved:,}",
    ]
    if facts is not None:
        if facts.topics:
            lines += ["", "Key Topics:", *(f"• {each}" for each in facts.topics[:_MAX_TOPICS])]
        decisions = sum(each.status == "active" for each in facts.decisions)
        lines += [
            "",
            f"Files Modified: {len(facts.files)}",
            f"Commands Run: {facts.commands_run}",
            f"Key Decisions: {decisions}",
        ]
        if facts.tools:
            lines += ["", "Tools Used:", *(f"• {_tool_line(each)}" for each in facts.tools[:_MAX_TOOLS])]
    width = max(_WIDTH, *(columns_of(line) + 2 for line in lines))
    top = f"┌─ {_TITLE} ".ljust(width + 1, "─") + "┐"
    body = [f"│ {line}{' ' * (width - 1 - columns_of(line))}│" for line in lines]
    return "\n".join((top, *body, f"└{'─' * width}┘"))


def _tool_line(usage: ToolUsage) -> str:
    failed = f" ({usage.failed} failed)" if usage.failed else ""
    uses = f": {', '.join(usage.notable_uses)}" if usage.notable_uses else ""
    return cut_to(f"{usage.tool} {usage.count}{failed}{uses}", _TOOL_COLUMNS)


@contextmanager
def _progress(doing: str) -> Iterator[None]:
    """On a terminal's stderr, how long it has taken, from half a second on; gone when the answer is there."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_tell, args=(doing, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _tell(doing: str, done: threading.Event) -> None:
    begun = time.monotonic()
    if done.wait(_SHOW_AFTER_S):
        return
    while not done.wait(_TICK_S):
        sys.stderr.write(f"\r{doing}… {time.monotonic() - begun:.0f} s")
        sys.stderr.flush()
    sys.stderr.write("\r\x1b[K")
    sys.stderr.flush()


def _note(note: str | None) -> None:
    if note:
        sys.stderr.write(f"recapd: {note}\n")


def _write(path: str, text: str) -> None:
    from recapd.daemon.atomic import opened_folder, replace_file

    whole = os.path.realpath(path)
    try:
        with opened_folder(os.path.dirname(whole)) as folder:
            replace_file(folder, os.path.basename(whole), f"{text}\n".encode())
    except OSError as error:
        raise request_failed(f"{path} could not be written: {error.strerror or error}.") from None


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
