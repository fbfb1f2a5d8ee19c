"""Whether what people say plainly is found: measured on made-up conversations in wordings that no rule was made for.

    python -m tests.eval.plainly [CONVERSATIONS.json] [--errors]

The conversations (by default those beside this file) were written by somebody who does not know the code: things
settled, minds changed, and sentences that look like either and are neither.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd.core.decisions import Entry
from recapd.core.decisions.ledger.ledger import ledger_of
from recapd.core.settings import DEFAULTS
from recapd.daemon.library import Library
from tests.support.logs import agent, claude_log, human

CONVERSATIONS = Path(__file__).with_name("plainly.json")


class Statement(Struct, frozen=True):
    lang: str
    turns: tuple[tuple[str, str], ...]
    decided_in: int
    must_contain: tuple[str, ...]


class ChangedMind(Struct, frozen=True):
    lang: str
    turns: tuple[tuple[str, str], ...]
    first_in: int
    second_in: int
    old_words: tuple[str, ...]
    new_words: tuple[str, ...]


class Trap(Struct, frozen=True):
    lang: str
    turns: tuple[tuple[str, str], ...]
    trap_in: int
    why: str


class Conversations(Struct, frozen=True):
    statements: tuple[Statement, ...]
    changed_minds: tuple[ChangedMind, ...]
    traps: tuple[Trap, ...]


class Outcome(Struct, frozen=True):
    """Of one conversation: whether it was read as meant, and what was made of it."""

    kind: str
    is_right: bool
    turns: tuple[tuple[str, str], ...]
    listed: tuple[str, ...]


def listed_in(turns: Sequence[tuple[str, str]], folder: Path) -> list[Entry]:
    """What `decisions/list` tells by default of a conversation; entry lines count from 1, one for each turn."""
    path = folder / "conversation.jsonl"
    path.write_bytes(claude_log(*(human(text) if who == "user" else agent(text) for who, text in turns)))
    session = Library([folder], environ={}).load(path)
    return [entry for entry in ledger_of(session, DEFAULTS.decisions) if entry.status not in ("tentative", "abandoned")]


def has_words(entry: Entry, words: Iterable[str]) -> bool:
    told = f"{entry.finding.text} {entry.finding.quote}".casefold()
    return all(word.casefold() in told for word in words)


def is_found(case: Statement, entries: Sequence[Entry]) -> bool:
    return any(
        entry.status == "active"
        and entry.finding.place.line == case.decided_in + 1
        and has_words(entry, case.must_contain)
        for entry in entries
    )


def is_change_seen(case: ChangedMind, entries: Sequence[Entry]) -> bool:
    """The new one holds, and the old one is not told as if it did."""
    holding = [entry for entry in entries if entry.status == "active"]
    is_old_over = not any(
        has_words(entry, case.old_words) for entry in holding if entry.finding.place.line == case.first_in + 1
    )
    was_known = any(has_words(entry, case.old_words) for entry in entries)
    return is_old_over and was_known and any(has_words(entry, case.new_words) for entry in holding)


def is_fallen_for(case: Trap, entries: Sequence[Entry]) -> bool:
    return any(entry.status == "active" and entry.finding.place.line == case.trap_in + 1 for entry in entries)


def outcomes_of(conversations: Conversations) -> list[Outcome]:
    found: list[Outcome] = []
    cases: list[Statement | ChangedMind | Trap] = [
        *conversations.statements,
        *conversations.changed_minds,
        *conversations.traps,
    ]
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            entries = listed_in(case.turns, Path(folder))
            if isinstance(case, Statement):
                kind, is_right = "statements found", is_found(case, entries)
            elif isinstance(case, ChangedMind):
                kind, is_right = "changed minds seen", is_change_seen(case, entries)
            else:
                kind, is_right = "traps passed by", not is_fallen_for(case, entries)
            listed = tuple(f"{entry.status} {entry.finding.place.line - 1}: {entry.finding.text}" for entry in entries)
            found.append(Outcome(kind, is_right, case.turns, listed))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("conversations", nargs="?", type=Path, default=CONVERSATIONS)
    parser.add_argument("--errors", action="store_true")
    args = parser.parse_args()
    outcomes = outcomes_of(msgspec.json.decode(args.conversations.read_bytes(), type=Conversations))
    write = sys.stdout.write
    for kind in dict.fromkeys(outcome.kind for outcome in outcomes):
        of_kind = [outcome for outcome in outcomes if outcome.kind == kind]
        write(f"{kind:20} {sum(outcome.is_right for outcome in of_kind):3} of {len(of_kind)}\n")
    if args.errors:
        for outcome in outcomes:
            if not outcome.is_right:
                turns = "".join(f"  {index} {who}: {text}\n" for index, (who, text) in enumerate(outcome.turns))
                write(f"\nnot among {outcome.kind}\n{turns}  told: {list(outcome.listed)}\n")


if __name__ == "__main__":
    main()
