"""Refs: a file that only grew is the same file, one that begins otherwise is another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.log.refs import GENERATION_BYTES, LogRef, Place, generation_of, is_same_beginning, ref_of

LINE = b'{"type":"session","id":"a"}\n'


@given(st.integers(0, 3 * GENERATION_BYTES), st.integers(0, 3 * GENERATION_BYTES))
def test_a_ref_stays_good_while_the_log_only_grows(first: int, more: int) -> None:
    log = LINE + b'{"type":"message"}\n' * (2 * GENERATION_BYTES)
    size = len(LINE) + first
    generation = generation_of(log[:size])
    assert is_same_beginning(generation, log[: size + more])


@pytest.mark.parametrize("size", [len(LINE), 500, GENERATION_BYTES - 1, GENERATION_BYTES, 3 * GENERATION_BYTES])
def test_the_digest_of_a_grown_log_needs_no_more_than_its_head(size: int) -> None:
    log = (LINE + b"x" * 4 * GENERATION_BYTES)[:size]
    assert generation_of(log) == generation_of(log[:GENERATION_BYTES])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (LINE, b'{"type":"session","id":"b"}\n'),
        (LINE + b"y" * GENERATION_BYTES, LINE + b"z" * GENERATION_BYTES),
        (LINE + b"y" * GENERATION_BYTES, b""),
        (LINE, LINE[:-2]),
    ],
)
def test_a_log_that_begins_otherwise_is_another(before: bytes, after: bytes) -> None:
    assert not is_same_beginning(generation_of(before), after)


def test_a_ref_names_the_source_and_the_bytes() -> None:
    assert ref_of("file:///a", "g", Place(3, 40, 9)) == LogRef("file:///a", "g", 3, 40, 9)
