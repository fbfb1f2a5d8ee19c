"""How well the ledger tells what still holds: measured on labelled sessions.

    python -m tests.eval.ledger LABELS LOGS [LABELS LOGS ...] [--found] [--errors]

LABELS is a folder of JSON files with hand labels, LOGS the folder of their logs. By default the labelled decisions
stand in for what would be found, so the errors are the ledger's own; with --found it is what recapd finds, matched with
the labels by place and words. Intervals are by repositories drawn anew, for sessions of one resemble each other.
"""

from __future__ import annotations

import argparse
import random
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd.core.decisions.entries import DecisionType, Entry, Finding, MadeBy
from recapd.core.decisions.ledger.ledger import ledger_from, ledger_of
from recapd.core.decisions.terms import words_of
from recapd.core.log.refs import Place
from recapd.core.settings import DEFAULTS
from recapd.core.state.transcript import Transcript
from recapd.core.state.world import Session
from recapd.daemon.library import Library

DRAWS = 1_000
# A finding is a labelled decision if it stands in the same line and shares so many words, or nearby and more of them.
SAME_LINE, NEARBY = 0.22, 0.4


class Label(Struct, frozen=True):
    line: int
    quote: str
    text: str
    who: MadeBy
    type: DecisionType
    status: str
    superseded_by: int | None = None
    proposal_line: int | None = None


class Labels(Struct, frozen=True):
    decisions: tuple[Label, ...]


class Judged(Struct, frozen=True):
    """A labelled decision, and the entry that tells it."""

    repository: str
    label: Label
    heir: str
    entry: Entry
    ended_by: str

    @property
    def is_old(self) -> bool:
        return self.label.status != "active"

    @property
    def is_buried(self) -> bool:
        return self.entry.status in ("superseded", "reverted")


def judged_in(labels: Path, logs: Path, *, is_found: bool) -> Iterator[Judged]:
    for path in sorted(labels.glob("*.json")):
        decided = msgspec.json.decode(path.read_bytes(), type=Labels).decisions
        session = Library([logs], environ={}).load(logs / f"{path.stem}.jsonl")
        if is_found:
            ledger = [entry for entry in ledger_of(session, DEFAULTS.decisions) if entry.status != "tentative"]
            pairs = _matched(ledger, decided, session)
        else:
            ledger = list(ledger_from(_as_found(decided, session), session=session, settings=DEFAULTS.decisions))
            pairs = [(entry, entry.finding.ordinal) for entry in ledger]
        texts = {entry.id: entry.finding.text for entry in ledger}
        for entry, number in pairs:
            label = decided[number]
            heir = decided[label.superseded_by].text if label.superseded_by is not None else ""
            yield Judged(path.stem.split("__")[1], label, heir, entry, texts.get(entry.superseded_by, ""))


def _as_found(decided: Sequence[Label], session: Session) -> list[Finding]:
    places = sorted((passage.place.line, passage.place.offset) for passage in session.main.transcript.passages)
    return [
        Finding(
            record="",
            ordinal=number,
            place=Place(label.line, _offset_at(places, label.line), 0),
            turn_row=_row_at(session.main.transcript, label.line),
            message=0,
            at="",
            text=label.text,
            quote=label.quote,
            type=label.type,
            made_by=label.who,
            how="stated",
            confidence=1.0,
            proposal=_proposal_of(label, places),
        )
        for number, label in enumerate(decided)
    ]


def _proposal_of(label: Label, places: Sequence[tuple[int, int]]) -> Place | None:
    line = label.proposal_line
    return None if line is None else Place(line, _offset_at(places, line), 0)


def _offset_at(places: Sequence[tuple[int, int]], line: int) -> int:
    """Of the line, or of the one before it that was collected: what counts is the text there, and the order."""
    at = bisect_right(places, line, key=lambda place: place[0])
    return places[at - 1][1] if at else 0


def _row_at(transcript: Transcript, line: int) -> int:
    return max((row for row, turn in enumerate(transcript.turns) if turn.request.place.line <= line), default=-1)


def _matched(ledger: Sequence[Entry], decided: Sequence[Label], session: Session) -> list[tuple[Entry, int]]:
    """The best pairs of entries and labels, each used once."""
    transcript = session.main.transcript
    scored: list[tuple[float, int, int]] = []
    for at, entry in enumerate(ledger):
        found = entry.finding
        mine = words_of(f"{found.text} {found.quote}")
        lines = {found.place.line, found.proposal.line if found.proposal else 0}
        for number, label in enumerate(decided):
            theirs = words_of(f"{label.text} {label.quote}")
            alike = 2 * len(mine & theirs) / max(1, len(mine) + len(theirs))
            is_there = bool(lines & {label.line, label.proposal_line or -1})
            is_near = abs(_row_at(transcript, found.place.line) - _row_at(transcript, label.line)) <= 1
            if (is_there and alike >= SAME_LINE) or (is_near and alike >= NEARBY):
                scored.append((is_there + alike, at, number))
    pairs: list[tuple[Entry, int]] = []
    used: set[tuple[str, int]] = set()
    for _, at, number in sorted(scored, reverse=True):
        if used.isdisjoint({("entry", at), ("label", number)}):
            used |= {("entry", at), ("label", number)}
            pairs.append((ledger[at], number))
    return pairs


def shares(judged: Sequence[Judged]) -> tuple[float, float]:
    """Of the replaced ones those found, and of all those buried alive."""
    old = [each for each in judged if each.is_old]
    found = sum(each.is_buried for each in old)
    buried = sum(each.is_buried and not each.is_old for each in judged)
    return found / max(1, len(old)), buried / max(1, len(judged))


def intervals(judged: Sequence[Judged]) -> list[tuple[float, float]]:
    chance = random.Random(1)
    by_repository: dict[str, list[Judged]] = {}
    for each in judged:
        by_repository.setdefault(each.repository, []).append(each)
    names = sorted(by_repository)
    draws = [
        shares([each for name in chance.choices(names, k=len(names)) for each in by_repository[name]])
        for _ in range(DRAWS)
    ]
    cut = DRAWS // 20
    return [(sorted(column)[cut], sorted(column)[-cut]) for column in zip(*draws, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="LABELS LOGS")
    parser.add_argument("--found", action="store_true", help="measure on what recapd finds, not on the labels")
    parser.add_argument("--errors", action="store_true", help="name every decision whose status is wrong")
    args = parser.parse_args()
    folders: list[Path] = args.folders
    judged = [
        each
        for at in range(0, len(folders), 2)
        for each in judged_in(folders[at], folders[at + 1], is_found=args.found)
    ]
    if args.errors:
        for each in judged:
            if each.is_old != each.is_buried:
                _say(f"{'buried' if each.is_buried else 'missed'}: {each.entry.finding.text}")
                _say(f"    → {each.ended_by or each.heir}")
    found, buried = shares(judged)
    (found_low, found_high), (buried_low, buried_high) = intervals(judged)
    contrary = sum(bool(each.entry.conflicts_with) for each in judged)
    _say(
        f"{len(judged)} decisions, {sum(each.is_old for each in judged)} replaced: "
        f"{found:.2f} of them found ({found_low:.2f} to {found_high:.2f}), "
        f"{buried:.3f} of all buried alive ({buried_low:.3f} to {buried_high:.3f}), {contrary} contradicted"
    )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
