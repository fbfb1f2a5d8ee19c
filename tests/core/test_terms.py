"""What the terms of a session weigh, and which statements are told."""

from __future__ import annotations

from math import log2

import pytest

from recapd.core.text.terms import Room, Statement, chosen, terms_of, weights_of


def weighed(*turns: tuple[str, str]) -> dict[str, float]:
    return weights_of([(terms_of(asked), terms_of(answered)) for asked, answered in turns])


def test_a_term_weighs_by_sort_turns_lateness_and_who_said_it() -> None:
    weights = weighed(("Mend the parser", ""), ("", "The parser holds"), ("", "`tail.py` is new"))
    assert weights["parser"] == pytest.approx(log2(3) * (0.4 + 0.6 * 2 / 3) * 1.5)
    assert weights["holds"] == pytest.approx(log2(2) * (0.4 + 0.6 * 2 / 3))
    assert weights["tail.py"] == pytest.approx(2.0 * log2(2))


def test_a_word_of_request_and_answer_is_heard_once_a_turn() -> None:
    assert weighed(("Mend the parser", "The parser is mended")) == weighed(("Mend the parser", "mended"))


def test_nothing_said_weighs_nothing() -> None:
    assert weighed() == {}


def told(texts: list[str], *, known: str = "", known_worth: float = 0.0, room: float = 1.0) -> list[int]:
    statements = [Statement(text, tuple(terms_of(text)), number) for number, text in enumerate(texts)]
    weights = weighed(*((text, "") for text in texts))
    costs = [1.0] * len(texts)
    return chosen(
        statements,
        weights,
        Room(costs=costs, left=lambda taken: room - len(taken)),
        known=known,
        known_worth=known_worth,
    )


def test_what_the_page_says_already_is_worth_nothing() -> None:
    texts = ["parser", "lexer"]
    assert told(texts, known="the lexer") == [0]
    assert told(texts, known="the parser") == [1]


def test_what_the_page_only_names_may_still_be_told() -> None:
    assert told(["parser"], known="parser") == []
    assert told(["parser"], known="parser", known_worth=0.5) == [0]


def test_statements_are_told_while_there_is_room() -> None:
    assert sorted(told(["parser", "lexer", "printer"], room=2.0)) == [1, 2]
    assert sorted(told(["parser", "lexer", "printer"], room=9.0)) == [0, 1, 2]


def test_what_adds_nothing_is_not_told_again() -> None:
    assert len(told(["parser", "parser"], room=9.0)) == 1
