"""Statements about what came of turns, what was done and which files were changed, each with where that stands.

Owns: which record proves one of them, and by what it is known again. Must not know: pages, budgets.
"""

from __future__ import annotations

import msgspec

from recapd.core.log import Place
from recapd.core.state import FileFact, Milestone, Sourced, Step, Turn
from recapd.core.text import READ_CHARS
from recapd.core.views.pages import row_of_turn, utterances_of_row
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import Result, phrase_of
from recapd.core.views.recap.view import Cited, Item, Wording, described, worded


def root_of(recap: Recap) -> str:
    """The folder that paths are told from."""
    return next(iter(recap.session.main.transcript.cwds), "")


def cited(recap: Recap, *places: Place | None) -> tuple[Cited, ...]:
    """Records of the session's own log."""
    return tuple(Cited(recap.session.main, place) for place in places if place is not None)


def last_record(recap: Recap) -> Place | None:
    """The last record of weight: by it is told what every record of a log says, as the branch."""
    transcript = recap.session.main.transcript
    if transcript.ending.place is not None:
        return transcript.ending.place
    return transcript.original.place if transcript.original is not None else None


def result_item(recap: Recap, result: Result, wording: Wording) -> Item:
    """What came of a turn: a commit or the like by its own record, else by the answer that says so."""
    turn = recap.turns[result.turn]
    proven = (
        (milestone.place, milestone.at)
        for milestone in recap.progress.milestones
        if milestone.turn == turn.number and phrase_of(milestone.text).text == result.phrase.text
    )
    if (proof := next(proven, None)) is not None:
        return _of_turn(recap, turn, result.phrase.text, wording, *proof)
    return said_item(recap, turn, result.phrase.text, wording)


def commit_item(recap: Recap, commit: Milestone) -> Item:
    """A commit by the title of its message."""
    return Item(
        key=f"result {commit.turn} {phrase_of(commit.text).text}",
        wording=worded(commit.title),
        turn=commit.turn,
        at=commit.at,
        cited=cited(recap, commit.place),
    )


def said_item(recap: Recap, turn: Turn, statement: str, wording: Wording) -> Item:
    """A statement of the agent."""
    item = _of_turn(recap, turn, statement, wording, *answered_at(recap, turn))
    return msgspec.structs.replace(item, is_quoted=turn.replied is not None)


def _of_turn(recap: Recap, turn: Turn, statement: str, wording: Wording, place: Place, at: str) -> Item:
    return Item(
        # In more or fewer words it is the same.
        key=f"result {turn.number} {statement}",
        wording=wording,
        turn=turn.number,
        at=at,
        cited=cited(recap, place),
    )


def answered_at(recap: Recap, turn: Turn) -> tuple[Place, str]:
    """Where the agent's telling words of a turn stand, and when it said them: mostly its last ones."""
    if turn.replied is None:
        return turn.request.place, turn.request.at
    transcript = recap.session.main.transcript
    row = row_of_turn(transcript, turn.number)
    said = [each for each in utterances_of_row(transcript, row) if each.speaker == "agent"] if row is not None else []
    last = next((each for each in reversed(said) if each.place == turn.replied), None)
    if last is None:
        return turn.replied, ""
    if turn.telling and not turn.telling.startswith(turn.outcome):
        told = (each for each in reversed(said) if min(each.chars, READ_CHARS) == len(turn.telling))
        last = next(told, last)
    return last.place, last.at


def step_item(recap: Recap, step: Sourced[Step], told: Step) -> Item:
    """A finished call; `told` is as much of it as there is room for."""
    fact = step.fact
    return Item(
        key=f"step {step.source.uri} {fact.turn} {fact.at} {fact.tool} {fact.target}",
        wording=described(told, root_of(recap)),
        turn=step.turn,
        at=fact.at,
        cited=(Cited(step.source, fact.place),),
        by=step.via,
        ok=fact.ok,
    )


def file_item(row: Sourced[FileFact], wording: Wording) -> Item:
    fact = row.fact
    return Item(
        key=f"file {fact.path}",
        wording=wording,
        turn=row.turn,
        at=fact.at,
        cited=(Cited(row.source, fact.place),),
        by=row.via,
        status=fact.action,
        path=fact.path,
        where=fact.where,
    )
