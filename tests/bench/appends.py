"""The cost of an append to a short log and to a long one: it must not grow with the history. Run by bench_fold."""

from __future__ import annotations

import statistics
import time

import msgspec

from recapd.adapters.registry import recognise
from recapd.adapters.shared.base import Adapter, Lines
from recapd.core.log.refs import Place
from recapd.core.log.times import from_epoch
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY, Transcript
from recapd.daemon.log_files.reading import parse_lines
from tests.bench.output import write

APPENDS = 400


def append_cost() -> None:
    """One more exchange at the end of a log of 1,000 lines and of 50,000, both with turns of twenty lines, in turns."""
    sizes = (1_000, 50_000)
    logs = [grown(lines) for lines in sizes]
    taken: list[list[float]] = [[] for _ in sizes]
    for number in range(APPENDS):
        for row, lines in enumerate(sizes):
            taken[row].append(timed_append(*logs[row], lines, number) * 1e6)
    write(f"\nappending a call and its result, best and median of {APPENDS}")
    write(f"{'lines before':<16}{'µs at best':>12}{'median':>10}{'ratio':>8}{'of medians':>12}")
    short = taken[0]
    for lines, each in zip(sizes, taken, strict=True):
        best, median = min(each), statistics.median(each)
        ratios = f"{best / min(short):>8.2f}{median / statistics.median(short):>12.2f}"
        write(f"{lines:<16}{best:>12.1f}{median:>10.1f}{ratios}")


def fold_lines(adapter: Adapter, lines: Lines, base: Transcript = EMPTY) -> Transcript:
    return extend(base, *parse_lines(adapter, lines))


def grown(lines: int) -> tuple[Adapter, Transcript]:
    """A synthetic log of so many lines, folded: turns of twenty lines, a file touched now and then."""
    adapter: Adapter | None = None
    transcript = EMPTY
    offset = 0
    for start in range(0, lines, 1_000):
        batch: list[tuple[bytes, Place]] = []
        for number in range(start, min(start + 1_000, lines)):
            line = synthetic_line(number)
            batch.append((line, Place(number + 1, offset, len(line))))
            offset += len(line) + 1
        adapter = adapter or recognise(b"\n".join(line for line, _ in batch))
        assert adapter is not None
        transcript = fold_lines(adapter, batch, transcript)
    assert adapter is not None
    return adapter, transcript


def timed_append(adapter: Adapter, transcript: Transcript, lines: int, number: int) -> float:
    first = lines + 2 * number - (lines % 20) + 21
    pair = [(line, Place(first, 0, len(line))) for line in (synthetic_line(first), synthetic_line(first + 1))]
    started = time.thread_time()
    fold_lines(adapter, pair, transcript)
    return time.thread_time() - started


def synthetic_line(number: int) -> bytes:
    """Line of a Claude Code log: a prompt, then nine calls with their results, then an answer."""
    within = number % 20
    body: dict[str, object]
    if within == 0:
        body = {"type": "user", "message": {"role": "user", "content": f"please change part {number} of the parser"}}
    elif within == 19:
        text = f"Changed part {number}; the tests pass. Shall I go on?"
        body = {"type": "assistant", "message": {"id": f"m{number}", "content": [{"type": "text", "text": text}]}}
    elif within % 2:
        path = f"/work/project/src/module_{number // 40 % 400}.py"
        call = {"type": "tool_use", "id": f"c{number}", "name": "Edit", "input": {"file_path": path, "old_string": "a"}}
        body = {"type": "assistant", "message": {"id": f"m{number}", "model": "m", "content": [call]}}
    else:
        result = {"type": "tool_result", "tool_use_id": f"c{number - 1}", "content": "updated " + "x" * 400}
        body = {"type": "user", "message": {"role": "user", "content": [result]}}
    head = {
        "uuid": f"{number:08x}-0000-4000-8000-000000000000",
        "parentUuid": f"{number - 1:08x}-0000-4000-8000-000000000000" if number else None,
        "sessionId": "5e55104e-0000-4000-8000-000000000000",
        "timestamp": from_epoch(1_767_225_600 + number),
        "cwd": "/work/project",
        "version": "2.1.100",
        "isSidechain": False,
    }
    return msgspec.json.encode(head | body)
