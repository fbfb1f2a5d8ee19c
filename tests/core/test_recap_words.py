"""How requests, results and decisions read in a recap: the matter, without wrapping, hedges and torn ends."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.decisions.entries import Entry
from recapd.core.log.events import Prompt, Reply
from recapd.core.state.memory import Memory
from recapd.core.text.gist import gist_of
from recapd.core.text.prompts import is_substantive
from recapd.core.views.recap.decisions import headline_of, plainly, ranked, says_what_was_decided
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.short import short_markdown
from recapd.core.views.recap.words import request_line, result_line, short_names
from tests.support.findings import entry
from tests.support.logs import CWD, at
from tests.support.records import Row, did, ran, session_with

WRAPPED = """
## User Input

```text
{}
```

You **MUST** consider the user input before proceeding (if not empty).

## Outline

Goal: Find the gaps in the specification and close them.
"""


def recap_with(*rows: Row, decisions: tuple[Entry, ...] = ()) -> Recap:
    return msgspec.structs.replace(recap_of(session_with(*rows), at(100_000)), decisions=decisions)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (WRAPPED.format("add offline mode to the reader"), "add offline mode to the reader"),
        (WRAPPED.format(""), "Goal: Find the gaps in the specification and close them."),
        ("User input is not trimmed, fix that", "User input is not trimmed, fix that"),
        ("关于/home/someone/deep/down/tool-dir的问题", "关于…/down/tool-dir的问题"),
    ],
)
def test_what_the_human_typed_is_the_request(prompt: str, expected: str) -> None:
    assert request_line(prompt, 120) == expected


SLOW = "The nightly job of the importer has been slow ever since we moved it to the other machine. It takes hours."
SLOW_IN_GERMAN = "Der Import ist langsam, seit er auf der anderen Maschine ist. Er braucht Stunden für alle Tabellen."
WITHOUT_A_STOP = "the paths of the importer are all wrong since it was moved to the other disk and nobody told the job"
PAGE = "https://example.org/team/Import-Notes-31bca50a6ba48109a210e9e2461648d3"


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            f"{SLOW} Please find out which query is the slow one.",
            "The nightly job of the importer has been slow ever since we … Find out which query is the slow one.",
        ),
        (
            f"{SLOW_IN_GERMAN} Finde bitte heraus, welche Abfrage es ist.",
            "Der Import ist langsam, seit er auf der anderen … Finde bitte heraus, welche Abfrage es ist.",
        ),
        (
            f"{WITHOUT_A_STOP} And yes it was me So I need a list of the files that name the old disk",
            "the paths of the importer are all wrong since … I need a list of the files that name the old disk",
        ),
        (
            f"Please write the importer anew, table by table. {SLOW} Give me a list of the tables.",
            "Write the importer anew, table by table.",
        ),
        (
            # Typed without capitals.
            "all paths are wrong since it was moved to the other disk. we can look at them at noon, if you are here",
            "all paths are wrong since it was moved to the other disk.",
        ),
        (
            # The edge of a screen broke the line.
            (
                "can you please add a search for the models that run within the copy of the editor\nfrom upstream? "
                "I want all of them to look things up before they answer"
            ),
            "Add a search for the models that run within the copy of the editor from upstream?",
        ),
        (
            f"This is great!! {SLOW_IN_GERMAN} Which one can I drop?",
            "Der Import ist langsam, seit er auf der anderen Maschine ist. … Which one can I drop?",
        ),
        (
            f"how do I draw it?\n\n{SLOW}\n\nthat's wrong no? then the manual page of the importer is wrong as well",
            "how do I draw it? … then the manual page of the importer is wrong as well",
        ),
        (
            f"read {PAGE} and compare it to @docs/design/importer-notes.md and @docs/guide/how-to-import.md",
            "read example.org/team/Import-Notes and compare it to @importer-notes.md and @how-to-import.md",
        ),
    ],
)
def test_a_long_request_is_told_by_how_it_begins_and_what_it_asks_for(prompt: str, expected: str) -> None:
    assert request_line(prompt, 100) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I've added the cache.", "Added the cache"),
        ("I need the schema before I can go on.", "I need the schema before I can go on"),
        ("已经修好了。", "已经修好了"),
        ("Done with step six of the port.", "Done with step six of the port"),
        ("Done. The port is finished.", "The port is finished"),
    ],
)
def test_a_result_reads_as_part_of_a_line(text: str, expected: str) -> None:
    assert result_line(text, 100) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("I think for now, we should just show the id", 100, "We should just show the id"),
        ("but pass rates should be per attempt", 100, "Pass rates should be per attempt"),
        ("config.py stays where it is, for good", 100, "config.py stays where it is, for good"),
        ("| Queue | Redis, with a lock |", 100, "Queue: Redis, with a lock"),
        (
            "show all entries (also those of the old kind, as far as there are any) when asked to explain",
            60,
            "Show all entries when asked to explain",
        ),
        ("The port is overridden by the local file. Let me fix that.", 100, "The port is overridden by the local file"),
        (
            "Postgres is too much here. Let me use sqlite_store instead",
            100,
            "Postgres is too much here. Let me use sqlite_store instead",
        ),
    ],
)
def test_a_decision_reads_well_on_its_own(text: str, limit: int, expected: str) -> None:
    assert plainly(entry(text), limit, memory=Memory()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I think we keep one queue for all workers", "We keep one queue for all workers"),
        (
            "Keep one single queue for all workers, because two would race for the lock of the ledger file",
            "Keep one single queue for all workers",
        ),
        (
            "Workers take the jobs of all tenants from one shared queue in the order of the deadlines they were given",
            "Workers take the jobs of all tenants from one shared queue in the order…",
        ),
        ("全部任务都放进同一个队列" * 8, "全部任务都放进同一个队列" * 3 + "全部任…"),
    ],
)
def test_a_decision_has_a_headline_of_whole_words(text: str, expected: str) -> None:
    assert headline_of(entry(text), memory=Memory()) == expected
    assert len(expected) <= 80


def test_a_bare_question_gives_way_to_a_statement() -> None:
    asked, stated = entry("What is your preference?", turn=2), entry("Keep one queue for all workers", turn=1)
    assert ranked((asked, stated), 2, memory=Memory()) == [stated, asked]


def test_nothing_is_told_twice_in_a_short_recap() -> None:
    text = short_markdown(
        recap_with(
            Prompt("move the settings into one module"),
            did("edit", f"{CWD}/settings.py"),
            Reply("All settings live in settings.py now."),
            decisions=(entry("move the settings into one module"),),
        )
    )
    assert text.count("move the settings") == 1
    assert "Now discussing" not in text, "one request is told once"


def test_of_earlier_turns_is_told_what_is_proved() -> None:
    text = short_markdown(
        recap_with(
            Prompt("speed up the importer"),
            did("edit", f"{CWD}/importer.py"),
            ran("git commit -m 'Stream rows into the ledger'", "[main 1a2b3c4] Stream rows into the ledger"),
            Reply("importer.py reads each CSV file once now. Rows are streamed into the ledger table."),
            Prompt("what do others do about that?"),
            Reply("Most importers of that sort keep an index of offsets beside the data."),
            Prompt("could the exporter be made faster, too?"),
            Reply("export.py could probably be split into two stages for the ledger."),
            Prompt("and the docs?"),
            did("edit", f"{CWD}/docs.md"),
            Reply("The manual page describes streaming in its second chapter."),
        )
    )
    recent = next(line for line in text.splitlines() if "**Recent:**" in line)
    assert recent.startswith("- **Recent:** The manual page describes streaming"), "how the last answer begins"
    assert "- **Committed:** Stream rows into the ledger\n" in text
    assert "Most importers" not in text and "export.py" not in text, "talk, and what might be"
    assert "reads each CSV file" not in text, "what was said then may be overtaken"


def test_of_the_last_answer_several_statements_are_told_in_its_own_order() -> None:
    answer = (
        "Done. The importer streams rows into the ledger.\n\n- `importer.py`: reads each file once\n"
        "- `ledger.py`: takes rows in batches of 500\n\nIt was read twice before. All 14 tests pass."
    )
    text = short_markdown(recap_with(Prompt("speed up the importer"), Reply(answer)))
    assert (
        "- **Recent:** The importer streams rows into the ledger. importer.py: reads each file once; "
        "ledger.py: takes rows in batches of 500" in text
    )
    assert "It was read twice" not in text, "what it points back at is not beside it"


def test_a_statement_is_told_whole_where_there_is_room() -> None:
    whole = (
        "Resolved the conflict in hooks.go — kept your isSpecificAgentType fix and adopted the LastInteractionAt "
        "timestamp tracking from main"
    )
    assert whole in short_markdown(recap_with(Prompt("merge from main"), Reply(f"Done. {whole}.")))


def test_what_was_committed_counts_as_ever_and_what_might_be_counts_least() -> None:
    turns: list[Row] = [
        Prompt("cap the uploads"),
        did("edit", f"{CWD}/upload.py"),
        ran("git commit -m 'Cap uploads at 20 MB'"),
    ]
    turns.append(Reply("upload.py refuses what is larger."))
    for number in range(40):
        turns += [Prompt(f"look at module {number}"), Reply(f"module_{number}.py could be split into halves, maybe.")]
    text = short_markdown(recap_with(*turns))
    assert "**Committed:** Cap uploads at 20 MB" in text


def test_what_is_up_to_the_reader_is_told_in_every_page_of_some_size() -> None:
    facts = recap_with(
        Prompt("Our checkout falls over when a client retries in a loop. Limit what each key may ask, and log it all"),
        did("edit", f"{CWD}/limits.py"),
        Reply("Two ways: in memory or in the store. Which one?"),
        Prompt("2, we run the store anyway. But never block checkout when it is down: let requests through and log it"),
        did("edit", f"{CWD}/server.py"),
        Reply(
            "Requests are limited per key in the store, and checkout goes through when it is down. The change is "
            "committed.\n\nThe cap is 20 a second. Is that right for your largest customer, or should plans differ?"
        ),
        decisions=(entry("Never block checkout when the store is down: let requests through and log it"),),
    )
    for most in range(145, 260):
        assert "\n- **Next:** " in short_markdown(facts, max_tokens=most), most


def test_what_the_last_turn_left_open_is_told() -> None:
    done = "".join(f"- Renamed the helper of module number {number} in part_{number}.py.\n" for number in range(12))
    text = short_markdown(
        recap_with(Prompt("rename the helpers"), Reply(f"All renamed.\n\n{done}\nThe branch still needs to be merged."))
    )
    assert "The branch still needs to be merged" in text


def test_fragments_offers_and_courtesy_are_no_results() -> None:
    answer = """The cache survives restarts now.

Apologies for the confusion.

Now the setting is

- examples/
- OTP: 123456
- 123456 for somebody@example.com
- `cache.py` writes atomically

If you want it shorter, say so."""
    assert gist_of(answer).split("\n") == ["The cache survives restarts now.", "cache.py writes atomically"]


@pytest.mark.parametrize("nod", ["お願いします。", "123456", "да, давай", "계속해줘", "谢谢！"])
def test_a_nod_is_no_request_in_any_language(nod: str) -> None:
    assert not is_substantive(nod)


def test_names_are_told_apart_by_all_there_are_also_where_few_are_wanted() -> None:
    paths = ["src/api/models.py", "src/cli.py", "src/web/models.py"]
    assert short_names(paths) == ["api/models.py", "cli.py", "web/models.py"]
    assert short_names(paths, most=1) == ["api/models.py"]


def test_that_the_last_request_was_answered_goes_without_saying() -> None:
    asked = (Prompt("Why is the import of invoices slow?"), Reply("The import reads every CSV file twice."))
    assert "State" not in short_markdown(recap_with(*asked))
    assert "- **State:** broke off" in short_markdown(recap_with(*asked, Prompt("And the export?")))


def test_what_an_agent_does_unasked_is_not_said_to_be_nothing() -> None:
    assert "nothing yet" in short_markdown(recap_with())
    assert "nothing yet" not in short_markdown(recap_with(ran("make lint")))


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Use Redis for the queue", True),
        ("We need no backward compatibility, it makes things complicated", True),
        ("Push it — commit this with the other fixes and push", False),
        ("Let's not make this change in this branch", False),
        ("Do #3 first — Ready to restart? Then we go on with #3", False),
        ("可以，把方案写到文档中 — 有没有什么顾虑", False),
    ],
)
def test_a_short_recap_tells_a_decision_that_says_what_was_decided(text: str, is_told: bool) -> None:
    assert says_what_was_decided(entry(text), memory=Memory()) is is_told


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        (
            "Moved: a.py to the core; b.py to the core; c.py to the core",
            45,
            "Moved: a.py to the core; b.py to the core; …",
        ),
        ("Moved: a.py to the new core, which is apart; b.py to it", 45, "Moved: a.py to the new core; b.py to it"),
    ],
)
def test_a_list_that_is_cut_says_so(text: str, columns: int, expected: str) -> None:
    assert result_line(text, columns) == expected


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Stream the rows. Then write the manual page for it.", "Stream the rows."),
        ("stream the rows of the importer, write the manual page", "stream the rows of the importer…"),
    ],
)
def test_a_request_ends_where_it_pauses(prompt: str, expected: str) -> None:
    assert request_line(prompt, 38) == expected
