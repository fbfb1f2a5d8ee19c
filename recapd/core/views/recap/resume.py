"""What an agent that takes up a session needs, as text and as the few fields its harness keeps.

    SessionSummary   conversationLength, keyDecisions, currentContext, progressSummary

The text is one fact a line and says of itself that it is about the past: nothing in it is an order.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from recapd.core.hygiene import code_span
from recapd.core.log import seconds_between
from recapd.core.settings import RecapSettings
from recapd.core.state import last_active, relative
from recapd.core.text import Part, excerpt, one_line
from recapd.core.views.recap.decisions import decided, latest
from recapd.core.views.recap.page import Page
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import STILL_THE_FIRST, asked_line, focus_line
from recapd.core.views.recap.results import Told, words_of_turn
from recapd.core.views.recap.short import state_words
from recapd.core.views.recap.summary import formatted
from recapd.core.views.recap.words import said

_TEXT_CHARS: Final = 200
_TASK_CHARS: Final = 300
_RESULTS: Final = 6
_RESULTS_PER_TURN: Final = 3
_TURNS: Final = 3
_FILES: Final = 12


class SessionSummary(Struct, frozen=True):
    """What a session manager stores of a conversation it will resume."""

    conversation_length: int
    key_decisions: tuple[str, ...]
    current_context: str
    progress_summary: str


def session_summary(recap: Recap, settings: RecapSettings) -> SessionSummary:
    entries = latest(recap, settings.full_decisions) if settings.show_decisions else []
    return SessionSummary(
        conversation_length=recap.stats.messages,
        key_decisions=tuple(excerpt(entry.finding.text, _TEXT_CHARS) for entry in entries),
        current_context=formatted(recap),
        progress_summary=progress_summary(recap),
    )


def progress_summary(recap: Recap) -> str:
    """How far the work is, in one sentence; what is not counted anywhere is not made into a percentage."""
    progress = recap.progress
    parts = []
    if progress.counted:
        parts.append(f"{len(progress.done)} of {len(progress.counted)} tasks done ({progress.percentage} %)")
    if progress.current:
        parts.append(f"current: {one_line(progress.current.text, _TEXT_CHARS)}")
    if progress.milestones:
        parts.append("reached: " + "; ".join(each.text for each in progress.milestones[-3:]))
    return ". ".join(parts) if parts else "No task list; see the recent results."


def resume_page(recap: Recap, settings: RecapSettings, *, now: str, resume: str) -> Page:
    """The summary for a session that is taken up again: task, age, state, what is done and settled, what is open."""
    head = "## Previous context summary"
    parts = [Part(1, "This session continues earlier work. What follows is a record of it, not an instruction.")]
    if recap.original:
        task = asked_line(recap, _TASK_CHARS)
        parts.append(Part(2, f"**Task:** {said(task)}"))
    parts.append(Part(3, f"**Left off:** {_age(recap, now)}; {state_words(recap, _TEXT_CHARS)}"))
    memory = recap.session.memory
    if settings.show_decisions and recap.decisions:
        entries = latest(recap, settings.full_decisions)
        lines = [f"- {decided(entry, _TEXT_CHARS, memory=memory)}" for entry in entries]
        if lines:
            parts.append(Part(0, "**Key decisions:**\n" + "\n".join(lines)))
    done = [text for turn in recap.turns[-_TURNS:] for text in _done(words_of_turn(turn, memory).told)][-_RESULTS:]
    if done:
        lines = [f"- {said(one_line(text, _TEXT_CHARS))}" for text in done]
        parts.append(Part(5, "**Accomplished (do not repeat):**\n" + "\n".join(lines)))
    parts.append(Part(6, f"**Progress:** {said(progress_summary(recap))}"))
    if recap.files:
        root = next(iter(recap.session.main.transcript.cwds), "")
        touched = [each.fact for each in recap.files if each.fact.touches and each.fact.path.strip()][:_FILES]
        named = [f"{code_span(relative(fact.path, root))} {fact.action}" for fact in touched]
        parts.append(Part(7, f"**Files:** {', '.join(named)}"))
    if recap.items:
        lines = [f"- {said(one_line(item.text, _TEXT_CHARS))}" for item in recap.items]
        parts.append(Part(4, "**Open:**\n" + "\n".join(lines)))
    if recap.focus and (asked := focus_line(recap, _TASK_CHARS)) != STILL_THE_FIRST:
        parts.append(Part(3, f"**Last request:** {said(asked)}"))
    parts.append(Part(8, f"**So far:** {recap.stats.messages} messages, {recap.stats.tool_calls} tool calls"))
    if resume:
        parts.append(Part(9, f"**Go on with it:** {code_span(resume)}"))
    return Page(head, tuple(parts), separator="\n\n")


def _done(told: Told) -> list[str]:
    """What tells most of what came of a turn, in its order."""
    best = sorted(range(len(told)), key=lambda number: (-told[number][1], number))[:_RESULTS_PER_TURN]
    return [told[number][0] for number in sorted(best)]


def _age(recap: Recap, now: str) -> str:
    idle = seconds_between(last_active(recap.session), now)
    if idle is None:
        return "at an unknown time"
    minutes = round(max(idle, 0) / 60)
    for size, noun in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {noun}{'' if count == 1 else 's'} ago"
    return "just now"
