"""The counts that test runners print at the end of a run.

Owns the summary formats of the runners and nothing else: whether a run passed is decided in `testruns`.
"""

from typing import Final

from msgspec import Struct

from recapd.core import late_re as re

# A summary stands at the end; what comes before the last quarter megabyte is log of the tests themselves.
_TAIL_CHARS: Final = 262_144
_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class TestTotals(Struct, frozen=True, gc=False):
    """Counts of one run, over all its suites; None where the runner does not say."""

    __test__ = False  # pytest collects by name, in whatever module imports it

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    errors: int | None = None
    # Whose summary it is, where only one runner writes such; as `scopes` names runners.
    by: str = ""


# No suite has more; an output may claim anything, and what is kept must be storable.
_MOST_TESTS: Final = 1_000_000_000
_MOST_DIGITS: Final = 10
# "3 failed, 12 passed": word → count it belongs to
_WORDS: Final = {
    **dict.fromkeys(("passed", "passing", "pass", "succeeded", "xpassed", "flaky"), "passed"),
    **dict.fromkeys(("failed", "failing", "fail", "failure", "failures"), "failed"),
    **dict.fromkeys(("skipped", "pending", "skip", "skips", "ignored", "todo", "xfailed", "incomplete"), "skipped"),
    **dict.fromkeys(("error", "errors", "cancelled"), "errors"),
}
_ITEM: Final = re.compile(r"(?<!\d)(\d+) ([a-z]+)(?! [a-z])")
_KEY_ITEM: Final = re.compile(r"(?<![A-Za-z])([A-Za-z]+)[:=] ?(\d+)")

# Whose it is, text that must occur, pattern.  Named groups are counts; `items` holds "N word" pairs, `keys` "word: N"
# pairs; of `total`, what is not counted otherwise passed.  A line starts with the newline before it, which a search
# finds five times faster than ^.
_FORMATS: Final[tuple[tuple[str, str, str], ...]] = (
    # pytest
    ("pytest", " in ", r"\n(?:=+ )?(?P<items>(?:\d+ [a-z]+(?: [a-z]+)?, )*\d+ [a-z]+(?: [a-z]+)?) in \d[\d.]*s\b"),
    # jest, vitest, pest
    (
        "jest",
        "Tests",
        r"Tests(?<!\wTests):?[ \t]+(?P<items>\d+ (?:passed|failed|skipped|todo|pending|incomplete)\b.*)$",
    ),
    # mocha, playwright, bun: a line per count
    (
        "",
        " ",
        (
            r"\n[ \t]*(?P<items>\d+ (?:passing|failing|pending|passed|failed|skipped|flaky|pass|fail|skip|todo|error))"
            r"(?: \([^)\n]*\))?[ \t]*$"
        ),
    ),
    # cargo test and nextest
    (
        "cargo",
        "test result: ",
        r"\ntest result: \w+\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<skipped>\d+) ignored",
    ),
    ("cargo", " run: ", r"(?<!\d)\d+ tests? run: (?P<items>\d+ passed.*)$"),
    # deno
    (
        "deno",
        " | ",
        (
            r"\n(?:ok|FAILED) \| (?P<passed>\d+) passed[^|\n]*\| (?P<failed>\d+) failed"
            r"(?:[^|\n]*\| (?P<skipped>\d+) ignored)?"
        ),
    ),
    # unittest
    (
        "unittest",
        "Ran ",
        r"\nRan (?P<total>\d+) tests? in [^\n]*\n\n?(?:OK|FAILED|NO TESTS RAN)(?: \((?P<keys>[^)\n]*)\))?",
    ),
    # gotestsum
    (
        "go",
        "DONE ",
        (
            r"\nDONE (?P<total>\d+) tests?(?:, (?P<skipped>\d+) skipped)?(?:, (?P<failed>\d+) failures?)?"
            r"(?:, (?P<errors>\d+) errors?)?"
        ),
    ),
    # rspec
    (
        "rspec",
        " example",
        (
            r"\n(?P<total>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?"
            r"(?:, (?P<errors>\d+) errors?)?"
        ),
    ),
    # mix, bats
    (
        "",
        " test",
        (
            r"\n(?:\d+ (?:doctests?|propert(?:y|ies)), ){0,2}(?P<total>\d+) tests?, (?P<failed>\d+) failures?"
            r"(?:, \d+ excluded)?(?:, (?P<skipped>\d+) skipped)?"
        ),
    ),
    # minitest
    (
        "minitest",
        " assertions, ",
        (
            r"\n(?P<total>\d+) (?:runs|tests), \d+ assertions, (?P<failed>\d+) failures, (?P<errors>\d+) errors"
            r"(?:, (?P<skipped>\d+) skips)?"
        ),
    ),
    # phpunit, JUnit 4
    ("", "OK (", r"\nOK \((?P<total>\d+) tests?(?:, \d+ assertions?)?\)"),
    ("phpunit", "Assertions: ", r"\nTests: (?P<total>\d+), Assertions: \d+(?P<keys>[^\n]*)$"),
    # ctest
    ("ctest", "% tests passed", r"\n\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)"),
    # dotnet, two generations
    (
        "dotnet",
        "Failed:",
        (
            r"(?:Passed|Failed|Skipped)!\s{1,4}- Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+)"
            r", Skipped: +(?P<skipped>\d+)"
        ),
    ),
    (
        "dotnet",
        "succeeded:",
        r"total: (?P<total>\d+), failed: (?P<failed>\d+), succeeded: \d+, skipped: (?P<skipped>\d+)",
    ),
    # maven: a line that goes on with ", Time elapsed" is one class, and is in the total already
    (
        "maven",
        "Tests run:",
        (
            r"Tests run: (?P<total>\d+), +Failures: (?P<failed>\d+)(?:, +Errors: (?P<errors>\d+))?"
            r"(?:, +Skipped: (?P<skipped>\d+))?[ \t]*$"
        ),
    ),
    # gradle, sbt
    (
        "gradle",
        " completed, ",
        r"\n(?P<total>\d+) tests? completed, (?P<failed>\d+) failed(?:, (?P<skipped>\d+) skipped)?",
    ),
    (
        "sbt",
        ": Total ",
        r"\b(?:Passed|Failed): Total \d+, Failed (?P<failed>\d+), Errors (?P<errors>\d+), Passed (?P<passed>\d+)",
    ),
    # flutter, dart
    (
        "flutter",
        " tests ",
        (
            r"\n\d\d:\d\d \+(?P<passed>\d+)(?: ~(?P<skipped>\d+))?(?: -(?P<failed>\d+))?"
            r": (?:All tests passed!|Some tests failed\.)"
        ),
    ),
    # bazel
    (
        "bazel",
        "Executed ",
        r"\nExecuted \d+ out of \d+ tests?: (?P<passed>\d+) tests? pass(?:es)?\b(?:[^\n\d]*(?P<failed>\d+) fails?\b)?",
    ),
    # ava; TAP as node and tape write it
    ("", " test", r"\n[ \t]*(?:\S )?(?P<number>\d+) tests? (?P<word>passed|failed|skipped)[ \t]*$"),
    ("", "pass ", r"\n[#ℹ] (?P<word>pass|fail|cancelled|skipped|todo)[ \t]+(?P<number>\d+)$"),
)
_SUMMARIES: Final = tuple((by, hint, re.compile(pattern, re.MULTILINE)) for by, hint, pattern in _FORMATS)
_WITHIN_LINES: Final = tuple(summary for summary in _SUMMARIES if not summary[2].pattern.startswith("\\n"))
_WHOLE_LINES: Final = tuple(summary for summary in _SUMMARIES if summary[2].pattern.startswith("\\n"))
# How a line begins that is a summary of the second sort: one look instead of many for all the lines that are none.
_SUMMARY_LINE: Final = re.compile(
    r"\n[ \t]*+(?:(?:\S |=++ )?\d++(?: [a-z]|% |:\d\d \+)"
    r"|test result: |(?:ok|FAILED) \||Ran \d|DONE \d|OK \(|Tests: |Executed \d|[#ℹ] [a-z])"
)

_SWIFT: Final = re.compile(r"Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures?")
_SWIFT_TESTING: Final = re.compile(r"Test run with (\d+) tests? [^\n]{0,200}?(passed|failed) after")
_GO_PACKAGE: Final = re.compile(
    r"\n(ok|FAIL)[ \t]+\S+[ \t]+(?:\(cached\)|[\d.]+s|\[(?:build|setup) failed\])(.*)$", re.MULTILINE
)
_GO_START: Final = re.compile(r"\n=== RUN +[^/\n]+$", re.MULTILINE)
_GO_TEST: Final = re.compile(r"\n--- (PASS|FAIL|SKIP): ", re.MULTILINE)
_BROKEN_SUITES: Final = re.compile(
    r"\n[ \t]*(?:(?:Test Suites:|Test Files)[ \t]+(\d+) failed|Errors[ \t]+(\d+) errors?)", re.MULTILINE
)

_BROKEN_HINTS: Final = ("Test Suites:", "Test Files", "Errors")


def plain_text(output: str) -> str:
    """The end of `output` without colours and carriage returns."""
    text = output[-_TAIL_CHARS:]
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def test_totals(output: str) -> TestTotals | None:
    """The counts in the summaries of known test runners in `output`, added up; None when there is no such summary."""
    text = "\n" + plain_text(output)
    counts: dict[str, int] = {}
    writers: set[str] = set()
    for by, hint, pattern in _WITHIN_LINES:
        if hint in text:
            for summary in pattern.finditer(text):
                _add_summary(counts, summary.groupdict())
                writers.add(by)
    starts = [line.start() for line in _SUMMARY_LINE.finditer(text)]
    for by, hint, pattern in _WHOLE_LINES if starts else ():
        if hint in text:
            for start in starts:
                if found := pattern.match(text, start):
                    _add_summary(counts, found.groupdict())
                    writers.add(by)
    _add_swift(counts, text)
    if not counts:
        _add_go(counts, text)
        writers.add("go")
    for broken in _BROKEN_SUITES.finditer(text) if any(map(text.__contains__, _BROKEN_HINTS)) else ():
        if not counts.get("failed"):  # a suite that did not even load has no failed test to show for it
            _add(counts, "errors", _number(broken[1] or broken[2]))
    if not counts:
        return None
    return TestTotals(
        passed=counts.get("passed"),
        failed=counts.get("failed"),
        skipped=counts.get("skipped"),
        errors=counts.get("errors"),
        by=writers.pop() if len(writers) == 1 else "",
    )


test_totals.__test__ = False  # type: ignore[attr-defined]  # see TestTotals


def _number(digits: str | None) -> int:
    """Python reads no number of more than 4300 digits; one of ten is more than there are tests."""
    return int(digits[:_MOST_DIGITS]) if digits else 0


def _add(counts: dict[str, int], name: str, number: int) -> None:
    counts[name] = min(counts.get(name, 0) + number, _MOST_TESTS)


def _add_summary(counts: dict[str, int], groups: dict[str, str | None]) -> None:
    found: dict[str, int] = {}
    for number, word in _ITEM.findall(groups.get("items") or ""):
        if word in _WORDS:
            _add(found, _WORDS[word], _number(number))
    for word, number in _KEY_ITEM.findall(groups.get("keys") or ""):
        if word.lower() in _WORDS:
            _add(found, _WORDS[word.lower()], _number(number))
    for name in ("passed", "failed", "skipped", "errors"):
        if groups.get(name) is not None:
            _add(found, name, _number(groups[name]))
    if groups.get("word"):
        _add(found, _WORDS[groups["word"] or ""], _number(groups["number"]))
    if groups.get("total") is not None:
        found.setdefault("failed", 0)
        rest = found["failed"] + found.get("skipped", 0) + found.get("errors", 0)
        found["passed"] = min(max(_number(groups["total"]) - rest, 0), _MOST_TESTS)
    if "passed" in found:
        found.setdefault("failed", 0)  # a summary that counts what passed would have said so
    for name, count in found.items():
        _add(counts, name, count)


def _add_swift(counts: dict[str, int], text: str) -> None:
    runs = _SWIFT.findall(text) if "Executed " in text else []
    if runs:  # every suite repeats inside the one around it; the outermost has the most
        total, skipped, failed = max(runs, key=lambda run: _number(run[0]))
        _add(counts, "failed", _number(failed))
        _add(counts, "skipped", _number(skipped))
        _add(counts, "passed", max(_number(total) - _number(failed) - _number(skipped), 0))
    testing = _SWIFT_TESTING.search(text) if "Test run with" in text else None
    if testing and testing[2] == "passed":
        _add(counts, "passed", _number(testing[1]))
        _add(counts, "failed", 0)
    elif testing:
        _add(counts, "errors", 1)


def _add_go(counts: dict[str, int], text: str) -> None:
    """`go test` counts packages; tests show only with -v, or when they fail."""
    results = _GO_PACKAGE.findall(text) if "\nok" in text or "\nFAIL" in text else []
    packages = [(verdict, rest) for verdict, rest in results if "[no tests to run]" not in rest]
    verdicts = _GO_TEST.findall(text) if "\n--- " in text else []
    if packages or "FAIL" in verdicts:  # without a package's verdict, tests that were not shown may have failed
        counts["failed"] = verdicts.count("FAIL")
    if "PASS" in verdicts and len(_GO_START.findall(text)) == len(verdicts):  # else the output is but a part
        counts["passed"] = verdicts.count("PASS")
        counts["skipped"] = verdicts.count("SKIP")
    broken = sum(verdict == "FAIL" for verdict, _ in packages)
    if broken and not counts["failed"]:
        counts["errors"] = broken
