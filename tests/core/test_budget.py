"""A budget is a hard cap: what is needed most is taken first and given up last."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from recapd.core.text.budget import Part, drop_to_fit, take_fitting, take_until_full

COSTS = (5, 9, 2, 4)


@pytest.mark.parametrize(
    ("order", "room", "fitting", "until_full"),
    [
        ((0, 1, 2, 3), 20, (0, 1, 2, 3), (0, 1, 2, 3)),
        ((0, 1, 2, 3), 11, (0, 2, 3), (0,)),
        ((1, 0, 2, 3), 11, (1, 2), (1,)),
        ((3, 2, 1, 0), 6, (3, 2), (3, 2)),
        ((0, 1), 4, (), ()),
        ((), 4, (), ()),
    ],
)
def test_taking(order: tuple[int, ...], room: int, fitting: tuple[int, ...], until_full: tuple[int, ...]) -> None:
    taken = take_fitting(order, COSTS.__getitem__, room)
    assert taken.positions == fitting
    assert taken.left == room - sum(COSTS[at] for at in fitting) >= 0
    assert taken.left_out == sum(COSTS[at] for at in order if at not in fitting)
    assert take_until_full(order, COSTS.__getitem__, room).positions == until_full


def test_what_is_not_wanted_any_more_costs_nothing() -> None:
    def is_first(position: int, taken: Sequence[int]) -> bool:
        return not taken

    assert take_fitting((0, 1, 2), COSTS.__getitem__, 20, is_wanted=is_first) == take_fitting(
        (0,), COSTS.__getitem__, 20
    )


@pytest.mark.parametrize(
    ("most", "least_rank", "expected"),
    [(20, 0, "abcd"), (3, 0, "abc"), (2, 0, "bc"), (1, 0, "b"), (0, 0, "b"), (0, 2, "bc")],
)
def test_dropping(most: int, least_rank: int, expected: str) -> None:
    parts = [Part(rank, text) for rank, text in ((2, "a"), (0, "b"), (1, "c"), (3, "d"))]
    kept = drop_to_fit(parts, lambda some: len(some) <= most, least_rank=least_rank)
    assert "".join(part.text for part in kept) == expected
