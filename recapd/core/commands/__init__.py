"""What a command line, a patch or a test run did, as far as its text proves it."""

from recapd.core.commands.hints import NO_HINTS, hints_of
from recapd.core.commands.history import TakenBack, taken_back
from recapd.core.commands.hunks import Hunk, hunk_between, patch_hunks, whole_file
from recapd.core.commands.kinds import is_build_command
from recapd.core.commands.patches import patch_files
from recapd.core.commands.releases import brought_about
from recapd.core.commands.shell import command_argv, commit_decides, commit_message, file_effects, program, without_cd
from recapd.core.commands.testing import TestCommand, build_passed, covers, find_test_command, judge_run, test_totals

__all__ = [
    "NO_HINTS",
    "Hunk",
    "TakenBack",
    "TestCommand",
    "brought_about",
    "build_passed",
    "command_argv",
    "commit_decides",
    "commit_message",
    "covers",
    "file_effects",
    "find_test_command",
    "hints_of",
    "hunk_between",
    "is_build_command",
    "judge_run",
    "patch_files",
    "patch_hunks",
    "program",
    "taken_back",
    "test_totals",
    "whole_file",
    "without_cd",
]
