"""Anthropic's Messages API on a loopback port, as far as a client can tell: plain, streamed, counting, and in trouble.
It speaks OpenAI's chat completions too, below `/v1`, and is in the same trouble there.

    with anthropic_service() as service:
        service.next("overloaded", "ok")      # what comes next, in order; after that all is well
        ... LlmSettings(base_url=service.url) ...
        assert service.requests[0].text       # every request, whole

Real HTTP, real sockets, threads of its own; no test waits for longer than its gate.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, Literal, TypeAlias

import msgspec

from tests.support.clock import PATIENCE_S

Behaviour: TypeAlias = Literal[
    "ok",
    "badRequest",  # 400
    "unauthorized",  # 401
    "notFound",  # 404
    "rateLimited",  # 429, with retry-after
    "waitAnHour",  # 429, with a long one
    "failing",  # 500
    "overloaded",  # 529
    "hanging",  # answers when the gate opens
    "dropped",  # the connection is closed without a word
    "halfway",  # closed in the middle of the answer
    "broken",  # 200, but no JSON
    "shapeless",  # 200, JSON of another shape
    "empty",  # no text
    "blank",  # text of spaces
    "notText",  # a block that is no text
    "truncated",  # stop_reason max_tokens
    "refusing",  # stop_reason refusal
    "repeating",  # one word over and over
    "leaking",  # the answer quotes the whole request
    "flooding",  # megabytes
]

SUMMARY: Final = (
    "The user wants the job queue to survive restarts. Postgres was chosen for it, and worker.py was changed so that "
    "jobs are taken with a lock. The tests pass. What to do about old jobs is still open."
)
_STATUS: Final = {
    "badRequest": (400, "invalid_request_error"),
    "unauthorized": (401, "authentication_error"),
    "notFound": (404, "not_found_error"),
    "rateLimited": (429, "rate_limit_error"),
    "waitAnHour": (429, "rate_limit_error"),
    "failing": (500, "api_error"),
    "overloaded": (529, "overloaded_error"),
}
_RETRY_AFTER: Final = {"rateLimited": "1", "waitAnHour": "3600"}
INPUT_TOKENS: Final = 1_000
OUTPUT_TOKENS: Final = 100


class Received(msgspec.Struct, frozen=True):
    """A request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def is_openai(self) -> bool:
        return self.path == "/v1/chat/completions"

    @property
    def model(self) -> str:
        return str(json.loads(self.body)["model"])

    @property
    def prompt(self) -> str:
        body = json.loads(self.body)
        said = (each["content"] for each in body["messages"])
        # In one text, or in blocks.
        texts = (each if isinstance(each, str) else "\n\n".join(block["text"] for block in each) for each in said)
        return "\n".join((str(body.get("system", "")), *texts))


class FakeAnthropic:
    """One service: what it received, and what it does next."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.summary = SUMMARY
        # What is said to a request, where that depends on it.
        self.answer: Callable[[Received], str] = lambda received: self.summary
        # Opened, it lets those that hang go on.
        self.gate = threading.Event()
        self.hanging = threading.Semaphore(0)
        self._plan: list[Behaviour] = []
        self._lock = threading.Lock()
        self.url = ""
        self.at_once = 0
        self.most_at_once = 0

    def next(self, *behaviours: Behaviour) -> None:
        with self._lock:
            self._plan += behaviours

    def took(self, received: Received) -> Behaviour:
        with self._lock:
            self.requests.append(received)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            return self._plan.pop(0) if self._plan else "ok"

    def done(self) -> None:
        with self._lock:
            self.at_once -= 1


@contextmanager
def anthropic_service() -> Iterator[FakeAnthropic]:
    service = FakeAnthropic()
    server = _Server(("127.0.0.1", 0), _handler_of(service))
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.gate.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


class _Server(ThreadingHTTPServer):
    # With the default of 5, a hundred clients at once are reset.
    request_queue_size = 512
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was cancelled closes its end; that is no error of ours."""


def _handler_of(service: FakeAnthropic) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on stderr."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            if self.path.startswith("/v1/messages/count_tokens"):
                self._send(200, {"input_tokens": len(body) // 4})
                return
            behaviour = service.took(received)
            try:
                self._behave(behaviour, received)
            finally:
                service.done()

        def _behave(self, behaviour: Behaviour, received: Received) -> None:
            request: dict[str, object] = json.loads(received.body)
            if behaviour == "hanging":
                service.hanging.release()
                service.gate.wait(PATIENCE_S)
            if behaviour == "dropped":
                self.close_connection = True
                self.connection.close()
            elif behaviour in _STATUS:
                status, kind = _STATUS[behaviour]
                error = {"type": "error", "error": {"type": kind, "message": json.dumps(request)}}
                self._send(status, error, retry_after=_RETRY_AFTER.get(behaviour, ""))
            elif behaviour == "broken":
                self._send_bytes(200, b'{"id": "msg_1", "content": [{"type": "te')
            elif behaviour == "shapeless":
                self._send(200, {"hello": ["world"]})
            elif behaviour == "halfway":
                self._begin(200, 10_000)
                self.wfile.write(b'{"id":')
                self.close_connection = True
                self.connection.close()
            elif behaviour == "flooding":
                self._send(200, {"choices": [{"message": {"content": "x" * (5 << 20)}}], "content": []})
            elif received.is_openai:
                self._send(200, _completion(_message(service, behaviour, received)))
            elif request.get("stream"):
                self._stream(_message(service, behaviour, received))
            else:
                self._send(200, _message(service, behaviour, received))

        def _stream(self, message: dict[str, object]) -> None:
            """The same message as events."""
            content = message["content"]
            assert isinstance(content, list)
            begun = {**message, "content": [], "stop_reason": None}
            events: list[dict[str, object]] = [{"type": "message_start", "message": begun}]
            for index, block in enumerate(content):
                empty = {**block, "text": ""} if block["type"] == "text" else block
                events.append({"type": "content_block_start", "index": index, "content_block": empty})
                if block["type"] == "text":
                    delta = {"type": "text_delta", "text": block["text"]}
                    events.append({"type": "content_block_delta", "index": index, "delta": delta})
                events.append({"type": "content_block_stop", "index": index})
            delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
            events.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": OUTPUT_TOKENS}})
            events.append({"type": "message_stop"})
            text = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)
            self._send_bytes(200, text.encode(), kind="text/event-stream")

        def _send(self, status: int, value: object, *, retry_after: str = "") -> None:
            self._send_bytes(status, json.dumps(value).encode(), retry_after=retry_after)

        def _send_bytes(
            self, status: int, data: bytes, *, kind: str = "application/json", retry_after: str = ""
        ) -> None:
            self._begin(status, len(data), kind=kind, retry_after=retry_after)
            self.wfile.write(data)

        def _begin(self, status: int, size: int, *, kind: str = "application/json", retry_after: str = "") -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(size))
            if retry_after:
                self.send_header("retry-after", retry_after)
            self.end_headers()

    return Handler


def _completion(message: dict[str, object]) -> dict[str, object]:
    """The same message as OpenAI would have it."""
    blocks = message["content"]
    assert isinstance(blocks, list)
    text = "".join(str(block.get("text", "")) for block in blocks)
    stops = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": stops[str(message["stop_reason"])]}
    usage = {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS}
    return {"id": "chatcmpl_1", "model": message["model"], "choices": [choice], "usage": usage}


def _message(service: FakeAnthropic, behaviour: Behaviour, received: Received) -> dict[str, object]:
    request: dict[str, object] = json.loads(received.body)
    said = service.answer(received)
    texts = {
        "blank": "  \n ",
        "repeating": "again " * 400,
        "leaking": json.dumps(request),
        "truncated": said[: len(said) // 2],
    }
    content: list[dict[str, object]] = [{"type": "text", "text": texts.get(behaviour, said)}]
    if behaviour == "empty":
        content = []
    elif behaviour == "notText":
        content = [{"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}]
    stops = {"truncated": "max_tokens", "refusing": "refusal"}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": content,
        "stop_reason": stops.get(behaviour, "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS},
    }
