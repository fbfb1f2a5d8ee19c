"""One long word, or a thousand short ones alike: nobody waits for it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.attack.patterns import MOST_GROWTH

pytestmark = [pytest.mark.attack, pytest.mark.timeout(1200)]

_LIMIT_S = 1000


def test_every_pattern_is_linear() -> None:
    """A quadratic one holds the interpreter, and so everybody, for a minute with 60 KB."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.attack.patterns"], capture_output=True, text=True, timeout=_LIMIT_S, check=True
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) > 300
    slow = [row for row in rows if row["growth"] > MOST_GROWTH]
    print(f"{len(rows)} patterns, the slowest {max(row['nsPerChar'] for row in rows)} ns for a character")  # noqa: T201
    assert not slow, "\n".join(json.dumps(row, ensure_ascii=False) for row in slow)
