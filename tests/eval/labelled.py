"""Hand-labelled sessions: reading them, and saying which candidates a label means.

A candidate is a decision where a label's quote stands in it, or it in the quote. One that only says much the same as a
label, elsewhere, is neither right nor wrong and does not train.
"""

from __future__ import annotations

import bisect
import importlib
import json
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from recapd.core.decisions.entries import Entry, Finding
from recapd.core.decisions.find.candidates import Candidate, candidates_in
from recapd.core.decisions.find.certain import certain_in
from recapd.core.decisions.find.find import chosen_of, confidences_of, finding_of, without_secrets
from recapd.core.decisions.find.model import Scale
from recapd.core.decisions.find.scenes import scenes_of
from recapd.core.decisions.find.wording import sentence_of
from recapd.core.decisions.ledger.ledger import ledger_from
from recapd.core.settings import DecisionSettings
from recapd.daemon.library import Library

# Which repositories are held back was drawn by this, before any of their sessions was looked at.
HELD_SEED = 15
# How much of the shorter one must overlap for a quote and a candidate to be the same words.
_OVERLAP = 0.4


class Labelled:
    """One session: its transcript, its candidates, its labels."""

    def __init__(self, name: str, group: str, labels: dict[str, Any], log: Path, score: ModuleType) -> None:
        self.name = name
        self.group = group
        self.labels = labels
        self.log = log
        self.decisions: list[dict[str, Any]] = labels["decisions"]
        self.negatives: list[dict[str, Any]] = labels.get("tempting_negatives") or labels.get("negatives") or []
        self.session = Library([log.parent], environ={}).load(log)
        self.candidates: list[Candidate] = []
        self.certain: list[Finding] = []
        # First candidate of each scene, and one behind the last.
        self.starts = [0]
        for scene in scenes_of(self.session.main.transcript.passages):
            scene = without_secrets(scene, self.session.memory)
            self.candidates += candidates_in(scene)
            self.certain += certain_in(scene)
            self.starts.append(len(self.candidates))
        logview = importlib.import_module("logview")
        self.turns = [line for line, kind, _ in logview.events(str(log)) if kind == "human"]
        self.score = score
        # Filled when first asked for.
        self.outcomes: list[int] = []

    @property
    def repository(self) -> str:
        return repository_of(self.name)

    def turn_of(self, line: int) -> int:
        return bisect.bisect_right(self.turns, line)


def scorer(folder: str) -> ModuleType:
    """score.py of that folder."""
    sys.path.insert(0, folder)
    return importlib.import_module("score")


def repository_of(name: str) -> str:
    return name.split("__")[1]


def held_back(names: Iterable[str]) -> frozenset[str]:
    """A third of the repositories: nobody looks at their sessions and nothing is trained on them, so that what is said
    of them at the end is true of sessions never seen."""
    repositories = sorted(set(map(repository_of, names)))
    return frozenset(random.Random(HELD_SEED).sample(repositories, len(repositories) // 3))


def read_all(folders: Sequence[str], score: ModuleType, *, is_held: bool = False) -> Iterator[Labelled]:
    """`folders` alternate: labels, logs, labels, logs. Those held back alone, or all but them."""
    paths = [
        (path, logs)
        for labels, logs in zip(folders[::2], folders[1::2], strict=True)
        for path in sorted(Path(labels).glob("*.json"))
    ]
    held = held_back(path.stem for path, _ in paths)
    for path, logs in paths:
        if (repository_of(path.stem) in held) == is_held:
            log = Path(logs) / f"{path.stem}.jsonl"
            yield Labelled(path.stem, path.parent.name, json.loads(path.read_text()), log, score)


def as_prediction(candidate: Candidate) -> dict[str, Any]:
    """A candidate as `decisions/list` would tell it."""
    return {
        "text": sentence_of(candidate.text, candidate.core),
        "quote": candidate.quote[:300],
        "ref": {"line": candidate.passage.place.line},
        "proposalRef": {"line": candidate.proposal.line} if candidate.proposal else None,
        "madeBy": candidate.made_by,
    }


def entry_as_prediction(entry: Entry) -> dict[str, Any]:
    finding = entry.finding
    return {
        "text": finding.text,
        "quote": finding.quote,
        "ref": {"line": finding.place.line},
        "proposalRef": {"line": finding.proposal.line} if finding.proposal else None,
        "madeBy": finding.made_by,
    }


def found_in(session: Labelled, likely: Sequence[float], scales: Mapping[str, Scale]) -> list[Finding]:
    """What the finder would find if its candidates were so likely."""
    found = list(session.certain)
    for begin, end in pairwise(session.starts):
        candidates = session.candidates[begin:end]
        confidences = confidences_of(candidates, likely[begin:end], scales)
        found += [finding_of(candidates[index], confidences[index]) for index in chosen_of(candidates, confidences)]
    return found


def listed_of(session: Labelled, findings: Sequence[Finding], threshold: float) -> list[Entry]:
    """What `decisions/list` would tell of these by default."""
    settings = DecisionSettings(threshold=threshold)
    entries = ledger_from(findings, session=session.session, settings=settings)
    return [entry for entry in entries if entry.status not in ("tentative", "abandoned")]


def matched(session: Labelled, predictions: Sequence[dict[str, Any]]) -> list[tuple[int, int]]:
    """Prediction and label, one to one, as the scorer pairs them."""
    used: set[int] = set()
    hit: set[int] = set()
    found: list[tuple[int, int]] = []
    for _, index, row in sorted(scored_pairs(session, predictions), reverse=True):
        if index not in used and row not in hit:
            used.add(index)
            hit.add(row)
            found.append((index, row))
    return found


def outcomes(session: Labelled) -> list[int]:
    """For each candidate: 1 a label means it, 0 none does, -1 it says the same as a label elsewhere."""
    session.outcomes = session.outcomes or _outcomes(session)
    return session.outcomes


def _outcomes(session: Labelled) -> list[int]:
    squeeze = session.score.squeeze
    found = [0] * len(session.candidates)
    predictions = [as_prediction(candidate) for candidate in session.candidates]
    for index, _ in pairs_of(session, predictions):
        found[index] = -1
    texts = [squeeze(candidate.quote) for candidate in session.candidates]
    for label in session.decisions:
        quote = squeeze(label["quote"])
        here = [
            (_shared(quote, texts[index]), index)
            for index, candidate in enumerate(session.candidates)
            if candidate.passage.place.line == label["line"] and texts[index]
        ]
        best = max((shared for shared, _ in here), default=0.0)
        for shared, index in here:
            if shared and shared >= 0.5 * best:
                found[index] = 1
    return found


def _shared(quote: str, text: str) -> float:
    """Characters that both have in one piece, 0 where that is less than enough."""
    short = min(len(quote), len(text))
    if quote in text or text in quote:
        return float(short)
    for length in range(short, max(7, int(_OVERLAP * short)), -1):
        if quote[-length:] == text[:length] or text[-length:] == quote[:length]:
            return float(length)
    return 0.0


def pairs_of(session: Labelled, predictions: Sequence[dict[str, Any]]) -> list[tuple[int, int]]:
    """Every prediction and label that the scorer would let match, not only the best for each."""
    return [(index, row) for _, index, row in scored_pairs(session, predictions)]


def scored_pairs(session: Labelled, predictions: Sequence[dict[str, Any]]) -> list[tuple[float, int, int]]:
    words, overlap = session.score.words, session.score.overlap
    wanted = [words(label["text"] + " " + label["quote"]) for label in session.decisions]
    found: list[tuple[float, int, int]] = []
    for index, said in enumerate(predictions):
        has = words(said["text"] + " " + said["quote"])
        line = said["ref"]["line"]
        lines = {line, (said.get("proposalRef") or {}).get("line") or -1}
        for row, label in enumerate(session.decisions):
            share = overlap(has, wanted[row])
            if share < 0.22:
                continue
            same = bool(lines & {label["line"], label.get("proposal_line") or -2})
            near = abs(session.turn_of(line) - session.turn_of(label["line"])) <= 1
            if same or (near and share >= 0.4) or share >= 0.7:
                found.append((same + share, index, row))
    return found
