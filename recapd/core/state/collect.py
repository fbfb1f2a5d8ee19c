"""Collecting passages while a log is folded. Cheap: it runs for every message and call of every log."""

from __future__ import annotations

from recapd.core.log import Call, Note, Place, Record, Recorded, Result, text_of_beginning
from recapd.core.state.draft import MAX_NOTED, Draft, latest
from recapd.core.state.passages import (
    DEED_CHARS,
    HEAD_CHARS,
    KEPT_CHARS,
    TAIL_CHARS,
    Passage,
    PassageKind,
    head_and_tail,
)
from recapd.core.state.progress import reach
from recapd.core.state.transcript import Milestone, Noted, OpenCall
from recapd.core.text import without_own_text

# Kinds of calls that change something.
_CHANGING = frozenset(("edit", "write", "patch", "delete"))
# How a pasted `_recap.md` begins: what follows is ours, and restates what was found before.
_RECAP_FILE = "<!-- recapd:recap"
# Kinds of calls whose arguments are read.
NOTED_CALLS = frozenset(("delegate", "plan", "shell"))


def note_words(draft: Draft, record: Record, kind: PassageKind, *, text: str) -> None:
    note_own_words(draft, record, kind, text=without_own_text(text))


def note_own_words(draft: Draft, record: Record, kind: PassageKind, *, text: str) -> None:
    """The same for a text that has nothing of ours in it, but for a recap that somebody pasted."""
    tail = ""
    if _RECAP_FILE in text:
        text = text[: text.index(_RECAP_FILE)]
    if not text and kind == "reply":
        return
    if len(text) > HEAD_CHARS + TAIL_CHARS:
        text, tail = head_and_tail(text)
    draft.passages.append(
        Passage(kind, text, record.place, record.id, record.at, draft.turn_row, draft.totals.messages - 1, tail)
    )


def note_summary(draft: Draft, record: Record, note: Note) -> None:
    if note.kind in ("compaction", "away"):
        note_words(draft, record, "summary", text=note.text)


def note_call(draft: Draft, record: Record, call: Call) -> None:
    kind = call.kind
    if kind == "delegate":
        note_words(draft, record, "task", text=call.target)
    elif kind == "plan" and call.target:
        note_words(draft, record, "plan", text=call.target)
    elif kind == "shell" and "commit" in call.target:
        note_words(draft, record, "commit", text=call.target)


def note_result(draft: Draft, record: Record, opened: OpenCall, result: Result) -> None:
    """Answers, verdicts, refusals; and that something was done."""
    kind = opened.call.kind
    if result.answers:
        for number, (question, answer) in enumerate(result.answers):
            choices = _choices_of(opened.call, question, number)
            _note_reaction(
                draft, record, "answer", opened=opened, result=result, text=answer, asked=question, choices=choices
            )
    elif result.approved is not None:
        verdict: PassageKind = "approved" if result.approved else "rejected"
        _note_reaction(draft, record, verdict, opened=opened, result=result, text=result.reason, asked="")
        if result.approved:
            _note_written(draft, record, opened, asked_at=opened.place)
    elif result.denied:
        _note_reaction(draft, record, "rejected", opened=opened, result=result, text=result.reason, asked="")
    elif result.failed or result.undone or result.exit_code:
        _note_deed(draft, record, "failed", opened)
    elif opened.call.recorded is not None:
        note_recorded(draft, record, opened.call.recorded, opened.place)
    elif kind in _CHANGING:
        _note_deed(draft, record, "edit", opened)
        _note_written(draft, record, opened)
    elif kind == "shell":
        _note_deed(draft, record, "run", opened)
    elif kind == "delegate":
        note_words(draft, record, "report", text=text_of_beginning(result.payload, KEPT_CHARS))


def note_recorded(draft: Draft, record: Record, recorded: Recorded, place: Place) -> None:
    """What the agent wrote down on purpose. That the user decided it counts only beside a message of the user's."""
    request = draft.turns.tail[-1].request if draft.turn_row >= 0 else None
    by_user = recorded.by_user and request is not None
    draft.passages.append(
        Passage(
            "record",
            recorded.text,
            place,
            record.id,
            record.at,
            draft.turn_row,
            draft.totals.messages - 1,
            asked=recorded.because,
            asked_at=request.place if by_user and request is not None else None,
            choices=(recorded.kind, "user" if by_user else "agent", recorded.replaces),
        )
    )
    if recorded.kind == "open":
        noted = Noted(recorded.text, place, draft.turn_number, record.at)
        draft.noted_open = latest(draft.noted_open, noted, most=MAX_NOTED)
    elif recorded.kind == "done":
        ended = {_plain(recorded.text), _plain(recorded.replaces)}
        draft.noted_open = tuple(each for each in draft.noted_open if _plain(each.text) not in ended)
        # Each of a sort of its own: none replaces another.
        reach(draft, Milestone(recorded.text, place, draft.turn_number, record.at, f"noted at {place.offset}"))


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")


def _note_written(draft: Draft, record: Record, opened: OpenCall, *, asked_at: Place | None = None) -> None:
    for words, told in opened.call.written:
        draft.passages.append(
            Passage(
                "written",
                words,
                opened.place,
                record.id,
                record.at,
                draft.turn_row,
                draft.totals.messages - 1,
                asked=told,
                asked_at=asked_at,
            )
        )


def _note_deed(draft: Draft, record: Record, kind: PassageKind, opened: OpenCall) -> None:
    """Deeds in a row that say nothing new are one."""
    passages = draft.passages
    said = passages.tail
    if said and said[-1].kind == kind and (kind != "edit" or said[-1].text == opened.call.target[:DEED_CHARS]):
        return
    text = opened.call.target[:DEED_CHARS]
    passages.append(Passage(kind, text, opened.place, record.id, record.at, draft.turn_row, draft.totals.messages - 1))


def _choices_of(call: Call, question: str, number: int) -> tuple[str, ...]:
    """What could be answered to one of several questions: by its words, else by its place among them."""
    asked = ((call.target, call.options), *call.further)
    by_words = dict(reversed(asked))
    if question in by_words:
        return by_words[question]
    return asked[number][1] if number < len(asked) else ()


def _note_reaction(
    draft: Draft,
    record: Record,
    kind: PassageKind,
    *,
    opened: OpenCall,
    result: Result,
    text: str,
    asked: str,
    choices: tuple[str, ...] = (),
) -> None:
    returned = text_of_beginning(result.payload, DEED_CHARS * 4).strip().partition("\n")[0]
    draft.passages.append(
        Passage(
            kind,
            head_and_tail(text)[0],
            record.place,
            record.id,
            record.at,
            draft.turn_row,
            draft.totals.messages - 1,
            returned[:DEED_CHARS],
            head_and_tail(asked or opened.call.target)[0],
            opened.place,
            choices,
        )
    )
