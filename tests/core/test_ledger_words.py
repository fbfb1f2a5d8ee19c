"""What two decisions' own words give away of a change: a value, a name or a place that is no more.

Each pair has a twin in which the sign is missing: then both stand.
"""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.ledger.pairs import pairs_with
from recapd.core.decisions.ledger.scenes import Circumstances
from recapd.core.decisions.ledger.signs import SIGNS, Conclusion, SignName, judge
from recapd.core.decisions.ledger.subjects import Rarity, subject_of
from tests.support.findings import by_agent, ledger, said
from tests.support.records import place_of

Pair = tuple[Finding, Finding]

# Name, the pair of which the later changes the earlier, and one in which it does not.
PAIRS: dict[str, tuple[Pair, Pair]] = {
    "the value that was is named": (
        (by_agent("Tiles are drawn 640 px wide"), by_agent("Lower the default of tiles to 512 (it was 640)")),
        (by_agent("Tiles are drawn 640 px wide"), by_agent("Lower the default of shadows to 512 (it was 300)")),
    ),
    "what was called so is dropped": (
        (
            by_agent("`readLedger` opens the file on its own, for speed"),
            said("Drop `readLedger`; the caller hands over what it has", by="collaborative"),
        ),
        (
            by_agent("`readLedger` opens the file on its own, for speed"),
            said("Drop the `readLedger` benchmark; nobody looks at it", by="collaborative"),
        ),
    ),
    "a library is replaced by name": (
        (by_agent("Times are parsed with old_clock"), by_agent("Go with newclock instead of old_clock, which is gone")),
        (by_agent("Times are parsed with old_clock"), by_agent("Go with newclock instead of big_clock, which is gone")),
    ),
    "a dotted name is one name": (
        (said("Keep store.old.ts beside it as reference"), said("remove store.old.ts after the release")),
        (said("Keep store.old.ts beside it as reference"), said("remove store.tmp.ts after the release")),
    ),
    "a folder gets another meaning": (
        (said("lib/pets/ holds the animals we sell"), said("repurpose lib/pets/ as lib/stock/, for all that we sell")),
        (said("lib/pets/ holds the animals we sell"), said("repurpose lib/bird/ as lib/stock/, for all that we sell")),
    ),
    "the user puts the same thing elsewhere": (
        (said("Put the price list into /shop/lists"), said("Put the price list into /.shop/lists/prices.md")),
        (said("Put the price list into /shop/lists"), said("Put the opening hours into /.shop/lists/hours.md")),
    ),
    "a kind of thing is not the thing": (
        (said("Customers build their own shop page"), said("we drop the shop page", type="scope")),
        (said("Customers build their own shop page"), said("we drop the landing page", type="scope")),
    ),
}


@pytest.mark.parametrize(("changed", "kept"), PAIRS.values(), ids=PAIRS)
def test_a_change_is_told_by_its_words(changed: Pair, kept: Pair) -> None:
    assert [entry.status for entry in ledger(*changed)] == ["superseded", "active"]
    assert [entry.status for entry in ledger(*kept)] == ["active", "active"]


# What a pair is judged to be, by which sign; None where both stand.
JUDGED: list[tuple[SignName | None, Conclusion | None, Finding, Finding]] = [
    ("leaves its value", "replaces", *PAIRS["the value that was is named"][0]),
    (None, None, *PAIRS["the value that was is named"][1]),
    ("does away with its name", "replaces", *PAIRS["a library is replaced by name"][0]),
    ("renames it", "replaces", *PAIRS["a folder gets another meaning"][0]),
    ("puts it elsewhere", "replaces", *PAIRS["the user puts the same thing elsewhere"][0]),
    ("gives it up as a whole", "replaces", *PAIRS["a kind of thing is not the thing"][0]),
    ("says it again", "repeats", said("Socks are sold in pairs"), said("socks are sold in pairs")),
    ("sets another value", "replaces", said("Ship orders within 14 days"), said("Ship orders within 21 days")),
    ("sets another value", "contradicts", said("Ship orders within 14 days"), by_agent("Ship orders within 21 days")),
    ("denies it", "contradicts", said("Print the shop address"), by_agent("Do not print the shop address")),
]


@pytest.mark.parametrize(("name", "concludes", "earlier", "later"), JUDGED)
def test_what_decides_is_a_named_sign(
    name: SignName | None, concludes: Conclusion | None, earlier: Finding, later: Finding
) -> None:
    one = subject_of(replace(earlier, place=place_of(1)), 1, Circumstances())
    other = subject_of(replace(later, place=place_of(2)), 2, Circumstances())
    rarity = Rarity()
    rarity.add(one)
    rarity.add(other)
    (pair,) = pairs_with(other, [(one, 0)], rarity)
    sign = judge(pair)
    assert (sign and sign.name, sign and sign.concludes) == (name, concludes)


def test_each_sign_is_one_row_for_what_it_concludes() -> None:
    rows = [(sign.name, sign.concludes) for sign in SIGNS]
    assert len(set(rows)) == len(rows)
    assert {name for name, _ in rows} == set(get_args(SignName))


# What the user rules out, and what the agent then does that has to do with it and is no breach.
KEPT_RULES: list[Pair] = [
    (said("Do not use the pastel theme in the shop"), by_agent("Use the dark theme in the shop")),
    (said("The prices live in stock/main.csv, not in price.csv"), by_agent("The price column of the csv is checked")),
]


@pytest.mark.parametrize("pair", KEPT_RULES)
def test_a_part_of_what_was_ruled_out_is_no_conflict(pair: Pair) -> None:
    rule, _ = ledger(*pair)
    assert rule.conflicts_with == ""


def test_doing_just_what_was_ruled_out_by_name_is_a_conflict() -> None:
    rule, deed = ledger(
        said("The prices live in stock/main.csv, not in price.csv"), by_agent("Sales are added to price.csv at night")
    )
    assert (rule.status, rule.conflicts_with) == ("active", deed.id)
