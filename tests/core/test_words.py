"""What counts as a word, in any script, by one cutter."""

from __future__ import annotations

import pytest

from recapd.core.text.stop_words import STOP_WORDS, without_filler
from recapd.core.text.words import WordRule, spelled_words_in, spoken_words_in, word_rule, words_in

EVERY = word_rule()
STEMS = word_rule(least_chars=3, stem_chars=5)
APART = word_rule(least_chars=3, between="lost")
LETTERS = word_rule(least_chars=4, has_digits=False, stop_words=frozenset({"stop"}))


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        (EVERY, "Fix the_login in v2, please", "fix the login in v2 please"),
        (EVERY, "Größe ändern", "größe ändern"),
        (EVERY, "重构配置 a", "重构 构配 配置 a"),
        (EVERY, "使用React框架", "使用 react 框架"),
        (EVERY, "字", "字"),
        (EVERY, "ไทย", "ไท ทย"),
        (EVERY, "x" * 60, "x" * 40),
        (EVERY, "…", ""),
        (STEMS, "limits limited of a limit", "limit limit limit"),
        (STEMS, "字 配置 of", "配置"),
        (STEMS, "使用React框架 Vue", "使用 react 框架 vue"),
        (APART, "使用React框架 Vue", "使用 框架 vue"),
        (LETTERS, "Stop it with utf8 here", "with here"),
        (LETTERS, "Stop größer", "größer"),
    ],
)
def test_words(rule: WordRule, text: str, expected: str) -> None:
    assert words_in(text, rule) == expected.split()


def test_words_as_they_are_spelled() -> None:
    assert spelled_words_in("GetItem für 配置项") == ["GetItem", "fur", "配置", "置项"]
    assert spelled_words_in("GetItem_2") == ["GetItem", "2"]
    assert spoken_words_in("don't do a follow-up_now") == ["don't", "do", "a", "follow-up", "now"]


def test_words_that_say_nothing_are_found_however_they_were_typed() -> None:
    assert {"fur", "que", "warum", "что"} <= STOP_WORDS["question"]
    assert without_filler("为什么用缓存").split() == ["用缓存"]
    # A stem of one language must not hide a word of another.
    assert "commen" not in STOP_WORDS["topic"]
