"""Times as logs write them: one form that compares as text, and nothing where there is no time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.log.times import canonical, canonical_all, from_epoch, seconds_between

CANONICAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
# Years of four digits: agents are younger than that.
MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(9000, 1, 1), timezones=st.just(UTC))

STAMPS = [
    ("2026-02-03T04:05:06.789Z", "2026-02-03T04:05:06.789Z"),
    ("2026-02-03T04:05:06Z", "2026-02-03T04:05:06.000Z"),
    ("2026-02-03T04:05:06.7891234Z", "2026-02-03T04:05:06.789Z"),
    ("2026-02-03T04:05:06.789+00:00", "2026-02-03T04:05:06.789Z"),
    ("2026-02-03T05:05:06.789+01:00", "2026-02-03T04:05:06.789Z"),
    ("2026-02-02T23:05:06-05:00", "2026-02-03T04:05:06.000Z"),
    ("2026-02-03 04:05:06", "2026-02-03T04:05:06.000Z"),
    ("", ""),
    ("yesterday", ""),
    ("2026-13-03T04:05:06Z", ""),
    # What only looks like the canonical form.
    ("xxxxxxxxxxTxxxxxxxx.xxxZ", ""),
    ("2026-99-99T99:99:99.999Z", ""),
    ("2026-02-30T04:05:06.789Z", ""),
    ("2026-W06-2T04:05:06.789Z", "2026-02-03T04:05:06.789Z"),
    ("0999-01-01T00:00:00Z", "0999-01-01T00:00:00.000Z"),
    ("0001-01-01T00:00:00+14:00", ""),
    ("9999-12-31T23:59:59-14:00", ""),
]


@pytest.mark.parametrize(("stamp", "expected"), STAMPS)
def test_a_stamp_is_brought_into_one_form(stamp: str, expected: str) -> None:
    assert canonical(stamp) == expected


@given(MOMENTS, st.integers(-12, 12))
def test_every_spelling_of_a_moment_is_the_same_text(moment: datetime, hours: int) -> None:
    elsewhere = moment.astimezone(timezone(timedelta(hours=hours)))
    assert canonical(moment.isoformat()) == canonical(elsewhere.isoformat())
    assert CANONICAL.fullmatch(canonical(moment.isoformat()))


@given(MOMENTS, MOMENTS)
def test_text_compares_as_time_does(one: datetime, other: datetime) -> None:
    first, second = canonical(one.isoformat()), canonical(other.isoformat())
    if abs((one - other).total_seconds()) >= 0.001:
        assert (first < second) == (one < other)
    assert seconds_between(first, second) == pytest.approx((other - one).total_seconds(), abs=0.01)


@given(st.text(max_size=40))
def test_any_text_is_a_time_or_none(text: str) -> None:
    found = canonical(text)
    assert canonical(found) == found


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_770_091_506, "2026-02-03T04:05:06.000Z"),
        (1_770_091_506_789, "2026-02-03T04:05:06.789Z"),
        (1_770_091_506.789, "2026-02-03T04:05:06.789Z"),
        (float("nan"), ""),
        (float("inf"), ""),
        (-1e300, ""),
        (1e300, ""),
    ],
)
def test_numbers_are_seconds_or_milliseconds(number: float, expected: str) -> None:
    assert from_epoch(number) == expected


@pytest.mark.parametrize(
    ("earlier", "later"), [("", "2026-02-03T04:05:06.789Z"), ("2026-02-03T04:05:06.789Z", ""), ("x", "y")]
)
def test_no_span_without_two_times(earlier: str, later: str) -> None:
    assert seconds_between(earlier, later) is None


DAY = "2026-02-03T"
TOGETHER: list[list[str]] = [
    [],
    [""],
    [f"{DAY}04:05:06.789Z", f"{DAY}23:59:59.000Z"],
    [f"{DAY}04:05:06.789Z", "", f"{DAY}20:00:00.000Z"],
    [f"{DAY}04:05:06.789Z", f"{DAY}24:00:00.000Z"],
    [f"{DAY}19:05:06.789Z", f"{DAY}25:00:00.000Z"],
    [f"{DAY}04:60:06.789Z", f"{DAY}04:05:06.789Z"],
    [f"{DAY}04:05:06.789Z", f"{DAY}04:05:60.789Z"],
    ["2026-02-30T04:05:06.789Z", "2026-02-30T04:05:07.789Z"],
    ["2026-02-03T23:59:59.999Z", "2026-02-04T00:00:00.000Z"],
    [f"{DAY}04:05:06.789Z", "2026-02-03 04:05:06.789Z", "2026-02-03T04:05:06+01:00", "soon"],
    # Together as long as two of the right length.
    [f"{DAY}04:05:06.7", "89Z" + f"{DAY}04:05:06.789Z"],
    ["\ud800"],
]


@pytest.mark.parametrize("stamps", TOGETHER)
def test_many_times_are_read_as_each_would_be(stamps: list[str]) -> None:
    for some in (stamps, stamps * 5):
        assert canonical_all(some) == [canonical(stamp) for stamp in some]


@given(st.lists(st.from_regex(r"2026-0[12]-[03]\dT[0-2]\d:[0-6]\d:[0-6]\d\.\d{3}Z", fullmatch=True), max_size=3))
def test_any_times_are_read_as_each_would_be(stamps: list[str]) -> None:
    for some in (stamps, stamps * 5):
        assert canonical_all(some) == [canonical(stamp) for stamp in some]
