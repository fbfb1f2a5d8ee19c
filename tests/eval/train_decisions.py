"""Train the weights that find decisions, and say by cross-validation how good they are.

    python -m tests.eval.train_decisions gather DATA SCORE_DIR LABELS LOGS [LABELS LOGS ...]
    python -m tests.eval.train_decisions train DATA

`gather` reads labelled sessions into numbers: hashed words, features and outcomes, no text. `train` makes the weights
in the package from them, the same bytes from the same data. How good they are: tests/eval/decisions.py --cv.
Needs the extra `train` (numpy, scikit-learn); what is made needs nothing.
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
from scipy.sparse import csr_matrix
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from recapd.core.decisions.model import BUCKETS, buckets_of
from tests.eval.labelled import Labelled, outcomes, read_all, scorer

WEIGHTS = Path(__file__).parents[2] / "recapd" / "core" / "decisions"
MODELS = ("agent", "user", "assent")
# Trees, their depth, and the share that a linear model has in the verdict; few examples carry no trees.
SHAPES = {"agent": (120, 4, 0.0), "user": (150, 3, 0.2), "assent": (0, 0, 1.0)}
# Trees over many candidates are grown on binned features, which is both faster and steadier.
BINNED = frozenset(("agent",))
# So many forests, grown from other random choices, have an equal say. Three were no better than one.
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
        columns = [bucket for row in rows for bucket in row["words"]]
        starts = np.cumsum([0, *(len(row["words"]) for row in rows)])
        self.words = csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(rows), BUCKETS))
        self.has_words = name != "assent"


def _grown(name: str, seed: int) -> GradientBoostingClassifier | HistGradientBoostingClassifier:
    trees, depth, _ = SHAPES[name]
    if name in BINNED:
        return HistGradientBoostingClassifier(
            max_iter=trees,
            max_depth=depth,
            learning_rate=0.05,
            min_samples_leaf=20,
            l2_regularization=5.0,
            max_features=0.15,
            early_stopping=False,
            random_state=seed,
        )
    return GradientBoostingClassifier(
        n_estimators=trees,
        max_depth=depth,
        learning_rate=0.05,
        subsample=0.6,
        max_features=0.2,
        min_samples_leaf=15,
        random_state=seed,
    )


class Fitted:
    def __init__(self, samples: Samples, rows: np.ndarray) -> None:
        trees, _, self.share = SHAPES[samples.name]
        rows = rows[samples.weight[rows] > 0]
        y, group = samples.y[rows], samples.group[rows]
        self.samples = samples
        self.lexical: LogisticRegression | None = None
        heard = np.zeros(len(rows))
        if samples.has_words:
            words = samples.words[rows]
            for part in parts_of(group, 8):
                inside = np.isin(group, part)
                heard[inside] = lexical(words[~inside], y[~inside]).decision_function(words[inside])
            self.lexical = lexical(words, y)
        x = np.c_[samples.x[rows], heard]
        self.boosted = [_grown(samples.name, seed).fit(x, y) for seed in range(SEEDS)] if trees else []
        self.scale = StandardScaler().fit(x)
        self.linear = LogisticRegression(C=0.02, max_iter=500).fit(self.scale.transform(x), y)

    def said(self, rows: np.ndarray) -> np.ndarray:
        """Log odds, before calibration."""
        heard = np.zeros(len(rows))
        if self.lexical is not None:
            heard = self.lexical.decision_function(self.samples.words[rows])
        x = np.c_[self.samples.x[rows], heard]
        said = self.share * self.linear.decision_function(self.scale.transform(x))
        if self.boosted:
            said = said + (1 - self.share) * np.mean([each.decision_function(x) for each in self.boosted], axis=0)
        return np.asarray(said)

    def plain_linear(self) -> tuple[list[float], float]:
        """The linear part for features as they come, and its constant."""
        weights = self.linear.coef_[0] / self.scale.scale_ * self.share
        bias = float(self.linear.intercept_[0]) * self.share - float(weights @ self.scale.mean_)
        return [round(float(each), 6) for each in weights], bias


def lexical(words: csr_matrix, y: np.ndarray) -> LogisticRegression:
    return LogisticRegression(C=0.3, max_iter=400).fit(words, y)


def parts_of(group: np.ndarray, count: int) -> list[list[str]]:
    names = sorted(set(group))
    return [names[part::count] for part in range(count) if names[part::count]]


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
                    "words": buckets_of(candidate.core) if candidate.model != "assent" else [],
                }
            )
    return rows


def _nodes(grown: Any, step: float, node: int = 0) -> list[float]:
    """A tree from its root: a feature and its bound, then the left branch, then the right; a leaf is -1 and its say."""
    left, right = int(grown.children_left[node]), int(grown.children_right[node])
    if left < 0:
        return [-1, round(float(grown.value[node][0][0]) * step, 4)]
    return [
        int(grown.feature[node]),
        round(float(grown.threshold[node]), 3),
        *_nodes(grown, step, left),
        *_nodes(grown, step, right),
    ]


def _binned_nodes(nodes: Any, step: float, node: int = 0) -> list[float]:
    here = nodes[node]
    if here["is_leaf"]:
        return [-1, round(float(here["value"]) * step, 4)]
    return [
        int(here["feature_idx"]),
        round(float(here["num_threshold"]), 3),
        *_binned_nodes(nodes, step, int(here["left"])),
        *_binned_nodes(nodes, step, int(here["right"])),
    ]


def packed(fitted: Fitted, knots: tuple[list[float], list[float]]) -> bytes:
    words: list[int] = []
    scale = bias = 0.0
    if fitted.lexical is not None:
        weights = fitted.lexical.coef_[0]
        scale = float(np.abs(weights).max()) / 127
        words = [int(each) for each in np.round(weights / scale)]
        bias = float(fitted.lexical.intercept_[0])
    trees: list[list[float]] = []
    linear, constant = fitted.plain_linear() if fitted.share else ([], 0.0)
    share = (1 - fitted.share) / max(1, len(fitted.boosted))
    for boosted in fitted.boosted:
        if isinstance(boosted, HistGradientBoostingClassifier):
            trees += [_binned_nodes(grown.nodes, share) for (grown,) in boosted._predictors]
            constant += float(boosted._baseline_prediction.ravel()[0]) * share
        else:
            trees += [_nodes(grown.tree_, boosted.learning_rate * share) for (grown,) in boosted.estimators_]
            prior = float(boosted.init_.class_prior_[1])
            constant += float(np.log(prior / (1 - prior))) * share
    model = {
        "names": fitted.samples.names,
        "trees": trees,
        "bias": constant,
        "linear": linear,
        "words": words,
        "words_scale": scale,
        "words_bias": bias,
        "said": knots[0],
        "was": knots[1],
    }
    return b85encode(compress(json.dumps(model, separators=(",", ":")).encode(), 9))


def write_weights(name: str, data: bytes) -> None:
    text = data.decode()
    lines = [
        f'"""Weights for {name} candidates: made by tests/eval/train_decisions.py, read by model.py, not for people.',
        "",
        "A compressed table of trees and of hashed words; no text went into it.",
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
