"""Which logs to follow, as the user's configuration says."""

from __future__ import annotations

from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from recapd.daemon.config import Watching, read_watching
from recapd.daemon.formats import BadConfiguration
from recapd.wire.types import RecapdStatusResult, SessionListResult
from tests.support.daemons import AMBIENT, Home, in_process
from tests.support.logs import agent, claude_log, human
from tests.support.wire_client import wire_client


def written(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text)
    return path


def test_no_file_says_nothing(tmp_path: Path) -> None:
    assert read_watching(tmp_path / "none.toml") == Watching()


def test_every_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/dev")
    text = '[watch]\nroots = ["~/logs"]\nexclude = ["*.old.jsonl"]\npause = ["/srv/quiet"]\n[[dialect]]\nname = "x"\n'
    assert read_watching(written(tmp_path, text)) == Watching(
        roots=("/home/dev/logs",), exclude=("*.old.jsonl",), pause=("/srv/quiet",)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[watch]\nroots = "logs"\n', "watch.roots"),
        ("[watch]\nexclude = [7]\n", "watch.exclude"),
        ("[watch]\nrots = []\n", "rots"),
        ("[watch\n", "config.toml"),
    ],
)
def test_a_mistake_is_told_with_the_file_and_the_key(text: str, expected: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadConfiguration) as told:
        read_watching(path)
    assert expected in str(told.value) and str(path) in str(told.value)


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_the_daemon_follows_and_leaves_out_what_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anyio_backend: str
) -> None:
    home = Home(tmp_path)
    more = tmp_path / "more"
    more.mkdir()
    (more / "extra.jsonl").write_bytes(claude_log(human("From another folder"), agent("Sure."), session="extra"))
    (home.logs / "dull.old.jsonl").write_bytes(claude_log(human("Not this one"), agent("Sure."), session="dull"))
    config = written(tmp_path, f'[watch]\nroots = ["{more}"]\nexclude = ["*.old.jsonl"]\n')
    monkeypatch.setenv("RECAPD_CONFIG", str(config))
    async with in_process(home) as stream, wire_client(stream, ignoring=AMBIENT) as client:
        while not (await client.request("recapd/status", {}, RecapdStatusResult)).quiescent:
            await anyio.lowlevel.checkpoint()
        listed = await client.request("session/list", {}, SessionListResult)
        assert [session.title for session in listed.sessions] == ["From another folder"]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_configuration_that_cannot_be_used_shows_in_the_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anyio_backend: str
) -> None:
    monkeypatch.setenv("RECAPD_CONFIG", str(written(tmp_path, "[watch]\nrots = []\n")))
    async with in_process(Home(tmp_path)) as stream, wire_client(stream, ignoring=AMBIENT) as client:
        status = await client.request("recapd/status", {}, RecapdStatusResult)
        assert status.health == "warning" and "rots" in (status.message or "")
