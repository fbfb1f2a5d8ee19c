"""A context for an agent that resumes: what it must know first, within a budget that is never exceeded.

    <recapd-past …>                      label and fence
    system prompt
    request, decisions, rolling summary  ── the prefix: changes only when they do
    turns since the summary              told from the state
    open items, files                    told from the state
    what is relevant to the prompt       found anywhere in the conversation
    recent messages, word for word       whole exchanges
    </recapd-past>

Two steps: `plan_of` says what to read of the log, `assembled` writes everything down. Budgets go from the top: what
must not be missing has its share first, and what is left goes to the turns before the window.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core.log import Place
from recapd.core.settings import WindowSettings
from recapd.core.state import Session, Transcript
from recapd.core.summaries import RollingSummary, previous_of
from recapd.core.text import CLOSE, OPEN, count_for_budget
from recapd.core.views.context.earlier import (
    GAP_TOKENS,
    Told,
    earlier_section,
    summary_text,
    turns_between,
    unasked_between,
)
from recapd.core.views.context.facts import (
    decisions_section,
    files_section,
    pinned_section,
    progress_section,
    request_section,
    warning_section,
)
from recapd.core.views.context.lines import Section, SectionName, cost, flat
from recapd.core.views.context.lost import last_summary, lost_section
from recapd.core.views.context.presets import Preset
from recapd.core.views.context.relevant import Found, relevant_section
from recapd.core.views.context.shares import Shares, shares_of
from recapd.core.views.context.window import Exchange, Window, exchanges_in, recent_section, window_of
from recapd.core.views.recap import Recap

# Where even the label is a large part of the budget, the tag alone must do.
_SHORT_OPEN: Final = "<recapd-past>"
_SMALL: Final = 60
# What the agent was told to be may have so much of a context.
_PINNED_SHARE: Final = 5
_MOST_PINNED: Final = 1_500
# A turn before the window in its usual form.
_TURN_TOKENS: Final = 60


# Why a section is not there: nothing is known, no room was left, nobody wanted it, or the log was deleted.
OmittedReason: TypeAlias = Literal["empty", "budget", "notIncluded", "sourceGone"]


class Omitted(Struct, frozen=True):
    name: SectionName
    reason: OmittedReason
    tokens: int = 0


class Plan(Struct, frozen=True):
    """What the caller asked for, what is told of it already, and what has to be read for the rest."""

    preset: Preset
    max_tokens: int
    wanted: frozenset[SectionName]
    shares: Shares
    # Sections that are told from the state alone, why others are not, and what is left for the rest.
    made: Mapping[SectionName, Section]
    absent: Mapping[SectionName, OmittedReason]
    left: int
    exchanges: tuple[Exchange, ...]
    window_room: int
    # Messages before this one may be looked for in the log.
    messages: int


class Assembled(Struct, frozen=True):
    """A context: the text up to the messages at the end, those messages, and what it covers."""

    sections: tuple[Section, ...]
    omitted: tuple[Omitted, ...]
    head: str
    # The first lines of `head` that change only when the request, the decisions or the summary do.
    prefix: str
    tail: str
    window: Window | None
    summarized_through: int | None
    verbatim_from: int | None

    @property
    def text(self) -> str:
        return "\n".join(part for part in (self.head, self.tail) if part)


def plan_of(
    recap: Recap,
    *,
    preset: Preset,
    window: WindowSettings,
    max_tokens: int,
    include: Sequence[str],
    has_prompt: bool,
    summaries: Sequence[RollingSummary],
    instructions: Sequence[tuple[str, Place]] = (),
) -> Plan:
    """What the state tells by itself, and which exchanges may be given word for word beside it."""
    # What a summary lost is for those who ask: everybody else has the rest of the context.
    wanted = frozenset(name for name in preset.order if (name in include if include else name != "lost"))
    total = max_tokens - _frame_cost(preset, max_tokens)
    is_alone = len(wanted) == 1
    pinned_room = total if is_alone else min(total // _PINNED_SHARE, _MOST_PINNED)
    pinned = pinned_section(instructions, preset, pinned_room) if instructions and "pinned" in wanted else None
    rest = total - (cost(pinned.text) if pinned is not None else 0)
    shares = shares_of(rest, wanted - {"pinned"}, has_prompt=has_prompt)
    made, absent = _told_from_state(recap, preset, wanted, shares)
    if pinned is not None:
        made["pinned"] = pinned
    elif "pinned" in wanted:
        absent["pinned"] = "budget" if instructions else "empty"
    left = total - sum(cost(section.text) for section in made.values())
    transcript = recap.session.main.transcript
    # Turns before the window need room too, but no more than there are.
    earlier = min(shares.summary, len(recap.turns) * _TURN_TOKENS + (shares.summary if summaries else 0))
    room = left - earlier - shares.relevant if shares.recent and preset.has_window and "recent" in wanted else 0
    exchanges = exchanges_in(transcript, window, room) if room > 0 else ()
    return Plan(preset, max_tokens, wanted, shares, made, absent, left, exchanges, room, transcript.totals.messages)


def _told_from_state(
    recap: Recap, preset: Preset, wanted: frozenset[SectionName], shares: Shares
) -> tuple[dict[SectionName, Section], dict[SectionName, OmittedReason]]:
    """The sections whose room depends on nothing but the budget, so that they stay the same while others move."""
    standing, files, memory = recap.standing, recap.stats.files_changed, recap.session.memory
    holding = any(entry.status == "active" for entry in recap.decisions)
    # Name, the section in its room, and whether there is anything to tell at all.
    tellers: list[tuple[SectionName, Callable[[], Section | None], bool]] = [
        ("warning", lambda: warning_section(standing, preset, shares.progress), False),
        ("request", lambda: request_section(recap.original, preset, shares.request), recap.original is not None),
        ("decisions", lambda: decisions_section(recap.decisions, preset, shares.decisions, memory=memory), holding),
        ("progress", lambda: progress_section(recap, preset, shares.progress), True),
        ("files", lambda: files_section(recap, preset, shares.files), files > 0),
    ]
    made: dict[SectionName, Section] = {}
    absent: dict[SectionName, OmittedReason] = {}
    for name, tell, is_something in tellers:
        if name not in wanted:
            continue
        section = tell()
        if section is not None:
            made[name] = section
        else:
            absent[name] = "budget" if is_something else "empty"
    return made, absent


def fitted_window(session: Session, plan: Plan, texts: Sequence[Sequence[str]]) -> Window | None:
    """The exchanges that fit beside the rest: what is relevant is looked for before them."""
    if not plan.exchanges:
        return None
    window = window_of(session, plan.exchanges, texts, preset=plan.preset, room=plan.window_room)
    return window if window is not None and window.messages else None


def assembled(
    recap: Recap,
    plan: Plan,
    *,
    window: Window | None,
    found: Sequence[Found],
    summaries: Sequence[RollingSummary],
    tell_unasked: Callable[[int], str] | None = None,
    is_gone: bool = False,
) -> Assembled:
    """The context from the state and what was read; `is_gone` where the log could not be read any more.

    `tell_unasked` tells what went on before anybody asked for anything, within so many tokens.
    """
    preset, wanted, shares = plan.preset, plan.wanted, plan.shares
    transcript = recap.session.main.transcript
    left = plan.left
    made, absent = dict(plan.made), dict(plan.absent)

    def put(name: SectionName, section: Section | None, *, is_empty: bool) -> None:
        nonlocal left
        if section is not None:
            made[name] = section
            left -= cost(section.text)
        else:
            absent[name] = "empty" if is_empty else "budget"

    # What the messages at the end stand for, shortened or not, need not be told before them.
    first_recent = window.first if window is not None else plan.messages
    if window is not None:
        put("recent", recent_section(window, preset), is_empty=False)
    else:
        absent["recent"] = "sourceGone" if is_gone else "budget" if plan.messages else "empty"
    summary = previous_of(summaries, first_recent) if "summary" in wanted else None
    stored = summary_text(summary, preset, shares.summary, memory=recap.session.memory) if summary is not None else ""
    reserved = cost(f"{preset.headings['summary']}\n{stored}") + GAP_TOKENS if stored else 0
    left -= reserved
    if "lost" in wanted:
        put("lost", lost_section(recap, preset, left), is_empty=last_summary(recap.session) is None)
    if "relevant" in wanted:
        turns = {row: turn.number for row, turn in enumerate(transcript.turns)} if found else {}
        room = left if shares.relevant_takes_rest else min(left, shares.relevant)
        elsewhere = [each for each in found if not _stands_in(window, each)]
        put("relevant", relevant_section(elsewhere, turns, preset, room), is_empty=not elsewhere)
    left += reserved
    if "summary" in wanted:
        after = summary.coverage.last + 1 if stored and summary else 0
        made_of = transcript.utterances, transcript.turns, after, first_recent
        told = recap.session.memory.recall(_turns_told, made_of, "told", transcript)
        unasked = unasked_between(transcript, after, first_recent)
        section = earlier_section(
            preset,
            summary=summary,
            stored=stored,
            told=told,
            unasked=unasked,
            tell_unasked=tell_unasked,
            through=first_recent - 1,
            room=left,
            memory=recap.session.memory,
        )
        if section is not None and not (section.places or unasked or made):
            # That something is left out is worth saying beside what is not.
            section = None
        put("summary", section, is_empty=not told and not stored and not unasked)
    return _written(plan, made, absent, window=window, stored=stored)


def _turns_told(made_of: tuple[object, object, int, int], transcript: Transcript) -> Sequence[Told]:
    *_, first, before = made_of
    return turns_between(transcript, first, before)


def _stands_in(window: Window | None, found: Found) -> bool:
    """Whether a passage is among the messages that are given word for word, or what is left of them."""
    if window is None:
        return False
    its_messages = [message.text for message in window.messages if message.place == found.unit.place]
    return any(found.passage.line in flat(text) for text in its_messages)


def _written(
    plan: Plan,
    made: dict[SectionName, Section],
    absent: dict[SectionName, OmittedReason],
    *,
    window: Window | None,
    stored: str,
) -> Assembled:
    preset = plan.preset
    sections = tuple(made[name] for name in preset.order if name in made)
    omitted = [Omitted(name, "notIncluded") for name in preset.order if name not in plan.wanted]
    omitted += [Omitted(name, absent[name]) for name in preset.order if name in plan.wanted and name in absent]
    omitted += [Omitted(each.name, "budget", each.left_out) for each in sections if each.left_out]
    opening = _opening(preset, plan.max_tokens)
    told = [each for each in sections if each.name != "recent"]
    warned = [each.text for each in told if each.name == "warning"]
    titled = [preset.title] if preset.title and len(told) > len(warned) else []
    before = [*warned, *titled, *(each.text for each in told if each.name != "warning")]
    recent = made["recent"].text if "recent" in made else ""
    if not sections:
        nothing = f"{opening}\n{preset.nothing}" if preset.nothing and not plan.messages else ""
        before = [preset.nothing] if nothing and cost(nothing) + cost(CLOSE) <= plan.max_tokens else []
    head = "\n".join([opening, *before]) if before or recent else ""
    tail = "\n".join(part for part in (recent, CLOSE) if part) if head else ""
    covered = made["summary"].last if "summary" in made else None
    if window is not None and not window.is_whole:
        covered = window.last
    return Assembled(
        sections=sections,
        omitted=tuple(omitted),
        head=head,
        prefix=_prefix(opening, preset, made, stored) if head else "",
        tail=tail,
        window=window,
        summarized_through=covered,
        verbatim_from=window.first if window is not None and window.is_whole else None,
    )


def _prefix(opening: str, preset: Preset, made: dict[SectionName, Section], stored: str) -> str:
    """The beginning of the text, as far as nothing in it moves when the session only grows."""
    parts = [opening]
    for name in preset.order:
        if name == "summary" and name in made and stored:
            parts.append(f"{preset.headings[name]}\n{stored}")
            break
        if name not in ("pinned", "request", "decisions"):
            break
        if name in made:
            parts.append(made[name].text)
    return "\n".join(parts)


def _opening(preset: Preset, max_tokens: int) -> str:
    opening = OPEN if max_tokens >= _SMALL else _SHORT_OPEN
    return f"{opening}\n{preset.opening}" if preset.opening and max_tokens >= 2 * _SMALL else opening


def _frame_cost(preset: Preset, max_tokens: int) -> int:
    return (
        cost(_opening(preset, max_tokens)) + (cost(preset.title) if preset.title else 0) + count_for_budget(CLOSE) + 1
    )
