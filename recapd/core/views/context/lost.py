"""After an agent forgot its past for a summary of it: what the summary does not say.

The agent still has the summary, so only the rest is worth its tokens: decisions, requests, files and commands from
before it whose words it does not use. Measured elsewhere on 43 such summaries: three quarters of the decisions survive,
one path in ten, one command in five hundred.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core.log import Place
from recapd.core.retrieval import asked_terms, is_stem, stem_of
from recapd.core.state import Memory, Passage, Session, Source, is_changed, relative
from recapd.core.text import is_substantive
from recapd.core.views.context.lines import Line, Section, said_in_line, section_of
from recapd.core.views.context.presets import Preset
from recapd.core.views.recap import Recap, line_of

LostKind: TypeAlias = Literal["decision", "request", "file", "command"]

_CHARS: Final = 200
_LEAST_CHARS: Final = 400
# A statement whose telling words are mostly there is told, in whatever order.
_TOLD_SHARE: Final = 0.6


class OwnSummary(Struct, frozen=True):
    """For what the agent last forgot its past: the words, and where in the log that past ends."""

    text: str
    end: int


def last_summary(session: Session) -> OwnSummary | None:
    """The agent's own summary when it last forgot. What it tells a human who was away is shorter, and loses nothing.

    A hook hands it over before the log has it, and the agent asks what it lost before that, too.
    """
    chunks = session.main.transcript.passages.chunks
    found = (session.memory.recall(_last_summary_in, chunks[row], row) for row in range(len(chunks) - 1, -1, -1))
    logged = next((each for each in found if each is not None), None)
    signal = session.signal
    if (
        signal is not None
        and len(signal.summary) >= _LEAST_CHARS
        and (logged is None or logged.at < signal.summary_at)
        and (end := _end_of_past(session, signal.summary_at))
    ):
        return OwnSummary(signal.summary, end)
    return OwnSummary(f"{logged.text}\n{logged.tail}", logged.place.offset) if logged is not None else None


def _end_of_past(session: Session, at: str) -> int:
    """Behind the last that was said or done until then; what comes later was not forgotten."""
    chunks = session.main.transcript.passages.chunks
    latest_first = (each for row in range(len(chunks) - 1, -1, -1) for each in reversed(chunks[row]))
    return next((each.place.offset + 1 for each in latest_first if each.at <= at), 0)


def _last_summary_in(passages: tuple[Passage, ...]) -> Passage | None:
    summaries = (each for each in reversed(passages) if each.kind == "summary")
    return next((each for each in summaries if len(each.text) >= _LEAST_CHARS), None)


class Lost(Struct, frozen=True):
    """One thing that the agent's summary of its past leaves out."""

    kind: LostKind
    # What was said or done with it, in the words of a list: decided, asked, modified, ran.
    how: str
    text: str
    turn: int
    place: Place
    source: Source


def lost_section(recap: Recap, preset: Preset, room: int) -> Section | None:
    """What was settled, asked and changed before the last summary, and is not in it; the latest first where it fits."""
    if last_summary(recap.session) is None:
        return None
    lines = (Line(f"- [{each.turn}] {each.how}: {each.text}", (each.place,)) for each in lost_in(recap))
    return section_of("lost", preset.headings["lost"], lines, room)


def lost_in(recap: Recap) -> Iterator[Lost]:
    """What the last summary lost, the weightiest kind first, of each kind the latest first."""
    session = recap.session
    summary = last_summary(session)
    if summary is None:
        return
    told = summary.text.lower()
    memory = session.memory
    # A session goes on for long with the same summary.
    words = memory.recall(_words_of, told, "summary")
    end = summary.end
    for entry in reversed(recap.decisions):
        finding = entry.finding
        if (
            entry.status == "active"
            and finding.place.offset < end
            and not _is_told(finding.text, entry.id, words, memory)
        ):
            text = said_in_line(finding.text, _CHARS)
            yield Lost("decision", "decided", text, entry.turn, finding.place, session.main)
    for turn in reversed(recap.turns):
        request = turn.request
        if (
            request.place.offset < end
            and is_substantive(request.text)
            and not _is_told(request.text, turn.number, words, memory)
        ):
            asked = said_in_line(line_of(request, _CHARS, memory), _CHARS)
            yield Lost("request", "asked", asked, turn.number, request.place, session.main)
    root = next(iter(session.main.transcript.cwds), "")
    for row in recap.files:
        name = row.fact.path.replace("\\", "/").rpartition("/")[2].lower()
        is_before = row.source is session.main and row.fact.place.offset < end
        if is_before and is_changed(row.fact) and name and name not in told:
            path = said_in_line(relative(row.fact.path, root), _CHARS)
            yield Lost("file", row.fact.action, path, row.turn, row.fact.place, row.source)
    for run in reversed(recap.commands):
        is_before = run.source is session.main and run.fact.place.offset < end
        if is_before and run.fact.target.lower() not in told:
            yield Lost("command", "ran", said_in_line(run.fact.target, _CHARS), run.turn, run.fact.place, run.source)


def _words_of(summary: str) -> frozenset[str]:
    return frozenset(asked_terms(summary))


def _telling(text: str) -> tuple[str, ...]:
    return tuple(term for term in asked_terms(text) if not is_stem(term))


def _is_told(text: str, name: str | int, words: frozenset[str], memory: Memory) -> bool:
    terms = memory.recall(_telling, text, name)
    return bool(terms) and sum(term in words or stem_of(term) in words for term in terms) >= _TOLD_SHARE * len(terms)
