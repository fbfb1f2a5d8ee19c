"""The digest against simpler ways to use as many tokens, on labelled sessions, at several budgets.

    python -m tests.eval.digests LABELS LOGS [--budgets 300,600,1000] [--only NAME] [--each]

    tail             the end of the conversation, word for word
    request + tail   the beginning of the first request, a quarter of the room at most, and the end of the conversation
    full             the full recap with this cap, which it counts without a margin for errors of the count
    full, as strict  the same within this cap as digests and contexts count it: the same tokens as the digest has
    digest           what `recapd recap LOG --budget N` prints

Labels and scoring are those of `recaps`: a point counts when its keywords stand near each other in the text, which is
cut to four characters for each token of the budget.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from recapd.core.state import Session
from recapd.core.text import count_for_budget
from recapd.daemon.library import Library
from recapd.server.digests import made_of, plan_of
from recapd.server.log_texts import read_all
from recapd.server.methods import recap
from recapd.wire.types import RecapGetParams, SummaryDigestParams
from tests.eval.recaps import CHARS_PER_TOKEN, Label, is_present, points_of

BUDGETS: Final = (300, 600, 1000)
# Of the room, what the first request may take of it before the tail.
_REQUEST_SHARE: Final = 4

Way: TypeAlias = Callable[[Library, Session, int], str]


def tail(library: Library, session: Session, budget: int) -> str:
    return "\n".join(_said(library, session))[-budget * CHARS_PER_TOKEN :]


def request_and_tail(library: Library, session: Session, budget: int) -> str:
    room = budget * CHARS_PER_TOKEN
    said = _said(library, session)
    first = next((words for words in said if words.startswith("user")), "")[: room // _REQUEST_SHARE]
    rest = room - len(first) - 1
    return f"{first}\n" + "\n".join(said)[-rest:]


def full(library: Library, session: Session, budget: int) -> str:
    return recap.get(library, session, RecapGetParams(format="full", max_tokens=budget)).markdown


def full_as_strict(library: Library, session: Session, budget: int) -> str:
    cap = budget
    while count_for_budget(page := full(library, session, cap)) > budget:
        cap -= max(budget // 50, 1)
    return page


def digest(library: Library, session: Session, budget: int) -> str:
    return made_of(plan_of(library, session, SummaryDigestParams(max_tokens=budget)), {}, ()).text


WAYS: Final[dict[str, Way]] = {
    "tail": tail,
    "request + tail": request_and_tail,
    "full": full,
    "full, as strict": full_as_strict,
    "digest": digest,
}


def _said(library: Library, session: Session) -> list[str]:
    return [f"{beat.voice}: {beat.text}" for beat in read_all(library, session.main).beats if beat.voice != "action"]


def score(label: Label, text: str) -> float:
    """The weight of the points that the text holds, of all of them."""
    points = points_of(label)
    whole = sum(point.weight for point in points)
    found = sum(point.weight for point in points if is_present(point.keywords, text))
    return found / whole if whole else 1.0


def sessions_of(labels: Path, logs: Path, only: str) -> Iterator[tuple[str, Label, Library, Session]]:
    for path in sorted(labels.glob("*.json")):
        if only in path.stem:
            library = Library([])
            session = library.load(logs / f"{path.stem}.jsonl")
            yield path.stem, msgspec.json.decode(path.read_bytes(), type=Label), library, session


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--budgets", default=",".join(map(str, BUDGETS)))
    parser.add_argument("--only", default="", help="sessions whose name holds this")
    parser.add_argument("--each", action="store_true", help="print a line for each session too")
    args = parser.parse_args(arguments)
    budgets = [int(each) for each in args.budgets.split(",")]
    scores: dict[tuple[str, int], list[float]] = {(name, budget): [] for name in WAYS for budget in budgets}
    for stem, label, library, session in sessions_of(args.labels, args.logs, args.only):
        for (name, budget), found in scores.items():
            text = WAYS[name](library, session, budget)[: budget * CHARS_PER_TOKEN]
            found.append(score(label, text))
            if args.each:
                sys.stdout.write(f"{found[-1]:.2f} {name:15} {budget:5} {len(text):5} chars  {stem}\n")
    sys.stdout.write(f"{'tokens':15}" + "".join(f"{budget:>8}" for budget in budgets) + "\n")
    for name in WAYS:
        means = [sum(found) / max(len(found), 1) for (way, _), found in scores.items() if way == name]
        sys.stdout.write(f"{name:15}" + "".join(f"{mean:8.3f}" for mean in means) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
