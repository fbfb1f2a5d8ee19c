"""What is kept of an answer: results, not run-up, wherever they stand in it; in any language, and never a secret."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.decisions.find.content import names_of
from recapd.core.log.events import Prompt, Reply
from recapd.core.text.gist import GIST_CHARS, gist_of, narrates
from recapd.core.text.markdown import plain
from tests.support.records import did, folded
from tests.support.secrets import secrets

ANSWER = """Great question! Let me summarise what I did:

## Summary

**1. Cache** (`cache.py`):
- Switched from pickle to SQLite, because pickle broke between versions.
  All 14 tests pass.

```python
print("never part of a gist")
```

| Metric | Before | After |
|--------|--------|-------|
| p95 | 900 ms | 120 ms |

The migration of old entries is still missing.
Want me to write it?
"""


def test_results_are_kept_and_run_up_and_code_are_not() -> None:
    assert gist_of(ANSWER).split("\n") == [
        "Cache (cache.py)",
        "Switched from pickle to SQLite, because pickle broke between versions.",
        "All 14 tests pass.",
        "p95: 900 ms, 120 ms",
        "The migration of old entries is still missing.",
        "Want me to write it?",
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Let me check the tests.", True),
        ("Now I'll run the linter:", True),
        ("Good. Looking at the config now.", True),
        ("让我看看配置。", True),
        ("All tests pass.", False),
        ("The bug is in parser.py: it drops the last token.", False),
        ("Let me know which one you prefer?", False),
    ],
)
def test_announcing_the_next_step_is_no_result(words: str, expected: bool) -> None:
    assert narrates(words) == expected


def test_a_turn_keeps_the_last_words_that_tell_something() -> None:
    turns = folded(
        Prompt("fix it"), Reply("Fixed the loop in a.py."), did("edit", "a.py"), Reply("Let me run the tests.")
    ).turns
    assert turns[0].gist == "Fixed the loop in a.py."
    assert turns[0].outcome == "Let me run the tests."


@pytest.mark.parametrize(
    "answer", ["", "```\ncode\n```", "Let me look.", "| a |\n|---|", "<div style='x'>hello there</div>"]
)
def test_nothing_told_is_nothing_kept(answer: str) -> None:
    assert gist_of(answer) == ""


@pytest.mark.parametrize(
    "offer",
    [
        "If you want, I'll add a switch for `--dry-run` as well.",
        "I can rank the open issues by age next.",
        "Absolutely, and that is the way to go about it.",
    ],
)
def test_offers_and_courtesy_are_no_results(offer: str) -> None:
    assert gist_of(f"The import skips duplicates by their `sku` now.\n\n{offer}") == (
        "The import skips duplicates by their sku now."
    )


def test_other_languages_keep_their_results() -> None:
    assert "缓存改为 SQLite" in gist_of("我看了代码。\n\n- 缓存改为 SQLite，因为 pickle 不兼容。\n- 测试全部通过。")
    assert "Der Cache nutzt jetzt SQLite." in gist_of("Erledigt! Der Cache nutzt jetzt SQLite.")


def test_marks_of_markdown_are_no_words() -> None:
    assert plain("**Fixed** the [parser](https://x.example/y) in `a_b.py`:") == "Fixed the parser in a_b.py"
    assert plain("**Moved** `docs/**/*` and **/*.py") == "Moved docs/**/* and **/*.py"
    assert plain("**/login** and **src/**: gone") == "/login and src/: gone"
    for name in ("src/*_test.py", "notes_*.md", "lib*.so", "all of test_*"):
        assert plain(f"*Moved* {name}, {name} and *more*.") == f"Moved {name}, {name} and more."
    assert plain("3) snake_case and 2 * 3 stay") == "snake_case and 2 * 3 stay"


def test_no_secret_survives_being_taken_out_of_its_context() -> None:
    for planted in secrets(7):
        for text in (planted.text, f"- {planted.text}\n- done", f"Here it is:\n\n{planted.text}\n\nDone."):
            assert planted.secret not in gist_of(f"Fixed it.\n\n{text}"), planted.kind


@given(st.text(max_size=400), st.integers(1, 40))
def test_a_gist_is_bounded_clean_and_made_again_the_same(text: str, times: int) -> None:
    gist = gist_of(text * times)
    assert len(gist) <= GIST_CHARS and gist == gist_of(text * times)
    assert all(line == line.strip() and line for line in gist.split("\n") if gist)


@pytest.mark.parametrize("unit", ["x", "a-", "a.", "A", "_", "/", "--", "aB", "1a"])
def test_names_are_found_in_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        # Of this thread alone: how busy the machine is must not count.
        start = time.thread_time()
        names_of(unit * (size // len(unit)))
        return time.thread_time() - start

    # Eight times the length may cost eight times as much, not sixty-four times; below a millisecond clocks say nothing.
    assert min(seconds(16_000) for _ in range(3)) < 30 * max(min(seconds(2_000) for _ in range(3)), 0.001)
