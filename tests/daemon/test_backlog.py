"""What is read next: what just changed before what is only old, and nothing twice at a time."""

from __future__ import annotations

import pytest

from recapd.daemon.following import backlog as module
from recapd.daemon.following.backlog import HEAD_BYTES, SHORT_BYTES, Backlog, JobPlan

MEGABYTE = 1 << 20


def drain(backlog: Backlog) -> list[JobPlan]:
    """All jobs, each finished before the next."""
    jobs: list[JobPlan] = []
    while job := backlog.next_job():
        jobs.append(job)
        for path in job.paths:
            backlog.finish(path, is_whole=not job.head_bytes)
    return jobs


def hot(backlog: Backlog) -> list[str]:
    found: list[str] = []
    while path := backlog.next_hot():
        found.append(path)
        backlog.finish(path)
    return found


def test_hints_for_one_file_are_one_hint() -> None:
    backlog = Backlog()
    for path in ("a", "b", "a"):
        assert backlog.hint(path)
    assert hot(backlog) == ["a", "b"]


def test_a_file_that_changes_while_it_is_read_is_read_again_afterwards() -> None:
    backlog = Backlog()
    backlog.hint("a")
    assert backlog.next_hot() == "a"
    backlog.hint("a")
    assert backlog.next_hot() is None
    backlog.finish("a")
    assert hot(backlog) == ["a"]


def test_too_many_hints_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_HINTS", 2)
    backlog = Backlog()
    assert [backlog.hint(path) for path in ("a", "b", "a", "c")] == [True, True, True, False]
    assert backlog.depth == 2


def test_little_is_read_here_and_much_by_a_process() -> None:
    little, much = Backlog(), Backlog()
    little.index({"a": 100, "b": 200})
    much.index({"a": 2 * MEGABYTE, "b": MEGABYTE})
    assert (little.next_job(), hot(little)) == (None, ["a", "b"])
    assert (drain(much), hot(much)) == ([JobPlan(("a", "b"))], [])


def test_the_newest_then_all_beginnings_then_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NEWEST_FILES", 2)
    files = {f"{number:03}": 3 * MEGABYTE for number in range(100)}
    backlog = Backlog()
    backlog.index(files)
    jobs = drain(backlog)
    heads = [job for job in jobs if job.head_bytes]
    assert jobs[0] == JobPlan(("000", "001"))
    assert [path for job in heads for path in job.paths] == list(files)[2:]
    assert {job.head_bytes for job in heads} == {HEAD_BYTES}
    assert jobs.index(heads[-1]) == len(heads)
    assert [path for job in jobs if not job.head_bytes for path in job.paths] == list(files)
    assert (backlog.done, backlog.total) == (100, 100)


def test_of_a_short_log_the_beginning_is_not_read_before_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NEWEST_FILES", 2)
    long = {f"long{number:03}": 3 * MEGABYTE for number in range(100)}
    short = {f"short{number:02}": SHORT_BYTES for number in range(20)}
    backlog = Backlog()
    backlog.index({**long, **short})
    hot(backlog)
    jobs = drain(backlog)
    heads = [path for job in jobs if job.head_bytes for path in job.paths]
    assert heads == list(long)[2:]
    assert jobs[0].paths[2:] == tuple(short)[8:]
    assert (backlog.done, backlog.total) == (120, 120)


def test_a_few_small_ones_are_read_here_while_the_process_starts() -> None:
    backlog = Backlog()
    backlog.index({"huge": 90 * MEGABYTE, **{f"{number:02}": 1000 for number in range(20)}})
    here = hot(backlog)
    assert here == [f"{number:02}" for number in range(8)]
    assert not set(here) & {path for job in drain(backlog) for path in job.paths}


def test_a_file_that_just_changed_goes_before_the_rest() -> None:
    backlog = Backlog()
    backlog.index({f"{number:02}": 4 * MEGABYTE for number in range(20)})
    backlog.hint("19")
    assert backlog.next_hot() == "19"
    backlog.hand_over("19")
    assert backlog.next_job() == JobPlan(("19",))
    backlog.finish("19")
    assert sum(path == "19" for job in drain(backlog) for path in job.paths) == 0


def test_two_processes_never_get_the_same_file_and_lose_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NEWEST_FILES", 1)
    files = {f"{number:03}": 20 * MEGABYTE for number in range(30)}
    backlog = Backlog()
    backlog.index(files)
    whole: list[str] = []
    running: list[JobPlan] = []
    while True:
        while len(running) < 2 and (job := backlog.next_job()):
            assert not set(job.paths) & {path for other in running for path in other.paths}
            running.append(job)
        if not running:
            break
        done = running.pop(0)
        for path in done.paths:
            backlog.finish(path, is_whole=not done.head_bytes)
        whole += [] if done.head_bytes else done.paths
    assert sorted(whole) == sorted(files)
    assert backlog.done == backlog.total == 30


def test_what_a_process_left_behind_comes_first_next_time() -> None:
    backlog = Backlog()
    backlog.index({f"{number:02}": 4 * MEGABYTE for number in range(6)})
    job = backlog.next_job()
    assert job is not None
    backlog.finish(job.paths[0])
    backlog.give_back(job.paths[1:])
    again = backlog.next_job()
    assert again is not None
    assert again.paths[: len(job.paths) - 1] == job.paths[1:]


def test_without_processes_everything_is_read_here() -> None:
    backlog = Backlog()
    files = {f"{number:02}": 4 * MEGABYTE for number in range(6)}
    backlog.index(files)
    backlog.read_all_here()
    assert (backlog.next_job(), sorted(hot(backlog))) == (None, sorted(files))
    backlog.index({"new": 9 * MEGABYTE})
    assert (backlog.next_job(), hot(backlog)) == (None, ["new"])


def test_a_dropped_file_is_not_waited_for() -> None:
    backlog = Backlog()
    backlog.index({"a": 4 * MEGABYTE, "b": 4 * MEGABYTE})
    backlog.drop("a")
    assert (backlog.done, backlog.total) == (1, 2)
    assert drain(backlog) == [JobPlan(("b",))]
    assert (backlog.done, backlog.total) == (2, 2)
