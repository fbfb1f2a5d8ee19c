"""No file, however damaged, ends in anything but a recap or one sentence; and how it is read in makes no difference."""

from __future__ import annotations

import pytest

from tests.fuzz.processes import run, size
from tests.fuzz.reports import told

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(1500)]

FILES = size("RECAPD_FUZZ_FILES", 200)
MAX_GROWTH_MB = 200
# Opened, read, told twice, proven, and cut up as a document by each adapter: some 5 ms on a slow core.
MAX_SECONDS_PER_FILE = 0.1


def test_damaged_files_end_in_a_recap_or_one_sentence() -> None:
    for report in run("files", FILES):
        assert not report.crashes, told(report.crashes)
        assert report.taken > report.fed / 8
        assert report.seconds < 5 + report.fed * MAX_SECONDS_PER_FILE
        assert report.grown_mb < MAX_GROWTH_MB


def test_a_file_read_in_any_pieces_gives_the_same_state() -> None:
    for report in run("chunks", FILES):
        assert not report.crashes, told(report.crashes)
        assert report.taken > report.fed / 2
