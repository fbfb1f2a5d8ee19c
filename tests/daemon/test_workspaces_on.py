"""Folders that are on: switched by a request, kept over restarts, and never guessed."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import anyio
import pytest

from recapd.daemon.recap_file.files import RecapFiles
from recapd.daemon.recap_file.on_disk import FILE_NAME
from recapd.daemon.recap_file.workspaces import FILE_NAME as LIST_NAME
from recapd.daemon.recap_file.workspaces import Workspace, is_any_active
from recapd.wire.errors import INVALID_PARAMS, REQUEST_FAILED, RecapError
from recapd.wire.types import RecapdWatchParams
from tests.support.logs import at
from tests.support.recap_files import Folders, a_foreign_file, leftovers, says


def watch(folders: Folders, **params: object) -> list[str]:
    """The folders that are on after the request."""
    result = anyio.run(folders.files.watch, RecapdWatchParams(**params))  # type: ignore[arg-type]
    return [each.path for each in result.workspaces]


def test_a_folder_is_on_until_it_is_switched_off_over_restarts(state: Path, shop: Path) -> None:
    folders = Folders(state)
    folders.say("fix the parser", shop)
    assert watch(folders) == []
    assert watch(folders, workspace=str(shop)) == [str(shop)]
    # The user who has just switched it on looks for it.
    assert says(shop, "fix the parser")()
    assert watch(folders, workspace=f"{shop}/../shop/") == [str(shop)]
    assert stat.S_IMODE((state / LIST_NAME).stat().st_mode) == 0o600
    again = Folders(state)
    assert again.on.is_on(shop.as_uri())
    assert watch(again, workspace=shop.as_uri(), on=False) == []
    assert watch(again, workspace=str(shop), on=False) == []
    assert Folders(state).on.all() == ()
    assert (shop / FILE_NAME).exists()
    assert leftovers(state) == []


def test_a_link_is_resolved_once(state: Path, shop: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "link").symlink_to(shop)
    folders = Folders(state)
    folders.say("fix the parser", tmp_path / "link")
    watch(folders, workspace=str(tmp_path / "link"))
    assert says(shop, "fix the parser")()
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(other)
    folders.say("fix the lexer", tmp_path / "link")
    anyio.run(folders.files.flush)
    assert says(shop, "fix the lexer")()
    assert list(other.iterdir()) == []


@pytest.mark.parametrize("is_empty", [False, True], ids=["with a session", "before any session"])
def test_a_foreign_file_is_told_with_the_answer(state: Path, shop: Path, is_empty: bool) -> None:
    folders = Folders(state)
    if not is_empty:
        folders.say("fix the parser", shop)
    a_foreign_file(shop / FILE_NAME)
    result = anyio.run(folders.files.watch, RecapdWatchParams(workspace=str(shop)))
    (entry,) = result.workspaces
    assert entry.file == str(shop / FILE_NAME)
    assert entry.message is not None and "was not written by recapd, which leaves it alone" in entry.message
    assert watch(folders, workspace=str(shop), on=False) == []
    assert folders.files.troubles == ()


@pytest.mark.parametrize(
    ("workspace", "code"),
    [
        ("shop", INVALID_PARAMS),
        ("", INVALID_PARAMS),
        ("/a\0b", INVALID_PARAMS),
        ("/no/such/folder", REQUEST_FAILED),
        ("/", REQUEST_FAILED),
    ],
)
def test_what_is_no_folder_is_refused(state: Path, workspace: str, code: int) -> None:
    folders = Folders(state)
    with pytest.raises(RecapError) as raised:
        watch(folders, workspace=workspace)
    assert raised.value.code == code
    assert not (state / LIST_NAME).exists()


@pytest.mark.parametrize("damaged", [b"", b"{", b"[]", b'{"workspaces": 5}', b"\xff\xfe"])
def test_a_damaged_list_is_set_aside_and_told(state: Path, shop: Path, damaged: bytes) -> None:
    (state / LIST_NAME).write_bytes(damaged)
    folders = Folders(state)
    assert not folders.on.all()
    assert len(folders.files.troubles) == 1
    assert (state / f"{LIST_NAME}.broken").read_bytes() == damaged
    assert watch(folders, workspace=str(shop)) == [str(shop)]
    assert not folders.files.troubles


def test_a_list_that_cannot_be_saved_switches_nothing(state: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folders = Folders(state)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(RecapError):
        watch(folders, workspace=str(shop))
    assert folders.on.all() == () and list(shop.iterdir()) == []


def test_folders_besides_the_list_are_on_for_this_process(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state)
        files = RecapFiles(
            folders.on,
            folders.engine,
            now=lambda: at(60),
            besides=[Workspace(str(shop), str(shop))],
            clock=folders.clock,
        )
        folders.files = files
        folders.say("fix the parser", shop)
        await files.flush()
        assert says(shop, "fix the parser")()

    anyio.run(run)
    assert Folders(state).on.all() == ()


@pytest.mark.parametrize(("hours", "expected"), [(1, True), (23, True), (25, False)])
def test_a_folder_is_worth_staying_for_within_a_day(state: Path, shop: Path, hours: int, expected: bool) -> None:
    folders = Folders(state, shop)
    folders.say("fix the parser", shop)
    folders.seconds = 60
    sessions = folders.sessions()
    assert is_any_active(folders.on.all(), sessions, at(60 + hours * 3600)) is expected
    assert not is_any_active((), sessions, at(60))
    assert not is_any_active([Workspace("/elsewhere", "/elsewhere")], sessions, at(60))
