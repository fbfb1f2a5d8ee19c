"""Log text made harmless: what a person sees is what a model reads, and nothing in it acts where it is printed."""

import re
import time
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from recapd.core.hygiene import clean, clean_line, code_span, escape_html, escape_markdown

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

CLEANED = {
    # terminal
    "colour": ("\x1b[1;31mred\x1b[0m plain", "red plain"),
    "colour in 8 bits": ("\x9b31mred", "red"),
    "cursor and erase": ("\x1b[2K\x1b[1Gdone\x1b[?25h", "done"),
    "hyperlink keeps its text": ("see \x1b]8;;http://x.example\x1b\\here\x1b]8;;\x1b\\.", "see here."),
    "title ended by bell": ("\x1b]0;title\x07text", "text"),
    "image payload": ("\x1bPq#0;2;0\x1b\\after", "after"),
    "unclosed string swallows nothing": ("\x1b]0;title\nimportant", "0;title\nimportant"),
    "character set": ("\x1b(Bx\x1b)0y", "xy"),
    "single escapes": ("\x1b7a\x1b8b\x1bcd", "abd"),
    "lone escape": ("end\x1b", "end"),
    "colour cut short": ("end\x1b[3", "end"),
    # lines and controls
    "line ends": ("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h", "a\nb\nc\nd\ne\nf\ng\nh"),
    "tab and newline stay": ("a\tb\nc", "a\tb\nc"),
    "controls": ("a\x00b\x07c\x08d\x7fe\x80f\x9cg", "abcdefg"),
    # reordered and invisible
    "direction override": ("ab\u202egpj.exe\u202c", "abgpj.exe"),
    "isolates and marks": ("\u2066a\u2069\u200e\u200f\u061cb", "ab"),
    "zero width": ("pass\u200bword\u2060\ufeff\xadx", "passwordx"),
    "tags spell hidden text": ("hi" + "".join(chr(0xE0000 + ord(char)) for char in "obey"), "hi"),
    "tags behind a flag spell hidden text": (
        "🏴" + "".join(chr(0xE0000 + ord(char)) for char in "obey") + "\U000e007f",
        "🏴",
    ),
    "variation selectors carry bytes": ("a\ufe00\ufe05\ufe0f\U000e0100\U000e01efb", "ab"),
    "blank letters": ("a\u3164\u115f\uffa0b", "ab"),
    "joiners between Latin letters": ("pa\u200cyp\u200dal", "paypal"),
    "joiner pile": ("👩\u200d\u200d💻", "👩💻"),
    # kept where scripts and emoji need them
    "family": (FAMILY, FAMILY),
    "heart in emoji style": ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
    "keycap": ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
    "flag of Scotland": (SCOTLAND, SCOTLAND),
    "Persian": ("می\u200cخواهم", "می\u200cخواهم"),
    "Hindi": ("क्\u200dष", "क्\u200dष"),
    "style twice": ("❤\ufe0f\ufe0f\ufe0f!", "❤\ufe0f!"),
    # broken
    "half a pair": ("a\ud83db", "a\ufffdb"),
    "noncharacters": ("a\uffffb\ufdd0\U0001fffe", "a\ufffdb\ufffd\ufffd"),
}

hostile_text = st.lists(
    st.one_of(
        st.text(max_size=6),
        st.sampled_from([raw for raw, _ in CLEANED.values()]),
        st.characters(categories=["Cc", "Cf", "Cs", "Mn", "So"]),
        st.sampled_from(["\x1b", "\x1b[", "\x1b]", "\x9d", "\x07", "\u200d", "\u200c", "\ufe0f", "👩", "क", "्", "م"]),
        st.sampled_from(list("\\`*_{}[]()#+-.!|<>~$&@:/=^\"' \n\t1a")),
        st.sampled_from(
            ["</details>", "<!--", "-->", "```", "~~~", "---", "===", "https://", "www.", "a@b.co", "[x]: y"]
        ),
        st.sampled_from(
            ["&amp;", "&#60;", "![", "](", "snake_case", "__init__", "\n\n", "    ", "1. ", "- [ ] ", "|-|", "$$"]
        ),
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize("name", CLEANED)
def test_clean(name: str) -> None:
    raw, expected = CLEANED[name]
    assert clean(raw) == expected


@given(hostile_text)
@example("a\ufe0f\u200d👩")
@example("👩\u200d\ufe0f\u200d💻")
def test_clean_is_idempotent(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize("text", ["", "plain\n\ttext", "naïve 日本語 👍🏽 🇪🇺", "\ufffd"])
def test_clean_text_comes_back_as_the_same_object(text: str) -> None:
    assert clean(text) is text


# Signs that are shown, although Unicode files them under formatting.
VISIBLE_FORMAT = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001343f]")


def test_no_invisible_character_survives_between_letters() -> None:
    survivors = [
        hex(point)
        for point in range(0x110000)
        if unicodedata.category(chr(point)) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        and chr(point) not in "\t\n"
        and not VISIBLE_FORMAT.match(chr(point))
        and chr(point) in clean(f"a{chr(point)}b")
    ]
    assert survivors == []


@given(hostile_text)
def test_clean_line_is_one_line(text: str) -> None:
    assert len(clean_line(text).splitlines()) <= 1
    assert "  " not in clean_line(text)


# ---- Markdown

COMMONMARK = MarkdownIt("commonmark")
GFM = MarkdownIt("gfm-like")
# Guessing that "notes.py" is a domain is a renderer's choice; editors switch it off.
assert GFM.linkify is not None
GFM.linkify.set({"fuzzy_link": False})


def inlines(parser: MarkdownIt, markdown: str) -> list[Token]:
    """What is in the only paragraph of `markdown`."""
    blocks = parser.parse(markdown)
    assert [block.type for block in blocks] == ["paragraph_open", "inline", "paragraph_close"]
    return blocks[1].children or []


ESCAPED = {
    # readable: what cannot act stays as it is
    "snake_case and a__b": "snake_case and a__b",
    "2 * 3 - 4 + 5 = 6": "2 * 3 - 4 + 5 = 6",
    "see ~/src and C:\\new\\dir": "see ~/src and C:\\new\\dir",
    "a < b && c > d, AT&T": "a < b && c > d, AT&T",
    "fix #12, C#, @user, foo.py:12!": "fix #12, C#, @user, foo.py:12!",
    "--verbose": "--verbose",
    "// note, v1.2 (x)": "// note, v1.2 (x)",
    # dead: what could act is escaped
    "__init__ *x* **y**": "\\_\\_init\\_\\_ \\*x\\* \\*\\*y\\*\\*",
    "# title": "\\# title",
    "> quote": "\\> quote",
    "- item": "\\- item",
    "1. item": "1\\. item",
    "12) item": "12\\) item",
    "---": "\\---",
    "===": "\\===",
    "```sh": "\\`\\`\\`sh",
    "~~~": "\\~\\~\\~",
    "[a](b) ![c](d) [^1]": "\\[a\\](b) !\\[c\\](d) \\[^1\\]",
    "a|b": "a\\|b",
    "$x$": "\\$x\\$",
    "</details><!-- x -->": "&lt;/details>&lt;!-- x -->",
    "&lt;b&gt;": "&amp;lt;b&amp;gt;",
    "https://x.example/a": "https:\\//x.example/a",
    "www.x.example": "www\\.x.example",
    "a@x.example": "a\\@x.example",
    "ends in \\": "ends in \\\\",
    "two\n\n    lines\t": "two lines",
}


@pytest.mark.parametrize("text", ESCAPED)
def test_escape_markdown(text: str) -> None:
    assert escape_markdown(text) == ESCAPED[text]


@pytest.mark.parametrize("parser", [COMMONMARK, GFM], ids=["commonmark", "gfm"])
@given(text=hostile_text)
@example("[x]: http://y")
@example("a_\\_b")
def test_escaped_markdown_shows_the_text_and_nothing_else(parser: MarkdownIt, text: str) -> None:
    shown = clean_line(text)
    markdown = escape_markdown(text)
    if not shown:
        assert markdown == ""
        return
    parts = inlines(parser, markdown)
    assert {part.type for part in parts} == {"text"}
    assert "".join(part.content for part in parts) == shown


@pytest.mark.parametrize("parser", [COMMONMARK, GFM], ids=["commonmark", "gfm"])
@given(first=hostile_text, second=hostile_text)
def test_escaped_texts_do_not_act_together(parser: MarkdownIt, first: str, second: str) -> None:
    """One text cannot open what another closes, nor reach the markup around them."""
    line = f"x **You:** {escape_markdown(first)} · {escape_markdown(second)} **now** y"
    kinds = [part.type for part in inlines(parser, line) if part.type != "text"]
    assert kinds == ["strong_open", "strong_close"] * 2


@given(hostile_text)
def test_escaped_markdown_stays_in_its_table_cell_and_link(text: str) -> None:
    cell = escape_markdown(text)
    kinds = [token.type for token in GFM.parse(f"| a | b |\n| - | - |\n| {cell} | end |\n")]
    assert kinds.count("td_open") == 2
    label = [part.type for part in inlines(COMMONMARK, f"[x {cell} x](target)") if part.type != "text"]
    assert label == ["link_open", "link_close"]


@given(hostile_text)
def test_code_span_is_exactly_the_text(text: str) -> None:
    shown = clean_line(text)
    if not shown:
        assert code_span(text) == ""
        return
    assert [(part.type, part.content) for part in inlines(COMMONMARK, code_span(text))] == [("code_inline", shown)]


CODE_SPANS = [
    ("src/a_b.py", "`src/a_b.py`"),
    ("echo `date`", "`` echo `date` ``"),
    ("a ``b`` c", "```a ``b`` c```"),
    ("one\ntwo", "`one two`"),
    (" \n ", ""),
]


@pytest.mark.parametrize(("text", "expected"), CODE_SPANS)
def test_code_span(text: str, expected: str) -> None:
    assert code_span(text) == expected


# ---- HTML


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(hostile_text)
@example("\"><script>'</details>")
def test_escape_html_is_text_and_attribute(text: str) -> None:
    seen = Seen()
    seen.feed(f'<p title="{escape_html(text)}">{escape_html(text)}</p>')
    seen.close()
    assert seen.tags == [("p", [("title", clean(text))])]
    assert seen.text == clean(text)


# ---- time

HOSTILE_LONG = [
    "\x1b]",
    "\x1b[",
    "\x9d",
    "\x1b[1;",
    "_",
    "a_",
    "*",
    "\\",
    "<",
    "&",
    "&a",
    "/",
    "`",
    "`a",
    "\u200d",
    "\ufe0f",
    "👩\u200d",
]


@pytest.mark.parametrize("unit", HOSTILE_LONG, ids=ascii)
def test_time_is_linear(unit: str) -> None:
    """A quadratic pass over this much takes minutes."""
    text = unit * (200_000 // len(unit))
    started = time.process_time()
    for harmless in (clean, escape_markdown, code_span, escape_html):
        harmless(text)
    assert time.process_time() - started < 5
