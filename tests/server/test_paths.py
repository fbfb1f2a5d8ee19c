"""Paths and file URIs of requests: what they name, and what of them is the caller's mistake."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recapd.daemon.library import Library
from recapd.server.methods import answer
from recapd.server.workspaces import folder_of, path_of
from recapd.wire.errors import INVALID_PARAMS, RecapError
from tests.support.logs import agent, claude_log, human

ODD = os.fsdecode(b"/logs/caf\xe9 100%.jsonl")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/a/b", "/a/b"),
        ("/a/../b", "/b"),
        ("~/x", os.path.expanduser("~/x")),
        ("file:///a/b%20c", "/a/b c"),
        ("file:/a", "/a"),
        ("file://localhost/a", "/a"),
        ("file:///caf%C3%A9", "/café"),
        ("file:///café", "/café"),
        ("file:///logs/caf%E9%20100%25.jsonl", ODD),
        (ODD, ODD),
    ],
)
def test_what_a_path_or_uri_names(given: str, expected: str) -> None:
    assert path_of(given) == expected


@pytest.mark.parametrize("path", ["/a b", "/a%20b", "/a?b#c", "/[::1", "/ü", ODD, "/\udcff"])
def test_a_uri_made_of_a_path_names_it_again(path: str) -> None:
    assert path_of(Path(path).as_uri()) == path


@pytest.mark.parametrize(
    "given", ["file://[::1", "file://[", "file:", "file://", "file://host", "file:a", "file:///a%00b", "/a\0b", "a\0"]
)
def test_what_names_no_path_is_the_callers_mistake(given: str) -> None:
    for read in (path_of, folder_of):
        with pytest.raises(RecapError, match="file:///folder/name") as failed:
            read(given)
        assert failed.value.code == INVALID_PARAMS


def test_a_folder_that_cannot_be_named_in_an_answer_is_refused() -> None:
    assert folder_of("file:///caf%C3%A9") == "/café"
    with pytest.raises(RecapError, match="not UTF-8") as failed:
        folder_of("file:///caf%E9")
    assert failed.value.code == INVALID_PARAMS


BAD = '"file://[::1"'


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("recap/get", f'{{"session":{{"log":{BAD}}}}}'),
        ("recap/get", f'{{"session":{{"workspace":{BAD}}}}}'),
        ("recap/get", f'{{"cwd":{BAD}}}'),
        ("session/list", f'{{"workspace":{BAD}}}'),
        ("session/overview", f'{{"workspace":{BAD}}}'),
        ("config/get", f'{{"workspace":{BAD}}}'),
        ("ref/resolve", f'{{"ref":{{"source":{BAD},"generation":"x","line":1,"byteOffset":0,"byteLength":1}}}}'),
    ],
)
def test_no_request_fails_over_a_malformed_uri(method: str, params: str, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(claude_log(human("fix the parser"), agent("Done.")))
    with pytest.raises(RecapError) as failed:
        answer(Library([tmp_path], environ={}), method, params.encode())
    assert failed.value.code == INVALID_PARAMS


def test_a_log_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.jsonl")
    path.write_bytes(claude_log(human("fix the parser"), agent("Done, and I kept the old flag.")))
    library = Library([tmp_path], environ={})
    params = f'{{"session":{{"log":"{path.as_uri()}"}}}}'.encode()
    assert "fix the parser" in str(answer(library, "recap/get", params))
    # Its text is read again from the same file.
    assert "old flag" in str(answer(library, "history/get", params))
    path.unlink()
    with pytest.raises(RecapError) as failed:
        answer(Library([tmp_path], environ={}), "recap/get", params)
    assert failed.value.message.encode() and "caf?.jsonl" in failed.value.message
