"""Frames: what is understood, what is refused, in whatever pieces the bytes arrive."""

from __future__ import annotations

import json
import time

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.server.transport.envelope import is_deeper_than
from recapd.server.transport.frames import BrokenFrame, FrameReader, frame
from recapd.server.transport.limits import Limits
from tests.support.wire_client import memory_pipe

LIMITS = Limits(header_line_bytes=64, header_bytes=200, body_bytes=1_000)
# A frame that is not finished at once is given up.
IMPATIENT = Limits(frame_s=0)


def read(data: list[bytes], limits: Limits = LIMITS, *, is_silent: bool = False) -> tuple[list[bytes], str]:
    """Bodies read from these pieces, and why reading ended: "" at the end of the stream."""

    async def main() -> tuple[list[bytes], str]:
        ours, theirs = memory_pipe(len(data) + 1)
        bodies: list[bytes] = []
        async with ours, theirs:
            for piece in data:
                await ours.send(piece)
            if not is_silent:
                await ours.send_eof()
            frames = FrameReader(theirs, limits)
            try:
                while (body := await frames.next()) is not None:
                    bodies.append(body)
            except BrokenFrame as broken:
                return bodies, str(broken)
        return bodies, ""

    return anyio.run(main)


@pytest.mark.parametrize(
    ("data", "bodies"),
    [
        (b"", []),
        (b"Content-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"content-length: 2\r\n\r\n{}", [b"{}"]),
        (b"CONTENT-LENGTH:2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length :  2 \r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 2\n\n{}", [b"{}"]),
        (b"Content-Type: application/json; charset=utf-8\r\nX-Other: a:b\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 0\r\n\r\n", [b""]),
        (b"Content-Length: 0002\r\n\r\n{}", [b"{}"]),
        (b"\r\n\nContent-Length: 2\n\n{}\n\r\n", [b"{}"]),
        (b"Content-Length: 1\r\n\r\n1Content-Length: 2\r\n\r\n22", [b"1", b"22"]),
        (b"Content-Length: 1000\r\n\r\n" + b"x" * 1000, [b"x" * 1000]),
    ],
)
def test_understood(data: bytes, bodies: list[bytes]) -> None:
    assert read([data]) == (bodies, "")
    assert read([data[at : at + 1] for at in range(len(data))]) == (bodies, "")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"Content-Length: abc\r\n\r\n{}", "no length"),
        (b"Content-Length: -5\r\n\r\n{}", "no length"),
        (b"Content-Length: +2\r\n\r\n{}", "no length"),
        (b"Content-Length: 2.0\r\n\r\n{}", "no length"),
        (b"Content-Length: 1_0\r\n\r\n{}", "no length"),
        (b"Content-Length:\r\n\r\n{}", "no length"),
        (b"Content-Length: " + "٢".encode() + b"\r\n\r\n{}", "no length"),
        (b"Content-Length: 1000000000000\r\n\r\n{}", "too long"),
        (b"Content-Length: " + b"9" * 40 + b"\r\n\r\n{}", "no length"),
        (b"Content-Length: 1001\r\n\r\n" + b"x" * 600, "too long"),
        (b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "two lengths"),
        (b"Content-Type: x\r\n\r\n{}", "no Content-Length"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "no colon"),
        # A bare line of JSON reads as a header, which never ends.
        (b'{"jsonrpc":"2.0"}\n', "inside a frame"),
        (b"x" * 70_000, "line is too long"),
        (b"X: " + b"x" * 70_000 + b"\r\nContent-Length: 2\r\n\r\n{}", "line is too long"),
        (b"X: 1234567890\r\n" * 50 + b"Content-Length: 2\r\n\r\n{}", "header is too long"),
        (b"Content-Length: 5\r\n\r\n{}", "inside a frame"),
        (b"Content-Le", "inside a frame"),
    ],
)
def test_refused(data: bytes, why: str) -> None:
    for pieces in ([data], [data[at : at + 7] for at in range(0, len(data), 7)]):
        bodies, broken = read(pieces)
        assert bodies == []
        assert why in broken


@pytest.mark.parametrize("begun", [b"C", b"Content-Length: 5\r\n\r\n", b"Content-Length: 5\r\n\r\n{}"])
def test_half_a_frame_then_silence(begun: bytes) -> None:
    """A frame that was begun has a deadline."""
    whole = frame(b"{}")
    assert read([whole + begun], IMPATIENT, is_silent=True) == ([b"{}"], "a frame was begun and not finished in time")


def test_silence_between_frames_has_no_deadline() -> None:
    async def main() -> bytes | None:
        ours, theirs = memory_pipe()
        body: list[bytes | None] = []

        async def reader() -> None:
            body.append(await FrameReader(theirs, IMPATIENT).next())

        async with ours, theirs, anyio.create_task_group() as tasks:
            tasks.start_soon(reader)
            await anyio.wait_all_tasks_blocked()
            assert body == []
            await ours.send(b"\r\n")
            await anyio.wait_all_tasks_blocked()
            await ours.send(frame(b"{}"))
        return body[0]

    assert anyio.run(main) == b"{}"


@given(st.lists(st.binary(max_size=40), max_size=5), st.lists(st.integers(1, 30), min_size=1, max_size=5))
def test_any_pieces(bodies: list[bytes], sizes: list[int]) -> None:
    data = b"".join(frame(body) for body in bodies)
    pieces: list[bytes] = []
    while data:
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(data[:size])
        data = data[size:]
    assert read(pieces) == (bodies, "")


@pytest.mark.parametrize(
    ("body", "is_deep"),
    [
        (b"[" * 4 + b"]" * 4, False),
        (b"[" * 5 + b"]" * 5, True),
        (b'[{"a":[{}]}]', False),
        (b'[{"a":[{"b":[]}]}]', True),
        (b"[[],[],[],[],[],[[]]]", False),
        (b'["[[[[[[[["]', False),
        (rb'["\"[[[[[[[[", [[]]]', False),
        (rb'["\\", [[[[[]]]]]]', True),
        (b"[]" * 200_000, False),
        (b"[]" * 200_000 + b"[" * 5, True),
    ],
)
def test_nesting(body: bytes, is_deep: bool) -> None:
    assert is_deeper_than(4, body) is is_deep


@given(st.recursive(st.text(alphabet='[]{}"\\a'), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_nesting_of_any_json(value: object) -> None:
    def depth(part: object) -> int:
        parts = part.values() if isinstance(part, dict) else part if isinstance(part, list) else None
        return 0 if parts is None else 1 + max(map(depth, parts), default=0)

    body = json.dumps(value).encode()
    deepest = depth(value)
    assert not is_deeper_than(deepest, body)
    assert deepest == 0 or is_deeper_than(deepest - 1, body)


@pytest.mark.parametrize("unit", [b"[]", b'"', b'\\"', b'"\\', b"[{", b'["'])
def test_nesting_takes_linear_time(unit: bytes) -> None:
    def seconds(size: int) -> float:
        body = b'"' + unit * (size // len(unit))
        # Of this thread alone: how busy the machine is must not count.
        start = time.thread_time()
        is_deeper_than(128, body)
        return time.thread_time() - start

    assert min(seconds(800_000) for _ in range(3)) < 40 * max(min(seconds(100_000) for _ in range(3)), 0.0005)


def test_a_long_document_is_passed_over() -> None:
    told = b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"text":"' + b"x" * 3_000 + b'"}}'
    stream = frame(told) + frame(b"1") + frame(told) + frame(told) + frame(b"2")
    for size in (1, 7, 1_000, len(stream)):
        assert read([stream[at : at + size] for at in range(0, len(stream), size)]) == ([b"1", b"2"], "")
    # At the end of the stream, and in no more time than another.
    assert read([frame(told)]) == ([], "")
    assert "ended" in read([frame(told)[:-1]])[1]
    assert "in time" in read([frame(told)[:-1]], Limits(body_bytes=1_000, frame_s=0), is_silent=True)[1]
    assert "too long" in read([frame(told)], Limits(body_bytes=1_000, passed_bytes=2_000))[1]
