"""What an agent is told unasked, at a moment of its session: little, and nothing where nothing is to say.

    it starts, after a session that broke off        where that one stood, and what holds
    the user writes, some turns on or after a break   where things stand
    it is about to forget its past for a summary      what the summary must keep
    it has forgotten                                  what the summary lost

Only what stands on proof is told as decided: a guess that is wrong here would be believed for the rest of the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from recapd.core.decisions import Entry, stands_on_proof
from recapd.core.text import asking, fenced, fit_tokens
from recapd.core.views.context.lines import Line, cost, said_in_line, section_of
from recapd.core.views.context.lost import last_summary, lost_in
from recapd.core.views.recap import Recap
from recapd.core.views.state_words import standing_word

START_TOKENS: Final = 600
PROMPT_TOKENS: Final = 150
KEEP_TOKENS: Final = 300
LOST_TOKENS: Final = 400

# How an agent is asked to keep the record; the form of the line is `core.log.recorded`'s.
ASK_TO_RECORD: Final = asking(
    "When the user decides or approves something, record it right then, once, in one line: with recapd's `record` "
    "tool, or as your answer's last line: recapd: decision by user: …"
)
_KEEP_HEADING: Final = "Keep these word for word in the summary; they were decided and still hold:"
_HOLD_HEADING: Final = "Decided, and still holds:"
_OPEN_HEADING: Final = "Left open:"
_LOST_HEADING: Final = "Before the summary above, and not in it:"
_REQUEST_CHARS: Final = 200
# As many as those characters take in most scripts; where a character is a token or two, half of all else would be lost.
_LINE_TOKENS: Final = 90
_LINE_CHARS: Final = 160
_SHORT_CHARS: Final = 90
_ITEMS: Final = 4
# Even the marks around it take some.
_FRAME: Final = cost(fenced(""))


def start_text(last: Recap, holding: Sequence[Entry], *, ago: str) -> str:
    """Where the folder's last session stood, and what holds of all that was recorded in it and before."""
    session = last.session
    lines = [f"The last session in this folder ({session.agent}, {ago}) {_left(last)}."]
    if last.original is not None:
        lines.append(f"Asked first: {said_in_line(last.original.text, _REQUEST_CHARS)}")
    if last.focus is not None and (last.original is None or last.focus.place != last.original.place):
        lines.append(f"Asked last: {said_in_line(last.focus.text, _REQUEST_CHARS)}")
    lines.append(f"State: {standing_word(last.standing)} — {said_in_line(last.standing.detail, _LINE_CHARS)}")
    head = "\n".join(fit_tokens(line, _LINE_TOKENS) for line in lines)
    room = START_TOKENS - _FRAME - cost(ASK_TO_RECORD) - cost(head)
    parts = [head]
    held = section_of("decisions", _HOLD_HEADING, map(_decided, holding), room, order=_latest_first(holding))
    if held is not None:
        parts.append(held.text)
        room -= cost(held.text)
    items = [Line(f"- {said_in_line(each.text, _LINE_CHARS)}") for each in last.items if not each.is_said_by_standing]
    if items and (left := section_of("progress", _OPEN_HEADING, items[:_ITEMS], room)) is not None:
        parts.append(left.text)
    return f"{fenced(_inner(parts))}\n{ASK_TO_RECORD}"


def _left(recap: Recap) -> str:
    """How that session was left, as far as anybody knows: an answer alone ends none."""
    return {"interrupted": "broke off", "finished": "ended"}.get(recap.standing.status, "is still open")


def _inner(parts: Sequence[str]) -> str:
    return "\n".join(parts)


def prompt_text(recap: Recap, turn: int) -> str:
    """Where things stand, in a few lines."""
    lines = [Line(f"This is turn {turn}.")]
    if recap.original is not None:
        lines.append(Line(f"Asked first: {said_in_line(recap.original.text, _SHORT_CHARS)}"))
    held = [each for each in recap.decisions if each.status == "active" and stands_on_proof(each)]
    lines += [_decided(each, _SHORT_CHARS) for each in reversed(held)]
    lines += [Line(f"Open: {said_in_line(each.text, _SHORT_CHARS)}") for each in recap.items[:1]]
    made = section_of("progress", "", lines, PROMPT_TOKENS - _FRAME)
    return fenced(made.text) if made is not None else ""


def keep_text(recap: Recap) -> str:
    """For whoever summarizes the past of a session: plain, as it becomes part of the instructions."""
    held = [each for each in recap.decisions if each.status == "active" and stands_on_proof(each)]
    if not held:
        return ""
    room = KEEP_TOKENS - _FRAME - cost(_KEEP_HEADING)
    made = section_of("decisions", "", map(_decided, held), room, order=_worthiest_first(held))
    return f"{_KEEP_HEADING}\n{fenced(made.text)}" if made is not None else ""


def lost_text(recap: Recap) -> str:
    """What the summary that the agent goes on from does not say; nothing where it says it all."""
    if last_summary(recap.session) is None:
        return ""
    made = section_of("lost", _LOST_HEADING, _lost_lines(recap), LOST_TOKENS - _FRAME)
    return fenced(made.text) if made is not None else ""


def _lost_lines(recap: Recap) -> Iterator[Line]:
    proven = {each.finding.place for each in recap.decisions if stands_on_proof(each)}
    for each in lost_in(recap):
        if each.kind != "decision" or each.place in proven:
            yield Line(f"- {each.how}: {said_in_line(each.text, _LINE_CHARS)} (turn {each.turn})", (each.place,))


def _decided(entry: Entry, chars: int = _LINE_CHARS) -> Line:
    found = entry.finding
    who = {"user": "user", "agent": "agent", "collaborative": "both"}[found.made_by]
    conflict = "; the agent has done otherwise" if entry.conflicts_with else ""
    text = fit_tokens(said_in_line(found.text, chars), _LINE_TOKENS)
    return Line(f"- {text} ({who}, turn {entry.turn}{conflict})", (found.place,))


def _latest_first(entries: Sequence[Entry]) -> Sequence[int]:
    return range(len(entries) - 1, -1, -1)


def _worthiest_first(entries: Sequence[Entry]) -> Sequence[int]:
    """What the user said before what was merely chosen, constraints before all."""
    return sorted(
        range(len(entries)),
        key=lambda at: (entries[at].finding.type != "constraint", entries[at].finding.made_by == "agent", -at),
    )
