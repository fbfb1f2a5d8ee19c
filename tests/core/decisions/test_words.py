"""The one lexicon: every idea has its words in every language."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from recapd.core.decisions.words import IDEAS, Language, languages_of, listed, said


@pytest.mark.parametrize("idea", IDEAS)
def test_every_idea_has_words_in_every_language(idea: str) -> None:
    assert [language for language in get_args(Language) if not listed(IDEAS[idea].get(language, ""))] == []


@pytest.mark.parametrize("idea", IDEAS)
def test_every_word_of_an_idea_is_found(idea: str) -> None:
    pattern = re.compile(said(idea), re.IGNORECASE)
    words = [word.removesuffix("*") for row in IDEAS[idea].values() for word in listed(row)]
    assert [word for word in words if not pattern.search(word)] == []


def test_a_word_is_not_found_within_another() -> None:
    assert re.search(said("refusal"), "a notable change") is None
    assert re.search(said("refusal"), "我不要") is not None


@pytest.mark.parametrize(
    ("words", "language"),
    [("the file is in place now", "en"), ("das ist jetzt in der datei", "de"), ("o arquivo já está na pasta", "pt")],
)
def test_a_language_is_known_by_its_common_words(words: str, language: Language) -> None:
    assert languages_of(words.split()) == {language}
    assert len(languages_of(["changed"])) > 1
