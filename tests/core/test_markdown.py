"""Markdown is read one way: lines with their marks, blocks, paragraphs; code is never taken for words."""

from __future__ import annotations

import pytest

from recapd.core.text.markdown import BY_HAND, blocks_in, lines_in, paragraphs_in, without_code
from recapd.core.text.sentences import sentences_of, statement_spans

PAGE = """# Title
Words that
go on
- an item
  that goes on
1. first
> - [x] quoted

| a | b |
|---|---|
```sh
# no heading
```
Last words"""


def test_blocks() -> None:
    assert [(block.sort, block.text) for block in blocks_in(PAGE)] == [
        ("heading", "Title"),
        ("prose", "Words that\ngo on"),
        ("item", "an item\nthat goes on"),
        ("numbered", "first"),
        ("item", "quoted"),
        ("row", "a: b"),
        ("prose", "Last words"),
    ]


@pytest.mark.parametrize(
    ("line", "by_markdown", "by_hand"),
    [
        ("## Title", ("heading", "", "Title"), ("heading", "", "Title")),
        ("  - item", ("bullet", "", "item"), ("bullet", "", "item")),
        ("2) two", ("number", "2", "two"), ("number", "2", "two")),
        ("2、two", ("", "", "2、two"), ("number", "2", "two")),
        ("**b)** two", ("", "", "**b)** two"), ("letter", "b", "two")),
        ("> said", ("quote", "", "said"), ("quote", "", "said")),
        ("3.5 seconds", ("", "", "3.5 seconds"), ("", "", "3.5 seconds")),
        ("3:15", ("", "", "3:15"), ("", "", "3:15")),
    ],
)
def test_marks(line: str, by_markdown: tuple[str, str, str], by_hand: tuple[str, str, str]) -> None:
    (one,), (other,) = lines_in(line), lines_in(line, BY_HAND)
    assert (one.mark, one.label, one.words) == by_markdown
    assert (other.mark, other.label, other.words) == by_hand


def test_every_line_knows_where_it_begins() -> None:
    assert all(PAGE[line.start :].startswith(line.text) for line in lines_in(PAGE))
    assert [line.text for line in lines_in(PAGE) if line.is_code] == ["```sh", "# no heading", "```"]
    assert [line.text for line in lines_in("ends\n```\nafter", is_code=True) if not line.is_code] == ["after"]


def test_blank_lines_in_code_end_no_paragraph() -> None:
    assert list(paragraphs_in("a\nb\n\n```\nc\n\nd\n```\n\ne")) == ["a\nb\n", "```\nc\n\nd\n```\n", "e"]
    assert without_code("a\n```\nc\n```\nb").split() == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "sentences", "statements"),
    [
        ("One. Two", 2, 2),
        ("Use e.g. this. then that", 1, 2),
        ("Keep `ab. B`. Go", 3, 2),
        ("好的；继续。完成", 2, 3),
        ("1. first", 1, 1),
    ],
)
def test_sentences_and_statements(line: str, sentences: int, statements: int) -> None:
    assert len(list(sentences_of(line))) == sentences
    assert len(list(statement_spans(line))) == statements
