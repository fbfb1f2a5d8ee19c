"""How many lines of real files are given to the turn that wrote them, and whether that is so:

    python -m tests.corpus.why FOLDER [--draw COUNT] [--seed SEED]

Each file that a log changes is rebuilt from the log's own writes, edits and reads, forwards, by rules of this module's
own; of its lines at the end `core/why` says backwards who wrote them. By format:

    files, rebuilt        files that were changed, and those that are known to the end
    lines, claimed        theirs, and those that `core/why` gives to a turn
    by agents, of those   lines that the way forwards gives to an edit, how many of these are claimed, and their share
    otherwise             claims for another edit than that, or for one where it was somebody else

`--draw` shows some claimed lines, chosen by the seed, with the line of the log that is said to have written each: for
reading beside the log. Otherwise only counts are shown. It fails where more than one claim in a thousand is otherwise.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from msgspec import Struct

from recapd.core.commands import Hunk
from recapd.core.log import join_path
from recapd.core.state import Session
from recapd.core.why import NOBODY, Edit, Piece, Touch, attribute, changed_paths, lines_of, names_of, trail_of
from recapd.daemon.library import Library
from recapd.server.methods.why import LoggedEdits
from recapd.wire.errors import RecapError
from tests.corpus.survey import logs_in

# The way forwards does not say who wrote the line.
UNTOLD = NOBODY - 1
# Of lines that are alike, or that an edit moved, a diff names one as new where another names the other.
_OTHERWISE = 0.001


class Read(Struct, frozen=True):
    """What an agent saw of a file."""

    path: str
    offset: int
    text: str
    # Lines of the file, and the first that was seen, from 1.
    total: int
    first: int = 1


class Rebuilt(Struct, frozen=True):
    """A file as its log leaves it."""

    path: str
    lines: list[str]
    trail: list[Touch]
    # By line: the edit that `core/why` says wrote it, and the one after which it first stood there.
    claimed: list[int]
    replayed: list[int]


class Claim(Struct, frozen=True):
    log: str
    path: str
    line: int
    text: str
    # Of the log: the call that is said to have written it.
    log_line: int
    turn: int


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.why", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draw", type=int, default=0, metavar="COUNT", help="show so many claimed lines")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    counts: dict[str, Counter[str]] = {}
    claims: list[Claim] = []
    for path in logs_in(args.folder):
        library = Library([])
        try:
            session = library.load(path)
        except RecapError:
            continue
        if not session.main.transcript.changes:
            continue
        counted = counts.setdefault(session.agent, Counter())
        counted["logs"] += 1
        for file in _rebuild_all(library, session, path, counted):
            _count(counted, file)
            claims += _claims(path, file)
    _print_counts(counts)
    for claim in random.Random(args.seed).sample(claims, min(args.draw, len(claims))):
        _write(f"{claim.log}:{claim.log_line} turn {claim.turn}  {claim.path}:{claim.line}  {claim.text}")
    everything = sum(counts.values(), Counter[str]())
    return 0 if everything["otherwise"] <= everything["claimed"] * _OTHERWISE else 1


def _rebuild_all(library: Library, session: Session, log: Path, counted: Counter[str]) -> Iterator[Rebuilt]:
    changed = changed_paths(session)
    reads = list(_reads(log))
    for path in sorted(changed.paths - {old for old, _ in changed.renamed}):
        trail = trail_of([session], [path], names_of([path], [changed]))
        if not trail or trail[-1].is_end:
            continue
        counted["files"] += 1
        edits = list(LoggedEdits(library, trail))
        names = {join_path(touch.fact.where, touch.fact.path) or touch.fact.path for touch in trail}
        replay = _Replay()
        waiting = [each for each in reads if each.path in names]
        for number, (touch, edit) in enumerate(zip(trail, edits, strict=True)):
            while waiting and touch.source is session.main and waiting[0].offset < touch.change.place.offset:
                replay.see(waiting.pop(0))
            replay.apply(edit, number)
        for read in waiting:
            replay.see(read)
        if replay.is_known:
            yield Rebuilt(path, replay.lines, trail, attribute(replay.lines, edits), replay.writers)


class _Replay:
    """A file from its first edit on; after what a log does not tell, it is known again once somebody saw it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.writers: list[int] = []
        # False where somebody did something to it that is not told.
        self.is_known = False
        self._before = NOBODY

    def see(self, read: Read) -> None:
        seen = lines_of(read.text)
        if read.first == 1 and len(seen) == read.total:
            self._know(seen)
        elif self.is_known and len(self.lines) == read.total:
            first = read.first - 1
            self._know([*self.lines[:first], *seen, *self.lines[first + len(seen) :]])
        else:
            self._lose()

    def apply(self, edit: Edit, writer: int) -> None:
        if edit.before is not None:
            self._know(lines_of(edit.before))
        if edit.after is not None:
            self._become(lines_of(edit.after), writer if self.is_known else UNTOLD)
            self.is_known = True
            return
        if not edit.hunks and not edit.pieces:
            self._lose()
        changes: tuple[Hunk | Piece, ...] = (*edit.hunks, *edit.pieces)
        for change in changes:
            lines = _patched(self.lines, change) if isinstance(change, Hunk) else _replaced(self.lines, change)
            if lines is None or not self.is_known:
                self._lose()
                return
            self._become(lines, writer)

    def _lose(self) -> None:
        self.is_known = False
        self._before = UNTOLD

    def _know(self, lines: list[str]) -> None:
        """What differs from what was known came by somebody else, or by what is not told."""
        self._become(lines, NOBODY if self.is_known else self._before)
        self.is_known = True
        self._before = UNTOLD

    def _become(self, lines: list[str], writer: int) -> None:
        writers: list[int] = []
        for kind, start, end, other, other_end in SequenceMatcher(a=self.lines, b=lines, autojunk=False).get_opcodes():
            writers += self.writers[start:end] if kind == "equal" else [writer] * (other_end - other)
        self.lines, self.writers = lines, writers


def _patched(lines: list[str], hunk: Hunk) -> list[str] | None:
    """None where what the patch expects does not stand at one place."""
    old = [line[1:] for line in hunk.lines if line[:1] in (" ", "-")]
    new = [line[1:] for line in hunk.lines if line[:1] in (" ", "+")]
    if not old:
        return None
    places = [at for at in range(len(lines) - len(old) + 1) if lines[at : at + len(old)] == old]
    return [*lines[: places[0]], *new, *lines[places[0] + len(old) :]] if len(places) == 1 else None


def _replaced(lines: list[str], piece: Piece) -> list[str] | None:
    if not piece.old:
        return None
    text = "\n".join(lines)
    times = text.count(piece.old)
    return text.replace(piece.old, piece.new).split("\n") if times == 1 or (times and piece.everywhere) else None


# ---- what agents saw


def _reads(log: Path) -> Iterator[Read]:
    """What Claude Code and pi log of files they read; of others nothing is known."""
    offset = 0
    asked: dict[str, dict[str, Any]] = {}
    folder = ""
    for line in log.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict):
            folder = record["cwd"] if isinstance(record.get("cwd"), str) else folder
            yield from _claude_read(record, offset)
            yield from _pi_read(record, offset, asked, folder)
        offset += len(line) + 1


def _claude_read(record: dict[str, Any], offset: int) -> Iterator[Read]:
    result = record.get("toolUseResult")
    file = result.get("file") if isinstance(result, dict) and result.get("type") == "text" else None
    if isinstance(file, dict) and isinstance(file.get("content"), str) and file.get("totalLines"):
        yield Read(file["filePath"], offset, file["content"], file["totalLines"], file.get("startLine") or 1)


def _pi_read(record: dict[str, Any], offset: int, asked: dict[str, dict[str, Any]], folder: str) -> Iterator[Read]:
    message = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        return
    blocks = message.get("content")
    for block in blocks if isinstance(blocks, list) else ():
        if isinstance(block, dict) and block.get("type") == "toolCall" and block.get("name") == "read":
            asked[str(block.get("id"))] = block.get("arguments") or {}
    arguments = asked.pop(str(message.get("toolCallId")), None)
    if message.get("role") != "toolResult" or arguments is None or message.get("isError"):
        return
    texts = [block.get("text", "") for block in blocks or () if block.get("type") == "text"]
    is_whole = not arguments.get("offset") and not arguments.get("limit") and not message.get("details")
    if is_whole and len(texts) == 1 and isinstance(arguments.get("path"), str):
        path = join_path(folder, arguments["path"]) or arguments["path"]
        yield Read(path, offset, texts[0], len(lines_of(texts[0])))


# ---- what is told of it


def _count(counted: Counter[str], file: Rebuilt) -> None:
    counted["rebuilt"] += 1
    counted["lines"] += len(file.lines)
    for claimed, replayed in zip(file.claimed, file.replayed, strict=True):
        counted["by agents"] += replayed not in (NOBODY, UNTOLD)
        counted["claimed"] += claimed != NOBODY
        counted["of those"] += claimed != NOBODY and replayed not in (NOBODY, UNTOLD)
        counted["otherwise"] += claimed != NOBODY and replayed not in (UNTOLD, claimed)


def _claims(log: Path, file: Rebuilt) -> Iterator[Claim]:
    for number, (text, writer) in enumerate(zip(file.lines, file.claimed, strict=True), 1):
        if writer != NOBODY and text.strip():
            touch = file.trail[writer]
            yield Claim(log.name, file.path, number, text, touch.change.place.line, touch.turn)


def _print_counts(counts: dict[str, Counter[str]]) -> None:
    columns = ("logs", "files", "rebuilt", "lines", "claimed", "by agents", "of those", "otherwise")
    _row("format", *columns, "share")
    for agent, counted in sorted(counts.items()):
        _row(agent, *(counted[name] for name in columns), _share(counted))
    everything = sum(counts.values(), Counter[str]())
    _row("all", *(everything[name] for name in columns), _share(everything))


def _share(counted: Counter[str]) -> str:
    return f"{counted['of those'] / counted['by agents']:.0%}" if counted["by agents"] else ""


def _row(first: str, *cells: object) -> None:
    _write(f"{first:<22}" + "".join(f"{cell!s:>14}" for cell in cells))


def _write(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
