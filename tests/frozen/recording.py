"""What a checkout answered, on disk: a file per part, a line per answer, compressed.

Answers are kept as the bytes that came, as far as these can be the same twice; what cannot is replaced by a word
in angle brackets. `NORMALISATIONS` is all that is replaced.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from msgspec import Struct

_SUFFIX = ".jsonl.gz"
# Parts of which some can be recorded without the rest: an answer depends on its own log or connection alone.
_SELECTABLE = ("connection", "logs")


# Whether what has this name is to be recorded.
Wanted: TypeAlias = Callable[[str], bool]


class Normalisation(Struct, frozen=True):
    """One kind of text that differs between two runs of the same code."""

    pattern: re.Pattern[str]
    replacement: str


# A quote that no backslash stands before is not part of a text from a log, which is escaped inside JSON.
_FIELD = r'(?<!\\)"{}":'


def number_field(name: str) -> Normalisation:
    return Normalisation(re.compile(rf"({_FIELD.format(name)})\d+"), rf'\1"<{name}>"')


def text_field(name: str) -> Normalisation:
    return Normalisation(re.compile(rf'({_FIELD.format(name)})"[^"]*"'), rf'\1"<{name}>"')


def normalised(text: str, rules: tuple[Normalisation, ...]) -> str:
    for rule in rules:
        text = rule.pattern.sub(rule.replacement, text)
    return text


# Which of two logs was read first, and in how many pieces, is up to the scheduler; cursors hold the revision too.
REVISION_NORMALISATIONS: tuple[Normalisation, ...] = (
    number_field("revision"),
    Normalisation(re.compile(rf'({_FIELD.format("cursor")}"t\d+\.\d+\.[0-9a-f]*\.)\d+'), r"\1<revision>"),
)
# What the process takes and how far its writing is, in `recapd/status`: of the machine, not of what is said.
SIZES = ("memoryBytes", "residentBytes", "sessionsWhole", "sessionsOnDisk", "pending", "depth")
STATUS_NORMALISATIONS: tuple[Normalisation, ...] = (
    *(number_field(name) for name in SIZES),
    Normalisation(re.compile(rf'({_FIELD.format("path")}"[^"]*/state","sizeBytes":)\d+'), r'\1"<sizeBytes>"'),
    text_field("writtenAt"),
)


class Entry(Struct, frozen=True):
    """One answer: of which log or step, to which question, and what it was."""

    of: str
    asked: str
    answer: str


class Recorder:
    """Writes the entries of one part, in order; an entry that was asked twice gets a number."""

    def __init__(self, folder: Path, part: str, rules: tuple[Normalisation, ...] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._rules = rules
        self._path = folder / f"{part}{_SUFFIX}"
        # Its name is given to it once it is whole.
        self._unfinished = folder / f"{part}.unfinished"
        # Fast rather than small: a tenth of the text is small enough.
        self._file = gzip.GzipFile(self._unfinished, "wb", compresslevel=2)
        self._times: dict[tuple[str, str], int] = {}
        self.count = 0

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()
        if kind is None:
            self._unfinished.rename(self._path)

    def add(self, of: str, asked: str, answer: str) -> None:
        times = self._times[of, asked] = self._times.get((of, asked), 0) + 1
        name = asked if times == 1 else f"{asked} #{times}"
        line = json.dumps([of, name, normalised(answer, self._rules)], ensure_ascii=True)
        self._file.write(line.encode() + b"\n")
        self.count += 1


def wanted_of(part: str, only: str | None, parts: Collection[str]) -> Wanted | None:
    """Which logs or connections of a part are asked for; None where nothing of it is.

    `only` is the name of a part, else part of the names of those that are wanted.
    """
    if only is None or only == part:
        return lambda of: True
    if only in parts or part not in _SELECTABLE:
        return None
    return lambda of: only in of


def parts_in(folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(_SUFFIX) for path in folder.glob(f"*{_SUFFIX}"))


def entries_of(folder: Path, part: str) -> Iterator[Entry]:
    path = folder / f"{part}{_SUFFIX}"
    if not path.exists():
        return
    with gzip.open(path, "rb") as file:
        for line in file:
            yield Entry(*json.loads(line))
