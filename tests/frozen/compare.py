"""Two recordings side by side: which answers differ, and in what."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Collection, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from tests.frozen.output import write
from tests.frozen.recording import entries_of, parts_in, wanted_of

# A change of one word shows in thousands of answers; the first of each method tell what it is.
SHOWN_PER_METHOD = 3
SHOWN = 30
LINES = 40
# Of a line of a diff; a text of a log may be long.
LINE_CHARACTERS = 300

Key: TypeAlias = tuple[str, str, str]


class Difference(Struct, frozen=True):
    """An answer that differs, or that only one recording has."""

    part: str
    of: str
    asked: str
    # None where there is none.
    before: str | None
    after: str | None


class Row(Struct):
    """How many answers of one kind there are, and what became of them."""

    same: int = 0
    other: int = 0
    missing: int = 0
    new: int = 0


def compare(old: Path, new: Path, only: str | None = None) -> bool:
    """Whether both recordings say the same, byte for byte; writes down what differs."""
    parts = sorted({*parts_in(old), *parts_in(new)})
    before, after = (_digests(folder, only, parts) for folder in (old, new))
    if not before and not after:
        write("nothing was recorded")
        return False
    differing = [key for key in before if key in after and before[key] != after[key]]
    differing += [key for key in before if key not in after]
    differing += [key for key in after if key not in before]
    for difference in _texts(old, new, _chosen(differing)):
        _show(difference)
    _write_table(before, after)
    if differing:
        write(f"\n{len(differing)} of {len(before.keys() | after.keys())} answers differ")
    else:
        write(f"\nall {len(before)} answers are the same")
    return not differing


def _digests(folder: Path, only: str | None, parts: Collection[str]) -> dict[Key, bytes]:
    return {
        (part, entry.of, entry.asked): blake2b(entry.answer.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        for part in parts
        if (is_wanted := wanted_of(part, only, parts)) is not None
        for entry in entries_of(folder, part)
        if is_wanted(entry.of)
    }


def _chosen(keys: list[Key]) -> list[Key]:
    """Those worth showing: a few of each kind of question, in order."""
    times: Counter[tuple[str, str]] = Counter()
    chosen: list[Key] = []
    for key in keys:
        kind = (key[0], _kind(key))
        times[kind] += 1
        if times[kind] <= SHOWN_PER_METHOD and len(chosen) < SHOWN:
            chosen.append(key)
    return chosen


def _kind(key: Key) -> str:
    part, of, asked = key
    return asked.partition(" ")[0] if part in ("logs", "world") else of


def _texts(old: Path, new: Path, keys: Collection[Key]) -> Iterator[Difference]:
    before, after = _answers(old, keys), _answers(new, keys)
    for key in keys:
        yield Difference(*key, before.get(key), after.get(key))


def _answers(folder: Path, keys: Collection[Key]) -> dict[Key, str]:
    wanted = set(keys)
    found: dict[Key, str] = {}
    for part in sorted({part for part, _, _ in wanted}):
        for entry in entries_of(folder, part):
            if (key := (part, entry.of, entry.asked)) in wanted:
                found[key] = entry.answer
    return found


def _show(difference: Difference) -> None:
    write(f"\n== {difference.part}: {difference.of}\n   {difference.asked}")
    if difference.before is None or difference.after is None:
        write("   only in the " + ("second" if difference.before is None else "first") + " recording")
        return
    lines = list(_diff(difference.before, difference.after))
    for line in lines[:LINES]:
        write("   " + (line if len(line) <= LINE_CHARACTERS else line[:LINE_CHARACTERS] + " …"))
    if len(lines) > LINES:
        write(f"   … {len(lines) - LINES} more lines")


def _diff(before: str, after: str) -> Iterator[str]:
    """A unified diff of what people can read; of the bytes themselves where nothing else differs."""
    old, new = _readable(before), _readable(after)
    if old == new:
        yield "the same data in other bytes:"
        start = next((at for at, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), 0)
        old, new = [repr(before[max(0, start - 40) : start + 80])], [repr(after[max(0, start - 40) : start + 80])]
    yield from list(difflib.unified_diff(old, new, lineterm="", n=2))[2:]


def _readable(text: str) -> list[str]:
    """JSON in lines, texts of several lines in it cut into those; anything else as it is."""
    try:
        lines = json.dumps(json.loads(text), ensure_ascii=False, indent=1).split("\n")
    except ValueError:
        return text.split("\n")
    return [piece for line in lines for piece in line.replace("\\n", "\\n\n").split("\n")]


def _write_table(before: dict[Key, bytes], after: dict[Key, bytes]) -> None:
    rows: dict[tuple[str, str], Row] = {}
    for key in before.keys() | after.keys():
        row = rows.setdefault((key[0], _kind(key)), Row())
        if key not in after:
            row.missing += 1
        elif key not in before:
            row.new += 1
        elif before[key] == after[key]:
            row.same += 1
        else:
            row.other += 1
    write(f"\n{'part':<12} {'of':<28} {'same':>7} {'differ':>7} {'missing':>7} {'new':>7}")
    for (part, kind), row in sorted(rows.items()):
        write(f"{part:<12} {kind:<28} {row.same:>7} {row.other:>7} {row.missing:>7} {row.new:>7}")
