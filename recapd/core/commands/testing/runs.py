"""How a test or build run went, read from its output and exit code.

Owns the verdict, and is where others get the whole subject from: what is a test command is in `kinds`, the
summaries of runners are in `summaries`.
Nothing here says "passed" without evidence: a count, a verdict of the tool, or an exit code that can be trusted.
"""

from typing import Final, Literal

from recapd.core import late_re as re
from recapd.core.commands.kinds import (
    exit_code_is_reliable,
    is_build_command,
    is_check_command,
    is_test,
    is_test_command,
    output_is_cut,
)
from recapd.core.commands.names import resolved_commands
from recapd.core.commands.testing.summaries import TestTotals, plain_text, test_totals

__all__ = [
    "TestTotals",
    "Verdict",
    "build_passed",
    "exit_code_is_reliable",
    "is_build_command",
    "is_check_command",
    "is_test_command",
    "judge_run",
    "output_is_cut",
    "test_totals",
]

Verdict = Literal["passed", "failed", "not run", "unclear"]

# In lower case.
_NO_TESTS: Final = re.compile(
    r"no test(?:s? (?:ran|found|files|specified|to run|were|collected)| suites)|collected 0 items|ran 0 tests"
    r"|0 tests? found"
)
# A line starts with the newline before it, which a search finds five times faster than ^.
# What runners say of tests that failed; not what those say that started them.
_TEST_FAILURE: Final = re.compile(
    r"\n[ \t]*(?:--- FAIL|FAIL(?:ED|URES?)?\b(?!: Build failed)|panic:|error: test failed|not ok \d"
    r"|(?:npm (?:ERR!|error)|ERROR:?) +Tests? failed|> Task :\S*[tT]est FAILED"
    r"|(?:\[ERROR\] )?There (?:are|were) (?:test failures|failing tests)|\[ERROR\] Tests run: [^\n]*FAILURE"
    r"|(?:E +)?(?:\w+\.)*Assertion(?:Failed)?Error\b)"
)
# What is said where the tests were never reached: no program, no script, no module, or it does not compile.
_NOT_RUN: Final = re.compile(
    r"No module named |[Mm]odule ?[Nn]ot ?[Ff]ound|Cannot find (?:module|package) |: (?:command )?not found\n?"
    r"|is not recognized as an? |[Mm]issing script|[Ss]cript not found|Command \"[^\"\n]*\" not found"
    r"|ERR_PNPM_(?!RECURSIVE_RUN_FIRST_FAIL)|[Uu]nsupported (?:engine|environment)|No rule to make target"
    r"|could not compile"
    r"|\[(?:build|setup) failed\]|COMPILATION ERROR|Compilation failed|Execution failed for task ':\S*compile"
    r"|FAILURE: Build failed|errors? during collection|INTERNALERROR|unrecognized arguments"
    r"|[Uu]nknown (?:option|argument)"
    r"|sandbox denied|[Pp]ermission denied|\berror TS\d+:|No such file or directory|ENOENT|SyntaxError\b|ImportError\b"
)
# Each of them has one of these in it; to look for all takes a fifth of the time.
_NOT_RUN_SIGNS: Final = (
    *("No module named ", "odule", "annot find ", "ot found", "is not recognized as a", "issing script", "ERR_PNPM_"),
    *("nsupported ", "No rule to make target", "could not compile", " failed]", "COMPILATION ERROR", "Compilation f"),
    *("Execution failed for task ", "FAILURE: Build failed", "during collection", "INTERNALERROR", "unrecognized arg"),
    *("nknown ", "sandbox denied", "ermission denied", "error TS", "No such file", "ENOENT", "SyntaxError"),
    "ImportError",
)
# Go tells of packages; those that do not build stand among those that ran.
_GO_PACKAGE_RAN: Final = re.compile(r"\n(?:FAIL|ok)[ \t]+\S+[ \t]+(?:\(cached\)|\d[\d.]*s)")
# What a shell says of a program that is not there, or is none.
_NEVER_STARTED: Final = frozenset({126, 127})
_BUILD_FAILURE: Final = re.compile(
    r"\berror TS\d+:|^error(?:\[E\d+\])?: |^(?:\[ERROR\] )?BUILD FAIL|^Build (?:failed|FAILED)|^Failed to compile"
    r"|^make(?:\[\d+\])?: \*\*\*|^npm (?:ERR!|error)|\bELIFECYCLE\b|: (?:fatal )?error: |: undefined reference to "
    r"|^ERROR: failed to|^ERROR in |^FAILED: |exited with code [1-9]|^exit status [1-9]|^\S+\.go:\d+:\d+: ",
    re.MULTILINE,
)
# Each of them has one of these in it; to look for all takes a tenth of the time.
_BUILD_FAILURE_SIGNS: Final = (
    *("error", "BUILD FAIL", "Build f", "Build F", "Failed to compile", "make", "ELIFECYCLE", "undefined reference "),
    *("ERROR", "npm ERR!", "FAILED: ", "exited with code ", "exit status ", ".go:"),
)
_BUILD_SUCCESS: Final = re.compile(
    r"\bBUILD SUCCESS|^[ \t]*Finished [`\w]|[Cc]ompiled successfully|built in \d|^Build succeeded"
    r"|^Successfully (?:built|tagged)|Build complete!|Found 0 errors",
    re.MULTILINE,
)


def judge_run(totals: TestTotals | None, exit_code: int | None, output: str, command: str = "") -> Verdict:
    """How a test run went, as far as it is proved: a failure is counted or the runner's own word, never an exit code.

    With `command` given, an exit code that is not the tests' own does not count, nor do counts that `| head` cut short.
    """
    counted = totals is not None and totals.passed
    if totals is not None and (totals.failed or (totals.errors and counted)):
        return "failed"
    if exit_code in _NEVER_STARTED:
        return "not run"
    is_only_command = not command or exit_code_is_reliable(command)
    text = "\n" + plain_text(output)
    if totals is not None and totals.errors:  # what errs in all its tests did not get as far as testing
        return "failed" if _GO_PACKAGE_RAN.search(text) else "not run"
    passes = totals is not None and totals.failed == 0 and totals.passed != 0
    if passes and is_only_command and exit_code == 0:
        return "passed"
    if not passes and (exit_code != 0 or not is_only_command) and _was_not_run(text):
        return "not run"
    if _TEST_FAILURE.search(text):
        return "failed"
    if passes:
        # Packages and crates report one by one, so what was cut off may have failed.
        one_by_one = totals is not None and (totals.passed is None or "test result: " in text)
        is_cut = one_by_one and output_is_cut(command)
        # With all its tests passed, it is something else in the line that failed, or nobody knows what.
        return "unclear" if is_cut or (exit_code and not _has_company(command)) else "passed"
    if totals is not None or _NO_TESTS.search(text.lower()):  # a run of no tests shows nothing
        return "unclear"
    return "passed" if (is_only_command and exit_code == 0) or "BUILD SUCCESS" in text else "unclear"


def _was_not_run(text: str) -> bool:
    return any(map(text.__contains__, _NOT_RUN_SIGNS)) and _NOT_RUN.search(text) is not None


def _has_company(command: str) -> bool:
    return any(words and not is_test(words) and words[0] != "cd" for _, words in resolved_commands(command))


def build_passed(exit_code: int | None, output: str, command: str) -> bool | None:
    """Whether a build passed; None when nothing tells.  `command` decides whether `exit_code` counts."""
    trusted = exit_code is not None and exit_code_is_reliable(command)
    if trusted and exit_code != 0:
        return False
    text = plain_text(output)
    if any(map(text.__contains__, _BUILD_FAILURE_SIGNS)) and _BUILD_FAILURE.search(text):
        return False
    return True if trusted or _BUILD_SUCCESS.search(text) else None
