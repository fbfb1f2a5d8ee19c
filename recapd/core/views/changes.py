"""What a session changed in one file, attempt by attempt: which there are, and their hunks fit to be shown.

Owns: finding a file's changes, and hunks without secrets, within bounds. The caller reads the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from recapd.core.commands import Hunk, hunk_between
from recapd.core.log import is_same_file, join_path
from recapd.core.state import FileChange, FileFact, Session, Sourced, Transcript, turn_at
from recapd.core.text import presentable

# Of one change; a longer one is cut, and says so.
_MOST_LINES: Final = 1_000
_MOST_CHARS: Final = 40_000


class Changed(Struct, frozen=True):
    """Hunks as they are shown, and whether there are more."""

    hunks: tuple[Hunk, ...]
    is_cut: bool


def whole_path(fact: FileFact) -> str:
    """From the root, where it is known from which folder the path is seen; else ""."""
    path = join_path(fact.where, fact.path) or fact.path
    return path if path.startswith("/") or path[1:3] in (":\\", ":/") else ""


def changes_of(session: Session, path: str, *, from_turn: int) -> list[tuple[Sourced[FileChange], FileFact]]:
    """All attempts to change a file, in the order of time. `path` from the root, or as the log first spells it."""
    found: list[tuple[Sourced[FileChange], FileFact]] = []
    for source in (session.main, *session.children):
        transcript = source.transcript
        row = _row_of(transcript, path)
        if row is None:
            continue
        fact = transcript.files[row]
        for change in transcript.changes:
            if change.file != row:
                continue
            is_own = source is session.main
            turn = change.turn if is_own else turn_at(session.main.transcript, change.at)
            if turn >= from_turn:
                via = change.via if is_own else transcript.subagent
                found.append((Sourced(change, source, turn, via), fact))
    if session.children:
        found.sort(key=lambda each: each[0].fact.at)
    return found


def _row_of(transcript: Transcript, path: str) -> int | None:
    row = transcript.file_rows.get(path)
    if row is not None:
        return row
    # As the log spells it; on a drive; or what was written down without the rows, because a path was not to be kept.
    wanted = _slashed(path)
    named = (
        at for at, fact in enumerate(transcript.files) if wanted and wanted in (fact.path, _slashed(whole_path(fact)))
    )
    return next(named, None)


def _slashed(path: str) -> str:
    """A path on a drive with slashes, as in a URI but for the one before the drive."""
    on_drive = path.removeprefix("/") if path[2:4] in (":\\", ":/") else path
    return on_drive.replace("\\", "/") if on_drive[1:3] in (":\\", ":/") else path


def is_of(fact: FileFact, path: str) -> bool:
    """Whether a path that stands in a record can be of the file."""
    return is_same_file(whole_path(fact) or fact.path, path) or is_same_file(fact.path, path)


def shown_changes(hunks: Sequence[Hunk]) -> Changed:
    """Without secrets, and of a long change the beginning."""
    shown: list[Hunk] = []
    lines_left, chars_left = _MOST_LINES, _MOST_CHARS
    for hunk in hunks:
        kept: list[str] = []
        for line in hunk.lines:
            if not lines_left or len(line) > chars_left:
                break
            kept.append(line)
            lines_left -= 1
            chars_left -= len(line)
        is_cut = len(kept) < len(hunk.lines)
        if kept:
            # What is looked through for secrets goes on behind the cut: half a key no longer looks like one.
            shown.append(_shown(hunk, len(kept)))
        if is_cut:
            return Changed(tuple(shown), True)
    return Changed(tuple(shown), False)


def _shown(hunk: Hunk, lines: int) -> Hunk:
    """Either side is looked through as a whole: a secret may have several lines."""
    ahead = Hunk(hunk.lines[: lines + _MOST_LINES // 10], hunk.old_start, hunk.new_start)
    old, new = presentable(ahead.old), presentable(ahead.new)
    if (old, new) != (ahead.old, ahead.new):
        ahead = hunk_between(old, new, old_start=hunk.old_start, new_start=hunk.new_start)
    return Hunk(ahead.lines[:lines], ahead.old_start, ahead.new_start)


def count_lines(hunks: Sequence[Hunk]) -> tuple[int, int]:
    """Lines that come, and lines that go."""
    signs = [line[:1] for hunk in hunks for line in hunk.lines]
    return signs.count("+"), signs.count("-")
