"""The frozen sequence that grows: it behaves like a list, equal histories are equal, and growing copies little."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.state.growing import CHUNK, Chunked, Growing

SIZES = st.sampled_from([0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7])
# Append a value, or replace the entry at a position.
CHANGES = st.lists(st.tuples(st.booleans(), st.integers(0, 500)), max_size=3 * CHUNK)


def of(items: list[int]) -> Chunked[int]:
    growing: Growing[int] = Growing(Chunked())
    for item in items:
        growing.append(item)
    return growing.freeze()


def grown(base: Chunked[int], changes: list[tuple[bool, int]]) -> Growing[int]:
    growing = Growing(base)
    for is_append, number in changes:
        if is_append or not len(growing):
            growing.append(number)
        else:
            growing[number % len(growing)] = -number
    return growing


@given(SIZES, CHANGES)
def test_it_is_a_list_that_never_changes_under_its_readers(size: int, changes: list[tuple[bool, int]]) -> None:
    base = of(list(range(size)))
    expected = list(range(size))
    for is_append, number in changes:
        if is_append or not expected:
            expected.append(number)
        else:
            expected[number % len(expected)] = -number
    growing = grown(base, changes)
    assert [growing[at] for at in range(len(growing))] == expected
    frozen = growing.freeze()
    assert list(frozen) == expected
    assert list(reversed(frozen)) == expected[::-1]
    assert len(frozen) == len(expected)
    assert [frozen[at - len(expected)] for at in range(len(expected))] == expected
    assert list(base) == list(range(size))


@given(SIZES, CHANGES, st.integers(0, 200))
def test_equal_histories_are_equal_however_they_were_batched(
    size: int, changes: list[tuple[bool, int]], cut: int
) -> None:
    base = of(list(range(size)))
    at_once = grown(base, changes).freeze()
    in_two = grown(grown(base, changes[:cut]).freeze(), changes[cut:]).freeze()
    assert at_once == in_two


def test_growing_copies_only_the_last_piece() -> None:
    before = of(list(range(10 * CHUNK + 5)))
    growing = Growing(before)
    growing.append(1)
    after = growing.freeze()
    assert all(old is new for old, new in zip(before.chunks[:-1], after.chunks[:-1], strict=True))


def test_nothing_new_is_the_same_object() -> None:
    base = of([1, 2, 3])
    assert Growing(base).freeze() is base


@pytest.mark.parametrize("index", [3, -4, CHUNK, -CHUNK])
def test_there_is_nothing_beyond_the_ends(index: int) -> None:
    with pytest.raises(IndexError):
        of([1, 2, 3])[index]


def test_the_last_entry_of_a_draft_is_found_from_the_end() -> None:
    growing = Growing(of(list(range(CHUNK))))
    assert growing[-1] == CHUNK - 1
    growing.append(7)
    growing[-2] = 8
    assert (growing[-1], growing[-2], growing[CHUNK - 1]) == (7, 8, 8)


@given(SIZES, CHANGES)
def test_the_end_of_a_draft_is_never_empty_but_where_the_draft_is(size: int, changes: list[tuple[bool, int]]) -> None:
    growing = grown(of(list(range(size))), changes)
    assert growing.tail[-1:] == ([growing[-1]] if len(growing) else [])
