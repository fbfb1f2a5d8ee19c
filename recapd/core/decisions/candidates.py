"""Everything in a scene that may be a decision, with what speaks for and against it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, structs

from recapd.core.decisions.assent import Answer, answer_in
from recapd.core.decisions.content import words_of
from recapd.core.decisions.entries import How, MadeBy
from recapd.core.decisions.features import agent_features
from recapd.core.decisions.features_user import answer_features, user_features
from recapd.core.decisions.passages import Passage
from recapd.core.decisions.pastes import own_units
from recapd.core.decisions.proposals import TEXT_CHARS, Proposal, accepted, proposal_in
from recapd.core.decisions.scenes import Scene, is_human
from recapd.core.decisions.surroundings import Surroundings, surroundings_of
from recapd.core.decisions.telling import telling
from recapd.core.decisions.units import Unit, points_back, units_of
from recapd.core.refs import Place

# A reply this short is one thought: the cause and what is done about it.
_ONE_THOUGHT = 320
_ONE_REQUEST = 0
# What is shorter says nothing by itself.
_SHORTEST = 12
_SHORTEST_UNSPACED = 4
# Of the agent's reply to a message, what shows how it was understood.
_FIRST_WORDS = 600
# Words of a nod that says little else; characters of an answer; and the share of its words that are the agent's.
_SHORT_NOD = 8
_SHORT_ANSWER = 40
_AGENTS_WORDS = 0.31


# Where a nod ends and something new may begin.
_CUT_RE: Final = re.compile(
    r"\s*[,，;；:。.!！—–]\s*|\s-+\s|\s+(?:and|but|also|then|und|et|y|и|но|aber|mais|pero)\s+|\s*[并且但同时]+"
)


# So a plan approved in an earlier session is handed over: both made it.
_APPROVED_PLAN_RE: Final = re.compile(r"\s*implement the following (?:approved )?plan\b", re.IGNORECASE)


class Candidate(Struct, frozen=True):
    """Something that may be a decision. `model` names the weights it is judged by."""

    model: str
    passage: Passage
    ordinal: int
    quote: str
    text: str
    made_by: MadeBy
    how: How
    features: dict[str, float]
    # The sentence that tells most: what its words are worth is looked up.
    core: str
    proposal: Place | None = None
    # The sentence before, for a rationale.
    lead: str = ""
    heading: str = ""


def candidates_in(scene: Scene) -> list[Candidate]:
    around = surroundings_of(scene)
    found: list[Candidate] = []
    for index, passage in enumerate(scene.passages):
        if is_human(passage):
            found += _of_human(scene, around, passage, index)
        elif passage.kind == "reply":
            found += _of_agent(scene, around, passage, index)
    return found


def _of_human(scene: Scene, around: Surroundings, passage: Passage, index: int) -> list[Candidate]:
    before = _last_words_before(scene, index)
    proposal = proposal_in(before.text[-4000:]) if before is not None else Proposal()
    units, share = own_units(passage.text)
    by: MadeBy = "collaborative" if _APPROVED_PLAN_RE.match(passage.text) else "user"
    if len(units) > 1 and len(passage.text) <= _ONE_REQUEST and len({unit.line for unit in units}) == 1:
        units = [_spanning(passage.text, units[0], units[-1])]
    found: list[Candidate] = []
    answer = Answer()
    rest: Unit | None = None
    if units and before is not None:
        answer = answer_in(units[0].text)
        if answer.is_bare or answer.is_firm or answer.picks or (answer.nods and proposal.question >= 0):
            nod, rest = _nod_and_rest(units[0])
            answer = answer_in(nod.text) if rest is not None else answer
            text, is_named = accepted(proposal, answer, _done_after(scene, around, index))
            if text:
                found.append(
                    Candidate(
                        "assent",
                        passage,
                        nod.start,
                        nod.text[:300],
                        _joined("" if answer.is_bare else nod.text, text),
                        "collaborative",
                        "chosen" if is_named else "accepted",
                        answer_features(
                            scene,
                            around,
                            index=index,
                            unit=nod,
                            answer=answer,
                            proposal=proposal,
                            text=text,
                            is_named=is_named,
                            units=len(units),
                        ),
                        nod.text,
                        before.place,
                    )
                )
                units = [rest, *units[1:]] if rest is not None else units[1:]
    for number, unit in enumerate(units):
        if not _says_something(unit.text):
            continue
        refused = answer.refuses and number == 0 and rest is None and proposal.question >= 0
        text = unit.text
        if refused and len(unit.text) < 40:
            text = _joined(unit.text, accepted(proposal, Answer())[0])
        features = user_features(
            scene,
            around,
            index=index,
            unit=unit,
            units=units,
            number=number,
            answer=answer,
            proposal=proposal,
            share=share,
        )
        takes_up = before is not None and by == "user" and not refused and _takes_up(features)
        if takes_up:
            text = _joined(unit.text, accepted(proposal, Answer(), _done_after(scene, around, index))[0])
        how: How = "rejected" if refused else "accepted" if takes_up else "stated" if by == "user" else "approvedPlan"
        found.append(
            Candidate(
                "user",
                passage,
                unit.start,
                unit.text[:300],
                text,
                "collaborative" if takes_up else by,
                how,
                features,
                unit.text,
                before.place if (refused or takes_up) and before is not None else None,
            )
        )
    return found


def _nod_and_rest(unit: Unit) -> tuple[Unit, Unit | None]:
    """A nod with something new behind it, as two; else the unit, and nothing."""
    for cut in _CUT_RE.finditer(unit.text):
        nod = unit.text[: cut.start()].rstrip()
        rest = unit.text[cut.end() :]
        if answer_in(nod).is_bare and _says_something(rest):
            behind = structs.replace(unit, text=rest.strip(), start=unit.start + len(unit.text) - len(rest.lstrip()))
            return structs.replace(unit, text=nod), behind
    return unit, None


def _of_agent(scene: Scene, around: Surroundings, passage: Passage, index: int) -> list[Candidate]:
    found: list[Candidate] = []
    text = passage.text
    units = units_of(text)
    merged = _merged(text, units)
    for number, unit in enumerate(merged):
        if not _says_something(unit.text) or unit.is_table:
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


def _merged(text: str, units: list[Unit]) -> list[Unit]:
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
    return Unit(
        text[first.start : last.start + len(last.text)],
        first.start,
        first.line,
        first.number,
        first.sentence,
        first.heading,
        first.marker,
        first.label,
        first.in_code,
        first.is_table,
        last.opens,
    )


def _last_words_before(scene: Scene, index: int) -> Passage | None:
    for passage in reversed(scene.passages[:index]):
        if passage.kind in ("reply", "plan"):
            return passage
    return scene.before[-1] if scene.before else None


def _says_something(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    if letters >= _SHORTEST:
        return True
    return letters >= _SHORTEST_UNSPACED and not text.isascii()


def _done_after(scene: Scene, around: Surroundings, index: int) -> frozenset[str]:
    """Words of the agent's first and last reply to a message: what came of it."""
    first = next((each for each in scene.passages[index + 1 :] if each.kind == "reply"), None)
    return around.closing | words_of(first.text[:_FIRST_WORDS]) if first is not None else frozenset()


def _takes_up(features: Mapping[str, float]) -> bool:
    """Whether a message does nothing but settle what the agent asked: a short nod, or mostly the agent's own words."""
    if not features["asked"]:
        return False
    if features["answer_nods"] and features["units"] <= 1 and features["tokens"] <= _SHORT_NOD:
        return True
    return features["message_chars"] <= _SHORT_ANSWER and features["in_before"] > _AGENTS_WORDS


def _joined(own: str, proposed: str) -> str:
    """The human's words and the agent's, as one line; where both are too long, what was proposed: the quote has the
    human's."""
    both = f"{own.strip()} — {proposed}"
    return both if own and len(both) <= TEXT_CHARS else proposed
