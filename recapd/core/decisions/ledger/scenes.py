"""What stood around a decision in its turn: the words it stands in, what the human had asked for, and what was done.

Owns: the words by which a human asks for a change, complains or objects, and by which an agent gives way.
Must not know: what follows from a comparison.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions.entries import Finding
from recapd.core.decisions.exchange import (
    exchanges,
    gives_up,
    is_complaint,
    names_trouble,
    orders,
    points,
    reacts,
    reports_change,
    says_otherwise,
    turns_away,
    without_now,
)
from recapd.core.decisions.kinds import Value, values_in
from recapd.core.decisions.ledger.offered import Options, offered_in
from recapd.core.decisions.terms import names_of, taken_out_in, turns_against, words_of
from recapd.core.decisions.working import goes_to_work
from recapd.core.giving_up import look_up
from recapd.core.state import Chunked, Passage, Turn, is_beginning
from recapd.core.text import sentences_of

# What belongs to a sentence stands near it; what is proposed stands at the end.
_AROUND_CHARS: Final = 250
_PROPOSAL_CHARS: Final = 1_200
# People say at once that they want something else; what is wrong may come after a greeting or a paste.
_OPENING_CHARS: Final = 300
_COMPLAINT_CHARS: Final = 600
# An agent gives way before it goes on.
_CONCESSION_CHARS: Final = 120
# Who changes his mind says so in a few words.
_BRIEF_CHARS: Final = 300
# A question that waits for an answer stands at the end.
_QUESTION_CHARS: Final = 80
# Of what an agent tells at the end of a turn.
_CLOSING_CHARS: Final = 3_000
# Turns whose circumstances are remembered: more than may be judged otherwise by what is said next.
_MOST_REMEMBERED: Final = 16
# Findings of those turns.
_MOST_FINDINGS: Final = 64

# The human wants something to be otherwise. Broad: it only lends weight to a likeness.
_ASKS_CHANGE_RE: Final = re.compile(
    r"\b(?:no|nope|nah|actually|instead|rather|wait|hmm+|revert|undo|go back|back to|don['’]?t|do not|"
    r"should(?:n['’]?t)?|not|remove|only|just|change|switch|let['’]?s|better|prefer|want|make|"
    r"nicht|statt|lieber|non|pas|plutôt|mejor|лучше|не)\b|不是|不要|改|别|换|대신|말고|아니",
    re.IGNORECASE,
)
# Something is wrong.
_COMPLAINS_RE: Final = re.compile(
    r"\b(?:still|again|didn['’]?t|doesn['’]?t|don['’]?t|isn['’]?t|can['’]?t|not|no|nope|wrong|fail(?:s|ed|ing|ure)?|"
    r"\w*error|\w*exception|traceback|blocked|bug|broken|crash\w*|issue|problem|why|stuck|missing|nothing|blank|empty|"
    r"immer noch|toujours|encore|sigue|опять|всё ещё|не)\b"
    r"|还是|仍然|失败|不行|报错|错误|没有|不对|안\b|여전히|오류|에러",
    re.IGNORECASE,
)
_QUESTION_RE: Final = re.compile("[?？]")
# How an objection begins.
_OBJECTS_RE: Final = re.compile(
    r"\W*(?:(?:ok|okay|hmm+|well|so|yeah|yes|oh|ah|and)\W+){0,2}"
    r"(?:no\b|nope|nah|actually|instead|rather\b|wait\b|hmm|but\b|why\b|don['’]?t|do not|stop\b|revert|undo|"
    r"let['’]?s (?:not|move|swap|switch|change)|i(?: really)? (?:don['’]?t|do not|meant|would rather|prefer)|"
    r"i['’]d rather|that['’]?s (?:not|wrong)|it should|what (?:about|if)|"
    r"nein\b|nicht|lieber|doch\b|non\b|plutôt|mejor|нет\b|не\b|лучше|不|别|改|换|还是|아니|말고|いや|違)",
    re.IGNORECASE,
)
# What was sent last was not meant to be: "sorry, wrong window", "please ignore that".
_RETRACTS_RE: Final = re.compile(
    r"\W*(?:(?:sorry|oops|whoops|oh|ah|argh|no|wait|hmm+|ok|please|my bad|my mistake|ups|entschuldigung|désolé|perdón|"
    r"извини\w*|抱歉|不好意思)\W+){0,3}"
    r"(?:(?:that|this|it|the last (?:one|message)) (?:was|is) |i (?:just )?(?:pasted|sent|posted|typed) "
    r"(?:that |this |it )?(?:in |into |to )?)?(?:the |a |my )?"
    r"(?:wrong (?:window|chat|paste|file|tab|project|terminal|session|thread|clipboard|message|text|repo)\b"
    r"|(?:meant|intended) for (?:another|a different|the other|someone|somebody)\b"
    r"|(?:ignore|disregard) (?:(?:that|this|it)(?=\W*(?:$|[.,;!\n—-]))|"
    r"(?:my |the )?(?:last|previous) (?:message|paste|one)|what i (?:just )?(?:said|wrote|pasted|sent))"
    r"|falsche[nrs]? (?:fenster|datei|chat|projekt)|ignorier\w* das|mauvaise? (?:fenêtre|fichier|projet)|ignorez? ça"
    r"|ventana equivocada|archivo equivocado|me equivoqué de|ignora (?:eso|lo anterior)"
    r"|не т(?:уда|от файл|от чат|о окно)|игнорируй\w* (?:это|прошлое)"
    r"|发错|贴错|粘错|忽略(?:上|刚|这)|잘못 (?:보냈|붙여|올렸)|무시해|間違え)",
    re.IGNORECASE,
)
# An agent sees that it was wrong.
_CONCEDES_RE: Final = re.compile(
    r"you['’]?re (?:absolutely |totally |quite )?right|good (?:point|catch|idea|call|question)|fair (?:point|enough)|"
    r"\bright\b|makes sense|my mistake|i see\b|apolog|sorry|understood|of course|got it|agreed|\bah[,!. ]|actually|"
    r"let me (?:revert|undo|fix|simplify)|the (?:issue|problem|root cause|real)|\bstill\b|doesn['’]?t|isn['’]?t|"
    r"你说得对|对[,，。!！]|抱歉|맞|죄송|richtig|stimmt|tienes razón|vous avez raison|вы правы|верно",
    re.IGNORECASE,
)

_CALLS: Final = frozenset(("edit", "run", "commit"))


class Circumstances(Struct, frozen=True, gc=False):
    # The text around it, and the end of the proposal it accepts.
    around: str = ""
    # How its turn was opened: the human wants something else, says that something is wrong, begins with a no.
    asks_change: bool = False
    complains: bool = False
    objects: bool = False
    # The human takes something else than before; or opens so, or the agent had named a trouble, or tells of a change.
    turns_away: bool = False
    is_change_told: bool = False
    gives_up: bool = False
    # The human puts something in the place of what is only pointed at; the agent tells that something is otherwise now.
    exchanges: bool = False
    is_redone: bool = False
    points: bool = False
    # Words of the human's short message.
    asked: frozenset[str] = frozenset()
    # In a talk there was a reason to change something, and the human says that it is otherwise now, or the agent does.
    is_otherwise: bool = False
    # In a talk the agent goes to work on what was said.
    is_worked_on: bool = False
    # Words of the agent's short reply in a talk: what it did about it.
    replied: frozenset[str] = frozenset()
    # What that reply sets.
    replied_values: frozenset[Value] = frozenset()
    # What the agent had put side by side to choose from, where a short message answers that.
    offered: Options = ()
    # The human's message is no more than somebody types to set something.
    is_brief: bool = False
    asked_names: frozenset[str] = frozenset()
    # The agent begins by seeing that it was wrong.
    concedes: bool = False
    # Whether files were changed in its turn: what is only talked about replaces little.
    is_done: bool = False
    # Words of each thing that was taken out, as told at the end of the turn.
    taken_out: tuple[frozenset[str], ...] = ()


class Scenes:
    """The turns of a conversation that grows, as far as its decisions need them."""

    def __init__(self) -> None:
        self._passages: Chunked[Passage] = Chunked()
        self._is_in_order = True
        self._asked: dict[int, str] = {}
        self._closing: dict[int, str] = {}
        self._done: set[int] = set()
        self._called: set[int] = set()
        # Rows of turns that the human did not mean to begin, each with the row of the turn that says so.
        self.retracted: dict[int, int] = {}
        # By row: what was said in a turn and before it, and what follows from that.
        self._remembered: dict[int, tuple[_Said, Circumstances]] = {}
        # By finding: the words around it, and whether they concede something.
        self._words_known: dict[tuple[str, int, int], tuple[str, bool]] = {}
        # Row of the last turn that was begun, of those alive.
        self.last_asked = -1

    def continues(self, passages: Chunked[Passage]) -> bool:
        return is_beginning(self._passages, passages)

    def extend(self, passages: Chunked[Passage], turns: Chunked[Turn]) -> None:
        """What was said since, too."""
        known = len(self._passages)
        end = self._passages[-1].place.offset if known else 0
        self._passages = passages
        for passage in passages.since(known):
            self._is_in_order = self._is_in_order and passage.place.offset >= end
            end, row = passage.place.offset, passage.turn_row
            if passage.kind == "prompt":
                if row not in self._asked:
                    self._ask(row, passage.text, turns)
            elif passage.kind == "reply":
                self._closing[row] = passage.text
            elif passage.kind in _CALLS:
                self._called.add(row)
                if passage.kind == "edit":
                    self._done.add(row)

    def _ask(self, row: int, text: str, turns: Chunked[Turn]) -> None:
        self._asked[row] = text
        if 0 <= row < len(turns) and turns[row].abandoned:
            return
        if self.last_asked >= 0 and _RETRACTS_RE.match(text):
            self.retracted[self.last_asked] = row
        self.last_asked = row

    def around(self, finding: Finding) -> Circumstances:
        look_up()
        words, concedes = self._around(finding)
        return msgspec.structs.replace(self._of_turn(finding.turn_row), around=words, concedes=concedes)

    def _around(self, finding: Finding) -> tuple[str, bool]:
        """The words around it, and whether they concede something. Of the last findings it is remembered, too."""
        proposed = finding.proposal.offset if finding.proposal is not None else -1
        name = finding.quote, finding.place.offset, proposed
        known = self._words_known.get(name)
        if known is None:
            words = self._words(finding)
            known = words, _CONCEDES_RE.search(words[:_CONCESSION_CHARS]) is not None
            # What stands in the last record may go on.
            end = self._passages[-1].place.offset if len(self._passages) else 0
            if self._is_in_order and max(name[1:]) < end:
                if len(self._words_known) >= _MOST_FINDINGS:
                    del self._words_known[next(iter(self._words_known))]
                self._words_known[name] = known
        return known

    def _of_turn(self, row: int) -> Circumstances:
        """What is the same for all decisions of a turn. Of the last few turns it is remembered: several stand in one,
        and the last ones are asked about again and again."""
        said = _Said(
            asked_before=self._asked.get(row - 1, ""),
            closing_before=self._closing.get(row - 1, ""),
            asked=self._asked.get(row, ""),
            closing=self._closing.get(row, ""),
            is_done=row in self._done,
            is_talk=row not in self._called,
        )
        known = self._remembered.get(row)
        if known is None or known[0] != said:
            self._remembered.pop(row, None)
            if len(self._remembered) >= _MOST_REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
            known = self._remembered[row] = said, _circumstances(said)
        return known[1]

    def _words(self, finding: Finding) -> str:
        found: list[str] = []
        for text in self._said_at(finding.place.offset):
            at = text.find(finding.quote)
            if at >= 0:
                found.append(text[max(0, at - _AROUND_CHARS) : at + len(finding.quote) + _AROUND_CHARS])
        if finding.proposal is not None:
            found += (text[-_PROPOSAL_CHARS:] for text in self._said_at(finding.proposal.offset))
        return "\n".join(found)

    def _said_at(self, offset: int) -> list[str]:
        passages: Iterable[Passage] = self._passages
        if self._is_in_order:
            passages = self._passages.since(bisect_left(self._passages, offset, key=_offset_of))
            passages = takewhile(lambda passage: passage.place.offset == offset, passages)
        return [f"{passage.text}\n{passage.tail}" for passage in passages if passage.place.offset == offset]


def _offset_of(passage: Passage) -> int:
    return passage.place.offset


class _Said(Struct, frozen=True, gc=False):
    """What the circumstances of a turn are read from."""

    asked_before: str
    closing_before: str
    asked: str
    closing: str
    is_done: bool
    # Nothing was called.
    is_talk: bool


def _circumstances(said: _Said) -> Circumstances:
    asked = said.asked[:_COMPLAINT_CHARS]
    replied = said.closing if not said.is_done and len(said.closing) <= _BRIEF_CHARS else ""
    return Circumstances(
        asks_change=bool(_ASKS_CHANGE_RE.search(asked[:_OPENING_CHARS])),
        complains=bool(_COMPLAINS_RE.search(asked)),
        objects=_objects(said),
        turns_away=turns_away(said.closing_before, said.asked, _report_in(said)) or _turns_against(said),
        is_change_told=_is_change_told(said),
        gives_up=gives_up(said.asked[:_BRIEF_CHARS]),
        exchanges=exchanges(said.asked),
        is_redone=reports_change(without_now(said.closing)),
        points=points(said.asked),
        asked=words_of(said.asked) if len(said.asked) <= _BRIEF_CHARS else frozenset(),
        is_otherwise=_is_otherwise(said),
        is_worked_on=said.is_talk and goes_to_work(said.closing),
        replied=words_of(replied),
        replied_values=values_in(replied),
        offered=offered_in(said.closing_before) if len(asked) <= _BRIEF_CHARS else (),
        is_brief=len(asked) <= _BRIEF_CHARS,
        asked_names=names_of(asked),
        is_done=said.is_done,
        taken_out=taken_out_in(said.closing[:_CLOSING_CHARS]),
    )


def _report_in(said: _Said) -> str:
    """What the agent tells at the end. Of what is ordered or only pointed at, "now" may say that it is new."""
    return without_now(said.closing) if points(said.asked) or orders(said.asked) else said.closing


def _turns_against(said: _Said) -> bool:
    return max(len(said.asked_before), len(said.asked)) <= _BRIEF_CHARS and turns_against(said.asked_before, said.asked)


def _is_change_told(said: _Said) -> bool:
    if len(said.asked) > _BRIEF_CHARS:
        return False
    has_reason = names_trouble(said.closing_before) or is_complaint(said.asked_before[:_BRIEF_CHARS])
    return has_reason or gives_up(said.asked) or reacts(said.asked) or reports_change(without_now(said.closing))


def _is_otherwise(said: _Said) -> bool:
    if said.is_done or len(said.asked) > _BRIEF_CHARS:
        return False
    has_reason = names_trouble(said.closing_before) or reacts(said.asked) or gives_up(said.asked)
    has_reason = has_reason or is_complaint(said.asked) or is_complaint(said.asked_before[:_BRIEF_CHARS])
    # Or it is told first, whatever it is.
    has_reason = has_reason or len(list(sentences_of(said.asked))) > 1
    return has_reason and (says_otherwise(said.asked) or reports_change(said.closing))


def _objects(said: _Said) -> bool:
    """Whether the human begins with a no, and not because of a question: then it is only an answer."""
    was_asked = _QUESTION_RE.search(said.closing_before[-_QUESTION_CHARS:])
    return not was_asked and bool(_OBJECTS_RE.match(said.asked))
