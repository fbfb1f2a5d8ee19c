"""Who may ask for what: the token of a TCP client, and the logs it may name."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.server.transport.limits import Limits, Peer
from recapd.wire import errors
from recapd.wire.types import LogRef, RecapGetResult
from tests.support.fake_backend import FakeBackend, backend_of, client_of, session_id
from tests.support.logs import CWD

pytestmark = pytest.mark.anyio
TCP = Peer(transport="tcp", token="a-token-for-tests")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path, sessions=2)


def session(number: int) -> dict[str, object]:
    return {"session": {"id": session_id(number)}}


async def test_cwd_chooses_the_session(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        recap = await client.request("recap/get", {"cwd": CWD}, RecapGetResult)
        assert recap.session_id == session_id(2)
        assert (await client.refused("recap/get", {"cwd": "/nowhere"})).code == errors.SESSION_NOT_FOUND


async def test_tcp_needs_the_token_first(backend: FakeBackend) -> None:
    async with client_of(backend, peer=TCP) as client:
        assert await client.request("recapd/authenticate", {"token": TCP.token}) is None
        await client.request("recap/get", session(1))
        assert await client.request("recapd/authenticate", {"token": "any"}) is None


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("recapd/authenticate", {"token": "another"}),
        ("recapd/authenticate", {"token": ""}),
        ("recapd/authenticate", {"token": 7}),
        ("recapd/authenticate", None),
        ("recap/get", None),
        ("initialize", {"capabilities": {}}),
    ],
)
async def test_tcp_without_the_token(backend: FakeBackend, method: str, params: object) -> None:
    async with client_of(backend, peer=TCP) as client:
        assert (await client.refused(method, params)).code == errors.ACCESS_DENIED
        await client.expect_end()
    assert backend.mailboxes == []


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n",
        b"Content-Length: 5000\r\n\r\n",
        b'Content-Length: 36\r\n\r\n{"jsonrpc":"2.0","method":"recap/x"}',
        b"Content-Length: 3\r\n\r\n[1]",
        b"",
    ],
)
async def test_stranger_on_tcp_is_told_nothing(backend: FakeBackend, data: bytes) -> None:
    async with client_of(backend, peer=TCP, limits=Limits(authenticate_s=3600 if data else 0, frame_s=0.2)) as client:
        if data:
            await client.send_bytes(data)
        await client.expect_end()
    assert backend.mailboxes == []


async def test_tcp_reads_below_the_watched_roots_only(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    backend = backend_of(root)
    backend_of(outside)
    (root / "link.jsonl").symlink_to(outside / "session-1.jsonl")
    inside = str(root / "session-1.jsonl")
    ref = LogRef(source=(outside / "session-1.jsonl").as_uri(), generation="", line=1, byte_offset=0, byte_length=1)
    away = [str(outside / "session-1.jsonl"), str(root / "link.jsonl"), f"{root}/../outside/session-1.jsonl"]
    for peer in (TCP, Peer(transport="unix")):
        async with client_of(backend, peer=peer) as client:
            if peer.needs_token:
                await client.request("recapd/authenticate", {"token": peer.token})
            await client.request("recap/get", {"session": {"log": inside}})
            if not peer.needs_token:
                await client.request("recap/get", {"session": {"log": away[0]}})
                continue
            refused = [await client.refused("recap/get", {"session": {"log": log}}) for log in away]
            refused.append(await client.refused("ref/resolve", {"ref": ref}))
            refused.append(await client.refused("ref/resolve", {"ref": ref, "session": {"log": inside}}))
            selector = {"session": {"log": away[0]}}
            refused.append(await client.refused("recap/subscribe", {"subscriptionId": "s", "selector": selector}))
            refused.append(await client.refused("recapd/discover", {"roots": [{"path": "/"}]}))
            assert {each.code for each in refused} == {errors.ACCESS_DENIED}


@pytest.mark.parametrize("method", ["recap/get", "files/list", "recap/verify"])
async def test_a_folder_with_a_nul_is_none_whoever_names_it(backend: FakeBackend, method: str) -> None:
    """An editor names its folder once, for every request that names none."""
    async with client_of(backend) as client:
        await client.request("initialize", {"processId": None, "rootUri": "file:///a%00b", "capabilities": {}})
        refused = await client.refused(method)
        assert (refused.code, refused.message.partition(" ")[0]) == (errors.INVALID_PARAMS, "`cwd`")


def test_tcp_without_a_token_cannot_be_served() -> None:
    with pytest.raises(ValueError, match="token"):
        Peer(transport="tcp")


async def test_what_an_agent_does_is_not_told_over_tcp(backend: FakeBackend) -> None:
    signal = {**session(1), "kind": "idle", "at": "2026-03-01T09:00:00Z"}
    async with client_of(backend, peer=TCP) as client:
        await client.request("recapd/authenticate", {"token": TCP.token})
        assert (await client.refused("session/signal", signal)).code == errors.ACCESS_DENIED
    assert backend.signals == []
    async with client_of(backend) as client:
        await client.request("session/signal", signal)
    assert [(each, told.kind) for each, told in backend.signals] == [(session_id(1), "idle")]
