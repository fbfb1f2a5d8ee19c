"""How a test or build run went, read from its output and exit code.

Owns the verdict, and is where others get the whole subject from: what is a test command is in `shell_kinds`, the
summaries of runners are in `testruns_summaries`.
Nothing here says "passed" without evidence: a count, a verdict of the tool, or an exit code that can be trusted.
"""

import re
from typing import Final

from recapd.core.commands.kinds import (
    exit_code_is_reliable,
    is_build_command,
    is_check_command,
    is_test_command,
    output_is_cut,
)
from recapd.core.commands.test_summaries import TestTotals, plain_text, test_totals

__all__ = [
    "TestTotals",
    "build_passed",
    "exit_code_is_reliable",
    "is_build_command",
    "is_check_command",
    "is_test_command",
    "output_is_cut",
    "run_passed",
    "test_totals",
]

# In lower case.
_NO_TESTS: Final = re.compile(
    r"no test(?:s? (?:ran|found|files|specified|to run|were|collected)| suites)|collected 0 items|ran 0 tests"
    r"|0 tests? found"
)
# A line starts with the newline before it, which a search finds five times faster than ^.
_TEST_FAILURE: Final = re.compile(
    r"\n[ \t]*(?:--- FAIL|FAIL(?:ED|URES?)?\b|panic:|exit status [1-9]|error: test failed|error: could not compile"
    r"|npm (?:ERR!|error)|(?:\[ERROR\] )?BUILD FAIL|make(?:\[\d+\])?: \*\*\*|ELIFECYCLE|ERR_PNPM"
    r"|error Command failed with exit code|error: script \"[^\"\n]*\" exited with code|Command failed with exit code)"
)
_BUILD_FAILURE: Final = re.compile(
    r"\berror TS\d+:|^error(?:\[E\d+\])?: |^(?:\[ERROR\] )?BUILD FAIL|^Build (?:failed|FAILED)|^Failed to compile"
    r"|^make(?:\[\d+\])?: \*\*\*|^npm (?:ERR!|error)|\bELIFECYCLE\b|: (?:fatal )?error: |: undefined reference to "
    r"|^ERROR: failed to|^ERROR in |^FAILED: |exited with code [1-9]|^exit status [1-9]|^\S+\.go:\d+:\d+: ",
    re.MULTILINE,
)
_BUILD_SUCCESS: Final = re.compile(
    r"\bBUILD SUCCESS|^[ \t]*Finished [`\w]|[Cc]ompiled successfully|built in \d|^Build succeeded"
    r"|^Successfully (?:built|tagged)|Build complete!|Found 0 errors",
    re.MULTILINE,
)


def run_passed(totals: TestTotals | None, exit_code: int | None, output: str, command: str = "") -> bool | None:
    """Whether a test run passed; None when nothing tells.

    With `command` given, an exit code that is not the tests' own does not count, nor do counts that `| head` cut short.
    """
    if totals is not None and (totals.failed or totals.errors):
        return False
    if exit_code is not None and command and not exit_code_is_reliable(command):
        exit_code = None
    if exit_code:
        return False
    counted = totals is not None and totals.failed == 0 and totals.passed != 0
    if counted and exit_code == 0:
        return True
    text = plain_text(output)
    if _TEST_FAILURE.search("\n" + text):
        return False
    if counted:
        # Packages and crates report one by one, so what was cut off may have failed.
        one_by_one = totals is not None and (totals.passed is None or "test result: " in text)
        return None if one_by_one and output_is_cut(command) else True
    if totals is not None or _NO_TESTS.search(text.lower()):  # a run of no tests shows nothing
        return None
    return True if exit_code == 0 or "BUILD SUCCESS" in text else None


def build_passed(exit_code: int | None, output: str, command: str) -> bool | None:
    """Whether a build passed; None when nothing tells.  `command` decides whether `exit_code` counts."""
    trusted = exit_code is not None and exit_code_is_reliable(command)
    if trusted and exit_code != 0:
        return False
    text = plain_text(output)
    if _BUILD_FAILURE.search(text):
        return False
    return True if trusted or _BUILD_SUCCESS.search(text) else None
