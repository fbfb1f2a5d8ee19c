"""What changed in a session after a point, statement by statement: decisions, tests, commits, files, forgetting.

Owns: what of the news is told, in which words. What is new at all is `since`'s to know.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.state import Landmark, Source, is_changed, relative, turns_by_time
from recapd.core.text import excerpt
from recapd.core.views.pages import number_of_row, row_at
from recapd.core.views.recap.decisions import decision_item
from recapd.core.views.recap.items import file_item, root_of
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.view import Cited, Item, Wording, coded, joined, worded

ChangeKind: TypeAlias = Literal[
    "decision", "replaced", "testsPassed", "testsFailed", "commit", "pullRequest", "file", "compaction"
]

# Of each kind the latest: a reader who was away for longer reads the recap.
_MOST_OF_KIND: Final = 10
_DECISION_CHARS: Final = 120
_TEXT_CHARS: Final = 100
# Landmarks of so long ago are looked at for what a runner's last result was.
_LANDMARKS_BEFORE: Final = 200


class Change(Struct, frozen=True):
    kind: ChangeKind
    item: Item


def changes_of(whole: Recap, new: Recap, *, offset: int, at: str) -> list[Change]:
    """In the order of the log, but for the files, which come last. `new` is the recap after the point alone; what is
    after it stands at this byte of the log or later, and in those of sub-agents after this time."""
    found = [*_decisions(whole, new), *_landmarks(whole, offset, at)]
    found.sort(key=lambda change: (change.item.turn, change.item.cited[0].place.offset))
    found += _files(new)
    kept: list[Change] = []
    count: dict[str, int] = {}
    for change in reversed(found):
        count[change.kind] = count.get(change.kind, 0) + 1
        if count[change.kind] <= _MOST_OF_KIND:
            kept.append(change)
    return kept[::-1]


def _decisions(whole: Recap, new: Recap) -> Iterator[Change]:
    made = {entry.id: entry for entry in new.decisions}
    for entry in new.decisions:
        if entry.status == "active":
            yield Change("decision", decision_item(whole, entry, _DECISION_CHARS))
    for entry in whole.decisions:
        successor = made.get(entry.superseded_by)
        if successor is not None and entry.id not in made:
            old = decision_item(whole, entry, _DECISION_CHARS, to_turn=successor.turn)
            by = decision_item(whole, successor, _DECISION_CHARS)
            told = msgspec.structs.replace(
                old, wording=joined(("Replaced: ", old.wording)), turn=by.turn, cited=(*by.cited, *old.cited)
            )
            yield Change("replaced", msgspec.structs.replace(told, children=(by,)))


def _landmarks(recap: Recap, offset: int, at: str) -> Iterator[Change]:
    main = recap.session.main
    turns = main.transcript.turns
    came: list[tuple[Source, Landmark]] = []
    before: dict[str, Landmark] = {}
    for child in recap.session.children if at else ():
        latest = islice(reversed(child.transcript.landmarks), _LANDMARKS_BEFORE)
        came += [(child, mark) for mark in latest if mark.at > at]
    looked_back = 0
    for mark in reversed(main.transcript.landmarks):
        row = row_at(main.transcript, mark.place.offset)
        if row >= 0 and turns[row].abandoned:
            continue
        if mark.place.offset >= offset:
            came.append((main, mark))
            continue
        if mark.kind in ("testsPassed", "testsFailed"):
            before.setdefault(mark.text, mark)
        looked_back += 1
        if looked_back == _LANDMARKS_BEFORE:
            break
    if recap.session.children:
        came.sort(key=lambda each: each[1].at, reverse=True)
    told: set[str] = set()
    turn_at = turns_by_time(main.transcript)
    for source, mark in came:
        is_own = source is main
        turn = (
            number_of_row(main.transcript, row_at(main.transcript, mark.place.offset)) if is_own else turn_at(mark.at)
        )
        if mark.kind == "testsPassed" or mark.kind == "testsFailed":
            # The latest come first: of each runner its last result, where that is another than it was.
            was = before.get(mark.text)
            if mark.text not in told and (was is None or was.kind != mark.kind):
                yield Change(mark.kind, _tests(recap, source, mark, was, turn))
            told.add(mark.text)
        elif mark.kind == "commit":
            wording = joined(("Committed: ", worded(excerpt(mark.text, _TEXT_CHARS))))
            yield Change("commit", _item(source, mark, turn, wording))
        elif mark.kind == "pullRequest":
            wording = joined((worded(excerpt(mark.text, _TEXT_CHARS)), " opened"))
            yield Change("pullRequest", _item(source, mark, turn, wording))
        elif mark.kind == "compaction":
            yield Change("compaction", _item(source, mark, turn, Wording(_FORGOT, _FORGOT)))


_FORGOT: Final = "The agent's memory was replaced by a summary"


def _tests(recap: Recap, source: Source, mark: Landmark, was: Landmark | None, turn: int) -> Item:
    counts = ((mark.failed, "failed"), (mark.passed, "passed"))
    counted = ", ".join(f"{number} {word}" for number, word in counts if number)
    state = "pass" if mark.kind == "testsPassed" else "fail"
    told: list[Wording | str] = [f"Tests {state}{' now' if was is not None else ''}"]
    told += [f": {counted}"] if counted else []
    told += [" (", worded(excerpt(mark.text, _TEXT_CHARS)), ")"] if mark.text else []
    item = _item(source, mark, turn, joined(told))
    cited = (*item.cited, Cited(recap.session.main, was.place)) if was is not None else item.cited
    return msgspec.structs.replace(item, cited=cited, ok=mark.kind == "testsPassed")


def _item(source: Source, mark: Landmark, turn: int, wording: Wording) -> Item:
    key = f"{mark.kind} {source.uri} {turn} {mark.at} {mark.text}"
    return Item(key=key, wording=wording, turn=turn, at=mark.at, cited=(Cited(source, mark.place),))


def _files(new: Recap) -> Iterator[Change]:
    root = root_of(new)
    for row in reversed(new.files):
        if is_changed(row.fact) and row.fact.path.strip():
            name = coded(relative(row.fact.path, root))
            item = file_item(row, name)
            yield Change("file", msgspec.structs.replace(item, wording=joined((name, f" {row.fact.action}"))))
