"""One file, look by look: what counts as growth, what is read for it, and what a look never does."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from recapd.core import lines
from recapd.daemon import tail
from recapd.daemon.tail_state import Outcome
from tests.support.following import LATER_NS, SECOND_NS, FileFollower, append, fresh, seen, set_mtime
from tests.support.logs import agent, claude_log, human, raw, shell

FIRST = claude_log(human("fix the parser"), agent("Looking."))
MORE = claude_log(human("and the lexer"), shell("pytest", "2 passed"), agent("Done."))
LONG = claude_log(human("port it"), *(shell(f"make step{number}", "x" * 3000) for number in range(60)))
ALLOWED_BYTES = 8192


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


# ---- bytes read


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of all reads since it was last cleared."""
    sizes: list[int] = []
    read = os.read

    def counting(descriptor: int, length: int) -> bytes:
        data = read(descriptor, length)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(os, "read", counting)
    return sizes


@pytest.mark.parametrize("grown", [0, 1000, 5000, 20_000, 190_000])
@pytest.mark.parametrize("quiet", [False, True])
def test_a_look_reads_what_was_appended_and_8_kb(
    grown: int, quiet: bool, tmp_path: Path, bytes_read: list[int]
) -> None:
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


def test_slices_together_read_what_was_appended_and_8_kb(tmp_path: Path, bytes_read: list[int]) -> None:
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


# ---- long lines


def test_a_line_of_50_mb_in_pieces(tmp_path: Path, bytes_read: list[int]) -> None:
    """Agents write screenshots into one line. Held once, copied a few times, however small the pieces are."""
    follower = FileFollower(tmp_path / "log.jsonl")
    follower.path.write_bytes(FIRST)
    follower.look()
    line = claude_log(shell("screenshot", "x" * 50_000_000)).split(b"\n")[1] + b"\n"
    piece = 1 << 16
    bytes_read.clear()
    started = time.perf_counter()
    for start in range(0, len(line), piece):
        append(follower.path, line[start : start + piece])
        follower.look()
        assert follower.state is not None
        assert len(follower.state.pending) <= 20
        assert follower.state.carry.rest == b""
    took = time.perf_counter() - started
    looks = len(line) // piece + 1
    assert sum(bytes_read) <= len(line) + looks * ALLOWED_BYTES
    append(follower.path, MORE)
    follower.settle()
    assert follower.state.pending == ()
    assert seen(follower.world) == seen(fresh(follower.path))
    # Copying everything at every piece would be 20 GB; a second is what a slow machine takes for this.
    assert took < 20


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


def test_a_large_file_that_is_no_log_is_read_again_only_when_it_is_quiet(tmp_path: Path, bytes_read: list[int]) -> None:
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


NO_FILES: dict[str, Callable[[Path], None]] = {
    "folder": Path.mkdir,
    "pipe": lambda path: os.mkfifo(path),
    "link": make_link,
    "binary": lambda path: path.write_bytes(b"\0\1\2" * 100) and None,
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
    assert "Permission denied" in step.state.refusal
    assert not step.state.is_settled
    append(follower.path, MORE)
    follower.settle()
    assert follower.state is not None
    assert (follower.state.refusal, turns(follower)) == ("", 2)


# ---- documents


def gemini(*texts: str) -> bytes:
    said = [
        {"id": f"m{n}", "timestamp": "2026-03-01T09:00:00Z", "type": "user", "content": t} for n, t in enumerate(texts)
    ]
    return json.dumps({"sessionId": "s", "projectHash": "0", "startTime": "", "messages": said}, indent=1).encode()


def test_a_document_being_rewritten_keeps_what_was_known(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "session-1.json")
    later = gemini("one", "two")
    for torn in (b"", later[: len(later) // 2]):
        follower.path.write_bytes(gemini("one"))
        follower.settle()
        follower.path.write_bytes(torn)
        assert follower.look().outcome == "unsure"
        assert turns(follower) == 1
        follower.path.write_bytes(later)
        assert follower.look().outcome == "read"
        assert turns(follower) == 2
    assert follower.look().outcome == "unchanged"


def test_a_touched_document_is_no_news(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "session-1.json")
    follower.path.write_bytes(gemini("one"))
    follower.look()
    set_mtime(follower.path, time.time_ns() - LATER_NS)
    step = follower.look()
    assert (step.outcome, step.batches) == ("unchanged", ())
    assert step.state is not None
    assert step.state.is_settled


def test_a_chat_that_vanishes_from_a_history_is_forgotten(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / ".aider.chat.history.md")
    chats = [f"\n# aider chat started at 2026-03-0{n} 09:00:00\n\n#### fix {n}\n\nFixed.\n" for n in range(1, 4)]
    follower.path.write_text("".join(chats))
    follower.settle()
    assert len(follower.world.sources) == 3
    follower.path.write_text(chats[2])
    follower.settle()
    assert seen(follower.world) == seen(fresh(follower.path))
    assert len(follower.world.sources) == 1


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
