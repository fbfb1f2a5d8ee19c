"""Long runs of everything that a detector of secrets looks for: the time to read them grows with their length alone.

Times are CPU, taken beside each other in one process, and a run is blamed only if three tries agree: whatever is linear
takes eight times as long for eight times the text, whatever is quadratic sixty-four times.
"""

from __future__ import annotations

import random
import string
import sys
import time
from collections.abc import Iterator
from typing import Final

import pytest

from recapd.core.secrets import redact
from recapd.core.secrets.answers import credentials_in
from tests.core.test_redact import ADVERSARIAL
from tests.support.secrets import secrets

pytestmark = [pytest.mark.attack, pytest.mark.timeout(900)]

SMALL: Final = 8_000
TIMES: Final = 8
# Windows of a few thousand characters fill up between the sizes; a square would show as 64.
MOST: Final = 24
LEAST_S: Final = 0.002
PIECES: Final = (*ADVERSARIAL, *string.printable, *(planted.text for planted in secrets(5)))
MIXTURES: Final = 120


def runs() -> Iterator[str]:
    yield from PIECES
    rng = random.Random(13)
    for _ in range(MIXTURES):
        yield "".join(rng.choices(PIECES, k=rng.randint(2, 4)))


def run_of(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


def seconds_for(text: str) -> float:
    started = time.process_time()
    redact(text)
    return time.process_time() - started


def growth_of(piece: str) -> float:
    small = max(seconds_for(run_of(piece, SMALL)), LEAST_S)
    return seconds_for(run_of(piece, SMALL * TIMES)) / small


def test_long_runs_are_read_in_time_that_grows_with_their_length() -> None:
    measured = {piece: growth_of(piece) for piece in dict.fromkeys(runs())}
    for _ in range(2):
        steep = [piece for piece, growth in measured.items() if growth > MOST]
        measured |= {piece: min(measured[piece], growth_of(piece)) for piece in steep}
    worst = sorted(measured.items(), key=lambda item: -item[1])[:5]
    sys.stdout.write(f"\n{len(measured)} runs; text {TIMES} times as long takes, at worst:\n")
    for piece, growth in worst:
        sys.stdout.write(f"{growth:6.1f} times as long  {piece[:40]!r}\n")
    assert [piece for piece, growth in measured.items() if growth > MOST] == []


def test_answers_and_questions_of_any_length_are_read_at_once() -> None:
    """They are cut before they are read: a million characters take no longer than the few thousand that count."""
    for piece in PIECES:
        long = run_of(piece, 1_000_000)
        started = time.process_time()
        credentials_in("tangerine", asked=long + "What is the password?")
        credentials_in(long, asked="What is the password?")
        assert time.process_time() - started < 1
