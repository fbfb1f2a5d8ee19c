"""`recapd why FILE:LINE`: which turn of which session wrote a line of source, what was asked and decided then."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from functools import partial

from recapd.cli.answers import ask
from recapd.cli.commands import print_json
from recapd.cli.ids import short_ids
from recapd.cli.rows import paint_nothing
from recapd.cli.terminal import below_home, format_time, paint, show, tell, tell_failure, text_width, wrap
from recapd.client.errors import ClientError
from recapd.wire.types import LineRange, WhyGetParams, WhyGetResult, WhyLines

_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?)?(?::\d+)?", re.DOTALL)
_WHO = {"user": "you", "agent": "the agent", "collaborative": "together"}
# Of a whole file so many are told; all of them with --json.
_MOST = 20
Paint = Callable[[str, str], str]


def why_command(args: argparse.Namespace) -> int:
    path, first, last = _place_in(args.place)
    text = None
    if args.stdin:
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    elif not os.path.isfile(path):
        raise ClientError(f"There is no file {path}", "name one as FILE:LINE, FILE:FROM-TO or FILE.")
    params = WhyGetParams(
        path=os.path.abspath(path), range=LineRange(from_=first, to=last) if first else None, text=text
    )
    result = ask("why/get", params, WhyGetResult, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    if not result.lines:
        tell_failure("recapd", _why_not(result, os.path.basename(path), first, last))
        return 1
    show(write_lines(result.lines[:_MOST], width=text_width(sys.stdout), paint=partial(paint, sys.stdout)))
    if len(result.lines) > _MOST:
        tell(f"… {len(result.lines) - _MOST} more stretches; ask for some lines: {path}:FROM-TO")
    return 0


def _place_in(place: str) -> tuple[str, int, int]:
    """A path, and the first and the last line; 0 where none is named. A file may have a name that looks like it."""
    if os.path.exists(place):
        return place, 0, 0
    found = _PLACE.fullmatch(place)
    if found is None or not found["first"]:
        return place, 0, 0
    first = int(found["first"])
    if first < 1:
        raise ClientError(f"{place} names no line", "lines are numbered from 1.")
    last = int(found["last"] or first)
    if last < first:
        raise ClientError(f"{place} names no lines", "the first comes before the last: FILE:FROM-TO.")
    return found["path"], first, last


def _why_not(result: WhyGetResult, name: str, first: int, last: int) -> str:
    if first > result.line_count:
        return f"{name} has 1 line." if result.line_count == 1 else f"{name} has {result.line_count} lines."
    if not result.edits:
        return f"No known session changed {name}."
    lines = "these lines" if not first else f"line {first}" if first == last else f"lines {first} to {last}"
    edits = "1 edit" if result.edits == 1 else f"{result.edits} edits"
    return (
        f"No session is proved to have written {lines} of {name} as it is now; the logs know of {edits} of that file."
    )


def write_lines(found: tuple[WhyLines, ...], *, width: int | None, paint: Paint = paint_nothing) -> str:
    """Each stretch with its turn; of one that was told already only where it is."""
    names = short_ids({each.session_id: None for each in found})
    lines: list[str] = []
    seen: set[tuple[str, int]] = set()
    for each in found:
        where = f"line {each.from_}" if each.from_ == each.to else f"lines {each.from_}-{each.to}"
        head = f"{where} · turn {each.turn} of {names[each.session_id]}"
        if (each.session_id, each.turn) in seen:
            lines += ["", paint(head, "1")]
            continue
        seen.add((each.session_id, each.turn))
        at = f" · {format_time(each.at)}" if each.at else ""
        titled = f"{head} · {each.title}{at}"
        lines += ["", *(paint(line, "1") for line in (wrap(titled, width) if width else [titled]))]
        lines += _told("asked", each.request, width, paint) if each.request else []
        for decision in each.decisions:
            who = _WHO.get(decision.made_by, decision.made_by)
            lines += _told(
                "decided", f"{decision.headline or decision.text} ({who}, turn {decision.turn})", width, paint
            )
        if each.decisions_total > len(each.decisions):
            lines += _told("", f"and {each.decisions_total - len(each.decisions)} more that held", width, paint)
        lines += _told("by", f"the sub-agent {each.via}", width, paint) if each.via else []
        source = each.refs[0].source.removeprefix("file://")
        lines += _told("see", f"{below_home(source) if width else source}:{each.refs[0].line}", None, paint)
    return "\n".join(lines[1:])


def _told(label: str, text: str, width: int | None, paint: Paint) -> list[str]:
    lead = f"  {label:8} "
    wrapped = wrap(text, max(20, width - len(lead))) if width else [text]
    return [f"{paint(lead, '2') if not at else ' ' * len(lead)}{line}" for at, line in enumerate(wrapped)]
