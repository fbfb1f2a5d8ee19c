"""Figures of the attacks, at the end of the run."""

from __future__ import annotations

import pytest

from tests.attack.figures import TOLD


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in TOLD:
        terminalreporter.write_line(line)
