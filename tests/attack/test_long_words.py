"""One long word, or a thousand short ones alike: nobody waits for it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.attack.figures import tell_figures
from tests.attack.patterns import MOST_GROWTH

pytestmark = [pytest.mark.attack, pytest.mark.timeout(1200)]

_LIMIT_S = 1000
# A megabyte in a tenth of a second: there the caches of the processor say more than what is computed.
_QUICK_NS = 100


@pytest.mark.parametrize(("sort", "least"), [("patterns", 350), ("functions", 60)])
def test_long_runs_take_linear_time(sort: str, least: int) -> None:
    """What is quadratic holds the interpreter, and so everybody, for a minute with 60 KB."""
    command = [sys.executable, "-m", "tests.attack.patterns", sort]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) >= least
    slowest = max(row["nsPerChar"] for row in rows)
    tell_figures(f"long runs over {len(rows)} {sort}: the slowest takes {slowest} ns for a character")
    slow = [row for row in rows if row["growth"] > MOST_GROWTH and row["nsPerChar"] > _QUICK_NS]
    assert not slow, "\n".join(json.dumps(row, ensure_ascii=False) for row in slow)
