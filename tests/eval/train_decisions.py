"""Train the weights that find decisions, and say by cross-validation how good they are.

    python -m tests.eval.train_decisions gather DATA SCORE_DIR LABELS LOGS [LABELS LOGS ...]
    python -m tests.eval.train_decisions train DATA

`gather` reads labelled sessions into numbers: features and outcomes, no text and no words. `train` makes the weights
in the package from them, the same bytes from the same data. How good they are: tests/eval/decisions.py --cv.
Needs the extra `train` (numpy, scikit-learn); what is made needs nothing.

Only trees over what is around a sentence, none over its words: weights for words, single or hashed or as vectors, made
the figures on the sessions trained on better and those on other sessions no better.
"""

from __future__ import annotations

import json
import lzma
import sys
from base64 import b85encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import compress, crc32

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from tests.eval.labelled import Labelled, outcomes, read_all, scorer

WEIGHTS = Path(__file__).parents[2] / "recapd" / "core" / "decisions"
MODELS = ("agent", "user", "assent")
# Large leaves and few features at a time: on other sessions as good as finer trees, and they learn less by heart.
_MANY = {
    "max_iter": 110, "max_depth": 4, "learning_rate": 0.05, "min_samples_leaf": 50, "l2_regularization": 20.0,
    "max_features": 0.1,
}  # fmt: skip
# Nods are few.
_FEW = {
    "max_iter": 60, "max_depth": 2, "learning_rate": 0.06, "min_samples_leaf": 8, "l2_regularization": 2.0,
    "max_features": 0.3,
}  # fmt: skip
SHAPES: dict[str, dict[str, Any]] = {"agent": _MANY, "user": _MANY, "assent": _FEW}
# So many forests, grown from other random choices, have an equal say.
SEEDS = 1
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
        # Threads only get in each other's way: there is little to do at a time.
        with threadpool_limits(1):
            self.forests = [
                HistGradientBoostingClassifier(early_stopping=False, random_state=seed, **SHAPES[samples.name]).fit(
                    samples.x[rows], samples.y[rows]
                )
                for seed in range(SEEDS)
            ]

    def said(self, rows: np.ndarray) -> np.ndarray:
        """Log odds, before calibration."""
        with threadpool_limits(1):
            return np.asarray(np.mean([each.decision_function(self.samples.x[rows]) for each in self.forests], axis=0))


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


def calibration(said: np.ndarray, y: np.ndarray, weight: np.ndarray) -> tuple[list[float], list[float]]:
    """Knots that turn log odds into how often it was so: a curve of two numbers, too few to learn noise."""
    trained = weight > 0
    fitted = LogisticRegression(C=1e3).fit(said[trained].reshape(-1, 1), y[trained])
    at = np.linspace(min(-8.0, float(said.min())), max(4.0, float(said.max())), 60)
    was = fitted.predict_proba(at.reshape(-1, 1))[:, 1]
    return [round(float(each), 4) for each in at], [round(float(each), 4) for each in was]


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


def _nodes(nodes: Any, step: float, node: int = 0) -> list[float]:
    """A tree from its root: a feature and its bound, then the left branch, then the right; a leaf is -1 and its say."""
    here = nodes[node]
    if here["is_leaf"]:
        return [-1, round(float(here["value"]) * step, 4)]
    return [
        int(here["feature_idx"]),
        round(float(here["num_threshold"]), 3),
        *_nodes(nodes, step, int(here["left"])),
        *_nodes(nodes, step, int(here["right"])),
    ]


def packed(fitted: Fitted, knots: tuple[list[float], list[float]]) -> bytes:
    share = 1 / len(fitted.forests)
    model = {
        "names": fitted.samples.names,
        "trees": [_nodes(grown.nodes, share) for forest in fitted.forests for (grown,) in forest._predictors],
        "bias": float(np.mean([forest._baseline_prediction.ravel()[0] for forest in fitted.forests])),
        "said": knots[0],
        "was": knots[1],
    }
    return b85encode(compress(json.dumps(model, separators=(",", ":")).encode(), 9))


def write_weights(name: str, data: bytes) -> None:
    text = data.decode()
    lines = [
        f'"""Weights for {name} candidates: made by tests/eval/train_decisions.py, read by model.py, not for people.',
        "",
        "A compressed table of trees; no text and no words went into it.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "PACKED: Final = (",
        # No character of base 85 needs a backslash or is a double quote.
        *(f'    b"{text[at : at + 112]}"' for at in range(0, len(text), 112)),
        ")",
    ]
    (WEIGHTS / f"weights_{name}.py").write_text("\n".join(lines) + "\n")


def train(rows: list[dict[str, Any]]) -> None:
    for name in MODELS:
        samples = Samples(name, [row for row in rows if row["model"] == name])
        said = out_of_fold(samples, folds_of(samples.group))
        knots = calibration(said, samples.y, samples.weight)
        data = packed(Fitted(samples, np.arange(len(samples.y))), knots)
        write_weights(name, data)
        sys.stdout.write(f"{name}: {len(samples.y)} candidates, {samples.y.sum()} decisions, {len(data)} bytes\n")


def cross_validated(sessions: Sequence[Labelled]) -> list[np.ndarray]:
    """For every session how likely each candidate is, by models and calibrations that never saw its repository."""
    rows = gathered(sessions)
    index = [(at, number) for at, session in enumerate(sessions) for number in range(len(session.candidates))]
    likely = [np.zeros(len(session.candidates)) for session in sessions]
    for name in MODELS:
        chosen = [number for number, row in enumerate(rows) if row["model"] == name]
        samples = Samples(name, [rows[number] for number in chosen])
        parts = folds_of(samples.group)
        said = out_of_fold(samples, parts)
        for part in parts:
            inside = np.isin(samples.group, part)
            knots = calibration(said[~inside], samples.y[~inside], samples.weight[~inside])
            for number in np.where(inside)[0]:
                at, place = index[chosen[number]]
                likely[at][place] = np.interp(said[number], *knots)
    return likely


def main(arguments: list[str]) -> None:
    match arguments:
        case ["gather", data, score, *folders]:
            rows = gathered(list(read_all(folders, scorer(score))))
            Path(data).write_bytes(lzma.compress(json.dumps(rows, separators=(",", ":")).encode()))
        case ["train", data]:
            train(json.loads(lzma.decompress(Path(data).read_bytes())))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
