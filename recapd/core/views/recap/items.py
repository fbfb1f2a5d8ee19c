"""Statements about what came of turns, what was done and which files were changed, each with where that stands.

Owns: which record proves one of them, and by what it is known again. Must not know: pages, budgets.
"""

from __future__ import annotations

from bisect import bisect_left

from recapd.core.log import Place
from recapd.core.state import FileFact, Sourced, Step, Turn
from recapd.core.text import READ_CHARS
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import Result, phrase_of
from recapd.core.views.recap.view import Cited, Item, Wording, described


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
    return said_item(recap, turn, result.phrase.text, wording, *next(proven, answered_at(recap, turn)))


def said_item(recap: Recap, turn: Turn, statement: str, wording: Wording, place: Place, at: str) -> Item:
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
    utterances = recap.session.main.transcript.utterances
    row = bisect_left(range(len(utterances)), turn.replied.offset, key=lambda at: utterances[at].place.offset)
    if row == len(utterances) or utterances[row].place != turn.replied:
        return turn.replied, ""
    last = row
    if not turn.telling.startswith(turn.outcome):
        while utterances[row].chars != len(turn.telling) and utterances[row].chars < READ_CHARS:
            row -= 1
            if row < 0 or utterances[row].place.offset <= turn.request.place.offset:
                row = last
                break
    return utterances[row].place, utterances[row].at


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
