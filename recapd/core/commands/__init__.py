"""What a command line, a patch or a test run did, as far as its text proves it."""

from recapd.core.commands.hints import NO_HINTS, hints_of
from recapd.core.commands.hunks import Hunk, hunk_between, patch_hunks, whole_file
from recapd.core.commands.kinds import covers, is_build_command, is_test_command, named_tests
from recapd.core.commands.patches import patch_files
from recapd.core.commands.shell import command_argv, commit_decides, commit_message, file_effects, program
from recapd.core.commands.test_runs import build_passed, run_passed
from recapd.core.commands.test_summaries import test_totals

__all__ = [
    "NO_HINTS",
    "Hunk",
    "build_passed",
    "command_argv",
    "commit_decides",
    "commit_message",
    "covers",
    "file_effects",
    "hints_of",
    "hunk_between",
    "is_build_command",
    "is_test_command",
    "named_tests",
    "patch_files",
    "patch_hunks",
    "program",
    "run_passed",
    "test_totals",
    "whole_file",
]
