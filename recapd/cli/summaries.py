"""`recapd summarize`, `recapd history`, and the digest of `recapd recap --budget`. On stdout is the answer alone."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from recapd.cli.answers import ask
from recapd.cli.commands import check_counts, check_fits, demo_selector, print_json, show_page
from recapd.cli.finding import selector_of
from recapd.cli.markdown import render_markdown, without_marks
from recapd.cli.progress import Progress
from recapd.cli.terminal import columns_of, cut_to, paint, screen_width, tell, wrap
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
# What of `recapd recap` is of its pages.
_NOT_OF_DIGESTS = ("at_turn", "since_turn", "no_decisions", "collapsible", "copy")


def summarize_command(args: argparse.Namespace) -> int:
    params = SummaryCreateParams(
        session=selector_of(args.log, use_daemon=not args.no_daemon), focus=args.focus, model=args.model
    )
    with Progress("Summarizing conversation history"):
        result = ask("summary/create", params, SummaryCreateResult, use_daemon=not args.no_daemon)
    _note(result.summary.note)
    if args.json:
        return print_json(result)
    width = screen_width() if sys.stdout.isatty() else None
    show_page(result.session_id, f"{box(result, width=width)}\n\n{render_markdown(sys.stdout, result.summary.text)}")
    return 0


def history_command(args: argparse.Namespace) -> int:
    params = HistoryGetParams(session=selector_of(args.log, use_daemon=not args.no_daemon), full=args.full)
    result, texts = _all_pages(params, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    lines = [line for text in texts for line in without_marks(text).split("\n")]
    show_page(result.session_id, "\n".join(_laid_out(lines) if sys.stdout.isatty() else lines))
    return 0


_MESSAGE = re.compile(r"(\s*)(\[\d+\] )?((?:User|Assistant): )?")


def _laid_out(lines: Sequence[str]) -> list[str]:
    """Each line of a message below the first word of it, all messages at one column, who says it set off."""
    found = [_MESSAGE.match(line) for line in lines]
    numbered = max((len(each[2]) for each in found if each and each[2]), default=0)
    laid: list[str] = []
    for line, each in zip(lines, found, strict=True):
        space, number, who = each.groups("") if each else ("", "", "")
        lead = f"{space}{number:>{numbered}}" if number else space
        text = wrap(line[len(space + number) :], max(20, screen_width() - len(lead))) or [""]
        # What says of which messages those below are.
        is_head = not space and line.endswith(":")
        if number and text[0].startswith(who):
            text[0] = paint(sys.stdout, who, "1" if who else "") + text[0][len(who) :]
        text = [paint(sys.stdout, part, "1") for part in text] if is_head else text
        laid += [
            paint(sys.stdout, lead, "2" if number else "") + text[0],
            *(" " * len(lead) + part for part in text[1:]),
        ]
    return [line.rstrip(" ") for line in laid]


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
    check_counts(args, "budget", "workers")
    for name in _NOT_OF_DIGESTS:
        if getattr(args, name) not in (None, False):
            raise request_failed(f"A digest is of the whole session: it takes no --{name.replace('_', '-')}.")
    params = SummaryDigestParams(
        session=demo_selector() if args.demo else selector_of(args.log, use_daemon=not args.no_daemon),
        max_tokens=args.budget or args.max_tokens,
        model=args.model,
        workers=args.workers,
    )
    with Progress("Making a digest"):
        result = ask("summary/digest", params, SummaryDigestResult, use_daemon=not args.no_daemon)
    _note(result.note)
    if not args.json:
        check_fits(result.text, params.max_tokens, of="digest")
    if args.output is not None:
        _write(args.output, result.text)
        return 0
    if args.json:
        return print_json(result)
    show_page(result.session_id, render_markdown(sys.stdout, result.text))
    return 0


def box(result: SummaryCreateResult, *, width: int | None = None) -> str:
    """What a summary saves and holds, in a frame of at most so many columns."""
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
    if width is not None:
        lines = [cut_to(line, max(20, width - 4)) for line in lines]
    width = max(_WIDTH if width is None else min(_WIDTH, width - 2), *(columns_of(line) + 2 for line in lines))
    frame = partial(paint, sys.stdout, code="2")
    top = frame("┌─ ") + paint(sys.stdout, _TITLE, "1") + frame(f" {'─' * (width - len(_TITLE) - 3)}┐")
    body = [
        f"{frame('│')} {paint(sys.stdout, line, '1' if line.endswith(':') else '')}"
        f"{' ' * (width - 1 - columns_of(line))}{frame('│')}"
        for line in lines
    ]
    return "\n".join((top, *body, frame(f"└{'─' * width}┘")))


def _tool_line(usage: ToolUsage) -> str:
    failed = f" ({usage.failed} failed)" if usage.failed else ""
    uses = f": {', '.join(usage.notable_uses)}" if usage.notable_uses else ""
    return cut_to(f"{usage.tool} {usage.count}{failed}{uses}", _TOOL_COLUMNS)


def _note(note: str | None) -> None:
    if note:
        tell(f"recapd: {note}")


def _write(path: str, text: str) -> None:
    from recapd.daemon.atomic import opened_folder, replace_file

    whole = os.path.realpath(path)
    try:
        with opened_folder(os.path.dirname(whole)) as folder:
            replace_file(folder, os.path.basename(whole), f"{text}\n".encode())
    except OSError as error:
        raise request_failed(f"{path} could not be written: {error.strerror or error}.") from None
