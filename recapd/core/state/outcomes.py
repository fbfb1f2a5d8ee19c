"""What still holds of the test runs in a transcript: which failures nobody mended, which milestones stand.

Must not know sessions or views. How a single run went is read off its output in `testruns`.
"""

from __future__ import annotations

from functools import lru_cache

from recapd.core.commands import covers, named_tests, program
from recapd.core.state.transcript import Milestone, TestRun, Transcript


def failing_tests(transcript: Transcript) -> list[TestRun]:
    """Of each runner the last run that failed, unless it passed since: another's pass is no cure, nor is a pass of
    fewer tests than were to be run."""
    failing: dict[str, list[TestRun]] = {}
    for run in transcript.tests:
        if run.ok is None:
            continue
        runner, named = _ran(run.command)
        left = [each for each in failing.pop(runner, []) if not covers(named, _ran(each.command)[1])]
        if left or not run.ok:
            failing[runner] = left if run.ok else [*left, run]
    return [runs[-1] for runs in failing.values()]


def standing_milestones(transcript: Transcript) -> list[Milestone]:
    """What was reached and still holds: passing tests do not, once a later run failed or showed nothing."""
    doubtful = max((run.place.offset for run in transcript.tests if not run.ok), default=-1)
    return [each for each in transcript.milestones if each.sort != "tests" or each.place.offset > doubtful]


# A recap asks for each run twice, and the next one again; a session keeps its last 30, mostly of the same few commands.
@lru_cache(maxsize=64)
def _ran(command: str) -> tuple[str, frozenset[str]]:
    return program(command), named_tests(command)
