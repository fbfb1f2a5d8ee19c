"""How a log's format is told from its beginning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recapd.adapters import registry
from recapd.adapters.shared import base
from recapd.adapters.shared.base import SNIFF_RECORDS, JsonObject, first_objects
from tests.support.logs import LOGS, agent, human


def test_the_first_objects_are_those_that_stand_on_lines_of_their_own() -> None:
    head = b'no JSON\n{"a": 1}\n[2]\n\n' + b"\n".join(b'{"a": %d}' % number for number in range(3, 60)) + b'\n{"torn'
    expected = [{"a": 1}, *({"a": number} for number in range(3, 2 + SNIFF_RECORDS))]
    assert list(first_objects(head)) == expected
    assert (first_objects(head)[1], first_objects(head)[-1]) == (expected[1], expected[-1])
    assert (first_objects(head)[:2], len(first_objects(head))) == (expected[:2], SNIFF_RECORDS)
    assert first_objects(head) and not first_objects(b"[1]\n") and not list(first_objects(b""))
    with pytest.raises(IndexError):
        first_objects(b'{"a": 1}\n')[1]


def test_no_more_is_read_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a short log would be read twice."""
    read = list[JsonObject]()
    objects_in = base._objects_in

    def counted(head: bytes) -> Iterator[JsonObject]:
        for found in objects_in(head):
            read.append(found)
            yield found

    monkeypatch.setattr(base, "_objects_in", counted)
    log = LOGS["claude-code"](*(line for _ in range(20) for line in (human("go on"), agent("Done."))))
    adapter = registry.recognise(log)
    assert adapter is not None and adapter.name == "claude-code"
    assert len(read) < 5
