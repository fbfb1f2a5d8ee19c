"""Finding sessions by what was said in them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import anyio
import pytest

from recapd.daemon.library import Library
from recapd.server.methods import answer
from recapd.wire.errors import REQUEST_FAILED, RecapError
from recapd.wire.types import SearchResult, SessionListResult
from tests.support.clock import PATIENCE_S
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, human

pytestmark = pytest.mark.anyio

SAID = {
    "bread": (
        human("Start"),
        agent("Yes?"),
        human("Bake the sourdough bread"),
        agent("It rises slowly.\n\n```\nbake --steam\n```"),
    ),
    "cake": (human("Start"), agent("Yes?"), human("蛋糕要烤多久"), agent("四十分钟。")),
}

QUERIES = [
    ("sourdough", {"bread"}),
    ("SOUR slowly", {"bread"}),
    ("sourdough 烤", set()),
    ("烤多久", {"cake"}),
    # What stands in code was said too.
    ("slowly steam", {"bread"}),
    ("start", {"bread", "cake"}),
    ('"; DROP TABLE texts --', set()),
    ("sourdough* OR cake", set()),
    ("nobody said this", set()),
    ("?!", set()),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
async def test_sessions_are_found_by_what_was_said(query: str, expected: set[str], tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    paths = [tmp_path / "logs" / f"{name}.jsonl" for name in SAID]
    for path, acts in zip(paths, SAID.values(), strict=True):
        path.write_bytes(claude_log(*acts, session=path.stem))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(*paths)
        await running.save()
        found = await running.ask("session/list", query=query)
        assert isinstance(found, SessionListResult)
        assert {session.id.removeprefix("claude-code:") for session in found.sessions} == expected


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_they_are_found_as_well_without_a_daemon(query: str, expected: set[str], tmp_path: Path) -> None:
    for name, acts in SAID.items():
        (tmp_path / f"{name}.jsonl").write_bytes(claude_log(*acts, session=name))
    params = json.dumps({"query": query}).encode()
    found = answer(Library([tmp_path], environ={}), "session/list", params)
    assert isinstance(found, SessionListResult)
    assert {session.id.removeprefix("claude-code:") for session in found.sessions} == expected


async def test_the_index_has_the_words_of_the_texts_whatever_becomes_of_them(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    paths = [tmp_path / "logs" / f"{name}.jsonl" for name in SAID]
    logs = [claude_log(*acts, session=name) for name, acts in SAID.items()]
    async with kept_daemon(tmp_path) as running:
        for path, log in zip(paths, logs, strict=True):
            # It grows, so that its last passage is another each time, and is begun anew.
            half = b"".join(log.splitlines(keepends=True)[:2])
            for data in (half, log, log.replace(b"sourdough", b"rye"), log):
                path.write_bytes(data)
                await running.until_equal(*(each for each in paths if each.exists()))
                await running.save()
        await running.ask("session/forget", session={"id": "claude-code:cake"})
    with closing(sqlite3.connect(tmp_path / "state" / "cache.db")) as db:
        assert db.execute("SELECT count(*) FROM texts").fetchone()[0] > 0
        # Raises where an entry is missing, or is of a text that is gone.
        db.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")


@pytest.mark.parametrize("harm", ["pages", "all but what is in memory"])
async def test_what_cannot_be_read_is_not_said_to_be_nothing_and_is_found_again(harm: str, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "bread.jsonl"
    path.write_bytes(claude_log(*SAID["bread"], session="bread"))
    async with kept_daemon(tmp_path) as running:
        await running.until_equal(path)
        await running.save()
        (damage if harm == "pages" else empty)(tmp_path / "state" / "cache.db")
        with pytest.raises(RecapError) as error:
            await running.ask("search", query="sourdough")
        assert error.value.code == REQUEST_FAILED and error.value.data.retryable
        store = running.keeping.store
        await running.until(lambda: any("cache.db" in str(trouble) for trouble in store.troubles))
        with anyio.fail_after(PATIENCE_S):
            while not await hits_of(running, "sourdough"):  # noqa: ASYNC110
                await anyio.sleep(0.05)


async def hits_of(running: Running, query: str) -> int:
    """None while what is searched is put back."""
    try:
        found = await running.ask("search", query=query)
    except RecapError as error:
        assert error.data.retryable
        return 0
    assert isinstance(found, SearchResult)
    return len(found.hits)


def empty(path: Path) -> None:
    """What was written last is not in the file itself: the process that wrote it still knows it."""
    path.write_bytes(bytes(path.stat().st_size))
    path.with_name("cache.db-wal").write_bytes(b"")


def damage(path: Path) -> None:
    """Everything but the first page, where it says what it is."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(4096)
        file.write(bytes(size - 4096))
