"""One way from a request to its answer: the world is looked at once and the session found once, whoever answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.state.world import Session
from recapd.wire.types.base import SessionSelector
from tests.support.fake_backend import FakeBackend, FakeService, backend_of, client_of, session_id
from tests.support.logs import CWD

pytestmark = pytest.mark.anyio
NAMED = {"session": {"id": session_id(1)}}


class CountingService(FakeService):
    found = 0

    def find_session(self, selector: SessionSelector | None, cwd: str | None) -> Session:
        self.found += 1
        return super().find_session(selector, cwd)


class CountingBackend(FakeBackend):
    looked = 0

    def snapshot(self) -> FakeService:
        self.looked += 1
        return super().snapshot()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("method", "params", "found"),
    [
        ("files/list", NAMED, 1),
        ("files/list", {}, 1),
        ("files/list", {"cwd": CWD}, 1),
        ("recap/get", NAMED, 1),
        ("recap/get", {"session": {"workspace": CWD}}, 1),
        ("recap/verify", NAMED, 1),
        ("history/get", NAMED, 1),
        ("summary/digest", NAMED, 1),
        ("session/list", {}, 0),
        ("recapd/status", {}, 0),
    ],
)
async def test_a_request_looks_once(tmp_path: Path, method: str, params: dict[str, object], found: int) -> None:
    backend_of(tmp_path)
    backend = CountingBackend(tmp_path)
    backend.service = service = CountingService(tmp_path)
    async with client_of(backend) as client:
        for times in (1, 2):
            await client.request(method, params)
            assert (backend.looked, service.found) == (times, times * found)
