"""Finding decisions in a transcript's passages, when somebody asks.

Scene by scene: candidates, how likely each is, and of several that say the same the likeliest. A scene that did not
change is not judged again, as long as the session's memory is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from math import exp, log
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.find.bounds import bounds_of, proof_of
from recapd.core.decisions.find.candidate import Candidate
from recapd.core.decisions.find.candidates import candidates_in
from recapd.core.decisions.find.certain import certain_in
from recapd.core.decisions.find.content import words_of
from recapd.core.decisions.find.keys import keys_of
from recapd.core.decisions.find.model import SCALES, Scale, likelihood
from recapd.core.decisions.find.scenes import Cut, Scene, continues, scenes_after
from recapd.core.decisions.find.wording import (
    alternatives_of,
    rationale_of,
    sentence_of,
    takes_back,
    type_of,
)
from recapd.core.giving_up import look_up
from recapd.core.secrets import redact
from recapd.core.state import Memory, Passage, Transcript
from recapd.core.text import presentable

# A session of so few passages is judged while somebody waits, and so are the latest scenes of any: a passage takes a
# millisecond or two.
_SHORT_PASSAGES: Final = 24
_SHORT_SCENES: Final = 6
# What is less likely is not worth keeping: nobody would confirm one in twenty.
FLOOR: Final = 0.05
# Of what is unlikely, a scene keeps this many.
_MAX_PER_SCENE: Final = 24
# Two of one record that share so many of their words are one; of two records, so many.
_SAME_HERE: Final = 0.45
_SAME_ELSEWHERE: Final = 0.6
# How much a candidate loses by its rivals, in log odds; by cross-validation.
_SECOND_OF_HUMAN: Final = 0.5
_SECOND_OF_AGENT: Final = 1.0
_FOURTH_OF_TURN: Final = 0.8
# A message longer than this may well decide several things.
_LONG_MESSAGE: Final = 400


class Judged(Struct, frozen=True):
    """Every decision of one source in the order of the log, the unlikely ones included: see Finding.confidence.

    And how many turns are not judged yet, so that theirs are missing."""

    findings: tuple[Finding, ...] = ()
    unjudged: int = 0


class _Settled(Struct, frozen=True):
    """What was found in the scenes that are cut for good."""

    cut: Cut = Cut()
    findings: tuple[Finding, ...] = ()


class _Latest:
    """The latest of a session. Threads may be at it too: whichever is last leaves what it found."""

    def __init__(self) -> None:
        # None until everything was judged once.
        self.settled: _Settled | None = None
        # Whether somebody was told of less since.
        self.is_told_of_less = False


def findings_of(transcript: Transcript, memory: Memory) -> tuple[Finding, ...]:
    """In all of it: whatever is not judged is judged now."""
    return _gathered(transcript, memory, most=None).findings


def judged_in(transcript: Transcript, memory: Memory) -> Judged:
    """What is judged where somebody judges ahead, and besides what was said last; else everything."""
    if not is_judged(transcript, memory) and not memory.is_of_past:
        # To know which scenes there are takes a walk over all of them.
        judged = Judged(unjudged=len(transcript.turns))
    else:
        is_left = memory.is_filled_ahead and not _is_short(transcript)
        judged = _gathered(transcript, memory, most=_SHORT_SCENES if is_left else None)
    if judged.unjudged:
        memory.part(_Latest).is_told_of_less = True
    return judged


def is_judged(transcript: Transcript, memory: Memory) -> bool:
    """Whether everything was judged once, or is as soon as somebody asks."""
    return not memory.is_filled_ahead or _is_short(transcript) or memory.part(_Latest).settled is not None


def _is_short(transcript: Transcript) -> bool:
    return len(transcript.passages) <= _SHORT_PASSAGES


def unjudged_scenes(transcript: Transcript, memory: Memory) -> list[Scene]:
    """The scenes that are to be judged."""
    scenes, _ = scenes_after(_settled(transcript, memory).cut, transcript.passages)
    return [scene for scene in scenes if memory.recalled(_judged, scene, scene.number) is None]


def judge(scene: Scene) -> tuple[Finding, ...]:
    """For whoever judges ahead, wherever that is."""
    return _judged(scene, Memory())


def keep_judged(memory: Memory, scene: Scene, findings: tuple[Finding, ...]) -> None:
    memory.keep(_judged, scene, scene.number, findings)


def settle(transcript: Transcript, memory: Memory) -> bool:
    """Everything was judged ahead: from now on this is told, with what is said later. Whether somebody was told of less
    meanwhile."""
    _gathered(transcript, memory, most=0)
    latest = memory.part(_Latest)
    was_told_of_less, latest.is_told_of_less = latest.is_told_of_less, False
    return was_told_of_less


def _gathered(transcript: Transcript, memory: Memory, *, most: int | None) -> Judged:
    """What was found in each scene; of those that are not judged so many are now, the latest."""
    known = _settled(transcript, memory)
    scenes, cut = scenes_after(known.cut, transcript.passages)
    missing = 0
    found: list[tuple[Finding, ...]] = []
    for scene in reversed(scenes):
        its_findings = memory.recalled(_judged, scene, scene.number)
        if its_findings is None and (most is None or missing < most):
            its_findings = memory.recall(_judged, scene, scene.number, memory)
            missing += most is not None
        elif its_findings is None:
            missing += 1
        found.append(its_findings or ())
    found.reverse()
    later = cut.number - known.cut.number
    unjudged = max(missing - (most or 0), 0)
    settled = (*known.findings, *chain.from_iterable(found[:later]))
    # Where somebody judges ahead, he says when it is to be told: putting it all in order takes long, too.
    is_told = not memory.is_filled_ahead or most == 0 or memory.part(_Latest).settled is not None
    if is_told and not unjudged:
        memory.part(_Latest).settled = _Settled(cut, settled)
    return Judged((*settled, *chain.from_iterable(found[later:])), unjudged)


def _settled(transcript: Transcript, memory: Memory) -> _Settled:
    known = memory.part(_Latest).settled
    return known if known is not None and continues(known.cut, transcript.passages) else _Settled()


def _judged(scene: Scene, memory: Memory) -> tuple[Finding, ...]:
    look_up()
    # A sentence by itself no longer shows that a word in it is a secret: what was said before it did.
    scene = without_secrets(scene, memory)
    candidates = candidates_in(scene)
    likely = [likelihood(each.model, each.features) for each in candidates]
    confidences = confidences_of(candidates, likely, SCALES)
    found = certain_in(scene) + [
        finding_of(candidates[index], confidences[index]) for index in chosen_of(candidates, confidences)
    ]
    return tuple(sorted(found, key=lambda each: (each.place.offset, each.ordinal)))


def without_secrets(scene: Scene, memory: Memory) -> Scene:
    """The scene with the texts that hold secrets as they may be shown; quotes of them are found so in the log, too.

    The last scene is judged again as it grows, and the one before it with how that is answered: of these two it is
    remembered which passages hold secrets.
    """
    which = scene.number % 2
    passages = tuple(memory.recall(_safe, each, (which, at)) for at, each in enumerate(scene.passages))
    before = tuple(memory.recall(_safe, each, (which, -1 - at)) for at, each in enumerate(scene.before))
    return msgspec.structs.replace(scene, passages=passages, before=before)


def _safe(passage: Passage) -> Passage:
    texts = {name: getattr(passage, name) for name in ("text", "tail", "asked")}
    shown = {name: presentable(text) for name, text in texts.items() if redact(text) != text}
    choices = tuple(presentable(each) if redact(each) != each else each for each in passage.choices)
    if not shown and choices == passage.choices:
        return passage
    return msgspec.structs.replace(passage, choices=choices, **shown)


def against_each_other(candidates: Sequence[Candidate], likely: Sequence[float]) -> list[float]:
    """Log odds. A turn holds few decisions: a second of one message loses, and so does a fourth of a turn."""
    odds = [log(max(chance, 1e-4) / (1 - min(chance, 1 - 1e-4))) for chance in likely]
    best: dict[int, int] = {}
    for index in sorted(range(len(odds)), key=lambda at: (-odds[at], at)):
        candidate = candidates[index]
        line = candidate.passage.place.line
        if best.setdefault(line, index) != index:
            penalty = _SECOND_OF_AGENT if candidate.model == "agent" else _SECOND_OF_HUMAN
            odds[index] -= penalty if len(candidate.passage.text) < _LONG_MESSAGE else penalty / 2
    for rank, index in enumerate(sorted(range(len(odds)), key=lambda at: (-odds[at], at))):
        if rank >= 3:
            odds[index] -= _FOURTH_OF_TURN
    return odds


def confidences_of(
    candidates: Sequence[Candidate], likely: Sequence[float], scales: Mapping[str, Scale]
) -> list[float]:
    """How often such a one was held for a decision by people, after all that was weighed; within what rules say."""
    found: list[float] = []
    for candidate, odds in zip(candidates, against_each_other(candidates, likely), strict=True):
        slope, constant = scales[candidate.model]
        chance = 1 / (1 + exp(-(slope * odds + constant)))
        least, most = bounds_of(candidate)
        found.append(min(max(chance, least), most))
    return found


def chosen_of(candidates: Sequence[Candidate], likely: Sequence[float]) -> list[int]:
    """The likeliest of those that say the same, the likeliest first."""
    order = sorted((index for index in range(len(likely)) if likely[index] >= FLOOR), key=lambda at: (-likely[at], at))
    chosen: list[int] = []
    words = {index: words_of(candidates[index].text[:200] + " " + candidates[index].quote) for index in order}
    for index in order:
        if len(chosen) >= _MAX_PER_SCENE:
            break
        line = candidates[index].passage.place.line
        for other in chosen:
            bound = _SAME_HERE if candidates[other].passage.place.line == line else _SAME_ELSEWHERE
            if _overlap(words[index], words[other]) > bound:
                break
        else:
            chosen.append(index)
    return chosen


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def finding_of(candidate: Candidate, confidence: float) -> Finding:
    passage = candidate.passage
    return Finding(
        record=passage.record,
        ordinal=candidate.ordinal,
        place=passage.place,
        turn_row=passage.turn_row,
        message=passage.message,
        at=passage.at,
        text=sentence_of(candidate.text, candidate.core),
        quote=candidate.quote,
        type=type_of(candidate.text, candidate.made_by, candidate.heading),
        made_by=candidate.made_by,
        how=candidate.how,
        confidence=round(confidence, 3),
        rationale=rationale_of(candidate.quote, candidate.lead),
        alternatives=alternatives_of(candidate.quote),
        proposal=candidate.proposal,
        keys=keys_of(f"{candidate.quote} {candidate.text}"),
        takes_back=candidate.made_by != "agent" and takes_back(candidate.quote),
        proof=proof_of(candidate),
        wants=candidate.wants,
    )
