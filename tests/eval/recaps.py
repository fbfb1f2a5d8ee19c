"""How much of what a returning reader must find is in a recap, on labelled sessions; and where points are lost.

    python -m tests.eval.recaps LABELS LOGS [--only NAME] [--lost] [--show short|full]

LABELS holds one JSON file per session (`NAME.json`), LOGS the log of the same name (`NAME.jsonl`). A label names the
points: the request, the focus at the end, and facts with an importance from 1 to 3, each as alternatives of keywords.
A point counts when all keywords of one alternative stand near each other in the recap, which is cut to four characters
for each token of its budget before it is read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from recapd.daemon.library import Library
from recapd.server.methods import recap
from recapd.wire.types import RecapGetParams

Alternatives: TypeAlias = tuple[tuple[str, ...], ...]

# Tokens of each format, and the characters that are read of it.
BUDGETS: Final = {"short": 200, "full": 1000}
CHARS_PER_TOKEN: Final = 4
# Keywords further apart than this say nothing together.
NEAR_CHARS: Final = 300
# What the request and the focus weigh beside facts of importance 1 to 3.
FRAME_WEIGHT: Final = 3


class Fact(Struct, frozen=True):
    fact: str
    importance: int
    keywords: Alternatives
    kind: str = ""


class Label(Struct, frozen=True):
    """What a person who read the whole session wants to find in its recap; other fields are other measures'."""

    original_request: str
    original_request_keywords: Alternatives
    current_focus: str
    current_focus_keywords: Alternatives
    facts: tuple[Fact, ...]


class Point(Struct, frozen=True):
    sort: str
    text: str
    weight: int
    keywords: Alternatives


class Row(Struct, frozen=True):
    """One recap of one session, and the points it lacks."""

    name: str
    format: str
    markdown: str
    points: tuple[Point, ...]
    lost: tuple[Point, ...]

    @property
    def score(self) -> float:
        whole = sum(point.weight for point in self.points)
        return 1 - sum(point.weight for point in self.lost) / whole if whole else 1.0


def points_of(label: Label) -> tuple[Point, ...]:
    return (
        Point("request", label.original_request, FRAME_WEIGHT, label.original_request_keywords),
        Point("focus", label.current_focus, FRAME_WEIGHT, label.current_focus_keywords),
        *(Point(f"fact {fact.importance}", fact.fact, fact.importance, fact.keywords) for fact in label.facts),
    )


def is_present(alternatives: Alternatives, text: str) -> bool:
    lowered = text.lower()
    return any(_is_near(tuple(map(str.lower, keywords)), lowered) for keywords in alternatives)


def _is_near(keywords: tuple[str, ...], text: str) -> bool:
    first, *others = keywords
    start = text.find(first)
    while start >= 0:
        around = text[max(0, start - NEAR_CHARS) : start + len(first) + NEAR_CHARS]
        if all(other in around for other in others):
            return True
        start = text.find(first, start + 1)
    return False


def judge(label: Label, *, name: str, format: str, markdown: str) -> Row:
    read = markdown[: BUDGETS[format] * CHARS_PER_TOKEN]
    points = points_of(label)
    lost = tuple(point for point in points if not is_present(point.keywords, read))
    return Row(name, format, markdown, points, lost)


def rows_of(labels: Path, logs: Path, only: str = "") -> Iterator[Row]:
    for path in sorted(labels.glob("*.json")):
        if only not in path.stem:
            continue
        label = msgspec.json.decode(path.read_bytes(), type=Label)
        library = Library([])
        session = library.load(logs / f"{path.stem}.jsonl")
        for format, budget in BUDGETS.items():
            params = msgspec.convert({"format": format, "maxTokens": budget}, RecapGetParams)
            markdown = recap.get(library, session, params).markdown
            yield judge(label, name=path.stem, format=format, markdown=markdown)


def table(rows: Sequence[Row]) -> str:
    """Scores by session and format, their means, and the share of the points of each sort that was found."""
    lines = [f"{row.score:.2f} {row.format:5} {len(row.markdown):5} chars  {row.name}" for row in rows]
    for format in BUDGETS:
        scores = [row.score for row in rows if row.format == format]
        if not scores:
            continue
        lines.append(f"{format}: mean {sum(scores) / len(scores):.3f}, least {min(scores):.2f}")
        asked = [point.sort for row in rows if row.format == format for point in row.points]
        lost = [point.sort for row in rows if row.format == format for point in row.lost]
        lines.append(
            "  found: "
            + ", ".join(
                f"{sort} {asked.count(sort) - lost.count(sort)}/{asked.count(sort)}" for sort in sorted(set(asked))
            )
        )
    return "\n".join(lines)


def lost_points(rows: Sequence[Row]) -> str:
    return "\n".join(
        f"{row.name} {row.format}: {point.sort}: {point.text} {[list(each) for each in point.keywords]}"
        for row in rows
        for point in sorted(row.lost, key=lambda point: -point.weight)
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--only", default="", help="sessions whose name holds this")
    parser.add_argument("--lost", action="store_true", help="print every point that was not found")
    parser.add_argument("--show", choices=tuple(BUDGETS), help="print these recaps")
    args = parser.parse_args(arguments)
    rows = list(rows_of(args.labels, args.logs, args.only))
    parts = [f"=== {row.name}\n{row.markdown}\n" for row in rows if row.format == args.show]
    if args.lost:
        parts.append(lost_points(rows))
    sys.stdout.write("\n".join([*parts, table(rows)]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
