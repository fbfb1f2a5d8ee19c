"""What the words of a decision say of it."""

from __future__ import annotations

import pytest

from recapd.core.decisions.find.wording import takes_back


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
