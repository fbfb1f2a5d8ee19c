"""How fast logs become state, beside the bare typed decode of the same bytes in the same run.

    python -m tests.bench.bench_fold FOLDER [FOLDER ...]

Prints one table per folder: bare decode, parse, parse and fold, each as MB/s and as a share of the bare decode;
then the memory that the folded state takes, and the cost of an append to a short and to a long log.
"""

from __future__ import annotations

import gc
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from recapd.adapters.base import Adapter
from recapd.adapters.claude_code.shape import Line as ClaudeLine
from recapd.adapters.registry import recognise
from recapd.core.events import Record
from recapd.core.fold import extend
from recapd.core.lines import START, split
from recapd.core.refs import Place
from recapd.core.state import EMPTY, Transcript
from recapd.core.times import from_epoch

ROUNDS = 5
Lines = list[tuple[bytes, Place]]


def main(folders: list[str]) -> None:
    for folder in folders:
        throughput(Path(folder))
    memory([Path(folder) for folder in folders])
    append_cost()


def throughput(folder: Path) -> None:
    """Bare decode, parse, and parse and fold of every log in the folder, on the same lines.

    Bare decode is measured two ways. Head first: a two-field envelope of each line, then the typed body of those that
    have one, as one reads a log of many record types. One struct: the adapter's own single pass, which is faster.
    """
    logs = load(folder)
    if not logs:
        document_throughput(folder)
        return
    size = sum(len(line) for _, lines in logs for line, _ in lines)
    count = sum(len(lines) for _, lines in logs)
    steps: list[tuple[str, Callable[[], None]]] = [
        ("typed decode, head first", lambda: run_decode(decode_head_first(logs[0][0]), logs)),
        ("typed decode, one struct", lambda: run_decode(decode_at_once(logs[0][0]), logs)),
        ("parse", lambda: run_parse(logs)),
        ("parse and fold", lambda: run_fold(logs)),
    ]
    best = best_times([step for _, step in steps])
    write(f"\n{folder.name}: {len(logs)} logs, {count} lines, {size / 1e6:.1f} MB, best of {ROUNDS}")
    write(f"{'step':<26}{'MB/s':>8}{'µs/line':>10}{'of head first':>15}{'of one struct':>15}")
    for (name, _), seconds in zip(steps, best, strict=True):
        rates = f"{size / 1e6 / seconds:>8.0f}{seconds / count * 1e6:>10.2f}"
        write(f"{name:<26}{rates}{best[0] / seconds:>15.2f}{best[1] / seconds:>15.2f}")


def document_throughput(folder: Path) -> None:
    """The same for logs that are one document each; the reference is the untyped decode of what is JSON."""
    documents = [(adapter, data) for adapter, data in recognised(folder) if adapter.split is not None]
    if not documents:
        write(f"\n{folder.name}: no logs that recapd reads")
        return
    size = sum(len(data) for _, data in documents)
    decode = msgspec.json.Decoder().decode
    steps: list[Callable[[], None]] = [
        lambda: run_whole_decode(decode, [data for _, data in documents]),
        lambda: run_documents(documents),
    ]
    bare, folded = best_times(steps)
    write(f"\n{folder.name}: {len(documents)} documents, {size / 1e6:.1f} MB, best of {ROUNDS}")
    write(f"{'untyped decode':<26}{size / 1e6 / bare:>8.0f} MB/s")
    write(f"{'split, parse and fold':<26}{size / 1e6 / folded:>8.0f} MB/s{bare / folded:>15.2f} of the decode")


def run_whole_decode(decode: Callable[[bytes], object], documents: list[bytes]) -> None:
    """Each document in one go, or line by line where it is no single value."""
    for data in documents:
        for piece in (data,) if data.lstrip()[:1] == b"{" and b"}\n{" not in data else data.split(b"\n"):
            try:
                decode(piece)
            except ValueError:
                continue


def run_documents(documents: list[tuple[Adapter, bytes]]) -> None:
    for adapter, data in documents:
        assert adapter.split is not None
        document = adapter.split(data)
        records = [*document.header, *(record for piece in document.pieces for record in adapter.parse(*piece)[0])]
        extend(EMPTY, records, document.problems)


def memory(folders: list[Path]) -> None:
    """Resident memory of a process that has indexed everything, above one that has only started."""
    idle = resident_of([])
    full = resident_of(folders)
    size = sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())
    allowed = 60 + size / 1e8
    write(f"\nmemory: idle {idle:.1f} MB, indexed {full:.1f} MB, {full - idle:.1f} MB above (allowed {allowed:.1f})")


def append_cost() -> None:
    """One more exchange at the end of a log of 1,000 lines and of 50,000, both with turns of twenty lines."""
    write("\nappending a call and its result, median of 200")
    write(f"{'lines before':<16}{'µs per append':>14}{'ratio':>8}")
    base = 0.0
    for lines in (1_000, 50_000):
        adapter, transcript = grown(lines)
        cost = statistics.median(timed_append(adapter, transcript, lines, number) for number in range(200)) * 1e6
        base = base or cost
        write(f"{lines:<16}{cost:>14.1f}{cost / base:>8.2f}")


def load(folder: Path) -> list[tuple[Adapter, Lines]]:
    """Every log of lines below the folder, cut into lines; documents are read another way."""
    return [(adapter, split(START, data).lines) for adapter, data in recognised(folder) if adapter.split is None]


def recognised(folder: Path) -> list[tuple[Adapter, bytes]]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    found = [(recognise(data), data) for data in (path.read_bytes() for path in paths)]
    return [(adapter, data) for adapter, data in found if adapter is not None]


class Head(msgspec.Struct, gc=False):
    type: str = ""
    uuid: str = ""


def decode_head_first(adapter: Adapter) -> Callable[[bytes], object]:
    """The envelope of every line, then the body of what is said and done; other formats decode untyped."""
    if adapter.name != "claude-code":
        return msgspec.json.Decoder().decode
    head = msgspec.json.Decoder(Head).decode
    body = msgspec.json.Decoder(ClaudeLine).decode

    def decode(line: bytes) -> object:
        found = head(line)
        return body(line) if found.type in ("user", "assistant") else found

    return decode


def decode_at_once(adapter: Adapter) -> Callable[[bytes], object]:
    """The decode that the adapter itself needs, and nothing else."""
    return msgspec.json.Decoder(ClaudeLine).decode if adapter.name == "claude-code" else msgspec.json.Decoder().decode


def run_decode(decode: Callable[[bytes], object], logs: list[tuple[Adapter, Lines]]) -> None:
    for _, lines in logs:
        for line, _ in lines:
            try:
                decode(line)
            except ValueError:
                continue


def run_parse(logs: list[tuple[Adapter, Lines]]) -> None:
    for adapter, lines in logs:
        for line, place in lines:
            adapter.parse(line, place)


def run_fold(logs: list[tuple[Adapter, Lines]]) -> None:
    for adapter, lines in logs:
        fold_lines(adapter, lines)


def fold_lines(adapter: Adapter, lines: Lines, base: Transcript = EMPTY) -> Transcript:
    records: list[Record] = []
    parse = adapter.parse
    for line, place in lines:
        records += parse(line, place)[0]
    return extend(base, records)


def best_times(steps: list[Callable[[], None]]) -> list[float]:
    """Best of several rounds, the steps taking turns, so that a noisy neighbour hits them alike."""
    best = [float("inf")] * len(steps)
    # What was loaded for the benchmark is not the steps' garbage to walk through.
    gc.collect()
    gc.freeze()
    for _ in range(ROUNDS):
        for number, step in enumerate(steps):
            gc.collect()
            started = time.perf_counter()
            step()
            best[number] = min(best[number], time.perf_counter() - started)
    return best


def resident_of(folders: list[Path]) -> float:
    """MB that a fresh interpreter holds after indexing the folders; the state is kept, the lines are not."""
    code = "import sys; from tests.bench.bench_fold import index; index(sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", code, *map(str, folders)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def index(folders: list[str]) -> None:
    """Index everything the way a command does, then print the resident size in MB."""
    from recapd.daemon.library import Library

    library = Library([Path(folder) for folder in folders])
    for path in library.newest_logs():
        library.try_load(path)
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    write(f"{pages * resource.getpagesize() / 1e6:.2f}")


def grown(lines: int) -> tuple[Adapter, Transcript]:
    """A synthetic log of so many lines, folded: turns of twenty lines, a file touched now and then."""
    adapter: Adapter | None = None
    transcript = EMPTY
    offset = 0
    for start in range(0, lines, 1_000):
        batch: Lines = []
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
    started = time.perf_counter()
    fold_lines(adapter, pair, transcript)
    return time.perf_counter() - started


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


def write(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
