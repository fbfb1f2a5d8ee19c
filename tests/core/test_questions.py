"""Which question the end of an answer puts to the human: one that asks, and that the agent did not answer itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.text.questions import question_in

ASKED = [
    ("Done. Shall I also add tests?", "Shall I also add tests?"),
    ("Two ways:\n1. Postgres\n2. SQLite\n\n**Which one do you want?**", "Which one do you want?"),
    ("- Want me to run them now?", "Want me to run them now?"),
    ("### Shall I do it now?\n", "Shall I do it now?"),
    ("要我继续吗？", "要我继续吗？"),
    ("Voulez-vous continuer ?", "Voulez-vous continuer ?"),
    ("Ready to go on? 🚀", "Ready to go on?"),
    ("Should I run `uv sync`?", "Should I run uv sync?"),
    ("1. **Names** — which ones?\n\n2. **Places** — are there any to keep?", "Places — are there any to keep?"),
    ("Shall I use https://example.org/?page=2 for that?", "Shall I use https://example.org/?page=2 for that?"),
    # Options follow, and a word on them.
    ("Which one?\n\n- A: fast\n- B: small", "Which one?"),
    ("Which one?\n\n**A.** fast\n   with a cache\n**B.** small", "Which one?"),
    ("Which do you want?\n1. fast\n2. small\n\nOnce you tell me, I go on.", "Which do you want?"),
    ("Do you have the file? If not:\n```\ntouch a ? b\n```", "Do you have the file?"),
    # The words after it are still for the human.
    ("Want me to fix it? I would begin with the parser.", "Want me to fix it?"),
    ("Shall I go on?\n\nIt takes a minute.", "Shall I go on?"),
    ("要我继续吗？ 我会先修复解析器。", "要我继续吗？"),
    # The last one that stands counts.
    ("Shall I go on? Or stop? It is late.", "Shall I go on?"),
]

NOT_ASKED = [
    "",
    "Done.",
    "?",
    # In an address, in code, in a table, in the middle of a word.
    "Done. See https://example.org/?page=2 for details.",
    "Replaced `a ? b : c` by an if.",
    "Set x = a ? b : c and went on.",
    "Now it is:\n```\nwho(name?)\nwhat?\n```",
    "what?\n```\nIt prints the answer to the above.",
    "| Commit | Match? |\n|---|---|\n| abc | yes |",
    "1. `show(target?)` swaps them\n2. `restore()` swaps them back",
    "Tasks follow [P?] [US#?] with paths.",
    # Answered by the one who asked.
    "What was wrong? The parser dropped the last line, so I keep it now.",
    "Why did it fail?\n\nThe parser dropped the last line.",
    "**What changed?**\n- the parser\n- the lexer",
    "Is that the bug? It is.",
    # Long over.
    "Do you see the bug? " + "I looked into it and found that it is one. " * 20,
]


@pytest.mark.parametrize(("words", "expected"), ASKED)
def test_a_question_to_the_human_stands_open(words: str, expected: str) -> None:
    assert question_in(words, 200) == expected


@pytest.mark.parametrize("words", NOT_ASKED)
def test_not_every_question_mark_asks_the_human(words: str) -> None:
    assert question_in(words, 200) == ""


@given(
    st.lists(
        st.sampled_from(["?", "？", "\n", "`", "```", "| ", "- ", " ", "a", "you", "*", "。", "\x85"]), max_size=40
    )
)
def test_whatever_the_words_the_question_is_one_line(pieces: list[str]) -> None:
    question = question_in("".join(pieces), 20)
    assert len(question) <= 20 and len(question.splitlines()) <= 1
