"""What stands between tags was pasted; what stands around it is the human's own."""

from __future__ import annotations

import pytest

from recapd.core.decisions.find.pastes import own_units

REVIEW = """The retryCount field is read before initClient() has set it. When the first call fails, the session is \
lost because sendAll() never sees the new value.

Consider whether the field should be set from the first session only, or whether it should be calculated again each \
time that the settings are read."""
WISH = """The retryCount field is set before initClient() is called, and I want it to be read from the same \
settings that sendAll() reads on every start of the daemon."""

RULE = """The retryCount field must be set before initClient() is called, and what sendAll() says of it is shown below \
the field in red."""


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("use it <file name='a'>\nnever touch this\n</file> everywhere", ["use it", "everywhere"]),
        ("<ide_opened>a.py</ide_opened> go on", ["go on"]),
        ("<context>a <file>b</file> c</context> go on", ["go on"]),
        ("<context>a</file> go on", ["<context>a</file> go on"]),
        ("<file>a</file> Use it. <file>b</file> Go on.", ["Use it.", "Go on."]),
        ("<file>a go on", ["<file>a go on"]),
        ("it hangs at ```user\nnever stop\n``` so use a timeout", ["it hangs at", "so use a timeout"]),
        ("/plan-phase:next", []),
    ],
)
def test_tagged_text_is_no_word_of_the_human(text: str, own: list[str]) -> None:
    units, _ = own_units(text)
    assert [unit.text for unit in units] == own
    assert all(text[unit.start : unit.start + len(unit.text)] == unit.text for unit in units)


def test_what_a_review_says_of_code_is_nobodys_here() -> None:
    units, share = own_units(f"{REVIEW}\n\nso set it once")
    assert ([unit.text for unit in units], share < 0.1) == (["so set it once"], True)


@pytest.mark.parametrize("said", [WISH, RULE])
def test_who_says_what_he_wants_of_code_speaks_for_himself(said: str) -> None:
    assert [unit.text for unit in own_units(said)[0]] == [said]
