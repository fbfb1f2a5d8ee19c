"""Train the weights that find decisions, and say by cross-validation how good they are.

    python -m tests.eval.train_decisions gather DATA SCORE_DIR LABELS LOGS [LABELS LOGS ...]
    python -m tests.eval.train_decisions train DATA SCORE_DIR LABELS LOGS [LABELS LOGS ...]

`gather` reads labelled sessions into numbers: features and outcomes, no text and no words. `train` makes the weights
in the package from such numbers and from the labelled sessions, but for those held back; the same bytes from the same
data. How good they are: tests/eval/decisions.py.
Needs the extra `train` (numpy, scikit-learn); what is made needs nothing.

A straight line over what is around a sentence, nothing over its words. Weights for words, single or hashed or as
vectors, and boosted trees made the figures on the sessions trained on better and those on other sessions no better.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from recapd.core.decisions.find.candidate import Candidate
from recapd.core.decisions.find.find import against_each_other
from recapd.core.decisions.find.model import Scale
from tests.eval.labelled import Labelled, outcomes, read_all, scorer

WEIGHTS = Path(__file__).parents[2] / "recapd" / "core" / "decisions" / "find" / "weights"
MODELS = ("agent", "user", "assent")
# How freely the weights may differ from none at all; by cross-validation.
FREEDOM = {"agent": 0.004, "user": 0.004, "assent": 0.01}
# So many of either outcome tell what odds are worth; fewer tell chance.
LEAST_OUTCOMES = 20
# What is smaller is nothing.
SMALLEST = 0.0005
# Parts for cross-validation: at most as many as there are repositories, so each is left out once.
FOLDS = 100


class Samples:
    """All candidates of one model as numbers."""

    def __init__(self, name: str, rows: list[dict[str, Any]]) -> None:
        self.name = name
        self.names = sorted({key for row in rows for key in row["features"]})
        self.x = np.array([[row["features"].get(key, 0.0) for key in self.names] for row in rows], dtype=float)
        self.y = np.array([row["outcome"] == 1 for row in rows], dtype=int)
        # What says the same as a label elsewhere does not train.
        self.weight = np.array([0.0 if row["outcome"] < 0 else 1.0 for row in rows])
        self.group = np.array([row["group"] for row in rows])


class Fitted:
    def __init__(self, samples: Samples, rows: np.ndarray) -> None:
        rows = rows[samples.weight[rows] > 0]
        self.samples = samples
        scaler = StandardScaler().fit(sized(samples.x[rows]))
        line = LogisticRegression(C=FREEDOM[samples.name], max_iter=300)
        line.fit(scaler.transform(sized(samples.x[rows])), samples.y[rows])
        self.slopes = line.coef_[0] / scaler.scale_
        self.bias = float(line.intercept_[0] - self.slopes @ scaler.mean_)

    def said(self, rows: np.ndarray) -> np.ndarray:
        """Log odds, before calibration."""
        return np.asarray(self.bias + sized(self.samples.x[rows]) @ self.slopes)


def sized(x: np.ndarray) -> np.ndarray:
    """As model.py takes them."""
    return np.asarray(np.log1p(np.abs(x)))


def folds_of(group: np.ndarray, count: int = FOLDS) -> list[list[str]]:
    """Repositories in parts with about as many candidates."""
    sizes = {name: int((group == name).sum()) for name in sorted(set(group))}
    parts: list[list[str]] = [[] for _ in range(count)]
    loads = [0] * count
    for name in sorted(sizes, key=lambda each: (-sizes[each], each)):
        part = loads.index(min(loads))
        parts[part].append(name)
        loads[part] += sizes[name]
    return [part for part in parts if part]


def out_of_fold(samples: Samples, parts: Sequence[Sequence[str]]) -> np.ndarray:
    said = np.zeros(len(samples.y))
    for part in parts:
        inside = np.isin(samples.group, part)
        if inside.any():
            said[inside] = Fitted(samples, np.where(~inside)[0]).said(np.where(inside)[0])
    return said


def calibration(said: np.ndarray, y: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Slope and constant that turn log odds into what they were worth on sessions not trained on: too few to learn
    noise."""
    trained = weight > 0
    fitted = LogisticRegression(C=1e3).fit(said[trained].reshape(-1, 1), y[trained])
    return float(fitted.coef_[0][0]), float(fitted.intercept_[0])


def gathered(sessions: Sequence[Labelled]) -> list[dict[str, Any]]:
    rows = []
    for session in sessions:
        for candidate, outcome in zip(session.candidates, outcomes(session), strict=True):
            rows.append(
                {
                    "model": candidate.model,
                    "group": crc32(session.repository.encode()),
                    "outcome": outcome,
                    "features": {key: round(value, 3) for key, value in candidate.features.items() if value},
                }
            )
    return rows


def rows_in(data: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(lzma.decompress(Path(data).read_bytes()))
    return rows


def write_weights(fitted: Fitted, slope: float, constant: float, scale: Scale) -> None:
    name = fitted.samples.name
    slopes = zip(fitted.samples.names, fitted.slopes * slope, strict=True)
    lines = [
        f'"""Weights for {name} candidates: made by tests/eval/train_decisions.py, read by model.py.',
        "",
        "What the logarithm of each feature adds to the log odds; no text and no words went into it.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        f"BIAS: Final = {fitted.bias * slope + constant:.4f}",
        f"SCALE: Final = ({scale[0]:.3f}, {scale[1]:.3f})",
        "SLOPES: Final = {",
        *(f'    "{feature}": {weight:.4f},' for feature, weight in slopes if abs(weight) >= SMALLEST),
        "}",
    ]
    (WEIGHTS / f"{name}.py").write_text("\n".join(lines) + "\n")


def train(sessions: Sequence[Labelled], rows: list[dict[str, Any]]) -> None:
    """Rows of other sessions train too; the scales need whole turns, and so the sessions."""
    scales = scales_of(sessions, cross_validated(sessions, rows))
    rows = gathered(sessions) + rows
    for name in MODELS:
        samples = Samples(name, [row for row in rows if row["model"] == name])
        said = out_of_fold(samples, folds_of(samples.group))
        worth = calibration(said, samples.y, samples.weight)
        write_weights(Fitted(samples, np.arange(len(samples.y))), *worth, scales[name])
        sys.stdout.write(f"{name}: {len(samples.y)} candidates, {samples.y.sum()} decisions\n")


def cross_validated(sessions: Sequence[Labelled], others: list[dict[str, Any]]) -> list[list[float]]:
    """For every session how likely each candidate is, by models and calibrations that never saw its repository."""
    rows = gathered(sessions)
    index = [(at, number) for at, session in enumerate(sessions) for number in range(len(session.candidates))]
    likely = [[0.0] * len(session.candidates) for session in sessions]
    for name in MODELS:
        chosen = [number for number, row in enumerate(rows) if row["model"] == name]
        samples = Samples(
            name, [*(rows[number] for number in chosen), *(row for row in others if row["model"] == name)]
        )
        parts = folds_of(samples.group)
        said = out_of_fold(samples, parts)
        for part in parts:
            inside = np.isin(samples.group, part)
            slope, constant = calibration(said[~inside], samples.y[~inside], samples.weight[~inside])
            for number in np.where(inside)[0]:
                if number < len(chosen):
                    at, place = index[chosen[number]]
                    likely[at][place] = float(1 / (1 + np.exp(-(slope * said[number] + constant))))
    return likely


def fitted_to(
    sessions: Sequence[Labelled], others: list[dict[str, Any]]
) -> tuple[Callable[[Candidate], float], list[list[float]]]:
    """Weights made of all of these, for others; and what these would be said to be without themselves."""
    rows = gathered(sessions) + others
    weights: dict[str, tuple[Fitted, float, float]] = {}
    for name in MODELS:
        samples = Samples(name, [row for row in rows if row["model"] == name])
        said = out_of_fold(samples, folds_of(samples.group))
        fitted = Fitted(samples, np.arange(len(samples.y)))
        weights[name] = (fitted, *calibration(said, samples.y, samples.weight))

    def chance(candidate: Candidate) -> float:
        fitted, slope, constant = weights[candidate.model]
        x = np.array([[candidate.features.get(name, 0.0) for name in fitted.samples.names]])
        odds = fitted.bias + float((sized(x) @ fitted.slopes)[0])
        return float(1 / (1 + np.exp(-(slope * odds + constant))))

    return chance, cross_validated(sessions, others)


def scales_of(sessions: Sequence[Labelled], likely: Sequence[Sequence[float]]) -> dict[str, Scale]:
    """What the odds are worth once rivals were weighed against each other, by these sessions."""
    odds: dict[str, list[float]] = {name: [] for name in MODELS}
    right: dict[str, list[int]] = {name: [] for name in MODELS}
    for session, chances in zip(sessions, likely, strict=True):
        was = outcomes(session)
        for begin, end in pairwise(session.starts):
            candidates = session.candidates[begin:end]
            weighed = against_each_other(candidates, chances[begin:end])
            for candidate, each, outcome in zip(candidates, weighed, was[begin:end], strict=True):
                if outcome >= 0:
                    odds[candidate.model].append(each)
                    right[candidate.model].append(outcome)
    return {
        name: calibration(np.array(odds[name]), np.array(right[name]), np.ones(len(right[name])))
        if LEAST_OUTCOMES <= sum(right[name]) <= len(right[name]) - LEAST_OUTCOMES
        else (1.0, 0.0)
        for name in MODELS
    }


def main(arguments: list[str]) -> None:
    match arguments:
        case ["gather", data, score, *folders]:
            rows = gathered(list(read_all(folders, scorer(score))))
            Path(data).write_bytes(lzma.compress(json.dumps(rows, separators=(",", ":")).encode()))
        case ["train", data, score, *folders]:
            train(list(read_all(folders, scorer(score))), rows_in(data))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
