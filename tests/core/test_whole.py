"""What of an answer reads alone: whole sentences, lists with what announces them, and never a piece of either."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.text.markdown import plain
from recapd.core.text.whole import (
    WHOLE_CHARS,
    first_words,
    is_about_it,
    points_back,
    reads_without_list,
    statements_in_order,
    whole_statements,
)

LEAD = "The cache is written to disk now."

ROWS = "takes every row " * 7


def told(answer: str) -> list[str]:
    return [each.text for each in whole_statements(answer)]


@pytest.mark.parametrize(
    ("piece", "what"),
    [
        ("It survives a restart of the worker.", "a sentence that points back"),
        ("This means that store.py is read twice.", "the same"),
        ("这样 store.py 会被读取两次。", "in Chinese"),
        ("Это значит, что store.py читается дважды.", "in Russian"),
        ("## Changes in store.py", "a heading"),
        ("**Changes in store.py**", "a heading without its mark"),
        ("| file | size |\n|---|---|\n| store.py | 12 KB |", "cells of a table"),
        ("- store.py, 12 KB", "an item whose list nothing announces"),
        ("Let me look at store.py next.", "what the agent does next"),
        ("If store.py fails, read the log of the worker.", "what holds under a condition"),
        ("Step 2: open store.py in the editor.", "a step of instructions"),
        ("If you want, I can port store.py as well.", "an offer"),
        ("Option 2 is the cleanest way to port store.py.", "an option that nobody sees"),
        ("我推荐使用方案 B 来移植 store.py。", "the same in Chinese"),
        ("如果你想，我可以继续：\n\n- 移植 store.py\n- 删除 cache.py", "an offer with its list"),
        ("Shall I port store.py as well?", "a question"),
        ("Which of these two?\n\n1. Keep store.py as it is\n2. Port store.py to the new cache", "options"),
        ("store.py then needs to be run with:\n\n```\npython store.py\n```", "the half of a sentence"),
        ("prefix), so store.py was sent to the worker.", "the end of a bracket"),
        ("Great work, all of you!", "a cheer"),
        ("Found the bug!", "a sentence that names no matter"),
        ("store.py reads the rows in the table above — twice.", "what stands elsewhere in the answer"),
        ("Hey, Maria of the store.py team!", "a greeting"),
        ("感谢你分享 store.py 的方案！", "thanks in Chinese"),
        ("你好，store.py 小组的 Maria！", "a greeting in Chinese"),
        ("The reader is slow because\n\n- store.py is read twice", "the half of a sentence before a list"),
        ("After that I'll port store.py to the new cache.", "what the agent is about to do"),
        ("Now, Maria — let us discuss store.py.", "what both are about to do"),
        ("为了更快，我将把 store.py 移到新的缓存中。", "the same in Chinese"),
        ("**A.** Keep store.py as it is\n**B.** Port store.py to the new cache", "options by their letters"),
        ("## Options\n\n- Keep store.py as it is\n- Port store.py to the new cache", "the same under a heading"),
    ],
)
def test_what_hangs_on_something_else_is_not_told_alone(piece: str, what: str) -> None:
    assert told(f"{LEAD}\n\n{piece}") == [LEAD], what


@pytest.mark.parametrize(
    ("sentence", "is_open"),
    [
        ("Sent that to the worker of the cache.", True),
        ("I fixed it and wrote a test for the cache.", True),
        ("Improved it.", True),
        ("Sent `store.py` with that to the worker.", False),
        ("I checked that the cache is read.", False),
        ("Pushed and ran it: the cache is read", False),
    ],
)
def test_what_was_done_to_something_that_is_not_named_is_known(sentence: str, is_open: bool) -> None:
    assert is_about_it(sentence) is is_open


def test_paragraphs_about_what_they_name_are_a_list_where_words_announce_them() -> None:
    named = "**`store.py`** — keeps the rows\n\n**`cache.py`** — reads them once\n\n**`rows.py`** — is gone"
    assert told(f"All clean. Here's what was changed:\n\n{named}") == [
        "What was changed: store.py — keeps the rows; cache.py — reads them once; rows.py — is gone"
    ]
    assert told(f"{LEAD}\n\n{named}")[0] == LEAD
    # What the agent does next announces nothing, and what it says of a thing in bold is no name.
    said = named.replace("**`store.py`** — keeps", "**The rows of `store.py` are still read** - it keeps")
    for announced in ("Let me say what was changed:", "**What was changed:**"):
        assert told(f"{announced}\n\n{said}")[0] == "The rows of store.py are still read - it keeps the rows"


def test_words_above_a_list_say_something_without_it_where_they_end_there() -> None:
    assert reads_without_list("Restored the sections of the guide")
    assert not reads_without_list("Added a picture of the cache showing")
    assert not reads_without_list("The cache now has")


def test_a_poem_is_not_told() -> None:
    stanza = "The rows are sorted, one by one,\nThe clock is set, the work is done,\nThe tables sleep\nBeneath the sun"
    assert told(stanza) == [] and first_words(stanza) == ""
    assert told(f"{LEAD}\n\n{stanza}\n\nThe rows are in `store.py`.") == [LEAD, "The rows are in store.py."]
    table = "Branch: main\nCommit: Read each file once\nWorkflow: Build and test\nResult: All of them passed"
    assert told(table)


@pytest.mark.parametrize(
    "limit",
    [
        "However, store.py could not be sent to the worker.",
        "But store.py is still read twice.",
        "Unfortunately store.py was refused by the server.",
        "Allerdings wurde store.py nicht verschickt.",
        "Однако store.py не удалось отправить.",
        "但是 store.py 没有推送成功。",
    ],
)
@pytest.mark.parametrize("between", [" ", "\n\n"])
def test_what_limits_a_statement_is_told_behind_it(limit: str, between: str) -> None:
    found = statements_in_order(f"{LEAD}{between}{limit}")
    assert [each.text for each in found] == [LEAD, limit]
    assert found[1].follows or (between == "\n\n" and limit.startswith("Unfortunately"))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Unfortunately store.py was refused by the server.", ["Unfortunately store.py was refused by the server."]),
        ("However, store.py could not be sent to the worker.", []),
        (f"{LEAD} But let me look at store.py first.", [LEAD]),
    ],
)
def test_what_limits_something_is_not_told_without_it(answer: str, expected: list[str]) -> None:
    assert [each.text for each in statements_in_order(answer)] == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Three files moved:\n\n- a.py to core\n- b.py to core", "Three files moved: a.py to core; b.py to core"),
        ("## Moved\n\n- a.py to core\n  - its tests too\n- b.py to core", "Moved: a.py to core; b.py to core"),
        ("**What moved:**\n- a.py to core.\n- b.py to core.", "What moved: a.py to core; b.py to core"),
        ("Here's what moved:\n\n- a.py to core\n- b.py to core", "What moved: a.py to core; b.py to core"),
        (
            f"Two parts:\n\n- **What it is** – the reader that {ROWS}once\n- **Sizes** –\n  - 12 KB in a.py",
            f"Two parts: What it is – the reader that {ROWS}once; Sizes: 12 KB in a.py",
        ),
        ("移动了三个文件：\n\n- a.py 到 core\n- b.py 到 core", "移动了三个文件: a.py 到 core; b.py 到 core"),
        ("Sizes now:\n\n| file | size |\n|---|---|\n| a.py | 1 KB |", "Sizes now: a.py: 1 KB"),
    ],
)
def test_a_list_is_told_with_what_announces_it(answer: str, expected: str) -> None:
    assert told(answer) == [expected]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (f"{LEAD} It survives a restart of the worker.", [LEAD, "~It survives a restart of the worker."]),
        (f"{LEAD} All tests pass.", [LEAD, "~All tests pass."]),
        (f"{LEAD}\n\n- store.py: reads it once\n- Other things", [LEAD, "~store.py: reads it once"]),
        (
            "Pushed and ran it.\n\n- Branch: fix/cache\n- Result: passed",
            ["Pushed and ran it: Branch: fix/cache; Result: passed"],
        ),
        (f"Done.\n\n- `a.py` is in core\n\n{LEAD}", ["Done: a.py is in core", LEAD]),
        (f"已完成。\n\n- 已安装 store.py\n\n{LEAD}", ["已完成: 已安装 store.py", LEAD]),
        (
            "Pushed to main. All checks of the build passed in CI.",
            ["Pushed to main. All checks of the build passed in CI."],
        ),
        (
            "I've created the issue for it:\n\n**[Enhance the UI #13](http://a/13)**",
            ["I've created the issue for it: Enhance the UI #13"],
        ),
        ("In `store.toml`:\n\n```toml\ncache = true\n```", ["In store.toml: cache = true"]),
        ("What I changed\n- `store.py` reads it once", ["What I changed: store.py reads it once"]),
        ("What moved:\n- the reader of:\n  - store.py", ["What moved: the reader of: store.py"]),
        (f"<think>\nstore.py is read twice.\n</think><final>{LEAD}</final>", [LEAD]),
        (f"Moved:\n- a.py to core\n\n{LEAD}\n\nDoes it look right?", ["Moved: a.py to core", LEAD]),
        ("完成！现在 store.py 的缓存会写到磁盘上。", ["现在 store.py 的缓存会写到磁盘上。"]),
    ],
)
def test_what_hangs_on_a_statement_is_told_behind_it(answer: str, expected: list[str]) -> None:
    assert [f"{'~' * each.follows}{each.text}" for each in statements_in_order(answer)] == expected


@pytest.mark.parametrize("end", ["", "\n\nShall I port store.py as well?"])
def test_what_an_answer_in_parts_says_in_the_end_is_its_conclusion(end: str) -> None:
    parts = "## Readers\n\n- store.py reads twice\n\n## Writers\n\n- cache.py writes once"
    for label in ("**Bottom line:**", "**结论**："):
        said = statements_in_order(f"{LEAD}\n\n{parts}\n\n{label} store.py costs twice as much as cache.py.{end}")
        assert [each.text.endswith("as much as cache.py.") for each in said if each.is_conclusion] == [True]
    labels = statements_in_order(f"{LEAD}\n\n{parts}\n\n**Daily:** run store.py.\n\n**Once:** run cache.py.")
    assert not any(each.is_conclusion for each in labels), "of several labels none concludes"
    plain = statements_in_order(f"{LEAD}\n\n**Note:** store.py costs twice as much as cache.py.")
    assert not any(each.is_conclusion for each in plain), "one part has no conclusion"


@pytest.mark.parametrize("answer", ["Found the bug!", "Pushed and ran it."])
def test_what_names_no_matter_is_told_where_nothing_else_is(answer: str) -> None:
    assert told(answer) == [answer.rstrip(".")] or told(answer) == [answer]
    assert told(f"{answer} {LEAD}") == [LEAD]
    assert told(f"{LEAD} The branch still needs to be merged.") == [LEAD, "The branch still needs to be merged."]


def test_above_a_cap_is_not_elsewhere() -> None:
    assert told("store.py refuses uploads above 20 MB.") == ["store.py refuses uploads above 20 MB."]


def test_a_list_that_goes_on_says_so() -> None:
    (text,) = told("Ported:\n\n" + "".join(f"- parser_{number}.py\n" for number in range(9)))
    assert text == "Ported: parser_0.py; parser_1.py; parser_2.py; parser_3.py; …"


def test_how_an_answer_begins_weighs_most() -> None:
    answer = f"Done.\n\n{LEAD} All 14 tests pass because store.py was fixed.\n\nREADME.md says how to clear the cache."
    first, *others = whole_statements(answer)
    assert first.text == LEAD and first.is_lead
    assert others and all(first.factor > each.factor and not each.is_lead for each in others)


@pytest.mark.parametrize("name", ["a__b__c", "__init__.py", "port 8080:80", r"C:\work\app_v2\main.py", "__pycache__"])
def test_names_are_unharmed(name: str) -> None:
    assert plain(f"Moved `{name}` away") == f"Moved {name} away"
    assert plain(f"Moved {name} away") == f"Moved {name} away"
    assert plain("__Moved it__ away") == "Moved it away"


def test_an_answer_in_which_nothing_reads_alone_has_first_words() -> None:
    assert first_words("Done.") == "Done."
    assert first_words("<final>Not ready.</final>") == "Not ready."
    assert first_words("Let me look.\n\nIt works again.") == "It works again."
    assert first_words("```\ncode\n```") == ""


@pytest.mark.parametrize("text", ["It works", "Its tests pass", "This is it", "They're gone", "C'est fait", "这是"])
def test_words_that_stand_for_something_before_are_known(text: str) -> None:
    assert points_back(text)


@pytest.mark.parametrize("text", ["Items moved", "I did it", "We kept it", "Thistle", "Theory", "Das Modul läuft"])
def test_other_words_are_not(text: str) -> None:
    assert not points_back(text)


@given(st.text(max_size=300), st.integers(1, 40))
def test_statements_are_bounded_and_on_one_line(text: str, times: int) -> None:
    for each in whole_statements(text * times):
        assert 0 < len(each.text) <= WHOLE_CHARS and "\n" not in each.text and not points_back(each.text)
