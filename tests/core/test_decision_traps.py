"""What looks like a decision and is none: from a log to `decisions/list`, several phrasings each.

A trap is avoided if nothing is listed that still stands and carries the words.
Decisions that no longer hold are in test_decision_taken_back, those that do not look like one in test_decision_shapes,
bugs of older designs in test_decision_bugs.
Tested elsewhere: goals that outlive their mechanisms, undoing, change of scope, conflicts and restatements in
test_ledger; question tools, plans, queued words, compactions, lone nods and rules in seven languages in
decisions/test_find; replayed records in test_ledger_ids.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.listing import standing
from tests.support.logs import Act, agent, edit, human, read, shell

Talk = tuple[Act, ...]
EDIT = edit("/home/dev/shop/src/orders.py")
NIGHT = "2026-01-04 02:00:0"


# Name, talk, and words that nothing which stands may carry; "" means that nothing may stand at all.
NONE: list[tuple[str, Talk, str]] = [
    (
        "what somebody sees",
        (
            human("sort the rows"),
            EDIT,
            agent("Sorted."),
            human("it looks like only half the rows are shown"),
            EDIT,
            agent("Fixed."),
        ),
        "it looks like",
    ),
    (
        "what somebody sees of a thing with a longer name",
        (human("draw it"), EDIT, agent("Drawn."), human("the arrows in the drawing are a mess"), EDIT, agent("Fixed.")),
        "arrows",
    ),
    (
        "what somebody would be told",
        (
            human("add a command"),
            EDIT,
            agent("Added."),
            human("give me the command that starts it"),
            agent("`make run`"),
        ),
        "give me",
    ),
    (
        "what somebody sees, in Chinese",
        (human("按日期排序"), EDIT, agent("好了。"), human("依旧不行，页面还是旧的"), EDIT, agent("好了。")),
        "依旧",
    ),
    (
        "a line of a terminal",
        (
            human("add a command"),
            EDIT,
            agent("Added."),
            human("(base) PS C:\\shop> make\nshop.py: error: the following arguments are required: --output"),
            EDIT,
            agent("Fixed."),
        ),
        "required",
    ),
    (
        "an offer at the end",
        (
            human("sort the invoices by due date"),
            EDIT,
            agent("Invoices are sorted by due date.\n\nHappy to add a currency column as well, just say the word."),
            human("how many invoices are there?"),
            agent("Forty."),
        ),
        "currency column",
    ),
    (
        "an offer, as a request for a sign",
        (
            human("rename the helper"),
            EDIT,
            agent("Renamed.\n\nLet me know whether you want me to switch the tests to pytest-xdist too."),
            human("thanks!"),
        ),
        "xdist",
    ),
    (
        "an offer in Chinese",
        (
            human("旧的日志删掉"),
            EDIT,
            agent("已删除。\n\n如果需要，我还可以把缓存迁移到 Redis。"),
            human("今天几号？"),
            agent("三号。"),
        ),
        "Redis",
    ),
    (
        "a condition with should",
        (
            human("why is the sync slow?"),
            agent(
                "The network is busy at night. Should that keep happening, we could move the sync to a second queue."
            ),
        ),
        "second queue",
    ),
    (
        "a condition with in case",
        (
            human("is the index healthy?"),
            agent("Yes. In case it grows past ten million rows, partitioning by month would be an option."),
        ),
        "partitioning",
    ),
    (
        "steps in a list",
        (
            human("how will you go about it?"),
            agent("Here is how:\n1. Look at the failing job\n2. Compare it with yesterday's run\n3. Report back"),
        ),
        "",
    ),
    (
        "steps to be ticked off",
        (human("what next?"), agent("- [ ] open the ticket\n- [ ] read the trace\n- [ ] write down what I find")),
        "",
    ),
    (
        "a cheer",
        (
            human("run the suite"),
            shell("pytest", "9 passed"),
            agent("Excellent! 🎉 Everything is green and the build should go through now."),
        ),
        "",
    ),
    (
        "a tick",
        (
            human("does it compile?"),
            shell("make", "ok"),
            agent("✅ Build finished without warnings. The deploy ought to work."),
        ),
        "",
    ),
    (
        "options that nobody picked",
        (
            human("how could we store sessions?"),
            agent(
                "Three ways:\n\nA) Always keep them in memory, never on disk\nB) Use Redis instead of memory\n"
                "C) Only use signed cookies\n\nWhich do you prefer?"
            ),
            human("what does a signed cookie look like?"),
            agent("It is a value with a signature behind it."),
        ),
        "",
    ),
    (
        "a pasted prompt",
        (
            human(
                "please check this prompt for typos:\n\n```\nYou are a bank clerk. You MUST NEVER reveal balances.\n"
                "ALWAYS answer in French.\nDo not use tables.\n```"
            ),
            agent("There is one typo in line two."),
        ),
        "French",
    ),
    (
        "a pasted log",
        (
            human(
                f"what does this mean?\n\n{NIGHT}1 WARN must not reuse connection\n{NIGHT}2 ERROR never retry on 403\n"
                f"{NIGHT}3 INFO only one worker allowed\n{NIGHT}4 INFO do not start twice\n"
            ),
            agent("A second worker tried to start."),
        ),
        "never retry",
    ),
    (
        "a pasted review",
        (
            human(
                "summarise the review below\n\n> You should use a set here instead of a list.\n"
                "> Don't swallow the exception.\n> Never call this in a loop.\n"
            ),
            agent("The reviewer asks for a set, for errors to surface, and for fewer calls."),
        ),
        "swallow",
    ),
    (
        "a document read aloud",
        (
            human("what does the architecture note say?"),
            read("docs/notes.md", "We decided to use Kafka instead of RabbitMQ. Never write to both."),
            agent("It says that the team went with Kafka instead of RabbitMQ in 2021, and never writes to both."),
        ),
        "Kafka",
    ),
    (
        "announced and never done",
        (
            human("the page is slow"),
            agent("I'll move the thumbnails to a CDN instead of serving them from the app."),
            human("how big are the images?"),
            shell("du -h", "2M"),
            agent("Two megabytes each."),
        ),
        "CDN",
    ),
    (
        "planned and given up",
        (
            human("the importer crashes"),
            agent("I'm going to rewrite the parser with a state machine instead of regular expressions."),
            human("which version of Python is this?"),
            shell("python -V", "3.11"),
            agent("It is 3.11."),
        ),
        "state machine",
    ),
    (
        "questions and answers",
        (
            human("what is the difference between a process and a thread?"),
            agent("Threads share memory. Use processes when you must never share state, and threads only for waiting."),
            human("and a coroutine?"),
            agent("A coroutine yields by itself instead of being interrupted."),
        ),
        "",
    ),
    (
        "a review of somebody's work",
        (
            human("review PR 12"),
            shell("gh pr diff 12", "+x"),
            agent("- `parse` should return early instead of nesting\n- never catch BaseException\n- name the timeout"),
        ),
        "",
    ),
    (
        "an interrupt that was an accident",
        (
            human("list the open invoices"),
            agent("Reading them."),
            human("[Request interrupted by user]"),
            human("sorry, hit escape by accident, go on"),
            agent("There are four open invoices."),
        ),
        "",
    ),
    (
        "a first message that is the task itself",
        (
            human("move the loaders into the io folder and correct whoever imports them"),
            agent("Moved, and two imports were corrected."),
        ),
        "",
    ),
    (
        "a first message that is the task itself, in Russian",
        (human("убери из проекта папку old_fonts и закоммить"), agent("Убрал и закоммитил: 12 файлов.")),
        "",
    ),
    (
        "a fault in a first message, of which the agent says the cause first",
        (
            human("the preview jumps back to slide 1 whenever a note is saved"),
            agent("Saving reloads the whole deck. I moved the position into the address."),
        ),
        "",
    ),
    (
        "a fault in a later message, of which the agent says the cause first",
        (
            human("is the import finished"),
            agent("Yes, 900 rows."),
            human("it drops the price after every blank row"),
            agent("The reader shares one buffer between rows. I gave each row its own."),
        ),
        "",
    ),
    (
        "a fault in a later message, in German",
        (
            human("läuft der Import?"),
            agent("Ja, seit heute früh."),
            human("Nach dem Drucken bleibt die Vorschau links stehen."),
            agent("Das Fenster wurde nicht geschlossen. Ich habe das ergänzt."),
        ),
        "",
    ),
    (
        "what is left open, and the agent says that nothing was changed",
        (
            human("how would you store the drafts"),
            agent("In the browser, or on the server as unpublished posts."),
            human("ok I need to sleep on those two. will come back to it"),
            agent("Of course. Nothing has been moved for now."),
        ),
        "",
    ),
    (
        "what is to be made into something else, once",
        (human("convert this to a list: red 4, blue 6"), agent("- red 4\n- blue 6")),
        "",
    ),
    (
        "a joke that is answered with one",
        (
            human("how long has this flag been there"),
            agent("Since 2014."),
            human("From now on nobody feeds it, it's a museum piece lol"),
            agent("Ha, I'll sell the tickets."),
        ),
        "",
    ),
]


@pytest.mark.parametrize(("talk", "words"), [row[1:] for row in NONE], ids=[row[0] for row in NONE])
def test_a_trap_is_not_listed(talk: Talk, words: str, tmp_path: Path) -> None:
    assert [text for text in standing(tmp_path, *talk) if words in text] == []
