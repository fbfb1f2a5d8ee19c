"""Run by test_watch under lowered limits: follows logs in folders that come later, and says how many it found.

limited_watch.py FOLDER STATE ADVICE [raise this error instead of running into the limit]
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio

from recapd.daemon.following import watch
from recapd.daemon.following.watch import Pace
from tests.support.following import append, following
from tests.support.logs import agent, claude_log, human

ERRORS = {
    "max_inotify_watches": OSError("OS file watch limit reached. about [...]"),
    "max_inotify_instances": RuntimeError("Too many open files (os error 24)"),
}
FOLDERS = 30


async def main(folder: Path, state: str, advice: str) -> None:
    pace = Pace()
    async with following(folder, pace=pace) as running:
        await running.until_indexed()
        (root,) = running.tailer.roots()
        assert (root.watched.state, advice in str(root.watched.trouble or "")) == (state, True), root
        paths = [folder / f"project{number}" / "log.jsonl" for number in range(FOLDERS)]
        for data in (claude_log(human("go")), claude_log(human("on"), agent("Gone on."))):
            for path in paths:
                path.parent.mkdir(exist_ok=True)
                append(path, data)
            # All of it is looked at by now, whatever the events did.
            await running.clock.tick(pace.all_s)
            await running.until_equal(*paths)
        sys.stdout.write(f"{len(running.heard.world.sources)} logs followed\n")


def pretend(limit: str) -> None:
    """For systems on which limits cannot be lowered: what watchfiles does at the limit, as measured."""

    async def deaf(*_: object, **__: object) -> AsyncIterator[set[object]]:
        if limit in ERRORS:
            raise ERRORS[limit]
        await anyio.sleep_forever()
        yield set()

    watch.awatch = deaf  # type: ignore[assignment, attr-defined]


if __name__ == "__main__":
    if len(sys.argv) > 4:
        pretend(sys.argv[4])
    anyio.run(main, Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3])
