"""How likely a candidate is a decision, from its features: small boosted trees and a table of hashed words.

Owns the reading of the weights; tests/eval/train_decisions.py makes them. Deterministic, and no library needed.
"""

from __future__ import annotations

from base64 import b85decode
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from math import exp
from typing import Final
from zlib import crc32, decompress

import msgspec
from msgspec import Struct

from recapd.core.decisions import weights_agent, weights_assent, weights_user
from recapd.core.decisions.lexicon import plain, tokens_of
from recapd.core.unspaced import pairs_in

# Hashed words share this many weights.
BUCKETS: Final = 1 << 14
_MAX_TOKENS: Final = 60


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
    # A weight for each feature and for "lex", besides the trees; may be empty.
    linear: tuple[float, ...] = ()
    # Weights of hashed words; their sum is the feature "lex".
    words: tuple[int, ...]
    words_scale: float
    words_bias: float
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


def buckets_of(text: str) -> list[int]:
    """The words of a text and their neighbours as numbers, each once."""
    words = plain(text)
    tokens = tokens_of(words)[:_MAX_TOKENS]
    keys = dict.fromkeys(tokens)
    keys.update(dict.fromkeys(f"{one} {two}" for one, two in pairwise(tokens)))
    if tokens:
        keys[f"^{tokens[0]}"] = None
        keys[f"^{' '.join(tokens[:2])}"] = None
    keys.update(dict.fromkeys(pairs_in(words)))
    return sorted({crc32(key.encode("utf-8", "replace")) % BUCKETS for key in keys})


def likelihood(name: str, features: Mapping[str, float], text: str) -> float:
    """How likely it is a decision, 0 to 1."""
    model = model_of(name)
    words = model.words
    heard = model.words_bias
    if words:
        heard += sum(words[bucket] for bucket in buckets_of(text)) * model.words_scale
    row = [features.get(each, 0.0) for each in model.names]
    row.append(heard)
    return calibrated(model, raw_score(model, forest_of(name), row))


def raw_score(model: Model, forest: tuple[Tree, ...], row: list[float]) -> float:
    """Log odds, before calibration."""
    total = model.bias + sum(weight * value for weight, value in zip(model.linear, row, strict=False))
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
