"""Record ids, packed: each stands where it belongs, whatever its length and its characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.state.draft import ID_CHARS, IDS_PER_CHUNK, ids_with, packed, position_of, start_draft
from recapd.core.state.folding import extend, take
from recapd.core.state.growing import Chunked
from recapd.core.state.transcript import EMPTY
from tests.support.records import record

ID_LISTS: list[tuple[str, list[str]]] = [
    ("of one length", [f"0f1e2d3c-{number:08x}" for number in range(1_200)]),
    ("exactly as long as what is kept", [f"{number:08x}" for number in range(600)]),
    ("shorter", [f"{number:04x}" for number in range(600)]),
    ("of many lengths", [f"{number:x}".rjust(8 + number % 5, "-") for number in range(600)]),
    ("not of ASCII", [f"é{number:08x}" for number in range(600)]),
]


@pytest.mark.parametrize("ids", [row[1] for row in ID_LISTS], ids=[row[0] for row in ID_LISTS])
def test_each_record_is_found_where_it_stands(ids: list[str]) -> None:
    draft = start_draft(extend(EMPTY, [record(id=each) for each in ids]))
    assert [position_of(draft, each) for each in ids] == list(range(len(ids)))


@given(st.lists(st.text(alphabet="aé漢", min_size=6, max_size=10), min_size=1, max_size=12), st.data())
def test_a_record_is_found_alike_whether_it_is_packed_yet(ids: list[str], data: st.DataObject) -> None:
    """Ids that are not of ASCII may share all that is kept of them: then the last counts, however they arrived."""
    cut = data.draw(st.integers(0, len(ids)))
    records = [record(id=each) for each in ids]
    draft = start_draft(extend(EMPTY, records[:cut]))
    take(draft, records[cut:])
    whole = start_draft(extend(EMPTY, records))
    assert [position_of(draft, each) for each in ids] == [position_of(whole, each) for each in ids]


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=20))
def test_packing_together_is_packing_one_by_one(ids: list[str]) -> None:
    one_by_one: Chunked[bytes] = Chunked()
    for each in ids:
        one_by_one = ids_with(one_by_one, packed([each]))
    assert ids_with(Chunked(), packed(ids)) == one_by_one
    assert len(one_by_one[0]) == len(ids) * ID_CHARS <= IDS_PER_CHUNK * ID_CHARS
