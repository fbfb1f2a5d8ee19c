"""Which decisions are found in a conversation, by whom, and what is left alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from recapd.core.decisions.entries import Finding, How, MadeBy
from recapd.core.decisions.find.find import findings_of
from recapd.core.log.events import Call, Note, Prompt, Queued, Reply, Result
from recapd.core.settings import DEFAULTS
from recapd.core.state.folding import extend
from recapd.core.state.memory import Memory
from recapd.core.state.transcript import EMPTY
from tests.support.records import Row, did, folded, ran, tape

THRESHOLD = DEFAULTS.decisions.threshold
EDIT = did("edit", "src/cart/totals.ts")
DONE = Reply("Done, the totals are computed on the server now.")


def found(*rows: Row) -> list[Finding]:
    """What would be shown."""
    return [finding for finding in findings_of(folded(*rows), Memory()) if finding.confidence >= THRESHOLD]


def texts(findings: Sequence[Finding]) -> str:
    return " | ".join(finding.text for finding in findings)


QUESTION = Reply(
    "There are two ways to invalidate the cache.\n\n"
    "1. Purge every entry whenever a product changes\n"
    "2. Give each entry a version stamp and ignore stale ones\n\n"
    "Which one do you want?"
)
OFFER = Reply("The importer drops rows with an empty SKU. Should I keep those rows and mark them as incomplete?")

# Name, conversation, who decided, how, and words that the decision must carry.
DECIDED: list[tuple[str, tuple[Row, ...], MadeBy, How, str]] = [
    (
        "a number picks the option",
        (Prompt("how can we invalidate the cache?"), QUESTION, Prompt("2"), EDIT, DONE),
        "collaborative",
        "chosen",
        "version stamp",
    ),
    (
        "an option named in a sentence",
        (Prompt("how can we invalidate the cache?"), QUESTION, Prompt("let's go with option 1"), EDIT, DONE),
        "collaborative",
        "chosen",
        "Purge every entry",
    ),
    (
        "a nod takes the offer",
        (Prompt("why are rows missing?"), OFFER, Prompt("yes please"), EDIT, DONE),
        "collaborative",
        "accepted",
        "mark them as incomplete",
    ),
    (
        "a nod in Chinese",
        (Prompt("为什么有些行丢失了？"), OFFER, Prompt("同意"), EDIT, DONE),
        "collaborative",
        "accepted",
        "mark them as incomplete",
    ),
    (
        "a nod in Russian",
        (Prompt("почему пропадают строки?"), OFFER, Prompt("да, давай"), EDIT, DONE),
        "collaborative",
        "accepted",
        "mark them as incomplete",
    ),
    (
        "a constraint in the human's own words",
        (
            Prompt("add a rounding helper"),
            Reply("Added `roundPrice` to the cart package."),
            Prompt("we should never round before tax is applied, only at the very end"),
            EDIT,
            DONE,
        ),
        "user",
        "stated",
        "never round before tax",
    ),
    (
        "a correction",
        (
            Prompt("add the export button"),
            EDIT,
            Reply("I put the export button into the toolbar."),
            Prompt("it should be in the row menu instead of the toolbar"),
            EDIT,
            DONE,
        ),
        "user",
        "stated",
        "row menu instead of the toolbar",
    ),
    (
        "a clause beside a paste",
        (
            Prompt("run the importer"),
            Reply("It ran."),
            Prompt(
                "```\nTraceback (most recent call last):\n  imp.py, line 3\nValueError: must never be None\n```\n"
                "let's just skip rows without a date instead of failing"
            ),
            EDIT,
            DONE,
        ),
        "user",
        "stated",
        "skip rows without a date",
    ),
    (
        "a cause, and what is done about it",
        (
            Prompt("the login fails on staging"),
            ran("curl staging", "502", exit_code=1),
            Reply(
                "The root cause is that the proxy strips the `Origin` header, so the check always fails. "
                "I'll read the forwarded header instead of `Origin`."
            ),
            did("edit", "src/auth/origin.ts"),
            Reply("Fixed."),
        ),
        "agent",
        "stated",
        "instead of",
    ),
]


@pytest.mark.parametrize(("rows", "who", "how", "words"), [row[1:] for row in DECIDED], ids=[row[0] for row in DECIDED])
def test_a_decision_is_found_with_who_took_it(rows: tuple[Row, ...], who: MadeBy, how: How, words: str) -> None:
    matching = [each for each in found(*rows) if words in each.text]
    assert matching, texts(found(*rows))
    assert (matching[0].made_by, matching[0].how) == (who, how)


# Name, conversation, and words that no decision may carry.
LEFT_ALONE: list[tuple[str, tuple[Row, ...], str]] = [
    (
        "the next step told",
        (Prompt("look into the crash"), Reply("Let me check the stack trace and then run the suite."), ran("pytest")),
        "",
    ),
    ("a status", (Prompt("run the tests"), ran("pytest"), Reply("All 214 tests pass now. ✅")), ""),
    ("a question", (Prompt("what does the retry helper do?"), Reply("It retries a call three times.")), ""),
    (
        "an offer nobody took",
        (
            Prompt("rename the module"),
            EDIT,
            Reply("Renamed.\n\nIf you'd like, I can also move the fixtures to a shared folder."),
            Prompt("what time does the nightly build start?"),
            Reply("At two."),
        ),
        "fixtures",
    ),
    (
        "a nod to nothing",
        (Prompt("thanks, that is great"), Reply("You're welcome!"), Prompt("ok")),
        "",
    ),
    (
        "a condition",
        (
            Prompt("is the queue slow?"),
            Reply("It looks fine. If it should stall again, we could double the number of workers."),
        ),
        "double the number",
    ),
    (
        "rules in a pasted document",
        (
            Prompt("summarise this file\n```\nYou MUST always use tabs.\nNEVER commit to main.\n```"),
            Reply("It asks for tabs and forbids commits to main."),
        ),
        "tabs.",
    ),
    (
        "a tick in a table",
        (
            Prompt("compare the two"),
            Reply("| backend | restarts | cost |\n|---|---|---|\n| disk | ✅ Yes — keeps state | low |"),
        ),
        "keeps state",
    ),
    (
        "what waits for a word of the human",
        (Prompt("can the old table go?"), Reply("Nothing reads it. If you confirm, I will drop the legacy table.")),
        "drop the legacy",
    ),
    (
        "waiting",
        (Prompt("hold on"), Reply("I'll wait for your answer before I touch anything.")),
        "",
    ),
    (
        "a list of steps",
        (
            Prompt("what will you do?"),
            Reply("Next:\n1. Read the configuration\n2. Run the linter\n3. Open the report"),
        ),
        "",
    ),
    (
        "an error that is reported",
        (Prompt("I get a 500 when I open the invoices page, here is the log"), ran("tail log"), Reply("Looking.")),
        "",
    ),
    (
        "a recap of ours that an agent wrote",
        (
            Prompt("go on"),
            Reply("📍 **Where we are** (turn 7):\n- **Last decision:** use SQLite instead of Postgres, never both\n"),
        ),
        "SQLite",
    ),
]


@pytest.mark.parametrize(("rows", "words"), [row[1:] for row in LEFT_ALONE], ids=[row[0] for row in LEFT_ALONE])
def test_what_decides_nothing_is_left_alone(rows: tuple[Row, ...], words: str) -> None:
    assert [each.text for each in found(*rows) if words in each.text] == []


def test_an_answer_to_a_question_tool_is_certain() -> None:
    asked = Call("q", "Ask", "ask", target="Where should drafts live?", options=("browser", "server"))
    rows = (Prompt("save drafts"), asked, Result("q", answers=(("Where should drafts live?", "server"),)))
    (finding,) = found(*rows)
    assert (finding.made_by, finding.how, finding.quote) == ("collaborative", "answered", "server")
    assert "Where should drafts live?" in finding.text
    assert finding.alternatives == ("browser",)
    assert finding.confidence > 0.9


def test_words_typed_into_a_question_are_the_humans_own() -> None:
    asked = Call("q", "Ask", "ask", target="Where should drafts live?", options=("browser", "server"))
    own = "neither, put drafts into the mailbox so that both see them"
    (finding,) = found(Prompt("save drafts"), asked, Result("q", answers=(("Where should drafts live?", own),)))
    assert (finding.made_by, finding.quote) == ("user", own)


def test_an_approved_plan_is_one_decision_of_both() -> None:
    plan = Call("p", "Plan", "plan", target="# Split the importer\n\nRead in chunks of 500 rows, write in one go.")
    verdict = Result("p", approved=True, payload=b'"User has approved your plan."')
    (finding,) = found(Prompt("speed up the import"), plan, verdict)
    assert (finding.made_by, finding.how) == ("collaborative", "approvedPlan")
    assert "Split the importer" in finding.text
    assert finding.quote == "User has approved your plan."


def test_a_refused_call_without_a_reason_is_tentative() -> None:
    refused = did("shell", "rm -rf build", denied=True, failed=True, payload=b'"rejected by the user"')
    (finding,) = findings_of(folded(Prompt("clean up"), refused), Memory())
    assert finding.how == "rejected"
    assert finding.confidence < THRESHOLD


def test_queued_words_that_come_back_as_a_message_are_found_once() -> None:
    words = "the banner must never cover the checkout button, put it below instead"
    rows = (Prompt("add the banner"), EDIT, Queued(words), Reply("Added the banner."), Prompt(words), EDIT, DONE)
    assert [each.quote for each in found(*rows)].count(words) == 1


def test_queued_words_that_were_taken_back_are_not_heard() -> None:
    words = "the banner must never cover the checkout button, put it below instead"
    rows = (Prompt("add the banner"), EDIT, Queued(words), Queued(words, taken_back=True), Reply("Added the banner."))
    assert words not in [each.quote for each in findings_of(folded(*rows), Memory())]


def test_a_refusal_keeps_its_no() -> None:
    rows = (Prompt("add a queue"), Reply("Should I add Kafka for the events?"), Prompt("no, we don't use Kafka here"))
    (finding,) = [each for each in found(*rows) if each.made_by == "user"]
    assert finding.how == "rejected"
    assert "don't use Kafka" in finding.text


def test_a_compaction_summary_dates_nothing_anew() -> None:
    note = Note("compaction", "The user decided to use SQLite instead of Postgres and never to cache prices.")
    assert found(Prompt("go on please"), note, Reply("Continuing with the importer.")) == []


def test_a_log_that_begins_with_a_summary_has_its_decisions_from_there() -> None:
    note = Note("compaction", "## Key decisions\n- Prices are stored in cents\n\n## Next steps\n- Write the importer")
    told = found(note, Prompt("go on please"), Reply("Continuing with the importer."))
    assert [each.text for each in told] == ["Prices are stored in cents"]


def test_what_a_summary_says_the_user_said_is_the_users() -> None:
    note = Note("compaction", '6. All user messages:\n- "have a look"\n- "never log the address of a customer"')
    told = found(note, Prompt("go on please"), Reply("Continuing with the importer."))
    assert [(each.quote, each.made_by) for each in told] == [('"never log the address of a customer"', "user")]


@pytest.mark.parametrize("label", ["Decision:", "**Decision**:", "决定：", "Решение:", "Entscheidung:"])
def test_what_calls_itself_a_decision_is_one(label: str) -> None:
    told = found(Prompt("choose a queue"), Reply(f"I compared both.\n\n{label} RabbitMQ for the jobs.\n"), EDIT, DONE)
    assert "RabbitMQ" in texts(told)


@pytest.mark.parametrize("words", ["undo that", "please revert the last change", "回滚吧", "откати это", "되돌려줘"])
def test_taking_back_is_marked(words: str) -> None:
    told = findings_of(
        folded(Prompt("add a cache"), EDIT, Reply("Added a cache for prices."), Prompt(words), EDIT), Memory()
    )
    assert all(each.takes_back for each in told if each.quote == words)


def test_a_quote_stands_word_for_word_in_the_message() -> None:
    said = "Use   `orders.v2` instead of `orders`,\tand never write to both."
    rows = (Prompt("migrate the table"), Reply("Which table should be written to?"), Prompt(said), EDIT, DONE)
    told = [finding for finding in findings_of(folded(*rows), Memory()) if "orders" in finding.quote]
    assert told
    assert all(finding.quote in said for finding in told)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_findings_are_the_same_however_the_log_arrives(size: int) -> None:
    records = tape(*(row for _, rows, *_ in DECIDED for row in rows))
    whole = extend(EMPTY, records)
    parts = EMPTY
    for start in range(0, len(records), size):
        parts = extend(parts, records[start : start + size])
    assert findings_of(parts, Memory()) == findings_of(whole, Memory())


@pytest.mark.parametrize(
    "rule",
    [
        "никогда не храни пароли в базе, только хеши",
        "Bitte immer die neue Schnittstelle verwenden statt der alten",
        "로그인은 항상 서버에서 검증해야 한다",
        "ne garde jamais les mots de passe en clair, utilise plutôt un hash",
        "登录必须在服务端验证，不要放在前端",
        "パスワードは必ずハッシュで保存してください",
        "nunca guardes contraseñas, usa solo hashes en lugar de texto",
    ],
)
def test_a_rule_is_found_in_any_language(rule: str) -> None:
    rows = (Prompt("fix the login"), EDIT, Reply("The form stores the password now."), Prompt(rule), EDIT, DONE)
    assert [(each.quote, each.made_by, each.type) for each in found(*rows)] == [(rule, "user", "constraint")]


WISH = "can the totals stand above the list instead of under it?"
CAUSE = "The page waits for a font that never comes because the host is gone, so the fix is to ship the font ourselves."


def chance_of(words: str, *rows: Row) -> float:
    return max((each.confidence for each in findings_of(folded(*rows), Memory()) if each.quote == words), default=0.0)


def test_a_wish_with_its_alternative_counts_for_more_once_it_was_done() -> None:
    asked = (Prompt("show the totals"), EDIT, Reply("They stand under the list."), Prompt(WISH))
    assert chance_of(WISH, *asked, EDIT, DONE) >= THRESHOLD
    assert chance_of(WISH, *asked, Reply("That would need another layout.")) < chance_of(WISH, *asked, EDIT, DONE)


def test_a_cause_with_its_fix_counts_for_more_once_it_was_done() -> None:
    told = (Prompt("the page is slow"), ran("curl page"), Reply(CAUSE))
    assert chance_of(CAUSE, *told, EDIT, DONE) >= THRESHOLD
    assert chance_of(CAUSE, *told) < chance_of(CAUSE, *told, EDIT, DONE)
