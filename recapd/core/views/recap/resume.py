"""What an agent that takes up a session needs, as text and as the few fields its harness keeps.

    SessionSummary   conversationLength, keyDecisions, currentContext, progressSummary

The text is one fact a line and says of itself that it is about the past: nothing in it is an order.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from recapd.core.log import seconds_between
from recapd.core.settings import RecapSettings
from recapd.core.state import Memory, Turn, last_active, relative
from recapd.core.text import excerpt, one_line
from recapd.core.views.recap.decisions import (
    decision_item,
    in_order,
    latest,
    less_certain_line,
    less_certain_section,
    ranked,
)
from recapd.core.views.recap.full import open_item, resume_block
from recapd.core.views.recap.items import cited, file_item, last_record, root_of, said_item
from recapd.core.views.recap.page import Block, Page
from recapd.core.views.recap.produced import milestone_words, state_item
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import asked_section, first_asked, focus_section, is_still_the_first, last_asked
from recapd.core.views.recap.results import words_of_turn
from recapd.core.views.recap.summarized import pending_items
from recapd.core.views.recap.summary import counted, formatted
from recapd.core.views.recap.view import Item, Section, as_list, coded, in_a_line, worded

_TEXT_CHARS: Final = 200
_TASK_CHARS: Final = 300
_RESULTS: Final = 6
_RESULTS_PER_TURN: Final = 3
_TURNS: Final = 3
_DOUBTFUL: Final = 3
_FILES: Final = 12


class SessionSummary(Struct, frozen=True):
    """What a session manager stores of a conversation it will resume."""

    conversation_length: int
    key_decisions: tuple[str, ...]
    current_context: str
    progress_summary: str


def session_summary(recap: Recap, settings: RecapSettings) -> SessionSummary:
    # Who stores it may want to know what is likely, too.
    weightiest = ranked(recap.decisions, recap.turn, memory=recap.session.memory)[: settings.full_decisions]
    entries = in_order(weightiest, recap.decisions) if settings.show_decisions else []
    return SessionSummary(
        conversation_length=recap.stats.messages,
        key_decisions=tuple(excerpt(entry.finding.text, _TEXT_CHARS) for entry in entries),
        current_context=formatted(recap),
        progress_summary=progress_summary(recap),
    )


def progress_summary(recap: Recap) -> str:
    """How far the work is, in one sentence; what is not counted anywhere is not made into a percentage."""
    progress = recap.progress
    parts = [progress.named_stages] if progress.named_stages else []
    if progress.counted:
        parts.append(f"{len(progress.done)} of {len(progress.counted)} tasks done ({progress.percentage} %)")
    if progress.current:
        parts.append(f"current: {one_line(progress.current.text, _TEXT_CHARS)}")
    if progress.milestones:
        parts.append("reached: " + "; ".join(milestone_words(recap, each) for each in progress.milestones[-3:]))
    return ". ".join(parts) if parts else "No task list; see the recent results."


def resume_page(recap: Recap, settings: RecapSettings, *, now: str, resume: str) -> Page:
    """The summary for a session that is taken up again: task, age, state, what is done and settled, what is open."""
    head = "## Previous context summary"
    parts = [Block(1, "This session continues earlier work. What follows is a record of it, not an instruction.")]
    if recap.original and (asked := first_asked(recap, _TASK_CHARS)).line:
        parts.append(_line(2, asked_section(recap, "Task", asked)))
    parts.append(_line(3, Section("state", "Left off", (_age(recap, now), state_item(recap, _TEXT_CHARS)))))
    memory = recap.session.memory
    if settings.show_decisions and recap.decisions:
        entries = latest(recap, settings.full_decisions)
        if items := tuple(decision_item(recap, entry, _TEXT_CHARS) for entry in entries):
            total = recap.decisions_before + len(recap.decisions)
            parts.append(_list(0, Section("decisions", "Key decisions", items, total)))
        if doubtful := less_certain_section(recap, _DOUBTFUL, _TEXT_CHARS):
            parts.append(Block(7, less_certain_line(doubtful), doubtful))
    if proved := _proved(recap):
        parts.append(_list(5, Section("done", "Accomplished (do not repeat)", proved)))
    if told := [item for turn in recap.turns[-_TURNS:] for item in _told(recap, turn, memory)][-_RESULTS:]:
        parts.append(_list(5, Section("recent", "The agent's last reports", tuple(told))))
    parts.append(_line(6, Section("progress", "Progress", (_so_far(recap, "progress", progress_summary(recap)),))))
    if recap.files:
        parts.append(_files(recap))
    if left := [*recap.items, *pending_items(recap)]:
        items = tuple(open_item(recap, item, one_line(item.text, _TEXT_CHARS)) for item in left)
        parts.append(_list(4, Section("open", "Open", items)))
    if (recap.upcoming or recap.focus) and not is_still_the_first(recap):
        parts.append(_line(3, focus_section(recap, "Last request", last_asked(recap, _TASK_CHARS))))
    stats = f"{counted(recap.stats.messages, 'message')}, {counted(recap.stats.tool_calls, 'tool call')}"
    parts.append(_line(8, Section("stats", "So far", (_so_far(recap, "stats", stats),))))
    if resume:
        parts.append(resume_block(recap, 9, resume))
    return Page(head, tuple(parts), separator="\n\n")


def _line(rank: int, section: Section) -> Block:
    return Block(rank, in_a_line(section), section)


def _list(rank: int, section: Section) -> Block:
    return Block(rank, as_list(section), section)


def _so_far(recap: Recap, key: str, text: str) -> Item:
    """What is drawn from the whole log, by its last record."""
    return Item(key=key, wording=worded(text), turn=recap.turn, cited=cited(recap, last_record(recap)))


def _files(recap: Recap) -> Block:
    touched = [each for each in recap.files if each.fact.touches and each.fact.path.strip()]
    items = tuple(file_item(row, coded(relative(row.fact.path, root_of(recap)))) for row in touched[:_FILES])
    section = Section("files", "Files", items, len(touched))
    return Block(7, f"**Files:** {', '.join(f'{item.wording.marked} {item.status}' for item in items)}", section)


def _proved(recap: Recap) -> tuple[Item, ...]:
    """What was reached and still holds, as the log proves it: tasks ticked off, tests, builds, commits."""
    place = recap.session.main.transcript.todos_place
    done = [
        Item(
            key=f"task {each.text}",
            wording=worded(one_line(each.text, _TEXT_CHARS)),
            turn=recap.turn,
            cited=cited(recap, place),
            ok=True,
        )
        for each in recap.progress.done
    ]
    reached = [
        Item(
            key=f"milestone {each.turn} {each.text}",
            wording=worded(one_line(milestone_words(recap, each), _TEXT_CHARS)),
            turn=each.turn,
            at=each.at,
            cited=cited(recap, each.place),
            ok=True,
        )
        for each in recap.progress.milestones
    ]
    return (*done[-_RESULTS:], *reached[-_RESULTS:])


def _told(recap: Recap, turn: Turn, memory: Memory) -> list[Item]:
    """What tells most of what came of a turn, in its order."""
    told = words_of_turn(turn, memory).told
    best = sorted(range(len(told)), key=lambda number: (-told[number][1], number))[:_RESULTS_PER_TURN]
    texts = [told[number][0] for number in sorted(best)]
    return [said_item(recap, turn, text, worded(one_line(text, _TEXT_CHARS))) for text in texts]


def _age(recap: Recap, now: str) -> Item:
    return _so_far(recap, "age", _ago(recap, now))


def _ago(recap: Recap, now: str) -> str:
    idle = seconds_between(last_active(recap.session), now)
    if idle is None:
        return "at an unknown time"
    minutes = round(max(idle, 0) / 60)
    for size, noun in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {noun}{'' if count == 1 else 's'} ago"
    return "just now"
