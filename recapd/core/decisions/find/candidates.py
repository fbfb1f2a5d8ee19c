"""Everything in a scene that may be a decision, with what speaks for and against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from recapd.core import late_re as re
from recapd.core.decisions.find.candidate import Candidate, says_something
from recapd.core.decisions.find.candidates_human import of_human
from recapd.core.decisions.find.features import agent_features
from recapd.core.decisions.find.scenes import Scene, is_human
from recapd.core.decisions.find.surroundings import Surroundings, surroundings_of
from recapd.core.decisions.find.telling import telling
from recapd.core.decisions.find.units import Unit, points_back, units_of
from recapd.core.state import Passage

__all__ = ["Candidate", "candidates_in"]

# So an agent gives way to an objection: what it then does, both decided.
_GIVES_WAY_RE: Final = re.compile(
    r"\W*(?:(?:ah|oh|yes|hmm+|ok(?:ay)?|no)\W+){0,2}(?:you(?:'|’)?re (?:absolutely |totally |quite |completely )?right|"
    r"you are (?:absolutely |quite )?right|good (?:point|catch|call|idea)|great (?:point|catch|idea)|"
    r"fair (?:point|enough)|"
    r"that(?:'|’)s (?:a )?(?:much )?(?:better|good|fair|smart|valid) |du hast recht|guter (?:punkt|einwand)|"
    r"(?:tu as|vous avez) raison|bien vu|tienes razón|buena idea|hai ragione|você tem razão|boa ideia|"
    r"(?:ты|вы) прав|хорошая идея|你说得对|说得对|有道理|好主意|おっしゃる通り|確かに|맞습니다|좋은 지적)",
    re.IGNORECASE,
)
# A reply this short is one thought: the cause and what is done about it.
_ONE_THOUGHT: Final = 320


def candidates_in(scene: Scene) -> list[Candidate]:
    around = surroundings_of(scene)
    found: list[Candidate] = []
    for index, passage in enumerate(scene.passages):
        if is_human(passage):
            found += of_human(scene, around, index)
        elif passage.kind in ("reply", "report"):
            found += _of_agent(scene, around, passage, index)
    return found


def _of_agent(scene: Scene, around: Surroundings, passage: Passage, index: int) -> list[Candidate]:
    found: list[Candidate] = []
    text = passage.text
    units = units_of(text)
    merged = _merged(text, units)
    is_refused = _is_refused(scene, index)
    first = next((at for at, each in enumerate(scene.passages) if each.kind == "reply"), -1) if _is_asked(scene) else -1
    for number, unit in enumerate(merged):
        if not says_something(unit.text) or unit.is_table:
            continue
        inside = [each for each in units if unit.start <= each.start < unit.start + len(unit.text)]
        core = max(inside, key=lambda each: telling(each.text), default=unit)
        yields = index == first and _GIVES_WAY_RE.match(text) is not None
        found.append(
            Candidate(
                "agent",
                passage,
                unit.start,
                unit.text[:300],
                unit.text,
                "collaborative" if yields else "agent",
                "accepted" if yields else "stated",
                agent_features(
                    scene, around, index=index, unit=unit, units=merged, number=number, core=core, sentences=len(inside)
                ),
                core.text,
                scene.passages[0].place if yields else None,
                merged[number - 1].text if number and merged[number - 1].line == unit.line else "",
                unit.heading,
                is_refused=is_refused,
            )
        )
    return found


def _is_asked(scene: Scene) -> bool:
    return scene.passages[0].kind == "prompt" and bool(scene.before)


def _is_refused(scene: Scene, index: int) -> bool:
    """Whether the human refused what the agent was about to do."""
    for passage in scene.passages[index + 1 :]:
        if passage.kind in ("reply", "edit", "run"):
            return False
        if passage.kind == "rejected":
            return True
    return False


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
