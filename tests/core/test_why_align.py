"""Which lines stay: against all longest common subsequences, found one by one."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from recapd.core.why.alignment import NEW, UNSURE, align

_TEXTS = st.lists(st.sampled_from(["a", "b", "c", "}", ""]), max_size=7)


def every_diff(before: tuple[str, ...], after: tuple[str, ...]) -> list[dict[int, int]]:
    """All longest ways to find lines of one text in another, in their order: by line of the later one."""

    @cache
    def longest(row: int, at: int) -> frozenset[tuple[tuple[int, int], ...]]:
        if row == len(before) or at == len(after):
            return frozenset(((),))
        found = longest(row + 1, at) | longest(row, at + 1)
        if before[row] == after[at]:
            found |= {((at, row), *rest) for rest in longest(row + 1, at + 1)}
        most = max(map(len, found))
        return frozenset(each for each in found if len(each) == most)

    return [dict(each) for each in longest(0, 0)]


@given(before=_TEXTS, after=_TEXTS)
def test_a_line_stays_or_is_new_where_every_diff_says_so(before: list[str], after: list[str]) -> None:
    diffs = every_diff(tuple(before), tuple(after))
    expected = []
    for at in range(len(after)):
        said = {diff.get(at, NEW) for diff in diffs}
        expected.append(said.pop() if len(said) == 1 else UNSURE)
    assert align(before, after).lines == expected


def check(before: str, after: str, expected: list[int], moved: dict[int, int] | None = None) -> None:
    for most_cells in (60_000, 0):
        found = align(before.split(), after.split(), most_cells=most_cells)
        assert (found.lines, found.moved) == (expected, moved or {}), most_cells


def test_what_every_reader_would_say() -> None:
    check("a b c", "a b c", [0, 1, 2])
    check("", "a b", [NEW, NEW])
    check("a b", "", [])
    check("a b c", "a x c", [0, NEW, 2])
    check("a b c", "a c", [0, 2])
    # Of two braces one is new, and nobody can say which.
    check("f } g", "f } }  g", [0, UNSURE, UNSURE, 2])
    check("f { p } g { r }", "f { p } h { q } g { r }", [0, 1, 2, UNSURE, NEW, NEW, NEW, UNSURE, 4, 5, 6, 7])
    # Nor which of two lines that changed places was moved.
    check("a b", "b a", [UNSURE, UNSURE])


def test_lines_that_were_moved_are_known_again_when_there_is_enough_of_them() -> None:
    before = [*"abcdef", "def total(basket):", "return sum(basket)", "z"]
    after = ["def total(basket):", "return sum(basket)", *"abcdef", "z"]
    found = align(before, after)
    assert found.lines == [NEW, NEW, 0, 1, 2, 3, 4, 5, 8] and found.moved == {0: 6, 1: 7}
    assert align([*"abcdef", "x = 1", "z"], ["x = 1", *"abcdef", "z"]).moved == {}


def test_long_texts_are_divided_by_lines_that_occur_once() -> None:
    before = [f"line {number}" if number % 3 else "}" for number in range(3_000)]
    after = [*before[:500], "new", *before[500:1_000], *before[1_010:2_500], "newer", "}", *before[2_500:]]
    found = align(before, after, most_cells=100).lines
    assert len(found) == len(after) and found[500] == NEW and found[-1] == 2_999
    sure = [(at, row) for at, row in enumerate(found) if row >= 0]
    assert all(before[row] == after[at] for at, row in sure)
    assert sum(row == UNSURE for row in found) < 10


@given(before=_TEXTS, after=_TEXTS)
def test_divided_or_not_nothing_stays_out_of_order_or_twice(before: list[str], after: list[str]) -> None:
    for most_cells in (0, 4, 60_000):
        found = align(before, after, most_cells=most_cells)
        rows = [row for row in found.lines if row >= 0]
        assert rows == sorted(set(rows))
        assert all(before[row] == after[at] for at, row in enumerate(found.lines) if row >= 0)
        assert all(before[row] == after[at] and found.lines[at] < 0 for at, row in found.moved.items())
