"""A line of a recap is true, whole and of use, or it is not there."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.decisions.entries import Entry
from recapd.core.decisions.find.plain import lays_down
from recapd.core.log.events import Began, Ended, Interrupted, Prompt, Reply, TodoItem, Todos
from recapd.core.views.recap.clauses import clause
from recapd.core.views.recap.full import full_markdown
from recapd.core.views.recap.markdown import Wanted, markdown_of
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.short import short_markdown
from recapd.core.views.recap.words import request_line, short_names
from tests.support.findings import entry
from tests.support.logs import at
from tests.support.records import Row, call, did, ran, record, session_with

LONG = "The cache keeps a row for each file and drops those that nobody has read for a week. " * 5


SIZES = {"Narrow": 13, "Wide": 15, "Widest": 17, "Bold": 14}


def recap_with(*rows: Row, decisions: tuple[Entry, ...] = ()) -> Recap:
    return msgspec.structs.replace(recap_of(session_with(*rows), at(100_000)), decisions=decisions)


def line_of(page: str, label: str) -> str:
    return next((line.partition(":** ")[2] for line in page.split("\n") if f"**{label}" in line), "")


# ---- what was asked last


def test_what_was_answered_is_not_discussed_any_more() -> None:
    talk: tuple[Row, ...] = (Prompt("write the parser of dates"), Reply("The parser of dates is in dates.py."))
    over = recap_with(*talk, Prompt("rename the option for colours"), Reply("It is `--hue` now."))
    assert line_of(short_markdown(over), "Last asked") == "rename the option for colours"
    assert "Now discussing" not in short_markdown(over) and "Current focus" not in full_markdown(over)
    assert "State" not in full_markdown(over), "that it was answered says nothing"
    asks = recap_with(*talk, Prompt("rename the option for colours"), Reply("Shall I call it `--hue` or `--tint`?"))
    broken = recap_with(*talk, Prompt("rename the option for colours"), call("edit", "options.py"))
    for recap in (asks, broken):
        assert line_of(short_markdown(recap), "Now discussing") == "rename the option for colours"
        assert "**Current focus:** rename the option" in full_markdown(recap)


@pytest.mark.parametrize(
    ("again", "told"),
    [
        ("compare the sums of rows 12 to 15 in sheet 4", "compare the sums of rows 12 to 15 in sheet 4"),
        ("now the sums of rows 12 to 15 in sheet 3, drawn", ""),
        ("compare the sums of rows 12 to 15 in sheet 3, and draw them", ""),
        ("sort the names of all the people instead", "compare the sums of rows 12 to 15 in sheet 3"),
    ],
)
def test_what_was_stopped_and_sent_again_with_a_word_mended_is_told_as_mended(again: str, told: str) -> None:
    first = Prompt("compare the sums of rows 12 to 15 in sheet 3")
    rows = (first, call("read", "book.csv"), Interrupted(), Prompt(again), Reply("They differ by two cents in row 13."))
    page = short_markdown(recap_with(*rows))
    assert line_of(page, "Started with") == (told or again)
    # What was answered before it was said otherwise is what it began with.
    answered = (first, Reply("They are the same in sheet 3."), *rows[3:])
    assert line_of(short_markdown(recap_with(*answered)), "Started with") == first.text


def test_a_few_words_to_what_was_stopped_are_told_behind_it() -> None:
    rows = (
        Prompt("which fonts have wide letters?"),
        Reply("Three of them do."),
        Prompt("set up Maple Mono as the font of the shell"),
        call("read", "fonts.conf"),
        Interrupted(),
        Prompt("my terminal is the green one by ghost"),
        Reply("The letters are drawn wide from now on, and nothing else was touched."),
    )
    asked = line_of(short_markdown(recap_with(*rows)), "Last asked")
    assert (
        asked == "since turn 2: set up Maple Mono as the font of the shell, then: my terminal is the green one by ghost"
    )


def test_a_few_words_are_as_few_where_words_have_no_spaces() -> None:
    rows = (
        Prompt("哪些中文字体比较适合终端？"),
        Reply("有三种。"),
        Prompt("帮我配置下终端的字体"),
        call("read", "fonts.conf"),
        Interrupted(),
        Prompt("我现在用的是ghost"),
        Reply("终端的字体从现在起更宽了。"),
    )
    asked = line_of(short_markdown(recap_with(*rows)), "Last asked")
    assert asked == "since turn 2: 帮我配置下终端的字体, then: 我现在用的是ghost"


def test_what_it_is_about_now_does_not_repeat_how_it_began() -> None:
    rows = (Prompt("write a program that greets"), Reply("It is written."), Prompt("run it"), call("shell", "./greet"))
    assert line_of(short_markdown(recap_with(*rows)), "Now discussing") == "run it"


def test_a_request_that_is_made_again_is_told_once() -> None:
    page = short_markdown(
        recap_with(
            Prompt("run the index agent over all files"),
            Reply("All 12 index files are written."),
            Prompt("run the index agent over all files"),
            Reply("All 14 index files are written."),
        )
    )
    assert page.count("run the index agent") == 1


def test_a_request_that_ends_a_little_later_is_told_to_its_end() -> None:
    asked = (
        "Before anything else is built, read the four documents below the folder of the project and tell me which of "
        "them contradict each other"
    )
    page = short_markdown(recap_with(Prompt(asked), Reply(LONG), Prompt("go on"), Reply(LONG)))
    assert line_of(page, "Started with") == asked


@pytest.mark.parametrize(
    "begun, expected",
    [
        ((Prompt("12", "command", command="/plan-phase"),), "/plan-phase 12, then: switch to the branch of the parser"),
        ((Prompt("the parser of dates", "command", command="/plan-phase"),), "/plan-phase the parser of dates"),
        ((Prompt("/tidy", "command"),), "/tidy, then: switch to the branch of the parser"),
        ((Prompt("hello"),), "switch to the branch of the parser"),
        ((Prompt("/mode"),), "switch to the branch of the parser"),
    ],
)
def test_a_command_that_asks_is_how_it_began(begun: tuple[Row, ...], expected: str) -> None:
    later: tuple[Row, ...] = (Prompt("switch to the branch of the parser"), Reply("The branch is `parser`."))
    page = short_markdown(recap_with(*begun, Reply("Two phases are left."), *later))
    assert line_of(page, "Started with") == expected


READY: tuple[Row, ...] = (Reply("I am ready. What shall it be?"),)
PARSER = "write a parser that reads the dates of a bill, with its hours and its zone"


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        # Few words, and nothing was done for them.
        ((Prompt("lets start writing"), *READY), f"lets start writing, then: {PARSER}"),
        ((Prompt("你是什么Agent？"), Reply("我可以帮你写代码。")), f"你是什么Agent？ Then: {PARSER}"),
        # The agent could only ask back.
        (
            (
                Prompt("I am about to run a program that writes long lists of warnings about the bills of March"),
                call("list", "."),
                Reply("Which program do you want me to look at, and where?"),
            ),
            f"I am about to run a program that writes long lists of warnings about the bills of March, then: {PARSER}",
        ),
        (
            (
                Prompt("I will call you Ada, in honour of the first programmer"),
                Reply("Hello! How can I help you today?"),
            ),
            f"I will call you Ada, in honour of the first programmer, then: {PARSER}",
        ),
        # A paper that was handed over.
        (
            (Prompt("# The Clerk\n\n## MANNERS\n\nYou are the clerk of a small shop."), Reply("At your service.")),
            f"The Clerk, then: {PARSER}",
        ),
        # Nobody came back to it.
        (
            (Prompt("why do you never remember which name I gave you in the talk before?"), Reply("I start afresh.")),
            f"why do you never remember which name I gave you in the talk before? Then: {PARSER}",
        ),
        # These say what they are about, or it was done.
        ((Prompt("why is main.py slow?"), Reply("It reads all bills.")), "why is main.py slow?"),
        ((Prompt("sort the names"), call("read", "names.csv"), Reply("They are sorted.")), "sort the names"),
        (
            (Prompt("tell me which of the dates of March are spelled twice by the same shop"), Reply("None of them.")),
            "tell me which of the dates of March are spelled twice by the same shop",
        ),
    ],
)
def test_what_only_led_to_the_matter_is_told_with_it(begun: tuple[Row, ...], expected: str) -> None:
    later: tuple[Row, ...] = (Prompt(PARSER), call("read", "bill.py"), Reply("It is in `bill.py`."))
    end: tuple[Row, ...] = (Prompt("rename the option for colours"), Reply("It is `--hue` now."))
    page = short_markdown(recap_with(*begun, *later, *end))
    assert line_of(page, "Started with") == expected


def test_what_was_added_before_the_agent_said_a_word_is_told_with_how_it_began() -> None:
    first = "you can see that the bills of March are kept in one folder for each of the shops"
    rows = (Prompt(first), call("list", "."), Prompt("but the folder of April is empty", "queued"), Reply(LONG))
    end: tuple[Row, ...] = (Prompt("rename the option for colours"), Reply("It is `--hue` now."))
    page = short_markdown(recap_with(*rows, *end))
    assert line_of(page, "Started with") == f"{first}, then: but the folder of April is empty"


def test_few_words_that_were_done_are_what_it_led_to() -> None:
    rows = (
        Prompt("wake up, my friend!"),
        Reply("Here I am."),
        Prompt("upgrade yourself and the shell"),
        did("write", "me.md"),
    )
    page = short_markdown(recap_with(*rows, Reply(LONG), Prompt(PARSER), Reply("It is in `bill.py`.")))
    assert line_of(page, "Started with") == "wake up, my friend! Then: upgrade yourself and the shell"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "All is well now.\n\n**Issue #288**: Nobody could start the importer without a key.",
            "git.example.com/…/issues/288 — Issue #288: Nobody could start the importer without a key.",
        ),
        ("All is well now.", f"git.example.com/…/issues/288, then: {PARSER}"),
    ],
)
def test_an_issue_that_is_pointed_at_is_told_by_what_the_answer_says_of_it(answer: str, told: str) -> None:
    rows = (Prompt("https://git.example.com/ada/importer/issues/288"), did("edit", "key.py"), Reply(answer))
    page = short_markdown(recap_with(*rows, Prompt(PARSER), Reply("It is in `bill.py`."), Prompt("go on"), Reply(LONG)))
    assert line_of(page, "Started with") == told


def test_what_it_led_to_is_not_told_again_as_asked_last() -> None:
    page = short_markdown(
        recap_with(Prompt("lets start writing"), *READY, Prompt(PARSER), Reply("It is in `bill.py`."))
    )
    assert line_of(page, "Started with") == f"lets start writing, then: {PARSER}" and "Last asked" not in page


@pytest.mark.parametrize("first", ["hi", "go on", "hail", "4eb362e5-e40d-4f92-be47-a5eb907628b9"])
def test_what_says_nothing_is_not_told_as_how_it_began(first: str) -> None:
    recap = recap_with(Prompt(first), Reply("No task of that name was found."))
    assert "Started with" not in short_markdown(recap) and "Original request" not in full_markdown(recap)


@pytest.mark.parametrize(
    ("greeting", "answer", "told"),
    [
        ("hi", "Hi! How can I help you today?", "hi → How can I help you today?"),
        ("你好", "你好！有什么我可以帮你的吗？", "你好 → 你好！有什么我可以帮你的吗？"),
    ],
)
def test_where_only_courtesies_were_said_these_are_told(greeting: str, answer: str, told: str) -> None:
    assert line_of(short_markdown(recap_with(Prompt(greeting), Reply(answer))), "Recent") == told


@pytest.mark.parametrize("first", ["/deploy", "deploy v2", "deploy 20261112"])
def test_few_words_that_mean_something_are_told_as_how_it_began(first: str) -> None:
    assert line_of(short_markdown(recap_with(Prompt(first), Reply("It is live."))), "Started with") == first


def test_how_it_began_is_told_to_its_end_where_there_is_room() -> None:
    asked = (
        "The push failed, you may not update what runs on a schedule. Try again and leave the schedule out, put it "
        "into a comment, and I will commit it by hand in the evening."
    )
    page = short_markdown(recap_with(Prompt(asked), Reply(f"Pushed all but the schedule. {LONG}")))
    assert line_of(page, "Started with") == asked


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("Hi there, test the first page", "Test the first page"),
        ("Hello Robot! Can you draw the first page?", "Draw the first page"),
        ("Tidy up the pages\n\nTidy up the pages\n\nAll are too long", "Tidy up the pages — All are too long"),
        (
            "HANDOFF: to you\nDate: 3 May\nFrom: Ann\nVia: Bob\n\nRead the page of sums",
            "HANDOFF: to you — Read the page of sums",
        ),
        (
            "Mend two pages\nSums: they are empty\nNames: no order\n\nthe rest is fine",
            "Mend two pages Sums: they are empty Names: no order — the rest is fine",
        ),
        (
            "mend the page (the one of sums). then go on with all of the others, one page after the other",
            "mend the page (the one of sums).",
        ),
        ("Write a page with:\n- the sums\n- the names", "Write a page with: the sums; the names"),
        ("➜  shop git:(main) ✗ git push\nerror: no key\n\nplease mend the push", "Mend the push — error: no key"),
    ],
)
def test_a_request_is_told_from_its_matter_on(typed: str, told: str) -> None:
    assert request_line(typed, 80) == told


# ---- what came of it


def test_words_before_the_last_deed_are_no_answer() -> None:
    plan = "The cache drops rows too early, so it needs a clock of its own; nothing is changed yet."
    first: tuple[Row, ...] = (Prompt("why is the cache slow?"), Reply("The cache reads every row twice."))
    then: tuple[Row, ...] = (*first, Prompt("mend the cache of rows"), Reply(plan))
    assert line_of(short_markdown(recap_with(*then)), "Recent").startswith("The cache drops rows too early")
    edited = short_markdown(recap_with(*then, did("edit", "cache.py"), call("shell", "pytest")))
    assert "drops rows too early" not in edited, "what was done since has overtaken it"
    assert line_of(edited, "Recent (turn 1)") == "The cache reads every row twice"
    looked = short_markdown(recap_with(*then, ran("ls"), call("shell", "pytest")))
    assert line_of(looked, "Under way").startswith("The cache drops rows too early")
    assert line_of(looked, "Recent (turn 1)") == "The cache reads every row twice"
    answered = short_markdown(
        recap_with(*then, did("edit", "cache.py"), Reply("The cache has a clock of its own now."))
    )
    assert line_of(answered, "Recent") == "The cache has a clock of its own now"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            (did("edit", "/work/rows.py"), Reply("I've added a clock to the cache of rows.")),
            "Added a clock to the cache",
        ),
        (
            (did("edit", "/work/rows.py"), Reply("已在 `rows.py` 里添加了时钟，并更新了文档。")),
            "已在 rows.py 里添加了时钟",
        ),
        ((did("edit", "/work/rows.py"), Reply("核心原则：先分流，再处理。")), ""),
        (
            (
                did("edit", "/work/rows.py"),
                Reply("### Changes made\n\n- Added a clock to the cache\n- Split the reader\n"),
            ),
            "Added a clock to the cache; Split the reader",
        ),
        (
            (
                did("edit", "/work/rows.py"),
                Reply(
                    f"I've carefully sorted the rows of the atlas:\n\n- by their {'long ' * 40}names in `rows.csv`\n"
                ),
            ),
            "Sorted the rows of the atlas",
        ),
        # What is said first of it says most, and "it" says nothing.
        (
            (
                did("edit", "/work/rows.py"),
                Reply("Added a clock to the cache of rows.\n\nMoved `clock_of` there, too."),
            ),
            "Added a clock to the cache of rows",
        ),
        ((did("edit", "/work/rows.py"), Reply("Improved it and added names for every row.")), ""),
        (
            (did("edit", "/work/rows.py"), Reply("**`rows.py`** — Added `clock_of` to the cache of rows.")),
            "rows.py — Added clock_of to the cache",
        ),
        (
            (did("edit", "/work/rows.py"), Reply("`clock_of` now reads the time of the cache, not of the machine.")),
            "clock_of now reads the time of the cache",
        ),
        # What was only said may not hold any more, nor what may still be done.
        ((Reply("I've added a clock to the cache of rows."),), ""),
        ((did("edit", "/work/rows.py"), Reply("The cache of rows should probably get a clock of its own.")), ""),
        ((Reply("Added a clock to the cache of rows."), did("edit", "/work/rows.py")), ""),
    ],
)
def test_what_was_done_in_an_earlier_turn_is_told_with_it(rows: tuple[Row, ...], expected: str) -> None:
    then: tuple[Row, ...] = (Prompt("rename the option for colours"), Reply("The option is `--hue` now."))
    page = short_markdown(recap_with(Prompt("mend the cache"), *rows, *then))
    earlier = line_of(page, "Earlier (turn 1)")
    assert earlier.startswith(expected) and bool(earlier) == bool(expected)


@pytest.mark.parametrize(
    ("later", "is_told"),
    [
        ((did("edit", "/work/page.py"), Reply("`draw_page` is quicker now.")), True),
        ((did("edit", "/work/page.py"), Reply("Removed the `cache_clock` option, which nobody set.")), False),
        ((Reply("The `cache_clock` option is read by nobody."),), True),
        # The title of a commit says it.
        (
            (ran("git commit -am 'Add a cache_clock'", "[main 1a2b3c4] Add a cache_clock"), Reply("Done.")),
            False,
        ),
        (
            (ran("git commit -am 'Mend the drawing'", "[main 1a2b3c4] Mend the drawing"), Reply("Done.")),
            True,
        ),
    ],
)
def test_what_a_later_turn_undid_or_committed_is_not_told_as_done_earlier(
    later: tuple[Row, ...], is_told: bool
) -> None:
    rows = (
        Prompt("mend the cache"),
        did("edit", "/work/rows.py"),
        Reply("Added the `cache_clock` option to the reader of rows."),
        Prompt("go on with the pages"),
        *later,
        Prompt("rename the option for colours"),
        Reply("The option is `--hue` now."),
    )
    assert ("Added the cache_clock option" in line_of(short_markdown(recap_with(*rows)), "Earlier")) is is_told


def test_what_names_nothing_is_told_as_done_earlier_only_while_its_files_are_as_they_were() -> None:
    done = (Prompt("mend the cache"), did("edit", "/work/rows.py"), Reply("Added a clock to the reader of all rows."))
    then = (Prompt("rename the option for colours"), Reply("The option is `--hue` now."))
    again = (Prompt("no, still wrong"), did("edit", "/work/rows.py"), Reply("The rows should be in order."))
    assert line_of(short_markdown(recap_with(*done, *then)), "Earlier") == "Added a clock to the reader of all rows"
    assert "Added a clock" not in line_of(short_markdown(recap_with(*done, *again, *then)), "Earlier")


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Implemented wrapping of long rows.", True),
        ("Realized that long rows were a recipe for chaos.", False),
        ("Verified every row against the sheet of the bank.", False),
        ("Changed them all.", False),
    ],
)
def test_what_was_only_looked_at_earlier_or_says_too_little_is_not_told(said: str, is_told: bool) -> None:
    done = (Prompt("mend the cache"), did("edit", "/work/rows.py"), Reply(said))
    then = (Prompt("rename the option for colours"), Reply("The option is `--hue` now."))
    assert bool(line_of(short_markdown(recap_with(*done, *then)), "Earlier")) is is_told


def test_what_was_done_earlier_comes_before_a_third_side_of_the_last_answer() -> None:
    done = (
        Prompt("mend the cache"),
        did("edit", "/work/rows.py"),
        Reply("Added a clock to the cache of all the rows, so that old ones are dropped after a week."),
    )
    more = "as are all the shades that were mixed of it in the last two years by the people in the house next door"
    sides = [
        f"The {name} of the tables is now kept in `{name}.csv`, {more} on the left hand of the road to the sea."
        for name in SIZES
    ]
    page = short_markdown(recap_with(*done, Prompt("and the sizes?"), Reply(" ".join(sides))))
    assert "Added a clock" in line_of(page, "Earlier")
    assert line_of(page, "Recent").count(" · ") < 2
    alone = short_markdown(recap_with(Prompt("and the sizes?"), Reply(" ".join(sides))))
    assert line_of(alone, "Recent").count(" · ") == 2


def test_a_question_asked_by_the_way_leaves_room_for_what_was_done_before() -> None:
    done = (
        Prompt("mend the cache"),
        did("edit", "/work/rows.py"),
        Reply("Added a clock to the cache of all the rows."),
    )
    sides = [f"The {name} of a table stands in `{name}.csv`." for name in ("size", "colour", "border")]
    asked = (Prompt("where is the size of a table?"), Reply("\n\n".join(sides)))
    page = short_markdown(recap_with(*done, *asked))
    assert line_of(page, "Earlier (turn 1)") == "Added a clock to the cache of all the rows"
    assert line_of(page, "Recent").count(" · ") == 1
    # What the last turn did comes before what others did.
    worked = (*asked[:1], did("edit", "/work/sizes.py"), *asked[1:])
    assert line_of(short_markdown(recap_with(*done, *worked)), "Recent").count(" · ") == 2


def test_what_was_done_earlier_is_told_where_the_last_answers_say_nothing() -> None:
    done = (
        Prompt("mend the cache"),
        did("edit", "/work/rows.py"),
        Reply("Added a clock to the cache of all the rows."),
    )
    poem = "The rows are sorted, one by one,\nThe clock is set, the work is done,\nThe tables sleep\nBeneath the sun"
    idle = [row for _ in range(5) for row in (Prompt("write a poem"), Reply(poem))]
    page = short_markdown(recap_with(*done, *idle))
    assert line_of(page, "Earlier (turn 1)") == "Added a clock to the cache of all the rows"
    assert "Recent" not in page


@pytest.mark.parametrize("title", ["Release v2", "wip"])
def test_a_small_change_is_not_told_beside_large_ones_nor_covered_by_a_title_that_says_nothing(title: str) -> None:
    large = [did("edit", f"/work/{name}.py") for name in "abcdefghijklmnop"]
    done = (
        Prompt("draw the atlas"),
        *large,
        Reply("Added a page for every harbour."),
        Prompt("and the ink?"),
        did("edit", "/work/ink.py"),
        Reply("Changed `ink_of` to a darker blue."),
        Prompt("release it"),
        committed(title, 1),
        Reply("Released."),
        Prompt("what is an atlas?"),
        Reply("An atlas is a book of maps, like `atlas.pdf`."),
    )
    assert line_of(short_markdown(recap_with(*done)), "Earlier (turn 1)") == "Added a page for every harbour"


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("The cache of `rows.py` was a mess.\n\nI've added a clock to `cache.py`.", "Added a clock to cache.py"),
        ("The cache of `rows.py` is mended.\n\nAdded a clock to `cache.py`.", "The cache of rows.py is mended"),
        ("The rows of `rows.py` are in order.\n\n## Changes\n\n- Added a clock to the cache", "The rows of rows.py"),
    ],
)
def test_what_a_turn_did_leads_what_it_says_besides(said: str, first: str) -> None:
    asked = Prompt("mend the cache")
    page = short_markdown(recap_with(asked, did("edit", "/work/rows.py"), Reply(said)))
    assert line_of(page, "Recent").startswith(first)
    # Of a turn that changed nothing the answer comes first.
    talk = short_markdown(recap_with(asked, Reply(said)))
    assert line_of(talk, "Recent").startswith(said[:10])


# ---- what was committed


def committed(title: str, number: int) -> Row:
    return ran(f"git commit -am '{title}'", f"[main {number:07x}] {title}")


COMMITS = [
    "Read each file once",
    "Draw the pages of the atlas in two passes",
    "Keep a row for each traveller",
    "Sort the harbours by their depth",
    "Count the ferries at night",
    "Print the timetable on one sheet",
]


def test_the_latest_commits_that_stand_are_told_by_their_titles() -> None:
    rows = [row for at, title in enumerate(COMMITS) for row in (Prompt("draw the next"), committed(title, at + 1))]
    then = (Reply("Pushed."), Prompt("what is left?"), Reply("Nothing of the list in `tasks.md` is left."))
    page = short_markdown(recap_with(*rows, *then))
    assert line_of(page, "Committed") == f"{' · '.join(COMMITS[2:])} (and 2 before)"
    assert "Earlier" not in page
    back = (Prompt("take the last two back"), ran("git reset --hard HEAD~2", "HEAD is now at 0000004"), Reply("Reset."))
    page = short_markdown(recap_with(*rows, *back, *then[1:]))
    assert line_of(page, "Committed") == " · ".join(COMMITS[:4])


def test_a_commit_that_the_last_answer_tells_is_told_once() -> None:
    rows = (
        Prompt("speed up the importer"),
        did("edit", "/work/importer.py"),
        committed("Read each file once", 1),
        Prompt("and the harbours?"),
        committed("Sort the harbours by their depth", 2),
        Reply("Committed: `ports.py` can sort the harbours by their depth."),
    )
    page = short_markdown(recap_with(*rows))
    assert line_of(page, "Committed") == "Read each file once"


def test_commits_that_are_not_told_are_counted_only_where_they_stand_before_those_that_are() -> None:
    titles = (*COMMITS[:5], "wip", "fix")
    rows = [row for at, title in enumerate(titles) for row in (Prompt("go on"), committed(title, at + 1))]
    then = (Reply("Pushed."), Prompt("what is left?"), Reply("Nothing of the list in `tasks.md` is left."))
    assert line_of(short_markdown(recap_with(*rows, *then)), "Committed").endswith("at night (and 1 before)")


def test_files_give_way_to_the_titles_of_commits() -> None:
    long = [f"{title} and of the islands to the north of them" for title in COMMITS]
    rows = [
        row
        for at, title in enumerate(long)
        for row in (Prompt("go on"), did("edit", f"/work/chapter_{at}_of_the_atlas.py"), committed(title, at + 1))
    ]
    page = short_markdown(
        recap_with(Prompt("draw the atlas"), Reply("Where?"), *rows, Reply("Changed all six chapters."))
    )
    assert long[-1] in line_of(page, "Committed")
    assert "chapter" not in page or "+" in line_of(page, "Edited")


def test_a_list_of_tasks_behind_an_answer_does_not_overtake_it() -> None:
    told = (Prompt("mend the cache"), Reply("The cache has a clock of its own now."), call("todo", "all done"))
    assert line_of(short_markdown(recap_with(*told)), "Recent") == "The cache has a clock of its own now"


def test_last_words_that_begin_like_a_plan_and_find_something_are_told() -> None:
    said = "Oh wait, the two packages differ. The cache of the one expects rows that the other never writes."
    page = short_markdown(recap_with(Prompt("build it"), Reply("The rows are there!"), ran("make"), Reply(said)))
    assert "The cache of the one expects rows" in line_of(page, "Recent")


def test_a_list_is_told_from_its_first_item_on() -> None:
    details = f"it is checked {'by the reader of rows and ' * 7}by nobody else"
    rows = "\n".join(f"- Rule {number} holds — {details if number == 1 else 'it is checked'}" for number in range(1, 4))
    page = short_markdown(recap_with(Prompt("check the rules"), Reply(f"**Rules**\n{rows}")))
    assert line_of(page, "Recent") == "Rules: Rule 1 holds; Rule 2 holds — it is checked; Rule 3 holds — it is checked"
    first = f"- {LONG.rstrip('. ').replace('. ', ' ')}\n- The second rule holds\n- The third rule holds"
    page = short_markdown(recap_with(Prompt("check the rules"), Reply(f"**Rules**\n{first}")))
    assert "Rules: The second" not in page


def test_a_clause_is_not_told_without_what_limits_it() -> None:
    covered = "The acceptance of the last three chapters is covered by the new suite of the atlas"
    said = (
        f"{covered}, which took two days of work in all, but nothing of it is committed yet or was seen by anybody else"
    )
    assert clause(f"{said}.", 100).endswith("…")
    assert clause(f"{covered}, which took two days of work in all and was seen by everybody.", 100) == covered
    assert clause(f"{covered}, which took two days. It is short, but nobody minds.", 100) == covered


def test_a_question_in_a_list_is_told_by_the_answer_below_it() -> None:
    said = "**Quick answer**\n\n- **Is the atlas printed?**\n  The atlas is not printed as of May.\n- **Pages:** 212"
    said += f"\n\n{LONG}{LONG}"
    assert line_of(short_markdown(recap_with(Prompt("is it printed?"), Reply(said))), "Recent").startswith(
        "Quick answer: The atlas is not printed as of May; Pages: 212 · "
    )


def test_several_words_that_are_quoted_say_what_a_sentence_is_about() -> None:
    said = 'I\'ve solved the "all of it sounds the same" problem. **What there is now:**\n\n- Nine timbres\n- Drums'
    recent = line_of(short_markdown(recap_with(Prompt("all of it sounds the same"), Reply(said))), "Recent")
    assert recent.startswith('Solved the "all of it sounds the same" problem')


def test_what_is_called_out_is_not_told_beside_what_came_out() -> None:
    said = "Friends don't let friends sail alone!\n\nThe harbours in `ports.csv` are sorted by depth."
    assert line_of(short_markdown(recap_with(Prompt("sort them"), Reply(said))), "Recent") == (
        "The harbours in ports.csv are sorted by depth"
    )


def test_boxes_that_an_answer_ticks_off_before_the_matter_are_not_told() -> None:
    boxes = "**Tasks**\n\n- [x] Step 1: read the ports\n- [x] Step 2: write them down\n\n"
    for rest in ("**Check**\n\n- PORT-001 deep enough\n- PORT-002 too shallow", "All ports are in `ports.csv` now."):
        recent = line_of(short_markdown(recap_with(Prompt("check the ports"), Reply(boxes + rest))), "Recent")
        assert "Step" not in recent and ("PORT-002 too shallow" in recent or recent == "All ports are in ports.csv now")
    alone = short_markdown(recap_with(Prompt("check the ports"), Reply(boxes)))
    assert "Step 1: read the ports; Step 2" in line_of(alone, "Recent")


def test_of_commands_that_went_well_only_what_they_changed_is_told() -> None:
    rows = (Prompt("tidy up the ports"), ran("git status"), ran("rm /work/ports.old"), ran("pwd"))
    assert line_of(short_markdown(recap_with(*rows)), "Recent") == "Ran `rm /work/ports.old`"
    assert "Recent" not in short_markdown(recap_with(rows[0], rows[1], rows[3]))
    failed = ran("make ports", "no rule", exit_code=2)
    assert "make ports" in line_of(short_markdown(recap_with(rows[0], rows[1], failed)), "Recent")


def test_what_says_nothing_new_of_what_was_asked_is_not_under_way() -> None:
    asked = Prompt("add a task for a review of the harbours")
    said = "Absolutely! A review of the harbours is crucial. Let me add that to the list."
    assert "Under way" not in short_markdown(recap_with(asked, Reply(said), call("todo", "add it")))


def test_a_small_table_is_told_where_it_is_what_came_out() -> None:
    table = "| verdict | count |\n|---|---|\n| keep | 11 |\n| drop | 9 |"
    said = f"Reviewed all twenty files of the cache.\n\n### Summary\n\n{table}"
    page = short_markdown(recap_with(Prompt("review the cache"), Reply(said)))
    assert line_of(page, "Recent") == "Reviewed all twenty files of the cache · Summary: keep: 11; drop: 9"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("| {number} | 3 |", ""),
        # A long table is told by what its rows are about.
        (
            "| file{number}.py | 3 KB |",
            "Large ones: file0.py; file1.py; file2.py; file3.py; … · Small ones: a.py: 1 KB · ",
        ),
        (
            "| {number} | file{number}.py | 3 |",
            "Large ones: file0.py; file1.py; file2.py; file3.py; … · Small ones: a.py: 1 KB · ",
        ),
    ],
)
def test_a_table_is_not_told_without_the_one_before_it(row: str, told: str) -> None:
    many = "\n".join(row.format(number=number) for number in range(9))
    head = "| file | size |\n|---|---|\n"
    large, small = f"**Large ones**\n{head}{many}", f"**Small ones**\n{head}| a.py | 1 KB |"
    said = f"{large}\n\n{small}\n\nThe cache in file8.py takes more room than all others."
    page = short_markdown(recap_with(Prompt("sort the files by size"), Reply(said)))
    assert line_of(page, "Recent") == f"{told}The cache in file8.py takes more room than all others"


TITLES = ("Read the clock once", "Drop rows by age", "Count what is dropped")
PARTS = "\n\n".join(f"### {number}. {title}\n- In `rows.py`." for number, title in enumerate(TITLES, 1))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            f"The cache in `rows.py` is mended. What changed:\n\n{PARTS}",
            f"The cache in rows.py is mended · What changed: {'; '.join(TITLES)}",
        ),
        (
            (
                "The cache in `rows.py` is stale. There are two ways out:\n\n**Option 1: Clear it** (at once)\n"
                "- Run it.\n- Wait.\n\n**Option 2: Wait for a day**\n- It goes by itself."
            ),
            "The cache in rows.py is stale · There are two ways out: Clear it (at once); Wait for a day",
        ),
        # A part by itself is told where the others are none of its kind.
        (
            "The cache in `rows.py` is mended.\n\n### 2. Drop rows by age\n- Old ones go from `rows.py`.",
            "The cache in rows.py is mended · Drop rows by age: Old ones go from rows.py",
        ),
    ],
)
def test_parts_that_are_numbered_are_told_by_their_titles(said: str, expected: str) -> None:
    assert line_of(short_markdown(recap_with(Prompt("mend the rows"), Reply(said))), "Recent") == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            (
                '{"findings": [{"title": "Rows are read twice", "line": 3}, {"title": "The clock is never set"}], '
                '"verdict": "bad", "explanation": "The cache in rows.py forgets what it was told."}'
            ),
            "findings: Rows are read twice; The clock is never set · The cache in rows.py forgets what it was told",
        ),
        (
            "Good, a summary and then on.\n\n---\n\nThe cache in `rows.py` has a clock.",
            "The cache in rows.py has a clock",
        ),
        ("The cache in `rows.py` has a clock.\n\n---\n\nDone!", "The cache in rows.py has a clock"),
    ],
)
def test_an_answer_is_told_from_its_matter_on(said: str, expected: str) -> None:
    assert line_of(short_markdown(recap_with(Prompt("mend the rows"), Reply(said))), "Recent") == expected


def test_words_that_go_on_are_under_way() -> None:
    said = "`rows.py` is still not staged. I'll look where I am, then add it again."
    page = short_markdown(recap_with(Prompt("stage the rows"), ran("git add rows.py"), Reply(said)))
    assert line_of(page, "Under way") == "rows.py is still not staged" and "Recent" not in page
    over = "`rows.py` is staged. Let me know if you want it pushed."
    page = short_markdown(recap_with(Prompt("stage the rows"), ran("git add rows.py"), Reply(over)))
    assert line_of(page, "Recent") == "rows.py is staged"


def test_a_file_that_could_not_be_written_is_not_told_as_written() -> None:
    claimed = "I've created notes.md with all the rows. The clock in rows.py is right."
    tried: tuple[Row, ...] = (Prompt("write the rows down"), did("write", "/work/notes.md", failed=True))
    page = short_markdown(recap_with(*tried, Reply(claimed)))
    assert "notes.md" not in line_of(page, "Recent") and "The clock in rows.py is right" in page
    honest = short_markdown(recap_with(*tried, Reply("I could not write notes.md: it was denied.")))
    assert "could not write notes.md" in line_of(honest, "Recent")
    # Nor of a file that it does not name, unless it was done otherwise.
    claim = Reply("Added a note on the order of the rows to the manual.")
    assert "Added a note" not in short_markdown(recap_with(*tried, claim))
    for then in (ran("python write_notes.py"), did("write", "/work/manual.md")):
        assert "Added a note" in line_of(short_markdown(recap_with(*tried, then, claim)), "Recent")
    again = short_markdown(recap_with(*tried, did("write", "/work/notes.md"), Reply(claimed)))
    assert line_of(again, "Recent").startswith("Created notes.md")


def test_a_greeting_is_no_result() -> None:
    assert "Hey" not in short_markdown(recap_with(Prompt("how are the rows?"), Reply("Hey, Ann. 👋\n\nWhat is up?")))


def test_a_remark_before_the_work_goes_on_is_not_under_way() -> None:
    remark = "Smart move, such things cause endless headaches for everybody."
    rows: tuple[Row, ...] = (Prompt("mend the rows"), Reply(f"{remark}\n\nLet me look."), ran("ls"))
    assert "Under way" not in short_markdown(recap_with(*rows))


def test_an_answer_of_a_word_is_told_though_the_request_has_it_too() -> None:
    page = short_markdown(recap_with(Prompt("Reply with exactly OK. Touch no files."), Reply("OK")))
    assert line_of(page, "Recent").endswith("→ OK")


def test_a_courtesy_is_told_where_the_answer_is_nothing_else() -> None:
    assert line_of(short_markdown(recap_with(Prompt("Do nothing."), Reply("Understood."))), "Recent").endswith(
        "nderstood"
    )


def test_of_two_things_that_are_asked_for_the_first_is_told() -> None:
    asked = (
        "Run the index agent over all folders of the archive and write down what each of them holds.\n\n"
        "Use the model for short texts and announce when it is done."
    )
    assert request_line(asked, 70).startswith("Run the index agent over all folders")


# ---- what was asked


def test_what_is_left_out_of_a_request_shows() -> None:
    asked = f"The cache is slow. {'It reads every row of the file twice. ' * 8}Which of the readers is to blame?"
    assert request_line(asked, 100) == "The cache is slow. … Which of the readers is to blame?"


def test_last_words_that_point_at_what_is_left_out_are_not_told_alone() -> None:
    asked = f"Log an issue for the reader of rows.\n\n{LONG}\n\nthen let's fix it and write a test first"
    assert "fix it" not in request_line(asked, 100)


def test_a_form_at_the_end_is_not_what_is_asked() -> None:
    asked = f"Write down what each shop wants.\n\n{LONG}\n\nPRICES\nApples: PRICE per kilo\nPears: PRICE per kilo"
    assert request_line(asked, 100).startswith("Write down what each shop wants.") and "PRICE" not in asked[:40]
    assert "PRICE" not in request_line(asked, 100)


def test_what_a_program_asks_of_an_agent_is_no_request_of_anybody() -> None:
    page = short_markdown(recap_with(Prompt("[GUESS MODE: Say what comes next.]\n\nBe brief."), Reply("Push the tag.")))
    assert "Started with" not in page and "GUESS" not in page


def test_an_answer_that_is_pasted_back_is_no_request() -> None:
    said = f"{LONG}The reader is to blame."
    page = short_markdown(recap_with(Prompt("why is the cache slow on monday?"), Reply(said), Prompt(said)))
    assert line_of(page, "Now discussing") in ("", "why is the cache slow on monday?")


def test_a_line_of_code_of_the_answer_is_no_request_of_its_own() -> None:
    said = "Both of them sound alike no more.\n\n```bash\n# Try it:\npython tunes.py\n```"
    rows = (Prompt("write a player of tunes"), Reply(LONG), Prompt("all of the tunes sound the same"), Reply(said))
    page = short_markdown(recap_with(*rows, Prompt("python tunes.py"), call("shell", "python tunes.py")))
    assert line_of(page, "Now discussing") == "since turn 2: all of the tunes sound the same"


def test_a_nod_that_was_answered_is_told_by_what_came_of_it() -> None:
    talk: tuple[Row, ...] = (Prompt("write the parser of dates"), Reply("Ready:\n\n- one\n- two\n\nGo ahead?"))
    page = short_markdown(recap_with(*talk, Prompt("yes"), ran("git push"), Reply("Pushed the two commits.")))
    assert "Last asked" not in page


TABLE = "\n".join(
    ("| page | what it shows |", "|---|---|", *(f"| {day}.md | {'the day, ' * 20} |" for day in range(5)))
)
TALK: tuple[Row, ...] = (
    Prompt("write the parser of dates"),
    did("write", "dates.py"),
    Reply("The parser of dates is in dates.py."),
)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # What was done says what was asked for.
        (
            (
                Prompt("rename the option for colours"),
                did("edit", "options.py"),
                Reply("The option for colours is called `--hue` in options.py now."),
            ),
            "",
        ),
        # And whatever is done says more than a few words that came before it.
        ((Prompt("merge it"), Reply("Branch dates-parser is merged into main and deleted.")), ""),
        # What it says further down, or lists, may be a part of it.
        (
            (
                Prompt("write all pages of every month with moons into one folder of the calendar"),
                did("write", "pages/index.md"),
                Reply(f"All 5 are checked. Here they are:\n\n{TABLE}\n\nThe old folder of the calendar is gone."),
            ),
            "write all pages of every month with moons into one folder of the calendar",
        ),
        # In other forms of the same words.
        ((Prompt("close all issues of parsers"), Reply("Closed both issues of the parser: #12 and #14.")), ""),
        # An answer hangs on its question.
        (
            (
                Prompt("how many digits may a year of the parser have?"),
                Reply("Four at most: `read_year()` stops there."),
            ),
            "how many digits may a year of the parser have?",
        ),
        (
            (Prompt("rename the option for colours"), did("edit", "options.py"), Reply("Done.")),
            "rename the option for colours",
        ),
    ],
)
def test_what_was_done_is_not_told_as_asked_besides(rows: tuple[Row, ...], expected: str) -> None:
    assert line_of(short_markdown(recap_with(*TALK, *rows)), "Last asked") == expected


def test_what_is_said_by_the_way_is_not_what_was_asked_last() -> None:
    rows = (*TALK, Prompt("(i hope that nothing of it is lost by tomorrow)"), Reply("It is kept in three places."))
    assert "Last asked" not in short_markdown(recap_with(*rows))


def test_of_what_came_right_before_two_words_say_what_it_goes_on_with() -> None:
    rows = (*TALK, Prompt("update the plan with this requirement"), Reply("It is in the plan."))
    end = (
        Prompt("implement the plan."),
        did("edit", "plan.py"),
        Reply(LONG),
        Prompt("git add ."),
        call("shell", "git"),
    )
    page = short_markdown(recap_with(*rows, *end))
    assert line_of(page, "Now discussing") == "since turn 3: implement the plan. Then: git add ."


@pytest.mark.parametrize(("word", "told"), [("hehe", ""), ("plan.py", ", then: plan.py")])
def test_a_word_that_names_nothing_is_not_told_beside_what_it_goes_on_with(word: str, told: str) -> None:
    rows = (*TALK, Prompt("write the plan of the next release"), did("write", "plan.md"), Reply(LONG), Prompt(word))
    page = short_markdown(recap_with(*rows, call("shell", "ls")))
    assert line_of(page, "Now discussing") == f"since turn 2: write the plan of the next release{told}"


def test_a_word_beside_the_first_request_is_told_without_it() -> None:
    page = short_markdown(recap_with(*TALK, Prompt("zebra"), call("shell", "ls")))
    assert line_of(page, "Now discussing") == "zebra"


def test_a_word_alone_says_nothing_once_it_is_over() -> None:
    rows = (Prompt("who is it"), Reply("Connor."), Prompt("Conor"), Reply("Two n."), Prompt("hello"), Reply("Hey."))
    assert "Last asked" not in short_markdown(recap_with(*rows))


def test_what_a_command_asks_back_is_up_to_the_reader() -> None:
    page = short_markdown(recap_with(Prompt("/start-game", "command"), Reply(f"{LONG}\n\nShall I start the game?")))
    assert line_of(page, "Next").endswith("Shall I start the game?")


def test_a_few_words_on_the_way_do_not_stand_for_the_request_that_waits() -> None:
    waiting: tuple[Row, ...] = (
        Prompt("read the weeks of the calendar from the feed as well"),
        Reply("Let me look at it."),
        call("edit", "dates.py"),
    )
    page = short_markdown(recap_with(*TALK, *waiting, Prompt("there is half an hour left")))
    expected = "since turn 2: read the weeks of the calendar from the feed as well, then: there is half an hour left"
    assert line_of(page, "Now discussing") == expected
    page = short_markdown(recap_with(*TALK, *waiting, Prompt("go"), Prompt("use the shell"), Prompt("go on then")))
    assert line_of(page, "Now discussing").startswith("since turn 2: read the weeks of the calendar")
    other = "write a page for the manual that says how the option for colours is set in a file"
    page = short_markdown(recap_with(*TALK, *waiting, Prompt(other)))
    assert line_of(page, "Now discussing") == other


def test_turns_in_which_nothing_was_said_overtake_no_answer() -> None:
    page = short_markdown(recap_with(*TALK, *(Prompt(f"go on with part {number}") for number in range(6))))
    assert line_of(page, "Recent") == "The parser of dates is in dates.py"


def test_many_words_on_the_way_overtake_the_answer_before_them() -> None:
    found_out = f"The feed of `weeks.ics` has no years, so `read_year()` fails. {LONG}"
    rows = (Prompt("why does it fail on mondays?"), Reply(found_out), ran("cat weeks.ics"))
    page = short_markdown(recap_with(*TALK, *rows))
    assert line_of(page, "Recent").startswith("The feed of weeks.ics has no years") and "Under way" not in page


PARTED = "## Readers\n\n- rows.py reads each row twice\n\n## Writers\n\n- files.py writes each row once"


@pytest.mark.parametrize(
    ("begun", "expected"),
    [
        (
            "The cache in cache.py has two sides.\n\n",
            "The cache in cache.py has two sides · Bottom line: rows.py is to blame",
        ),
        ("", "Bottom line: rows.py is to blame · Readers: rows.py reads each row twice"),
    ],
)
def test_what_an_answer_in_parts_says_in_the_end_comes_before_its_parts(begun: str, expected: str) -> None:
    said = f"{begun}{PARTED}\n\n**Bottom line:** rows.py is to blame."
    page = short_markdown(recap_with(Prompt("why is the cache slow on mondays?"), Reply(said)))
    assert line_of(page, "Recent").startswith(expected)


def test_what_an_agent_is_about_to_do_came_of_nothing() -> None:
    rows = (Prompt("add a limit of rows"), Reply("I'll add a limit of rows to the reader."), ran("ls"), Ended())
    assert "I'll add" not in short_markdown(recap_with(*rows))


def test_a_branch_that_was_just_named_is_no_state_of_its_own() -> None:
    asked = record(Prompt("push the dates"), branch="feat/dates")
    named = (asked, ran("git push"), Reply("The dates are pushed to feat/dates, in 2 files."))
    assert "State" not in short_markdown(recap_with(*named))
    other = (asked, ran("git push"), Reply("The dates are pushed, in 2 files."))
    assert line_of(short_markdown(recap_with(*other)), "State") == "branch feat/dates"


@pytest.mark.parametrize(
    ("done", "is_told"),
    [
        ((did("edit", "/p/dates.py"),), True),
        ((did("edit", "dates.py"),), True),
        ((ran("git switch feat/dates"),), True),
        ((did("edit", "/home/someone/.profile"),), False),
        ((ran("git status"), ran("git log --oneline")), False),
        ((did("read", "/p/dates.py"), ran("ls")), False),
    ],
)
def test_a_branch_is_told_where_something_was_done_to_its_repository(done: tuple[Row, ...], is_told: bool) -> None:
    asked = record(Prompt("what becomes of the dates?"), branch="feat/dates", cwd="/p")
    page = short_markdown(recap_with(asked, *done, Reply("They are read by the first reader that knows them.")))
    assert ("branch feat/dates" in page) == is_told


def test_the_last_file_that_is_left_is_named_and_not_counted() -> None:
    rows = [did("edit", f"/p/{name}.py") for name in ("dates", "rows", "cells", "sheets", "books")]
    page = short_markdown(recap_with(Prompt("rename the option for colours"), *rows, Reply("It is `--hue` now.")))
    assert line_of(page, "Edited").count(".py") == 5
    assert short_names(["web\\dates.py", "rows.py"]) == ["dates.py", "rows.py"]


def test_files_are_named_by_how_much_of_them_was_changed_and_before_what_only_tests_them() -> None:
    page = short_markdown(
        recap_with(
            Prompt("let the till print receipts"),
            *(did("edit", "shop/tests/test_till.py", added=3, removed=1) for _ in range(3)),
            *(did("edit", "shop/menu.py", added=2, removed=2) for _ in range(2)),
            did("write", "shop/receipts.py", created=True, added=300, removed=0),
            Reply("The till prints receipts now."),
        )
    )
    assert line_of(page, "Edited") == "receipts.py, menu.py, test_till.py"


def test_a_file_that_was_just_named_is_not_listed_again_on_windows_either() -> None:
    said = Reply("The size of rows is set in rows.py, line 12, at the start.")
    page = short_markdown(recap_with(Prompt("set the size of rows"), did("edit", "C:\\app\\src\\rows.py"), said))
    assert "rows.py, line 12" in page and "Edited" not in page


def test_where_nobody_asked_nothing_is_answered() -> None:
    assert "answered" not in short_markdown(recap_with()) and "answered" not in full_markdown(recap_with())


# ---- what is up to the reader


@pytest.mark.parametrize(
    ("asked", "is_told"),
    [
        # However many words it has, it is about nothing that was spoken of.
        ("What big adventure awaits on your roadmap for tomorrow morning?", False),
        ("Does this look right on your end?", True),
        ("Should rows.py also keep the older format of last spring?", True),
    ],
)
def test_what_is_left_to_the_reader_is_about_what_was_done(asked: str, is_told: bool) -> None:
    rows = (Prompt("mend the cache"), did("edit", "rows.py"), Reply(f"The cache in `rows.py` is mended.\n\n{asked}"))
    assert ("**Next:**" in short_markdown(recap_with(*rows))) is is_told


@pytest.mark.parametrize(
    "courtesy",
    [
        "Feel free to let me know if you need more data or a deeper look.",
        "If you need details, just let me know!",
        "If you want, I can port the old cache.",
        "Let me know if you want me to move cache.py into a folder of its own.",
        "Mail is the way if you want it to turn into something solid.",
        "If you want, I can port the old cache to one of these:\n- `rows.py`\n- `files.py`",
        "如果需要，我可以继续移植缓存：\n- `rows.py`\n- `files.py`",
        "需要我帮你整理更多关于缓存的内容吗？",
        "Shall I explain other parts of the cache?",
        "The cache in `rows.py` is clean now. What's on the agenda?",
        "What kind of mood does the page have for you today?",
        "So, what kind of creature do I seem to be?",
        "您还想了解哪些方面的内容呢？",
    ],
)
def test_what_keeps_a_talk_going_is_not_left_open(courtesy: str) -> None:
    page = short_markdown(recap_with(Prompt("how does the cache work?"), Reply(f"{LONG}\n\n{courtesy}")))
    assert "Next" not in page and "left open" not in page


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((Reply(f"{LONG}\n\nDoes this match what you have in mind?"),), "Does this match what you have in mind?"),
        ((ran("ls"), Reply(f"{LONG}\n\nWhich cache comes first then?")), "Which cache comes first then?"),
        ((Reply("Which cache do you mean, of rows or of files?"),), "Which cache do you mean, of rows or of files?"),
        (
            (Reply(f"{LONG}\n\nShall I clear the cache of rows? Or shall we keep both caches?"),),
            "Shall I clear the cache of rows? Or shall we keep both caches?",
        ),
    ],
)
def test_what_the_agent_would_do_and_what_it_cannot_know_is(rows: tuple[Row, ...], expected: str) -> None:
    assert line_of(short_markdown(recap_with(Prompt("how does the cache work?"), *rows)), "Next").endswith(expected)


def test_options_are_told_by_their_names_where_there_is_no_room_for_more() -> None:
    options = [f"{name}: a size of {size} and so much room between two lines" for name, size in SIZES.items()]
    listed = "\n".join(f"{number}. {option}" for number, option in enumerate(options, 1))
    recap = recap_with(Prompt("set the font"), Reply(f"{LONG}\n\nWhich one do you want?\n\n{listed}"))
    page = short_markdown(recap, max_tokens=110)
    assert line_of(page, "Next") == "Which one do you want? (1) Narrow (2) Wide (3) Widest (4) Bold"


# ---- what was decided


def decided(said: Entry, *rows: Row) -> str:
    return line_of(short_markdown(recap_with(*rows, decisions=(said,))), "Decided")


def found(text: str, **fields: object) -> Entry:
    made = entry(text, by="collaborative" if "how" in fields else "user")
    return msgspec.structs.replace(made, finding=msgspec.structs.replace(made.finding, **fields))


def test_what_somebody_only_said_is_not_told_as_decided() -> None:
    talk: tuple[Row, ...] = (Prompt("look at the queue"), Reply("There is one for all workers."))
    assert decided(found("Keep one queue for all workers", confidence=0.85), *talk)
    doubtful = found("The queue has been slow for all workers", confidence=0.7)
    assert not decided(doubtful, *talk)
    page = full_markdown(recap_with(*talk, decisions=(doubtful,)))
    assert "Key decisions" not in page and "**Less certain (1):** Turn 1: The queue has been slow" in page
    page = markdown_of(recap_with(*talk, decisions=(doubtful,)), Wanted("resume", 500))
    assert "Key decisions" not in page and page.count("The queue has been slow") == 1


def test_what_asks_once_it_is_cut_is_only_counted() -> None:
    talk: tuple[Row, ...] = (Prompt("look at the queue"), Reply("There is one for all workers."))
    text = (
        "Is there no other queue for what the workers leave behind when they stop? Then add a second one for them all"
    )
    assert "workers leave behind" not in full_markdown(recap_with(*talk, decisions=(found(text, confidence=0.7),)))


def test_a_rule_that_somebody_lays_down_is() -> None:
    assert lays_down("Never keep more than one queue for the workers") and lays_down("Please don't mail the reports")
    assert not lays_down("Put the essay into docs/essay.md") and not lays_down("The queue is slow for all workers")


def test_what_the_agent_was_about_to_do_is_only_counted() -> None:
    talk: tuple[Row, ...] = (Prompt("look at the queue"), Reply("There is one for all workers."))
    about = found("Let me update the queue to log what it does", proof=None, made_by="agent")
    assert "Let me update" not in full_markdown(recap_with(*talk, decisions=(about,)))


def test_a_pick_that_turns_a_page_is_no_decision() -> None:
    picked = found("List all folders of the machine", how="chosen")
    assert not decided(picked, Prompt("3"), Reply("Which of the folders do you want to see?"))
    assert decided(picked, Prompt("3"), ran("ls /srv"), Reply("There are twelve. Which of them comes first?"))
    assert decided(picked, Prompt("3"), Reply("There are twelve folders, and most of them hold pictures."))


def test_who_says_much_else_takes_up_no_offer() -> None:
    taken = found("Add a skill for refactoring", how="accepted", proof="answer")
    done: tuple[Row, ...] = (did("edit", "skills.md"), Reply("The skill is in skills.md."))
    took = full_markdown(recap_with(Prompt("ok, do that"), *done, decisions=(taken,)))
    assert "**Key decisions:**\n- Turn 1: Add a skill" in took
    much = Prompt(f"ok, so I will not disturb you for two days. {'I only watch. ' * 9}")
    assert "Key decisions" not in full_markdown(recap_with(much, *done, decisions=(taken,)))
    assert not decided(taken, Prompt("ok, do that"), *done), "it is over once it is done"


def test_what_nobody_goes_on_from_is_not_told_as_decided() -> None:
    talk: tuple[Row, ...] = (Prompt("mend the queue"), Reply("There is one for all workers."))
    written = found("The queue has no tests yet", proof="record", made_by="agent")
    assert not decided(written, *talk), "it stands in a document"
    recorded = found("Keep one queue for all workers", proof="record", how="recorded")
    assert decided(recorded, *talk)
    stated = msgspec.structs.replace(found("Keep one queue for all workers", confidence=0.9), turn=2)
    later: tuple[Row, ...] = (
        Reply("Two would be slower."),
        Prompt("rename the colours of the menu"),
        Reply("Renamed."),
    )
    assert decided(stated, *talk, Prompt("Keep one queue for all workers"), *later)
    assert not decided(stated, *talk, Prompt(f"Keep one queue for all workers. {LONG}"), *later)
    plan = found("Split the queue by worker", proof="plan", how="approvedPlan")
    assert decided(plan, *talk) and not decided(plan, *talk, *talk, *talk)


def test_a_choice_is_told_whole_or_not_at_all() -> None:
    whole = "Push to a branch of its own with the time in its name, and the one who works on it merges that by hand"
    text = f"{whole}, then the page goes on and loads it again"
    picked = found(text, how="chosen", proof="option")
    assert not decided(picked, Prompt("2"), ran("git push"), Reply("It is pushed."))


def test_what_announces_is_no_decision() -> None:
    plan = found("Ready to read the output by:. Run the command", proof="plan")
    assert not decided(plan, Prompt("how do I read it?"), Reply("In pieces of a page each."))


# ---- how it stands


def test_tests_that_passed_before_the_last_edit_say_so() -> None:
    before: tuple[Row, ...] = (Prompt("mend the parser"), did("edit", "a.py"), ran("pytest", "9 passed in 1s"))
    assert "edited since" not in short_markdown(recap_with(*before, Reply("The parser is mended.")))
    page = short_markdown(recap_with(*before, did("edit", "b.py"), Reply("The parser is mended.")))
    assert "9 passed (pytest), edited since" in page
    page = short_markdown(recap_with(*before, did("edit", "NEWS.md"), Reply("The parser is mended.")))
    assert "9 passed (pytest)" in page and "edited since" not in page, "prose is not tested"


def test_all_files_that_were_edited_are_counted_also_where_some_were_just_named() -> None:
    edits = [did("edit", f"shop/{name}.py") for name in ("cart", "till", "stock", "menu", "sign", "door")]
    page = short_markdown(recap_with(Prompt("tidy the shop"), *edits, Reply("The shop is tidy; till.py is the till.")))
    assert line_of(page, "Edited") == "door.py, sign.py, menu.py, stock.py +2"


def test_prose_that_was_written_since_says_nothing_against_tests() -> None:
    before: tuple[Row, ...] = (Prompt("mend the parser"), did("edit", "a.py"), ran("pytest", "9 passed in 1s"))
    page = short_markdown(recap_with(*before, did("write", "README.md"), Reply("The parser is mended.")))
    assert "9 passed" in page and "edited since" not in page


def test_of_calls_without_a_result_the_first_is_named() -> None:
    calls = tuple(call("shell", command, id=command) for command in ("git add -A", "git commit", "git push"))
    page = short_markdown(recap_with(Prompt("commit and push"), calls))
    assert line_of(page, "State") == "broke off — Started to run git add -A and 2 more — no result"


def test_a_failure_that_was_passed_over_is_not_how_it_stands() -> None:
    failed = (Prompt("draw the chart"), did("patch", "chart.py", failed=True, payload=b'"not found"'))
    assert "failed" in short_markdown(recap_with(*failed))
    page = short_markdown(recap_with(*failed, Prompt("now the colours"), Prompt("and the font")))
    assert "Tried to" not in page


def test_pull_requests_that_are_only_spoken_of_are_not_the_work() -> None:
    first: tuple[Row, ...] = (Prompt("write the plan"), did("write", "plan.py"), Reply("It builds on PR #14, merged."))
    page = short_markdown(recap_with(*first, Prompt("push it"), did("edit", "plan.py"), Reply("Pushed to PR #15.")))
    assert "PR #15" in line_of(page, "State") and "#14" not in line_of(page, "State")
    page = short_markdown(recap_with(Prompt("restore what PR #7 took"), did("edit", "a.py"), Reply("PR #7 is undone.")))
    assert "#7" not in line_of(page, "State")
    # Parts of a plan are called so, too; a number with its sign is one that there is.
    page = short_markdown(recap_with(Prompt("split it"), did("edit", "plan.py"), Reply("PR 3 and PR 4 cover hooks.")))
    assert "#3" not in line_of(page, "State") and "#4" not in line_of(page, "State")


@pytest.mark.parametrize(("one", "two"), [("“Is it seen?”", "“Does it run?”"), ("「見えるか？」", "「動くか？」")])
def test_questions_that_an_answer_only_speaks_of_are_not_next(one: str, two: str) -> None:
    rows = (
        Prompt("does an empty queue run?"),
        Reply(f"An empty queue is seen and idle. Two questions in one:\n1. {one}\n2. {two}"),
    )
    assert "**Next:**" not in short_markdown(recap_with(*rows))
    asked = Reply(f"An empty queue is idle. Two questions:\n1. {one[1:-1]}\n2. {two[1:-1]}")
    assert "**Next:**" in short_markdown(recap_with(rows[0], asked))


def test_files_that_a_statement_names_are_counted() -> None:
    edits = [did("edit", f"part{number}.py") for number in range(6)]
    told = Reply("The parser is in part0.py and part1.py.")
    page = short_markdown(recap_with(Prompt("split the parser"), *edits, told))
    assert line_of(page, "Edited").endswith("+2")


def test_the_beginning_of_a_command_says_nothing_of_how_it_broke_off() -> None:
    page = short_markdown(recap_with(Prompt("copy the session"), call("shell", "SOURCE=/srv/a/b/c cp " + "x" * 90)))
    assert line_of(page, "State") == "broke off"


def test_a_reason_is_told_whole_however_little_room_there_is() -> None:
    rows: tuple[Row, ...] = (Prompt(LONG), Reply(LONG), Prompt(LONG[::-1]), Interrupted())
    page = short_markdown(recap_with(*rows), max_tokens=160)
    assert line_of(page, "State").startswith("broke off — Stopped by the user.")


def test_a_plan_that_was_done_before_something_else_was_asked_is_of_the_past() -> None:
    plan = Todos((TodoItem("write the parser", "done"), TodoItem("write the docs", "done")))
    first: tuple[Row, ...] = (Prompt("write the parser"), plan, Reply("The parser is written."))
    assert "2 of 2 tasks done" in full_markdown(recap_with(*first))
    later: tuple[Row, ...] = (Prompt("now the other colours"), Reply("The colours are green and blue."))
    assert "tasks done" not in full_markdown(recap_with(*first, *later))
    half = Todos((TodoItem("write the parser", "done"), TodoItem("write the docs", "pending")))
    page = full_markdown(recap_with(Prompt("write the parser"), half, Reply("The parser is written."), *later))
    assert "1 of 2 tasks done (turn 1)" in page


@pytest.mark.parametrize(
    ("last", "is_over"),
    [
        (f"{LONG}\n\nPushed to the branch `colours`. All checks passed.", True),
        (f"{LONG}\n\nThe branch is pushed. Now I run the checks.", False),
        (f"{LONG}\n\nThe branch is pushed. Running the checks:", False),
        ("The branch is pushed.", False),
    ],
)
def test_a_log_that_ends_with_a_whole_answer_did_not_break_off(last: str, *, is_over: bool) -> None:
    recap = recap_with(Prompt("push the branch"), Began(), ran("git push"), Reply(last))
    assert ("broke off" not in short_markdown(recap)) is is_over


def test_a_page_with_much_to_tell_tells_no_single_steps() -> None:
    rows: list[Row] = []
    for number in range(12):
        told = f"The cache of table {number} drops rows that nobody has read for {number} days and logs it in a file. "
        rows += [Prompt(f"mend the cache of table {number}"), ran(f"make {number}"), Reply(told * 2)]
    page = full_markdown(recap_with(*rows), max_tokens=600)
    assert "Recent actions" not in page and "Tools used" not in page
    assert "Ran `make 0`" in full_markdown(recap_with(*rows[:3]), max_tokens=600)


# ---- who works for another agent


def test_without_turns_the_last_words_are_told_and_no_number() -> None:
    recap = recap_with(ran("git diff"), Reply("**Findings**\n\n- **High — the cache leaks**\n  In a.py."))
    assert short_markdown(recap) == "📍 **Where we are**:\n- **Recent:** Findings: High — the cache leaks"
    page = full_markdown(recap)
    assert "**Recent:** Findings: High — the cache leaks" in page and "nothing yet" not in page


def test_files_of_one_name_are_told_apart() -> None:
    assert short_names(["/p/a/conf/set.json", "/p/b/conf/set.json", "/p/c/d.py"]) == [
        "a/conf/set.json",
        "b/conf/set.json",
        "d.py",
    ]


# ---- what came of it


def test_what_was_committed_leads_where_the_answer_only_says_what_to_change() -> None:
    asked = Prompt("use one address for the database in every test")
    told = Reply("Make these changes in conftest.py: return the address from the fixture of the database.")
    page = short_markdown(recap_with(asked, told, *ran("git commit -m 'Use one address in all tests'"), Ended()))
    assert line_of(page, "Recent").startswith("Committed: Use one address in all tests")
    done = Reply("Replaced the addresses in conftest.py by one fixture of the database.")
    page = short_markdown(recap_with(asked, *ran("git commit -m 'Use one address in all tests'"), done, Ended()))
    assert line_of(page, "Recent").startswith("Replaced the addresses in conftest.py")


def test_what_was_open_before_files_were_changed_is_not_told_as_recent() -> None:
    answer = "The page can move in one step (no edits made yet). The router keeps the old addresses as redirects."
    planned: tuple[Row, ...] = (Prompt("plan the move of the settings page"), Reply(answer))
    later: tuple[Row, ...] = (Prompt("ok, move it then"), *did("edit", "routes.ts"))
    assert "no edits made yet" in line_of(short_markdown(recap_with(*planned)), "Recent")
    recent = line_of(short_markdown(recap_with(*planned, *later)), "Recent (turn 1)")
    assert "no edits" not in recent and "redirects" in recent
