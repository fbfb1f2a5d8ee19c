"""`recapd search`: words in everything that was said, in all sessions."""

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
from recapd.cli.terminal import format_time, has_colours, paint, show, tell, text_width, wrap
from recapd.wire.types import SearchHit, SearchParams, SearchResult

_WHO = {"user": "you", "answer": "you", "command": "ran", "file": "changed"}
Paint = Callable[[str, str], str]
_WORD = re.compile(r"\w+")


def search_command(args: argparse.Namespace) -> int:
    folder = os.path.abspath(args.folder) if args.folder else None
    params = SearchParams(query=" ".join(args.words), workspace=folder, limit=max(1, min(args.limit, 100)))
    result = ask("search", params, SearchResult, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    if not result.hits:
        tell(f"recapd: nobody said that{f' in {folder}' if folder else ''}")
        return 1
    words = _WORD.findall(params.query) if has_colours(sys.stdout) else []
    show(write_hits(result.hits, width=text_width(sys.stdout), shown_bold=words, paint=partial(paint, sys.stdout)))
    if result.next_cursor:
        tell(f"… more; see them with --limit {min(args.limit * 5, 100)}")
    return 0


def write_hits(
    hits: tuple[SearchHit, ...], *, width: int | None, shown_bold: list[str], paint: Paint = paint_nothing
) -> str:
    """By session, in the order in which the best of each was found; below it its hits, each with its turn."""
    sessions: dict[str, list[SearchHit]] = {}
    for hit in hits:
        sessions.setdefault(hit.session_id, []).append(hit)
    names = short_ids(sessions)
    turns = max(len(str(hit.turn)) for hit in hits)
    lines: list[str] = []
    for session_id, its_hits in sessions.items():
        title = its_hits[0].title or "(untitled)"
        head = f"{names[session_id]}  "
        told = f"{title}  ({format_time(max(hit.at or '' for hit in its_hits))})"
        titled = wrap(told, max(20, width - len(head))) if width else [told]
        lines += [
            "",
            *(
                (paint(head, "2") if not at else " " * len(head)) + paint(line, "1;36")
                for at, line in enumerate(titled)
            ),
        ]
        for hit in its_hits:
            lead = f"  turn {hit.turn:>{turns}}  {_WHO.get(hit.kind, hit.kind):7}  "
            text = wrap(hit.text, max(20, width - len(lead))) if width else [hit.text]
            lines += [
                f"{paint(lead, '2') if not at else ' ' * len(lead)}{_bold(line, shown_bold)}"
                for at, line in enumerate(text)
            ]
    return "\n".join(lines[1:])


def _bold(line: str, words: list[str]) -> str:
    if not words:
        return line
    return re.sub("|".join(map(re.escape, words)), lambda found: f"\x1b[1m{found[0]}\x1b[0m", line, flags=re.IGNORECASE)
