"""A configuration that changes while the daemon runs: noticed, applied, told, and nothing lost by half a file."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from recapd.daemon import live_configuration as config_live
from recapd.daemon.config.configuration import Configuration
from recapd.daemon.config.layers import WORKSPACE_FILE
from recapd.daemon.live_configuration import LOOK_S, LiveConfiguration
from recapd.wire.types import (
    ConfigGetResult,
    RecapDidChangeParams,
    RecapdStatusResult,
    RecapGetResult,
    RecapSubscribeResult,
    SessionListResult,
)
from tests.support.clock import PATIENCE_S, FakeClock, a_moment, eventually, everybody_waits
from tests.support.daemons import AMBIENT, Home, in_process, served
from tests.support.logs import agent, claude_log, human
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Told:
    """Who wants to know."""

    def __init__(self, live: LiveConfiguration) -> None:
        self.changes: list[tuple[int, int]] = []
        live.on_change(self.note)

    def note(self, old: Configuration, new: Configuration) -> None:
        self.changes.append((old.settings.recap.min_turns, new.settings.recap.min_turns))


async def test_what_changes_is_told_once(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    live = LiveConfiguration(str(file), {})
    told = Told(live)
    # Of another length each: many file systems count time in steps of some milliseconds.
    for text, min_turns in (("[recap]\nmin_turns = 1", 1), ("[recap]\nmin_turns = 12", 12), (None, 3)):
        if text is None:
            file.unlink()
        else:
            file.write_text(text)
        assert await live.look()
        assert not await live.look()
        assert live.settings_for().recap.min_turns == min_turns
    assert told.changes == [(3, 1), (1, 12), (12, 3)]


async def test_half_a_file_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[watch]\nexclude = ["secret*"]')
    live = LiveConfiguration(str(file), {})
    for broken in (b'[watch]\nexclude = ["sec', b"\xff\xfe", b"[watch]\nexclude = secret*", b"[watch]\nexclude = 7\n"):
        file.write_bytes(broken)
        await live.look()
        assert live.settings_for().watch.exclude == ("secret*",)
        assert [str(file) in str(trouble) for trouble in live.troubles] == [True]
    file.write_text('[watch]\nexclude = ["secret*", "more*"]')
    await live.look()
    assert list(live.troubles) == [] and len(live.settings_for().watch.exclude) == 2


async def test_a_workspaces_file_comes_and_goes(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "api").mkdir()
    live = LiveConfiguration(str(tmp_path / "config.toml"), {})

    def min_turns() -> int:
        return live.settings_for(str(shop / "api")).recap.min_turns

    assert min_turns() == 3
    file, nearer = shop / WORKSPACE_FILE, shop / "api" / WORKSPACE_FILE
    file.write_text("[recap]\nmin_turns = 1")
    assert await live.look() and min_turns() == 1
    nearer.write_text("[recap]\nmin_turns = 2\nmax = 1")
    assert await live.look() and min_turns() == 2
    assert [str(nearer) in str(trouble) for trouble in live.troubles] == [True]
    nearer.unlink()
    assert await live.look() and min_turns() == 1 and list(live.troubles) == []
    file.unlink()
    assert await live.look() and min_turns() == 3
    assert not await live.look()


async def test_many_workspaces_are_looked_at_in_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_live, "_LOOKED_AT_ONCE", 2)
    live = LiveConfiguration(str(tmp_path / "config.toml"), {})
    folders = [tmp_path / f"w{number}" for number in range(5)]
    for folder in folders:
        folder.mkdir()
        live.settings_for(str(folder))
    (folders[4] / WORKSPACE_FILE).write_text("[recap]\nmin_turns = 1")
    looks = [await live.look() for _ in range(3)]
    assert looks == [False, False, True]


async def test_nothing_is_looked_at_in_between(tmp_path: Path) -> None:
    clock = FakeClock()
    file = tmp_path / "config.toml"
    live = LiveConfiguration(str(file), {}, clock=clock)
    told = Told(live)
    async with anyio.create_task_group() as group:
        group.start_soon(live.run)
        await everybody_waits()
        file.write_text("[recap]\nmin_turns = 1")
        clock.tick(LOOK_S - 0.5)
        await everybody_waits()
        assert told.changes == []
        clock.tick(0.5)
        await eventually(lambda: told.changes == [(3, 1)])
        group.cancel_scope.cancel()


async def test_a_first_file_without_dialects_changes_no_dialect(tmp_path: Path) -> None:
    live = LiveConfiguration(str(tmp_path / "config.toml"), {})
    (tmp_path / "config.toml").write_text("[recap]\nmin_turns = 2\n")
    await live.look()
    assert live.settings_for().recap.min_turns == 2
    assert list(live.troubles) == []


async def test_what_waits_for_the_next_start_is_said(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[watch]\nroots = ["{tmp_path}"]')
    live = LiveConfiguration(str(file), {})
    for text, said in (("", "watch.roots"), ('[[dialect]]\nname = "x"\nrole = "r"\ntext = "t"', "dialect")):
        file.write_text(text)
        await live.look()
        assert any(message.startswith(said) and "next start" in message for message in map(str, live.troubles))
    file.write_text(f'[watch]\nroots = ["{tmp_path}"]')
    await live.look()
    assert list(live.troubles) == []


# ---- a daemon


def home_with_a_session(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    (home.logs / "s.jsonl").write_bytes(claude_log(human("Fix the parser"), agent("Done."), session="one"))
    return home


async def sessions_of(client: WireClient) -> list[str]:
    while not (await client.request("recapd/status", {}, RecapdStatusResult)).quiescent:
        await a_moment()
    return [each.title for each in (await client.request("session/list", {}, SessionListResult)).sessions]


async def value(client: WireClient, key: str) -> object:
    found = await client.request("config/get", {}, ConfigGetResult)
    return next(each.value for each in found.values if each.key == key)


async def test_a_real_daemon_takes_it_up(tmp_path: Path) -> None:
    home = home_with_a_session(tmp_path)
    config = tmp_path / ".config" / "recapd" / "config.toml"
    config.parent.mkdir(parents=True)
    async with served(home):
        stream = await anyio.connect_unix(home.places.socket)
        async with wire_client(stream, ignoring=AMBIENT) as client:
            assert await sessions_of(client) == ["Fix the parser"]
            assert await value(client, "recap.turn_threshold") == 5
            before = await client.request("recap/get", {}, RecapGetResult)
            selector = {"subscriptionId": "s", "selector": {"all": True}, "settle": {"quietMs": 0, "maxMs": 0}}
            await client.request("recap/subscribe", selector, RecapSubscribeResult)
            config.write_text("[recap]\nturn_threshold = 8\nformt = 1\n")
            # Other settings, other answers: whoever follows the session is told.
            changed = await client.expect_notification("recap/didChange", RecapDidChangeParams)
            assert [each.session_id for each in changed.changes] == ["claude-code:one"]
            assert changed.changes[0].revision > before.revision
            assert await value(client, "recap.turn_threshold") == 8
            told = await client.request("config/get", {}, ConfigGetResult)
            assert len(told.problems) == 1 and "recap.formt" in told.problems[0]
            status = await client.request("recapd/status", {}, RecapdStatusResult)
            assert status.health == "warning" and "did you mean recap.format" in (status.message or "")


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_live, "LOOK_S", 0.01)


async def test_the_daemon_follows_and_leaves_out_what_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soon: None
) -> None:
    home = home_with_a_session(tmp_path)
    more = tmp_path / "more"
    more.mkdir()
    (more / "extra.jsonl").write_bytes(claude_log(human("From another folder"), agent("Sure."), session="extra"))
    (home.logs / "dull.old.jsonl").write_bytes(claude_log(human("Not this one"), agent("Sure."), session="dull"))
    config = tmp_path / "config.toml"
    config.write_text('[watch]\nexclude = ["*.old.jsonl"]\n')
    monkeypatch.setenv("RECAPD_CONFIG", str(config))
    async with in_process(home) as stream, wire_client(stream, ignoring=AMBIENT) as client:
        assert await sessions_of(client) == ["Fix the parser"]
        config.write_text(f'[watch]\nroots = ["{more}"]\nexclude = ["s.jsonl"]\n')
        with anyio.fail_after(PATIENCE_S):
            while sorted(await sessions_of(client)) != ["From another folder", "Not this one"]:
                await a_moment()


async def test_a_mistake_shows_in_the_status_until_it_is_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soon: None
) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[watch]\nrots = []\n")
    monkeypatch.setenv("RECAPD_CONFIG", str(config))
    async with in_process(Home(tmp_path)) as stream, wire_client(stream, ignoring=AMBIENT) as client:
        status = await client.request("recapd/status", {}, RecapdStatusResult)
        assert status.health == "warning" and "watch.rots" in (status.message or "")
        config.write_text("[watch]\nroots = []\n")
        with anyio.fail_after(PATIENCE_S):
            while (await client.request("recapd/status", {}, RecapdStatusResult)).health != "ok":
                await a_moment()
