"""Runs the feeder in several processes at once, one per core of the smallest machine it must finish on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.fuzz.reports import Report

ROOT = Path(__file__).parents[2]
PROCESSES = 2
# A full run takes some six minutes where nothing else runs; a part that takes longer than this hangs.
LIMIT_S = 1400


def size(name: str, default: int) -> int:
    return int(os.environ.get(name) or default)


def run(what: str, count: int) -> list[Report]:
    """A report of each process. RECAPD_FUZZ_SEED chooses other mutants; the same seed gives the same ones."""
    seed = size("RECAPD_FUZZ_SEED", 1)
    share = -(-count // PROCESSES)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.feeding", what, str(seed * 1000 + number), str(share)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
        )
        for number in range(PROCESSES)
    ]
    try:
        outputs = [process.communicate(timeout=LIMIT_S)[0] for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert [process.returncode for process in running] == [0] * PROCESSES
    return [msgspec.json.decode(output, type=Report) for output in outputs]
