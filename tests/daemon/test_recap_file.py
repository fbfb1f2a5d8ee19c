"""When `_recap.md` is written: once the conversation settles, at the end, after a crash, and again after trouble."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import anyio
import pytest

from recapd.core.settings import DEFAULTS
from recapd.core.views.recap_file import mark_in
from recapd.daemon.recap_file import files as recap_file
from recapd.daemon.recap_file import on_disk as recap_on_disk
from recapd.daemon.recap_file.files import RECHECK_S, RETRY_S
from recapd.daemon.recap_file.on_disk import FILE_NAME
from tests.support.clock import everybody_waits
from tests.support.recap_files import Folders, a_foreign_file, as_written, at_rest, running, says

QUIET_S, MAX_S = DEFAULTS.recap_file.quiet_s, DEFAULTS.recap_file.max_s


def test_it_is_written_when_the_conversation_settles(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        async with running(folders):
            folders.say("fix the parser", shop)
            folders.tick(QUIET_S - 0.5)
            folders.say("fix the lexer", shop)
            folders.tick(QUIET_S - 0.5)
            await everybody_waits()
            assert not (shop / FILE_NAME).exists()
            folders.tick(1)
            await at_rest(folders)
            assert says(shop, "fix the lexer")()
            assert folders.files.troubles == ()

    anyio.run(run)


def test_a_conversation_that_never_settles_is_written_now_and_then(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        async with running(folders):
            for second in range(int(MAX_S)):
                assert not (shop / FILE_NAME).exists()
                folders.say(f"request {second}", shop)
                folders.tick(1)
                await everybody_waits()
            await at_rest(folders)
            assert says(shop, f"request {MAX_S - 1:.0f}")()

    anyio.run(run)


def test_only_sessions_of_the_folder_are_written_into_it(state: Path, shop: Path, tmp_path: Path) -> None:
    async def run() -> None:
        other = tmp_path / "other"
        other.mkdir()
        folders = Folders(state, shop)
        async with running(folders):
            folders.tick(QUIET_S)
            await at_rest(folders)
            folders.say("something private", other, "t")
            folders.tick(QUIET_S)
            await at_rest(folders)
            folders.say("fix the parser", shop / "api")
            folders.tick(QUIET_S)
            await at_rest(folders)
            assert says(shop, "fix the parser")()
        assert "private" not in (shop / FILE_NAME).read_text()
        assert list(other.iterdir()) == []

    anyio.run(run)


def test_the_end_does_not_wait_for_a_pause(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        async with running(folders):
            folders.say("fix the parser", shop)
        assert not (shop / FILE_NAME).exists()
        await folders.files.flush()
        assert says(shop, "fix the parser")()
        before = as_written(shop / FILE_NAME)
        await folders.files.flush()
        assert as_written(shop / FILE_NAME) == before

    anyio.run(run)


@pytest.mark.parametrize("was", ["missing", "old", "current"])
def test_after_a_crash_the_file_is_made_anew_where_it_is_older_than_the_log(state: Path, shop: Path, was: str) -> None:
    async def run() -> None:
        first = Folders(state, shop)
        first.say("fix the parser", shop)
        await first.files.flush()
        if was == "missing":
            (shop / FILE_NAME).unlink()
        before = as_written(shop / FILE_NAME) if was != "missing" else None
        second = Folders(state)
        async with running(second):
            second.say("fix the parser", shop)
            if was == "old":
                second.say("fix the lexer", shop)
            second.tick(QUIET_S)
            await at_rest(second)
            assert says(shop, "fix the lexer" if was == "old" else "fix the parser")()
            second.tick(RECHECK_S)
            await at_rest(second)
        if was == "current":
            assert as_written(shop / FILE_NAME) == before

    anyio.run(run)


def test_while_logs_are_still_read_a_newer_page_stays(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        for request in ("first", "second"):
            folders.say(f"the {request} request", shop)
        await folders.files.flush()
        page_before = (shop / FILE_NAME).read_text()
        again = Folders(state)
        again.is_quiescent = False
        async with running(again):
            again.say("the first request", shop)
            again.tick(QUIET_S)
            await at_rest(again)
            assert (shop / FILE_NAME).read_text() == page_before
            again.is_quiescent = True
            again.tick(RETRY_S)
            await at_rest(again)
            assert not says(shop, "second")()

    anyio.run(run)


def test_how_a_session_stands_is_kept_true_without_a_change(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        async with running(folders):
            folders.say("fix the parser", shop)
            folders.tick(QUIET_S)
            await at_rest(folders)
            assert says(shop, "your turn")()
            folders.tick(2 * 3600)
            await at_rest(folders)
            assert says(shop, "**answered**")()

    anyio.run(run)


def test_trouble_is_told_retried_with_patience_and_forgotten(state: Path, shop: Path) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        a_foreign_file(shop / FILE_NAME)
        async with running(folders):
            folders.say("fix the parser", shop)
            folders.tick(QUIET_S)
            await at_rest(folders)
            assert "was not written by recapd" in str(folders.files.troubles[0])
            assert folders.troubles == 1
            (shop / FILE_NAME).unlink()
            folders.say("fix the lexer", shop)
            folders.tick(QUIET_S)
            await everybody_waits()
            assert not (shop / FILE_NAME).exists()
            folders.tick(RETRY_S)
            await at_rest(folders)
            assert says(shop, "fix the lexer")()
            assert folders.files.troubles == ()
            assert folders.troubles == 2

    anyio.run(run)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "no room"),
        (errno.EROFS, "may not write"),
        (errno.EACCES, "may not write"),
        (errno.ENOENT, "is gone"),
        (errno.EIO, "could not be written"),
    ],
)
def test_what_the_disk_says_is_told_in_words(
    state: Path, shop: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    def fail(*args: object, **named: object) -> None:
        raise OSError(number, os.strerror(number))

    async def run() -> None:
        folders = Folders(state, shop)
        folders.say("fix the parser", shop)
        with monkeypatch.context() as patch:
            patch.setattr(recap_on_disk, "create_file", fail)
            await folders.files.flush()
        (message,) = map(str, folders.files.troubles)
        assert said in message and str(shop) in message

    anyio.run(run)


def test_a_bug_of_ours_is_trouble_like_any_other(state: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **named: object) -> None:
        raise KeyError("the user said swordfish")

    async def run() -> None:
        folders = Folders(state, shop)
        async with running(folders):
            with monkeypatch.context() as patch:
                patch.setattr(recap_file, "recap_md", fail)
                folders.say("fix the parser", shop)
                folders.tick(QUIET_S)
                await at_rest(folders)
            (message,) = map(str, folders.files.troubles)
            assert "KeyError" in message and "swordfish" not in message
            folders.tick(RETRY_S)
            await at_rest(folders)
            assert says(shop, "fix the parser")()

    anyio.run(run)


def test_our_own_log_names_no_folder_and_no_text(state: Path, shop: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        folders = Folders(state, shop)
        folders.say("fix the parser", shop)
        a_foreign_file(shop / FILE_NAME)
        await folders.files.flush()
        (shop / FILE_NAME).unlink()
        os.rename(shop, shop.parent / "moved")
        folders.say("fix the lexer", shop)
        await folders.files.flush()
        assert len(folders.files.troubles) == 1

    anyio.run(run)
    assert len(caplog.records) == 2
    for logged in caplog.records:
        assert not {"shop", "parser", "lexer"} & set(str(vars(logged)).replace("/", " ").split())


def test_the_mark_on_disk_says_how_far_the_log_was_read(state: Path, shop: Path) -> None:
    folders = Folders(state, shop)
    folders.say("fix the parser", shop)
    anyio.run(folders.files.flush)
    mark = mark_in((shop / FILE_NAME).read_text().partition("\n")[0])
    assert mark is not None
    (session,) = folders.sessions()
    assert (mark.session, mark.revision, mark.generation) == (session.id, session.revision, session.main.generation)
