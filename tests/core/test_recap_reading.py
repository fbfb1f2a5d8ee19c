"""What somebody who comes back needs a recap to say, and what only stands in the way."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.decisions.entries import Entry, MadeBy
from recapd.core.log.events import Ended, Prompt, Reply, Titled
from recapd.core.state.memory import Memory
from recapd.core.views.overview import overview
from recapd.core.views.recap.clauses import chars_within, clause
from recapd.core.views.recap.decisions import plainly, ranked
from recapd.core.views.recap.full import full_markdown
from recapd.core.views.recap.markdown import Wanted, markdown_of
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.short import short_markdown
from recapd.core.views.recap.words import command_line, request_line, result_line
from recapd.core.views.since import after_turn, news_page
from tests.support.findings import entry
from tests.support.logs import at
from tests.support.records import Row, did, ran, session_with


def recap_with(*rows: Row, decisions: tuple[Entry, ...] = ()) -> Recap:
    return msgspec.structs.replace(recap_of(session_with(*rows), at(100_000)), decisions=decisions)


def line_of(page: str, label: str) -> str:
    return next((line for line in page.split("\n") if f"**{label}:**" in line), "")


# ---- where a sentence ends


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        (
            "The device asks for a share (from a phone that is signed in, or a browser) before it goes on",
            60,
            "The device asks for a share (from a phone that is signed…",
        ),
        (
            "Verifiers solve (two of the three) problems for native logins, because the issuer is trusted",
            70,
            "Verifiers solve (two of the three) problems for native logins",
        ),
        (
            "The page has a palette, softer shadows, and a legend with larger letters",
            50,
            "The page has a palette, softer shadows, and a…",
        ),
        (
            "Rename onSubmit → onTurnStart and onStop → onTurnEnd in both of the modules",
            55,
            "Rename onSubmit → onTurnStart and onStop → onTurnEnd…",
        ),
        (
            "The balances add up to what the sheet says, but row nine; it was pasted by hand",
            60,
            "The balances add up to what the sheet says, but row nine",
        ),
        ("India plays Pakistan vs. a team that is not known yet", 35, "India plays Pakistan vs. a team…"),
        ("缓存现在写入磁盘，重启以后仍然可以读取旧的条目", 30, "缓存现在写入磁盘"),
        ("如果缓存没有写入磁盘，重启以后就无法读取旧的条目", 30, "如果缓存没有写入磁盘，重启以…"),
    ],
)
def test_a_sentence_ends_where_nothing_is_left_open(text: str, room: int, expected: str) -> None:
    assert clause(text, room) == expected


def test_a_line_has_room_for_half_as_many_characters_that_say_twice_as_much() -> None:
    assert chars_within("缓存" * 50, 40) == 20
    assert chars_within("cache " * 50, 40) == 40
    assert len(request_line("把缓存写入磁盘并在重启之后读取" * 9, 40)) <= 20


# ---- what came of it


def test_a_page_in_chinese_keeps_all_its_lines() -> None:
    long = "现在需要把所有的缓存条目写入磁盘并且在重启之后重新读取同时保留旧的格式以便回退"
    page = short_markdown(
        recap_with(
            Prompt(f"{long}，另外还要考虑多个进程同时写入的情况"),
            Reply(f"{long}。cache_store.py 已经修改完成。"),
            Prompt(f"测试也要补上：{long}"),
            Reply("test_cache_store.py 里补了 12 个用例，全部通过。"),
            decisions=(entry("旧的格式继续支持到下一个版本发布为止", by="collaborative", verdict="confirmed"),),
        )
    )
    for label in ("Started with", "Decided", "Recent", "Last asked"):
        assert line_of(page, label), label
    assert "12 个用例" in page


def test_what_the_last_turn_came_to_is_always_told() -> None:
    turns: list[Row] = []
    for number in range(8):
        turns += [
            Prompt(f"port parser_{number} to the new grammar"),
            Reply(f"parser_{number}.py reads grammar_{number}.txt now; parser_{number} fails on 3 files."),
        ]
    # It says nothing that the lines around it do not say, so by its words alone it would not be told.
    page = short_markdown(recap_with(*turns, Prompt("release it to the staging server"), Reply("Released to staging.")))
    assert "Released to staging" in line_of(page, "Recent")


@pytest.mark.parametrize(
    "noise",
    [
        "Let me look at the server before I say more about cache.py.",
        "(e.g. the one in cache.py and the one in store.py)",
        "cache.py has:",
        "}: ..., so store.py must get its arguments",
        "store.write_all = true",
        "3 tasks, 1 PR",
    ],
)
def test_what_stands_by_itself_is_told_before_what_does_not(noise: str) -> None:
    page = short_markdown(
        recap_with(
            Prompt("make the cache survive a restart"),
            Reply(f"{noise}\n\nThe cache is written to disk before the process ends, and read when it starts."),
        )
    )
    assert "The cache is written to disk" in line_of(page, "Recent")
    assert noise.rstrip(":.") not in page


def test_a_row_of_a_table_is_told_only_with_what_announces_it() -> None:
    rows = "| rule | where |\n|---|---|\n| Writers must always fix what they broke | rules.md |"
    alone = short_markdown(recap_with(Prompt("list the rules"), Reply(f"All rules are written down.\n\n{rows}")))
    assert "All rules are written down" in alone and "Writers" not in alone
    headed = short_markdown(recap_with(Prompt("list the rules"), Reply(f"The rules of the house:\n\n{rows}")))
    assert "The rules of the house: Writers must always fix what they broke" in headed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So, e53647ba is in neither index.", "e53647ba is in neither index"),
        ("Great, parser.py is done.", "parser.py is done"),
        ("Great, the parser is done.", "The parser is done"),
    ],
)
def test_a_name_is_spelled_as_it_is(text: str, expected: str) -> None:
    assert result_line(text, 100) == expected


# ---- what was asked


def test_a_request_that_names_nothing_is_told_with_the_one_that_does() -> None:
    page = short_markdown(
        recap_with(
            Prompt("let's discuss"),
            Reply("What is it about?"),
            Prompt("the importer drops every second row of large sheets"),
            Reply("import_rows() skips a row after each flush."),
            Prompt("drop the buffer then, and write rows one by one"),
            Reply("Rows are written one by one."),
            Prompt("push it"),
            Reply("Pushed."),
        )
    )
    started, now = line_of(page, "Started with"), line_of(page, "Last asked")
    assert started.endswith("let's discuss, then: the importer drops every second row of large sheets")
    assert now.endswith("since turn 3: drop the buffer then, and write rows one by one, then: push it")


def test_a_request_that_names_nothing_is_told_by_the_title_of_the_session() -> None:
    rows = (Titled("Importer drops rows of large sheets"), Prompt("go on"), Reply("import_rows() skips a row."))
    assert line_of(short_markdown(recap_with(*rows)), "Started with").endswith(
        "Importer drops rows of large sheets — go on"
    )
    named = (Titled("Rows"), Prompt("why does the importer drop rows?"), Reply("import_rows() skips a row."))
    assert line_of(short_markdown(recap_with(*named)), "Started with").endswith("why does the importer drop rows?")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("n8n is up at https://n8n.example.com", "n8n is up at n8n.example.com"),
        ("Coolify is up at http://127.0.0.1:8000", "Coolify is up at 127.0.0.1:8000"),
        ("See https://a.example/rows?id=12 for all of it", "See a.example/rows?id=12 for all of it"),
        (f"See https://a.example/rows?ids={'a,' * 20} for all of it", "See a.example/rows for all of it"),
        ("See http://127.0.0.1:8000/a/b/c/d for all of it", "See 127.0.0.1:8000/…/c/d for all of it"),
    ],
)
def test_addresses_keep_their_port(said: str, told: str) -> None:
    assert result_line(said, 200) == told


def test_a_pasted_key_names_no_topic() -> None:
    pasted = "4eb362e5-e40d-4f92-be47-a5eb907628b9"
    page = short_markdown(
        recap_with(
            Prompt("restore the deleted report of last week"),
            Reply("Which one is it?"),
            Prompt(pasted),
            Reply("Restored the report."),
        )
    )
    assert line_of(page, "Last asked").endswith(f"restore the deleted report of last week, then: {pasted}")


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("ok, can you break up the long test?", "Break up the long test"),
        ("can you break up the long test? it is hard to read", "Break up the long test? it is hard to read"),
        ("is the long test of any use?", "is the long test of any use?"),
    ],
)
def test_a_polite_request_is_told_as_what_it_asks_for(prompt: str, expected: str) -> None:
    assert request_line(prompt, 90) == expected


def test_a_request_is_its_words_and_not_the_path_of_a_picture() -> None:
    assert request_line("'/var/tmp/Screen Shot 1.png' the border is gone", 90) == "the border is gone"
    assert request_line("/var/tmp/shot.png the border is gone", 90) == "the border is gone"
    assert "shot.png" in request_line("/var/tmp/shot.png", 90)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "it still fails\n\nada@box:~/app$ git push\nTo example.org:app\nerror: failed to push some refs",
            "it still fails — error: failed to push some refs",
        ),
        ("ada@box:~/app$ make\nmake: nothing to do\nfatal: no rule for target", "fatal: no rule for target"),
        (
            "Implement the following plan:\n\n# Move the cache to SQLite\n\nIt is slow.",
            "Move the cache to SQLite — It is slow.",
        ),
        (
            "You are a senior developer with taste.\n\nPort the parser to the new grammar.",
            "Port the parser to the new grammar.",
        ),
        (
            "You are the fresh AgentV coordinator of two workers.\n\nPort the parser.",
            "You are the fresh AgentV coordinator of two workers. Port the parser.",
        ),
        (
            'fix the importer --all\n[importer] {"rows": 12, "sheet": "bills"}\n\nit stops behind the first sheet',
            "fix the importer --all — it stops behind the first sheet",
        ),
        ("你是一位资深工程师。\n把解析器移到新的语法。", "把解析器移到新的语法。"),
        ("Hello there!\n\nPort the parser.", "Port the parser."),
        (
            "# Move the cache\n\n## Context\n\nIt is slow.\n\n## Steps\n\n- Use SQLite.",
            "Move the cache — It is slow. Use SQLite.",
        ),
        (
            "this is what I see\n/home/ada/.profile:20: no such file: brew\ngrep: an option is gone",
            "this is what I see — /home/ada/.profile:20: no such file: brew",
        ),
        ("src/a.py:12: rename the cache\nsrc/b.py:3: drop it", "src/a.py:12: rename the cache src/b.py:3: drop it"),
        ("Set the fields:\n\n\\-  job\\_id\n\\-  state", "Set the fields: job_id; state"),
        ("Nightly job\n\nAdd a job that clears the cache.", "Nightly job — Add a job that clears the cache."),
        ("You are right, port the parser too.", "You are right, port the parser too."),
    ],
)
def test_a_request_is_what_was_typed_and_asked(prompt: str, expected: str) -> None:
    assert request_line(prompt, 120) == expected


def test_a_document_is_told_by_its_title_and_how_it_begins() -> None:
    document = "# Move the cache\n\n## Context\n\nIt is slow. Nobody knows why.\n\n## Steps\n\n- Use SQLite."
    assert request_line(document, 40) == "Move the cache — It is slow."


def test_a_question_about_them_keeps_the_sentence_that_names_them() -> None:
    prompt = f"{'The report is long. ' * 9}The jobs of the importer run twice. Can you merge them?"
    assert request_line(prompt, 100).endswith("The jobs of the importer run twice. Can you merge them?")


@pytest.mark.parametrize(
    ("answer", "nod", "expected"),
    [
        ("Written.\n\nShall I add the nightly job?", "yes", "yes → add the nightly job"),
        ("已经写好。\n\n需要我添加每晚的任务吗？", "好的", "好的 → 需要我添加每晚的任务吗"),
        ("Which one?\n\n1. Keep the cache\n2. Drop the cache", "2", "2 → Drop the cache"),
        (
            "Which one?\n\n**Option 1:** Keep the cache\n\n**Option 2:** Drop the cache",
            "okay, try option 2",
            "okay, try option 2 → Drop the cache",
        ),
        ("Which one?\n\n1. Keep the cache\n2. Drop the cache", "option 3, do nothing", "option 3, do nothing"),
        ("Which one?\n\n1. Keep the cache\n2. Drop the cache", "I don't like option 2", "I don't like option 2"),
        ("Which one?\n\n1. Keep the cache\n2. Drop the cache", "what about option 2?", "what about option 2?"),
    ],
)
def test_a_nod_is_told_as_what_it_accepted(answer: str, nod: str, expected: str) -> None:
    rows = (Prompt("write the job that clears the cache"), Reply(answer), Prompt(nod), Reply("Working on it now."))
    assert line_of(short_markdown(recap_with(*rows)), "Last asked").endswith(f" {expected}")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("yes, try that by hand", 'yes, try that by hand (to "Shall I start the job by hand for the test?")'),
        ("start the test of the nightly job", "start the test of the nightly job"),
        (
            "Ok let's commit and push again!",
            "start the nightly job on the other machine, then: Let's commit and push again!",
        ),
    ],
)
def test_a_few_words_say_what_they_reply_to_or_are_about(reply: str, expected: str) -> None:
    rows = (
        Prompt("write the job that clears the cache"),
        Reply("Written."),
        Prompt("start the nightly job on the other machine"),
        Reply("It does not start.\n\nShall I start the job by hand for the test?"),
        Prompt(reply),
    )
    assert line_of(short_markdown(recap_with(*rows)), "Now discussing").endswith(expected)


# ---- what was decided


@pytest.mark.parametrize("text", ["Should it be for all tests?", "They should add up to the same"])
def test_what_asks_or_points_back_is_not_told_as_decided(text: str) -> None:
    recap = recap_with(Prompt("look at the tests"), Reply("There are four."), decisions=(entry(text),))
    assert text not in short_markdown(recap) and text not in full_markdown(recap)


def test_what_stands_on_no_proof_is_folded() -> None:
    guessed = entry("Keep one queue for all workers", by="agent")
    recap = recap_with(Prompt("look at the queue"), Reply("There is one."), decisions=(guessed,))
    assert "Keep one queue" not in short_markdown(recap)
    assert "**Less certain (1):** Turn 1: Keep one queue for all workers (agent)" in full_markdown(recap)
    listed = markdown_of(recap, Wanted("decisions", 500))
    assert "**Less certain (1):**\n- Turn 1: Keep one queue for all workers (agent)" in listed
    proved = msgspec.structs.replace(entry("Keep the log of every worker"), id="another")
    recap = recap_with(Prompt("look at the queue"), Reply("There is one."), decisions=(proved, guessed))
    listed = markdown_of(recap, Wanted("decisions", 500))
    # Else a reader of Markdown takes it for a part of the last decision.
    assert "Keep the log of every worker (you)\n\n**Less certain (1):**\n- " in listed


@pytest.mark.parametrize(
    ("text", "made_by", "expected"),
    [
        ("Guard the eval and drop the old option too?", "collaborative", "Guard the eval and drop the old option too"),
        ("增加 --offline 选项以强制本地模式？", "collaborative", "增加 --offline 选项以强制本地模式"),
        ("Is the option still of any use?", "collaborative", "Is the option still of any use?"),
        ("Start it by hand, or restart the shell?", "collaborative", "Start it by hand, or restart the shell?"),
        ("直接复用现有的状态可以吗？", "collaborative", "直接复用现有的状态可以吗？"),
        ("Should it be for all tests?", "user", "Should it be for all tests?"),
        ("can we add a simple test for the logs?", "user", "Add a simple test for the logs"),
        ("Keep the grey of the links,", "user", "Keep the grey of the links"),
    ],
)
def test_what_was_agreed_to_does_not_look_open(text: str, made_by: MadeBy, expected: str) -> None:
    assert plainly(entry(text, by=made_by), 120, memory=Memory()) == expected


def test_a_decision_gets_more_room_where_that_ends_it() -> None:
    whole = "Rename onSubmit to onTurnStart and onStop to onTurnEnd in phase.py and phase_test.py"
    page = short_markdown(
        recap_with(
            Prompt("look at the events"),
            Reply("There are four."),
            decisions=(entry(f"{whole}?", by="collaborative", verdict="confirmed"),),
        )
    )
    assert line_of(page, "Decided").endswith("phase_test.py (turn 1)")


def test_two_words_give_way_to_a_decision_that_says_what_it_is() -> None:
    nod = entry("Pull it.", by="collaborative", turn=2)
    stated = entry("Keep one queue for all workers", by="collaborative", turn=1)
    assert ranked((nod, stated), 2, memory=Memory()) == [stated, nod]


# ---- for a reader who has looked before


def test_to_a_reader_who_knows_the_rest_what_is_new_leads() -> None:
    rows: list[Row] = []
    for number in range(6):
        rows += [
            Prompt(f"port parser_{number} to the grammar"),
            Reply(f"parser_{number}.py reads the new grammar now."),
        ]
    whole = recap_with(*rows, decisions=(entry("Keep one grammar for all parsers"),))
    page = short_markdown(news_page(whole, after_turn(whole.session, 5)))
    assert line_of(page, "Recent").endswith("parser_5.py reads the new grammar now")
    assert "Started with" not in page and "parser_4" not in page
    still = line_of(page, "Still")
    assert "port parser_0 to the grammar — decided: Keep one grammar for all parsers (turn 1)" in still


# ---- how it stands


def test_a_question_to_the_human_is_told_in_its_own_words() -> None:
    asked = "Would you like to run the whole suite with one worker?"
    page = short_markdown(recap_with(Prompt("why is the suite slow"), Reply(f"It waits for locks.\n\n{asked}")))
    assert asked in line_of(page, "Next") and page.count(asked) == 1
    assert "why is the suite slow → It waits for locks" in line_of(page, "Recent"), "it points back at what was asked"


def test_an_overview_says_what_came_of_it_and_not_what_was_announced() -> None:
    session = session_with(
        Prompt("remove the submodules in favour of plain installs"),
        Reply("Removed all four of them."),
        Prompt("push it"),
        Reply("Let me push.\n\nPushed two commits to origin/master."),
    )
    (row,) = overview([session], at(100_000))
    assert row.detail == "Pushed two commits to origin/master"


def test_an_overview_shows_no_marks_of_a_list() -> None:
    session = session_with(Prompt("plan the port"), Reply("1. Names\n2. **Patterns** — anything to follow or extend?"))
    (row,) = overview([session], at(100_000))
    assert row.detail == "Patterns — anything to follow or extend?"


def test_one_of_a_thing_is_no_plural() -> None:
    page = markdown_of(recap_with(Prompt("rename the helpers")), Wanted("resume", 1_000, now=at(100_000)))
    assert "**So far:** 1 message, 0 tool calls" in page


def test_what_an_agent_is_told_was_accomplished_is_no_announcement() -> None:
    rows = (
        Prompt("drop the aliases"),
        Reply("I'll remove them from parser.py now.\n\nparser.py knows zh and en only."),
    )
    page = markdown_of(recap_with(*rows), Wanted("resume", 1_000, now=at(100_000)))
    assert "- parser.py knows zh and en only." in page
    assert "I'll remove" not in page
    assert "Last request" not in page, "it is the task itself"


def test_a_timeline_tells_how_it_ended() -> None:
    done = "".join(f"- Ported parser_{number}.py; it reads grammar_{number}.txt now.\n" for number in range(9))
    rows = (Prompt("port all parsers and push them"), Reply(done), Prompt("go on"), Reply("Pushed to origin."))
    page = markdown_of(recap_with(*rows), Wanted("timeline", 150))
    assert "Pushed to origin" in page


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd app && npm test -- cart.test.ts 2>&1 | tail -30", "npm test -- cart.test.ts"),
        ("pytest -q 2>/dev/null", "pytest -q"),
        ("grep -c x log.txt | sort", "grep -c x log.txt | sort"),
    ],
)
def test_a_command_is_what_was_run(command: str, expected: str) -> None:
    assert command_line(command) == expected


def test_a_failing_run_is_told_once() -> None:
    output = "FAILED tests/test_cart.py::test_total\n1 failed, 3 passed in 0.10s"
    run = ran("pytest tests/test_cart.py", output, exit_code=1, failed=True)
    page = full_markdown(recap_with(Prompt("run the tests"), run, Reply("One of them fails.")))
    assert "- Tests 1 failed: pytest tests/" in page
    assert "last test run" not in page


def test_a_session_that_broke_off_tells_that_its_last_step_failed() -> None:
    rows = (
        Prompt("recolour the chart"),
        did("patch", "/work/chart.py", failed=True, payload=b'"expected lines not found"'),
        Prompt("did it work?"),
    )
    recap = recap_with(*rows)
    assert "Tried to patch chart.py — failed" in line_of(short_markdown(recap), "State")
    assert "expected lines not found" in line_of(full_markdown(recap), "State")
    answered = recap_with(*rows, Reply("No, the patch did not apply."))
    assert "Tried to patch" not in line_of(short_markdown(answered), "State")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((did("edit", "/work/cart.py"), Reply("The cart is fixed in PR #12.")), "PR #12"),
        ((Reply("It is up for review: https://git.example.org/shop/pull/12"),), "PR #12"),
        # Whoever looks around names what others did long ago.
        ((ran("git log --oneline"), Reply("The last thing that was merged is PR #12.")), ""),
    ],
)
def test_where_the_work_is_told_by_the_work(rows: tuple[Row, ...], expected: str) -> None:
    state = line_of(short_markdown(recap_with(Prompt("how is the cart?"), *rows)), "State")
    assert expected in state and ("PR" in state) == bool(expected)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Whether the work is done nobody learns by it.
        ((Reply("Ready."),), ""),
        ((did("edit", "/work/cart.py"),), ""),
        ((), "broke off"),
    ],
)
def test_that_a_session_was_closed_is_told_where_nobody_answered(rows: tuple[Row, ...], expected: str) -> None:
    closed = recap_with(Prompt("say that you are ready"), *rows, Ended("session"))
    state = line_of(short_markdown(closed), "State")
    assert expected in state and bool(state) == bool(expected)
