"""A mapping of which another with a few items more costs little however large it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recapd.core.state.growing import Layered

CHANGES = st.lists(
    st.one_of(
        st.dictionaries(st.integers(0, 40), st.integers(), max_size=4),
        st.sets(st.integers(0, 40), max_size=3),
    ),
    max_size=30,
)


@given(CHANGES)
def test_it_is_what_a_dict_would_be_and_never_changes(changes: list[dict[int, int] | set[int]]) -> None:
    made: list[tuple[Layered[int, int], dict[int, int]]] = [(Layered(), {})]
    for change in changes:
        layered, expected = made[-1]
        if isinstance(change, dict):
            made.append((layered.with_items(change), {**expected, **change}))
        else:
            left = {key: value for key, value in expected.items() if key not in change}
            made.append((layered.without(change), left))
    for layered, expected in made:
        # Also in their order.
        assert list(layered.items()) == list(expected.items())
        assert (list(layered), list(layered.values()), len(layered)) == (
            [*expected],
            [*expected.values()],
            len(expected),
        )
        assert [layered.get(key) for key in range(41)] == [expected.get(key) for key in range(41)]
        assert all((key in layered) == (key in expected) for key in range(41))
        assert layered == expected


def test_an_item_more_copies_no_more_than_the_root_of_all() -> None:
    layered = Layered(dict.fromkeys(range(10_000), 0))
    copied = 0
    for key in range(1_000):
        before, layered = layered, layered.with_items({key: 1})
        copied += len(layered._recent) if layered._base is before._base else len(layered)
    assert copied / 1_000 < 4 * 10_000**0.5
