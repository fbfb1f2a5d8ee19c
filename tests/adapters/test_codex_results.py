"""What Codex tools came back with: failures, exit codes, refusals and answers out of the text they left."""

from __future__ import annotations

import json

import msgspec
import pytest

from recapd.adapters.codex import adapter as codex
from recapd.adapters.codex import bare as codex_bare
from recapd.core.log.events import Result
from recapd.core.log.refs import Place


def wrapped(text: str, code: int) -> str:
    return json.dumps({"output": text, "metadata": {"exit_code": code, "duration_seconds": 0.1}}, separators=(",", ":"))


# The payload is the output as it stands in the log, unless the row says otherwise.
RESULTS: list[tuple[str, object, Result]] = [
    ("plain", "ok", Result("c1")),
    ("fine by its first line", "Exit code: 0\nWall time: 0 seconds\nOutput:\nfine", Result("c1", exit_code=0)),
    ("failed by its first line", "Exit code: 2\nOutput:\n", Result("c1", failed=True, exit_code=2)),
    ("fine in a wrapper", wrapped("yes", 0), Result("c1", exit_code=0, payload=b'"yes"')),
    ("failed in a wrapper", wrapped("no", 1), Result("c1", failed=True, exit_code=1, payload=b'"no"')),
    (
        "code in the head, not in what the command printed",
        "Chunk ID: 1\nProcess exited with code 7\nOutput:\nProcess exited with code 0\n",
        Result("c1", exit_code=7),
    ),
    (
        "still running",
        "Chunk ID: 1\nProcess running with session ID 2\nOutput:\nProcess exited with code 0\n",
        Result("c1", process="2"),
    ),
    (
        "stopped by the sandbox",
        "failed in sandbox X: denied, exit code: 1, stdout: .F",
        Result("c1", exit_code=1, undone=True),
    ),
    ("patch that does not fit", "apply_patch verification failed: no such line", Result("c1", undone=True)),
    ("failure far inside what a command printed", "x" * 5000 + "Exit code: 1" + "y" * 5000, Result("c1")),
    ("failure at the very end", "x" * 5000 + '"exit_code": 1', Result("c1", failed=True)),
    ("success denied in JSON", '{"success":\n false}', Result("c1", failed=True)),
    ("success of another word", '{"success": true, "exit_code": 0}', Result("c1")),
    ("refused command", "exec command rejected by user", Result("c1", denied=True)),
    ("refused patch", "patch rejected by user", Result("c1", denied=True)),
    (
        "answers of the human",
        '{"answers":{"db":{"answers":["a","and fast"]}}}',
        Result("c1", answers=(("db", "a, and fast"),)),
    ),
    ("answers of an odd shape", '{"answers":[1]}', Result("c1")),
    ("sub-agent started", '{"agent_id":"t2","nickname":"Kim"}', Result("c1", subagent="t2")),
    ("texts and pictures", [{"type": "input_text", "text": "seen"}], Result("c1")),
    ("an object", {"content": "no", "success": False}, Result("c1", failed=True, payload=b'"no"')),
]


@pytest.mark.parametrize(("output", "expected"), [row[1:] for row in RESULTS], ids=[row[0] for row in RESULTS])
@pytest.mark.parametrize("kind", ["function_call_output", "custom_tool_call_output"])
def test_results(kind: str, output: object, expected: Result) -> None:
    expected = msgspec.structs.replace(expected, payload=expected.payload or json.dumps(output).encode())
    item = {"type": kind, "call_id": "c1", "output": output}
    bare = json.dumps(item).encode()
    line = json.dumps({"timestamp": "", "type": "response_item", "payload": item}).encode()
    for adapter, data in ((codex.ADAPTER, line), (codex_bare.ADAPTER, bare)):
        (record,), problems = adapter.parse(data, Place(1, 0, len(data)))
        assert record.events == (expected,)
        assert not problems
