"""What a session changed in one file, attempt by attempt: which there are, and their hunks fit to be shown.

Owns: finding a file's changes, and hunks without secrets, within bounds. The caller reads the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile
from typing import Final

from msgspec import Struct

from recapd.core.commands import Hunk
from recapd.core.giving_up import look_up
from recapd.core.hygiene import clean
from recapd.core.log import is_same_file, join_path
from recapd.core.secrets import MASK, redact_lines
from recapd.core.state import FileChange, FileFact, Session, Sourced, Transcript, turns_by_time

# Of one change; a longer one is cut, and says so.
_MOST_LINES: Final = 1_000
_MOST_CHARS: Final = 40_000
# What is looked through for secrets goes on behind the cut, further than any key is long: half a key does not look like
# one.
_LINES_AHEAD: Final = 400
_CHARS_AHEAD: Final = 20_000
_SIGNS: Final = (" ", "-", "+", "\\")
# Before, after, and what is said about lines.
_SIDES: Final = ("- ", "+ ", "\\")


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
    turn_at = turns_by_time(session.main.transcript)
    for source in (session.main, *session.children):
        transcript = source.transcript
        row = _row_of(transcript, path)
        if row is None:
            continue
        fact = transcript.files[row]
        for change in transcript.changes:
            look_up()
            if change.file != row:
                continue
            is_own = source is session.main
            turn = change.turn if is_own else turn_at(change.at)
            if turn >= from_turn:
                via = change.via if is_own else transcript.subagent
                found.append((Sourced(change, source, turn, via), fact))
    if session.children:
        found.sort(key=lambda each: each[0].fact.at)
    return found


def _row_of(transcript: Transcript, path: str) -> int | None:
    row = transcript.file_rows.get(path.replace("\\", "/"))
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
        for line in _masked(_beginning(hunk.lines, lines_left + _LINES_AHEAD, chars_left + _CHARS_AHEAD)):
            if not lines_left or len(line) > chars_left:
                break
            kept.append(line)
            lines_left -= 1
            chars_left -= len(line)
        if kept:
            shown.append(Hunk(tuple(kept), hunk.old_start, hunk.new_start))
        if len(kept) < len(hunk.lines):
            return Changed(tuple(shown), True)
    return Changed(tuple(shown), False)


def _beginning(lines: Sequence[str], most_lines: int, most_chars: int) -> list[str]:
    """Whole lines, as many as there is room for."""
    ends = accumulate(map(len, lines))
    return [line for line, end in zip(lines[:most_lines], takewhile(lambda end: end <= most_chars, ends), strict=False)]


def _masked(lines: Sequence[str]) -> list[str]:
    """Line by line, each behind its sign. Either side is looked through as a whole: a secret may have several lines."""
    look_up()
    signed = [(line[0], line[1:]) if line.startswith(_SIGNS) else (" ", line) for line in lines]
    # A break within a line would be a line without a sign.
    plain = [clean(text.removesuffix("\r")).replace("\n", " ") for _, text in signed]
    masked = list(plain)
    for side in _SIDES:
        rows = [row for row, (sign, _) in enumerate(signed) if sign in side]
        for row, text in zip(rows, redact_lines([plain[row] for row in rows]), strict=True):
            masked[row] = _either(plain[row], masked[row], text)
    return [sign + text for (sign, _), text in zip(signed, masked, strict=True)]


def _either(plain: str, one: str, other: str) -> str:
    """A line that stays has a secret where either side says so."""
    if plain == one:
        return other
    return one if other in (one, plain) else MASK


def count_lines(hunks: Sequence[Hunk]) -> tuple[int, int]:
    """Lines that come, and lines that go."""
    signs = [line[:1] for hunk in hunks for line in hunk.lines]
    return signs.count("+"), signs.count("-")
