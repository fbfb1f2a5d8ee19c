"""Which questions offer to do something, and what."""

from __future__ import annotations

import pytest

from recapd.core.text import deed_from


@pytest.mark.parametrize(
    ("asked", "deed"),
    [
        ("Shall I commit it?", "commit it?"),
        ("If so, want me to add a test?", "add a test?"),
        ("Sollen wir das so lassen?", "das so lassen?"),
        ("Dois-je retirer le cache ?", "retirer le cache ?"),
        ("Posso remover o campo?", "remover o campo?"),
        ("需要我提交吗？", "提交吗？"),
    ],
)
def test_the_deed_stands_behind_what_offers_it(asked: str, deed: str) -> None:
    assert asked[deed_from(asked) :] == deed


@pytest.mark.parametrize(
    "asked", ["Which one?", "Should it be hidden?", "What happens when it fails?", "Warum ist das so?"]
)
def test_a_question_that_offers_nothing_has_none(asked: str) -> None:
    assert deed_from(asked) == 0
