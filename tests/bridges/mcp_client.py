"""`recapd mcp` as an agent has it: a process, lines in and lines out, with the revision that a test wants to speak."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Json = dict[str, Any]
MODERN = "2026-07-28"
_META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class McpClient:
    def __init__(self, process: subprocess.Popen[bytes], *, is_modern: bool) -> None:
        self.process = process
        self._is_modern = is_modern
        self._last_id = 0
        self.notifications: list[Json] = []

    def send(self, message: Json) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def next_message(self) -> Json:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server ended"
        found: Json = json.loads(line)
        return found

    def request(self, method: str, **params: Any) -> Json:
        """The whole answer: its `result`, or its `error`."""
        self._last_id += 1
        if self._is_modern:
            params["_meta"] = _META
        self.send({"id": self._last_id, "method": method, "params": params})
        while True:
            message = self.next_message()
            if message.get("id") == self._last_id:
                return message
            self.notifications.append(message)

    def ask(self, method: str, **params: Any) -> Json:
        answer = self.request(method, **params)
        assert "result" in answer, answer
        result: Json = answer["result"]
        return result

    def call(self, name: str, **arguments: Any) -> str:
        """What a tool says; an error of the tool fails the test."""
        result = self.ask("tools/call", name=name, arguments=arguments)
        assert not result.get("isError"), result
        text: str = result["content"][0]["text"]
        return text

    def next_notification(self) -> Json:
        return self.notifications.pop(0) if self.notifications else self.next_message()


@contextmanager
def mcp_client(environ: Mapping[str, str], *, cwd: Path, is_modern: bool = False) -> Iterator[McpClient]:
    process = subprocess.Popen(
        [sys.executable, "-m", "recapd", "mcp"],
        env=dict(environ),
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    client = McpClient(process, is_modern=is_modern)
    try:
        if not is_modern:
            client.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "test"})
            client.send({"method": "notifications/initialized"})
        yield client
    finally:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.wait(30)
        process.stdout.close()
