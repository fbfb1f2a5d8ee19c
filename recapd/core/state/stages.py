"""Stages of the work, where somebody names them outright: "Current stage: review", "Planning stage completed.", "Moving
to the testing phase." A message that only mentions one, asks for one or hangs one on a condition says nothing.

Owns the words; how a stage is told where nobody names one is the recap's matter.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from recapd.core import late_re as re
from recapd.core.log import Record
from recapd.core.state.draft import MAX_STAGES, Draft, latest
from recapd.core.state.transcript import Stage
from recapd.core.text import sentences_of, without_code

# Without one of these, or one of the moves below, no stage is named. Those in a row have the letters in common that are
# looked for: that is nearly all that this costs.
_HINTS: Final = (
    ("tage", ("urrent stage", "Stage: ")),
    ("hase", ("urrent phase", "Phase: ")),
    ("omplete", ("ompleted the ", " complete")),
    ("inished", ("inished the ", " finished")),
    ("one with the ", ("one with the ",)),
    (" done", (" done",)),
)
# Those that count behind a name only.
_ENDS: Final = frozenset((" complete", " finished", " done"))
# Words of those who go from one to the next: one look for what all of them have in common takes as long as looking for
# three of them.
_MOVES: Final = (
    *("ove", "ove on", "oving", "oving on", "oving over", "roceed", "roceeding"),
    *("dvancing", "witching"),
)
_TO: Final = re.compile(r" to (?<=(?:ove|ing|eed| on|ver) to )")
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
        r"(?:(?:I am|I'm|I’m|we are|we're|we’re|now|next) ){0,3}(?:let's |let us |let’s )?"
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
# What may stand between a name and the word by which its stage ends.
_BETWEEN: Final = frozenset(("stage", "phase", "is", "was", "has", "been", "now"))
_NAMES: Final = frozenset(_KNOWN.split("|"))
_NAME_CHARS: Final = 48
_MARKS: Final = re.compile(r"^[\s>#*_\-•+✅☑✔✓\d.)\[\]x]+(?=[A-Za-z])|[*_`]+")
# A colon ends a clause only behind what is done: behind "stage" comes its name.
_CLAUSE: Final = re.compile(
    r"(?:(?<=[,;])|(?<=(?:ed|ne|te):))\s+(?:and |then )?|(?<!\s)\s+[—–-]\s+|"
    r"(?<!\s)\s+and\s+(?=(?:now )?(?:moving|proceeding)\b)"
)
_LONGEST: Final = 200


def read_stages(draft: Draft) -> None:
    """Put down what was said of stages since this was last done, in its order.

    All of it is looked over at once: message by message even a quick no would cost a quarter of the fold.
    """
    said, draft.said = draft.said, []
    if not said:
        return
    starts = list(accumulate([len(text) + 1 for _, text in said], initial=0))
    rows = {bisect_right(starts, at) - 1 for at in _hints_in("\n".join([text for _, text in said]))}
    for record, text in (said[row] for row in sorted(rows)):
        for name, is_done in stages_in(text):
            note_stage(draft, record, name, is_done=is_done)


def note_stage(draft: Draft, record: Record, name: str, *, is_done: bool = False) -> None:
    """A stage that begins is the only one at work; one that is begun again is not done any more."""
    others = tuple(each for each in draft.stages if each.is_done and each.name.lower() != name.lower())
    at_work = tuple(each for each in draft.stages if is_done and not each.is_done and each.name.lower() != name.lower())
    stage = Stage(name, is_done, record.place, record.at)
    draft.stages = latest((*others, *at_work), stage, most=MAX_STAGES)


def stages_in(text: str) -> Iterator[tuple[str, bool]]:
    """Names of stages, and whether each is done."""
    prose: frozenset[str] | None = None
    for start in sorted({text.rfind("\n", 0, at) + 1 for at in _hints_in(text)}):
        line = text[start:].partition("\n")[0]
        if len(line) > _LONGEST:
            continue
        found = [
            each for sentence in sentences_of(_MARKS.sub("", line.strip())) for each in _named_in(sentence.strip())
        ]
        if found:
            # Few lines come so far: only then is it worth knowing what is code.
            prose = frozenset(without_code(text).split("\n")) if prose is None else prose
            yield from found if line in prose else ()


def _hints_in(text: str) -> Iterator[int]:
    """Where a stage may be named: most of what is said names none."""
    for letters, hints in _HINTS:
        at = text.find(letters)
        while at >= 0:
            for hint in hints:
                start = at - hint.index(letters)
                if start >= 0 and text.startswith(hint, start) and (hint not in _ENDS or _is_behind_name(text, start)):
                    yield start
            at = text.find(letters, at + 1)
    for found in _TO.finditer(text):
        if text.endswith(_MOVES, 0, found.start()):
            yield found.start()


def _is_behind_name(text: str, at: int) -> bool:
    words = text[max(at - _NAME_CHARS, 0) : at].lower().split()
    while words and words[-1] in _BETWEEN:
        words.pop()
    return bool(words) and words[-1].strip("*_`") in _NAMES


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
