"""What another user runs to be taken for recapd: it listens, keeps what it hears and answers whatever is asked.

`python -m tests.attack.forger KEPT PORT [SOCKET]`; prints the port once it listens. PORT 0 is any.
"""

from __future__ import annotations

import io
import json
import os
import select
import socket
import sys

from recapd.client import frames

# Fit for most of what is asked.
FORGED = {"health": "ok", "sessions": [], "markdown": "forged", "recap": {}, "quiescent": True, "version": "forged"}


def main(kept: str, port: str, *paths: str) -> None:
    listening = [socket.create_server(("127.0.0.1", int(port)))]
    for path in paths:
        listening.append(socket.socket(socket.AF_UNIX))
        listening[-1].bind(path)
        os.chmod(path, 0o777)
        listening[-1].listen()
    sys.stdout.write(f"{listening[0].getsockname()[1]}\n")
    sys.stdout.flush()
    buffers: dict[socket.socket, bytearray] = {}
    with io.FileIO(kept, "a") as heard:
        while True:
            for ready in select.select([*listening, *buffers], [], [])[0]:
                if ready in listening:
                    connection = ready.accept()[0]
                    buffers[connection] = bytearray()
                    heard.write(b"<somebody came>")
                elif not serve(ready, buffers[ready], heard):
                    del buffers[ready]
                    ready.close()


def serve(connection: socket.socket, buffer: bytearray, heard: io.FileIO) -> bool:
    try:
        data = connection.recv(1 << 16)
        heard.write(data)
        buffer += data
        while (body := frames.take(buffer)) is not None:
            request = json.loads(body)
            if "id" in request:
                answer = {"jsonrpc": "2.0", "id": request["id"], "result": FORGED}
                connection.sendall(frames.encode(json.dumps(answer).encode()))
    except (OSError, ValueError, frames.BadFrame):
        return False
    return bool(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
