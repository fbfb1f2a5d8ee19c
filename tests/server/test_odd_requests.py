"""Requests and logs that are odd rather than wrong: each gets an answer or an error it can act on, never a crash."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest

from recapd.core.state.world import World, fold
from recapd.daemon.library import Library
from recapd.daemon.log_files.reading import batches, open_log
from recapd.daemon.snapshot import Snapshot
from recapd.server.methods.dispatch import answer
from recapd.server.service import Service
from recapd.wire import errors
from recapd.wire.errors import RecapError
from tests.support.logs import CWD, agent, at, claude_log, edit, human, shell


def ask(service: Service, method: str, **params: object) -> dict[str, object]:
    found = msgspec.json.decode(msgspec.json.encode(answer(service, method, json.dumps(params).encode())))
    assert isinstance(found, dict)
    return found


def code_of(service: Service, method: str, **params: object) -> int:
    with pytest.raises(RecapError) as caught:
        ask(service, method, **params)
    return caught.value.code


def only(found: object) -> dict[str, object]:
    assert isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict)
    return found[0]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(claude_log(human("fix the parser"), agent("Done.")))
    return path


@pytest.fixture
def library(log: Path) -> Library:
    return Library([log.parent], environ={})


def first_ref(service: Service) -> dict[str, object]:
    recap = ask(service, "recap/get")["recap"]
    assert isinstance(recap, dict) and isinstance(recap["originalRequest"], dict)
    ref = recap["originalRequest"]["ref"]
    assert isinstance(ref, dict)
    return ref


# ---- refs


@pytest.mark.parametrize("number", [2**31, 2**62, 2**63, 2**64, 2**70])
@pytest.mark.parametrize("field", ["byteLength", "byteOffset", "line"])
def test_a_ref_beyond_the_log_is_stale(library: Library, field: str, number: int) -> None:
    found = ask(library, "ref/resolve", ref={**first_ref(library), field: number})
    # The line is for people; the bytes are what counts.
    assert found["stale"] is (field != "line")


@pytest.mark.parametrize("field", ["byteLength", "byteOffset", "line"])
def test_a_ref_with_a_negative_number_is_refused(library: Library, field: str) -> None:
    assert code_of(library, "ref/resolve", ref={**first_ref(library), field: -1}) == errors.INVALID_PARAMS


def test_a_ref_into_a_log_that_is_gone_says_so_without_a_session(library: Library, log: Path) -> None:
    ref = first_ref(library)
    log.unlink()
    assert code_of(library, "ref/resolve", ref=ref) == errors.SOURCE_GONE


def test_a_ref_into_a_log_that_the_daemon_has_forgotten_says_so(library: Library, log: Path) -> None:
    ref = first_ref(library)
    log.unlink()
    assert code_of(Snapshot(World(), instance_id="i", now=lambda: at(0)), "ref/resolve", ref=ref) == errors.SOURCE_GONE


# ---- cursors and paths


@pytest.mark.parametrize("cursor", ["at:" + "9" * 5_000, "at:", "at:-1", "at:²", "at:٣", "at:1e3", "9", ""])
@pytest.mark.parametrize("method", ["session/list", "files/list"])
def test_a_cursor_that_is_none_of_ours_has_expired(library: Library, method: str, cursor: str) -> None:
    assert code_of(library, method, cursor=cursor) == errors.CURSOR_EXPIRED


PATHS: list[tuple[str, dict[str, object]]] = [
    ("recap/get", {"session": {"log": "/a\0b"}}),
    ("recap/get", {"session": {"log": "file:///a%00b"}}),
    ("recap/get", {"session": {"workspace": "/a\0b"}}),
    ("recap/get", {"cwd": "/a\0b"}),
    ("session/list", {"workspace": "/a\0b"}),
    (
        "ref/resolve",
        {"ref": {"source": "file:///a%00b", "generation": "g", "line": 1, "byteOffset": 0, "byteLength": 1}},
    ),
]


@pytest.mark.parametrize(("method", "params"), PATHS)
def test_a_path_with_a_nul_is_refused(library: Library, method: str, params: dict[str, object]) -> None:
    assert code_of(library, method, **params) == errors.INVALID_PARAMS


def test_a_link_that_leads_to_itself_is_no_log(library: Library, tmp_path: Path) -> None:
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    named = {"log": str(tmp_path / "loop.jsonl")}
    for service in (library, Snapshot(World(), instance_id="i", now=lambda: at(0))):
        assert code_of(service, "recap/get", session=named) == errors.REQUEST_FAILED


# ---- odd logs


def test_a_first_line_of_ten_megabytes_is_a_log_too(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(claude_log(human("look at this " + "x" * 10_000_000), agent("Seen.")))
    sessions = ask(Library([tmp_path], environ={}), "session/list")["sessions"]
    assert isinstance(sessions, list) and len(sessions) == 1


def without_times(data: bytes) -> bytes:
    return b"".join(json.dumps({**json.loads(line), "timestamp": ""}).encode() + b"\n" for line in data.splitlines())


def test_a_log_without_times_was_active_when_its_file_was(library: Library, log: Path) -> None:
    later = log.with_name("later.jsonl")
    later.write_bytes(
        without_times(claude_log(human("write the docs"), session="5e551011-c0de-4a11-8000-00000000000a"))
    )
    os.utime(later, (1_800_000_000, 1_800_000_000))
    sessions = ask(library, "session/list")["sessions"]
    assert isinstance(sessions, list)
    assert [session["title"] for session in sessions] == ["write the docs", "fix the parser"]
    assert sessions[0]["lastActiveAt"] == "2027-01-15T08:00:00.000Z"


def test_a_log_without_times_that_is_just_gone_has_some_time(log: Path) -> None:
    log.write_bytes(without_times(log.read_bytes()))
    world = World()
    for batch in batches(open_log(log)):
        world, _ = fold(world, batch)
    log.unlink()
    service = Snapshot(world, instance_id="i", now=lambda: at(7))
    assert only(ask(service, "session/list")["sessions"])["lastActiveAt"] == at(7)


DIRT = "\x1b[31m\u202e"


def test_no_answer_holds_control_characters(tmp_path: Path) -> None:
    lines = claude_log(human("fix it all"), edit("a.py"), shell(f"echo {DIRT}"), cwd=f"/p{DIRT}").splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        record |= {"gitBranch": f"b{DIRT}"}
        message = record["message"]
        if record["type"] == "assistant":
            message["model"] = f"m{DIRT}"
            message["content"][0] |= {"name": message["content"][0]["name"] + DIRT}
    # The same once more, as a sub-agent's work: its name comes from the log too.
    records += [{**record, "isSidechain": True, "agentId": f"x{DIRT}", "uuid": None} for record in records]
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    (tmp_path / "s.jsonl").write_bytes(data)
    library = Library([tmp_path], environ={})
    session = only(ask(library, "session/list")["sessions"])
    assert (session["workspace"], session["branch"], session["model"]) == ("/p", "b", "m")
    for method in ("session/list", "recap/get", "files/list", "context/summary", "recap/verify", "history/get"):
        told = json.dumps(ask(library, method))
        assert "\\u001b" not in told and "\\u202e" not in told


# ---- as documented


def test_a_request_before_the_first_turn_is_of_turn_0(tmp_path: Path) -> None:
    command = "<command-name>/review</command-name><command-args>review the parser</command-args>"
    (tmp_path / "s.jsonl").write_bytes(claude_log(human(command), agent("Fine."), human("now fix it")))
    recap = ask(Library([tmp_path], environ={}), "recap/get")["recap"]
    assert isinstance(recap, dict)
    assert [(each["text"], each["turn"]) for each in recap["userRequests"]] == [
        ("/review review the parser", 0),
        ("now fix it", 1),
    ]


def test_a_file_is_named_as_the_log_first_spells_it(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(claude_log(human("fix it all"), shell("rm old.txt"), edit(f"{CWD}/a.py")))
    files = ask(Library([tmp_path], environ={}), "files/list")["files"]
    assert isinstance(files, list)
    assert [file["path"] for file in files] == [f"{CWD}/a.py", "old.txt"]
