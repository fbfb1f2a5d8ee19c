"""Whether a reader's answer is true: every quote is found in the line it names, every claim has its place, or it goes.

    answer ─▶ JSON ─▶ each decision, change and statement by itself ─▶ checked against the lines shown ─▶ Reading

Nothing is believed. A quote counts where its words stand in that very line, in their order, and is kept as the log
spells it. A text may use no name and no number that does not stand in what was shown. What fails is dropped and
counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Raw, Struct

from recapd.core import late_re as re
from recapd.core.decisions import DecisionType, How, MadeBy
from recapd.core.log import Place
from recapd.core.reading.prompt import MOST_RESULTS
from recapd.core.reading.script import Line, Piece, abandoned_until, fingerprint_of, shown
from recapd.core.state import Brief, ReadDecision, Reading, ReadStatement, Session
from recapd.core.text import names_in, one_line, presentable

# More of it than a piece can hold is a flood: what comes first counts.
MOST_DECISIONS: Final = 80
_MOST_CHANGES: Final = 80
_MOST_OPEN: Final = 8
_MOST_NEXT: Final = 4
_MOST_BRIEF: Final = 8
# What is kept of all pieces; of long ago the lightest go.
_MOST_KEPT_RESULTS: Final = 200
_TEXT_CHARS: Final = 200
_QUOTE_CHARS: Final = 300
_STATEMENT_CHARS: Final = 320
_MOST_PLACES: Final = 8
_ALTERNATIVES: Final = 4
_LEAST_TEXT_WORDS: Final = 2
_NOTHING: Final = Raw(b"null")
_WORD_RE: Final = re.compile(r"\w")
_ID_RE: Final = re.compile(r"D?(\d{1,6})")

T = TypeVar("T", bound=Struct)
Said: TypeAlias = str | None


class _Decision(Struct):
    id: str
    text: str
    quote: str
    message: int
    proposal: int | None = None
    who: str = ""
    how: str = ""
    type: str = ""
    weight: int = 2
    why: Said = ""
    alternatives: list[str] | None = None


class _Change(Struct):
    id: str
    how: str
    by: str | None = None
    message: int | None = None


class _Statement(Struct):
    text: str
    messages: list[int]
    weight: int = 2


class _Brief(Struct):
    asked: Raw = _NOTHING
    results: list[Raw] = []
    stands: Raw = _NOTHING
    next: Raw = _NOTHING


class _Recap(Struct):
    asked: Raw = _NOTHING
    stands: Raw = _NOTHING
    results: list[Raw] = []
    open: list[Raw] = []
    next: list[Raw] = []
    brief: Raw = _NOTHING


class _Answer(Struct):
    # Who has neither answered something else.
    decisions: list[Raw]
    recap: _Recap
    changes: list[Raw] = []


class _Noted(Struct, frozen=True):
    """A line that was shown with an earlier piece."""

    number: int
    place: Place
    turn: int


class Asked(Struct, frozen=True):
    """What an answer is an answer to."""

    session: Session
    piece: Piece
    before: Reading | None
    by: str
    model: str
    now: str


def read_answer(text: str, asked: Asked) -> Reading | None:
    """What is known after it; None where it is no answer at all."""
    answer = _decoded(text)
    if answer is None:
        return None
    check = _Check(asked)
    decisions = check.decisions(answer.decisions)
    decisions = check.changed(decisions, answer.changes)
    recap, before = answer.recap, asked.before
    last = asked.piece.lines[-1]
    results = check.statements(recap.results, MOST_RESULTS)
    known = before.results if before is not None else ()
    return Reading(
        by=asked.by,
        model=asked.model,
        at=asked.now,
        through=last.place,
        fingerprint=fingerprint_of(asked.session, last.place),
        message=last.message,
        turn=max(line.turn for line in asked.piece.lines),
        abandoned=abandoned_until(asked.session.main.transcript, last.place),
        decisions=tuple(decisions),
        asked=check.statement(recap.asked) or (before.asked if before is not None else None),
        stands=check.statement(recap.stands) or (before.stands if before is not None else None),
        results=_bounded((*known, *results)),
        open=tuple(check.statements(recap.open, _MOST_OPEN)),
        next=tuple(check.statements(recap.next, _MOST_NEXT)),
        brief=check.brief(recap.brief),
        dropped=check.dropped + (before.dropped if before is not None else 0),
        pieces=1 + (before.pieces if before is not None else 0),
        input_tokens=before.input_tokens if before is not None else 0,
        output_tokens=before.output_tokens if before is not None else 0,
    )


def _decoded(text: str) -> _Answer | None:
    """The object in the answer: some models talk around it, or put it into a code block."""
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin:
        return None
    try:
        found = msgspec.json.decode(text[begin : end + 1].encode("utf-8", "replace"), type=_Answer, strict=False)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return found


class _Check:
    """One answer against the lines it is about; counts what it drops."""

    def __init__(self, asked: Asked) -> None:
        self._lines = asked.piece.by_number
        self._before = asked.before
        self._noted = _noted(asked.before) if asked.before is not None else {}
        self._shown = _haystack(asked.piece, asked.before)
        self.dropped = 0
        # By the number that the reader gave, which need not be the next free one.
        self._numbers: dict[int, int] = {}

    def decisions(self, told: Sequence[Raw]) -> list[ReadDecision]:
        known = list(self._before.decisions) if self._before is not None else []
        self._numbers = {each.number: each.number for each in known}
        ordinals: dict[str, int] = {}
        for each in known:
            ordinals[_record_of(each)] = ordinals.get(_record_of(each), 0) + 1
        # Where the same words were taken before, they are the same decision.
        taken = {(each.place.offset, each.quote, each.text) for each in known}
        number = max((each.number for each in known), default=0)
        new: list[tuple[int, int, _Decision, Line, str]] = []
        for raw in self._first(told, MOST_DECISIONS):
            said = self._converted(raw, _Decision)
            line = self._lines.get(said.message) if said is not None else None
            if said is None or line is None or not _is_text(said.text) or not self._is_grounded(said.text):
                self.dropped += said is not None
                continue
            at, quote = find_quote(said.quote, line.text)
            if not quote or _id_of(said.id) in (None, *self._numbers):
                self.dropped += 1
                continue
            new.append((line.number, at, said, line, quote))
        for _, _, said, line, quote in sorted(new, key=lambda each: each[:2]):
            text = one_line(presentable(said.text), _TEXT_CHARS)
            told_number = _id_of(said.id)
            if (line.place.offset, quote, text) in taken or told_number is None or told_number in self._numbers:
                self.dropped += 1
                continue
            number += 1
            self._numbers[told_number] = number
            record = line.record or f"@{line.place.offset}"
            known.append(
                self._decision(said, line, text=text, quote=quote, number=number, ordinal=ordinals.get(record, 0))
            )
            ordinals[record] = ordinals.get(record, 0) + 1
            taken.add((line.place.offset, quote, text))
        return known

    def _decision(
        self, said: _Decision, line: Line, *, text: str, quote: str, number: int, ordinal: int
    ) -> ReadDecision:
        proposal = self._lines.get(said.proposal) if said.proposal is not None else None
        asked_at = line.asked_at if proposal is None else proposal.place
        made_by = said.who if said.who in get_args(MadeBy) else line.speaker
        if line.speaker == "user" and made_by == "agent":
            made_by = "user"
        whys = presentable(said.why or "")
        return ReadDecision(
            number=number,
            record=line.record,
            ordinal=ordinal,
            place=line.place,
            turn_row=line.turn_row,
            message=line.message,
            at=line.at,
            text=text,
            quote=quote,
            type=said.type if said.type in get_args(DecisionType) else "other",
            made_by=made_by,
            how=said.how if said.how in get_args(How) else "stated",
            weight=min(max(said.weight, 1), 3),
            rationale=one_line(whys, _TEXT_CHARS) if self._is_grounded(whys) else "",
            alternatives=tuple(
                one_line(presentable(each), _TEXT_CHARS)
                for each in (said.alternatives or [])[:_ALTERNATIVES]
                if each.strip() and self._is_grounded(each)
            ),
            proposal=asked_at if asked_at != line.place else None,
        )

    def changed(self, decisions: list[ReadDecision], told: Sequence[Raw]) -> list[ReadDecision]:
        by_number = {each.number: each for each in decisions}
        for raw in self._first(told, _MOST_CHANGES):
            said = self._converted(raw, _Change)
            if said is None:
                continue
            meant = by_number.get(self._known(said.id))
            by = by_number.get(self._known(said.by or ""))
            if meant is None or not _may_end(meant, by, said.how) or (said.message or 0) not in (0, *self._lines):
                self.dropped += 1
                continue
            by_number[meant.number] = _ended(meant, by, said.how)
        return list(by_number.values())

    def statement(self, raw: Raw) -> ReadStatement | None:
        if bytes(raw) == bytes(_NOTHING):
            return None
        said = self._converted(raw, _Statement)
        if said is None:
            return None
        lines = [line for number in said.messages if (line := self._line(number)) is not None]
        if not lines or not _is_text(said.text) or not self._is_grounded(said.text):
            self.dropped += 1
            return None
        by_place = {line.place: line for line in reversed(lines)}
        kept = tuple(reversed(by_place.values()))[:_MOST_PLACES]
        return ReadStatement(
            text=one_line(presentable(said.text), _STATEMENT_CHARS),
            places=tuple(line.place for line in kept),
            turn=max(line.turn for line in lines),
            weight=min(max(said.weight, 1), 3),
            lines=tuple(line.number for line in kept),
        )

    def _line(self, number: int) -> Line | _Noted | None:
        """One that was shown, or that something noted before rests on."""
        return self._lines.get(number) or self._noted.get(number)

    def statements(self, told: Sequence[Raw], most: int) -> list[ReadStatement]:
        found = (self.statement(raw) for raw in self._first(told, most))
        return [each for each in found if each is not None]

    def brief(self, raw: Raw) -> Brief:
        if bytes(raw) == bytes(_NOTHING):
            return Brief()
        said = self._converted(raw, _Brief)
        if said is None:
            return Brief()
        return Brief(
            asked=self.statement(said.asked),
            results=tuple(self.statements(said.results, _MOST_BRIEF)),
            stands=self.statement(said.stands),
            next=self.statement(said.next),
        )

    def _known(self, said: str) -> int:
        number = _id_of(said)
        return self._numbers.get(number, 0) if number is not None else 0

    def _first(self, told: Sequence[Raw], most: int) -> Sequence[Raw]:
        self.dropped += max(len(told) - most, 0)
        return told[:most]

    def _converted(self, raw: Raw, sort: type[T]) -> T | None:
        try:
            return msgspec.json.decode(raw, type=sort, strict=False)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            self.dropped += 1
            return None

    def _is_grounded(self, text: str) -> bool:
        """Whether everything it names stands in what was shown."""
        return all(_stands_in(self._shown, name.lower()) for name in names_in(text))


def find_quote(quote: str, text: str) -> tuple[int, str]:
    """Where the words of a quote stand in a text, in their order and with nothing between them but marks and spaces,
    and the words as the text spells them; -1 and "" where they do not."""
    wanted, _ = _letters(quote)
    if not wanted:
        return -1, ""
    letters, at = _letters(text)
    found = letters.find(wanted)
    while found >= 0:
        begin, last = at[found], at[found + len(wanted) - 1]
        # Not out of the middle of a word.
        if not (begin and text[begin - 1].isalnum()) and not text[last + 1 : last + 2].isalnum():
            end = last + 1
            while end < len(text) and text[end] in ".!?)”\"'`。！？" and end < last + 3:
                end += 1
            exact = text[begin:end]
            return begin, exact[:_QUOTE_CHARS] if len(exact) > _QUOTE_CHARS else exact
        found = letters.find(wanted, found + 1)
    return -1, ""


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits alone, and where each stands."""
    found = [(character.lower()[:1], at) for at, character in enumerate(text) if character.isalnum()]
    return "".join(character for character, _ in found), [at for _, at in found]


def _haystack(piece: Piece, before: Reading | None) -> str:
    lines = [shown(line) for line in (*piece.before, *piece.lines)]
    if before is not None:
        lines += [each.text for each in before.decisions]
        lines += [each.text for each in _statements(before)]
    return "\n".join(lines).lower()


def _stands_in(shown: str, name: str) -> bool:
    """A name as it is spelled; a number of a pull request or an issue also by its address, or by the word before it;
    words that a slash puts side by side each by itself, where they are no file."""
    if name in shown:
        return True
    if name.startswith("#"):
        return (
            re.search(rf"(?:/(?:pull|issues|merge_requests)/|\b(?:prs?|mrs?|issues?|requests?) #?){name[1:]}\b", shown)
            is not None
        )
    parts = name.split("/")
    return len(parts) > 1 and "." not in name and all(part in shown for part in parts)


def _statements(reading: Reading) -> Iterable[ReadStatement]:
    singles = (each for each in (reading.asked, reading.stands) if each is not None)
    return (*singles, *reading.results, *reading.open, *reading.next, *reading.brief.statements)


def _noted(reading: Reading) -> dict[int, _Noted]:
    return {
        number: _Noted(number, place, each.turn)
        for each in _statements(reading)
        for number, place in zip(each.lines, each.places, strict=False)
    }


def _is_text(text: str) -> bool:
    words = text.split()
    # Where words have no spaces, one is as good as several.
    return len(words) >= _LEAST_TEXT_WORDS or (not text.isascii() and len(_WORD_RE.findall(text)) > _LEAST_TEXT_WORDS)


def _id_of(said: str) -> int | None:
    found = _ID_RE.fullmatch(said.strip())
    return int(found[1]) if found else None


def _record_of(each: ReadDecision) -> str:
    return each.record or f"@{each.place.offset}"


def _may_end(meant: ReadDecision, by: ReadDecision | None, how: str) -> bool:
    """Only what comes later ends something, once; what the user said is only ended by the user."""
    if meant.fate != "active" or how not in ("replaced", "withdrawn", "contradicted"):
        return False
    if how == "withdrawn":
        return by is None or by.number != meant.number
    if by is None or by.number <= meant.number or by.fate != "active":
        return False
    return how == "contradicted" or meant.made_by != "user" or by.made_by != "agent"


def _ended(meant: ReadDecision, by: ReadDecision | None, how: str) -> ReadDecision:
    number = by.number if by is not None else 0
    if how == "contradicted":
        return msgspec.structs.replace(meant, contradicted_by=number)
    fate = "superseded" if how == "replaced" else "reverted"
    return msgspec.structs.replace(meant, fate=fate, ended_by=number)


def _bounded(results: Sequence[ReadStatement]) -> tuple[ReadStatement, ...]:
    if len(results) <= _MOST_KEPT_RESULTS:
        return tuple(results)
    half = _MOST_KEPT_RESULTS // 2
    older, newer = results[:-half], results[-half:]
    heaviest = sorted(range(len(older)), key=lambda at: (-older[at].weight, -at))[:half]
    return (*(older[at] for at in sorted(heaviest)), *newer)


def with_usage(reading: Reading, *, input_tokens: int, output_tokens: int) -> Reading:
    return msgspec.structs.replace(
        reading,
        input_tokens=reading.input_tokens + input_tokens,
        output_tokens=reading.output_tokens + output_tokens,
    )
