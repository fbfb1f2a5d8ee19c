"""Which session a person means: a log file, an id or its beginning, a number of the last list, words of a title."""

from __future__ import annotations

import os
import re
import shlex
import sys
from datetime import UTC, datetime
from functools import partial

import msgspec

from recapd.cli.answers import ask
from recapd.cli.last_list import keep_list, kept_list, kept_logs
from recapd.cli.rows import write_rows
from recapd.cli.terminal import can_redraw, paint, screen_size
from recapd.client.paths import is_text
from recapd.wire.errors import request_failed
from recapd.wire.types import SessionInfo, SessionListParams, SessionListResult, SessionSelector

# No agent's own ids are shorter than this: such a one is whole.
_WHOLE_ID = 32
_WORD = re.compile(r"[\w'-]+")
# Of what was meant for a title so many words are looked for.
_WORDS = 6
# So many sessions are named where one was meant.
_NAMED = 5
# Titles are looked through among so many sessions in which the words stand somewhere.
_LOOKED_THROUGH = 200
# Longer digits are the beginning of an id, not of anybody's list.
_LONGEST_NUMBER = 3


def selector_of(log: str | None, *, use_daemon: bool) -> SessionSelector | None:
    """What is no file may be a number of the last list, the beginning of an id, or words of a title; else a path.

    Several that fit are offered where somebody can choose, and named where nobody can.
    """
    if log is None:
        return None
    if not log.strip():
        raise request_failed("An empty name is no session; see them with: recapd sessions")
    if not log or "/" in log or not is_text(log) or os.path.exists(log):
        return SessionSelector(log=log)
    is_number = log.isdecimal() and len(log) <= _LONGEST_NUMBER
    if is_number and 0 < int(log) <= len(listed := kept_list()):
        return _listed_last(listed[int(log) - 1])
    agent, _, own_id = log.partition(":")
    if agent and len(own_id) >= _WHOLE_ID:
        return SessionSelector(id=log)
    begun = _listed(SessionListParams(id_prefix=log, limit=_NAMED), use_daemon=use_daemon)
    exact = [info for info in begun if log in (info.id, info.id.partition(":")[2])]
    if found := exact or begun or _titled(log, use_daemon=use_daemon):
        return SessionSelector(id=found[0].id if len(found) == 1 else _chosen(log, found))
    elsewhere = [each for each in kept_logs() if each == log or each.partition(":")[2].startswith(log)]
    if len(elsewhere) == 1:
        return _listed_last(elsewhere[0])
    if own_id:
        return SessionSelector(id=log)
    if is_number:
        raise request_failed(f"The last list has no number {log}; see one with: recapd sessions")
    if not os.path.splitext(log)[1]:
        words = shlex.join(_WORD.findall(log)[:_WORDS])
        found_by = f", or find what was said: recapd search {words}" if words else ""
        raise request_failed(
            f"No session, no title and no file is called “{log}”; see them with: recapd sessions{found_by}"
        )
    return SessionSelector(log=log)


def _listed_last(session_id: str) -> SessionSelector:
    """By its log where nobody looks for that one by himself, unless other sessions are in it too."""
    logs = kept_logs()
    log = logs.get(session_id)
    return SessionSelector(log=log) if log and list(logs.values()).count(log) == 1 else SessionSelector(id=session_id)


def _titled(words: str, *, use_daemon: bool) -> list[SessionInfo]:
    """Sessions in whose title all of these words stand, latest first; where titles begin with them, those alone."""
    wanted = words.casefold().split()
    if not any(len(word) > 1 for word in wanted):
        return []
    found = _listed(SessionListParams(query=words, limit=_LOOKED_THROUGH), use_daemon=use_daemon)
    titled = [info for info in found if all(word in info.title.casefold() for word in wanted)]
    begun = " ".join(wanted)
    return [info for info in titled if " ".join(info.title.casefold().split()).startswith(begun)] or titled


def _chosen(log: str, found: list[SessionInfo]) -> str:
    """The one that is meant of several."""
    if sys.stdin is not None and sys.stdin.isatty() and can_redraw(sys.stdout):
        from recapd.cli.top import pick

        chosen = pick([info.id for info in found])
        if chosen is None:
            raise KeyboardInterrupt
        return chosen
    rows = [msgspec.to_builtins(info) for info in found[:_NAMED]]
    keep_list([info.id for info in found[:_NAMED]])
    width = screen_size()[0] if sys.stderr.isatty() else None
    for line in write_rows(rows, now=datetime.now(UTC), width=width, paint=partial(paint, sys.stderr)):
        sys.stderr.write(f"{line}\n")
    more = f", and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    raise request_failed(f"Several sessions fit “{log}”: these{more}; name one by its number or its id.")


def _listed(params: SessionListParams, *, use_daemon: bool) -> list[SessionInfo]:
    return list(ask("session/list", params, SessionListResult, use_daemon=use_daemon).sessions)
