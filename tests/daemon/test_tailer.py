"""The whole of it, with real files and real events: whatever happens below the roots, the world ends up equal to a
fresh reading. The clock of the reconcile only moves when a test ticks it, so what events do shows by itself."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from recapd.daemon.following import backlog, tailer
from recapd.daemon.following.watch import Pace
from recapd.daemon.log_files.scanning import Root
from recapd.daemon.log_files.tail import Advance, Refusal, TailState, advance
from tests.support.clock import eventually
from tests.support.following import append, big_log, following, fresh, seen, write_logs
from tests.support.logs import LOGS, agent, claude_log, human, shell

TALK = (human("fix the parser"), shell("pytest", "3 passed"), agent("Done."))
EVERYTHING_S = Pace().all_s


# ---- growth


@pytest.mark.parametrize("name", LOGS)
def test_a_log_in_random_bursts(name: str, tmp_path: Path) -> None:
    """Equal at every point at which the writer pauses."""
    data = LOGS[name](*TALK, *TALK, human("more"), agent("of it"))
    chance = random.Random(name)
    path = tmp_path / "log.jsonl"

    async def main() -> None:
        async with following(tmp_path) as running:
            await running.until_indexed()
            written = 0
            while written < len(data):
                for _ in range(chance.randrange(1, 5)):
                    size = chance.choice((1, 7, 100, 1000))
                    append(path, data[written : written + size])
                    written += size
                await running.until_equal(path)

    anyio.run(main)


def test_several_writers_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / f"project{number % 3}" / f"{number}.jsonl" for number in range(8)]

    def write(path: Path) -> None:
        data = big_log(0.3, name=path.stem)
        for start in range(0, len(data), 10_000):
            path.parent.mkdir(exist_ok=True)
            append(path, data[start : start + 10_000])

    async def main() -> None:
        async with following(tmp_path) as running:
            await running.until_indexed()
            async with anyio.create_task_group() as group:
                for path in paths:
                    group.start_soon(anyio.to_thread.run_sync, write, path)
            # Folders were made while files were written into them: events alone need not tell of all.
            await running.clock.tick(EVERYTHING_S)
            await running.until_equal(*paths)

    anyio.run(main)


def test_files_written_right_after_their_folder_was_made(tmp_path: Path) -> None:
    """Events tell of the folder at best; looking into it finds the file without waiting for the reconcile."""

    async def main() -> None:
        async with following(tmp_path) as running:
            await running.until_indexed()
            paths = [tmp_path / f"{number}" / "log.jsonl" for number in range(100)]
            for path in paths:
                path.parent.mkdir()
                path.write_bytes(claude_log(*TALK, session=path.parent.name))
            await running.until_equal(*paths)

    anyio.run(main)


def test_replaced_rewritten_truncated_renamed_deleted(tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{number}.jsonl" for number in range(3))
    other = tmp_path / "other"

    async def main() -> None:
        for path in (first, second, third):
            path.write_bytes(claude_log(*TALK, session=path.stem))
        async with following(tmp_path) as running:
            await running.until_equal(first, second, third)
            other.write_bytes(claude_log(human("replaced")))
            other.rename(first)
            second.write_bytes(claude_log(human("rewritten"), agent("Yes.")))
            third.rename(tmp_path / "renamed.jsonl")
            await running.until_equal(first, second, tmp_path / "renamed.jsonl")
            os.truncate(first, 0)
            second.unlink()
            await running.clock.tick(EVERYTHING_S)
            await running.until_equal(tmp_path / "renamed.jsonl")
            append(first, claude_log(human("again")))
            await running.until_equal(first, tmp_path / "renamed.jsonl")

    anyio.run(main)


def test_roots_that_are_deleted_and_come_back(tmp_path: Path) -> None:
    root = tmp_path / "root"

    async def main() -> None:
        async with following(root) as running:
            for number in range(3):
                paths = write_logs(root, 5)
                await running.clock.tick(EVERYTHING_S)
                await running.until_equal(*paths)
                append(paths[0], claude_log(human(f"number {number}")))
                await running.until_equal(*paths)
                shutil.rmtree(root)
                await running.clock.tick(EVERYTHING_S)
                await running.heard.until(lambda: not running.heard.world.sources)

    anyio.run(main)


# ---- what is asked of it


def test_what_is_excluded_is_forgotten_and_comes_back(tmp_path: Path) -> None:
    paths = write_logs(tmp_path, 14)

    async def main() -> None:
        async with following(tmp_path) as running:
            await running.until_equal(*paths)
            running.tailer.exclude(("*/project3/*",))
            await running.until_equal(*(path for path in paths if path.parent.name != "project3"))
            running.tailer.exclude(())
            await running.until_equal(*paths)

    anyio.run(main)


def test_a_paused_folder_is_not_read_on(tmp_path: Path) -> None:
    paths = write_logs(tmp_path, 2)

    async def main() -> None:
        async with following(tmp_path) as running:
            await running.until_equal(*paths)
            running.tailer.pause(str(paths[0].parent))
            append(paths[0], claude_log(human("unheard")))
            append(paths[1], claude_log(human("heard")))
            await running.until_equal_of(paths[1])
            await running.clock.tick(EVERYTHING_S)
            append(paths[1], claude_log(human("heard again")))
            await running.until_equal_of(paths[1])
            assert seen(running.heard.world) != seen(fresh(*paths))
            running.tailer.unpause(str(paths[0].parent))
            await running.until_equal(*paths)

    anyio.run(main)


def test_roots_that_a_client_brings(tmp_path: Path) -> None:
    first, second = write_logs(tmp_path / "first", 3), write_logs(tmp_path / "second", 20)

    async def main() -> None:
        async with following(tmp_path / "first") as running:
            await running.until_equal(*first)
            running.tailer.add_roots([Root("claude-code", tmp_path / "second")])
            await running.until_equal(*first, *second)
            append(second[3], claude_log(human("more")))
            await running.until_equal(*first, *second)
            assert [root.sources for root in running.tailer.roots()] == [3, 20]

    anyio.run(main)


def test_the_last_line_counts_before_its_newline_comes(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    data = claude_log(*TALK)

    async def main() -> None:
        path.write_bytes(data[:-1])
        async with following(tmp_path) as running:
            await running.heard.until(lambda: bool(running.heard.world.unfinished.get(path.as_uri())))
            append(path, b"\n")
            await running.until_equal(path)
            await running.heard.until(lambda: path.as_uri() not in running.heard.world.unfinished)

    anyio.run(main)


# ---- what must not happen


def test_a_log_that_makes_recapd_fail_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(state: TailState | None, path: str, **options: int) -> Advance:
        if path.endswith("bad.jsonl"):
            raise RecursionError
        return advance(state, path, **options)

    monkeypatch.setattr(tailer, "advance", fails)
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"

    async def main() -> None:
        for path in (good, bad):
            path.write_bytes(claude_log(*TALK))
        async with following(tmp_path) as running:
            await running.until_equal(good)
            append(bad, claude_log(human("more")))
            append(good, claude_log(human("more")))
            await running.until_equal(good)
            expected = {"good.jsonl": None, "bad.jsonl": Refusal("fault")}
            files = running.tailer.files
            await eventually(lambda: {Path(path).name: state.refusal for path, state in files()} == expected)

    anyio.run(main)


def test_more_changes_than_can_wait_are_found_by_looking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "MAX_HINTS", 3)
    paths = write_logs(tmp_path, 30)

    async def main() -> None:
        async with following(tmp_path) as running:
            await running.until_equal(*paths)
            for path in paths:
                append(path, claude_log(human("more")))
            await running.until_equal(*paths)

    anyio.run(main)
