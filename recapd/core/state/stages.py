"""Stages of the work, where somebody names them outright: "Current stage: review", "Planning stage completed.", "Moving
to the testing phase." A message that only mentions one, asks for one or hangs one on a condition says nothing.

Owns the words; how a stage is told where nobody names one is the recap's matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from recapd.core.log import Record
from recapd.core.state.draft import MAX_STAGES, Draft, latest
from recapd.core.state.transcript import Stage
from recapd.core.text import READ_CHARS, sentences_of, without_code

# Without one of these nothing is named; looking for them costs next to nothing.
_HINTS: Final = (
    "stage",
    "Stage",
    "phase",
    "Phase",
    "ing to ",
    "ing on to ",
    "ompleted",
    " complete",
    " done",
    "inished",
)
# Names that stand for a stage of the work by themselves.
_KNOWN: Final = (
    r"planning|requirements|research|analysis|design|architecture|implementation|development|coding|integration|testing|"
    r"verification|validation|review|code review|documentation|deployment|release"
)
_NAMED: Final = rf"(?:the )?(?P<name>{_KNOWN})"
_KIND: Final = r"(?:stage|phase)"
_END: Final = r"[.!,;:]?"
_CURRENT: Final = (
    # Any name will do where it is said outright that it is one.
    re.compile(rf"(?:the )?current {_KIND}(?::| is|:? =) ?(?:now )?(?P<name>[\w-]+(?: [\w-]+){{0,2}}?){_END}", re.I),
    # Alone it is a key of many a configuration, too: these are not spelled with a capital.
    re.compile(rf"(?:Stage|Phase): ?(?P<name>(?i:{_KNOWN})){_END}"),
    re.compile(
        r"(?:(?:I am|I'm|I’m|we are|we're|we’re|now|next) )*(?:let's |let us |let’s )?"
        r"(?:moving|move|proceeding|proceed|advancing|switching)(?: on| over)? to "
        rf"{_NAMED}(?: {_KIND})?(?: now)?{_END}",
        re.I,
    ),
)
_DONE: Final = (
    re.compile(
        rf"{_NAMED}(?: {_KIND})?(?: is| was| has been)?(?: now)? (?:completed?|done|finished){_END}",
        re.I,
    ),
    re.compile(
        rf"(?:I |we |I've |we've |I have |we have )?(?:completed|finished|done with) {_NAMED} {_KIND}{_END}", re.I
    ),
)
_MARKS: Final = re.compile(r"^[\s>#*_\-•+✅☑✔✓\d.)\[\]x]+(?=[A-Za-z])|[*_`]+")
# A colon ends a clause only behind what is done: behind "stage" comes its name.
_CLAUSE: Final = re.compile(
    r"(?:(?<=[,;])|(?<=(?:ed|ne|te):))\s+(?:and |then )?|\s+[—–-]\s+|\s+and\s+(?=(?:now )?(?:moving|proceeding)\b)"
)
_LONGEST: Final = 200


def note_stages(draft: Draft, record: Record, text: str) -> None:
    """Put down what a message says of stages, in its order."""
    if any(hint in text for hint in _HINTS):
        for name, is_done in stages_in(text[:READ_CHARS]):
            note_stage(draft, record, name, is_done=is_done)


def note_stage(draft: Draft, record: Record, name: str, *, is_done: bool = False) -> None:
    """A stage that begins is the only one at work; one that is begun again is not done any more."""
    others = tuple(each for each in draft.stages if each.is_done and each.name.lower() != name.lower())
    at_work = tuple(each for each in draft.stages if is_done and not each.is_done and each.name.lower() != name.lower())
    stage = Stage(name, is_done, record.place, draft.turn_number, record.at)
    draft.stages = latest((*others, *at_work), stage, most=MAX_STAGES)


def stages_in(text: str) -> Iterator[tuple[str, bool]]:
    """Names of stages, and whether each is done."""
    for line in without_code(text).split("\n"):
        for sentence in sentences_of(_MARKS.sub("", line.strip())) if len(line) <= _LONGEST else ():
            yield from _named_in(sentence.strip())


def _named_in(sentence: str) -> Iterator[tuple[str, bool]]:
    """A sentence that names a stage does so from its beginning on: what comes behind something else hangs on that."""
    for clause in _CLAUSE.split(sentence):
        found = _stage(clause)
        if found is None:
            return
        yield found


def _stage(clause: str) -> tuple[str, bool] | None:
    for patterns, is_done in ((_DONE, True), (_CURRENT, False)):
        for pattern in patterns:
            if named := pattern.fullmatch(clause):
                return named["name"].lower(), is_done
    return None
