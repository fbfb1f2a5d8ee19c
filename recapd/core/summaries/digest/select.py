"""As much as a budget of tokens holds, in order of time. The budget is a hard cap: what does not fit is skipped, the
rest goes on, the last place is filled by a beginning. Room for the request and the decisions is set aside first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from recapd.core.summaries.digest.tell import Episode
from recapd.core.text import count_for_budget, fit_tokens, one_line, take_fitting

# Shares of the budget that the frame may take; what it does not need, the episodes get.
REQUEST_SHARE: Final = 0.2
DECISIONS_SHARE: Final = 0.15
OPEN_SHARE: Final = 0.15
# A beginning of fewer tokens than this says nothing.
_LEAST_TOKENS: Final = 24
_MARK_CHARS: Final = 2
# A shorter episode is a heading or a nod: told only where there is nothing else.
_SCRAP_CHARS: Final = 30
REQUEST_LABEL: Final = "Asked: "
DECISIONS_LABEL: Final = "Decided:"
OPEN_LABEL: Final = "Open:"


class Frame(Struct, frozen=True):
    """What must be said whatever the episodes are: the goal, what was settled, what is left."""

    request: str = ""
    # Active decisions, oldest first; where room is short the newest stay.
    decisions: tuple[str, ...] = ()
    open_items: tuple[str, ...] = ()


class Selected(Struct, frozen=True):
    text: str
    episodes: tuple[int, ...]
    tokens: int


def selected(episodes: Sequence[Episode], scores: Sequence[float], *, budget: int, frame: Frame) -> Selected:
    """The text within `budget` tokens, and the numbers of the episodes in it."""
    head = [
        *_request(frame.request, int(budget * REQUEST_SHARE)),
        *_listed(DECISIONS_LABEL, frame.decisions, int(budget * DECISIONS_SHARE), newest=True),
    ]
    tail = _listed(OPEN_LABEL, frame.open_items, int(budget * OPEN_SHARE), newest=False)
    order = sorted(range(len(episodes)), key=lambda number: (-scores[number], -number))
    order = [number for number in order if len(episodes[number].text) >= _SCRAP_CHARS] or order
    lines = {number: _line(episodes[number]) for number in order}
    taken = take_fitting(order, lambda at: _cost(lines[at]), budget - count_for_budget(_joined(head, {}, tail)))
    chosen = {number: lines[number] for number in taken.positions}
    for number in order:
        if taken.left < _LEAST_TOKENS:
            break
        if number not in chosen and (line := fit_tokens(lines[number], taken.left - 1)):
            chosen[number] = one_line(line, len(line))
            break
    text = _joined(head, chosen, tail)
    while count_for_budget(text) > budget and chosen:
        # Pieces counted apart may cost a token less than together.
        del chosen[min(chosen, key=lambda number: (scores[number], number))]
        text = _joined(head, chosen, tail)
    text = fit_tokens(text, budget)
    return Selected(text, tuple(sorted(chosen)), count_for_budget(text) if text else 0)


def _line(episode: Episode) -> str:
    where = f"[turn {episode.first_turn}] " if episode.first_turn else ""
    return f"- {where}{one_line(episode.text, len(episode.text) + _MARK_CHARS)}"


def _request(request: str, room: int) -> list[str]:
    line = fit_tokens(REQUEST_LABEL + request, room) if request else ""
    return [line] if len(line) > len(REQUEST_LABEL) else []


def _listed(label: str, items: Sequence[str], room: int, *, newest: bool) -> list[str]:
    """The label and as many items as fit, in their order; the newest or the first ones."""
    lines = [f"- {item}" for item in items]
    order = range(len(lines))
    taken = take_fitting(
        reversed(order) if newest else order, lambda at: _cost(lines[at]), room - count_for_budget(label)
    )
    return [label, *(lines[at] for at in sorted(taken.positions))] if taken.positions else []


def _cost(line: str) -> int:
    return count_for_budget(f"\n{line}")


def _joined(head: Sequence[str], chosen: dict[int, str], tail: Sequence[str]) -> str:
    return "\n".join((*head, *(chosen[number] for number in sorted(chosen)), *tail))
