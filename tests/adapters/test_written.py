"""What a document that an agent writes states as decided."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from recapd.adapters.shared import written
from recapd.adapters.shared.written import decided_in, decided_in_patch, may_be_headed
from tests.support.listing import listed
from tests.support.logs import agent, human, other, plan


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("# Totals\n\n**Decision:** keep the totals in a table.\n", ["keep the totals in a table."]),
        ("## Decision\n\nTotals are summed up at night.\nMore of it.\n", ["Totals are summed up at night."]),
        ("## 2. Key decisions\n- One queue each\n- No cache at all\n", ["One queue each", "No cache at all"]),
        ("### Selected store: **one table per shop**\n", ["Selected store: **one table per shop**"]),
        (
            "## Out of scope\n1. Refunds of gift cards\n2. Old orders\n3. Taxes abroad\n",
            ["Out of scope: Refunds of gift cards; Old orders; Taxes abroad"],
        ),
        ("## Invariants\n- Prices are whole cents\n", ["Invariants: Prices are whole cents"]),
        ("Decision: [what was decided]\n\n## Decision\n\nTBD\n", []),
        ("## Decision\n\n[Say here what was decided. Name what is to be done, by whom, and until when.]\n", []),
        ("```\nDecision: keep the totals in a table\n```\n", []),
        ("## Decision\n\nWhich store should it be?\n", []),
        ("The decision of the board is near: wait for it.\n", []),
        ("## Steps\n- Run the importer once\n", []),
        ("## 9) Key Design Decision Summary\n1. **One queue** for each shop\n", ["**One queue** for each shop"]),
        ("## What We're NOT Doing\n- Refunds of gift cards\n", ["What We're NOT Doing: Refunds of gift cards"]),
        ("## Open decisions\n- Which store it shall be\n", []),
        ("## Decision\n\n**Option 2**\n\nTotals are summed up.\n", ["Option 2: Totals are summed up."]),
        (
            "## Decisions\n| Topic | Taken |\n|---|---|\n| Store | one table per shop |\n",
            ["Store: one table per shop"],
        ),
        (
            "| Topic | Options | Choice |\n|:--|---|---|\n| Store | table, file | a table per shop |\n\n| a | b |\n",
            ["Store: a table per shop"],
        ),
        ("| Topic | Options |\n|---|---|\n| Store | table, file |\n", []),
        ("| Topic | Options |\n|---|---|\n| Store | `table \\| file` | a table per shop |\n", []),
        ("**No new services.** The importer does it.\n", []),
        # Cut out of the document, nothing would say that it is secret.
        (
            "## Decisions\n| Topic | Taken |\n|---|---|\n| Root password | Zx9crMKpQ2 |\n| Store | one table |\n",
            ["Store: one table"],
        ),
        ("| Where | What | Choice |\n|---|---|---|\n| shop | password | Zx9crMKpQ2 |\n", []),
        ("## Decision\n\n**Root password:**\n\nZx9crMKpQ2 everywhere\n", []),
        ("## Constraints: password\n- Zx9crMKpQ2\n- Two shops\n", []),
    ],
)
def test_what_stands_as_decided_in_a_document(document: str, told: list[str]) -> None:
    found = decided_in("docs/totals.md", document)
    assert [each for _, each in found] == told
    assert all(words in document for words, _ in found)
    assert decided_in("src/totals.py", document) == decided_in("memory/totals.md", document) == ()


FORMS = {
    "## 2. {}": (written._DECIDED_RE, written._BOUND_RE, written._CHOSEN_RE),
    "| Topic | {} |": (written._COLUMN_RE,),
    "1. {}": (written._STATED_RE,),
    "{}": (written._STATED_RE,),
}
HEADS = [
    st.from_regex(re.compile(pattern.pattern, pattern.flags), fullmatch=True).map(form.format)
    for form, patterns in FORMS.items()
    for pattern in patterns
]


@given(st.one_of(HEADS), st.integers(min_value=8), st.sampled_from(("", "**", "`", "_")))
def test_a_glance_passes_over_nothing_that_heads_what_was_decided(line: str, at: int, mark: str) -> None:
    assume("\n" not in line and line == line.rstrip("# \t"))
    if line.startswith("##"):
        line = line[:at] + mark + line[at:]
    assert may_be_headed(f"# Totals\n\n{line}\n- Night\n")


@pytest.mark.parametrize(
    ("line", "is_decided"),
    [
        ("**No new services.** The importer does it.", True),
        ("- **Never write to the archive.**", True),
        ("**No rows** → the total is zero", False),
        ("- [ ] **Never write to the archive.**", False),
        ("The importer must never write to the archive.", False),
        ("**Totals of a day.** They are summed up at night.", False),
    ],
)
def test_a_rule_in_bold_is_decided_in_a_plan(line: str, is_decided: bool) -> None:
    assert bool(decided_in("docs/plans/totals.md", f"# Totals\n\n{line}\n")) == is_decided
    assert not decided_in("docs/explained.md", f"# Totals\n\n{line}\n")


def test_of_a_document_that_is_edited_only_what_is_new_is_decided(tmp_path: Path) -> None:
    old = "## Decisions\n- Totals are summed up at night\n"
    edit = other(
        "Edit",
        {
            "file_path": "/home/dev/shop/docs/totals.md",
            "old_string": old,
            "new_string": old + "- Refunds are booked on the next day\n",
        },
    )
    found = listed(tmp_path, human("write down what we do with refunds"), edit, agent("Written."))
    assert [(each.text, each.proof) for each in found] == [("Refunds are booked on the next day", "record")]


def test_a_rule_that_is_added_to_a_rule_sheet_is_decided() -> None:
    rules = "## Style\n- Never write to the archive\n- The archive is old\n"
    assert [told for _, told in decided_in("AGENTS.md", rules, "## Style\n")] == ["Never write to the archive"]
    # Who writes it whole says again what is known.
    assert not decided_in("/home/dev/shop/CLAUDE.md", rules)


def test_documents_in_a_patch() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: src/a.py\n+# Decision: not a document\n*** Update File: docs/totals.md\n@@\n"
        " ## Decisions\n-- Totals are summed up by hand\n+- Totals are summed up at night\n - One queue each of them\n"
        "*** End Patch\n"
    )
    assert [told for _, told in decided_in_patch(patch)] == ["Totals are summed up at night"]


@pytest.mark.parametrize("is_approved", [True, False])
def test_what_an_approved_plan_says_is_decided_was_agreed_on(tmp_path: Path, is_approved: bool) -> None:
    laid = plan(
        "# A report for each shop\n\n## Why\nManagers ask for it. They wait for days. Nobody has the figures.\n\n"
        "## Decisions\n- Totals are summed up at night\n",
        outcome="ok" if is_approved else "denied",
        reason="not yet",
    )
    found = listed(tmp_path, human("plan how totals work"), laid, agent("Fine."))
    told = [(each.made_by, each.how, each.proof) for each in found if each.text == "Totals are summed up at night"]
    assert told == ([("collaborative", "approvedPlan", "plan")] if is_approved else [])


def test_it_is_told_as_the_agents_record_with_its_heading(tmp_path: Path) -> None:
    document = (
        "# Totals\n\nDecision: keep the totals in a table of their own.\n\n## Out of scope\n- Refunds of gift cards\n"
    )
    write = other("Write", {"file_path": "/home/dev/shop/docs/totals.md", "content": document})
    found = listed(tmp_path, human("write down how totals work"), write, agent("Written."))
    assert [(each.text, each.made_by, each.proof) for each in found] == [
        ("keep the totals in a table of their own.", "agent", "record"),
        ("Out of scope: Refunds of gift cards", "agent", "record"),
    ]
