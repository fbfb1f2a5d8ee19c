"""As much as a budget of tokens holds, in order of time. The budget is a hard cap: what does not fit is skipped, the
rest goes on. Room for the request, the decisions and what came of them is set aside first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from recapd.core.summaries.digest.tell import Candidate, Episode
from recapd.core.text import (
    Room,
    Statement,
    Terms,
    chosen,
    count_for_budget,
    fit_tokens,
    one_line,
    take_fitting,
    terms_of,
    weights_of,
)

# Whoever prints a text ends its last line.
_LINE_END: Final = "\n"
# Shares of the budget that the frame may take; what it does not need, the episodes get.
REQUEST_SHARE: Final = 0.2
DECISIONS_SHARE: Final = 0.15
OPEN_SHARE: Final = 0.12
REACHED_SHARE: Final = 0.1
FILES_SHARE: Final = 0.12
LATEST_SHARE: Final = 0.1
STATE_SHARE: Final = 0.12
_MARK_CHARS: Final = 2
# What a term is still worth that the frame names without saying what came of it.
_NAMED: Final = 0.3
REQUEST_LABEL: Final = "Asked: "
STATE_LABEL: Final = "State:"
LATEST_LABEL: Final = "Asked last: "
DECISIONS_LABEL: Final = "Decided:"
OPEN_LABEL: Final = "Open:"
REACHED_LABEL: Final = "Reached:"
FILES_LABEL: Final = "Changed:"


class Frame(Struct, frozen=True):
    """What must be said whatever the episodes are: the goal, what was settled, what came of it, what is left."""

    request: str = ""
    # Active decisions, oldest first; where room is short the newest stay.
    decisions: tuple[str, ...] = ()
    # What is proved by more than words (commits, tests), oldest first, and files that were changed, latest first.
    reached: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    open_items: tuple[str, ...] = ()
    # How it ended and where it is.
    state: tuple[str, ...] = ()
    # What was asked last, where it is not the request.
    latest: str = ""
    # Turns at which something else began: each topic is told by its best.
    topics: tuple[int, ...] = ()


class Selected(Struct, frozen=True):
    text: str
    episodes: tuple[int, ...]
    tokens: int


class _Placed(Struct, frozen=True):
    """A statement that may be told, and the number of its episode."""

    told: Candidate
    episode: int


def selected(episodes: Sequence[Episode], scores: Sequence[float], *, budget: int, frame: Frame) -> Selected:
    """The text within `budget` tokens, the end of its last line among them, and the numbers of the episodes in it.

    Statements of all episodes compete by what each adds for its length: of a long one more is told than of a short one,
    and nothing twice.
    """
    head = [
        *_asked(REQUEST_LABEL, frame.request, int(budget * REQUEST_SHARE)),
        # In a line: above the episodes a list would be one with theirs.
        *_in_line(DECISIONS_LABEL, frame.decisions, int(budget * DECISIONS_SHARE), newest=True),
    ]
    tail = [
        *_in_line(REACHED_LABEL, frame.reached, int(budget * REACHED_SHARE), newest=True),
        *_in_line(FILES_LABEL, frame.files, int(budget * FILES_SHARE), newest=False),
        *_listed(OPEN_LABEL, frame.open_items, int(budget * OPEN_SHARE), newest=False),
        *_state(frame.state, int(budget * STATE_SHARE)),
        *_asked(LATEST_LABEL, frame.latest, int(budget * LATEST_SHARE)),
    ]
    candidates = [_Placed(told, number) for number, each in enumerate(episodes) for told in _told_of(each)]
    most = max(scores, default=1.0) or 1.0
    statements = [
        Statement(
            each.told.text,
            tuple(terms_of(each.told.text)),
            each.episode,
            each.told.factor * scores[each.episode] / most,
        )
        for each in candidates
    ]

    def text_with(taken: Sequence[int]) -> str:
        return "\n".join((*head, *_lines(episodes, candidates, taken), *tail))

    def left(taken: Sequence[int]) -> int:
        return budget - count_for_budget(text_with(taken) + _LINE_END)

    weights = weights_of(list(_terms_by_turn(episodes)))
    costs = [count_for_budget(f" {each.told.text}") for each in candidates]
    # Where it ended is where the reader goes on: whatever the room, that is told first.
    last = max((each.episode for each in candidates), default=-1)
    ends = [at for at, each in enumerate(candidates) if each.episode == last]
    first = sorted(ends, key=lambda at: -candidates[at].told.factor)[:1]
    room = Room(costs=costs, left=left, group=lambda number: _topic(episodes, number, frame.topics))
    taken = first if first and left(first) >= 0 else []
    taken = chosen(statements, weights, room, known="\n".join((*head, *tail)), known_worth=_NAMED, taken=taken)
    taken += _rest(statements, costs, taken, left(taken))
    while taken and left(taken) < 0:
        # Costs add up only nearly: what was taken last goes first.
        taken.pop()
    text = text_with(taken)
    if not taken and first and (cut := fit_tokens(candidates[first[0]].told.text, left(()) - 1)):
        text = "\n".join((*head, f"- {one_line(cut, len(cut))}", *tail))
        taken = first
    if count_for_budget(text + _LINE_END) > budget:
        text = fit_tokens(text, budget - count_for_budget(_LINE_END))
    shown = {candidates[at].episode for at in taken}
    return Selected(text, tuple(sorted(shown)), count_for_budget(text) if text else 0)


def _rest(statements: Sequence[Statement], costs: Sequence[int], taken: Sequence[int], room: int) -> list[int]:
    """Of what names nothing new, what finds room that would be left empty: it still says something in other words."""
    told = {word for at in taken for word in statements[at].text.lower().split()}
    found: list[int] = []
    for at in sorted(set(range(len(statements))).difference(taken), key=lambda at: (-statements[at].factor, -at)):
        words = statements[at].text.lower().split()
        if costs[at] <= room and not told.issuperset(words):
            found.append(at)
            told.update(words)
            room -= costs[at]
    return found


def _topic(episodes: Sequence[Episode], number: int, topics: Sequence[int]) -> int:
    """Where nobody asks, each episode is a topic of its own; those come before the first turn."""
    turn = episodes[number].first_turn
    return bisect_right(topics, turn) if turn else number - len(episodes)


def _terms_by_turn(episodes: Sequence[Episode]) -> Iterator[tuple[Terms, Terms]]:
    """What was asked and answered in each turn; where nobody asks, each episode is one."""
    for _, group in groupby(enumerate(episodes), key=lambda each: (each[1].first_turn, each[1].first_turn or each[0])):
        turn = [episode for _, episode in group]
        asked = "\n".join(each.request for each in turn)
        yield terms_of(asked), terms_of("\n".join(told.text for each in turn for told in _told_of(each)))


def _told_of(episode: Episode) -> tuple[Candidate, ...]:
    if episode.statements is not None:
        return episode.statements
    return (Candidate(one_line(episode.text, len(episode.text) + _MARK_CHARS)),)


def _lines(episodes: Sequence[Episode], candidates: Sequence[_Placed], taken: Sequence[int]) -> list[str]:
    """One for each episode of which something is told, in order of time."""
    told: dict[int, list[str]] = {}
    for at in sorted(taken):
        told.setdefault(candidates[at].episode, []).append(candidates[at].told.text)
    return [f"- {_where(episodes[number])}{' '.join(texts)}" for number, texts in told.items()]


def _where(episode: Episode) -> str:
    return f"[turn {episode.first_turn}] " if episode.first_turn else ""


def _asked(label: str, request: str, room: int) -> list[str]:
    line = fit_tokens(label + request, room) if request else ""
    return [line] if len(line) > len(label) else []


def _state(facts: Sequence[str], room: int) -> list[str]:
    """How it stands, cut where it must be, then as many of the facts beside it as there is room for."""
    line = fit_tokens(f"{STATE_LABEL} {facts[0]}", room) if facts else ""
    if len(line) <= len(STATE_LABEL):
        return []
    for fact in facts[1:]:
        longer = f"{line}; {fact}"
        line = longer if count_for_budget(longer) <= room else line
    return [line]


def _in_line(label: str, items: Sequence[str], room: int, *, newest: bool) -> list[str]:
    """As many items as fit behind their label, in their order, and how many more there are."""
    order = range(len(items))
    more = f"; … and {len(items)} more"
    taken = take_fitting(
        reversed(order) if newest else order,
        lambda at: count_for_budget(f"; {items[at]}"),
        room - count_for_budget(label + more),
    )
    if not taken.positions:
        return []
    rest = len(items) - len(taken.positions)
    return [
        f"{label} {'; '.join(items[at].rstrip('.') for at in sorted(taken.positions))}"
        + (f"; … and {rest} more" if rest else "")
    ]


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
