"""Counts what is taken out of a folder of real logs, by kind: `python -m tests.corpus.redactions FOLDER`.

Every string of every JSON value is read as recapd reads it, decoded; other files as they are. Kinds and counts only:
what was found is never shown. Run in two checkouts, the difference is what a change takes out more, or no longer.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from recapd.core.secrets import redactions
from tests.corpus.survey import logs_in


def main(arguments: list[str]) -> None:
    kinds: Counter[str] = Counter()
    n_texts = n_chars = 0
    for path in logs_in(Path(arguments[0])):
        for text in texts_in(path):
            n_texts += 1
            n_chars += len(text)
            kinds.update(span.kind for span in redactions(text))
    sys.stdout.write(f"{n_texts} texts, {n_chars} characters, {sum(kinds.values())} redactions\n")
    for kind, count in sorted(kinds.items()):
        sys.stdout.write(f"{count:7} {kind}\n")


def texts_in(path: Path) -> Iterator[str]:
    whole = path.read_bytes()
    try:
        yield from _strings_in(msgspec.json.decode(whole))
        return
    except msgspec.DecodeError:
        pass
    for line in whole.split(b"\n"):
        try:
            yield from _strings_in(msgspec.json.decode(line))
        except msgspec.DecodeError:
            yield line.decode(errors="replace")


def _strings_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings_in(each)


if __name__ == "__main__":
    main(sys.argv[1:])
