"""What stands between tags was pasted; what stands around it is the human's own."""

from __future__ import annotations

import pytest

from recapd.core.decisions.find.pastes import own_units


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("use it <file name='a'>\nnever touch this\n</file> everywhere", ["use it", "everywhere"]),
        ("<ide_opened>a.py</ide_opened> go on", ["go on"]),
        ("<context>a <file>b</file> c</context> go on", ["go on"]),
        ("<context>a</file> go on", ["<context>a</file> go on"]),
        ("<file>a</file> Use it. <file>b</file> Go on.", ["Use it.", "Go on."]),
        ("<file>a go on", ["<file>a go on"]),
    ],
)
def test_tagged_text_is_no_word_of_the_human(text: str, own: list[str]) -> None:
    units, _ = own_units(text)
    assert [unit.text for unit in units] == own
    assert all(text[unit.start : unit.start + len(unit.text)] == unit.text for unit in units)
