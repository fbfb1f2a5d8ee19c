"""`recapd search`: words in everything that was said, in all sessions."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType

from recapd.cli.answers import ask
from recapd.cli.commands import check_counts, known_rows, print_json
from recapd.cli.ids import short_ids
from recapd.cli.last_list import keep_list
from recapd.cli.markdown import plain_line
from recapd.cli.nothing import NO_SESSIONS
from recapd.cli.rows import paint_nothing, write_rows
from recapd.cli.terminal import (
    format_time,
    has_colours,
    lay_beside,
    paint,
    screen_size,
    show,
    tell,
    tell_failure,
    text_width,
)
from recapd.wire.errors import request_failed
from recapd.wire.types import SearchHit, SearchParams, SearchResult, SessionListParams, SessionListResult

_WHO = {"user": "you", "answer": "you", "command": "ran", "file": "changed"}
Paint = Callable[[str, str], str]
_WORD = re.compile(r"\w+")
_NO_HEADS: Mapping[str, str] = MappingProxyType({})


def search_command(args: argparse.Namespace) -> int:
    query = " ".join(args.words)
    if not _WORD.search(query):
        raise request_failed("There is no word to look for; name one, such as: recapd search timeout")
    check_counts(args, "limit")
    folder = os.path.abspath(args.folder) if args.folder else None
    params = SearchParams(query=query, workspace=folder, limit=min(args.limit, 100))
    result = ask("search", params, SearchResult, use_daemon=not args.no_daemon)
    if args.json:
        return print_json(result)
    if not result.hits:
        tell_failure("recapd", _why_none(query, folder, use_daemon=not args.no_daemon))
        return 1
    words = _WORD.findall(query) if has_colours(sys.stdout) else []
    width = text_width(sys.stdout)
    heads = _numbered_heads(result.hits) if width else {}
    painted = partial(paint, sys.stdout)
    show(write_hits(result.hits, width=width, shown_bold=words, heads=heads, paint=painted))
    if result.next_cursor:
        tell(f"… more; see them with --limit {min(args.limit * 5, 100)}")
    return 0


def _why_none(query: str, folder: str | None, *, use_daemon: bool) -> str:
    listed = ask("session/list", SessionListParams(limit=1), SessionListResult, use_daemon=use_daemon)
    if not listed.sessions:
        return NO_SESSIONS
    where = f"in the sessions of {folder}" if folder else "in any session"
    return f"Nobody said “{query}” {where}; a word is also found by its beginning."


def _numbered_heads(hits: Sequence[SearchHit]) -> dict[str, str]:
    """By session its line as in every list; the next command may name it by its number. None without a daemon."""
    rows = known_rows(list(dict.fromkeys(hit.session_id for hit in hits)))
    if not rows:
        return {}
    keep_list(list(rows))
    # What is asked, or done right now, is not what was looked for.
    plain = [{**row, "running": None} for row in rows.values()]
    lines = write_rows(plain, now=datetime.now(UTC), width=screen_size()[0], paint=partial(paint, sys.stdout))
    return dict(zip(rows, lines, strict=True))


def write_hits(
    hits: tuple[SearchHit, ...],
    *,
    width: int | None,
    shown_bold: list[str],
    heads: Mapping[str, str] = _NO_HEADS,
    paint: Paint = paint_nothing,
) -> str:
    """By session, in the order in which the best of each was found; below it its hits, each with its turn."""
    # What was done several times in a turn is one line, at the place of its best.
    times = Counter(map(_shown, hits))
    sessions: dict[str, dict[object, SearchHit]] = {}
    for hit in hits:
        sessions.setdefault(hit.session_id, {}).setdefault(_shown(hit), hit)
    names = short_ids(sessions)
    turns = max(len(str(hit.turn)) for hit in hits)
    whos = max(len(_who(hit)) for hit in hits)
    lines: list[str] = []
    for session_id, found in sessions.items():
        its_hits = list(found.values())
        head = heads.get(session_id)
        lines += ["", *([head] if head else _titled(names[session_id], its_hits, width=width, paint=paint))]
        for hit in its_hits:
            lead = f"   turn {hit.turn:>{turns}}  {_who(hit):{whos}}  "
            text = plain_line(hit.text) if width else hit.text
            text += f" ({times[_shown(hit)]}×)" if times[_shown(hit)] > 1 else ""
            laid = lay_beside(lead, text, width)
            lines += [f"{_faint(margin, paint)}{_bold(line, shown_bold)}" for margin, line in laid]
    return "\n".join(lines[1:])


def _shown(hit: SearchHit) -> tuple[str, int, str, str]:
    return hit.session_id, hit.turn, _who(hit), hit.text


def _who(hit: SearchHit) -> str:
    return _WHO.get(hit.kind, hit.kind)


def _titled(name: str, hits: list[SearchHit], *, width: int | None, paint: Paint) -> list[str]:
    lead = f"{name}  "
    told = f"{hits[0].title or '(untitled)'}  ({format_time(max(hit.at or '' for hit in hits))})"
    laid = lay_beside(lead, told, width)
    return [_faint(margin, paint) + (paint(line, "1") if line else "") for margin, line in laid]


def _faint(margin: str, paint: Paint) -> str:
    return paint(margin, "2") if margin.strip() else margin


def _bold(line: str, words: list[str]) -> str:
    if not words:
        return line
    return re.sub("|".join(map(re.escape, words)), lambda found: f"\x1b[1m{found[0]}\x1b[0m", line, flags=re.IGNORECASE)
