"""What would embarrass a recap, counted over a folder of logs: each of these is to be 0, or is told with its bound.

    python -m tests.eval.reading LOGS [--show]

LOGS holds logs of any agent, in folders of any depth. `--show` prints each case.

    tests fail without a failure   tests are said to have failed where neither a count nor the runner says so
    points back                    a statement begins with a word for something that is not shown
    still asks                     a decision ends in a question mark
    finished by age                a session is called finished though nothing says that it ended
    Recent is missing              the agent answered, and a short recap tells nothing of it but a question
    told again                     of what a short recap tells a reader with a mark, what stood in the one before it,
                                   three turns earlier; a share, at most 30 %
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from recapd.core.settings import DEFAULTS
from recapd.core.state import Session, live_turns
from recapd.core.text import points_back, sentences_of
from recapd.core.views.recap import Item, Recap, View, Wanted, as_of_turn, recap_of, told_of
from recapd.core.views.recap.results import is_answered
from recapd.core.views.since import after_turn, news_page
from recapd.daemon.library import Library

COUNTERS: Final = (
    "tests fail without a failure",
    "points back",
    "still asks",
    "finished by age",
    "Recent is missing",
)
_SUFFIXES: Final = (".jsonl", ".json", ".md", ".ndjson")
# Long after every log: what stands by the clock stands by it.
_NOW: Final = "2030-01-01T00:00:00.000Z"
# Recaps so many turns apart are compared, at so many points of a session at most.
_APART_TURNS: Final = 3
_POINTS: Final = 4
_DECIDED: Final = ("decisions", "lessCertain")


class Case(Struct, frozen=True):
    counter: str
    log: str
    text: str


class Told(Struct, frozen=True):
    """How many statements a later recap has, and how many of them stood in the one before."""

    statements: int = 0
    again: int = 0


def cases_in(session: Session, log: str) -> Iterator[Case]:
    recap = recap_of(session, _NOW)
    short = told_of(recap, Wanted("short", DEFAULTS.recap.short_max_tokens, now=_NOW)).view
    full = told_of(recap, Wanted("full", DEFAULTS.recap.full_max_tokens, now=_NOW)).view
    for text in _failing_without_proof(recap):
        yield Case("tests fail without a failure", log, text)
    for view in (short, full):
        for text in _pointing_back(view):
            yield Case("points back", log, text)
        for section in view.sections:
            for item in section.items if section.name in _DECIDED else ():
                if item.wording.plain.rstrip().endswith(("?", "？")):
                    yield Case("still asks", log, item.wording.plain)
    main = recap.session.main
    if recap.standing.status == "finished" and not main.is_gone and main.transcript.ending.moment != "closed":
        yield Case("finished by age", log, recap.standing.detail)
    answered = [turn for turn in recap.turns if turn.replied and turn.outcome.strip() and is_answered(recap, turn)]
    if answered and not _section(short, "recent") and not _tells_in_next(short):
        yield Case("Recent is missing", log, recap.turns[-1].outcome[:200])


def _failing_without_proof(recap: Recap) -> Iterator[str]:
    for run in recap.failing:
        if run.ok is not False:
            yield run.command


def _pointing_back(view: View) -> Iterator[str]:
    for item in _section(view, "recent"):
        if points_back(item.wording.plain):
            yield item.wording.plain
    for name in _DECIDED:
        yield from (item.wording.plain for item in _section(view, name) if points_back(item.wording.plain))
    for head in _section(view, "timeline"):
        told = [child.wording.plain for child in head.children if points_back(child.wording.plain)]
        # Alone beside the request that it answers, it points at that.
        if told and len(head.children) > 1:
            yield from told


def _tells_in_next(view: View) -> bool:
    """Whether what comes next is told with a statement of the answer: "Nothing was found. Shall I …?"."""
    before = (list(sentences_of(item.wording.plain))[:-1] for item in _section(view, "next"))
    return any(not each.rstrip().endswith(("?", "？")) for sentences in before for each in sentences)


def _section(view: View, name: str) -> tuple[Item, ...]:
    return next((section.items for section in view.sections if section.name == name), ())


def told_again(session: Session) -> Told:
    """Recaps of a session for a reader who looks every three turns, and what of each stood in the one before."""
    last = len(live_turns(session.main.transcript))
    statements = again = 0
    for turn in range(max(_APART_TURNS, last - _APART_TURNS * _POINTS), last - _APART_TURNS + 1, _APART_TURNS):
        before, at = as_of_turn(session, turn)
        later, then = as_of_turn(session, turn + _APART_TURNS)
        known = set(_statements(recap_of(before, at or _NOW)))
        facts = recap_of(later, then or _NOW)
        told = _statements(news_page(facts, after_turn(later, turn)))
        statements += len(told)
        again += sum(text in known for text in told)
    return Told(statements, again)


def _statements(recap: Recap) -> list[str]:
    view = told_of(recap, Wanted("short", DEFAULTS.recap.short_max_tokens, now=_NOW)).view
    return [item.wording.plain for section in view.sections for item in section.items]


def logs_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in _SUFFIXES)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--show", action="store_true", help="print each case")
    args = parser.parse_args(arguments)
    cases: list[Case] = []
    statements = again = read = 0
    for path in logs_in(args.logs):
        found = loaded(path)
        if found is None or not found[1].main.transcript.turns:
            continue
        session = found[1]
        read += 1
        cases += cases_in(session, path.name)
        told = told_again(session)
        statements, again = statements + told.statements, again + told.again
    lines = [f"{case.counter}: {case.log}: {case.text}" for case in cases] if args.show else []
    lines.append(f"{read} sessions")
    lines += [f"{counter}: {sum(case.counter == counter for case in cases)}" for counter in COUNTERS]
    lines.append(f"told again three turns later: {again} of {statements} ({again / max(statements, 1):.0%})")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def loaded(path: Path) -> tuple[Library, Session] | None:
    """The session of a log, and who answers for it."""
    library = Library([])
    try:
        return library, library.load(path)
    except Exception as refused:  # what is no log is refused in many words
        sys.stderr.write(f"{path.name}: {refused}\n")
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
