"""How many of the paths, commands and numbers of a session stand in what is told of it, exactly as they were.

    python -m tests.eval.survival LOGS [--least TURNS]

Paths are those of files that were changed, commands those that were run (as far back as they are kept), numbers those
of two digits or more in what the agent came to in each turn. Told is a recap (`full`, `resume`), a digest of 1,000
tokens, and a context of 4,000.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core.state import Session, files_of, is_changed, living_turns, steps_of
from recapd.core.text import one_line
from recapd.daemon.library import Library
from recapd.server.methods import answer
from tests.eval.reading import loaded, logs_in

SORTS: Final = ("paths", "commands", "numbers")
# A command is known again by so much of it.
_COMMAND_CHARS: Final = 40
_NUMBER: Final = re.compile(r"(?<![\w.])\d{2,}(?:[.,]\d+)*(?![\w])")
_DIGEST_TOKENS: Final = 1_000
_CONTEXT_TOKENS: Final = 4_000


class Survived(Struct, frozen=True):
    found: int
    total: int


def hard_facts(session: Session) -> dict[str, frozenset[str]]:
    """What a reader would look up, by sort."""
    changed = [row.fact.path for row in files_of(session) if is_changed(row.fact)]
    commands = [
        one_line(each.fact.target, _COMMAND_CHARS).rstrip("…")
        for each in steps_of(session)
        if each.fact.kind == "shell"
    ]
    told = " ".join(turn.telling or turn.outcome for turn in living_turns(session))
    return {
        "paths": frozenset(path.rpartition("/")[2] for path in changed),
        "commands": frozenset(filter(None, commands)),
        "numbers": frozenset(_NUMBER.findall(told)),
    }


def survived(facts: Collection[str], text: str) -> Survived:
    """Those that stand there as they are; a number inside a longer one does not."""
    found = sum(re.search(rf"(?<!\d){re.escape(each)}(?!\d)", text) is not None for each in facts)
    return Survived(found, len(facts))


def _page(format: str) -> Callable[[Library, Session], str]:
    return lambda library, session: _asked(library, session, "recap/get", {"format": format}, "markdown")


TELLERS: Final[Mapping[str, Callable[[Library, Session], str]]] = {
    "full": _page("full"),
    "resume": _page("resume"),
    "digest": lambda library, session: _asked(
        library, session, "summary/digest", {"maxTokens": _DIGEST_TOKENS}, "text"
    ),
    "context": lambda library, session: _asked(
        library, session, "context/assemble", {"maxTokens": _CONTEXT_TOKENS}, "text"
    ),
}


def _asked(library: Library, session: Session, method: str, params: Mapping[str, object], field: str) -> str:
    sent = msgspec.json.encode({"session": {"id": session.id}, **params})
    return str(getattr(answer(library, method, sent), field))


def table(counted: Mapping[tuple[str, str], Sequence[Survived]]) -> str:
    lines = []
    for teller in TELLERS:
        parts = []
        for sort in SORTS:
            rows = counted.get((teller, sort), ())
            found, total = sum(each.found for each in rows), sum(each.total for each in rows)
            parts.append(f"{sort} {found}/{total} ({found / max(total, 1):.1%})")
        lines.append(f"{teller:8} {', '.join(parts)}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--least", type=int, default=3, help="turns of a session that counts (default: 3)")
    args = parser.parse_args(arguments)
    counted: dict[tuple[str, str], list[Survived]] = {}
    read = 0
    for path in logs_in(args.logs):
        found = loaded(path)
        if found is None or found[1].main.transcript.totals.turns < args.least:
            continue
        read += 1
        library, session = found
        facts = hard_facts(session)
        for teller, tell in TELLERS.items():
            text = tell(library, session)
            for sort in SORTS:
                counted.setdefault((teller, sort), []).append(survived(facts[sort], text))
    sys.stdout.write(f"{read} sessions\n{table(counted)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
