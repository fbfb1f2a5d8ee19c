"""What still holds of the test runs in a transcript: which failures nobody mended, which milestones stand.

Must not know sessions or views. How a single run went is read off its output in `core/commands`.
"""

from __future__ import annotations

from functools import lru_cache

from recapd.core.commands import TestCommand, covers, find_test_command
from recapd.core.state.transcript import Milestone, TestRun, Transcript


def failing_tests(transcript: Transcript) -> list[TestRun]:
    """Of each suite the last run that failed, unless it passed since: another suite's pass is no cure, nor is a pass
    of fewer tests than were to be run; a pass of all is, whatever started it."""
    left: list[TestRun] = []
    for run in transcript.tests:
        if run.ok is None:
            continue
        left = [each for each in left if not (is_same_suite(run, each) and _is_covered(each, run))]
        if not run.ok:
            left.append(run)
    return [run for row, run in enumerate(left) if not any(is_same_suite(run, later) for later in left[row + 1 :])]


def unreached_tests(transcript: Transcript) -> list[TestRun]:
    """Of each suite the last run, where it never came to its tests."""
    last: list[TestRun] = []
    for run in transcript.tests:
        last = [each for each in last if not is_same_suite(run, each)]
        last.append(run)
    return [run for run in last if not run.did_run]


def age_of(run: TestRun, transcript: Transcript) -> str:
    """ " in turn 47, not run since" of a run in an earlier turn than the last; "" of one in the last."""
    last = next((turn.number for turn in reversed(transcript.turns) if not turn.abandoned), 0)
    if run.turn >= last:
        return ""
    is_rerun = any(each.place.offset > run.place.offset and is_same_suite(each, run) for each in transcript.tests)
    return f" in turn {run.turn}, not {'passed' if is_rerun else 'run'} since"


def is_same_suite(run: TestRun, other: TestRun) -> bool:
    """What is known by its runner is the same behind any script; what is not, by the command."""
    if run.runner and run.runner == other.runner:
        return True
    one, two = _ran(run.command), _ran(other.command)
    return one is not None and two is not None and one.program == two.program


def standing_milestones(transcript: Transcript) -> list[Milestone]:
    """What was reached and still holds: passing tests do not, once a later run failed or showed nothing."""
    doubtful = max((run.place.offset for run in transcript.tests if not run.ok), default=-1)
    return [each for each in transcript.milestones if each.sort != "tests" or each.place.offset > doubtful]


def told_tests(run: TestRun) -> str:
    """The test command inside the line that ran it, as logged."""
    ran = _ran(run.command)
    return ran.line if ran else run.command


def _is_covered(run: TestRun, by: TestRun) -> bool:
    one, other = _ran(by.command), _ran(run.command)
    return one is not None and other is not None and covers(one.scope, other.scope)


# A recap asks for each run several times, and the next one again; a session keeps its last 30, mostly of the same few
# commands.
@lru_cache(maxsize=64)
def _ran(command: str) -> TestCommand | None:
    return find_test_command(command)
