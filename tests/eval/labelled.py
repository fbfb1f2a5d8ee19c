"""Hand-labelled sessions: reading them, and saying which candidates a label means.

A candidate is a decision where a label's quote stands in it, or it in the quote. One that only says much the same as a
label, elsewhere, is neither right nor wrong and does not train.
"""

from __future__ import annotations

import bisect
import importlib
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.find.candidates import Candidate, candidates_in
from recapd.core.decisions.find.certain import certain_in
from recapd.core.decisions.find.find import against_each_other, chosen_of, confidence_of
from recapd.core.decisions.find.scenes import scenes_of
from recapd.core.decisions.find.wording import sentence_of
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY, Transcript
from recapd.daemon.log_files.reading import batches, open_log

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
        self.transcript = transcript_of(log)
        self.candidates: list[Candidate] = []
        self.certain: list[Finding] = []
        # First candidate of each scene, and one behind the last.
        self.starts = [0]
        for scene in scenes_of(self.transcript.passages):
            self.candidates += candidates_in(scene)
            self.certain += certain_in(scene)
            self.starts.append(len(self.candidates))
        logview = importlib.import_module("logview")
        self.turns = [line for line, kind, _ in logview.events(str(log)) if kind == "human"]
        self.score = score

    @property
    def repository(self) -> str:
        return self.name.split("__")[1]

    def turn_of(self, line: int) -> int:
        return bisect.bisect_right(self.turns, line)


def scorer(folder: str) -> ModuleType:
    """score.py of that folder."""
    sys.path.insert(0, folder)
    return importlib.import_module("score")


def transcript_of(log: Path) -> Transcript:
    transcript = EMPTY
    for batch in batches(open_log(log)):
        transcript = extend(transcript, batch.records, batch.problems)
    return transcript


def read_all(folders: Sequence[str], score: ModuleType) -> Iterator[Labelled]:
    """`folders` alternate: labels, logs, labels, logs."""
    for labels, logs in zip(folders[::2], folders[1::2], strict=True):
        for path in sorted(Path(labels).glob("*.json")):
            yield Labelled(
                path.stem, Path(labels).name, json.loads(path.read_text()), Path(logs) / f"{path.stem}.jsonl", score
            )


def as_prediction(candidate: Candidate) -> dict[str, Any]:
    """A candidate as `decisions/list` would tell it."""
    return {
        "text": sentence_of(candidate.text, candidate.core),
        "quote": candidate.quote[:300],
        "ref": {"line": candidate.passage.place.line},
        "proposalRef": {"line": candidate.proposal.line} if candidate.proposal else None,
        "madeBy": candidate.made_by,
    }


def finding_as_prediction(finding: Finding) -> dict[str, Any]:
    return {
        "text": finding.text,
        "quote": finding.quote,
        "ref": {"line": finding.place.line},
        "proposalRef": {"line": finding.proposal.line} if finding.proposal else None,
        "madeBy": finding.made_by,
    }


def predicted(session: Labelled, likely: Sequence[float]) -> list[tuple[float, dict[str, Any], str]]:
    """What the finder would say if its candidates were so likely: confidence, prediction, model."""
    found = [(each.confidence, finding_as_prediction(each), "certain") for each in session.certain]
    for begin, end in pairwise(session.starts):
        candidates = session.candidates[begin:end]
        chances = against_each_other(candidates, list(likely[begin:end]))
        for index in chosen_of(candidates, chances):
            model = candidates[index].model
            found.append((confidence_of(model, chances[index]), as_prediction(candidates[index]), model))
    return found


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
