"""Versions, frames and roots: tables. And that a client imports little."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recapd.client import version
from recapd.client.agents import default_roots, roots_here
from recapd.client.frames import MAX_HEADER_BYTES, BadFrame, encode, take
from recapd.client.version import PROTOCOL_VERSION, REFUSE, REPLACE, USE, judge_version
from recapd.wire.types import base

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("ours", "theirs", "protocol", "expected"),
    [
        ("0.1.0", "0.1.0", "same", USE),
        ("0.10.0", "0.9.9", "same", REPLACE),
        ("0.9.9", "0.10.0", "same", USE),
        ("1.0", "1.0.1", "other", REFUSE),
        ("1.0.1", "1.0", "other", REPLACE),
        ("1.0.0", "1.0.0", "other", REFUSE),
        ("1.0.0rc2", "1.0.0rc1+local", "same", USE),
        ("1.0.0", "", "same", REPLACE),
    ],
)
def test_the_newer_side_wins(ours: str, theirs: str, protocol: str, expected: str) -> None:
    assert judge_version(theirs, PROTOCOL_VERSION if protocol == "same" else "2999-01-01", version=ours) == expected


def test_both_sides_speak_of_the_same_protocol() -> None:
    assert version.PROTOCOL_VERSION == base.PROTOCOL_VERSION


@pytest.mark.parametrize(
    ("data", "bodies", "rest"),
    [
        (encode(b"one") + encode(b""), [b"one", b""], b""),
        (b"content-length:2\r\nContent-Type: x\r\n\r\nokmore", [b"ok"], b"more"),
        (b"Content-Length: 5\r\n\r\nhalf", [], b"Content-Length: 5\r\n\r\nhalf"),
        (b"Content-Le", [], b"Content-Le"),
    ],
)
def test_frames(data: bytes, bodies: list[bytes], rest: bytes) -> None:
    buffer = bytearray(data)
    found = []
    while (body := take(buffer)) is not None:
        found.append(body)
    assert (found, bytes(buffer)) == (bodies, rest)


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 1000000000000\r\n\r\n",
        b"Content-Length: " + b"9" * 2000 + b"\r\n\r\n",
        b"Host: x\r\n\r\n",
        b"x" * MAX_HEADER_BYTES,
    ],
)
def test_no_frames(data: bytes) -> None:
    with pytest.raises(BadFrame):
        take(bytearray(data))


def test_roots_follow_the_agents_own_variables() -> None:
    environ = {
        "CLAUDE_CONFIG_DIR": "/a",
        "CODEX_HOME": "/b",
        "PI_CODING_AGENT_DIR": "/c",
        "COPILOT_HOME": "/d",
        "GEMINI_CLI_HOME": "/e",
    }
    moved = dict(reversed(default_roots(environ, "/h")))
    assert moved == {
        "claude-code": "/a/projects",
        "codex": "/b/sessions",
        "pi": "/c/sessions",
        "copilot": "/d/session-state",
        "gemini": "/e/.gemini/tmp",
        "mycode": "/h/.mycode/sessions",
    }
    assert all(path.startswith("/h/.") for _, path in default_roots({}, "/h"))
    assert len(roots_here()) == 7 and roots_here(port=7) == []


def test_a_client_is_stdlib_and_little_of_it() -> None:
    code = "import sys; import recapd.__main__, recapd.client.forward, recapd.client.call; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"msgspec", "anyio", "asyncio", "argparse", "subprocess", "typing", "logging", "threading"}
    ours = {name for name in loaded if name.startswith("recapd.")}
    assert {name.split(".")[1] for name in ours} == {"__main__", "cli", "client"}
