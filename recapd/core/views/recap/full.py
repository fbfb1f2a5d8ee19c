"""The full recap: a page that tells a newcomer how the conversation went and where it stands.

Request, decisions with who and what became of them, timeline by topic, what came of the last turn, files, what is
open, focus, state, and the agent's own command to go on. The timeline takes the room that the rest leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from recapd.core.decisions import Entry
from recapd.core.hygiene import clean_line
from recapd.core.log import Place
from recapd.core.settings import DEFAULTS, RecapSettings
from recapd.core.state import OpenItem, is_changed, relative
from recapd.core.text import drop_to_fit, estimate_tokens, one_line
from recapd.core.tool_use import describe_uses
from recapd.core.views.recap.canary import contradictions
from recapd.core.views.recap.decisions import (
    decision_items,
    decision_line,
    less_certain_line,
    less_certain_section,
    ranked,
    settled,
)
from recapd.core.views.recap.items import cited, file_item, last_record, root_of, step_item
from recapd.core.views.recap.next import next_section
from recapd.core.views.recap.page import Block, Page, head_of, room_below, write
from recapd.core.views.recap.produced import (
    failed_end,
    goes_without_saying,
    is_over,
    milestone_words,
    note_item,
    state_item,
    state_section,
    where_it_is,
)
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import (
    LAST_ASKED,
    asked_in_full,
    asked_section,
    first_asked,
    focus_section,
    is_still_the_first,
    last_asked,
)
from recapd.core.views.recap.short import said_unasked
from recapd.core.views.recap.summarized import pending_items
from recapd.core.views.recap.summary import tools_used
from recapd.core.views.recap.telling import Telling, telling_of
from recapd.core.views.recap.timeline import segments_of, timeline_items, timeline_line
from recapd.core.views.recap.view import Cited, Item, Section, Wording, as_list, coded, in_a_line, joined, worded
from recapd.core.views.recap.words import brief, command_line, lasting, short_names

_REQUEST_CHARS: Final = 260
_LINE_CHARS: Final = 200
_NEXT_CHARS: Final = 300
_DECISION_CHARS: Final = 120
_LEAST_DECISIONS: Final = 3
# Of those without proof: they are told to be looked up.
_DOUBTFUL: Final = 3
_DOUBTFUL_CHARS: Final = 75
_DECISIONS_SHARE: Final = 0.26
_FILES: Final = 8
_ITEMS: Final = 6
_ITEM_CHARS: Final = 140
_NOTES: Final = 2
_TOOLS: Final = 5
_REACHED: Final = 3
_OUTCOME_CHARS: Final = 80
# The timeline gets at least this share of a page, if it has so much to tell.
_TIMELINE_SHARE: Final = 0.4
# A page that has more than that to tell tells no single steps.
_LITTLE_SHARE: Final = 0.6
# What is as needed as this gives way for it no more.
_SPARED_RANK: Final = 3


def full_page(recap: Recap, settings: RecapSettings, *, max_tokens: int, collapsible: bool, resume: str) -> Page:
    head = head_of("full", recap.turn)
    room = room_below(head, max_tokens=max_tokens, collapsible=collapsible)
    telling = telling_of(recap)
    before, after = _frame(recap, settings, resume, _decisions(recap, settings, telling.weights, room))
    budget = room - round(room * _TIMELINE_SHARE) if len(recap.turns) > 1 else room
    before, after = _thinned(before, after, budget)
    timeline = _timeline(recap, telling, before, after, room)
    # Single steps are for sessions that have little else to tell.
    for more in (_actions(recap, settings), _tools(recap)):
        if more is not None and _is_room(round(room * _LITTLE_SHARE), [*before, *timeline, *after], more.text):
            timeline.append(more)
    return Page(head, (*before, *timeline, *after), separator="\n\n")


def _is_room(room: int, parts: list[Block], more: str) -> bool:
    return estimate_tokens("\n\n".join((*(part.text for part in parts), more))) <= room


def full_markdown(
    recap: Recap,
    *,
    max_tokens: int = DEFAULTS.recap.full_max_tokens,
    collapsible: bool = False,
    settings: RecapSettings = DEFAULTS.recap,
    resume: str = "",
) -> str:
    page = full_page(recap, settings, max_tokens=max_tokens, collapsible=collapsible, resume=resume)
    return write(page, max_tokens=max_tokens, collapsible=collapsible).text


def _frame(
    recap: Recap, settings: RecapSettings, resume: str, decisions: list[Item]
) -> tuple[list[Block], list[Block]]:
    before: list[Block] = []
    if recap.original and (asked := first_asked(recap, _REQUEST_CHARS)).line:
        before.append(_line(1, asked_section(recap, "Original request", asked)))
    if decisions:
        total = recap.decisions_before + len(recap.decisions)
        section = Section("decisions", "Key decisions", tuple(decisions), total)
        before.append(Block(0, as_list(section, [decision_line(item) for item in decisions]), section))
    if settings.show_decisions and (doubtful := less_certain_section(recap, _DOUBTFUL, _DOUBTFUL_CHARS)):
        before.append(Block(6, less_certain_line(doubtful), doubtful))
    after = [block for block in (_progress(recap), _files(recap), _open(recap)) if block is not None]
    left = next_section(recap, _NEXT_CHARS)
    unasked = said_unasked(recap)
    if unasked:
        after.append(_line(2, Section("recent", "Recent", tuple(unasked)), " · "))
    # One request is told once.
    elif not is_still_the_first(recap):
        last = last_asked(recap, _LINE_CHARS)
        title = LAST_ASKED if is_over(recap, left) and last.requests else "Current focus"
        after.append(_line(2, focus_section(recap, title, last)))
    if left is not None:
        after.append(_line(3, left))
    # What is asked is not told twice.
    said = 0 if left is not None and recap.standing.question else _LINE_CHARS
    stands = None if goes_without_saying(recap, left) else state_item(recap, said)
    state = state_section(recap, [stands, failed_end(recap, _OUTCOME_CHARS), *where_it_is(recap)])
    if state.items:
        after.append(_line(2, state, " · "))
    notes = [note_item(recap, note) for note in contradictions(recap)[:_NOTES]]
    after += [_line(3, Section("contradictions", "⚠ Contradiction", (note,))) for note in notes]
    if resume:
        after.append(resume_block(recap, 7, resume))
    return before, after


def _line(rank: int, section: Section, separator: str = "; ") -> Block:
    return Block(rank, in_a_line(section, separator), section)


def resume_block(recap: Recap, rank: int, command: str) -> Block:
    """The agent's own command to go on."""
    item = Item(key="resume", wording=coded(command), turn=recap.turn, cited=())
    return _line(rank, Section("resume", "Go on with it", (item,)))


def _decisions(recap: Recap, settings: RecapSettings, weights: Mapping[str, float], room: int) -> list[Item]:
    """Those that matter most within their share of the page, in the order of the log; three whatever the share."""
    entries = settled(recap)
    if not settings.show_decisions or not entries:
        return []
    memory = recap.session.memory
    shown: list[Entry] = []
    by_worth = ranked(entries, recap.turn, memory=memory, weights=weights, known=asked_in_full(recap))
    for entry in by_worth[: settings.full_decisions]:
        items = decision_items(recap, [*shown, entry], _DECISION_CHARS)
        lines = [decision_line(item) for item in items]
        if len(shown) >= _LEAST_DECISIONS and estimate_tokens("\n".join(lines)) > room * _DECISIONS_SHARE:
            break
        shown.append(entry)
    return decision_items(recap, shown, _DECISION_CHARS)


def _thinned(before: list[Block], after: list[Block], budget: int) -> tuple[list[Block], list[Block]]:
    """Without the parts of highest rank that would leave the timeline too little."""
    kept = drop_to_fit(
        [*before, *after],
        lambda parts: estimate_tokens("\n\n".join(part.text for part in parts)) <= budget,
        least_rank=_SPARED_RANK + 1,
    )
    return [part for part in before if part in kept], [part for part in after if part in kept]


def _timeline(recap: Recap, telling: Telling, before: list[Block], after: list[Block], room: int) -> list[Block]:
    if not recap.turns:
        return []
    above, below = [part.text for part in before], [part.text for part in after]
    empty = Section("timeline", "Timeline", ())

    def left(lines: Sequence[str]) -> int:
        return room - estimate_tokens("\n\n".join((*above, as_list(empty, lines), *below)))

    items = timeline_items(
        recap,
        segments_of(recap),
        telling,
        known=" ".join((*above, *below)),
        shown_elsewhere=[each.place.offset for each in (recap.original, recap.focus) if each],
        room=left,
    )
    section = msgspec.structs.replace(empty, items=tuple(items))
    return [Block(4, as_list(section, [timeline_line(item) for item in items]), section)] if items else []


def _actions(recap: Recap, settings: RecapSettings) -> Block | None:
    """What was done last, told briefly: the results stand in the timeline."""
    steps = recap.steps[-settings.full_actions :] if settings.full_actions else ()
    # Of those that read the same, the last.
    found = {item.wording.marked: item for item in (step_item(recap, each, brief(each.fact)) for each in steps)}
    return _line(8, Section("actions", "Recent actions", tuple(found.values()))) if found else None


def _tools(recap: Recap) -> Block | None:
    """Which tools were used, how often in vain, and on what."""
    last = {step.tool: step.place for step in recap.session.main.transcript.steps}
    items = [
        Item(
            key=f"tool {use.tool}",
            wording=worded(f"{clean_line(use.tool)} {describe_uses(use)}"),
            turn=recap.turn,
            # Where no use of it is told, the last; of a sub-agent's or of long ago, where the log has come to.
            cited=cited(recap, *(each.place for each in use.uses))
            or cited(recap, last.get(use.tool) or last_record(recap)),
        )
        for use in tools_used(recap)[:_TOOLS]
    ]
    return _line(9, Section("tools", "Tools used", tuple(items))) if items else None


def _progress(recap: Recap) -> Block | None:
    found: list[Item] = []
    progress = recap.progress
    if progress.named_stages:
        places = tuple(Cited(recap.session.main, place) for place in progress.named_at)
        found.append(Item(key="stages", wording=worded(progress.named_stages), turn=recap.turn, cited=places))
    place = recap.session.main.transcript.todos_place
    at = _turn_of(recap, place) if place is not None else 0
    # A list that was done before something else was asked is of the past.
    if (counted := progress.counted) and (at == recap.turn or len(progress.done) < len(counted)):
        told: list[Wording | str] = [f"{len(progress.done)} of {len(counted)} tasks done"]
        told += [f" (turn {at})"] if at and at < recap.turn else []
        told += [", now: ", worded(one_line(progress.current.text, 100))] if progress.current else []
        found.append(Item(key="todo", wording=joined(told), turn=recap.turn, cited=cited(recap, place)))
    # Commits stand with the turns that made them.
    proven = [each for each in progress.milestones if each.sort in ("tests", "build")][-2:]
    proven += [each for each in progress.milestones if not each.sort and each.commit is None][-_REACHED:]
    for each in {each.text: each for each in proven}.values():
        wording = worded(one_line(milestone_words(recap, each), 120))
        found.append(
            Item(
                key=f"milestone {each.turn} {each.text}",
                wording=wording,
                turn=each.turn,
                at=each.at,
                cited=cited(recap, each.place),
                ok=True,
            )
        )
    is_open = any(item.kind == "failure" for item in recap.items)
    if recap.tests and recap.tests[-1].fact.ok is False and not is_open:
        last = recap.tests[-1]
        counted_text = f"{last.fact.failed} failed" if last.fact.failed else "failed"
        command = coded(one_line(command_line(last.fact.command), 80))
        found.append(
            Item(
                key=f"tests {last.turn} {last.fact.at}",
                wording=joined((f"last test run {counted_text}: ", command)),
                turn=last.turn,
                at=last.fact.at,
                cited=(Cited(last.source, last.fact.place),),
                by=last.via,
                ok=False,
            )
        )
    return _line(5, Section("progress", "Progress", tuple(found))) if found else None


def _turn_of(recap: Recap, place: Place) -> int:
    """The number of the turn that a record is part of; 0 before the first."""
    before = (turn.number for turn in reversed(recap.turns) if turn.request.place.offset <= place.offset)
    return next(before, 0)


def _files(recap: Recap) -> Block | None:
    changed = [each for each in recap.files if is_changed(each.fact) and each.fact.path.strip()]
    if not changed:
        return None
    kept = lasting([each.fact.path for each in changed])
    changed = [each for each, is_kept in zip(changed, kept, strict=True) if is_kept]
    names = short_names([relative(each.fact.path, root_of(recap)) for each in changed], most=_FILES)
    items = [file_item(row, coded(name)) for name, row in zip(names, changed, strict=False)]
    told = [
        item.wording.marked
        + ("" if item.status == "modified" else f" {item.status}")
        + (" (by a sub-agent)" if item.by else "")
        for item in items
    ]
    more = len(changed) - _FILES
    told += [f"… and {more} more"] if more > 0 else []
    section = Section("files", "Files changed", tuple(items), len(changed))
    return Block(6, f"**{section.title} ({section.total}):** {', '.join(told)}", section)


def open_work(recap: Recap) -> list[OpenItem]:
    """What is left, without what the state says already."""
    items = [item for item in recap.items if item.text.strip() and not item.is_said_by_standing]
    return [*items, *pending_items(recap)]


def _open(recap: Recap) -> Block | None:
    items = open_work(recap)
    if not items:
        return None
    told = [open_item(recap, item, one_line(command_line(item.text), _ITEM_CHARS)) for item in items[:_ITEMS]]
    section = Section("open", "Open", tuple(told), len(items))
    more = len(items) - _ITEMS
    return Block(3, as_list(section) + (f"\n- … and {more} more" if more > 0 else ""), section)


def open_item(recap: Recap, item: OpenItem, line: str) -> Item:
    return Item(
        key=f"open {item.kind} {item.text}",
        wording=worded(line),
        turn=recap.turn,
        cited=cited(recap, item.place),
        status=item.kind,
    )
