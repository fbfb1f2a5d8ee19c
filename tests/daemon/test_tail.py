"""One file, look by look: what counts as growth, what is read for it, and what a look never does."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from recapd.daemon.log_files.tail import Outcome, Refusal
from tests.support.following import LATER_NS, SECOND_NS, FileFollower, append, fresh, reads, seen, set_mtime
from tests.support.logs import agent, claude_log, human, raw, shell

BEGUN = (human("fix the parser"), agent("Looking."))
FIRST = claude_log(*BEGUN)
# As the agent writes it: a prompt that hangs on nothing would begin the conversation anew.
MORE = claude_log(*BEGUN, human("and the lexer"), shell("pytest", "2 passed"), agent("Done."))[len(FIRST) :]
LONG = claude_log(human("port it"), *(shell(f"make step{number}", "x" * 3000) for number in range(60)))


def turns(follower: FileFollower) -> int:
    return sum(source.transcript.totals.turns for source in follower.world.sources.values())


# ---- what a change is taken for


def rewrite(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def replace(path: Path, data: bytes) -> None:
    other = path.with_name("other")
    other.write_bytes(data)
    other.rename(path)


def overwrite_middle(path: Path, data: bytes) -> None:
    """Same file, same size, same ends; only the time tells."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(data)
    set_mtime(path, time.time_ns() + SECOND_NS)


CHANGES: dict[str, tuple[bytes, Callable[[Path, bytes], None], bytes, bool]] = {
    "appended": (FIRST, append, MORE, False),
    "appended to a long one": (LONG, append, MORE, False),
    "half a line": (FIRST, append, MORE[:100], False),
    "truncated": (FIRST + MORE, rewrite, FIRST, True),
    "rewritten longer": (FIRST, rewrite, MORE + MORE, True),
    "rewritten with the same size": (FIRST, rewrite, FIRST.replace(b"parser", b"lexers"), True),
    "replaced by a longer one": (FIRST, replace, FIRST + MORE, True),
    "replaced by the same": (LONG, replace, LONG, True),
    "a byte in the middle": (LONG, overwrite_middle, b"y", True),
    "end cut and grown past it": (LONG + MORE, rewrite, LONG + FIRST + MORE, True),
}


@pytest.mark.parametrize(("before", "change", "data", "anew"), CHANGES.values(), ids=CHANGES.keys())
def test_growth_is_read_on_and_anything_else_anew(
    before: bytes, change: Callable[[Path, bytes], None], data: bytes, anew: bool, tmp_path: Path
) -> None:
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(before)
    while follower.look().state is not None and follower.state is not None and follower.state.has_more:
        pass
    change(follower.path, data)
    step = follower.look()
    assert any(batch.restart for batch in step.batches) == anew
    follower.settle()
    assert seen(follower.world) == seen(fresh(follower.path))


@pytest.mark.parametrize("steps", [2, 5, 8])
def test_a_short_log_changed_between_its_ends_and_grown_is_read_anew_once_it_is_quiet(
    steps: int, tmp_path: Path
) -> None:
    """Neither its time nor its ends tell."""
    calls = [shell(f"make step{number}", "x" * 3000) for number in range(steps)]
    log = claude_log(human("port it"), *calls)
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(log)
    follower.settle()
    middle = len(log) // 2
    changed = log[:middle] + log[middle:].replace(b"x" * 20, b"y" * 20, 1)
    assert 8192 < len(log) < 1 << 16 and changed[:4096] + changed[-4096:] == log[:4096] + log[-4096:]
    follower.path.write_bytes(changed + MORE)
    assert not any(batch.restart for batch in follower.look().batches)
    assert any(batch.restart for batch in follower.look(now_ns=time.time_ns() + LATER_NS).batches)
    follower.settle()
    assert seen(follower.world) == seen(fresh(follower.path))


@pytest.mark.parametrize("settled", [False, True])
def test_a_look_without_a_change_tells_nothing(settled: bool, tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(FIRST)
    follower.look()
    if settled:
        follower.settle()
    step = follower.look()
    assert (step.outcome, step.batches, step.is_void) == ("unchanged", (), False)


def test_created_empty_then_written_then_deleted(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "log.jsonl")
    outcomes: list[Outcome] = []
    for data in (b"", b"\n", FIRST[:40], FIRST[40:], MORE):
        append(follower.path, data)
        outcomes.append(follower.look().outcome)
    assert outcomes == ["refused", "refused", "refused", "read", "read"]
    assert turns(follower) == 2
    follower.path.unlink()
    assert follower.look().outcome == "gone"
    assert follower.world.sources == {}
    follower.path.write_bytes(MORE)
    follower.look()
    assert turns(follower) == 1


# ---- what is no log, or not yet


def test_a_file_is_taken_for_what_it_turns_out_to_be(tmp_path: Path) -> None:
    """The first row is plain chat; the later ones show whose it is."""
    follower = FileFollower(tmp_path / "log.jsonl")
    plain = json.dumps({"role": "user", "content": "fix it"}).encode() + b"\n"
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest"}}
    rich = json.dumps({"role": "assistant", "content": [use]}).encode() + b"\n"
    append(follower.path, plain)
    follower.look()
    append(follower.path, rich * 30)
    follower.look()
    follower.settle()
    assert seen(follower.world) == seen(fresh(follower.path))
    (source,) = follower.world.sources.values()
    assert source.format == "anthropic-messages"


def test_a_large_file_that_is_no_log_is_read_again_only_when_it_is_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bytes_read = reads(monkeypatch)
    follower = FileFollower(tmp_path / "table.jsonl")
    follower.path.write_bytes(b"1,2,3\n" * 20_000)
    follower.look()
    bytes_read.clear()
    append(follower.path, b"4,5,6\n")
    assert follower.look().outcome == "unchanged"
    assert bytes_read == []
    append(follower.path, FIRST)
    assert follower.look(now_ns=time.time_ns() + LATER_NS).outcome == "read"
    follower.settle()
    assert seen(follower.world) == seen(fresh(follower.path))


def make_link(path: Path) -> None:
    path.with_name("target").write_bytes(FIRST)
    path.symlink_to(path.with_name("target"))


def make_binary(path: Path) -> None:
    path.write_bytes(b"\0\1\2" * 100)


NO_FILES: dict[str, Callable[[Path], None]] = {
    "folder": Path.mkdir,
    "pipe": lambda path: os.mkfifo(path),
    "link": make_link,
    "binary": make_binary,
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES.keys())
def test_what_is_no_regular_file_is_refused(make: Callable[[Path], None], tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "log.jsonl")
    make(follower.path)
    step = follower.look()
    assert step.batches == ()
    assert step.state is not None
    assert step.state.refusal


def test_what_is_known_stays_while_a_file_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(FIRST)
    follower.settle()

    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", denied)
        step = follower.look()
    assert (step.outcome, turns(follower)) == ("unsure", 1)
    assert step.state is not None
    assert step.state.refusal == Refusal("unreadable", errno.EACCES, "Permission denied")
    assert not step.state.is_settled
    append(follower.path, MORE)
    follower.settle()
    assert follower.state is not None
    assert (follower.state.refusal, turns(follower)) == (None, 2)


# ---- what is left to a process


@pytest.mark.parametrize(
    ("known", "size", "outcome"),
    [
        (b"", 100_000, "large"),
        (b"", 1000, "read"),
        # Less than an eighth of it is new: reading on is cheaper.
        (LONG * 8, len(LONG), "read"),
        (LONG, len(LONG) * 2, "large"),
    ],
)
def test_what_is_too_large_to_be_read_here(known: bytes, size: int, outcome: Outcome, tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "log.jsonl")
    if known:
        follower.path.write_bytes(known)
        follower.settle()
    before = follower.state
    append(follower.path, (LONG * 3)[:size])
    step = follower.look(max_whole=50_000)
    assert step.outcome == outcome
    if outcome == "large":
        assert (step.state, step.batches) == (before, ())


def test_damage_is_skipped_and_counted(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(claude_log(human("go"), raw(b'{"torn'), raw(b"\0" * 10), agent("Gone.")))
    follower.settle()
    (source,) = follower.world.sources.values()
    assert source.transcript.totals.problems == 2
    assert seen(follower.world) == seen(fresh(follower.path))
