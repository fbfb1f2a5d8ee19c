"""Requests answered in process, from logs on disk: what a client gets, and what it is told when it asks wrongly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from recapd.core.text.tokens import estimate_tokens
from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import RecapError
from tests.support.logs import (
    CWD,
    LOGS,
    agent,
    at,
    edit,
    human,
    pause,
    raw,
    read,
    shell,
    title,
    todo,
    write,
)
from tests.support.secrets import secrets

STORY = (
    title("Parser work"),
    human("fix the parser"),
    read(f"{CWD}/src/a.py", "one\ntwo\n"),
    edit(f"{CWD}/src/a.py"),
    edit(f"{CWD}/src/b.py", "text not found", outcome="failed"),
    write(f"{CWD}/src/new.py"),
    shell("rm old.txt"),
    shell("pytest -q", "9 passed in 1s"),
    raw(b'{"torn":'),
    agent("The parser is fixed now."),
    pause(7_200),
    human("now write the docs"),
    todo({"write intro": "completed", "write reference": "in_progress"}),
    agent("Shall I publish them?"),
)


class Clocked(Library):
    """A library with a clock of its own."""

    def now(self) -> str:
        return at(20_000)


def request(library: Library, method: str, **params: object) -> dict[str, object]:
    """The answer as a client sees it."""
    found = msgspec.json.decode(msgspec.json.encode(answer(library, method, json.dumps(params).encode())))
    assert isinstance(found, dict)
    return found


def refused(library: Library, method: str, **params: object) -> RecapError:
    with pytest.raises(RecapError) as caught:
        answer(library, method, json.dumps(params).encode())
    return caught.value


def at_path(value: object, path: str) -> object:
    for name in path.split("."):
        value = value[int(name)] if isinstance(value, list) else value[name]  # type: ignore[index]
    return value


def refs_in(value: object) -> Iterator[tuple[str, dict[str, object]]]:
    """Every ref in an answer, with the text of the claim it stands by."""
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from refs_in(part)
    if isinstance(value, dict) and isinstance(value.get("ref"), dict):
        yield str(value.get("text", "")), value["ref"]


@pytest.fixture(params=LOGS)
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(LOGS[request.param](*STORY))
    return path


@pytest.fixture
def library(log: Path) -> Library:
    return Clocked([log.parent], environ={})


# ---- answers


def test_sessions_are_listed_with_what_one_needs_to_choose(library: Library, log: Path) -> None:
    session = at_path(request(library, "session/list"), "sessions.0")
    assert isinstance(session, dict)
    expected = {"title": "Parser work", "workspace": CWD, "turns": 2, "state": "answered", "log": log.as_uri()}
    assert {name: session[name] for name in expected} == expected
    assert session["id"].startswith(session["agent"] + ":")
    assert session["id"].partition(":")[2] in session["resumeCommand"]


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"query": "parser"}, 1),
        ({"query": "PARSER fix"}, 1),
        ({"query": "zebra"}, 0),
        ({"workspace": CWD}, 1),
        ({"workspace": f"file://{CWD}"}, 1),
        ({"workspace": "/home/dev"}, 1),
        ({"workspace": "/home/dev/shopping"}, 0),
        ({"agent": "nobody"}, 0),
    ],
)
def test_lists_are_filtered(library: Library, filters: dict[str, str], count: int) -> None:
    assert len(request(library, "session/list", **filters)["sessions"]) == count  # type: ignore[arg-type]


@pytest.mark.parametrize("selector", [{}, {"session": {"workspace": CWD}}, {"cwd": CWD}])
def test_a_session_is_found_by_where_it_works_or_as_the_latest(library: Library, selector: dict[str, object]) -> None:
    assert at_path(request(library, "recap/get", **selector), "recap.originalRequest.text") == "fix the parser"


def test_a_session_is_found_by_its_id_and_its_log(library: Library, log: Path) -> None:
    by_log = request(library, "recap/get", session={"log": str(log)})
    assert request(library, "recap/get", session={"log": log.as_uri()}) == by_log
    assert (
        request(Clocked([log.parent], environ={}), "recap/get", session={"id": by_log["sessionId"]})["recap"]
        == by_log["recap"]
    )


def test_the_same_story_is_told_whichever_agent_logged_it(library: Library) -> None:
    recap = request(library, "recap/get", format="full")["recap"]
    expected = {
        "originalRequest.text": "fix the parser",
        "currentFocus.text": "now write the docs",
        "state.status": "answered",
        "state.detail": "Asked: Shall I publish them?",
        "progress.percentage": 50,
        "progress.milestones.0.text": "Tests pass: 9 passed (pytest)",
        "stats.turns": 2,
        "stats.exchanges": 2,
        "stats.messages": 4,
        "stats.toolCalls": 7,
        "stats.failedToolCalls": 1,
        "stats.commandsRun": 2,
        "stats.filesChanged": 3,
        "tests.0.ok": True,
        "openItems.0.kind": "question",
        "openItems.1.text": "write reference",
    }
    assert {path: at_path(recap, path) for path in expected} == expected


@pytest.mark.parametrize("shape", ["short", "full"])
@pytest.mark.parametrize("collapsible", [False, True])
def test_a_recap_keeps_to_its_budget(library: Library, shape: str, collapsible: bool) -> None:
    for most in (60, 120, 400):
        found = request(library, "recap/get", format=shape, maxTokens=most, collapsible=collapsible)
        text = str(found["markdown"])
        assert estimate_tokens(text) <= most and found["tokens"] <= most  # type: ignore[operator]
        assert text.startswith("<details>") is collapsible


def test_files_are_listed_page_by_page_and_by_action(library: Library) -> None:
    first = request(library, "files/list", limit=2)
    rest = request(library, "files/list", limit=100, cursor=first["nextCursor"])
    assert first["total"] == rest["total"] == 4
    assert "nextCursor" not in rest and "nextCursor" not in request(library, "files/list", limit=4)
    files: list[dict[str, object]] = [*first["files"], *rest["files"]]  # type: ignore[misc]
    assert str(files[0]["path"]).endswith("old.txt"), "the last touched comes first"
    rows = {str(file["path"]).rpartition("/")[2]: (file["touchCount"], file["failed"]) for file in files}
    assert rows == {"a.py": (2, 0), "b.py": (0, 1), "new.py": (1, 0), "old.txt": (1, 0)}
    deleted = request(library, "files/list", action="deleted")
    assert deleted["total"] == 1 and str(at_path(deleted, "files.0.path")).endswith("old.txt")


def test_a_summary_has_fields_and_text(library: Library) -> None:
    found = request(library, "context/summary")
    assert found["userRequests"] == ["fix the parser", "now write the docs"]
    assert "Original request: fix the parser" in str(found["formatted"])
    assert len(found["toolsUsed"]) >= 4  # type: ignore[arg-type]


# ---- refs


def test_every_claim_is_proven_by_the_line_its_ref_names(library: Library, log: Path) -> None:
    recap = request(library, "recap/get", format="full")["recap"]
    data = log.read_bytes()
    claims = list(refs_in(recap))
    assert len(claims) >= 12
    for _, ref in claims:
        start, length = int(str(ref["byteOffset"])), int(str(ref["byteLength"]))
        assert isinstance(json.loads(data[start : start + length]), dict)
        assert data[:start].count(b"\n") + 1 == ref["line"]
        assert request(library, "ref/resolve", ref=ref)["stale"] is False
    assert request(library, "recap/verify") | {"changed": [], "missing": []} == request(library, "recap/verify")


def test_requests_stand_at_their_refs_and_are_redacted_alike(tmp_path: Path) -> None:
    planted = next(each for each in secrets(3) if each.kind == "github-oauth")
    path = tmp_path / "s.jsonl"
    for build in LOGS.values():
        path.write_bytes(build(human(f"use {planted.text} to fix the parser"), agent("Done."), human("x" * 3_000)))
        library = Clocked([tmp_path], environ={})
        for found in request(library, "recap/get")["recap"]["userRequests"]:  # type: ignore[index]
            resolved = request(library, "ref/resolve", ref=found["ref"])
            assert resolved["kind"] == "userMessage"
            assert str(resolved["excerpt"]).startswith(found["text"].rstrip("…"))
            assert planted.secret not in json.dumps([found, resolved])


def test_a_log_that_only_grew_proves_what_it_proved(library: Library, log: Path) -> None:
    ref = at_path(request(library, "recap/get"), "recap.originalRequest.ref")
    with log.open("ab") as file:
        file.write(b'{"type":"user"}\n' * 2_000)
    assert request(library, "ref/resolve", ref=ref)["stale"] is False


def test_refs_into_a_rewritten_log_are_stale(library: Library, log: Path) -> None:
    found = request(library, "recap/get")
    log.write_bytes(b'{"type":"session","id":"another"}\n' * 500)
    by_id = {"session": {"id": found["sessionId"]}}
    assert request(library, "ref/resolve", ref=at_path(found, "recap.originalRequest.ref"), **by_id)["stale"] is True
    verdict = request(library, "recap/verify", **by_id)
    assert verdict["ok"] == 0
    assert len(verdict["changed"]) == verdict["checked"]  # type: ignore[arg-type]


def test_refs_into_a_log_that_is_gone_say_so(library: Library, log: Path) -> None:
    found = request(library, "recap/get")
    log.unlink()
    by_id = {"session": {"id": found["sessionId"]}}
    assert refused(library, "ref/resolve", ref=at_path(found, "recap.originalRequest.ref"), **by_id).code == 1002
    verdict = request(library, "recap/verify", **by_id)
    assert len(verdict["missing"]) == verdict["checked"]  # type: ignore[arg-type]


# ---- asking wrongly, or again

WRONG: list[tuple[str, dict[str, object], int, str]] = [
    ("nope/get", {}, -32601, ""),
    ("recap/get", {"maxTokens": 0}, -32602, "maxTokens"),
    ("recap/get", {"maxTokens": "many"}, -32602, "maxTokens"),
    ("recap/get", {"format": "poem"}, -32602, "format"),
    ("recap/get", {"session": {}}, -32602, "session"),
    ("recap/get", {"session": {"id": "a", "log": "b"}}, -32602, "session"),
    ("recap/get", {"session": {"id": 7}}, -32602, "session.id"),
    ("files/list", {"action": "eaten"}, -32602, "action"),
    ("files/list", {"limit": 0}, -32602, "limit"),
    ("ref/resolve", {}, -32602, "ref"),
    ("ref/resolve", {"ref": {"source": "file:///x"}}, -32602, "ref.generation"),
    ("recap/get", {"session": {"id": "claude-code:nobody"}}, 1001, ""),
    ("recap/get", {"session": {"workspace": "/nowhere"}}, 1001, ""),
    ("recap/get", {"cwd": "/nowhere"}, 1001, ""),
    ("session/list", {"cursor": "stale"}, 1004, ""),
    ("files/list", {"cursor": "at:999"}, 1004, ""),
]


@pytest.mark.parametrize(("method", "params", "code", "path"), WRONG)
def test_a_wrong_request_is_told_what_is_wrong(
    library: Library, method: str, params: dict[str, object], code: int, path: str
) -> None:
    error = refused(library, method, **params)
    assert error.code == code
    assert getattr(error.data, "path", "") == path
    assert error.message.endswith(".") and "\n" not in error.message


@pytest.mark.parametrize(
    "content", [None, b"", b"not a log\n", b"\x00\x01\x02"], ids=["missing", "empty", "text", "binary"]
)
def test_a_file_that_is_no_log_is_refused_in_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.jsonl"
    if content is not None:
        path.write_bytes(content)
    error = refused(Clocked([tmp_path], environ={}), "recap/get", session={"log": str(path)})
    assert str(path) in error.message and "\n" not in error.message
    assert request(Clocked([tmp_path], environ={}), "session/list") == {"sessions": [], "total": 0}


@pytest.mark.parametrize("method", ["recap/get", "files/list", "context/summary"])
def test_an_answer_the_client_has_is_not_sent_again(library: Library, method: str) -> None:
    found = request(library, method)
    known = {"sessionId": found["sessionId"], "revision": found["revision"]}
    assert request(library, method, knownRevision=found["revision"]) == {"unchanged": True, **known}
    assert request(library, method, knownRevision=1) == found
