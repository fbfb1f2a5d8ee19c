"""The short recap: a header and three to five lines for a person who comes back.

What was asked, what is settled, what came out lately, what it is about now, and who is waited for. Decisions are the
last to be dropped; what came out lately takes whatever room the other lines leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from recapd.core.decisions import Entry
from recapd.core.hygiene import code_span, escape_markdown
from recapd.core.settings import DEFAULTS, RecapSettings
from recapd.core.state import Memory, Standing, Style, describe, is_changed
from recapd.core.text import ELLIPSIS, PAGE_HEADS, Part, estimate_tokens, leaves_open, one_line, token_share
from recapd.core.views.recap.canary import false_claims
from recapd.core.views.recap.decisions import decided, ranked
from recapd.core.views.recap.page import Page, room_below, written
from recapd.core.views.recap.produced import tests_words, where_it_is
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import TERSE_TERMS, asked_line, focus_line
from recapd.core.views.recap.results import Result, latest_results
from recapd.core.views.recap.telling import telling_of
from recapd.core.views.recap.terms import Room, Statement, chosen, terms_of
from recapd.core.views.recap.words import (
    brief,
    lasting,
    plain_line,
    said,
    short_names,
)
from recapd.core.views.state_words import state_word

MARKDOWN = Style(code=code_span, words=escape_markdown)

# The lines before what is settled and what came out, and those after.
Frame: TypeAlias = tuple[list[Part], list[Part]]

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

UNJUDGED: Final = "decisions are still being read"


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
    return written(page, max_tokens=max_tokens, collapsible=collapsible)


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
    started: list[Part] = []
    columns = round(_LINE_CHARS * scale)
    if recap.original:
        started.append(Part(3, f"- **Started with:** {said(asked_line(recap, columns, TERSE_TERMS))}"))
    notes = [f"⚠ {said(note)}" for note in false_claims(recap)[:1]]
    state = [
        state_words(recap, round(_STATE_CHARS * scale)),
        failed_end(recap, 0),
        tests_words(recap, round(_COMMAND_CHARS * scale)),
        *where_it_is(recap, 2),
        UNJUDGED if recap.unjudged else "",
        *notes,
    ]
    return started, [
        Part(1, f"- **Now discussing:** {said(focus_line(recap, columns, TERSE_TERMS))}"),
        Part(2, f"- **State:** {' · '.join(each for each in state if each)}"),
    ]


def state_words(recap: Recap, limit: int) -> str:
    """How the session stands, in words; what goes without saying is not said."""
    stand = recap.standing
    word = state_word(stand.status, stand.question)
    if stand.is_said_by_status:
        return word
    return f"{word} — {said(plain_line(question_or_detail(stand), limit))}"


def question_or_detail(stand: Standing) -> str:
    """The question that the agent's words put, as it is; else how the session stands, in a sentence."""
    return stand.subject if stand.cause == "asked in words" else stand.detail


def failed_end(recap: Recap, columns: int) -> str:
    """The last step of a session that broke off, where it failed and nobody said so; with so much of the reason."""
    if recap.standing.status != "interrupted" or not recap.steps or not recap.turns:
        return ""
    last, replied = recap.steps[-1], recap.turns[-1].replied
    is_told = replied is not None and replied.offset > last.fact.place.offset
    if last.fact.ok or last.fact.denied or last.source is not recap.session.main or is_told:
        return ""
    # What the human stopped did not fail, and tests that fail are told of beside it.
    is_stopped = last.source.transcript.ending.moment == "interrupted"
    if is_stopped or any(run.place == last.fact.place for run in recap.failing):
        return ""
    step = brief(last.fact)
    return describe(msgspec.structs.replace(step, outcome=one_line(step.outcome, columns)), _root(recap), MARKDOWN)


def _settled_and_recent(recap: Recap, settings: RecapSettings, others: list[Part], room: int) -> list[Part]:
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
    decided_so = [(_decided(entry, memory), entry.finding.confidence) for entry in entries]
    decided_terms = [(text, terms_of(text), sure) for text, sure in decided_so]
    # What the lines around it say already, as where the request is what was decided, is not said twice.
    said_around = [terms_of(line).keys() for line in rest] if decided_terms else []
    decided_terms = [
        (text, terms, sure)
        for text, terms, sure in decided_terms
        if not terms or not any(terms.keys() <= line for line in said_around)
    ]
    files = _files(recap)
    # Decisions are a group of their own: they stand in another line.
    settled = [Statement(text, tuple(terms), -1, _DECIDED_FACTOR * sure) for text, terms, sure in decided_terms]
    statements = [*settled, *results]
    texts = [*(each.text for each in settled), *(phrase.shown for _, phrase in told)]

    def lines(taken: Sequence[int], acted: Sequence[str]) -> list[Part]:
        parts = []
        if decisions := [each for each in sorted(taken) if each < len(settled)]:
            label = "Last decision" if len(decisions) == 1 else "Last decisions"
            parts.append(Part(0, f"- **{label}:** {'; '.join(texts[each] for each in decisions)}"))
        came_out = [texts[each] for each in sorted(taken) if each >= len(settled)]
        if came_out or acted:
            parts.append(Part(4, f"- **Recent:** {'; '.join((*came_out, *acted))}"))
        return parts

    def left(taken: Sequence[int], acted: Sequence[str]) -> int:
        return room - estimate_tokens("\n".join((*rest, *(part.text for part in lines(taken, acted)))))

    first = [0] if settled else []
    for last in sorted(latest_results(results), key=lambda position: results[position].text.endswith(ELLIPSIS)):
        if left([*first, len(settled) + last], files or [""]) >= 0:
            first.append(len(settled) + last)
            break
    taken = chosen(
        statements,
        telling.weights,
        Room(
            costs=[*(token_share(f"; {each.text}") for each in settled), *(phrase.clause_tokens for _, phrase in told)],
            left=lambda taken: left(taken, files or [""]),
            most=lambda group: most if group < 0 else len(statements),
        ),
        known=" ".join((*rest, *files)),
        taken=first,
    )
    while len(taken) > len(first) and left(taken, files) < 0:
        taken.pop()
    actions = _actions(recap, settings.short_actions, are_files_told=bool(files))
    for acted in ([*files, *actions], files, _actions(recap, 1)):
        if left(taken, acted) >= 0:
            return lines(taken, acted)
    return lines(taken, [])


def _decided(entry: Entry, memory: Memory) -> str:
    """The decision in a few words; in a few more where they end it."""
    lines = [decided(entry, room, memory=memory) for room in _DECISION_CHARS]
    return next((line for line in lines if not line.endswith(ELLIPSIS)), lines[0])


def _timely(result: Result, newest: int) -> float:
    """What a statement weighs by its age; what the last turns left open is where the reader goes on."""
    age = newest - result.turn
    weight: float = 0.5 ** (age / _HALF_LIFE_TURNS)
    return weight * _OPEN_FACTOR if age < _OPEN_TURNS and leaves_open(result.phrase.text) else weight


def _files(recap: Recap) -> list[str]:
    """The files the work was in, by how often their content was changed."""
    changed = [each.fact for each in recap.files if is_changed(each.fact) and not each.via]
    changed = [fact for fact, is_kept in zip(changed, lasting([fact.path for fact in changed]), strict=True) if is_kept]
    changed.sort(key=lambda fact: -fact.writes)
    names = short_names([fact.path for fact in changed if fact.path.strip()], most=_FILES)
    while len(names) > 1 and len(", ".join(names)) > _FILES_CHARS:
        names.pop()
    if not names:
        return []
    more = f" +{len(changed) - len(names)}" if len(changed) > len(names) else ""
    return [f"edited {', '.join(said(name) for name in names)}{more}"]


def _actions(recap: Recap, most: int, *, are_files_told: bool = False) -> list[str]:
    steps = [each.fact for each in recap.steps[-most:]] if most else []
    if are_files_told:
        steps = [step for step in steps if step.kind not in _EDITING]
    return list(dict.fromkeys(describe(brief(step), _root(recap), MARKDOWN) for step in steps))


def _root(recap: Recap) -> str:
    return next(iter(recap.session.main.transcript.cwds), "")
