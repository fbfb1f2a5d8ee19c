"""The sections of a context that are told from the state alone: request, decisions, what is open, files, a warning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from recapd.core.decisions import Entry, stands_on_proof
from recapd.core.log import Place
from recapd.core.state import Cause, Memory, Request, Standing, describe, is_changed, relative
from recapd.core.views.context.lines import Line, Section, begun_section, said, said_in_line, section_of
from recapd.core.views.context.presets import Preset
from recapd.core.views.recap import Recap, milestone_words, open_work, plainly
from recapd.core.views.state_words import standing_word

_REQUEST_CHARS: Final = 900
_DECISION_CHARS: Final = 220
_ITEM_CHARS: Final = 200
_PATH_CHARS: Final = 120
_ITEMS: Final = 10
_ACTIONS: Final = 3
_FILES: Final = 30
# What the user will not have broken, before what was merely chosen.
_LASTING: Final = frozenset(("constraint", "preference", "workflow", "scope"))


def pinned_section(instructions: Sequence[tuple[str, Place]], preset: Preset, room: int) -> Section | None:
    """What the agent was told to be: word for word as far as there is room, and never left out for anything else."""
    lines = [Line(said(text), (place,)) for text, place in instructions]
    return begun_section("pinned", preset.headings["pinned"], lines, room)


def request_section(original: Request | None, preset: Preset, room: int) -> Section | None:
    """What was asked first. What was asked last stands with what is open: it changes with every message."""
    if original is None:
        return None
    line = Line(said_in_line(original.text, _REQUEST_CHARS), (original.place,))
    return begun_section("request", preset.headings["request"], [line], room)


def decisions_section(entries: Sequence[Entry], preset: Preset, room: int, *, memory: Memory) -> Section | None:
    """The decisions that hold, in order of time; where room is short, those that stand on proof stay, of these
    constraints and the latest. A guess says that it is one: an agent would go by it."""
    holding = [entry for entry in entries if entry.status == "active"]
    by_worth = sorted(range(len(holding)), key=lambda at: (*_rank(holding[at]), -at))
    lines = [memory.recall(_decision, entry, (entry.id, preset.numbered), preset.numbered, memory) for entry in holding]
    return section_of("decisions", preset.headings["decisions"], lines, room, order=by_worth)


def _rank(entry: Entry) -> tuple[bool, bool, int]:
    return not stands_on_proof(entry), entry.finding.type not in _LASTING, -entry.turn


def _decision(entry: Entry, is_numbered: bool, memory: Memory) -> Line:
    who = {"user": "user", "agent": "agent", "collaborative": "both"}[entry.finding.made_by]
    label = f"[{entry.turn}] " if is_numbered and entry.turn else ""
    kind = f", {entry.finding.type}" if entry.finding.type in _LASTING else ""
    guess = "" if stands_on_proof(entry) else ", less certain"
    text = said_in_line(plainly(entry, _DECISION_CHARS, memory=memory), _DECISION_CHARS)
    return Line(f"- {label}{text} ({who}{kind}{guess})", (entry.finding.place,))


def progress_section(recap: Recap, preset: Preset, room: int) -> Section | None:
    """What was asked last, how it stands and what is left to do; the latest deeds where a preset heads them so."""
    standing = recap.standing
    items = open_work(recap)
    lines: list[Line] = []
    if (focus := recap.focus) is not None and (recap.original is None or focus.place != recap.original.place):
        lines.append(Line(f"Latest request: {said_in_line(focus.text, _ITEM_CHARS)}", (focus.place,)))
    lines += [Line(f"State: {standing_word(standing)} — {said_in_line(standing.detail, _ITEM_CHARS)}", _at(standing))]
    lines += [Line(f"- {said_in_line(item.text, _ITEM_CHARS)}", (item.place,)) for item in items[:_ITEMS]]
    if named := recap.progress.named_stages:
        lines.append(Line(said_in_line(named.capitalize(), _ITEM_CHARS), recap.progress.named_at))
    if counted := recap.progress.counted:
        lines.append(Line(f"Tasks: {len(recap.progress.done)} of {len(counted)} done"))
    lines += [
        Line(f"Reached: {said_in_line(milestone_words(recap, each), _ITEM_CHARS)}", (each.place,))
        for each in recap.progress.milestones[-3:]
    ]
    root = next(iter(recap.session.main.transcript.cwds), "")
    deeds = [
        Line(f"Did: {said_in_line(describe(each.fact, root), _ITEM_CHARS)}", (each.fact.place,))
        for each in recap.steps[-_ACTIONS:]
    ]
    in_order = deeds + lines if preset.deeds_first else lines + deeds
    return section_of("progress", preset.headings["progress"], in_order, room)


def files_section(recap: Recap, preset: Preset, room: int) -> Section | None:
    """The files that were changed, the latest first."""
    root = next(iter(recap.session.main.transcript.cwds), "")
    changed = [each for each in recap.files if is_changed(each.fact)]
    lines = [
        Line(f"- {said_in_line(relative(each.fact.path, root), _PATH_CHARS)} ({each.fact.action})", (each.fact.place,))
        for each in changed[:_FILES]
    ]
    return section_of("files", preset.headings["files"], lines, room)


# What a loop ended before it was done.
_AT_LIMIT: Final[dict[Cause, str]] = {
    "out of tokens": "The previous session ran out of tokens before finishing.",
    "out of iterations": "The previous session hit the iteration limit before finishing.",
}


def warning_of(standing: Standing) -> str:
    """How the session ended, where it did not end well; a clean end needs no warning."""
    if (warning := _AT_LIMIT.get(standing.cause)) is not None:
        return warning
    if standing.status != "interrupted":
        if standing.reason in ("length", "max_tokens"):
            return "The previous session ran out of tokens in the middle of its answer."
        return ""
    if standing.reason == "crash":
        return f"The previous session ended abruptly (crash or interrupt): {said_in_line(standing.detail, _ITEM_CHARS)}"
    if standing.reason == "noAnswer":
        return "The previous session ended before the last message was answered."
    return f"The previous session broke off: {said_in_line(standing.detail, _ITEM_CHARS)}"


def warning_section(standing: Standing, preset: Preset, room: int) -> Section | None:
    warning = warning_of(standing)
    lines = [Line(warning, _at(standing))] if warning else []
    return begun_section("warning", preset.headings["warning"], lines, room)


def _at(standing: Standing) -> tuple[Place, ...]:
    return (standing.place,) if standing.place is not None else ()
