"""The short and the full recap of a session that a reader read: what it said, each statement with its places.

    Reading, ledger ─▶ what is told whatever the room ─▶ then one statement after another, the weightiest first

A short page is the reader's own brief where there is one: who chooses for so little room has to know all of it.
Facts that the log proves (how it stands, tests, branch, files) are told as without a reader. What came after the
reading is told without it, too. Must not know: how a session is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core.settings import RecapSettings
from recapd.core.state import Reading, ReadStatement, is_changed, relative
from recapd.core.text import estimate_tokens
from recapd.core.views.recap.canary import false_claims
from recapd.core.views.recap.clauses import clause
from recapd.core.views.recap.decisions import decision_item, decision_line, ranked, replaced_by
from recapd.core.views.recap.full import resume_block
from recapd.core.views.recap.items import cited, file_item, result_item, root_of
from recapd.core.views.recap.page import Block, Page, head_of, room_below
from recapd.core.views.recap.produced import failed_end, state_item, state_section, tests_item, where_it_is
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import focus_section, last_asked
from recapd.core.views.recap.telling import telling_of
from recapd.core.views.recap.view import Item, Section, Wording, coded, worded
from recapd.core.views.recap.words import lasting, short_names

_Name: TypeAlias = Literal[
    "request", "decisions", "recent", "later", "focus", "stands", "open", "next", "files", "state"
]


class _Layout(Struct, frozen=True):
    """How long a statement may be, and whether a section is a line or a list."""

    head: str
    gap: str
    request_chars: int
    stands_chars: int
    result_chars: int
    decision_chars: int
    state_chars: int
    results_before_decisions: int
    are_lists: bool


_SHORT: Final = _Layout(
    head="short",
    gap="\n",
    request_chars=130,
    stands_chars=190,
    result_chars=140,
    decision_chars=90,
    state_chars=40,
    results_before_decisions=2,
    are_lists=False,
)
_FULL: Final = _Layout(
    head="full",
    gap="\n\n",
    request_chars=260,
    stands_chars=320,
    result_chars=170,
    decision_chars=140,
    state_chars=160,
    results_before_decisions=4,
    are_lists=True,
)
# In the order they are read: the section, its heading, its rank when room is short, whether it is a list on a long
# page.
_SECTIONS: Final[tuple[tuple[_Name, str, str, int, bool], ...]] = (
    ("request", "request", "Started with", 1, False),
    ("decisions", "decisions", "Decided", 3, True),
    ("recent", "recent", "Results", 4, True),
    ("later", "recent", "Since then", 5, True),
    ("focus", "focus", "Now discussing", 2, False),
    ("stands", "focus", "Where it stands", 0, False),
    ("open", "open", "Open", 5, True),
    ("next", "next", "Next", 5, True),
    ("files", "files", "Files changed", 7, False),
    ("state", "state", "State", 2, False),
)
_MOST_LATER: Final = 3
_FILES: Final = 8

_Parts: TypeAlias = dict[_Name, list[Item]]


def read_page(
    recap: Recap,
    reading: Reading,
    settings: RecapSettings,
    *,
    is_short: bool,
    max_tokens: int,
    collapsible: bool,
    resume: str = "",
) -> Page:
    layout = _SHORT if is_short else _FULL
    head = head_of(layout.head, recap.turn) + (":" if is_short else "")
    room = room_below(head, max_tokens=max_tokens, collapsible=collapsible)
    last = [resume_block(recap, 8, resume)] if resume and not is_short else []
    room -= sum(estimate_tokens(layout.gap + block.text) for block in last)
    parts = _always(recap, reading, layout)
    if is_short and reading.brief.statements:
        wanted = _briefly(recap, reading, settings, layout)
    else:
        wanted = _candidates(recap, reading, settings, layout)
    for name, item in wanted:
        held = parts.setdefault(name, [])
        held.append(item)
        if estimate_tokens(layout.gap.join(block.text for block in _blocks(recap, parts, layout))) > room:
            held.pop()
    return Page(head, (*_blocks(recap, parts, layout), *last), separator=layout.gap)


def _always(recap: Recap, reading: Reading, layout: _Layout) -> _Parts:
    """What a page tells whatever the room."""
    parts: _Parts = {}
    asked, stands = reading.asked, reading.stands
    if not layout.are_lists:
        asked, stands = reading.brief.asked or asked, reading.brief.stands or stands
    if asked is not None:
        parts["request"] = [_item(recap, asked, layout.request_chars)]
    if stands is not None:
        parts["stands"] = [_item(recap, stands, layout.stands_chars)]
    is_later = recap.focus is not None and recap.focus.place.offset > reading.through.offset
    if is_later or recap.upcoming is not None:
        last = last_asked(recap, layout.request_chars)
        parts["focus"] = list(focus_section(recap, "", last).items)
    state = [
        state_item(recap, layout.state_chars),
        failed_end(recap, 0),
        tests_item(recap, layout.state_chars),
        *where_it_is(recap, 2),
    ]
    parts["state"] = list(state_section(recap, state, false_claims(recap)[:1]).items)
    return parts


def _briefly(recap: Recap, reading: Reading, settings: RecapSettings, layout: _Layout) -> Iterator[tuple[_Name, Item]]:
    """The brief, then of the rest what rests on other records."""
    brief = reading.brief
    yield from _named("later", _later(recap, reading))
    yield from _named("recent", _items(recap, brief.results, layout))
    yield from _named("next", _items(recap, (brief.next,) if brief.next is not None else (), layout))
    told = {place for each in brief.statements for place in each.places}
    for name, item in _candidates(recap, reading, settings, layout):
        if name != "later" and told.isdisjoint(each.place for each in item.cited):
            yield name, item


def _candidates(
    recap: Recap, reading: Reading, settings: RecapSettings, layout: _Layout
) -> Iterator[tuple[_Name, Item]]:
    """What is told where there is room for it, what matters most first."""
    yield from _named("later", _later(recap, reading))
    results = sorted(enumerate(reading.results), key=lambda each: (-each[1].weight, -each[0]))
    told = [("recent", _item(recap, each, layout.result_chars)) for _, each in results]
    most = settings.full_decisions if layout.are_lists else settings.short_decisions
    decided: list[tuple[_Name, Item]] = []
    if settings.show_decisions and most:
        entries = ranked(recap.decisions, recap.turn, memory=recap.session.memory)[:most]
        decided = [
            (
                "decisions",
                decision_item(recap, entry, layout.decision_chars, replaced=replaced_by(recap.decisions, entry)[:1]),
            )
            for entry in entries
        ]
    first = layout.results_before_decisions
    yield from _named("recent", [item for _, item in told[:first]])
    yield from decided[: first + 1]
    yield from _named("next", _items(recap, reading.next, layout))
    yield from _named("open", _items(recap, reading.open, layout)[: 6 if layout.are_lists else 1])
    yield from _named("recent", [item for _, item in told[first:]])
    yield from decided[first + 1 :]
    if layout.are_lists:
        yield from (("files", item) for item in _files(recap))


def _named(name: _Name, items: Sequence[Item]) -> Iterator[tuple[_Name, Item]]:
    return ((name, item) for item in items)


def _items(recap: Recap, statements: Sequence[ReadStatement], layout: _Layout) -> list[Item]:
    return [_item(recap, each, layout.result_chars) for each in statements]


def _item(recap: Recap, statement: ReadStatement, columns: int) -> Item:
    return Item(
        key=f"read {statement.turn} {statement.text}",
        # What is too long ends with a clause, where one does.
        wording=worded(clause(statement.text, columns)),
        turn=statement.turn,
        cited=cited(recap, *statement.places),
    )


def _later(recap: Recap, reading: Reading) -> list[Item]:
    """What came of the turns after the reading, in the log's own words."""
    found = [
        each
        for each in telling_of(recap).results
        if recap.turns[each.turn].request.place.offset > reading.through.offset
    ]
    return [result_item(recap, each, Wording(each.phrase.text, each.phrase.shown)) for each in found[-_MOST_LATER:]]


def _files(recap: Recap) -> list[Item]:
    changed = [each for each in recap.files if is_changed(each.fact) and each.fact.path.strip()]
    kept = lasting([each.fact.path for each in changed])
    changed = [each for each, is_kept in zip(changed, kept, strict=True) if is_kept]
    names = short_names([relative(each.fact.path, root_of(recap)) for each in changed], most=_FILES)
    return [file_item(row, coded(name)) for name, row in zip(names, changed, strict=False)]


def _blocks(recap: Recap, parts: _Parts, layout: _Layout) -> list[Block]:
    found: list[Block] = []
    for name, kind, title, rank, is_list in _SECTIONS:
        items = sorted(parts.get(name, ()), key=lambda item: item.turn) if name in _IN_ORDER else parts.get(name, ())
        if not items:
            continue
        total = recap.decisions_before + len(recap.decisions) if name == "decisions" else len(items)
        section = Section(kind, title, tuple(items), max(total, len(items)))
        found.append(Block(rank, _written(section, is_list=is_list and layout.are_lists, layout=layout), section))
    return found


# What is told in the order in which it happened.
_IN_ORDER: Final = ("decisions", "recent", "later")


def _written(section: Section, *, is_list: bool, layout: _Layout) -> str:
    title = f"**{section.title}:**"
    if is_list:
        lines = [decision_line(item) if section.name == "decisions" else _line(item) for item in section.items]
        return "\n".join((title, *lines))
    separator = " · " if section.name in ("state", "recent") else "; "
    if section.name == "files":
        separator = ", "
    line = f"{title} {separator.join(item.wording.marked for item in section.items)}"
    return line if layout.are_lists else f"- {line}"


def _line(item: Item) -> str:
    turn = f"Turn {item.turn}: " if item.turn else ""
    return f"- {turn}{item.wording.marked}"
