"""How likely a candidate is a decision, from its features: small boosted trees.

Owns the reading of the weights; tests/eval/train_decisions.py makes them. Deterministic, and no library needed.
"""

from __future__ import annotations

from base64 import b85decode
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from math import exp
from typing import Final
from zlib import decompress

import msgspec
from msgspec import Struct

from recapd.core.decisions import weights_agent, weights_assent, weights_user

_PACKED: Final = {
    "agent": weights_agent.PACKED,
    "user": weights_user.PACKED,
    "assent": weights_assent.PACKED,
}


class Tree(Struct, frozen=True):
    """Nodes from the root, each before its left branch, that before its right one: the left one is the next node, the
    right one is named. A leaf has feature -1, and its bound is its say."""

    feature: tuple[int, ...]
    bound: tuple[float, ...]
    right: tuple[int, ...]


class Model(Struct, frozen=True, kw_only=True):
    names: tuple[str, ...]
    # Each a feature and its bound, then the left branch, then the right; a leaf is -1 and its say.
    trees: tuple[tuple[float, ...], ...]
    bias: float
    # Knots of what the trees say, as log odds, against how often it was so.
    said: tuple[float, ...]
    was: tuple[float, ...]


@cache
def model_of(name: str) -> Model:
    return msgspec.json.decode(decompress(b85decode(_PACKED[name])), type=Model)


@cache
def forest_of(name: str) -> tuple[Tree, ...]:
    return tuple(_grown(nodes) for nodes in model_of(name).trees)


def _grown(nodes: tuple[float, ...]) -> Tree:
    feature = tuple(int(each) for each in nodes[::2])
    right = [0] * len(feature)
    # Nodes whose left branch is not yet read to its end.
    waiting: list[int] = []
    for node, column in enumerate(feature):
        if column >= 0:
            waiting.append(node)
        elif waiting:
            right[waiting.pop()] = node + 1
    return Tree(feature, nodes[1::2], tuple(right))


def likelihood(name: str, features: Mapping[str, float]) -> float:
    """How likely it is a decision, 0 to 1."""
    model = model_of(name)
    row = [features.get(each, 0.0) for each in model.names]
    return calibrated(model, raw_score(model, forest_of(name), row))


def raw_score(model: Model, forest: tuple[Tree, ...], row: list[float]) -> float:
    """Log odds, before calibration."""
    total = model.bias
    for tree in forest:
        feature, bound, right = tree.feature, tree.bound, tree.right
        node = 0
        while (column := feature[node]) >= 0:
            node = node + 1 if row[column] <= bound[node] else right[node]
        total += bound[node]
    return total


def calibrated(model: Model, said: float) -> float:
    """Between two knots in proportion; beyond the last as the last."""
    knots, was = model.said, model.was
    if not knots:
        return 1.0 / (1.0 + exp(-said))
    place = bisect_right(knots, said)
    if place == 0:
        return was[0]
    if place == len(knots):
        return was[-1]
    low, high = knots[place - 1], knots[place]
    share = (said - low) / (high - low) if high > low else 0.0
    return was[place - 1] + share * (was[place] - was[place - 1])
