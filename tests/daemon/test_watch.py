"""Hints come by events where there are events, and by looking where there are none or they were missed."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
import watchfiles

import recapd
from recapd.daemon.following import watch as watching
from recapd.daemon.following.watch import Hints, Pace, State, Watch
from recapd.daemon.log_files.scanning import Root
from recapd.wire.errors import LIMIT_EXCEEDED, RecapError
from tests.support.clock import PATIENCE_S
from tests.support.following import TickingClock

PACE = Pace(step_ms=5, debounce_ms=50)


class Watched:
    """A watch that runs, and the hints it sent."""

    def __init__(self, *roots: Path, hot: tuple[str, ...] = ()) -> None:
        self.clock = TickingClock()
        self.files: set[str] = set()
        self.folders: list[str] = []
        self._news = anyio.Event()
        self.watch = Watch(
            send=self._hear,
            on_state=self._ring,
            hot_folders=lambda: hot,
            clock=self.clock,
            pace=PACE,
            exclusions=(),
        )
        self.watch.add(Root("codex", root) for root in roots)

    def states(self) -> list[State]:
        return [each.state for each in self.watch.states()]

    async def until(self, condition: Callable[[], bool]) -> None:
        with anyio.fail_after(PATIENCE_S):
            while not condition():
                await self._news.wait()

    async def until_file(self, path: Path) -> None:
        await self.until(lambda: str(path) in self.files)

    def _hear(self, hints: Hints) -> None:
        self.files |= hints.files
        self.folders += hints.folders
        self._ring()

    def _ring(self) -> None:
        self._news.set()
        self._news = anyio.Event()


@asynccontextmanager
async def watched(*roots: Path, hot: tuple[str, ...] = ()) -> AsyncIterator[Watched]:
    running = Watched(*roots, hot=hot)
    async with anyio.create_task_group() as group:
        group.start_soon(running.watch.run)
        await running.until(lambda: bool(running.folders) or not roots)
        yield running
        group.cancel_scope.cancel()


def test_files_and_folders_that_change(tmp_path: Path) -> None:
    async def main() -> None:
        async with watched(tmp_path) as running:
            assert running.states() == ["watching"]
            log, notes, folder = tmp_path / "log.jsonl", tmp_path / "notes.txt", tmp_path / "folder"
            notes.write_text("x")
            log.write_text("x")
            await running.until_file(log)
            folder.mkdir()
            await running.until(lambda: str(folder) in running.folders)
            assert running.files == {str(log)}

    anyio.run(main)


def test_a_root_that_appears_later_and_comes_back_as_another(tmp_path: Path) -> None:
    async def main() -> None:
        root = tmp_path / "agent" / "sessions"
        async with watched(root) as running:
            assert running.states() == ["missing"]
            for number in range(3):
                root.mkdir(parents=True)
                await running.clock.tick(PACE.hot_s)
                await running.until(lambda: running.states() == ["watching"])
                log = root / f"{number}.jsonl"
                log.write_text("x")
                await running.until_file(log)
                # Deleted and made anew before anybody looked: only its inode tells. What holds the old one keeps the
                # new folder from getting the same number.
                held = os.open(root, os.O_RDONLY)
                shutil.rmtree(root)
                root.mkdir()
                running.folders.clear()
                await running.clock.tick(PACE.hot_s)
                await running.until(lambda: str(root) in running.folders)
                again = root / f"again{number}.jsonl"
                again.write_text("x")
                await running.until_file(again)
                os.close(held)
                shutil.rmtree(tmp_path / "agent")
                await running.clock.tick(PACE.hot_s)
                await running.until(lambda: running.states() == ["missing"])

    anyio.run(main)


def test_a_root_that_is_added_is_watched_with_the_others(tmp_path: Path) -> None:
    async def main() -> None:
        first, second = tmp_path / "first", tmp_path / "second"
        first.mkdir()
        second.mkdir()
        async with watched(first) as running:
            running.watch.add([Root("codex", first), Root("pi", second)])
            await running.until(lambda: running.states() == ["watching", "watching"])
            for folder in (first, second):
                (folder / "log.jsonl").write_text("x")
                await running.until_file(folder / "log.jsonl")

    anyio.run(main)


def test_a_root_behind_a_link_is_where_it_really_is(tmp_path: Path) -> None:
    async def main() -> None:
        real = tmp_path / "real"
        real.mkdir()
        (tmp_path / "link").symlink_to(real)
        async with watched(tmp_path / "link") as running:
            (real / "log.jsonl").write_text("x")
            await running.until_file(real / "log.jsonl")
            assert running.watch.real_roots() == (str(real),)

    anyio.run(main)


def test_a_root_whose_name_is_not_utf_8_is_looked_at_and_the_others_are_watched(tmp_path: Path) -> None:
    async def main() -> None:
        odd, plain = tmp_path / os.fsdecode(b"caf\xe9"), tmp_path / "plain"
        odd.mkdir()
        plain.mkdir()
        async with watched(odd, plain) as running:
            assert running.states() == ["polling", "watching"]
            assert "not UTF-8" in str(running.watch.states()[0].trouble)
            assert set(running.folders) == {str(odd), str(plain)}
            (plain / "log.jsonl").write_text("x")
            await running.until_file(plain / "log.jsonl")
            running.folders.clear()
            await running.clock.tick(PACE.polling_s)
            await running.until(lambda: str(odd) in running.folders)

    anyio.run(main)


def test_a_file_whose_name_is_not_utf_8_is_found_by_looking(tmp_path: Path) -> None:
    async def main() -> None:
        async with watched(tmp_path) as running:
            running.folders.clear()
            (tmp_path / os.fsdecode(b"caf\xe9.jsonl")).write_text("x")
            await running.until(lambda: running.states() == ["polling"])
            assert "not UTF-8" in str(running.watch.states()[0].trouble)
            await running.clock.tick(PACE.polling_s)
            await running.until(lambda: str(tmp_path) in running.folders)

    anyio.run(main)


def test_how_often_to_look(tmp_path: Path) -> None:
    """Hot folders every time, everything now and then."""

    async def main() -> None:
        hot = str(tmp_path / "hot")
        async with watched(tmp_path, hot=(hot,)) as running:
            running.folders.clear()
            for _ in range(int(PACE.all_s / PACE.hot_s) - 1):
                running.folders.clear()
                await running.clock.tick(PACE.hot_s)
                await running.until(lambda: running.folders == [hot])
            running.folders.clear()
            await running.clock.tick(PACE.hot_s)
            await running.until(lambda: running.folders == [str(tmp_path)])

    anyio.run(main)


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (OSError("OS file watch limit reached."), "max_user_watches"),
        (OSError(errno.ENOSPC, "No space left on device"), "max_user_watches"),
        (RuntimeError("Too many open files (os error 24)"), "max_user_instances"),
        (ExceptionGroup("watcher", [RuntimeError("broken")]), "by itself"),
    ],
)
def test_without_events_everything_is_looked_at_more_often(
    error: Exception | None, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_events(*_: object, **__: object) -> AsyncIterator[set[object]]:
        if error is not None:
            raise error
        yield set()

    async def main() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(watching, "awatch", no_events)
            async with watched(tmp_path) as running:
                (state,) = running.watch.states()
                assert state.state == "polling"
                assert advice in str(state.trouble)
                assert running.folders == [str(tmp_path)]
                await running.clock.tick(PACE.polling_s)
                await running.until(lambda: len(running.folders) == 2)
                # Once the limit is raised, events are back without a restart.
                patch.undo()
                await running.clock.tick(PACE.retry_s)
                await running.until(lambda: running.states() == ["watching"])
                assert running.watch.states()[0].trouble is None

    anyio.run(main)


def test_a_closed_folder_does_not_cost_the_events_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = watchfiles.awatch

    def strict(
        *folders: str,
        watch_filter: None,
        debounce: int,
        step: int,
        stop_event: anyio.Event,
        force_polling: bool,
        ignore_permission_denied: bool,
    ) -> AsyncGenerator[set[tuple[watchfiles.Change, str]], None]:
        if not ignore_permission_denied:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(*folders, watch_filter=watch_filter, debounce=debounce, step=step, stop_event=stop_event)

    async def main() -> None:
        monkeypatch.setattr(watching, "awatch", strict)
        async with watched(tmp_path) as running:
            assert running.states() == ["watching"]
            (tmp_path / "log.jsonl").write_text("x")
            await running.until_file(tmp_path / "log.jsonl")

    anyio.run(main)


# ---- the system's own limits

LIMITED = Path(__file__).parent / "limited_watch.py"
LIMITS = {"max_inotify_watches": "max_user_watches", "max_inotify_instances": "max_user_instances"}


def can_limit() -> bool:
    """Whether this system lets us lower limits for one process alone."""
    command = ["unshare", "-Ur", "sh", "-c", "echo 100 > /proc/sys/user/max_inotify_watches"]
    return shutil.which("unshare") is not None and subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("limit", "value", "expected"),
    [
        # Not one watch to be had; not one watcher; enough for the root but not for the folders that come later.
        ("max_inotify_watches", 0, ["polling", "max_user_watches"]),
        ("max_inotify_instances", 0, ["polling", "max_user_instances"]),
        ("max_inotify_watches", 3, ["watching", ""]),
    ],
)
def test_limits_are_survived(limit: str, value: int, expected: list[str], tmp_path: Path) -> None:
    """All logs are found, whatever the limit. Where limits cannot be lowered, the same errors are raised instead."""
    run = [sys.executable, str(LIMITED), str(tmp_path), *expected]
    if can_limit():
        run = ["unshare", "-Ur", "sh", "-c", f'echo {value} > /proc/sys/user/{limit}; exec "$@"', "sh", *run]
    else:
        run += [limit if expected[0] == "polling" else "silent"]
    environment = {**os.environ, "PYTHONPATH": str(Path(recapd.__file__).parent.parent)}
    done = subprocess.run(run, env=environment, capture_output=True, text=True, timeout=50)
    assert (done.stdout, done.returncode) == ("30 logs followed\n", 0), done.stderr


# ---- roots that clients name


def folders(count: int, below: Path) -> list[Root]:
    """So many new folders that are no agent's."""
    made = [below / f"named-{number}" for number in range(count)]
    for each in made:
        each.mkdir(parents=True)
    return [Root("", each) for each in made]


def named(running: Watched) -> list[Path]:
    return [each.root.path for each in running.watch.states() if each.root.path.name.startswith("named")]


def test_clients_have_so_many_folders_watched_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()

    async def run() -> None:
        async with watched(tmp_path / "own") as running:
            roots = folders(watching.MOST_NAMED + 1, tmp_path)
            with pytest.raises(RecapError) as refused:
                running.watch.add_for("greedy", roots)
            assert refused.value.code == LIMIT_EXCEEDED
            running.watch.add_for("modest", roots[:1])
            await running.until(lambda: named(running) == [roots[0].path])
            # What is watched anyway is nobody's, and no news.
            running.watch.add_for("modest", [Root("codex", tmp_path / "own")])
            running.watch.release("modest", keep=())
            assert named(running) == [] and len(running.states()) == 1

    anyio.run(run)


def test_folders_go_with_the_last_client_that_named_them(tmp_path: Path) -> None:
    async def run() -> None:
        async with watched(tmp_path / "own") as running:
            first, second, third = folders(3, tmp_path)
            running.watch.add_for("a", [first, second, third])
            running.watch.add_for("b", [second])
            await running.until(lambda: len(named(running)) == 3)
            assert [each.root for each in running.watch.named_by("a")] == [first, third]
            # Logs were found in the third: it is followed on.
            running.watch.release("a", keep=[third])
            assert named(running) == [second.path, third.path]
            running.watch.release("b", keep=())
            assert named(running) == [third.path]
            # Until the room is needed.
            running.watch.add_for("c", folders(watching.MOST_NAMED, tmp_path / "more"))
            await running.clock.tick(PACE.named_s)
            await running.until(lambda: third.path not in named(running))

    anyio.run(run)


def test_a_client_cannot_have_a_whole_disk_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_NAMED_FOLDERS", 10)
    folders(20, tmp_path / "disk")
    (tmp_path / "small").mkdir()

    async def run() -> None:
        async with watched(tmp_path / "own") as running:
            running.watch.add_for("a", [Root("codex", tmp_path / "disk"), Root("codex", tmp_path / "small")])
            await running.until(lambda: len(running.states()) == 3)
            states = {each.root.path.name: each for each in running.watch.states()}
            assert states["disk"].state == "failed" and "watch.roots" in str(states["disk"].trouble)
            assert states["small"].state != "failed"
            assert not running.watch.is_wanted(str(tmp_path / "disk" / "rollout-1.jsonl"))
            assert running.watch.is_wanted(str(tmp_path / "small" / "rollout-1.jsonl"))
            assert str(tmp_path / "disk") not in running.watch.real_roots()

    anyio.run(run)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["/a", "/a/b", "/a-b", "/a/b/c"], {"/a", "/a-b"}),
        (["/b", "/a", "/a/../a"], {"/a", "/b"}),
        (["/", "/a"], {"/"}),
        ([], set()),
    ],
)
def test_the_folders_without_those_below_another(given: list[str], kept: set[str]) -> None:
    assert set(watching.drop_nested(given)) == kept
