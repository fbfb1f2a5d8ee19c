"""Answers that are kept for whoever asks the same next, as they are sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from recapd.core.state.world import Session
from recapd.server.answers import Answers
from recapd.server.methods import Question, answer, answer_question
from recapd.wire.methods import lookup
from recapd.wire.params import decode_params
from recapd.wire.types import RecapGetResult
from recapd.wire.types.base import SessionSelector, Unchanged, Wire
from tests.support.fake_backend import FakeBackend, FakeService, backend_of, client_of, session_id


class Remembering(FakeService):
    """A service of many clients, whose only session may change."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.answers = Answers()
        self.revision = 1

    def now(self) -> str:
        return "2026-03-01T12:00:00.000Z"

    def find_session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        return msgspec.structs.replace(super().find_session(selector, cwd), revision=self.revision)


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    backend = backend_of(tmp_path)
    backend.service = Remembering(tmp_path)
    return backend


@pytest.fixture
def service(backend: FakeBackend) -> Remembering:
    assert isinstance(backend.service, Remembering)
    return backend.service


def sent(service: Remembering, method: str = "recap/get", **params: Any) -> Wire | Raw | None:
    raw = msgspec.json.encode(params)
    row = lookup(method)
    assert row is not None
    fitting = decode_params(row, raw)
    return answer_question(Question(row=row, params=fitting, raw_params=raw, service=service, answers=service.answers))


def get_or_make(answers: Answers, key: str, make: Callable[[], Wire]) -> Raw:
    kept = answers.get(key)
    return kept if kept is not None else answers.keep(key, make())


class Counted(Wire, frozen=True, kw_only=True):
    number: int


def test_the_same_question_is_worked_out_once() -> None:
    made: list[int] = []

    def make() -> Counted:
        made.append(1)
        return Counted(number=len(made))

    answers = Answers()
    assert get_or_make(answers, "a", make) == Raw(b'{"number":1}')
    assert get_or_make(answers, "a", make) == Raw(b'{"number":1}')
    assert get_or_make(answers, "b", make) == Raw(b'{"number":2}')


def test_what_nobody_asked_for_longest_is_dropped_first() -> None:
    answers = Answers(most=2)
    for key in ("a", "b", "a", "c"):
        get_or_make(answers, key, lambda: Counted(number=1))
    assert get_or_make(answers, "a", lambda: Counted(number=2)) == Raw(b'{"number":1}')
    assert get_or_make(answers, "b", lambda: Counted(number=2)) == Raw(b'{"number":2}')


def test_what_is_kept_says_what_is_worked_out(service: Remembering) -> None:
    found = sent(service)
    assert isinstance(found, Raw)
    assert bytes(found) == msgspec.json.encode(answer(service, "recap/get", b"{}"))


def test_an_answer_is_kept_until_its_session_changes(service: Remembering) -> None:
    first = sent(service)
    assert sent(service) is first
    service.revision = 2
    second = sent(service)
    assert isinstance(second, Raw)
    assert msgspec.json.decode(second, type=RecapGetResult).revision == 2


def test_other_params_are_another_question(service: Remembering) -> None:
    assert sent(service, format="full") is not sent(service)


def test_which_answer_the_asker_has_makes_no_other_question(service: Remembering) -> None:
    assert sent(service, format="full", knownRevision=7) is sent(service, format="full", knownRevision=8)


def test_an_answer_to_a_reader_is_kept_until_its_mark_moves(
    service: Remembering, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks: dict[str, str] = {}
    monkeypatch.setattr(service, "mark", lambda _, reader: marks.get(reader))
    first = sent(service, consumer="panel")
    assert sent(service, consumer="panel") is first
    assert sent(service, consumer="other") is not first
    marks["other"] = "somewhere"
    assert sent(service, consumer="panel") is first
    marks["panel"] = "somewhere"
    assert sent(service, consumer="panel") is not first


def test_who_knows_the_revision_is_told_so(service: Remembering) -> None:
    assert isinstance(sent(service, knownRevision=1), Unchanged)
    # But what rests on marks, which move without a change of the session, is told again.
    assert not isinstance(sent(service, knownRevision=1, consumer="panel"), Unchanged)
    assert not isinstance(sent(service, "timeline/get", knownRevision=1), Unchanged)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("recap/get", {"format": "timeline"}),
        ("session/list", {"consumer": "panel"}),
        ("session/overview", {"consumer": "panel"}),
    ],
)
def test_what_rests_on_many_marks_is_kept_until_one_moves(
    service: Remembering, monkeypatch: pytest.MonkeyPatch, method: str, params: dict[str, object]
) -> None:
    moved = 0
    monkeypatch.setattr(service, "moved_marks", lambda: moved)
    first = sent(service, method, **params)
    assert sent(service, method, **params) is first
    moved = 1
    assert sent(service, method, **params) is not first


@pytest.mark.parametrize(
    ("method", "params"), [("files/list", {}), ("decisions/list", {}), ("session/list", {"query": "parser"})]
)
def test_what_rests_on_the_index_or_costs_little_is_not_kept(
    service: Remembering, method: str, params: dict[str, object]
) -> None:
    assert isinstance(sent(service, method, **params), Wire)


@pytest.mark.anyio
async def test_an_editor_is_shown_what_was_kept(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        await client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        for _ in range(2):
            shown = await client.request("workspace/executeCommand", {"command": "recapd.showRecap"}, dict[str, object])
            assert shown["sessionId"] == session_id(1)
            message = await client.expect_notification("window/showMessage", dict[str, object])
            assert message["message"] == shown["markdown"] != ""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
