"""Lines of a log: the same whatever pieces the bytes come in, and each where its place says it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.log import lines
from recapd.core.log.events import Problem
from recapd.core.log.lines import START, Carry, split, unfinished
from recapd.core.log.refs import Place

# Newlines often, and what other splitters take for one.
BYTES = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"{}", b"a b", b" ", b"\xe2\x80\xa8", b"\xc2\x85", b"\x0c", b"\0", b"\xff"])
)


def read_in_pieces(data: bytes, cuts: list[int]) -> tuple[list[tuple[bytes, Place]], list[Problem], Carry]:
    carry, found, problems = START, [], []
    ends = [*sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    start = 0
    for end in ends:
        part = split(carry, data[start:end])
        found += part.lines
        problems += part.problems
        carry, start = part.carry, end
    return found, problems, carry


@given(BYTES.map(b"".join), st.lists(st.integers(0, 200), max_size=8))
def test_any_pieces_of_the_bytes_give_the_same_lines(data: bytes, cuts: list[int]) -> None:
    assert read_in_pieces(data, cuts) == read_in_pieces(data, [])


@given(BYTES.map(b"".join), st.lists(st.integers(0, 200), max_size=4), st.integers(3, 9))
def test_lines_too_long_to_hold_are_reported_alike_in_any_pieces(data: bytes, cuts: list[int], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "MAX_LINE_BYTES", most)
        found, problems, carry = read_in_pieces(data, cuts)
        assert (found, problems) == read_in_pieces(data, [])[:2]
    assert all(len(line) <= most for line, _ in found)
    assert {problem.kind for problem in problems} <= {"tooLong"}
    assert len(carry.rest) <= most, "a line that is never ended must not fill the memory"
    assert carry.end == len(data)


@given(BYTES.map(b"".join), st.lists(st.integers(0, 200), max_size=4))
def test_every_line_stands_where_its_place_says(data: bytes, cuts: list[int]) -> None:
    found, _, carry = read_in_pieces(data, cuts)
    for line, place in found:
        assert data[place.offset : place.offset + place.length] == line
        assert data[: place.offset].count(b"\n") == place.line - 1
    rest = unfinished(carry)
    if rest is not None:
        line, place = rest
        assert data[place.offset :] == line


ROWS = [
    (b"", [], b""),
    (b"one\n", [(b"one", 1, 0)], b""),
    (b"one\ntwo", [(b"one", 1, 0)], b"two"),
    (b"\n \n\t\r\none\n", [(b"one", 4, 6)], b""),
    # A writer on Windows: the carriage return is white space to every JSON reader.
    (b"{}\r\n{}\r\n", [(b"{}\r", 1, 0), (b"{}\r", 2, 4)], b""),
    # Legal inside JSON strings, and no ends of lines.
    ('"a\u2028b\u2029c\u0085d"\n'.encode(), [('"a\u2028b\u2029c\u0085d"'.encode(), 1, 0)], b""),
    (b"a\x0bb\x0cc\x1cd\n", [(b"a\x0bb\x0cc\x1cd", 1, 0)], b""),
]


@pytest.mark.parametrize(("data", "expected", "rest"), ROWS)
def test_only_a_newline_ends_a_line(data: bytes, expected: list[tuple[bytes, int, int]], rest: bytes) -> None:
    part = split(START, data)
    assert [(line, place.line, place.offset) for line, place in part.lines] == expected
    assert part.carry.rest == rest
    assert part.problems == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", None),
        (b"a\n", None),
        (b"a\n  \t", None),
        (b"a\n{}", (b"{}", Place(2, 2, 2))),
        (b"x", (b"x", Place(1, 0, 1))),
    ],
)
def test_a_last_line_without_its_newline_can_be_had(data: bytes, expected: tuple[bytes, Place] | None) -> None:
    assert unfinished(split(START, data).carry) == expected


def test_a_line_that_is_too_long_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 8)
    part = split(START, b"short\n" + b"x" * 20 + b"\nnext\n")
    assert part.lines == [(b"short", Place(1, 0, 5)), (b"next", Place(3, 27, 4))]
    (problem,) = part.problems
    assert (problem.kind, problem.place) == ("tooLong", Place(2, 6, 20))
    assert "x" not in problem.detail.replace("bytes skipped", ""), "a problem never quotes the log"
