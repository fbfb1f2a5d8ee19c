"""What a look at a file costs: the bytes that are new and a little more, however long a line is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from recapd.core.log import lines
from recapd.daemon.log_files import tail
from tests.support.following import LATER_NS, FileFollower, append, fresh, reads, seen
from tests.support.logs import agent, claude_log, human, shell

FIRST = claude_log(human("fix the parser"), agent("Looking."))
MORE = claude_log(human("and the lexer"), shell("pytest", "2 passed"), agent("Done."))
LONG = claude_log(human("port it"), *(shell(f"make step{number}", "x" * 3000) for number in range(60)))
# The beginning of the file and the bytes before the new ones, compared with what they were.
ALLOWED_BYTES = 8192


@pytest.mark.parametrize("grown", [0, 1000, 5000, 20_000, 190_000])
@pytest.mark.parametrize("quiet", [False, True])
def test_a_look_reads_what_was_appended_and_8_kb(
    grown: int, quiet: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bytes_read = reads(monkeypatch)
    follower = FileFollower(tmp_path / "log.jsonl")
    whole = LONG
    follower.path.write_bytes(whole[:grown])
    follower.settle()
    for size in (1, 100, 3000, 5000):
        at = follower.path.stat().st_size
        append(follower.path, whole[at : at + size])
        bytes_read.clear()
        follower.look()
        assert sum(bytes_read) <= size + ALLOWED_BYTES
        if quiet:
            follower.settle()
    bytes_read.clear()
    follower.settle()
    follower.look(now_ns=time.time_ns() + LATER_NS)
    # Whether the format is still the same is made sure of once, when all is quiet.
    assert sum(bytes_read) <= ALLOWED_BYTES + (1 << 16)
    bytes_read.clear()
    follower.look(now_ns=time.time_ns() + LATER_NS)
    assert bytes_read == []


def test_slices_together_read_what_was_appended_and_8_kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bytes_read = reads(monkeypatch)
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(LONG)
    follower.settle()
    append(follower.path, LONG * 3)
    bytes_read.clear()
    looks = 0
    while follower.look(max_bytes=50_000).batches and follower.state is not None and follower.state.has_more:
        looks += 1
    assert looks > 10
    assert sum(bytes_read) <= len(LONG) * 3 + ALLOWED_BYTES
    follower.settle()
    assert seen(follower.world) == seen(fresh(follower.path))


def test_a_line_of_50_mb_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents write screenshots into one line. Held once, copied a few times, however small the pieces are."""
    bytes_read = reads(monkeypatch)
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(FIRST)
    follower.look()
    line = claude_log(shell("screenshot", "x" * 50_000_000)).split(b"\n")[1] + b"\n"
    piece = 1 << 16
    bytes_read.clear()
    for start in range(0, len(line), piece):
        append(follower.path, line[start : start + piece])
        follower.look()
        assert follower.state is not None
        # Pieces are joined with their likes: each byte is copied as often as the pieces double, not with every piece.
        assert len(follower.state.pending) <= 20
        assert follower.state.carry.rest == b""
    looks = len(line) // piece + 1
    assert sum(bytes_read) <= len(line) + looks * ALLOWED_BYTES
    append(follower.path, MORE)
    follower.settle()
    assert follower.state is not None
    assert follower.state.pending == ()
    assert seen(follower.world) == seen(fresh(follower.path))


def test_a_line_too_long_to_hold_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lines, tail):
        monkeypatch.setattr(module, "MAX_LINE_BYTES", 10_000)
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(FIRST)
    follower.look()
    for _ in range(30):
        append(follower.path, b"x" * 1000)
        follower.look()
        assert follower.state is not None
        assert sum(map(len, follower.state.pending)) <= 10_000
    append(follower.path, b"\n" + MORE)
    follower.settle()
    (source,) = follower.world.sources.values()
    assert source.transcript.problem_kinds == {"tooLong": 1}
    assert seen(follower.world) == seen(fresh(follower.path))


def test_an_unfinished_last_line_is_shown_if_it_is_whole(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "log.jsonl")
    *before, last, _ = MORE.split(b"\n")
    follower.path.write_bytes(b"\n".join(before) + b"\n" + last[:50])
    assert follower.look().unfinished == ()
    append(follower.path, last[50:])
    assert len(follower.look().unfinished) == 1
    append(follower.path, b"\n")
    step = follower.look()
    assert (len(step.batches), step.unfinished) == (1, ())
