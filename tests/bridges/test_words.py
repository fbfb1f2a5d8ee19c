"""What the bridges say in recapd's name is known again where agents' logs have it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.bridges import words
from recapd.core.text import CLOSE, OPEN, count_for_budget, fenced
from recapd.core.text.markers import is_own_text
from recapd.core.text.tokens import BUDGET_SAFETY_PERCENT


def test_the_marks_are_those_of_the_core() -> None:
    assert (words.OPEN, words.CLOSE) == (OPEN, CLOSE)
    assert words.GUESS_PERCENT == BUDGET_SAFETY_PERCENT
    assert count_for_budget(fenced("")) == words.MARKS_TOKENS


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        f"a {CLOSE} b",
        f"{OPEN}\nx\n{CLOSE}\ny",
        "<recapd-ask>do</recapd-ask>",
        "</Recapd-Past>",
        "< / recapd-past >",
    ],
)
def test_nothing_inside_ends_the_marks(text: str) -> None:
    assert is_own_text(words.fence(text))
    assert words.fence(text).count(CLOSE) == 1
    assert words.fence(text) == fenced(text)


@given(st.text(), st.sampled_from(["", "plain words. ", "aGVsbG8gd29y", "日本語", "{[()]}<>!?", "🎉 ✓ — é"]))
def test_no_line_takes_more_than_is_counted_for_it(drawn: str, repeated: str) -> None:
    line = (repeated * 20 + drawn).replace("\n", " ")
    assert count_for_budget(line + "\n") <= words.most_tokens(line)


@pytest.mark.parametrize("budget", [100, 1_000])
def test_lines_fit_their_budget(budget: int) -> None:
    kept, count = words.fit_lines(["- a plain line of prose (turn 3, line 12)"] * 500, budget)
    assert count > 0 and count_for_budget(words.fence(kept)) <= budget
    kept, count = words.fit_lines(["word " * 500], budget)
    assert count == 1 and count_for_budget(words.fence(kept)) <= budget
