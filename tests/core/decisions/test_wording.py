"""What the words of a decision say of it."""

from __future__ import annotations

import pytest

from recapd.core.decisions.find.wording import rationale_of, sentence_of, takes_back


@pytest.mark.parametrize(
    "words",
    [
        "undo it",
        "ok, cancel that please",
        "Cancel.",
        "cancel my last request",
        "取消吧",
        "取消。",
        "취소해줘",
        "never mind",
    ],
)
def test_taking_something_back(words: str) -> None:
    assert takes_back(words)


@pytest.mark.parametrize(
    "words",
    [
        "cancel buttons belong on the right",
        "cancel and take the second one",
        "取消链接放在下面",
        "취소 링크는 아래에 둔다",
    ],
)
def test_what_is_called_after_cancelling_takes_nothing_back(words: str) -> None:
    assert not takes_back(words)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Use SQLite because it needs no server", "because it needs no server"),
        ("Since there is no network, keep it in a file", "Since there is no network"),
        ("Found the root cause in the parser", ""),
        ("I want you to save the prompts", ""),
        ("Because of the tests", ""),
    ],
)
def test_why_it_was_taken(words: str, reason: str) -> None:
    assert rationale_of(words) == reason


def test_a_long_reason_ends_with_a_word() -> None:
    found = rationale_of("Keep the queue, because " + "workers wait " * 20)
    assert len(found) <= 120 and found.endswith(("workers…", "wait…"))


def test_what_is_cut_says_so() -> None:
    text = "Keep the queue of every worker " * 10
    told = sentence_of(text)
    assert len(told) <= 200 and told.endswith("…") and text.startswith(told[:-1])
    assert sentence_of("Keep the queue") == "Keep the queue"
