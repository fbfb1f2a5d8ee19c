"""A process that parses gives what parsing here gives, and may die at any time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import msgspec
import pytest

from recapd.core.state.world import Source, World, fold
from recapd.daemon.encoding.rows import SourceRows, rows_of
from recapd.daemon.encoding.states import checksum_of, head_from, transcript_from
from recapd.daemon.following.indexer import ParseProcess, WorkerDied
from recapd.daemon.parse_worker import Parsed, parse
from recapd.daemon.store.in_memory import NothingCold
from recapd.daemon.store.unwritten import body_of
from tests.support.clock import PATIENCE_S
from tests.support.following import LATER_NS, FileFollower, append, fresh, seen
from tests.support.logs import LOGS, agent, edit, human, raw, shell, todo

TALK = (
    human("fix the parser 🦀 \\ud83d"),
    shell("git commit -m 'x' && pytest -q", "12 passed"),
    edit("src/parse.py"),
    todo({"read it": "completed", "fix it": "in_progress"}),
    raw(b'{"torn'),
    raw(b'{"type":"brand-new","x":1}'),
    shell("make", "boom", exit_code=2),
    agent("Done."),
)
LONG = tuple(shell(f"make step{number}", "x" * 3000) for number in range(800))


def adopted(*results: Parsed) -> World:
    world = World()
    for result in results:
        for batch in NothingCold().adopt(result.batches):
            world, _ = fold(world, batch)
    return world


async def parsed(process: ParseProcess, *paths: Path, head_bytes: int = 0) -> list[Parsed]:
    results: list[Parsed] = []
    names = [str(path) for path in paths]
    with anyio.fail_after(PATIENCE_S):
        now_ns = time.time_ns() + LATER_NS
        await process.parse(names, now_ns=now_ns, head_bytes=head_bytes, on_parsed=results.append)
    return results


def run(use: Callable[[ParseProcess], Awaitable[None]]) -> None:
    """Run a coroutine function on a process, and leave none behind."""

    async def main() -> None:
        process = ParseProcess()
        try:
            await use(process)
        finally:
            await process.kill()

    anyio.run(main)


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    for name, told in LOGS.items():
        (tmp_path / f"{name}.jsonl").write_bytes(told(*TALK))
    (tmp_path / "long.jsonl").write_bytes(LOGS["pi"](human("port it"), *LONG))
    (tmp_path / "none.jsonl").write_bytes(b"1,2\n")
    (tmp_path / "gone.jsonl").touch()
    found = sorted(tmp_path.iterdir())
    (tmp_path / "gone.jsonl").unlink()
    return found


def test_transcripts_come_back_equal(paths: list[Path]) -> None:
    async def use(process: ParseProcess) -> None:
        results = await parsed(process, *paths)
        assert [result.number for result in results] == list(range(len(paths)))
        assert seen(adopted(*results)) == seen(fresh(*paths))
        assert len(adopted(*results).sources) == 4
        states = {path.stem: result.state for path, result in zip(paths, results, strict=True)}
        assert states["gone"] is None
        assert states["none"] is not None
        assert states["none"].refusal
        assert all(state.is_settled for state in states.values() if state is not None)

    run(use)


def test_it_is_read_on_where_the_process_stopped(paths: list[Path]) -> None:
    async def use(process: ParseProcess) -> None:
        for path in paths:
            if path.stem not in LOGS:
                continue
            (result,) = await parsed(process, path)
            follower = FileFollower(path)
            follower.state, follower.world = result.state, adopted(result)
            append(path, LOGS[path.stem](human("go on"), agent("Gone on.")))
            step = follower.look()
            assert not any(batch.restart for batch in step.batches)
            follower.settle()
            assert seen(follower.world) == seen(fresh(path))

    run(use)


def test_a_beginning_is_a_beginning(paths: list[Path]) -> None:
    """What is known of a head is right as far as it goes, and can be read on."""

    async def use(process: ParseProcess) -> None:
        path = next(path for path in paths if path.stem == "long")
        (result,) = await parsed(process, path, head_bytes=20_000)
        assert result.state is not None
        assert result.state.has_more
        assert 20_000 <= result.state.end <= 70_000
        follower = FileFollower(path)
        follower.state, follower.world = result.state, adopted(result)
        (source,) = follower.world.sources.values()
        assert source.transcript.totals.turns == 1
        follower.settle()
        assert seen(follower.world) == seen(fresh(path))

    run(use)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    path.write_bytes(LOGS["codex"](*TALK))

    async def use(process: ParseProcess) -> None:
        assert len(adopted(*await parsed(process, path)).sources) == 1

    run(use)


def test_modules_in_the_working_folder_are_not_imported(
    paths: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)

    async def use(process: ParseProcess) -> None:
        assert len(await parsed(process, paths[0])) == 1

    run(use)


def test_one_file_that_fails_costs_only_itself(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """In the process itself: whatever an adapter does, the others are read."""
    from recapd.daemon import parse_worker

    def broken(path: str, **options: int) -> object:
        if "codex" in path:
            raise RecursionError
        return parse(path, **options)

    monkeypatch.setattr(parse_worker, "parse", broken)
    jobs, results = os.pipe(), os.pipe()
    body = msgspec.msgpack.encode(parse_worker.Job(tuple(os.fsencode(path) for path in paths[:2]), time.time_ns()))
    os.write(jobs[1], len(body).to_bytes(4, "big") + body)
    os.close(jobs[1])
    with open(jobs[0], "rb") as stdin, open(results[1], "wb") as stdout:
        parse_worker.serve(stdin, stdout)
    with open(results[0], "rb") as file:
        found: list[Parsed] = []
        while length := int.from_bytes(file.read(4), "big"):
            found.append(msgspec.msgpack.decode(file.read(length), type=Parsed))
    assert [(path.stem, result.failure) for path, result in zip(paths, found, strict=False)] == [
        ("claude-code", ""),
        ("codex", "RecursionError"),
    ]


def test_a_process_that_is_killed_is_replaced(paths: list[Path]) -> None:
    async def use(process: ParseProcess) -> None:
        await parsed(process, paths[0])
        first = process.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        with pytest.raises(WorkerDied):
            await parsed(process, paths[0])
        assert process.pid is None
        assert len(await parsed(process, paths[0])) == 1
        assert process.pid not in (None, first)

    run(use)


def test_a_cancelled_job_ends_the_process_and_the_next_one_works(paths: list[Path]) -> None:
    async def use(process: ParseProcess) -> None:
        await parsed(process, paths[0])
        first = process.pid
        with anyio.CancelScope() as scope:
            names = [str(path) for path in paths]
            await process.parse(names, now_ns=time.time_ns(), on_parsed=lambda _: scope.cancel())
        assert scope.cancelled_caught
        assert process.pid is None
        assert len(await parsed(process, paths[0])) == 1
        assert process.pid != first

    run(use)


def test_it_ends_by_itself_when_nobody_is_left() -> None:
    command = [sys.executable, "-m", "recapd.daemon.parse_worker"]
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(command, cwd=root, input=b"", capture_output=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_imports_nothing_heavy() -> None:
    code = "import sys, recapd.daemon.parse_worker; print(*sys.modules)"
    root = Path(__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert {"anyio", "asyncio", "pygls", "watchfiles", "recapd.wire"} & set(done.stdout.split()) == set()


def told_by(rows: SourceRows | None) -> tuple[object, ...]:
    """What is read back from rows. Not their bytes: sets have no order."""
    assert rows is not None
    notes = [piece.note for piece in rows.pieces]
    bodies = {(piece.note.field, piece.note.number): piece.body for piece in rows.pieces}
    exact = [note.exact for note in notes]
    return head_from(rows.head, checksum_of(rows.head)), transcript_from(notes, bodies), rows.texts, exact


def encoded(source: Source) -> bytes:
    body = body_of(source)
    assert body is not None
    return body


def test_rows_are_those_that_are_made_here(paths: list[Path]) -> None:
    sources = list(fresh(*paths).sources.values())

    async def use(process: ParseProcess) -> None:
        with anyio.fail_after(PATIENCE_S):
            # What one of them is of no use for costs no other.
            *rows, missing, last = await process.rows_of([*map(encoded, sources), b"no source", encoded(sources[0])])
            assert [told_by(each) for each in rows] == [told_by(rows_of(source)) for source in sources]
            assert missing is None and told_by(last) == told_by(rows_of(sources[0]))
            assert await process.rows_of([]) == []
            # Half a character cannot be sent.
            assert body_of(msgspec.structs.replace(sources[0], part="\ud83d")) is None

    run(use)


def test_closing_ends_it(paths: list[Path]) -> None:
    async def use(process: ParseProcess) -> None:
        await parsed(process, paths[0])
        pid = process.pid
        assert pid is not None
        await process.close()
        assert process.pid is None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    run(use)


def test_who_reads_and_makes_rows_takes_no_more_than_that() -> None:
    """It is started anew whenever there is much to read."""
    code = "import sys, recapd.daemon.parse_worker, recapd.daemon.encoding; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in found if name.startswith(("recapd.core.decisions", "recapd.core.views", "anyio"))]
