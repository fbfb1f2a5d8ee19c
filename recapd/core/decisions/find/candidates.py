"""Everything in a scene that may be a decision, with what speaks for and against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from recapd.core.decisions.find.candidate import Candidate, says_something
from recapd.core.decisions.find.candidates_human import of_human
from recapd.core.decisions.find.features import agent_features
from recapd.core.decisions.find.scenes import Scene, is_human
from recapd.core.decisions.find.surroundings import Surroundings, surroundings_of
from recapd.core.decisions.find.telling import telling
from recapd.core.decisions.find.units import Unit, points_back, units_of
from recapd.core.state import Passage

__all__ = ["Candidate", "candidates_in"]

# A reply this short is one thought: the cause and what is done about it.
_ONE_THOUGHT: Final = 320


def candidates_in(scene: Scene) -> list[Candidate]:
    around = surroundings_of(scene)
    found: list[Candidate] = []
    for index, passage in enumerate(scene.passages):
        if is_human(passage):
            found += of_human(scene, around, index)
        elif passage.kind == "reply":
            found += _of_agent(scene, around, passage, index)
    return found


def _of_agent(scene: Scene, around: Surroundings, passage: Passage, index: int) -> list[Candidate]:
    found: list[Candidate] = []
    text = passage.text
    units = units_of(text)
    merged = _merged(text, units)
    for number, unit in enumerate(merged):
        if not says_something(unit.text) or unit.is_table:
            continue
        inside = [each for each in units if unit.start <= each.start < unit.start + len(unit.text)]
        core = max(inside, key=lambda each: telling(each.text), default=unit)
        found.append(
            Candidate(
                "agent",
                passage,
                unit.start,
                unit.text[:300],
                unit.text,
                "agent",
                "stated",
                agent_features(
                    scene, around, index=index, unit=unit, units=merged, number=number, core=core, sentences=len(inside)
                ),
                core.text,
                None,
                merged[number - 1].text if number and merged[number - 1].line == unit.line else "",
                unit.heading,
            )
        )
    return found


def _merged(text: str, units: Sequence[Unit]) -> list[Unit]:
    """A short reply is one unit; elsewhere a sentence that only points back belongs to the one before it."""
    if units and len(text) <= _ONE_THOUGHT and not any(unit.marker for unit in units):
        first, last = units[0], units[-1]
        return [_spanning(text, first, last)]
    merged: list[Unit] = []
    for unit in units:
        if merged and merged[-1].line == unit.line and points_back(unit.text):
            merged[-1] = _spanning(text, merged[-1], unit)
        else:
            merged.append(unit)
    return merged


def _spanning(text: str, first: Unit, last: Unit) -> Unit:
    return structs.replace(first, text=text[first.start : last.start + len(last.text)], opens=last.opens)
