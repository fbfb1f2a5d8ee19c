"""What a turn is judged with: what stood before and after it."""

from __future__ import annotations

from recapd.core.decisions.find.candidates import candidates_in
from recapd.core.decisions.find.scenes import scenes_of
from recapd.core.log.events import Prompt, Reply
from tests.support.records import did, folded

EDIT = did("edit", "src/shop/basket.ts")
OTHER = did("edit", "src/shop/prices.ts")


def test_a_turn_knows_what_was_asked_and_changed_before_it() -> None:
    rows = (Prompt("one"), EDIT, OTHER, Reply("a"), Prompt("two"), Reply("b"), Prompt("three"), Prompt("four"))
    scenes = scenes_of(folded(*rows, Prompt("five")).passages)
    assert [each.text for each in scenes[-1].asked_before] == ["two", "three", "four"]
    assert [scene.edits_before for scene in scenes] == [0, 2, 2, 2, 2]


def test_a_request_made_again_is_known() -> None:
    asked = "round the prices at the very end, never before"
    rows = (Prompt(asked), EDIT, Reply("Rounded."), Prompt(asked), EDIT, Reply("Again."))
    shares = [
        candidate.features["asked_before"]
        for scene in scenes_of(folded(*rows).passages)
        for candidate in candidates_in(scene)
        if candidate.model == "user"
    ]
    assert shares == [0.0, 1.0]
