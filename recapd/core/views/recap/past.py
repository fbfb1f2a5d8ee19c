"""A session as it was after one of its turns: the same facts, without those that stand later in the log.

What cannot be told without reading the log again is left out, not guessed: a file that was changed later has lost the
proof of its earlier change, a task list the state before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from recapd.core.log import Place
from recapd.core.state import (
    LAST_WORDS_CHARS,
    Chunked,
    Ending,
    Growing,
    Memory,
    Request,
    Session,
    Source,
    Transcript,
    Turn,
    last_active,
    live_turns,
)
from recapd.core.text import RAW_CHARS, is_substantive, narrates

F = TypeVar("F")


def as_of_turn(session: Session, number: int) -> tuple[Session, str]:
    """The session as it was after the turn, and when that was; as it is, and "", where no later turn is known."""
    turns = live_turns(session.main.transcript)
    later = next((turn for turn in turns if turn.number > number), None)
    if later is None:
        return session, ""
    end, at = later.request.place.offset, later.request.at
    main = msgspec.structs.replace(session.main, transcript=_before(session.main.transcript, end))
    children = tuple(_worked_before(child, at) for child in session.children)
    # What was read of later turns was not known then.
    reading = session.reading if session.reading is not None and session.reading.turn <= number else None
    past = msgspec.structs.replace(
        session, main=main, children=children, memory=Memory(session.memory), reading=reading
    )
    return past, at or last_active(past)


def _before(transcript: Transcript, end: int) -> Transcript:
    def is_before(place: Place) -> bool:
        return place.offset < end

    turns = _kept(transcript.turns, lambda turn: is_before(turn.request.place))
    live = [turn for turn in turns if not turn.abandoned]
    last = live[-1] if live else None
    steps = tuple(step for step in transcript.steps if is_before(step.place))
    stamps = [step.at for step in steps] + [turn.request.at for turn in live]
    todos_place = transcript.todos_place
    knows_todos = todos_place is not None and is_before(todos_place)
    return msgspec.structs.replace(
        transcript,
        turns=turns,
        utterances=_kept(transcript.utterances, lambda said: is_before(said.place)),
        passages=_kept(transcript.passages, lambda passage: is_before(passage.place)),
        original=_first_request(transcript, live, end),
        commands_given=tuple(each for each in transcript.commands_given if is_before(each.place)),
        queued=(),
        files=_kept(transcript.files, lambda fact: is_before(fact.place)),
        file_rows={},
        steps=steps,
        tests=tuple(run for run in transcript.tests if is_before(run.place)),
        milestones=tuple(each for each in transcript.milestones if is_before(each.place)),
        stages=tuple(each for each in transcript.stages if is_before(each.place)),
        todos=transcript.todos if knows_todos else (),
        todos_place=todos_place if knows_todos else None,
        links=tuple(link for link in transcript.links if is_before(link.place)),
        open_calls={},
        # Which of them were used by then is not known.
        tools={},
        failed_tools={},
        ending=_ending(last, max(stamps, default="")),
        # Of a long answer only the beginning is known, and a question stands at the end.
        last_words=last.outcome[-LAST_WORDS_CHARS:] if last and len(last.outcome) < RAW_CHARS // 2 else "",
        last_at=max(stamps, default=""),
        totals=msgspec.structs.replace(
            transcript.totals,
            turns=len(live),
            exchanges=sum(turn.replied is not None for turn in live),
            messages=sum(turn.messages for turn in live),
            calls=sum(turn.calls for turn in live),
            failed_calls=sum(turn.failed for turn in live),
        ),
    )


def _worked_before(child: Source, at: str) -> Source:
    transcript = child.transcript
    return msgspec.structs.replace(
        child,
        transcript=msgspec.structs.replace(
            transcript,
            files=_kept(transcript.files, lambda fact: fact.at < at),
            file_rows={},
            steps=tuple(step for step in transcript.steps if step.at < at),
            tests=tuple(run for run in transcript.tests if run.at < at),
            milestones=tuple(each for each in transcript.milestones if each.at < at),
            last_at=min(transcript.last_at, at),
        ),
    )


def _kept(facts: Chunked[F], is_kept: Callable[[F], bool]) -> Chunked[F]:
    kept: Growing[F] = Growing(Chunked())
    for fact in facts:
        if is_kept(fact):
            kept.append(fact)
    return kept.freeze()


def _first_request(transcript: Transcript, live: Sequence[Turn], end: int) -> Request | None:
    original = transcript.original
    if original is not None and original.place.offset < end:
        return original
    asking = [turn.request for turn in live if is_substantive(turn.request.text)]
    return next(iter(asking), live[0].request if live else None)


def _ending(last: Turn | None, at: str) -> Ending:
    if last is None:
        return Ending()
    # Who only said what comes next, and then was asked again, has not answered.
    if last.replied is not None and not narrates(last.outcome):
        return Ending("reply", "", last.replied, at)
    return Ending("interrupted" if last.calls else "prompt", "", last.request.place, at)
