"""Lines of a context within a budget, and log text made unable to pass for anything but log text.

Owns: what a line costs and how many fit. Costs add up over lines (see tokens): what fits line by line fits as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.hygiene import clean_line
from recapd.core.log import Place
from recapd.core.text import (
    ELLIPSIS,
    count_for_budget,
    first_sentence,
    fit_tokens,
    one_line,
    presentable,
    take_fitting,
    unfenced,
)

SectionName: TypeAlias = Literal[
    "pinned", "request", "decisions", "summary", "progress", "files", "lost", "relevant", "recent", "warning"
]

# Lines by which our contexts are laid out; from a log they come quoted.
_LAYOUT_RE: Final = re.compile(
    r"(?:#{1,6} (?:Request|Decisions|Earlier in this conversation|Open|Files|Where it stands|Left out by|Relevant|"
    r"Recent messages|CONVERSATION HISTORY|Previous |Task|Warning|System prompt)|System prompt:|"
    r"# (?:Warning|Previous session recap)|--- Earlier in|"
    r"Previous conversation context:|Files modified:|Key decisions:|Original request:|Recent actions:|"
    r"\(End of conversation history\)|\(No prior messages|\[PAST\]|\[\d{1,7}\]|\[did\]|(?:User|Agent|Assistant):)",
    re.IGNORECASE,
)
_INDENT_RE: Final = re.compile(r"[ \t]{0,8}")


class Line(Struct, frozen=True, gc=False):
    """One line of a section, or a few that belong together, and the records it rests on."""

    text: str
    places: tuple[Place, ...] = ()


class Section(Struct, frozen=True):
    """A part of the context: its text with its heading, what it rests on, which messages it stands for."""

    name: SectionName
    text: str
    places: tuple[Place, ...] = ()
    first: int | None = None
    last: int | None = None
    # Tokens of what belongs here and found no room.
    left_out: int = 0


def cost(text: str) -> int:
    """What a text costs as one of several lines: itself and the break behind it."""
    return count_for_budget(text + "\n")


def said(text: str) -> str:
    """Log text over several lines: clean, without secrets, and no line of it reads like one of ours."""
    shown = unfenced(presentable(text)).strip()
    if "\n" not in shown:
        return _contained(shown)
    return "\n".join(map(_contained, shown.split("\n")))


def said_in_line(text: str, limit: int) -> str:
    """Log text on one line, at most so many characters."""
    return unfenced(one_line(presentable(text[: 4 * limit + 1_000]), limit))


def flat(text: str) -> str:
    """Log text on one line, all of it."""
    return unfenced(clean_line(presentable(text)))


def _contained(line: str) -> str:
    # Quoted, as a person would: the line still says what it says, and begins like none of ours.
    return f"> {line}" if _LAYOUT_RE.match(line, _indent(line)) else line


def _indent(line: str) -> int:
    indent = _INDENT_RE.match(line)
    return indent.end() if indent else 0


def section_of(
    name: SectionName, heading: str, lines: Iterable[Line], room: int, *, order: Sequence[int] | None = None
) -> Section | None:
    """The heading and the lines that fit, in their order, each of them whole; None where not even one does.

    `order` has their positions, the most needed first; without it the first are."""
    every = list(lines)
    needed = range(len(every)) if order is None else order
    room -= cost(heading) if heading else 0
    taken = take_fitting(needed, lambda at: cost(every[at].text), room)
    kept = [every[at] for at in sorted(taken.positions)]
    if not kept:
        return None
    text = "\n".join([*([heading] if heading else []), *(line.text for line in kept)])
    return Section(name, text, tuple(place for line in kept for place in line.places), left_out=taken.left_out)


def begun_section(name: SectionName, heading: str, lines: Sequence[Line], room: int) -> Section | None:
    """Like `section_of`, of lines whose beginning says something by itself: where none fits, the first is begun."""
    whole = section_of(name, heading, lines, room)
    begun = begun_within(lines[0].text, room - cost(heading) - 1) if lines and whole is None else ""
    if not begun:
        return whole
    return Section(name, f"{heading}\n{begun}", lines[0].places, left_out=sum(cost(line.text) for line in lines))


def begun_within(text: str, room: int) -> str:
    """The text, or as much of its beginning as fits: where there is little room, no piece of a sentence, rather ""."""
    begun = fit_tokens(text, room)
    if begun == text or room >= _LEAST_CUT or begun.endswith(f" {ELLIPSIS}"):
        return begun
    sentence = f"{first_sentence(text)} {ELLIPSIS}"
    return sentence if len(sentence) < len(text) and count_for_budget(sentence) <= room else ""


# A text that is cut off within a sentence before this says nothing.
_LEAST_CUT: Final = 40
