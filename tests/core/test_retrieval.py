"""Finding passages by words: what a text is found by, where it is cut, and which passage comes first."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.log.refs import Place
from recapd.core.retrieval.index import Index
from recapd.core.retrieval.passages import MOST_CHARS, passages_in
from recapd.core.retrieval.rank import by_likeness, search
from recapd.core.retrieval.terms import asked_terms, terms_of
from recapd.core.retrieval.units import Speaker, Unit
from recapd.core.text import Rarity, counts_of, features_of, similarity

TERMS = [
    ("Hello World", {"hello", "world"}),
    ("GetRewindPoints", {"getrewindpoints", "get", "rewind", "points", "rewin*", "point*"}),
    ("max_retry_count", {"max", "retry", "count", "max_retry_count"}),
    ("src/app.test.ts", {"src/app.test.ts", "src", "app", "test"}),
    ("v4.41.0-next.1", {"41", "next", "v4.41.0-next.1"}),
    ("#386", {"386"}),
    ("重构配置", {"重构", "构配", "配置"}),
    ("デプロイする", {"デプ", "プロ", "ロイ"}),
    ("résumé Überführung", {"resume", "uberfuhrung"}),
    ("published publishing", {"publi*"}),
]


@pytest.mark.parametrize(("text", "terms"), TERMS, ids=[row[0] for row in TERMS])
def test_what_a_text_is_found_by(text: str, terms: set[str]) -> None:
    assert terms <= set(terms_of(text))


ASKED = [
    ("Why did the uploads fail?", {"uploads", "uploa*", "fail"}),
    ("为什么选择 Redis？", {"选择", "redis"}),
    ("Warum wurde Redis gewählt?", {"redis", "gewahlt", "gewah*"}),
    # Nothing but filler: then the filler is all there is to go by.
    ("what is it?", {"what", "is", "it"}),
]


@pytest.mark.parametrize(("prompt", "terms"), ASKED, ids=[row[0] for row in ASKED])
def test_words_that_only_ask_are_not_looked_for(prompt: str, terms: set[str]) -> None:
    assert set(asked_terms(prompt)) == terms


@given(st.text(st.sampled_from("ab .\n!。#*`"), max_size=3_000))
def test_passages_cover_the_text_in_order_and_are_short(text: str) -> None:
    spans = passages_in(text)
    at = 0
    for span in spans:
        assert not text[at : span.start].strip()
        assert 0 < span.end - span.start <= MOST_CHARS
        at = span.end
    assert not text[at:].strip()


def index_of(*texts: str | tuple[Speaker, str]) -> Index:
    index = Index()
    for number, text in enumerate(texts):
        said: tuple[Speaker, str] = ("agent", text) if isinstance(text, str) else text
        speaker, words = said
        index.add(Unit(speaker, number, number // 2, Place(number + 1, number * 100, 99)), words)
    return index


def best(index: Index, prompt: str) -> list[int]:
    """Numbers of the units in the order their passages fit."""
    hits = search(index, prompt, wanted=[True] * len(index.units))
    return list(dict.fromkeys(index.unit_of[hit.row] for hit in hits))


FILLER = ["The tests pass now.", "I looked at the file.", "Everything is committed."]
RANKS: list[tuple[str, list[str | tuple[Speaker, str]], str, int]] = [
    ("the rare word wins", [*FILLER, "The cache is Redis.", *FILLER], "which cache", 3),
    (
        "all words beat one of them",
        ["redis redis redis", *FILLER, "the port of redis is 6380", *FILLER],
        "redis port",
        4,
    ),
    ("another ending", [*FILLER, "We validated the schema.", *FILLER], "validation of the schemas", 3),
    ("part of an identifier", [*FILLER, "Look at getRuntimeConfig.", *FILLER], "runtime config", 3),
]


@pytest.mark.parametrize(("texts", "prompt", "first"), [row[1:] for row in RANKS], ids=[row[0] for row in RANKS])
def test_the_best_passage_comes_first(texts: list[str | tuple[Speaker, str]], prompt: str, first: int) -> None:
    assert best(index_of(*texts), prompt)[0] == first


def test_an_answer_is_found_by_its_question() -> None:
    texts: list[str | tuple[Speaker, str]] = [*FILLER, ("user", "why does the login fail?"), "The keypair changed."]
    assert best(index_of(*texts, *FILLER), "login failure")[:2] == [3, 4]


@pytest.mark.parametrize(
    ("prompt", "cause"),
    [
        ("Why did the uploads fail?", "Found it. The provider talks to a node on another machine."),
        ("Warum schlugen die uploads fehl?", "Die Ursache ist ein Knoten auf einem anderen Rechner."),
        ("为什么 uploads 失败?", "原因是提供者连接到了另一台机器上的节点。"),
    ],
)
def test_who_asks_why_is_told_what_was_found_in_the_end(prompt: str, cause: str) -> None:
    """The cause names the symptom no more, and stands behind much that does."""
    looked = [f"The uploads fail, step {number} shows nothing." for number in range(9)]
    index = Index()
    for number, text in enumerate([*looked, "A plain remark.", cause, *FILLER]):
        index.add(Unit("agent", number, number // 12, Place(number + 1, number * 100, 99)), text)
    row = len(looked) + 1
    assert best(index, prompt).index(row) < best(index, "uploads").index(row)


def test_nothing_is_found_by_words_nobody_said() -> None:
    assert search(index_of(*FILLER), "zebrafish", wanted=[True] * len(FILLER)) == []


def test_nothing_is_found_where_nobody_used_words() -> None:
    assert best(index_of("???", "👍", "—"), "the parser") == []


def test_what_is_not_wanted_neither_shows_nor_lends_its_score() -> None:
    index = index_of(*FILLER, "zebrafish swim", "and so on", *FILLER)
    assert search(index, "zebrafish", wanted=[unit != 3 for unit in range(len(index.units))]) == []


def test_likeness_is_that_of_whole_vectors() -> None:
    chance = Random(0)
    words = [*FILLER[0].split(), "cache", "parser", "configuration", "configurator", "the", "42"]
    texts = [" ".join(chance.choices(words, k=length)) for length in (0, 1, 3, 8, 40, 200)]
    counts = [counts_of(text) for text in texts]
    rarity = Rarity(counts)
    for asked in ("the parser cache", "configure caches", "nothing of it", ""):
        vector = rarity.vector(counts_of(asked))
        whole = [similarity(vector, rarity.vector(each)) for each in counts]
        assert rarity.likenesses(vector, list(map(features_of, counts))) == pytest.approx(whole)


def test_likeness_breaks_ties_between_spellings() -> None:
    texts = ["configuration of nothing", "the cache configurator"]
    index = index_of(*texts)
    hits = search(index, "configuration cache", wanted=[True, True])
    shown = [texts[index.unit_of[hit.row]] for hit in hits]
    ranked = by_likeness(hits, [features_of(counts_of(text)) for text in shown], "configuration cache")
    assert {hit.row for hit in ranked} == {hit.row for hit in hits}
    assert all(one.score >= other.score for one, other in pairwise(ranked))
