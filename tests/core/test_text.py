"""Shortened text stays whole: no character split, no sentence invented, the user's own words found."""

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.hygiene import clean, clean_line
from recapd.core.summaries.closed import closed
from recapd.core.text.cut import clip, grapheme_cut, head_tail, one_line, shorten
from recapd.core.text.prompts import strip_quoted_reply
from recapd.core.text.sentences import first_sentence

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
# Each is one visible character.
CLUSTERS = [
    FAMILY,
    "👍🏽",
    "🇪🇺",
    "❤\ufe0f\u200d🔥",
    "1\ufe0f\u20e3",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "e\u0301",
    "क्षि",
    "นี้",
    "각",
    "\r\n",
]
visible = st.lists(st.sampled_from([*CLUSTERS, "a", "word", " ", "日", "🎉", "\n", "x. ", "\x1b[1m"]), max_size=40).map(
    "".join
)


@pytest.mark.parametrize("cluster", CLUSTERS, ids=ascii)
def test_no_visible_character_is_split(cluster: str) -> None:
    text = "ab" + cluster + "cd"
    cuts = {grapheme_cut(text, limit) for limit in range(len(text) + 2)}
    assert cuts == {0, 1, 2, 2 + len(cluster), 3 + len(cluster), 4 + len(cluster)}


def test_flags_are_cut_between_pairs() -> None:
    text = "🇩🇪🇫🇷🇯🇵"
    assert [grapheme_cut(text, limit) for limit in range(7)] == [0, 0, 2, 2, 4, 4, 6]


def test_a_tower_of_marks_is_cut_through() -> None:
    assert grapheme_cut("a" + "\u0301" * 500, 100) == 100


LINES = [
    ("  one\n two\tthree  ", 20, "one two three"),
    ("one two three", 13, "one two three"),
    ("one two three", 12, "one two…"),
    ("one two three", 8, "one two…"),
    ("one two three", 7, "one tw…"),  # a whole word more would cost too much of the room
    ("aaaaaaaaaaaaaaaa bbb", 10, "aaaaaaaaa…"),
    ("日本語のテキストです", 6, "日本語のテ…"),
    (f"ok {FAMILY} done", 8, "ok…"),
    ("🇪🇺🇪🇺🇪🇺", 4, "🇪🇺…"),
    ("\x1b[31mred\x1b[0m alert", 9, "red alert"),
    ("text", 1, "…"),
    ("text", 0, ""),
    ("text", -3, ""),
    ("", 5, ""),
]


@pytest.mark.parametrize(("text", "limit", "expected"), LINES)
def test_one_line(text: str, limit: int, expected: str) -> None:
    assert one_line(text, limit) == expected


CLIPS = [
    ("one\n  two\n", 20, "one\n  two"),
    ("one\ntwo\nthree four", 12, "one\ntwo…"),
    ("A thing. Another thing, longer.", 14, "A thing. …"),
    ("x", 0, ""),
    ("xyz", 2, "…"),
]


@pytest.mark.parametrize(("text", "limit", "expected"), CLIPS)
def test_clip(text: str, limit: int, expected: str) -> None:
    assert clip(text, limit) == expected


@pytest.mark.parametrize("short_form", [one_line, clip, head_tail])
@given(text=st.one_of(visible, st.text()), limit=st.integers(-1, 120))
def test_short_forms_keep_their_limit_and_are_clean(
    short_form: Callable[[str, int], str], text: str, limit: int
) -> None:
    short = short_form(text, limit)
    assert len(short) <= max(limit, 0)
    assert clean(short) == short
    assert not any(unicodedata.category(char) in {"Cc", "Cs"} for char in short if char not in "\n\t")


@given(text=visible, limit=st.integers(1, 60))
def test_a_short_line_is_a_beginning_of_the_text(text: str, limit: int) -> None:
    line, whole = one_line(text, limit), clean_line(text)
    if len(whole) <= limit:
        assert line == whole
        return
    kept = line.removesuffix("…")
    assert whole.startswith(kept)
    assert grapheme_cut(whole, len(kept)) == len(kept)


def test_head_tail_keeps_the_end_of_long_output() -> None:
    output = "\n".join(["$ make", *(f"step {number} ok" for number in range(500)), "error: no rule to make target"])
    short = head_tail(output, 200)
    assert len(short) <= 200
    assert short.startswith("$ make\nstep 0 ok\n")
    assert short.endswith("\nerror: no rule to make target")
    head, left_out, tail = short.partition("\n… ")
    assert left_out
    assert int(tail.split()[0]) == len(output) - len(head) - len(tail.split("…\n")[1])


def test_shorten_keeps_nothing_rather_than_an_ellipsis_alone() -> None:
    assert shorten("abc def", 0) == ""


SENTENCES = [
    ("Use v1.2 of foo.py for now. Then upgrade.", "Use v1.2 of foo.py for now."),
    ("We need a queue, e.g. Redis. It is fast.", "We need a queue, e.g. Redis."),
    ("See Fig. 3 and No. 5 vs. Dr. Who's list. Next.", "See Fig. 3 and No. 5 vs. Dr. Who's list."),
    ("No. We keep it.", "No."),
    ("Logs, caches, etc. are gone. Good.", "Logs, caches, etc. are gone."),
    ("The U.S. keyboard by J. Doe works. Yes.", "The U.S. keyboard by J. Doe works."),
    ("Wait... what happened? Nothing.", "Wait... what happened?"),
    ("Done! Next step.", "Done!"),
    ('He said "stop." Then left.', 'He said "stop."'),
    ("**Bold.** And more.", "**Bold.**"),
    ("1. First do this. Then that.", "1. First do this."),
    ("- item one. More.", "item one."),
    ("## Title\n\nBody.", "Title"),
    ("wrapped\nline here. Next.", "wrapped\nline here."),
    ("Plan:\n- a\n- b", "Plan:"),
    ("no end at all", "no end at all"),
    ("使用 Redis。然后继续！", "使用 Redis。"),
    ("本当に？はい。", "本当に？"),
    ("Open https://x.example/a.b?c=d now. Ok.", "Open https://x.example/a.b?c=d now."),
    ("  \n\n  Leading. Rest.", "Leading."),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_first_sentence(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


@given(st.one_of(visible, st.text()))
def test_first_sentence_is_a_quote(text: str) -> None:
    assert first_sentence(text) in text


REPLIES = {
    "nothing to strip": ("Please fix the test.\nIt fails on 3.11.", "Please fix the test.\nIt fails on 3.11."),
    "reply above": (
        "Yes, Redis.\n\nOn Mon, 3 Mar 2031 at 10:00, Ann <ann@x.example> wrote:\n> Redis or Postgres?\n>\n> Ann",
        "Yes, Redis.",
    ),
    "attribution wrapped": (
        "Agreed.\n\nOn Monday, March 3, 2031 at 10:00 AM Ann Example\n<ann@x.example> wrote:\n\n> Redis?",
        "Agreed.",
    ),
    "German": ("Ja.\n\nAm 03.03.2031 um 10:00 schrieb Ann Example:\n> Redis?", "Ja."),
    "answers between quotes": ("> Redis?\nYes.\n\n> And the cache?\nNo.", "Yes.\n\nNo."),
    "Outlook divider": ("Use JWT.\n\n-----Original Message-----\nFrom: Ann\nWhich one?", "Use JWT."),
    "Outlook headers": ("Use JWT.\n\nFrom: Ann\nSent: Monday\nTo: Bob\nSubject: auth\n\nWhich one?", "Use JWT."),
    "signature": ("Ship it.\n-- \nAnn Example\nExample Ltd", "Ship it."),
    "signature without its space, in a mail": ("Ship it.\n--\nAnn\n\nOn 3 Mar 2031, Bob wrote:\n> ok?", "Ship it."),
    "phone": ("Ship it.\n\nSent from my phone", "Ship it."),
    # left alone
    "only a quotation": ("> all of it\n> is quoted", "> all of it\n> is quoted"),
    "prompt": (">>> print(1)\n1", ">>> print(1)\n1"),
    "end of a tag": ("<Foo\n  bar\n>\nwhy?", "<Foo\n  bar\n>\nwhy?"),
    "redirection": ("run this\n>out.txt", "run this\n>out.txt"),
    "quote inside code": ("```\n> x\n-- \n```\nexplain", "```\n> x\n-- \n```\nexplain"),
    "divider in a chat": ("first\n--\nsecond", "first\n--\nsecond"),
    "wrote without a quote": ("On day 2 she wrote:\nhello", "On day 2 she wrote:\nhello"),
    "one header is no mail": ("From: the start, do it again", "From: the start, do it again"),
    "long text behind dashes": ("a\n-- \n" + "b\n" * 20, "a\n-- \n" + "b\n" * 20),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is done", "It is done."),
        ("It is done.", "It is done."),
        ("Is it done?", "Is it done?"),
        ("Three are left:", "Three are left:"),
        # The quote ends with the sentence.
        ("She said: “Litres.”", "She said: “Litres.”"),
        ("She said: “Litres”", "She said: “Litres”."),
        ("部署脚本改成英文", "部署脚本改成英文。"),
        ("部署脚本改成英文。", "部署脚本改成英文。"),
        ("还有三个：", "还有三个："),
        ("設定を直しました", "設定を直しました。"),
        # What comes last says which script goes on.
        ("部署到 staging", "部署到 staging."),
        ("설정을 고쳤습니다", "설정을 고쳤습니다."),
        ("", ""),
    ],
)
def test_a_sentence_is_closed_in_its_script(text: str, expected: str) -> None:
    assert closed(text) == expected


@pytest.mark.parametrize("name", REPLIES)
def test_strip_quoted_reply(name: str) -> None:
    text, expected = REPLIES[name]
    assert strip_quoted_reply(text) == expected


quoting = st.lists(
    st.sampled_from(
        ["> q", ">", ">> q", "-- ", "--", "```", "own words", "", "On 1 May wrote:", "From: a", "To: b", "Date: c"]
    )
).map("\n".join)


@given(quoting)
def test_stripping_never_empties_a_text_and_never_invents_a_line(text: str) -> None:
    own = strip_quoted_reply(text)
    assert bool(own) == bool(text)
    assert set(map(str.strip, own.split("\n"))) <= set(map(str.strip, text.split("\n")))


HOSTILE_LONG = [
    ".",
    "a. ",
    "!)",
    ") ",
    " ",
    "\n",
    "> ",
    "On 1 ",
    "On 1 wrote",
    "\u0301",
    "🇪",
    "\u200d",
    "a",
    "。",
    "-- \n",
    "```\n",
]


@pytest.mark.parametrize("unit", HOSTILE_LONG, ids=ascii)
def test_time_is_linear(unit: str) -> None:
    """A quadratic pass over this much takes minutes."""
    text = unit * (300_000 // len(unit))
    started = time.process_time()
    one_line(text, 80)
    clip(text, 200_000)
    head_tail(text, 200_000)
    shorten(text, 200_000)
    first_sentence(text)
    strip_quoted_reply(text)
    assert time.process_time() - started < 5
