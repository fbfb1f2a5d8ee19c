"""`recapd panel`: what a browser on this machine is given, and that a stranger gets nothing."""

from __future__ import annotations

import base64
import hmac
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from recapd.bridges.panel import page_files
from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, human
from tests.support.processes import daemon_process, until

WORDS = "Downloads fail on flaky networks"


def run_recapd(home: Home, *arguments: str) -> str:
    command = [sys.executable, "-m", "recapd", *arguments]
    return subprocess.run(command, env=home.environ, check=True, capture_output=True, text=True).stdout


def http(port: int, path: str, **headers: str) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        rows = [f"GET {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
        connection.sendall("\r\n".join([*rows, "", ""]).encode())
        answer = b""
        while data := connection.recv(65_536):
            answer += data
        return answer


def ask_by_socket(port: int, token: str, *, host: str, origin: str) -> bytes:
    """All that comes back when a page opens the socket, sends the token and asks for sessions."""
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "recapd/authenticate", "params": {"token": token}},
        {"jsonrpc": "2.0", "id": 2, "method": "session/list", "params": {}},
    ]
    sent = b""
    for request in requests:
        body = json.dumps(request).encode()
        frame = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        # A mask of zeros changes nothing.
        sent += bytes((0x82, 0x80 | 126)) + len(frame).to_bytes(2, "big") + bytes(4) + frame
    key = base64.b64encode(os.urandom(16)).decode()
    head = f"GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(head.encode() + sent)
        answer = b""
        while b'"sessions"' not in answer and (data := connection.recv(65_536)):
            answer += data
        return answer


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    (home.logs / "a.jsonl").write_bytes(claude_log(human(f"{WORDS}; please add retries."), agent("Done.")))
    return home


def test_nothing_listens_until_it_is_asked_for_and_nothing_once_it_is_off(home: Home) -> None:
    with daemon_process(home):
        url = run_recapd(home, "panel", "--all", "--no-open").strip()
        again = run_recapd(home, "panel", "--all", "--no-open").strip()
        assert url == again and urlsplit(url).hostname == "127.0.0.1"
        port = urlsplit(url).port
        assert port is not None and b"200 OK" in http(port, "/", Host=f"127.0.0.1:{port}")
        run_recapd(home, "panel", "--off")
        with pytest.raises(ConnectionRefusedError):
            http(port, "/", Host=f"127.0.0.1:{port}")
        other = run_recapd(home, "panel", "--all", "--no-open").strip()
        assert urlsplit(other).fragment != urlsplit(url).fragment


def test_a_daemon_that_is_started_again_serves_at_the_same_address(home: Home) -> None:
    with daemon_process(home) as daemon:
        url = run_recapd(home, "panel", "--all", "--no-open").strip()
        kept = home.runtime / "panel.json"
        assert kept.stat().st_mode & 0o077 == 0
        daemon.kill()
    port, (token,) = urlsplit(url).port, parse_qs(urlsplit(url).fragment)["token"]
    assert port is not None
    here = f"127.0.0.1:{port}"
    with daemon_process(home) as daemon:
        daemon.settled(lambda: bool(daemon.ask("recapd/panel") == {"url": url}))
        assert WORDS.encode() in ask_by_socket(port, token, host=here, origin=f"http://{here}")
        run_recapd(home, "panel", "--off")
        assert not kept.exists()
    with daemon_process(home) as daemon:
        daemon.settled()
        assert daemon.ask("recapd/panel") == {"url": None}


def test_a_token_dies_with_its_port(home: Home) -> None:
    """Whoever has the port while recapd is away may be told the token by a page that is opened then."""
    with daemon_process(home) as daemon:
        url = urlsplit(run_recapd(home, "panel", "--all", "--no-open").strip())
        daemon.kill()
    assert url.port is not None
    with socket.create_server(("127.0.0.1", url.port)), daemon_process(home):
        until(lambda: not (home.runtime / "panel.json").exists())
        assert json.loads(run_recapd(home, "call", "recapd/panel", "{}")) == {"url": None}
        other = urlsplit(run_recapd(home, "panel", "--all", "--no-open").strip())
        assert other.port != url.port and other.fragment != url.fragment


def test_the_page_can_tell_recapd_from_who_has_its_port(home: Home) -> None:
    with daemon_process(home):
        url = urlsplit(run_recapd(home, "panel", "--all", "--no-open").strip())
        port, (token,) = url.port, parse_qs(url.fragment)["token"]
        assert port is not None
        here, nonce = f"127.0.0.1:{port}", "5e" * 16
        proof = hmac.digest(token.encode(), nonce.encode(), "sha256").hex()
        assert http(port, f"/proof/{nonce}", Host=here).endswith(f"\r\n\r\n{proof}".encode())
        for path in ("/proof/", "/proof/short", f"/proof/{nonce}/.."):
            assert b"404" in http(port, path, Host=here)
        assert http(port, f"/proof/{nonce}", Host=here, Origin="http://evil.example").startswith(b"HTTP/1.1 403")


def test_the_page_is_for_who_asks_here_and_sessions_for_who_has_the_token(home: Home) -> None:
    with daemon_process(home) as daemon:
        daemon.settled()
        url = urlsplit(run_recapd(home, "panel", str(home.folder), "--no-open").strip())
        fragment = parse_qs(url.fragment)
        (token,), port = fragment["token"], url.port
        assert port is not None and fragment["folder"] == [str(home.folder.resolve())]
        here = f"127.0.0.1:{port}"

        page = http(port, "/", Host=here)
        assert b"200 OK" in page and page.endswith(page_files()["/"][1])
        assert b"frame-ancestors 'none'" in page and token.encode() not in page
        assert b"404" in http(port, "/../recapd.json", Host=here)
        nothing = http(port, "/", Host="evil.example")
        assert nothing.startswith(b"HTTP/1.1 403") and nothing.endswith(b"\r\n\r\n")
        assert http(port, "/browser.js", Host=here, Origin="http://evil.example").startswith(b"HTTP/1.1 403")

        assert WORDS.encode() in ask_by_socket(port, token, host=here, origin=f"http://{here}")
        for answer in (
            ask_by_socket(port, "wrong", host=here, origin=f"http://{here}"),
            ask_by_socket(port, token, host=here, origin="http://evil.example"),
            ask_by_socket(port, token, host="evil.example", origin="http://evil.example"),
        ):
            assert WORDS.encode() not in answer and b'"sessions"' not in answer


def test_the_address_is_not_told_over_the_socket_of_the_page(home: Home) -> None:
    with daemon_process(home):
        assert json.loads(run_recapd(home, "call", "recapd/panel", "{}")) == {"url": None}


def test_a_port_that_is_taken_is_told_in_a_sentence_and_costs_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with daemon_process(home), socket.create_server(("127.0.0.1", 0)) as taken:
        command = [sys.executable, "-m", "recapd", "panel", "--no-open", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(command, env=home.environ, check=False, capture_output=True, text=True)
        assert done.returncode == 1 and "cannot listen on port" in done.stderr and done.stderr.count("\n") == 1
        assert "http://127.0.0.1:" in run_recapd(home, "panel", "--no-open")
        # It is on elsewhere now, which is not what is asked for.
        done = subprocess.run(command, env=home.environ, check=False, capture_output=True, text=True)
        assert done.returncode == 1 and "recapd panel --off" in done.stderr and not done.stdout
