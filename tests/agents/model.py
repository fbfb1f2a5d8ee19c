"""A model for real agents that costs nothing and knows its lines: a loopback endpoint that speaks Anthropic's messages
and OpenAI's responses.

    with scripted_model([Say("I look first."), Hold(gate), Run("ls")], [Say("Done.")]) as model:
        start an agent with model.url; its first request gets the first answer, and so on

Agents ask for more than their users do: titles, counts, a summary of a page. What has no tools to call is such, gets a
word, and uses no line of the script up.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from msgspec import Struct

# Tokens in a full window.
_FULL = 50_000
# Nobody who holds an answer back holds it longer.
_LONGEST_S = 120.0
# By these an agent's request for a summary of everything is known.
_SUMMARIZE = (
    "CRITICAL: Respond with TEXT ONLY",
    "detailed summary of the conversation",
    "context checkpoint summary",
    "CONTEXT CHECKPOINT COMPACTION",
    "This is the PREFIX of a turn",
)


class Say(Struct, frozen=True):
    text: str


class Run(Struct, frozen=True):
    """A shell command, by whatever tool the agent has for that."""

    command: str


class Use(Struct, frozen=True):
    """A call of a tool that the agent was given, by the last part of its name."""

    tool: str
    arguments: dict[str, Any]


class Hold(Struct, frozen=True):
    """Nothing more comes before the gate is open."""

    gate: threading.Event


Line: TypeAlias = Say | Run | Use | Hold
Json: TypeAlias = dict[str, Any]


class Model:
    """The script, how far it is, and what was asked."""

    def __init__(self, answers: Sequence[Sequence[Line]]) -> None:
        self._answers = list(answers)
        self._lock = threading.Lock()
        self._numbers = iter(range(1, 1 << 30))
        # Bodies of all requests, in the order they came.
        self.requests: list[Json] = []
        # What is answered to whoever wants the conversation summarized.
        self.summary = "The conversation so far."
        # Words with which the window is full: an agent that is told so compacts.
        self.full_after = ""
        self.url = ""

    def next_answer(self, body: Json) -> Sequence[Line]:
        with self._lock:
            self.requests.append(body)
            if asks_for_summary(body):
                return [Say(f"<analysis>short</analysis><summary>{self.summary}</summary>")]
            if not body.get("tools"):
                return [Say("ok")]
            return self._answers.pop(0) if self._answers else [Say("There is nothing more to say.")]

    def count_read(self, body: Json) -> int:
        """What it says that it was given: little, until its window is full."""
        is_full = bool(self.full_after) and self.full_after in json.dumps(body.get("messages") or body.get("input"))
        return _FULL if is_full and not asks_for_summary(body) else 10

    def next_number(self) -> int:
        with self._lock:
            return next(self._numbers)


def asks_for_summary(body: Json) -> bool:
    said = json.dumps((body.get("messages") or body.get("input") or [""])[-1])
    return any(words in said for words in _SUMMARIZE)


@contextmanager
def scripted_model(*answers: Sequence[Line]) -> Iterator[Model]:
    model = Model(answers)

    class Bound(_Handler):
        its_model = model

    server = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
    server.daemon_threads = True
    model.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    its_model: Model

    def log_message(self, format: str, *args: object) -> None:
        """Not on the terminal of the tests."""

    def do_HEAD(self) -> None:
        self._send_json({})

    def do_GET(self) -> None:
        self._send_json({})

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(data)
        except ValueError:
            body = {}
        try:
            if self.path.startswith("/v1/messages") and "count_tokens" not in self.path:
                self._answer_messages(body)
            elif self.path.startswith("/v1/responses"):
                self._answer_responses(body)
            else:
                self._send_json({"input_tokens": 100})
        except (BrokenPipeError, ConnectionResetError):
            # The agent was stopped or ended in the middle of it.
            self.close_connection = True

    def _send_json(self, value: Json) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _begin_events(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True

    def _event(self, kind: str, **fields: object) -> None:
        self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode())
        self.wfile.flush()

    # ---- Anthropic's messages

    def _answer_messages(self, body: Json) -> None:
        lines = self.its_model.next_answer(body)
        stop = "tool_use" if any(isinstance(line, Run | Use) for line in lines) else "end_turn"
        message: Json = {
            "id": f"msg_{self.its_model.next_number()}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": self.its_model.count_read(body), "output_tokens": 1},
        }
        if not body.get("stream"):
            blocks = [self._block(line, body) for line in lines if not isinstance(line, Hold)]
            self._send_json({**message, "content": blocks, "stop_reason": stop})
            return
        self._begin_events()
        self._event("message_start", message=message)
        index = 0
        for line in lines:
            if isinstance(line, Hold):
                line.gate.wait(_LONGEST_S)
                continue
            block = self._block(line, body)
            if isinstance(line, Say):
                begun, delta = {**block, "text": ""}, {"type": "text_delta", "text": line.text}
            else:
                arguments = json.dumps(block["input"])
                begun, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": arguments}
            self._event("content_block_start", index=index, content_block=begun)
            self._event("content_block_delta", index=index, delta=delta)
            self._event("content_block_stop", index=index)
            index += 1
        self._event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 20})
        self._event("message_stop")

    def _block(self, line: Say | Run | Use, body: Json) -> Json:
        if isinstance(line, Say):
            return {"type": "text", "text": line.text}
        call = f"toolu_{self.its_model.next_number()}"
        if isinstance(line, Use):
            names = [tool["name"] for tool in body.get("tools", []) if tool.get("name", "").endswith(line.tool)]
            return {"type": "tool_use", "id": call, "name": (names or [line.tool])[0], "input": line.arguments}
        return {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": line.command, "description": "x"}}

    # ---- OpenAI's responses

    def _answer_responses(self, body: Json) -> None:
        lines = self.its_model.next_answer(body)
        response = f"resp_{self.its_model.next_number()}"
        self._begin_events()
        self._event("response.created", response={"id": response})
        for index, line in enumerate(lines):
            if isinstance(line, Hold):
                line.gate.wait(_LONGEST_S)
            else:
                self._event("response.output_item.done", output_index=index, item=self._item(line, body))
        counted: Json = {"input_tokens_details": None, "output_tokens_details": None}
        read = self.its_model.count_read(body)
        usage = {"input_tokens": read, "output_tokens": 5, "total_tokens": read + 5, **counted}
        self._event("response.completed", response={"id": response, "usage": usage})

    def _item(self, line: Say | Run | Use, body: Json) -> Json:
        number = self.its_model.next_number()
        names = {tool.get("name") for tool in body.get("tools", [])}
        if isinstance(line, Say):
            content = [{"type": "output_text", "text": line.text}]
            return {"type": "message", "role": "assistant", "id": f"m{number}", "content": content}
        if isinstance(line, Use):
            return self._use(line, body, number)
        tool = next((name for name in ("exec_command", "shell_command", "shell") if name in names), "exec_command")
        spellings: dict[str, Json] = {
            "exec_command": {"cmd": line.command},
            "shell_command": {"command": line.command},
            "shell": {"command": ["bash", "-lc", line.command]},
        }
        call: Json = {"type": "function_call", "id": f"fc{number}", "call_id": f"call_{number}", "name": tool}
        return {**call, "arguments": json.dumps(spellings[tool])}

    def _use(self, line: Use, body: Json, number: int) -> Json:
        """Codex has the tools of a server in a namespace of their own."""
        call: Json = {"type": "function_call", "id": f"fc{number}", "call_id": f"call_{number}"}
        call["arguments"] = json.dumps(line.arguments)
        for tool in body.get("tools", []):
            for inner in tool.get("tools") or ():
                if inner.get("name") == line.tool:
                    return {**call, "name": line.tool, "namespace": tool["name"]}
            if str(tool.get("name", "")).endswith(line.tool):
                return {**call, "name": tool["name"]}
        return {**call, "name": line.tool}
