"""What a turn is judged with: what stood before and after it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.decisions.find import scenes as scenes_module
from recapd.core.decisions.find.candidates import candidates_in
from recapd.core.decisions.find.scenes import MAX_PASSAGES, Cut, Scene, scenes_after, scenes_of
from recapd.core.log import Place
from recapd.core.log.events import Prompt, Reply
from recapd.core.state.growing import Chunked, Growing
from recapd.core.state.passages import Passage, PassageKind
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


KINDS: tuple[PassageKind, ...] = ("prompt", "reply", "reply", "reply", "edit", "run", "queued", "unqueued", "stopped")


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(("", "a", "b", "ab"))), max_size=120))
def test_scenes_of_what_went_on_are_those_of_all_of_it(said: list[tuple[PassageKind, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scenes_module, "MAX_PASSAGES", 6)
        passages = Growing[Passage](Chunked())
        cut, settled = Cut(), list[Scene]()
        for number, (kind, text) in enumerate(said):
            passages.append(Passage(kind, text, Place(number, number, 1), "", "", 0, 0))
            now = passages.freeze()
            scenes, later = scenes_after(cut, now)
            assert [*settled, *scenes] == scenes_of(now)
            settled += scenes[: later.number - cut.number]
            cut = later


def test_a_turn_without_end_is_not_cut_again_from_its_beginning() -> None:
    """However long an agent works alone."""
    passages = Growing[Passage](Chunked())
    passages.append(Passage("prompt", "go on until it works", Place(0, 0, 1), "", "", 0, 0))
    for number in range(1, 5 * MAX_PASSAGES):
        passages.append(Passage("reply", f"step {number}", Place(number, number, 1), "", "", 0, 0))
    scenes, cut = scenes_after(Cut(), passages.freeze())
    assert len(scenes) == 5
    assert (cut.number, cut.start) == (4, 4 * MAX_PASSAGES)
