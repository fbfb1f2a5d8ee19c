"""What a finding is about and how it says so, ready to be compared with others.

Owns: the words by which a change, a failure, a correction or a farewell is told, and how telling a shared word is.
Must not know: what follows from a comparison.
"""

from __future__ import annotations

import math
from itertools import repeat
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions.entries import Finding
from recapd.core.decisions.kinds import Value, values_in
from recapd.core.decisions.ledger.scenes import Circumstances
from recapd.core.decisions.terms import Stance, Topic, names_of, stance_of, topic_of, words_of
from recapd.core.state import Verdict

# Words that announce a change.
_CHANGE_RE: Final = re.compile(
    r"\b(?:revert(?:ed|ing)?|undo|undid|instead|rather than|scrap(?:ped)?|from scratch|rebuil[td]|rework(?:ed)?|"
    r"rewr(?:ote|itten|ite)|replac(?:ed|es?|ing)|ditch(?:ed)?|switch(?:ed|ing)?|swap(?:ped|ping)?|no longer|no more|"
    r"now points?|wiped|different approach|better (?:approach|fix|setup|solution|way)|not only|not just|"
    r"after all|changed my mind|mov(?:ed?|ing)|renamed?|drop(?:ped)?|remov(?:ed?|ing)|don['’]?t need|"
    r"should(?:n['’]t| not)|back to|actually|"
    r"statt|lieber|doch|plutôt|finalement|mejor|al final|вместо|лучше)\b|改成|改为|改用|换成|修改|不要|别|取消|"
    r"重新|제거|변경|대신",
    re.IGNORECASE,
)
# Words that say that something did not do.
_FAILURE_RE: Final = re.compile(
    r"\bstill\b|\b(?:did|does|do|is|was)(?:n['’]?t| not) (?:work|help|fix|apply|valid|enough|right|exist|"
    r"support|accept|available|found)|not work(?:ing)?|\breject(?:s|ed)\b|\bfail(?:s|ed|ing)\b|"
    r"not a valid|\binvalid\b|\bwrong\b|还是|仍然|失败|不行",
    re.IGNORECASE,
)
# Somebody corrects himself; these words stand at the beginning.
_CORRECTION_RE: Final = re.compile(
    r"\W*(?:(?:oh|ah|ok|okay|hmm+|no|but|and|so|well|oops)\W+){0,2}"
    r"(?:actually|wait\b(?! (?:for|until|till))|hmm+|oops|scratch that|on second thoughts?|my mistake|i was wrong|"
    r"that(?:'s| is| was) (?:wrong|not right)|better idea|not quite|moment|attends|espera|стоп|不对|等等|잠깐)",
    re.IGNORECASE,
)
# The agent takes back what it just did, in the same breath as it does something else.
_REVERTS_RE: Final = re.compile(
    r"\b(?:revert(?:ing|ed)?|undo(?:ing)?|undid|scrap(?:ped|ping)?|roll(?:ed|ing)? back|back(?:ed|ing)? out)"
    r" (?:that|this|it|those|my|the (?:last|previous))\b",
    re.IGNORECASE,
)
# The agent gives up how it went about something, and begins anew.
_ANEW_RE: Final = re.compile(
    r"\b(?:an? (?:\w{1,15} )?(?:different|alternative|new)|another) (?:approach|strategy)\b|\bstart(?:ing|ed)? over\b"
    r"|\bthat (?:was(?:n['’]t| not)|is(?:n['’]t| not)) it\b"
    r"|\b(?:start|begin|rebuil|rewr)\w{0,5} (?:\w{1,20} ){0,4}from scratch\b"
    r"|推倒重来|换一?种(?:方法|方式|思路)|다른 방(?:식|법)으로",
    re.IGNORECASE,
)
# More than the earlier had: what was there stays, unless it was to be all.
_MORE_RE: Final = re.compile(
    r"\bnot (?:only|just)\b|\bnicht nur\b|\bpas seulement\b|\bno s[oó]lo\b|\bне только\b|不仅|不只", re.IGNORECASE
)
_ONLY_RE: Final = re.compile(r"\b(?:only|just|solely|nur|seulement|s[oó]lo|только)\b|只|만\b", re.IGNORECASE)
# Something is given up.
_DROP_RE: Final = re.compile(
    r"\b(?:drop(?:ping)?|remov(?:e|ing)|scrap(?:ping)?|ditch|get rid of|throw out|cut|skip|cancel|abandon|forget|"
    r"no longer|(?:don['’]t|do not|doesn['’]t) (?:need|want|do|bother)|out of scope|not (?:needed|doing|going)|"
    r"weg|streichen|laisse tomber|supprime|quita|elimina|убери|не нужен|не нужна|не нужно)\b"
    r"|取消|不要|不做|删|去掉|빼|제거",
    re.IGNORECASE,
)
# Nothing but "undo that".
_UNDO_RE: Final = re.compile(
    r"\W*(?:(?:no|nah|ok|okay|oh|actually|please|hmm+|wait|let['’]?s|can you|could you|bitte|por favor)\W+){0,3}"
    r"(?:undo|revert|roll ?back|take (?:it|that|this) back|put (?:it|that) back|roll (?:it|that|this) back|"
    r"never ?mind|"
    r"rückgängig(?: machen)?|mach\w* (?:das|es) rückgängig|annule|deshaz|deshazlo|revierte|desfaz|annulla|"
    r"откати\w*|отмени\w*|верни как было|撤销|撤回|回滚|还原|되돌려|되돌려줘|元に戻して)"
    r"(?:\W+(?:that|this|it|everything|all of (?:it|that)|the last (?:one|change|commit|edit)|"
    r"das|ça|eso|isso|это|всё|吧|了|一下|please|again|now)){0,3}\W*(?:吧|了|一下)?\W*",
    re.IGNORECASE,
)
_ALL_RE: Final = re.compile(
    r"\b(?:all (?:of )?(?:that|this|those|these|it)|everything|start(?:ing)? over|from scratch|whole thing)\b"
    r"|全部|所有|전부|всё",
    re.IGNORECASE,
)
# What something is for: "for the job queue".
_FOR_RE: Final = re.compile(
    r"\b(?:for|für|pour|para|per|voor|dla)\s+(?:(?:the|our|my|all|die|den|das|unsere?n?|le|la|les|el|los|las|o|a|il|"
    r"lo)\s+)?"
    r"([^\W\d_][\w-]{2,20}(?: [^\W\d_][\w-]{2,20})?)|для\s+(\w{3,20})",
    re.IGNORECASE,
)
_GOALS: Final = frozenset(("constraint", "preference", "workflow"))


class Subject(Struct, frozen=True, gc=False):
    """A finding, and what it is about."""

    finding: Finding
    turn: int
    topic: Topic
    # Words and names, spelled apart: what decisions are found by.
    terms: frozenset[str]
    # Its words without what it rules out: what it says shall be.
    wanted: frozenset[str]
    # What stood around it.
    scene: Circumstances
    # Its names, and those in the text around it.
    names_around: frozenset[str]
    says_change: bool
    says_failure: bool
    corrects_itself: bool
    reverts: bool
    starts_over: bool
    gives_up: bool
    # It wants more than there was; it wants no more than it names.
    asks_more: bool
    is_exclusive: bool
    # Whether it is for keeping something or against it, and what.
    stance: Stance
    # Things of a kind and numbers that people set by it.
    values: frozenset[Value]
    # What it says that it is for.
    purposes: frozenset[str]
    # The words of each thing that it takes something else for.
    alternatives: tuple[frozenset[str], ...]
    # What the user said of it.
    verdict: Verdict | None = None

    @property
    def is_goal(self) -> bool:
        """The user's rules outlive the ways they are kept: a new mechanism replaces the old one, not the goal."""
        return self.finding.type in _GOALS and self.finding.made_by == "user"

    @property
    def is_by_agent(self) -> bool:
        return self.finding.made_by == "agent"

    @property
    def named_values(self) -> str:
        """The words of what it sets, and of the kinds."""
        return " ".join(" ".join(each) for each in self.values)

    @property
    def takes_all_back(self) -> bool:
        return self.finding.made_by == "user" and bool(_ALL_RE.search(self.finding.quote))


def is_plain_undo(finding: Finding) -> bool:
    """Whether it says nothing but that the last thing be undone: it has few words to be judged by, and one meaning."""
    return finding.takes_back and _UNDO_RE.fullmatch(finding.quote) is not None


class Rarity:
    """How telling a shared word is: by how few of the decisions so far have it. Grows with each, and shrinks again."""

    # As if so many other decisions had been seen before: in a short session every word is rare.
    _SEEN: Final = 8.0

    def __init__(self) -> None:
        self._count = 0
        self._having: dict[str, int] = {}
        # Until one more is added.
        self._weights = _Weights(self._SEEN)

    def add(self, subject: Subject) -> None:
        self._count += 1
        self._weights = _Weights(self._count + self._SEEN)
        for term in subject.terms:
            self._having[term] = self._having.get(term, 0) + 1

    def remove(self, subject: Subject) -> None:
        """As if it had never been added."""
        self._count -= 1
        self._weights = _Weights(self._count + self._SEEN)
        for term in subject.terms:
            self._having[term] -= 1

    def of_terms(self, terms: frozenset[str]) -> float:
        # In whatever order a set has its words: the sum is the same to the last bit. Thousands of words for every
        # decision that is put beside others: no step of Python's own for each.
        return math.fsum(map(self._weights.__getitem__, map(self._having.get, terms, repeat(0))))

    def of(self, term: str) -> float:
        return self._weights[self._having.get(term, 0)]


class _Weights(dict[int, float]):
    """By how many of so many decisions have a word; made as it is asked for."""

    def __init__(self, seen: float) -> None:
        self._seen = seen

    def __missing__(self, having: int) -> float:
        weight = self[having] = math.log(self._seen / (having + 0.5)) if having else 0.0
        return weight


def _as_name(name: str) -> str:
    """Names and words are counted apart."""
    return f"={name}"


def subject_of(finding: Finding, turn: int, scene: Circumstances, *, verdict: Verdict | None = None) -> Subject:
    said = f"{finding.text}\n{finding.quote}" if finding.quote not in finding.text else finding.text
    topic = topic_of("\n".join((said, *finding.keys)))
    return Subject(
        finding=finding,
        turn=turn,
        topic=topic,
        terms=topic.words.union(map(_as_name, topic.names)),
        wanted=topic.words - topic.ruled_out,
        names_around=topic.names | names_of(scene.around),
        scene=scene,
        says_change=bool(_CHANGE_RE.search(said)),
        says_failure=bool(_FAILURE_RE.search(said)),
        corrects_itself=bool(_CORRECTION_RE.match(finding.quote)),
        reverts=finding.made_by == "agent" and bool(_REVERTS_RE.search(said)),
        starts_over=finding.made_by == "agent" and scene.is_done and bool(_ANEW_RE.search(said)),
        gives_up=finding.type == "scope" and bool(_DROP_RE.search(said)),
        asks_more=bool(_MORE_RE.search(said)),
        is_exclusive=bool(_ONLY_RE.search(said)),
        stance=stance_of(finding.quote),
        values=_values_of(finding),
        purposes=words_of(" ; ".join("".join(found) for found in _FOR_RE.findall(finding.quote))),
        alternatives=tuple(filter(None, map(words_of, finding.alternatives))),
        verdict=verdict,
    )


def _values_of(finding: Finding) -> frozenset[Value]:
    """By the human's own words, where they name any; what a question lists besides was not taken."""
    if finding.made_by == "agent":
        return frozenset()
    return (values_in(finding.quote) if finding.how != "chosen" else frozenset()) or values_in(finding.text)
