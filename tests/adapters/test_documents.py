"""Formats that are one JSON document: keys from a cut head, elements at their exact bytes, texts that need mending."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, Struct

from recapd.adapters.shared.base import mended
from recapd.adapters.shared.documents import cut_elements, decode_mended, misshapen, place_of, top_level, unreadable
from recapd.core.log.refs import Place


class Doc(Struct):
    a: Raw = Raw()
    messages: Raw = Raw()


DECODER = msgspec.json.Decoder(Doc)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)

HEADS: list[tuple[str, bytes, dict[str, bytes]]] = [
    ("whole", b'{"a": 1, "b": {"c": [2]}}', {"a": b"1", "b": b'{"c": [2]}'}),
    ("inner keys are not its own", b'{"b": {"a": 1}}', {"b": b'{"a": 1}'}),
    ("spread over lines", b'\n{\n  "a" : "x" ,\n  "b" : []\n}\n', {"a": b'"x"', "b": b"[]"}),
    ("cut in a text", b'{"a": "x", "b": "he said \\"', {"a": b'"x"', "b": b'"he said \\"'}),
    ("cut in an escape", b'{"a": "x\\', {"a": b'"x\\'}),
    ("cut in a list", b'{"a": [{"b": 1}, {"c"', {"a": b'[{"b": 1}, {"c"'}),
    ("cut in a key", b'{"a": 1, "b', {"a": b"1"}),
    ("cut behind a key", b'{"a": 1, "b"', {"a": b"1"}),
    ("marks in texts", b'{"a": "},{\\"b\\": ", "c": 2}', {"a": b'"},{\\"b\\": "', "c": b"2"}),
    ("only the first line of many", b'{"a": 1}\n{"b": 2}', {"a": b"1"}),
    ("empty object", b"{}", {}),
    ("list", b'[{"a": 1}]', {}),
    ("text", b"# a: {}", {}),
    ("nothing", b"", {}),
]


@pytest.mark.parametrize(("head", "fields"), [row[1:] for row in HEADS], ids=[row[0] for row in HEADS])
def test_the_keys_of_a_document_are_read_from_its_head(head: bytes, fields: dict[str, bytes]) -> None:
    assert top_level(head) == fields


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=6), JSON, max_size=5), st.integers(0, 200))
def test_a_cut_head_says_nothing_that_the_document_does_not(value: dict[str, object], cut: int) -> None:
    whole = json.dumps(value, ensure_ascii=False, indent=1).encode()
    assert {key: json.loads(found) for key, found in _decoded_keys(whole).items()} == value
    assert top_level(whole[:cut]).keys() <= top_level(whole).keys()


def _decoded_keys(whole: bytes) -> dict[str, bytes]:
    """Keys are compared as JSON has them: escapes in keys stay as they are."""
    return {json.loads(f'"{key}"'): found for key, found in top_level(whole).items()}


@given(st.binary(max_size=300))
def test_no_head_is_too_strange(head: bytes) -> None:
    top_level(head)
    top_level(b'{"a":' + head)
    mended(head)


def test_a_long_text_that_is_cut_off_is_read_once() -> None:
    # Were every quote in it tried as the beginning of a text, this would take minutes.
    assert len(top_level(b'{"a": "' + b'\\"' * 200_000)["a"]) == 400_001


@given(st.lists(JSON, max_size=6), st.sampled_from([None, 0, 2]), JSON)
def test_elements_stand_where_their_places_say(elements: list[object], indent: int | None, before: object) -> None:
    # The same list once more in front: only its own occurrence counts.
    data = json.dumps({"a": [before, *elements], "messages": elements, "z": elements}, indent=indent).encode()
    pieces = cut_elements(data, DECODER.decode(data).messages)
    assert [json.loads(piece) for piece, _ in pieces] == elements
    for piece, place in pieces:
        assert data[place.offset : place.offset + place.length] == piece
        assert place.line == 1 + data.count(b"\n", 0, place.offset)
    offsets = [place.offset for _, place in pieces]
    assert offsets == sorted(set(offsets))


def test_a_value_that_begins_like_many_others_is_found() -> None:
    decoys = b",".join(b'["%b", %d]' % (b"x" * 80, number) for number in range(20))
    data = b'{"b": [' + decoys + b'], "messages": ["' + b"x" * 80 + b'", "own"]}'
    array = DECODER.decode(data).messages
    assert place_of(data, array).offset == data.index(b'"messages": ') + len(b'"messages": ')


def test_what_is_no_list_has_no_elements() -> None:
    data = b'{"messages": {"0": {}}}'
    assert cut_elements(data, DECODER.decode(data).messages) == []


MENDED: list[tuple[str, bytes, bytes]] = [
    ("whole pair", b'"\\ud83d\\ude00"', b'"\\ud83d\\ude00"'),
    ("first half", b'"\\ud83d"', b'"\\ufffd"'),
    ("second half", b'"a\\uDE00b"', b'"a\\ufffdb"'),
    ("half before a pair", b'"\\ud83d\\ud83d\\ude00"', b'"\\ufffd\\ud83d\\ude00"'),
    ("a written backslash", b'"\\\\ud83d"', b'"\\\\ud83d"'),
    ("a half behind a written backslash", b'"\\\\\\ud83d"', b'"\\\\\\ufffd"'),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in MENDED], ids=[row[0] for row in MENDED])
def test_half_a_character_does_not_cost_the_document(text: bytes, expected: bytes) -> None:
    assert mended(text) == expected
    data = b'{"messages": [' + text + b", 7]}"
    value, read = decode_mended(DECODER, data)
    assert value is not None
    assert len(read) == len(data)
    assert cut_elements(read, value.messages)[1] == (b"7", Place(1, len(data) - 3, 1))


def test_what_cannot_be_mended_is_told_and_has_no_pieces() -> None:
    assert decode_mended(DECODER, b'{"messages": ["\\ud83d') == (None, b'{"messages": ["\\ufffd')
    for data, kind in ((b'{"messages": [', "torn"), (b"", "torn"), (b"hello", "notJson")):
        document = unreadable(data)
        assert not document.pieces
        assert [problem.kind for problem in document.problems] == [kind]
    assert [problem.kind for problem in misshapen(b"{}", "messages").problems] == ["shape"]
