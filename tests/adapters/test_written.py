"""What a document that an agent writes states as decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.adapters.shared.written import decided_in
from tests.support.listing import listed
from tests.support.logs import agent, human, other


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
        ("```\nDecision: keep the totals in a table\n```\n", []),
        ("## Decision\n\nWhich store should it be?\n", []),
        ("The decision of the board is near: wait for it.\n", []),
        ("## Steps\n- Run the importer once\n", []),
    ],
)
def test_what_stands_as_decided_in_a_document(document: str, told: list[str]) -> None:
    found = decided_in("docs/totals.md", document)
    assert [each for _, each in found] == told
    assert all(words in document for words, _ in found)
    assert decided_in("src/totals.py", document) == decided_in("memory/totals.md", document) == ()


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
