"""How many labelled questions a context answers, and where the others are lost.

    python -m tests.eval.ask LABELS LOGS [--tokens 800] [--show]

LABELS holds one JSON file a session with `questions: [{q, keywords}]`; LOGS the log of the same name. A question counts
as answered if all keywords of one alternative stand within 300 characters of each other in the first four characters a
token of the context. Runs in this process: twelve sessions take seconds.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd.core.retrieval.units import units_of
from recapd.core.state.world import Session
from recapd.daemon.library import Library
from recapd.server.log_texts import shown_texts_of
from recapd.server.methods.context import assemble
from recapd.wire.types import ContextAssembleParams

SPAN = 300
CHARS_PER_TOKEN = 4


class Question(Struct):
    q: str
    keywords: list[list[str]]


class Labels(Struct):
    questions: list[Question] = []


def is_answered(alternatives: Sequence[Sequence[str]], text: str) -> bool:
    low = text.lower()
    for alternative in alternatives:
        first, *others = [keyword.lower() for keyword in alternative]
        for found in re.finditer(re.escape(first), low):
            near = low[max(0, found.start() - SPAN) : found.end() + SPAN]
            if all(other in near for other in others):
                return True
    return False


def why_lost(library: Library, session: Session, question: Question) -> str:
    """Where the answer was lost: it is nobody's words, it was not found, or found and not given room."""
    read = partial(shown_texts_of, library)
    words = read(session.main, units_of(session.main.transcript))
    if not any(is_answered(question.keywords, text) for text in words):
        return "not in anybody's words"
    found = library.indexes.find(session.main, question.q, before=session.main.transcript.totals.messages, read=read)
    ranks = [rank for rank, each in enumerate(found, 1) if is_answered(question.keywords, each.passage.text)]
    return f"no room: passage {ranks[0]} of {len(found)}" if ranks else "not found"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("labels", type=Path)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--tokens", type=int, default=800)
    parser.add_argument("--show", action="store_true", help="print the contexts that do not answer")
    args = parser.parse_args()
    shares: list[float] = []
    for label in sorted(args.labels.glob("*.json")):
        questions = msgspec.json.decode(label.read_bytes(), type=Labels).questions
        if not questions:
            continue
        library = Library([])
        session = library.load(args.logs / f"{label.stem}.jsonl")
        answered = 0
        for question in questions:
            params = ContextAssembleParams(max_tokens=args.tokens, prompt=question.q)
            text = (assemble(library, session, params).text or "")[: args.tokens * CHARS_PER_TOKEN]
            if is_answered(question.keywords, text):
                answered += 1
                continue
            say(f"  lost: {question.q}  ({why_lost(library, session, question)})")
            if args.show:
                say(text)
        shares.append(answered / len(questions))
        say(f"{label.stem[:60]:60} {answered}/{len(questions)}")
    say(f"ask {sum(shares) / max(1, len(shares)):.3f} in {len(shares)} sessions")


if __name__ == "__main__":
    main()
