"""The short recap: a header and three to five lines for a person who comes back.

What was asked, what is settled, what came out lately, what it is about now, and who is waited for. Decisions are the
last to be dropped; what came out lately takes whatever room the other lines leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from recapd.core.decisions import Entry
from recapd.core.settings import DEFAULTS, RecapSettings
from recapd.core.state import is_changed
from recapd.core.text import ELLIPSIS, PAGE_HEADS, Part, estimate_tokens, leaves_open, token_share
from recapd.core.views.recap.canary import false_claims
from recapd.core.views.recap.decisions import decision_item, ranked
from recapd.core.views.recap.items import file_item, result_item, step_item
from recapd.core.views.recap.page import Block, Page, room_below, write
from recapd.core.views.recap.produced import failed_end, state_item, state_section, tests_item, where_it_is
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import TERSE_TERMS, asked_section, first_asked, focus_section, last_asked
from recapd.core.views.recap.results import Result, latest_results
from recapd.core.views.recap.telling import telling_of
from recapd.core.views.recap.terms import Room, Statement, chosen, terms_of
from recapd.core.views.recap.view import Item, Section, Wording, in_a_line, joined, worded
from recapd.core.views.recap.words import brief, lasting, short_names

# The lines before what is settled and what came out, and those after.
Frame: TypeAlias = tuple[list[Block], list[Block]]

_LINE_CHARS: Final = 100
_DECISION_CHARS: Final = (75, 90, 105)
_STATE_CHARS: Final = 80
_COMMAND_CHARS: Final = 60
# Each line gives way before the first is dropped.
_SCALES: Final = (1.0, 0.9, 0.8, 0.7, 0.6)
# What is settled and what came out gets this much before the lines around it get their whole length.
_LEAST_RECENT_TOKENS: Final = 95
# What is settled weighs more than what came out.
_DECIDED_FACTOR: Final = 1.5
# A statement so many turns back counts half as much as one of the last turn.
_HALF_LIFE_TURNS: Final = 8
_OPEN_FACTOR: Final = 2.0
_OPEN_TURNS: Final = 2
_FILES: Final = 3
_FILES_CHARS: Final = 60
_EDITING: Final = ("edit", "write", "patch")
_NOTHING: Final = Item(key="", wording=Wording("", ""), turn=0, cited=())


def short_page(recap: Recap, settings: RecapSettings, *, max_tokens: int, collapsible: bool) -> Page:
    head = f"{PAGE_HEADS['short']} (turn {recap.turn}):"
    room = room_below(head, max_tokens=max_tokens, collapsible=collapsible)
    frames: list[Frame] = []
    started, after = _frame_within(recap, frames, room - _LEAST_RECENT_TOKENS)
    between = _settled_and_recent(recap, settings, [*started, *after], room)
    # What they did not need goes back to the lines around them.
    started, after = _frame_within(recap, frames, room - _tokens(between))
    return Page(head, (*started, *between, *after))


def short_markdown(
    recap: Recap,
    *,
    max_tokens: int = DEFAULTS.recap.short_max_tokens,
    collapsible: bool = False,
    settings: RecapSettings = DEFAULTS.recap,
) -> str:
    page = short_page(recap, settings, max_tokens=max_tokens, collapsible=collapsible)
    return write(page, max_tokens=max_tokens, collapsible=collapsible).text


def _frame_within(recap: Recap, frames: list[Frame], room: int) -> Frame:
    """The lines around what is settled and what came out, as long as there is room for; at their shortest otherwise.

    `frames` are those made so far, the longest first.
    """
    for number, scale in enumerate(_SCALES):
        if number == len(frames):
            frames.append(_frame(recap, scale))
        if _tokens([*frames[number][0], *frames[number][1]]) <= room:
            return frames[number]
    return frames[-1]


def _tokens(parts: Sequence[Part]) -> int:
    return estimate_tokens("\n".join(part.text for part in parts))


def _frame(recap: Recap, scale: float) -> Frame:
    """The first line and the last two, each within its share."""
    columns = round(_LINE_CHARS * scale)
    started: list[Block] = []
    if recap.original:
        asked = first_asked(recap, columns, TERSE_TERMS)
        started.append(_line(3, asked_section(recap, "Started with", asked)))
    state = [
        state_item(recap, round(_STATE_CHARS * scale)),
        failed_end(recap, 0),
        tests_item(recap, round(_COMMAND_CHARS * scale)),
        *where_it_is(recap, 2),
    ]
    return started, [
        _line(1, focus_section(recap, "Now discussing", last_asked(recap, columns, TERSE_TERMS))),
        _line(2, state_section(recap, state, false_claims(recap)[:1]), " · "),
    ]


def _line(rank: int, section: Section, separator: str = "; ") -> Block:
    return Block(rank, f"- {in_a_line(section, separator)}", section)


def _settled_and_recent(recap: Recap, settings: RecapSettings, others: list[Block], room: int) -> list[Block]:
    """What was decided and what came out lately, chosen together; then the files, then what was done last."""
    telling, memory = telling_of(recap), recap.session.memory
    rest = [part.text for part in others]
    newest = len(recap.turns) - 1
    told = [(each, phrase) for each in telling.results for phrase in each.phrase.versions]
    results = [
        Statement(phrase.text, phrase.terms, each.turn, each.factor * _timely(each, newest), origin=each.phrase.text)
        for each, phrase in told
    ]
    most = settings.short_decisions if settings.show_decisions else 0
    entries: list[Entry] = []
    if most:
        known = " ".join(rest)
        entries = ranked(recap.decisions, recap.turn, memory=memory, weights=telling.weights, known=known)[: most * 2]
    decided_so = [(_decided(recap, entry), entry.finding.confidence) for entry in entries]
    decided_terms = [(item, terms_of(item.wording.marked), sure) for item, sure in decided_so]
    # What the lines around it say already, as where the request is what was decided, is not said twice.
    said_around = [terms_of(line).keys() for line in rest] if decided_terms else []
    decided_terms = [
        (item, terms, sure)
        for item, terms, sure in decided_terms
        if not terms or not any(terms.keys() <= line for line in said_around)
    ]
    files = _files(recap)
    # Decisions are a group of their own: they stand in another line.
    settled = [
        Statement(item.wording.marked, tuple(terms), -1, _DECIDED_FACTOR * sure) for item, terms, sure in decided_terms
    ]
    statements = [*settled, *results]
    made: dict[int, Item] = {number: item for number, (item, _, _) in enumerate(decided_terms)}

    def statement(position: int) -> Item:
        if position not in made:
            result, phrase = told[position - len(settled)]
            made[position] = result_item(recap, result, Wording(phrase.text, phrase.shown))
        return made[position]

    def lines(taken: Sequence[int], acted: Sequence[Item]) -> list[Block]:
        blocks = []
        if decisions := [statement(each) for each in sorted(taken) if each < len(settled)]:
            label = "Last decision" if len(decisions) == 1 else "Last decisions"
            total = recap.decisions_before + len(recap.decisions)
            blocks.append(_line(0, Section("decisions", label, tuple(decisions), total)))
        came_out = [statement(each) for each in sorted(taken) if each >= len(settled)]
        if came_out or acted:
            blocks.append(_line(4, Section("recent", "Recent", (*came_out, *acted))))
        return blocks

    def left(taken: Sequence[int], acted: Sequence[Item]) -> int:
        return room - estimate_tokens("\n".join((*rest, *(block.text for block in lines(taken, acted)))))

    # Where no files are told, something else will be.
    least_acted = files or [_NOTHING]
    first = [0] if settled else []
    for last in sorted(latest_results(results), key=lambda position: results[position].text.endswith(ELLIPSIS)):
        if left([*first, len(settled) + last], least_acted) >= 0:
            first.append(len(settled) + last)
            break
    taken = chosen(
        statements,
        telling.weights,
        Room(
            costs=[*(token_share(f"; {each.text}") for each in settled), *(phrase.clause_tokens for _, phrase in told)],
            left=lambda taken: left(taken, least_acted),
            most=lambda group: most if group < 0 else len(statements),
        ),
        known=" ".join((*rest, *(item.wording.marked for item in files))),
        taken=first,
    )
    while len(taken) > len(first) and left(taken, files) < 0:
        taken.pop()
    actions = _actions(recap, settings.short_actions, are_files_told=bool(files))
    for acted in ([*files, *actions], files, _actions(recap, 1)):
        if left(taken, acted) >= 0:
            return lines(taken, acted)
    return lines(taken, [])


def _decided(recap: Recap, entry: Entry) -> Item:
    """The decision in a few words; in a few more where they end it."""
    items = [decision_item(recap, entry, columns) for columns in _DECISION_CHARS]
    return next((item for item in items if not item.wording.plain.endswith(ELLIPSIS)), items[0])


def _timely(result: Result, newest: int) -> float:
    """What a statement weighs by its age; what the last turns left open is where the reader goes on."""
    age = newest - result.turn
    weight: float = 0.5 ** (age / _HALF_LIFE_TURNS)
    return weight * _OPEN_FACTOR if age < _OPEN_TURNS and leaves_open(result.phrase.text) else weight


def _files(recap: Recap) -> list[Item]:
    """The files the work was in, by how often their content was changed, as one statement."""
    changed = [each for each in recap.files if is_changed(each.fact) and not each.via]
    kept = lasting([each.fact.path for each in changed])
    changed = [each for each, is_kept in zip(changed, kept, strict=True) if is_kept]
    changed.sort(key=lambda each: -each.fact.writes)
    named = [each for each in changed if each.fact.path.strip()]
    names = short_names([each.fact.path for each in named], most=_FILES)
    while len(names) > 1 and len(", ".join(names)) > _FILES_CHARS:
        names.pop()
    if not names:
        return []
    rows = [file_item(row, worded(name)) for row, name in zip(named, names, strict=False)]
    more = f" +{len(changed) - len(names)}" if len(changed) > len(names) else ""
    last = max(rows, key=lambda row: (row.turn, row.at))
    return [
        Item(
            key="files",
            wording=joined(("edited ", joined([row.wording for row in rows], ", "), more)),
            turn=last.turn,
            at=last.at,
            cited=tuple(each for row in rows for each in row.cited),
            children=tuple(rows),
        )
    ]


def _actions(recap: Recap, most: int, *, are_files_told: bool = False) -> list[Item]:
    steps = list(recap.steps[-most:]) if most else []
    if are_files_told:
        steps = [step for step in steps if step.fact.kind not in _EDITING]
    # Of those that read the same, the first.
    found: dict[str, Item] = {}
    for step in steps:
        item = step_item(recap, step, brief(step.fact))
        found.setdefault(item.wording.marked, item)
    return list(found.values())
