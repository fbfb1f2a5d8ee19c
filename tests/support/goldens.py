"""Fixtures beside which stands what is to be read from them: `<name>.expect.json`, rows of [line, type, fields].

A row is an event with the fields that are not default, a problem with its kind, or a record of an unknown type.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TypeAlias

import msgspec

from recapd.adapters.shared.base import Adapter
from recapd.core.log.events import Event, Record
from recapd.core.log.refs import Place

Row: TypeAlias = list[object]


def expected_rows(fixture: Path) -> list[Row]:
    rows: list[Row] = json.loads(fixture.with_suffix(".expect.json").read_text())
    return rows


def rows_of_lines(adapter: Adapter, fixture: Path, *, without: Collection[str] = ()) -> list[Row]:
    """What the adapter makes of a log of lines; `without` names fields that the expectation leaves out."""
    rows: list[Row] = []
    for line, place in lines_with_places(fixture.read_bytes()):
        records, problems = adapter.parse(line, place)
        rows += rows_of_records(records, without=without)
        rows += [[place.line, "Problem", {"kind": problem.kind}] for problem in problems]
        rows += [[place.line, "Unknown", {"type": record.type}] for record in records if not record.known]
    return rows


def rows_of_records(records: Iterable[Record], *, without: Collection[str] = ()) -> list[Row]:
    return [
        [record.place.line, type(event).__name__, _fields_said(event, without)]
        for record in records
        for event in record.events
    ]


def records_of_document(adapter: Adapter, data: bytes) -> list[Record]:
    """What the adapter makes of a sound document; every piece must stand where it says."""
    assert adapter.split is not None
    document = adapter.split(data)
    assert not document.problems
    records = list(document.header)
    for piece, place in document.pieces:
        assert data[place.offset : place.offset + place.length] == piece
        found, problems = adapter.parse(piece, place)
        assert not problems
        records += found
    return records


def lines_with_places(data: bytes) -> list[tuple[bytes, Place]]:
    """The lines that are not empty."""
    rows: list[tuple[bytes, Place]] = []
    offset = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if line:
            rows.append((line, Place(number, offset, len(line))))
        offset += len(line) + 1
    return rows


def _fields_said(event: Event, without: Collection[str]) -> dict[str, object]:
    """As JSON has them: raw payloads as text, tuples as lists."""
    said: dict[str, object] = {}
    for field in msgspec.structs.fields(event):
        value = getattr(event, field.name)
        if field.name not in without and value != field.default:
            said[field.name] = value.decode() if isinstance(value, bytes) else value
    return msgspec.json.decode(msgspec.json.encode(said), type=dict[str, object])
