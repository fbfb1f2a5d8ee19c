"""A daemon that answers a few questions and knows no session, started and ended by the real lifecycle code.

What it does wrong on purpose is said by the environment, which reaches it through the starter's filter:
RECAPD_TEST_VERSION, RECAPD_TEST_FAIL (a reason not to serve), RECAPD_TEST_CRASH, RECAPD_TEST_STUBBORN.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import uuid

from recapd import __version__
from recapd.client import frames
from recapd.client.errors import ClientError
from recapd.client.paths import places
from recapd.daemon.lifecycle.lifecycle import (
    AlreadyServed,
    Claim,
    ServeOptions,
    UnixSocket,
    claim,
    detach,
    inherited_readiness,
)
from recapd.daemon.lifecycle.sockets import is_own_peer

ARGV = (sys.executable, "-m", "tests.client.fake_daemon")


def main() -> int:
    readiness = inherited_readiness()
    detach()
    if os.environ.get("RECAPD_TEST_CRASH"):
        raise RuntimeError("planted crash")
    if reason := os.environ.get("RECAPD_TEST_FAIL"):
        readiness.failed(reason)
        return 1
    where = places()
    options = ServeOptions(transport=UnixSocket(where.socket), runtime_dir=where.runtime_dir, state_dir=where.state_dir)
    try:
        held = claim(
            options,
            instance_id=uuid.uuid4().hex,
            started_at="2026-01-01T00:00:00Z",
            version=os.environ.get("RECAPD_TEST_VERSION", __version__),
        )
    except AlreadyServed:
        readiness.ready()
        return 0
    except ClientError as error:
        readiness.failed(str(error))
        return 1
    readiness.ready()
    held.listener.setblocking(True)
    while True:
        connection, _ = held.listener.accept()
        if is_own_peer(connection):
            threading.Thread(target=serve, args=(connection, held), daemon=True).start()


def serve(connection: socket.socket, held: Claim) -> None:
    buffer = bytearray()
    while data := connection.recv(1 << 16):
        buffer += data
        while (body := frames.take(buffer)) is not None:
            message = json.loads(body)
            method, params = message.get("method"), message.get("params")
            if method == "exit":
                connection.close()
                return
            if method == "die":
                os._exit(9)
            if "id" not in message:
                continue
            if method == "noisy":
                send(connection, {"jsonrpc": "2.0", "method": "recapd/didChangeStatus", "params": {"health": "ok"}})
            send(connection, {"jsonrpc": "2.0", "id": message["id"], **answer(method, params, held)})
            if method == "recapd/shutdown" and not os.environ.get("RECAPD_TEST_STUBBORN"):
                held.release()
                os._exit(0)
    connection.close()


def answer(method: str, params: object, held: Claim) -> dict[str, object]:
    if method == "fail":
        return {"error": {"code": 1001, "message": "No session.", "data": {"retryable": False}}}
    if method == "recapd/shutdown":
        return {"result": None}
    if method == "recapd/status":
        return {"result": status(held)}
    facts: dict[str, object] = {"pid": held.about.pid, "version": held.about.version, "cwd": os.getcwd()}
    return {"result": {"method": method, "params": params, **facts, "environ": sorted(os.environ)}}


def status(held: Claim) -> dict[str, object]:
    return {
        "health": "ok",
        "quiescent": True,
        "version": held.about.version,
        "protocolVersion": held.about.protocol_version,
        "instanceId": held.about.instance_id,
        "roots": [],
        "sources": [],
        "queues": [],
        "memoryBytes": 1_000_000,
        "clients": 1,
        "summaryBudget": {"spentTokens": 0, "limitTokens": None, "calls": 0},
        "sessions": 3,
    }


def send(connection: socket.socket, message: dict[str, object]) -> None:
    connection.sendall(frames.encode(json.dumps(message).encode()))


if __name__ == "__main__":
    sys.exit(main())
