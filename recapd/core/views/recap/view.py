"""What a recap says, statement by statement, each with the records that prove it: first chosen, then written down.

    facts ─a page chooses─▶ Section of Items ─▶ Markdown, `view` of `recap/get`

Owns: what a statement carries. Must not know: how much room there is, how a page is laid out.
Whatever is written down from statements is written from these, so a page and the data beside it cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core.hygiene import clean_line, code_span, escape_markdown
from recapd.core.log import Place
from recapd.core.state import Source, Step, Style, describe

FactKind: TypeAlias = Literal["tests", "branch", "commit", "pullRequest", "todo", "model"]

MARKDOWN: Final = Style(code=code_span, words=escape_markdown)
_BARE: Final = Style(code=clean_line, words=clean_line)


class Wording(Struct, frozen=True, gc=False):
    """Words of a statement: as they are, and as they stand in a page, where nothing of a log can be markup."""

    plain: str
    marked: str


class Cited(Struct, frozen=True):
    """A record that proves a statement."""

    source: Source
    place: Place


class Item(Struct, frozen=True, kw_only=True):
    """One statement."""

    # What it is about, the same as long as that is: by it a statement is known again in the next recap.
    key: str
    wording: Wording
    turn: int
    cited: tuple[Cited, ...]
    # The last turn of a topic, or the one that ended what was decided; 0 where it is none of these.
    to_turn: int = 0
    at: str = ""
    decision_id: str = ""
    # Who decided it, or the sub-agent that did it.
    by: str = ""
    # What became of a decision, what was done to a file.
    status: str = ""
    # Of a file: as the log spells it, and the folder it is meant from.
    path: str = ""
    where: str = ""
    ok: bool | None = None
    # Whether its words stand in the record, but for marks and what is cut.
    is_quoted: bool = False
    children: tuple[Item, ...] = ()


class Section(Struct, frozen=True):
    """Statements on one matter; `total` is how many there are, told or not."""

    name: str
    title: str
    items: tuple[Item, ...]
    total: int = 0


class Fact(Struct, frozen=True, kw_only=True):
    """How something stands, in a few words."""

    kind: FactKind
    text: str
    cited: Cited
    ok: bool | None = None
    at: str = ""


class View(Struct, frozen=True):
    """All that a recap says."""

    headline: Item
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]


def worded(text: str) -> Wording:
    """Text from a log."""
    return Wording(clean_line(text), escape_markdown(text))


def coded(text: str) -> Wording:
    """The name of a file, a command."""
    return Wording(clean_line(text), code_span(text))


def described(step: Step, root: str) -> Wording:
    return Wording(describe(step, root, _BARE), describe(step, root, MARKDOWN))


def joined(parts: Iterable[Wording | str], separator: str = "") -> Wording:
    """Several as one; what is given as a string is recapd's own."""
    both = [(part, part) if isinstance(part, str) else (part.plain, part.marked) for part in parts]
    return Wording(separator.join(plain for plain, _ in both), separator.join(marked for _, marked in both))


def statements_of(view: View) -> Iterator[Item]:
    """All of them, those below others too."""
    yield view.headline
    for section in view.sections:
        for item in section.items:
            yield item
            yield from item.children


def merged(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections that a page told, in its order; what it told in several parts is one."""
    found: dict[str, Section] = {}
    for section in sections:
        known = found.get(section.name)
        items = (*known.items, *section.items) if known is not None else section.items
        total = max(section.total, len(items))
        found[section.name] = Section(section.name, section.title, items, total)
    return tuple(section for section in found.values() if section.items)


# ---- sections as parts of a page


def in_a_line(section: Section, separator: str = "; ", told: Sequence[str] | None = None) -> str:
    """`**Title:** one; another`; `told` where a statement stands there with more than its words."""
    parts = [item.wording.marked for item in section.items] if told is None else told
    return f"**{section.title}:** {separator.join(parts)}"


def as_list(section: Section, lines: Sequence[str] | None = None) -> str:
    """The title, and a line for each statement."""
    told = [f"- {item.wording.marked}" for item in section.items] if lines is None else lines
    return "\n".join((f"**{section.title}:**", *told))
