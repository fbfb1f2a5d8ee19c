"""Runs of tests: which command inside a line runs them, how much of the suite that is, and how it went."""

from recapd.core.commands.testing.runs import build_passed, judge_run
from recapd.core.commands.testing.scopes import TestCommand, covers, find_test_command
from recapd.core.commands.testing.summaries import test_totals

__all__ = ["TestCommand", "build_passed", "covers", "find_test_command", "judge_run", "test_totals"]
