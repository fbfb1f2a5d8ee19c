"""The full recap: a page that tells a newcomer how the conversation went and where it stands.

Request, decisions with who and what became of them, timeline by topic, what came of the last turn, files, what is
open, focus, state, and the agent's own command to go on. The timeline takes the room that the rest leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from recapd.core.decisions import Entry
from recapd.core.hygiene import code_span, escape_markdown
from recapd.core.settings import DEFAULTS, RecapSettings
from recapd.core.state import describe, is_changed, relative
from recapd.core.text import PAGE_HEADS, Part, drop_to_fit, estimate_tokens, one_line
from recapd.core.views.recap.canary import contradictions
from recapd.core.views.recap.decisions import decision_lines, ranked
from recapd.core.views.recap.page import Page, room_below, written
from recapd.core.views.recap.produced import where_it_is
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import asked_in_full, asked_line, focus_line
from recapd.core.views.recap.short import MARKDOWN, UNJUDGED, failed_end, state_words
from recapd.core.views.recap.telling import Telling, telling_of
from recapd.core.views.recap.timeline import segments_of, timeline_lines
from recapd.core.views.recap.words import brief, command_line, lasting, said, short_names

_REQUEST_CHARS: Final = 260
_LINE_CHARS: Final = 200
_DECISION_CHARS: Final = 120
_LEAST_DECISIONS: Final = 3
_DECISIONS_SHARE: Final = 0.26
_FILES: Final = 8
_ITEMS: Final = 6
_ITEM_CHARS: Final = 140
_NOTES: Final = 2
_OUTCOME_CHARS: Final = 80
# The timeline gets at least this share of a page, if it has so much to tell.
_TIMELINE_SHARE: Final = 0.4
# What is as needed as this gives way for it no more.
_SPARED_RANK: Final = 3


def full_page(recap: Recap, settings: RecapSettings, *, max_tokens: int, collapsible: bool, resume: str) -> Page:
    head = f"{PAGE_HEADS['full']} (turn {recap.turn})"
    room = room_below(head, max_tokens=max_tokens, collapsible=collapsible)
    telling = telling_of(recap)
    before, after = _frame(recap, resume, _decisions(recap, settings, telling.weights, room))
    budget = room - round(room * _TIMELINE_SHARE) if len(recap.turns) > 1 else room
    before, after = _thinned(before, after, budget)
    timeline = _timeline(recap, telling, before, after, room)
    # Single steps are for sessions that have little else to tell.
    if (actions := _actions(recap, settings)) and _is_room(room, [*before, *timeline, *after], actions):
        timeline.append(Part(8, actions))
    return Page(head, (*before, *timeline, *after), separator="\n\n")


def _is_room(room: int, parts: list[Part], more: str) -> bool:
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
    return written(page, max_tokens=max_tokens, collapsible=collapsible)


def _frame(recap: Recap, resume: str, decisions: list[str]) -> tuple[list[Part], list[Part]]:
    before: list[Part] = []
    if recap.original:
        before.append(Part(1, f"**Original request:** {said(asked_line(recap, _REQUEST_CHARS))}"))
    if decisions:
        before.append(Part(0, "\n".join(("**Key decisions:**", *decisions))))
    after = [Part(rank, text) for rank, text in ((5, _progress(recap)), (6, _files(recap)), (3, _open(recap))) if text]
    after.append(Part(2, f"**Current focus:** {said(focus_line(recap, _LINE_CHARS))}"))
    known = UNJUDGED if recap.unjudged else ""
    state = (state_words(recap, _LINE_CHARS), failed_end(recap, _OUTCOME_CHARS), *where_it_is(recap), known)
    after.append(Part(2, f"**State:** {' · '.join(each for each in state if each)}"))
    after += [Part(3, f"**⚠ Contradiction:** {said(note)}") for note in contradictions(recap)[:_NOTES]]
    if resume:
        after.append(Part(7, f"**Go on with it:** {code_span(resume)}"))
    return before, after


def _decisions(recap: Recap, settings: RecapSettings, weights: Mapping[str, float], room: int) -> list[str]:
    """Those that matter most within their share of the page, in the order of the log; three whatever the share."""
    if not settings.show_decisions or not recap.decisions:
        return []
    memory = recap.session.memory
    shown: list[Entry] = []
    by_worth = ranked(recap.decisions, recap.turn, memory=memory, weights=weights, known=asked_in_full(recap))
    for entry in by_worth[: settings.full_decisions]:
        lines = decision_lines(recap.decisions, [*shown, entry], _DECISION_CHARS, memory=memory)
        if len(shown) >= _LEAST_DECISIONS and estimate_tokens("\n".join(lines)) > room * _DECISIONS_SHARE:
            break
        shown.append(entry)
    return decision_lines(recap.decisions, shown, _DECISION_CHARS, memory=memory)


def _thinned(before: list[Part], after: list[Part], budget: int) -> tuple[list[Part], list[Part]]:
    """Without the parts of highest rank that would leave the timeline too little."""
    kept = drop_to_fit(
        [*before, *after],
        lambda parts: estimate_tokens("\n\n".join(part.text for part in parts)) <= budget,
        least_rank=_SPARED_RANK + 1,
    )
    return [part for part in before if part in kept], [part for part in after if part in kept]


def _timeline(recap: Recap, telling: Telling, before: list[Part], after: list[Part], room: int) -> list[Part]:
    if not recap.turns:
        return []
    label = "**Timeline:**"
    above, below = [part.text for part in before], [part.text for part in after]

    def left(lines: Sequence[str]) -> int:
        return room - estimate_tokens("\n\n".join((*above, "\n".join((label, *lines)), *below)))

    lines = timeline_lines(
        recap,
        segments_of(recap),
        telling,
        known=" ".join((*above, *below)),
        shown_elsewhere=[each.place.offset for each in (recap.original, recap.focus) if each],
        room=left,
    )
    return [Part(4, "\n".join((label, *lines)))] if lines else []


def _actions(recap: Recap, settings: RecapSettings) -> str:
    """What was done last, told briefly: the results stand in the timeline."""
    steps = recap.steps[-settings.full_actions :] if settings.full_actions else ()
    told = [describe(brief(each.fact), _root(recap), MARKDOWN) for each in steps]
    return "**Recent actions:** " + "; ".join(told) if told else ""


def _progress(recap: Recap) -> str:
    told: list[str] = []
    if counted := recap.progress.counted:
        now = f", now: {said(one_line(recap.progress.current.text, 100))}" if recap.progress.current else ""
        told.append(f"{len(recap.progress.done)} of {len(counted)} tasks done{now}")
    proven = [each for each in recap.progress.milestones if each.sort in ("tests", "build")]
    told += dict.fromkeys(said(one_line(each.text, 120)) for each in proven[-2:])
    is_open = any(item.kind == "failure" for item in recap.items)
    if recap.tests and recap.tests[-1].fact.ok is False and not is_open:
        run = recap.tests[-1].fact
        counted_text = f"{run.failed} failed" if run.failed else "failed"
        told.append(f"last test run {counted_text}: {code_span(one_line(command_line(run.command), 80))}")
    return "**Progress:** " + "; ".join(told) if told else ""


def _files(recap: Recap) -> str:
    changed = [each for each in recap.files if is_changed(each.fact) and each.fact.path.strip()]
    if not changed:
        return ""
    kept = lasting([each.fact.path for each in changed])
    changed = [each for each, is_kept in zip(changed, kept, strict=True) if is_kept]
    names = short_names([relative(each.fact.path, _root(recap)) for each in changed], most=_FILES)
    told = [
        code_span(name)
        + ("" if each.fact.action == "modified" else f" {each.fact.action}")
        + (f" (by {escape_markdown(each.via)})" if each.via else "")
        for name, each in zip(names, changed, strict=False)
    ]
    more = len(changed) - _FILES
    return f"**Files changed ({len(changed)}):** " + ", ".join(told + ([f"… and {more} more"] if more > 0 else []))


def _open(recap: Recap) -> str:
    # What the state says already is not said twice.
    items = [item for item in recap.items if item.text.strip() and not item.is_said_by_standing]
    if not items:
        return ""
    lines = [f"- {said(one_line(command_line(item.text), _ITEM_CHARS))}" for item in items[:_ITEMS]]
    more = len(items) - _ITEMS
    return "**Open:**\n" + "\n".join(lines + ([f"- … and {more} more"] if more > 0 else []))


def _root(recap: Recap) -> str:
    return next(iter(recap.session.main.transcript.cwds), "")
