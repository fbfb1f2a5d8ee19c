"""Restore and tail equals replay, for any interleaving of appends, rewrites, snapshots, crashes and restarts.

Real files, a real daemon in this process with its real store; only the clock of its looks is real too, so examples are
few and long rather than many and short.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import anyio
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recapd.core.state.cold import GROWING, bounded_part, head_of
from recapd.core.state.world import World, put, restore, session_id_of, sessions_of
from recapd.daemon.encoding.states import Damaged, changed_pieces, checksum_of, head_bytes, head_from, transcript_from
from recapd.daemon.log_files.tail import TailState
from recapd.daemon.store.cache import storable
from tests.support.following import FileFollower, fresh, seen
from tests.support.kept import Running, is_log, kept_daemon
from tests.support.logs import Act, agent, claude_log, codex_log, edit, human, pi_log, shell

WRITERS = {"a": claude_log, "b": codex_log, "c": pi_log}
ACTS: tuple[Act, ...] = (
    human("Fix the parser"),
    human("No, undo that and use the other one"),
    agent("Done. Shall I go on?"),
    edit("/home/dev/shop/parser.py"),
    shell("pytest", "3 passed in 1s"),
    shell("pytest", "1 failed, 2 passed in 1s", exit_code=1),
)

name = st.sampled_from(sorted(WRITERS))
script = st.lists(st.sampled_from(ACTS), min_size=1, max_size=8)
Step = tuple[str, str, list[Act], int]
NO_ACTS: list[Act] = []
step: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("append"), name, script, st.integers(0, 400)),
    st.tuples(st.sampled_from(("rewrite", "in place")), name, script, st.just(0)),
    st.tuples(st.sampled_from(("cut", "delete", "save", "ask", "settle")), name, st.just(NO_ACTS), st.integers(0, 400)),
)
# How a life of the daemon ends: as it stands, or once it knows everything; in order, or without a word; after writing
# down what it knows, or not.
Ending = tuple[bool, bool, bool]
Life = tuple[list[Step], Ending]
ending = st.tuples(st.booleans(), st.booleans(), st.booleans())
life: st.SearchStrategy[Life] = st.tuples(st.lists(step, min_size=1, max_size=5), ending)


class Files:
    """Logs that several agents write, and what is still to be written of them."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "logs"
        self.folder.mkdir()
        self._rest: dict[str, bytes] = {}

    def path(self, which: str) -> Path:
        return self.folder / f"{which}.jsonl"

    def all(self) -> list[Path]:
        return [path for path in sorted(self.folder.iterdir()) if is_log(path)]

    def append(self, which: str, acts: list[Act], held_back: int) -> None:
        """What was held back last time comes first; the end of this is held back, in the middle of a line."""
        data = self._rest.pop(which, b"") + WRITERS[which](*acts, session=f"5e55-{which}")
        cut = max(len(data) - held_back, 0)
        self._rest[which] = data[cut:]
        with self.path(which).open("ab") as file:
            file.write(data[:cut])

    def rewrite(self, which: str, acts: list[Act], *, is_in_place: bool) -> None:
        self._rest.pop(which, None)
        data = WRITERS[which](*acts, session=f"5e55-{which}")
        if is_in_place:
            self.path(which).write_bytes(data)
            return
        temporary = self.folder / "new.tmp"
        temporary.write_bytes(data)
        temporary.replace(self.path(which))

    def cut(self, which: str, size: int) -> None:
        self._rest.pop(which, None)
        if self.path(which).exists():
            with self.path(which).open("r+b") as file:
                file.truncate(min(size, self.path(which).stat().st_size))


async def do(step: Step, files: Files, running: Running) -> None:
    what, which, acts, number = step
    if what == "append":
        files.append(which, acts, number)
    elif what in ("rewrite", "in place"):
        files.rewrite(which, acts, is_in_place=what == "in place")
    elif what == "cut":
        files.cut(which, number)
    elif what == "delete":
        files.path(which).unlink(missing_ok=True)
    elif what == "save":
        await running.save()
    elif what == "settle":
        await running.until_equal(*files.all())
    else:
        await running.ask("session/list")


async def live(lives: list[Life], home: Path) -> None:
    files = Files(home)
    for steps, (is_settled, is_saved, is_crashing) in lives:
        async with kept_daemon(home, is_crashing=is_crashing) as running:
            for each in steps:
                await do(each, files, running)
            if is_settled:
                await running.until_equal(*files.all())
            if is_saved:
                await running.save()
    # Whatever came in between, the next start takes over what the one before knew, or reads it again: no third way.
    for _ in range(2):
        async with kept_daemon(home) as running:
            await running.until_indexed()
            await running.until_equal(*files.all())


@pytest.mark.timeout(180)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(life, min_size=1, max_size=4))
def test_restore_and_tail_equals_replay(lives: list[Life]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        anyio.run(live, lives, Path(folder))


@settings(max_examples=60, deadline=None)
@given(st.lists(script, min_size=1, max_size=6), st.data())
def test_a_state_in_pieces_is_the_state(scripts: list[list[Act]], data: st.DataObject) -> None:
    """Written piece by piece as it grows, and put together again at any time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        bodies: dict[tuple[str, int], bytes] = {}
        notes: dict[tuple[str, int], object] = {}
        before = None
        for number in range(len(scripts)):
            with path.open("ab") as file:
                file.write(claude_log(*scripts[number]))
            (source,) = fresh(path).sources.values()
            pieces = changed_pieces(source.transcript, before)
            bodies.update({(piece.note.field, piece.note.number): piece.body for piece in pieces})
            notes.update({(piece.note.field, piece.note.number): piece.note for piece in pieces})
            before = source.transcript
            assert transcript_from([piece.note for piece in pieces], bodies) == source.transcript
        missing = data.draw(st.sampled_from(sorted(bodies)))
        del bodies[missing]
        with pytest.raises(Damaged):
            transcript_from([piece.note for piece in pieces], bodies)


@settings(max_examples=40, deadline=None)
@given(script)
def test_a_head_lists_like_the_whole(acts: list[Act]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_bytes(claude_log(*acts))
        world = fresh(path)
    heads = [head_of(source) for source in world.sources.values()]
    assert all(not len(getattr(bounded_part(head.transcript), field)) for head in heads for field in GROWING)
    cold = put(world, heads)
    stored = [head_from(head_bytes(head), checksum_of(head_bytes(head))) for head in heads]
    again = restore(World(), [(head, world.members[session_id_of(head)].revision) for head in stored])
    assert [session.id for session in sessions_of(world)] == [session.id for session in sessions_of(cold)]
    assert (again.sources, again.members) == (cold.sources, cold.members)
    assert cold.revision == world.revision and again.revision == max(each.revision for each in world.members.values())


@settings(max_examples=60, deadline=None)
@given(script, st.integers(60, 3_000), st.integers(1, 6), st.integers(0, 400))
def test_a_file_is_gone_on_from_wherever_it_was_left(
    acts: list[Act], max_bytes: int, looks: int, held_back: int
) -> None:
    """Kept in the middle of its first reading, or of a line, as it is stored and without the line's bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        data = claude_log(*acts)
        path.write_bytes(data[: max(len(data) - held_back, 300)])
        follower = FileFollower(path)
        for _ in range(looks):
            follower.look(max_bytes=max_bytes)
        assert follower.state is not None
        stored = msgspec.msgpack.encode(storable(follower.state))
        follower.state = msgspec.msgpack.decode(stored, type=TailState)
        assert not follower.state.pending
        follower.settle(max_bytes=max_bytes)
        path.write_bytes(data)
        follower.settle(max_bytes=max_bytes)
        assert seen(follower.world) == seen(fresh(path))
