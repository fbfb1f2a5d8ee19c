"""No "tests pass" without evidence: counts from real summary formats, exit codes only where they are the tests' own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.commands.testing import runs
from recapd.core.commands.testing.runs import (
    Verdict,
    build_passed,
    is_build_command,
    is_test_command,
    judge_run,
    test_totals,
)

Counts = tuple[int | None, int | None, int | None, int | None]

# runner → its summary, (passed, failed, skipped, errors)
TOTALS: list[tuple[str, str, Counts]] = [
    ("pytest", "===== 3 failed, 12 passed, 1 skipped, 2 warnings in 1.23s =====", (12, 3, 1, None)),
    ("pytest -q", "...\n12 passed in 0.31s", (12, 0, None, None)),
    ("pytest long", "== 670 passed, 2 xfailed, 1 xpassed in 63.50s (0:01:03) ==", (671, 0, 2, None)),
    ("pytest collection error", "==== 1 error in 0.12s ====", (None, None, None, 1)),
    (
        "pytest colours",
        "\x1b[31m\x1b[1m1 failed\x1b[0m, \x1b[32m2 passed\x1b[0m\x1b[31m in 0.05s\x1b[0m",
        (2, 1, None, None),
    ),
    ("pytest twice", "2 passed in 0.1s\n3 passed in 0.1s", (5, 0, None, None)),
    ("a number of no suite", f"{'9' * 5000} passed in 0.31s", (1_000_000_000, 0, None, None)),
    ("unittest", "Ran 5 tests in 0.001s\n\nOK", (5, 0, None, None)),
    ("unittest failed", "Ran 7 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)", (3, 1, 1, 2)),
    (
        "jest",
        "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 4 passed, 5 total\nSnapshots:   0 total",
        (4, 1, None, None),
    ),
    ("jest, suite broken", "Test Suites: 1 failed, 1 total\nTests:       0 total", (None, None, None, 1)),
    ("vitest", " Test Files  2 passed (2)\n      Tests  1 skipped | 4 passed (5)\n", (4, 0, 1, None)),
    ("vitest, file broken", " Test Files  1 failed | 1 passed (2)\n      Tests  4 passed (4)\n", (4, 0, None, 1)),
    ("mocha", "\n  5 passing (12ms)\n  1 pending\n  2 failing\n", (5, 2, 1, None)),
    ("playwright", "  1 failed\n    a.spec.ts:3:1\n  2 skipped\n  5 passed (3.2s)", (5, 1, 2, None)),
    ("go", "ok  \texample/a\t0.31s\n?   \texample/b\t[no test files]", (None, 0, None, None)),
    ("go -v", "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample/a\t(cached)", (1, 0, 0, None)),
    (
        "go failed",
        "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample/a\t0.31s\nok  \texample/b\t0.1s",
        (None, 1, None, None),
    ),
    ("go build", "FAIL\texample/a [build failed]\nFAIL", (None, 0, None, 1)),
    ("go -v cut off", "--- PASS: TestB (0.00s)\nPASS\nok  \texample/a\t0.2s", (None, 0, None, None)),
    ("gotestsum", "DONE 12 tests, 1 skipped, 2 failures in 0.5s", (9, 2, 1, None)),
    (
        "cargo",
        "test result: ok. 5 passed; 0 failed; 1 ignored;\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored;",
        (7, 1, 1, None),
    ),
    ("nextest", "     Summary [   0.1s] 5 tests run: 4 passed, 1 failed, 2 skipped", (4, 1, 2, None)),
    ("rspec", "10 examples, 1 failure, 2 pending", (7, 1, 2, None)),
    ("phpunit", "OK (5 tests, 9 assertions)", (5, 0, None, None)),
    ("phpunit failed", "Tests: 5, Assertions: 9, Errors: 1, Failures: 1, Skipped: 1.", (2, 1, 1, 1)),
    ("pest", "  Tests:    1 failed, 4 passed (9 assertions)", (4, 1, None, None)),
    ("ctest", "92% tests passed, 1 tests failed out of 12", (11, 1, None, None)),
    ("dotnet", "Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6", (5, 0, 1, None)),
    ("dotnet 9", "Test summary: total: 6, failed: 1, succeeded: 4, skipped: 1, duration: 1.0s", (4, 1, 1, None)),
    (
        "maven",
        (
            "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in A\n"
            "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in B\n"
            "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1\n"
        ),
        (3, 1, 1, 0),
    ),
    ("gradle", "12 tests completed, 1 failed", (11, 1, None, None)),
    (
        "swift",
        "Executed 2 tests, with 0 failures (0 unexpected)\nExecuted 5 tests, with 1 failure (0 unexpected) in 0.1 s",
        (4, 1, 0, None),
    ),
    ("node", "ℹ tests 6\nℹ pass 5\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0", (5, 1, 0, 0)),
    ("tap", "# tests 5\n# pass 5\n# fail 0\n", (5, 0, None, None)),
    ("bats", "5 tests, 1 failure, 1 skipped", (3, 1, 1, None)),
    ("mix", "2 doctests, 5 tests, 0 failures", (5, 0, None, None)),
    ("minitest", "4 runs, 9 assertions, 1 failures, 0 errors, 1 skips", (2, 1, 1, 0)),
    ("deno", "ok | 5 passed | 0 failed (12ms)", (5, 0, None, None)),
    ("deno failed", "FAILED | 4 passed (2 steps) | 1 failed (12ms)", (4, 1, None, None)),
    ("bun", " 5 pass\n 1 fail\n 7 expect() calls\nRan 6 tests across 2 files. [12.00ms]", (5, 1, None, None)),
    ("flutter", "00:01 +3: a\r00:02 +12 -1: Some tests failed.", (12, 1, None, None)),
    ("ava", "  1 test failed\n  4 tests passed", (4, 1, None, None)),
    ("no tests", "==== no tests ran in 0.01s ====", (None, None, None, None)),
    ("windows", "1 failed, 2 passed in 0.1s\r\n", (2, 1, None, None)),
]


@pytest.mark.parametrize(("output", "expected"), [row[1:] for row in TOTALS], ids=[row[0] for row in TOTALS])
def test_totals_of_each_runner(output: str, expected: Counts) -> None:
    totals = test_totals(output)
    if expected == (None, None, None, None):
        assert totals is None
        return
    assert totals is not None
    assert (totals.passed, totals.failed, totals.skipped, totals.errors) == expected


@pytest.mark.parametrize(
    "output",
    [
        "",
        "make sure the tests pass",
        "the test passphrase is 5 words",
        "12 files changed",
        "Found 3 errors in 2 files",
        "All 42 tests green?",
    ],
)
def test_prose_is_no_summary(output: str) -> None:
    assert test_totals(output) is None


# name, output, exit code, command, verdict
VERDICTS: list[tuple[str, str, int | None, str, Verdict]] = [
    ("passed", "12 passed in 1s", 0, "pytest", "passed"),
    ("some failed", "12 passed, 3 failed in 1s", None, "pytest | tail", "failed"),
    ("some failed although the exit code is 0", "12 passed, 3 failed in 1s", 0, "pytest || true", "failed"),
    ("something else in the line failed", "12 passed in 1s", 1, "pytest && mypy .", "passed"),
    ("all passed and yet it failed", "12 passed in 1s", 1, "npm test", "unclear"),
    ("an exit code that is tail's", "12 passed in 1s", 0, "pytest | tail -3", "passed"),
    ("only tail's exit code", "", 0, "pytest -q | tail -3", "unclear"),
    ("only the tests' exit code", "", 0, "cargo test -q", "passed"),
    ("another command failed later", "12 passed in 1s", 1, "pytest; grep x log", "passed"),
    ("nothing known", "", None, "pytest", "unclear"),
    ("no tests", "no tests ran in 0.01s", 0, "pytest", "unclear"),
    ("zero tests", "Ran 0 tests in 0.0s\n\nOK", 0, "python -m unittest", "unclear"),
    ("no test files", "?   \texample/b\t[no test files]", 0, "go test ./...", "unclear"),
    ("all skipped", "3 skipped in 0.1s", 0, "pytest", "unclear"),
    ("npm's default script", "Error: no test specified", 0, "npm test", "unclear"),
    ("go head", "ok  \ta\t0.1s\nok  \tb\t0.1s", 0, "go test ./... | head -2", "unclear"),
    ("go tail", "ok  \ta\t0.1s\nok  \tb\t0.1s", 0, "go test ./... | tail -2", "passed"),
    (
        "only good lines",
        "test result: ok. 5 passed; 0 failed; 0 ignored",
        0,
        "cargo test | grep 'result: ok'",
        "unclear",
    ),
    ("panic", "panic: boom", None, "go test | tail", "failed"),
    ("--- FAIL", "    --- FAIL: TestA/b", None, "go test | tail", "failed"),
    ("exit status", "exit status 1", None, "go test | tail", "unclear"),
    ("cargo", "error: test failed, to rerun pass `--lib`", None, "cargo test | tail", "failed"),
    ("npm", "npm ERR! Test failed.", None, "npm test | tail", "failed"),
    ("an exit code alone", "boom", 1, "npm test", "unclear"),
    ("gradle broke", "BUILD FAILED in 3s", None, "./gradlew test | tail", "unclear"),
    ("gradle failed", "> Task :test FAILED\nBUILD FAILED in 3s", 1, "./gradlew test", "failed"),
    (
        "gradle does not compile",
        "> Task :compileJava FAILED\nFAILURE: Build failed with an exception.",
        1,
        "gradle test",
        "not run",
    ),
    ("node's assert", "AssertionError [ERR_ASSERTION]: 1 == 2", 1, "npm test", "failed"),
    ("tap", "not ok 3 - adds", None, "npm test | tail", "failed"),
    ("no pytest", "/usr/bin/python3: No module named pytest", 1, "python3 -m pytest -v", "not run"),
    ("no program", "bash: line 1: just: command not found", 127, "just fmt && cargo test", "not run"),
    ("no script", 'npm error Missing script: "test"', 1, "npm test", "not run"),
    ("another node", " ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment", 1, "pnpm test", "not run"),
    ("nothing but errors", "==== 2 errors in 0.4s ====", 2, "pytest", "not run"),
    ("does not compile", "error: could not compile `core` (lib test)", 101, "cargo test", "not run"),
    ("a package of go's failed out of sight", "FAIL\texample/a\t0.7s\nFAIL", 1, "go test ./...", "failed"),
    ("go does not build", "FAIL\texample/a [build failed]\nFAIL", 1, "go test ./...", "not run"),
    (
        "a module that one test missed",
        "ModuleNotFoundError: No module named 'x'\n1 failed, 3 passed in 1s",
        1,
        "pytest",
        "failed",
    ),
    ("a run that was let go", "Debugger attached.\n\nCommand aborted", 1, "npm test", "unclear"),
    (
        "lint failed before",
        'Found 4 errors.\nerror: script "lint" exited with code 1',
        1,
        "bun run lint && bun run test",
        "unclear",
    ),
    ("gradle passed", "BUILD SUCCESSFUL in 3s", None, "./gradlew test | tail", "passed"),
    ("a log line of a passing run", "FAILED to connect, retrying\n5 passed in 1s", 0, "pytest -s", "passed"),
]


@pytest.mark.parametrize(
    ("output", "exit_code", "command", "expected"), [row[1:] for row in VERDICTS], ids=[row[0] for row in VERDICTS]
)
def test_a_run_passes_only_with_evidence(output: str, exit_code: int | None, command: str, expected: Verdict) -> None:
    assert is_test_command(command)
    assert judge_run(test_totals(output), exit_code, output, command) == expected


@pytest.mark.parametrize(
    ("output", "exit_code", "command", "expected"),
    [
        ("", 0, "go build ./...", True),
        ("", 0, "npm run build | tail -3", None),
        ("", None, "make", None),
        ("", 2, "make", False),
        ("src/a.ts(1,2): error TS2322: no", 0, "npx tsc | head", False),
        ("error[E0308]: mismatched types", None, "cargo build | tail", False),
        ("    Finished `dev` profile in 1s", None, "cargo build | tail", True),
        ("[INFO] BUILD SUCCESS", None, "mvn package | tail", True),
        ("BUILD FAILURE", None, "mvn package | tail", False),
        ("✓ built in 2.1s", None, "vite build | tail", True),
    ],
)
def test_a_build_passes_only_with_evidence(
    output: str, exit_code: int | None, command: str, expected: bool | None
) -> None:
    assert is_build_command(command)
    assert build_passed(exit_code, output, command) is expected


@given(st.from_regex(re.compile(runs._BUILD_FAILURE.pattern, re.MULTILINE), fullmatch=True))
def test_no_failure_of_a_build_is_passed_over(said: str) -> None:
    assert build_passed(None, f"start\n{said}\nend", "npm run build") is False


@given(st.from_regex(re.compile(runs._NOT_RUN.pattern), fullmatch=True))
def test_nothing_that_keeps_tests_from_running_is_passed_over(said: str) -> None:
    assert judge_run(None, 1, f"start\n{said}\nend", "npm test") == "not run"


@given(st.text(), st.sampled_from([None, 0, 1]))
def test_never_raises(text: str, exit_code: int | None) -> None:
    for output in (text, f"Ran 1 test in {text}", f"1 passed{text} in 1s", f"--- FAIL{text}"):
        judge_run(test_totals(output), exit_code, output, text)
        build_passed(exit_code, output, text)


@pytest.mark.parametrize(
    "line",
    [
        "1 a, " * 60_000,
        "\n" * 300_000,
        " " * 300_000,
        "Tests " * 50_000,
        "ok | 1 passed" * 20_000,
        "1 passed (" * 30_000,
    ],
)
def test_long_outputs_take_linear_time(line: str) -> None:
    test_totals(line)  # the timeout of the suite is the assertion
    judge_run(None, None, line)
    build_passed(None, line, "make")
