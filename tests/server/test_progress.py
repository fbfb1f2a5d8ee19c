"""Work-done progress: shown while indexing takes long, to editors that can."""

from __future__ import annotations

from pathlib import Path

import anyio
import msgspec
import pytest
from msgspec import Struct

from recapd.server.transport.limits import Limits
from recapd.wire import errors
from tests.support.fake_backend import FakeBackend, backend_of, client_of

pytestmark = pytest.mark.anyio


class Progress(Struct):
    token: str
    value: dict[str, object]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path)


WITHOUT_PROGRESS: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
WITH_PROGRESS = {**WITHOUT_PROGRESS, "capabilities": {"window": {"workDoneProgress": True}}}


async def test_progress_while_indexing(backend: FakeBackend) -> None:
    backend.index(0, 200)
    async with client_of(backend, limits=Limits(progress_after_s=0)) as client:
        await client.request("initialize", WITH_PROGRESS)
        await anyio.wait_all_tasks_blocked()
        client.check_nothing_unread()
        await client.notify("initialized", {})
        await client.notify("initialized", {})
        create = await client.expect_request("window/workDoneProgress/create")
        backend.index(50, 200)
        await client.reply(create)
        begin = await client.expect_notification("$/progress", Progress)
        message = "50 of 200 session logs read"
        assert begin.value == {"kind": "begin", "title": "recapd", "message": message, "percentage": 25}
        # Half a percent is no news; a percentage never falls when more is found.
        for done, total in ((51, 200), (100, 200), (101, 400)):
            backend.index(done, total)
            await anyio.wait_all_tasks_blocked()
        report = await client.expect_notification("$/progress", Progress)
        assert report.value == {"kind": "report", "message": "100 of 200 session logs read", "percentage": 50}
        client.check_nothing_unread()
        backend.index(400, 400)
        end = await client.expect_notification("$/progress", Progress)
        assert end.value == {"kind": "end", "message": "400 of 400 session logs read"}
        # The next time it is shown anew.
        backend.index(0, 10)
        again = await client.expect_request("window/workDoneProgress/create")
        assert again.params != create.params
        await client.reply(again)
        await client.expect_notification("$/progress", Progress)
        backend.index(10, 10)
        await client.expect_notification("$/progress", Progress)
    assert backend._listeners == []


async def test_short_indexing_shows_nothing(backend: FakeBackend) -> None:
    async with client_of(backend, limits=Limits(progress_after_s=3600)) as client:
        await client.request("initialize", WITH_PROGRESS)
        await client.notify("initialized", {})
        for done in (0, 5, 10):
            backend.index(done, 10)
            await anyio.wait_all_tasks_blocked()


@pytest.mark.parametrize("answer", ["error", "refusal to declare"])
async def test_client_without_progress(backend: FakeBackend, answer: str) -> None:
    async with client_of(backend, limits=Limits(progress_after_s=0)) as client:
        await client.request("initialize", WITH_PROGRESS if answer == "error" else WITHOUT_PROGRESS)
        await client.notify("initialized", {})
        backend.index(0, 10)
        if answer == "error":
            asked = await client.expect_request("window/workDoneProgress/create")
            error = {"code": errors.METHOD_NOT_FOUND, "message": "no"}
            await client.send_body(msgspec.json.encode({"jsonrpc": "2.0", "id": asked.id, "error": error}))
        await client.request("recap/get")
        backend.index(10, 10)
