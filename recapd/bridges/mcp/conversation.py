"""A part of a conversation within a budget.

What was asked and answered in the end comes first, then what else was said or failed, what was done, and outputs; of
each the latest before the earliest, in a line before any of it whole. What there is no room for is counted where it
stands.
"""

from __future__ import annotations

from recapd.bridges.words import MARKS_TOKENS, fence, fit_lines, in_line, most_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What is told in a line has so many characters, or fewer where what was asked and answered would not both fit.
_LINES = (160, 80, 40)
# What is told below the page, at most.
_BELOW = 45
_LEFT_OUT, _IN_A_LINE, _WHOLE = 0, 1, 2
# The weightiest first: what was asked and answered in the end, what else was said or failed, what was done, outputs.
_ASKED, _SAID, _DONE, _RESULT = range(4)


class _Entry:
    """What was said or done, in its two lengths, and how much of it is told."""

    __slots__ = ("level", "line", "lines", "rank", "turn")

    def __init__(self, turn: int, entry: Any, *, most_chars: int, is_last_said: bool) -> None:
        kind = entry["kind"]
        is_failed = entry.get("ok") is False
        called = f" {entry['tool']}" if entry.get("tool") else ""
        lead = f"{kind}{called}{' (failed)' if is_failed else ''} [line {entry['ref']['line']}]: "
        said = (entry["text"] or entry.get("target") or "") + ("…" if entry.get("truncated") else "")
        self.turn = turn
        self.line = lead + in_line(said, most_chars)
        self.lines = (lead + said).split("\n")
        self.level = _LEFT_OUT
        if kind == "user" or is_last_said:
            self.rank = _ASKED
        elif is_failed or kind not in ("call", "result"):
            self.rank = _SAID
        else:
            self.rank = _RESULT if kind == "result" else _DONE

    def cost_of(self, level: int) -> int:
        if level == _LEFT_OUT:
            return 0
        return most_tokens(self.line) if level == _IN_A_LINE else sum(map(most_tokens, self.lines))

    def written(self) -> list[str]:
        return [self.line] if self.level == _IN_A_LINE else self.lines


def tell_conversation(found: Any, budget: int, *, is_named: bool, below: str) -> str:
    """The turns of an answer to `transcript/get`, between the marks; of which session, where that was not said. `below`
    follows."""
    turns = found["turns"]
    if not turns:
        return fence("There is nothing there.") + below
    budget -= most_tokens(below) if below else 0
    room = budget - MARKS_TOKENS - _BELOW
    heads = [_head(found, turn, is_named=is_named or number > 0) for number, turn in enumerate(turns)]
    most_chars = next((each for each in _LINES if _least(heads[0], _entries_of(0, turns[0], each)) <= room), _LINES[-1])
    entries: list[_Entry] = []
    left = room
    told = 0
    # A turn of which next to nothing fits is told with the next request.
    for number, turn in enumerate(turns):
        its = _entries_of(number, turn, most_chars)
        left -= _least(heads[number], its)
        if left < 0 and number:
            break
        room -= most_tokens(heads[number]) + _gap_cost(its)
        entries += its
        told += 1
    _choose(entries, room)
    if entries and not any(each.level for each in entries):
        # Not even a line fits.
        first = min(entries, key=lambda each: each.rank)
        kept, _ = fit_lines([heads[0], first.line], budget - _BELOW, heads=1)
        return fence(kept) + "\n… more: ask with a larger maxTokens." + below
    return fence("\n".join(_written(heads[:told], entries))) + _left(turns, told, entries) + below


def _head(found: Any, turn: Any, *, is_named: bool) -> str:
    where = "" if is_named else f", session {found['sessionId']}"
    return f"turn {turn['turn']} of {found['total']}{where}"


def _entries_of(number: int, turn: Any, most_chars: int) -> list[_Entry]:
    said = [at for at, entry in enumerate(turn["entries"]) if entry["kind"] == "agent"]
    return [
        _Entry(number, entry, most_chars=most_chars, is_last_said=at in said[-1:])
        for at, entry in enumerate(turn["entries"])
    ]


def _least(head: str, entries: list[_Entry]) -> int:
    """What it takes to tell in a line each what was asked and answered in a turn, and where the rest would stand."""
    asked = [each.cost_of(_IN_A_LINE) for each in entries if each.rank == _ASKED]
    return most_tokens(head) + (len(asked) + 1) * _gap_cost(entries) + sum(asked)


def _gap_cost(entries: list[_Entry]) -> int:
    return most_tokens(_gap(len(entries))) if entries else 0


def _gap(count: int) -> str:
    return f"… {count} more"


def _choose(entries: list[_Entry], room: int) -> None:
    """As much as fits, in the order of its weight; the room for one gap in each turn is already taken."""
    gap = most_tokens(_gap(len(entries)))
    latest_first = range(len(entries) - 1, -1, -1)
    steps = [(at, level) for level in (_IN_A_LINE, _WHOLE) for at in _of(entries, _ASKED, latest_first)]
    steps += [(at, _IN_A_LINE) for rank in (_SAID, _DONE) for at in _of(entries, rank, latest_first)]
    steps += [(at, _WHOLE) for at in _of(entries, _SAID, latest_first)]
    steps += [(at, _IN_A_LINE) for at in _of(entries, _RESULT, latest_first)]
    steps += [(at, _WHOLE) for rank in (_DONE, _RESULT) for at in _of(entries, rank, latest_first)]
    for at, level in steps:
        entry = entries[at]
        if level == _WHOLE and entry.level == _LEFT_OUT:
            continue
        more = entry.cost_of(level) - entry.cost_of(entry.level)
        if entry.level == _LEFT_OUT:
            # Told in the middle of what is left out, it makes two gaps of one.
            more += gap * (sum(_is_left_out(entries, each, entry.turn) for each in (at - 1, at + 1)) - 1)
        if more <= room:
            room -= more
            entry.level = level


def _of(entries: list[_Entry], rank: int, order: range) -> list[int]:
    return [at for at in order if entries[at].rank == rank]


def _is_left_out(entries: list[_Entry], at: int, turn: int) -> bool:
    return 0 <= at < len(entries) and entries[at].turn == turn and entries[at].level == _LEFT_OUT


def _written(heads: list[str], entries: list[_Entry]) -> list[str]:
    lines: list[str] = []
    for number, head in enumerate(heads):
        lines.append(head)
        left_out = 0
        for entry in entries:
            if entry.turn != number:
                continue
            if entry.level == _LEFT_OUT:
                left_out += 1
                continue
            lines += [*([_gap(left_out)] if left_out else []), *entry.written()]
            left_out = 0
        lines += [_gap(left_out)] if left_out else []
    return lines


def _left(turns: Any, told: int, entries: list[_Entry]) -> str:
    if told < len(turns):
        return f"\n… more turns: ask with fromTurn {turns[told]['turn']}, or a larger maxTokens."
    is_cut = any(each.level == _LEFT_OUT or (each.level != _WHOLE and each.lines != [each.line]) for each in entries)
    return "\n… more: ask with a larger maxTokens, or one turn." if is_cut else ""
