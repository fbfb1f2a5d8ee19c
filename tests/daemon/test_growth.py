"""Whatever happens to a file, what was read of it bit by bit equals what a fresh reading gives, once it is settled."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recapd.daemon.log_files.reading import UnreadableLog, batches, open_log
from recapd.daemon.log_files.tail import SURE_BYTES, TailState
from tests.support import logs
from tests.support.following import LATER_NS, SECOND_NS, FileFollower, fresh, seen, set_mtime
from tests.support.logs import LOGS, agent, edit, human, shell

SLOW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

TALK = (human("fix the parser"), agent("Looking."), edit("src/parse.py"), shell("pytest", "3 passed"), agent("Done."))
LONG_TALK = (human("port it"), *(shell(f"make step{number}", "x" * 3000) for number in range(40)), agent("Ported."))


def chat_rows() -> bytes:
    """Two conversations in one file, taking turns."""
    rows = [
        {"role": role, "content": f"{role} {number}", "conversation_id": f"c{number % 2}"}
        for number in range(8)
        for role in ("user", "assistant")
    ]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def gemini_document(messages: int) -> bytes:
    said = [
        {
            "id": f"m{number}",
            "timestamp": logs.at(number * 60),
            "type": "user" if number % 2 == 0 else "gemini",
            "content": f"message {number}",
        }
        for number in range(messages)
    ]
    document = {"sessionId": "5e55", "projectHash": "0" * 64, "startTime": logs.at(0), "lastUpdated": logs.at(0)}
    return json.dumps({**document, "messages": said}, indent=2).encode()


def aider_history(chats: int) -> bytes:
    chat = "\n# aider chat started at 2026-03-0{0} 09:00:00\n\n#### fix number {0}\n\nFixed number {0}.\n"
    return "".join(chat.format(number + 1) for number in range(chats)).encode()


CONTENTS = {
    **{name: told(*TALK) for name, told in LOGS.items()},
    "a long one": logs.claude_log(*LONG_TALK),
    "another long one": logs.pi_log(*LONG_TALK),
    "damaged": logs.claude_log(*TALK, logs.raw(b'{"torn'), logs.raw(b"\0\0"), human("go on"), agent("Gone on.")),
    "several chats": chat_rows(),
    "a table": b"id,name\n1,x\n" * 40,
    "document": gemini_document(6),
    "longer document": gemini_document(9),
    "history": aider_history(2),
    "shorter history": aider_history(1),
}


class Rewriter(FileFollower):
    """A file that all sorts of things happen to, on a file system whose clock the test moves."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.ticks = count(1)
        self.mtime_ns = SECOND_NS

    def write(self, data: bytes, *, mode: str) -> None:
        with self.path.open(mode) as file:
            file.write(data)
        self._set_time()

    def poke(self, offset: int, data: bytes) -> None:
        """Overwrite bytes in place: the size stays."""
        with self.path.open("r+b") as file:
            file.seek(offset)
            file.write(data)
        self._set_time()

    def replace(self, data: bytes) -> None:
        other = self.path.with_suffix(".new")
        other.write_bytes(data)
        other.rename(self.path)
        self._set_time()

    def truncate(self, size: int) -> None:
        os.truncate(self.path, size)
        self._set_time()

    def _set_time(self) -> None:
        # Changes of a small file all have the same time: they show by its bytes. Of a larger one only the ends are
        # compared, so a change between them shows by the time or not at all.
        if self.path.stat().st_size > SURE_BYTES:
            self._tick()
        set_mtime(self.path, self.mtime_ns)

    def _tick(self) -> None:
        self.mtime_ns = SECOND_NS + next(self.ticks) * 1_000_000

    def check(self) -> None:
        self.settle(now_ns=self.mtime_ns + LATER_NS, max_bytes=4000)
        assert seen(self.world) == seen(fresh(self.path))
        # Time has passed: whatever is written from now on is later.
        self.ticks = count(next(self.ticks) + LATER_NS // 1_000_000)
        self._tick()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:
        yield Path(name).resolve()


STEPS = st.one_of(
    st.tuples(st.just("append"), st.integers(1, 4000)),
    st.tuples(st.just("append"), st.integers(1, 200_000)),
    st.tuples(st.just("junk"), st.sampled_from([b"\n", b"x", b'{"type":"user"', b'{"a":1}\n', b"\0\0\n"])),
    st.tuples(st.just("truncate"), st.integers(0, 100)),
    st.tuples(st.just("poke"), st.integers(0, 100)),
    st.tuples(st.sampled_from(["rewrite", "replace"]), st.sampled_from(sorted(CONTENTS))),
    st.tuples(st.sampled_from(["empty", "delete", "touch", "settle"]), st.just(0)),
)


@SLOW
@given(st.sampled_from(sorted(CONTENTS)), st.lists(STEPS, max_size=12), st.integers(1, 100_000), st.booleans())
def test_any_history_of_a_file(
    folder: Path, name: str, steps: list[tuple[str, int | str | bytes]], max_bytes: int, eager: bool
) -> None:
    path = folder / "log.jsonl"
    path.unlink(missing_ok=True)
    follower = Rewriter(path)
    whole = CONTENTS[name]
    for step, what in steps:
        size = path.stat().st_size if path.exists() else 0
        if isinstance(what, bytes):
            follower.write(what, mode="ab")
        elif isinstance(what, str):
            whole = CONTENTS[what]
            if step == "rewrite":
                follower.write(whole, mode="wb")
            else:
                follower.replace(whole)
        elif step == "append":
            follower.write(whole[size : size + what], mode="ab")
        elif step == "settle":
            if not is_torn_document(path):
                follower.check()
        elif step == "delete":
            path.unlink(missing_ok=True)
        elif size and step == "truncate":
            follower.truncate(size * what // 100)
        elif size and step == "poke":
            follower.poke(min(size * what // 100, size - 1), b"7")
        elif size and step == "touch":
            follower.poke(size, b"")
        elif step == "empty":
            follower.write(b"", mode="wb")
        if eager:
            follower.look(now_ns=follower.mtime_ns, max_bytes=max_bytes)
    if is_torn_document(path):
        return
    follower.check()


def test_a_damaged_beginning_is_a_log_however_little_is_read_at_once(tmp_path: Path) -> None:
    follower = Rewriter(tmp_path / "log.jsonl")
    follower.write(b"\0\0\n" + logs.claude_log(human("port it" * 1000), agent("Ported.")), mode="wb")
    follower.check()
    assert follower.world.sources


def is_torn_document(path: Path) -> bool:
    """What was read before is kept then, which a fresh reading cannot know."""
    try:
        log = open_log(path)
    except UnreadableLog:
        return False
    return log.adapter.name == "gemini" and any(batch.problems for batch in batches(log))


@pytest.mark.parametrize("name", [*LOGS, "damaged", "several chats"])
def test_byte_by_byte(name: str, tmp_path: Path) -> None:
    follower = Rewriter(tmp_path / "log.jsonl")
    for number in range(len(CONTENTS[name])):
        follower.write(CONTENTS[name][number : number + 1], mode="ab")
        follower.look(now_ns=follower.mtime_ns)
        if number % 97 == 0:
            follower.check()
    follower.check()
    assert follower.world.sources


@pytest.mark.parametrize("name", sorted(CONTENTS))
def test_state_survives_being_stored(name: str, tmp_path: Path) -> None:
    follower = Rewriter(tmp_path / "log.jsonl")
    half = len(CONTENTS[name]) // 2
    follower.write(CONTENTS[name][:half], mode="wb")
    follower.look(now_ns=follower.mtime_ns)
    assert follower.state is not None
    follower.state = msgspec.msgpack.decode(msgspec.msgpack.encode(follower.state), type=TailState)
    follower.write(CONTENTS[name], mode="wb")
    follower.check()
