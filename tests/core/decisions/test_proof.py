"""What stands on proof reads whole: what only looks decided is told as less certain."""

from __future__ import annotations

import pytest

from recapd.core.decisions.find.assent import answer_in
from recapd.core.decisions.find.plain import form_of
from recapd.core.decisions.find.proposals import deed_put, proposal_in


@pytest.mark.parametrize(
    ("said", "deed"),
    [
        ("Done. Want me to add a nightly job for the index?", "add a nightly job for the index"),
        ("Done. If you want, I’ll also add a short note on ports.", "add a short note on ports"),
        ("Totals are slow. Should I keep them in a table?", "Totals are slow. keep them in a table"),
        ("Shall I start the daemon by hand, or would you rather restart the machine?", ""),
        ("- Add a flag for offline use?\n- Should I show the host keys in the status?", ""),
        ("Three files changed.\n\nWant me to apply these fixes?", ""),
        ("I can also write reports of every run for the board.\n\nWaiting", ""),
        (
            "Rows are counted twice.\n\nWant me to fix this? The fix would count them per account.",
            "fix this: The fix would count them per account.",
        ),
        (
            "Want me to fix these? That means:\n1. Count rows per account\n2. Drop the second pass",
            "fix these: Count rows per account; Drop the second pass",
        ),
        (
            "Two changes:\n- Count rows per account\n- Drop the second pass\n\nSmall enough.\n\nWant me to do it?",
            "do it: Count rows per account; Drop the second pass",
        ),
        (
            "| Tool | Why |\n|---|---|\n| ripgrep | fast |\n| jq | small |\n\nShall I install these two?",
            "install these two: ripgrep; jq",
        ),
        (
            "Does that fit what you meant? If so, I would:\n1. Read rows by account\n2. Leave the index alone",
            "Read rows by account; Leave the index alone",
        ),
        ("There are two ways.\n\nI'd go with `row_lock()` — thoughts?", "I'd go with `row_lock()`"),
        (
            '1. It asks "Is it on?"\n2. It waits\n3. It ends\n\nOne.\n\nTwo.\n\nShall I keep the ports in a table?',
            "keep the ports in a table",
        ),
    ],
)
def test_a_yes_agrees_to_the_one_deed_that_was_put_whole(said: str, deed: str) -> None:
    assert deed_put(proposal_in(said)) == deed


@pytest.mark.parametrize(
    "said",
    [
        "Let's get a better name for the branch",
        "Let's update some understanding of the problem",
        "I should mention that the host is new",
        "Never have seen that page before",
        "Use the small model to look at the picture and tell me what it shows",
        "`Files I should read:` a list of four paths",
        "テストを実行してください。",
        "Keep in mind that the host was moved last week",
        "You are ending the dialog before I can answer",
        "ok the password should be set now",
    ],
)
def test_what_settles_nothing_is_no_plain_statement(said: str) -> None:
    form = form_of(said)
    assert not form.decides
    assert not form.orders


@pytest.mark.parametrize(
    "said",
    [
        "Let's call it `ports.nix` instead",
        "Never write to the cache",
        "uvを利用してください",
        "no remove the link again, somebody may rely on it",
        "please work without asking for approval",
        "迁移到 GitHub 上试一下",
        "先复盘，不要自动改规则",
        "测试通过了才可以结束",
        "Write the report to docs/shop/report.md",
    ],
)
def test_what_settles_something_still_is_one(said: str) -> None:
    form = form_of(said)
    assert form.decides or form.orders


def test_picks_are_read_as_many_as_there_are() -> None:
    assert answer_in("1, then 4").picks == ("1", "4")
    assert answer_in("all 3 of them").picks == ()
    assert answer_in("yeah let's do the fix for 1 first").picks == ("1",)
    assert answer_in("第一版的目录").picks == ()


def test_to_want_somebody_to_do_something_is_a_task() -> None:
    assert form_of("I also want the totals in cents").wishes
    assert not form_of("Now I want you to write a suite for the importer").wishes
