"""Whether contexts of real logs keep their promises: `python -m tests.corpus.contexts FOLDER`.

    overrun    more tokens than asked for, by the context's own count
    hole       a message that is neither word for word, nor told before, nor counted as left out

Names of logs and counts only: what was said is never shown.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from recapd.core.retrieval import units_of
from recapd.core.state import Session
from recapd.core.text import ELLIPSIS, count_for_budget
from recapd.core.views.context.lines import flat, said
from recapd.daemon.library import Library
from recapd.server.log_texts import shown_texts_of
from recapd.server.methods.context import assemble
from recapd.wire.errors import RecapError
from recapd.wire.types import ContextAssembleParams, ContextAssembleResult
from tests.corpus.survey import logs_in

BUDGETS = (100, 300, 800, 2_000, 4_000, 8_000)
_COUNTED_RE = re.compile(r"\((\d+) messages? left out\)")
# By so much of its beginning a message is known again.
_KNOWN_CHARS = 25
# Where it is cut before that, by no less than this.
_LEAST_CHARS = 8


def main(arguments: list[str]) -> None:
    counts: Counter[str] = Counter()
    for path in logs_in(Path(arguments[0])):
        library = Library([])
        try:
            session = library.load(path)
        except RecapError:
            continue
        beginnings = _beginnings(library, session)
        for budget in BUDGETS:
            found = assemble(library, session, ContextAssembleParams(max_tokens=budget))
            counts["contexts"] += 1
            for problem in _problems(found, beginnings, budget):
                counts[problem] += 1
                sys.stdout.write(f"{problem} at {budget}: {path.name}\n")
    sys.stdout.write(f"{counts['contexts']} contexts, {counts['overrun']} overruns, {counts['hole']} holes\n")


def _beginnings(library: Library, session: Session) -> dict[int, str]:
    """How each living message begins, by its number."""
    turns = session.main.transcript.turns
    units = [
        unit
        for unit in units_of(session.main.transcript)
        if not unit.text and (unit.turn_row < 0 or not turns[unit.turn_row].abandoned)
    ]
    found: dict[int, str] = {}
    for unit, text in zip(units, shown_texts_of(library, session.main, units), strict=True):
        if shown := flat(said(text)):
            found.setdefault(unit.message, shown[:_KNOWN_CHARS])
    return found


def _problems(found: ContextAssembleResult, beginnings: dict[int, str], budget: int) -> list[str]:
    text = found.text or ""
    problems = ["overrun"] if max(count_for_budget(text), found.tokens) > budget else []
    recent = next((each for each in found.sections if each.name == "recent"), None)
    before = next((each for each in found.sections if each.name == "summary"), None)
    if recent is None or recent.from_message is None:
        return problems
    if before is not None and before.to_message is not None and before.to_message + 1 != recent.from_message:
        return [*problems, "hole"]
    line = flat(text)
    missing = sum(not _is_in(line, begin) for number, begin in beginnings.items() if number >= recent.from_message)
    # Of messages that begin alike one that is there hides one that is not.
    counted = sum(int(count) for count in _COUNTED_RE.findall(text))
    return [*problems, "hole"] if missing > counted else problems


def _is_in(line: str, begin: str) -> bool:
    """Whether a message is there, whole or cut: where room is short a few words of it are left, and an ellipsis."""
    cuts = {begin[:length].rstrip() for length in range(_LEAST_CHARS, len(begin) + 1)}
    return begin in line or any(f"{cut}{ELLIPSIS}" in line or f"{cut} {ELLIPSIS}" in line for cut in cuts)


if __name__ == "__main__":
    main(sys.argv[1:])
