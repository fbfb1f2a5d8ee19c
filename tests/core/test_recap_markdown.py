"""A recap as it is read: closed however little room there is, numbered as the session is, and nothing that was not."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
import pytest
from markdown_it import MarkdownIt

from recapd.core.log.events import Prompt, Reply
from recapd.core.text.tokens import estimate_tokens
from recapd.core.views.recap.markdown import full_markdown, short_markdown
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.summary import formatted
from tests.support.logs import at
from tests.support.records import Row, did, session_with

NOW = at(100_000)


def recap(*rows: Row) -> Recap:
    return recap_of(session_with(*rows), NOW)


@pytest.mark.parametrize("write", [short_markdown, full_markdown])
@pytest.mark.parametrize("words", ["Done.", "修复解析器。" * 30, "a_b*c[d](e)`f`<g> " * 30])
def test_a_folded_page_is_closed_however_little_room_there_is(write: Callable[..., str], words: str) -> None:
    facts = recap(Prompt(f"fix the parser {words}"), did("edit", "a.py"), Reply(words))
    folds = []
    # What room is too little for shows below a hundred tokens.
    for most in (*range(1, 100), *range(100, 250, 10)):
        text = write(facts, max_tokens=most, collapsible=True)
        assert text.count("<details>") == text.count("</details>") <= 1
        assert text.endswith("</details>") == text.startswith("<details>")
        assert estimate_tokens(text) <= most
        folds.append(text.startswith("<details>"))
    assert folds == sorted(folds), "with more room a page does not lose its fold"
    assert folds[-1]


def test_the_timeline_shows_the_turns_own_numbers() -> None:
    """A reader numbers an ordered list from its first item: turn 20 would be shown as 2."""
    rows = [row for number in range(1, 31) for row in (Prompt(f"please do number {number}"), Reply("It is done."))]
    facts = msgspec.structs.replace(recap(*rows), decisions=())
    html = MarkdownIt().render(full_markdown(facts, max_tokens=4_000))
    assert "<ol" not in html
    starts = [int(number) for number in re.findall(r"<li>(?:<p>)?Turns? (\d+)", html)]
    assert starts[0] == 1 and starts == sorted(set(starts)) and 1 < len(starts) <= 10


def test_a_file_that_was_only_tried_was_not_read() -> None:
    assert "Files read" not in formatted(recap(Prompt("go"), did("edit", "a.py", failed=True)))
    assert "Files read: b.py\n" in formatted(recap(Prompt("go"), did("edit", "a.py", failed=True), did("read", "b.py")))
