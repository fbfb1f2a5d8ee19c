"""`_recap.md` by the settings: not written where it is switched off, at the pace that is set."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from recapd.core.settings import DEFAULTS, Settings
from recapd.core.state.world import Session
from recapd.core.views.recap_file import recap_md
from recapd.daemon.recap_file import files as recap_file
from recapd.daemon.recap_file.files import RECHECK_S
from recapd.daemon.recap_file.on_disk import FILE_NAME
from recapd.wire.types import RecapdWatchParams
from tests.support.recap_files import Folders, at_rest, running, says

QUIET_S = DEFAULTS.recap_file.quiet_s


def test_switched_off_and_on_again(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        async with running(folders):
            folders.set(enabled=False)
            folders.say("fix the parser", shop)
            folders.tick(RECHECK_S)
            await at_rest(folders)
            await folders.files.flush()
            assert not (shop / FILE_NAME).exists()
            (told,) = (await folders.files.watch(RecapdWatchParams())).workspaces
            assert told.message is not None and "recap_file.enabled" in told.message
            folders.set(enabled=True)
            folders.tick(QUIET_S)
            await at_rest(folders)
            assert says(shop, "fix the parser")()

    anyio.run(run)


def test_a_folder_that_is_watched_while_the_feature_is_off(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state)
        folders.set(enabled=False)
        folders.say("fix the parser", shop)
        (told,) = (await folders.files.watch(RecapdWatchParams(workspace=str(shop)))).workspaces
        assert told.message is not None and not (shop / FILE_NAME).exists()

    anyio.run(run)


def test_switched_off_while_it_is_made(state: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        folders = Folders(state, shop)

        def render(sessions: list[Session], now: str, settings: Settings, *, digest: str) -> str | None:
            anyio.from_thread.run_sync(lambda: folders.set(enabled=False))
            return recap_md(sessions, now, settings, digest=digest)

        monkeypatch.setattr(recap_file, "recap_md", render)
        async with running(folders):
            folders.say("fix the parser", shop)
            folders.tick(QUIET_S)
            await at_rest(folders)
            assert not folders.settings.enabled and not (shop / FILE_NAME).exists()

    anyio.run(run)


def test_a_single_session_is_left_out(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        async with running(folders):
            folders.say("something private", shop, "t")
            folders.say("fix the parser", shop)
            folders.off = {each.id for each in folders.sessions() if each.id.endswith(":t")}
            assert folders.off
            folders.tick(QUIET_S)
            await at_rest(folders)
            assert says(shop, "fix the parser")() and not says(shop, "private")()

    anyio.run(run)


def test_the_pace_is_as_set(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        async with running(folders):
            folders.set(quiet_s=10)
            folders.say("fix the parser", shop)
            folders.tick(9)
            await at_rest(folders)
            assert not (shop / FILE_NAME).exists()
            folders.set(quiet_s=1)
            folders.tick(1)
            await at_rest(folders)
            assert says(shop, "fix the parser")()

    anyio.run(run)
