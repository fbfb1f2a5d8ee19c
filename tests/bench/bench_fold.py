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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from recapd.adapters.claude_code.shape import Line as ClaudeLine
from recapd.adapters.registry import recognise
from recapd.adapters.shared.base import Adapter
from recapd.core.log.lines import START, split
from recapd.core.log.refs import Place
from recapd.core.state.draft import start_draft
from recapd.core.state.folding import extend, freeze, take
from recapd.core.state.transcript import EMPTY
from recapd.daemon.log_files.reading import parse_lines
from recapd.daemon.parse_worker import SLICE_BYTES
from tests.bench.appends import append_cost
from tests.bench.output import write

# Neighbours on the machine only ever add time, in bursts: of many short rounds over each log some are undisturbed.
ROUNDS = 15
Lines = list[tuple[bytes, Place]]
# A log as the process that indexes reads it: in slices.
Log = tuple[Adapter, list[Lines]]
T = TypeVar("T")


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
    size = sum(len(line) for _, slices in logs for lines in slices for line, _ in lines)
    count = sum(len(lines) for _, slices in logs for lines in slices)
    steps: list[tuple[str, Callable[[Log], None]]] = [
        ("typed decode, head first", run_decode(decode_head_first(logs[0][0]))),
        ("typed decode, one struct", run_decode(decode_at_once(logs[0][0]))),
        ("parse", run_parse),
        ("parse and fold", run_fold),
    ]
    taken = times([step for _, step in steps], logs)
    write(f"\n{folder.name}: {len(logs)} logs, {count} lines, {size / 1e6:.1f} MB")
    write(f"best of {ROUNDS} rounds for each log, and in brackets the ratio of the median round")
    write(f"{'step':<26}{'MB/s':>8}{'µs/line':>10}{'of head first':>17}{'of one struct':>17}")
    for number, (name, _) in enumerate(steps):
        seconds = taken[number].best
        rates = f"{size / 1e6 / seconds:>8.0f}{seconds / count * 1e6:>10.2f}"
        write(f"{name:<26}{rates}{share(taken, 0, number):>17}{share(taken, 1, number):>17}")


def share(taken: list[Times], reference: int, step: int) -> str:
    rounds = zip(taken[reference].rounds, taken[step].rounds, strict=True)
    median = statistics.median(bare / seconds for bare, seconds in rounds)
    return f"{taken[reference].best / taken[step].best:.2f} ({median:.2f})"


def document_throughput(folder: Path) -> None:
    """The same for logs that are one document each; the reference is the untyped decode of what is JSON."""
    documents = [(adapter, data) for adapter, data in recognised(folder) if adapter.split is not None]
    if not documents:
        write(f"\n{folder.name}: no logs that recapd reads")
        return
    size = sum(len(data) for _, data in documents)
    decode = msgspec.json.Decoder().decode
    steps: list[Callable[[tuple[Adapter, bytes]], None]] = [
        lambda document: run_whole_decode(decode, document[1]),
        run_document,
    ]
    bare, folded = (taken.best for taken in times(steps, documents))
    write(f"\n{folder.name}: {len(documents)} documents, {size / 1e6:.1f} MB, best of {ROUNDS} rounds for each")
    write(f"{'untyped decode':<26}{size / 1e6 / bare:>8.0f} MB/s")
    write(f"{'split, parse and fold':<26}{size / 1e6 / folded:>8.0f} MB/s{bare / folded:>15.2f} of the decode")


def run_whole_decode(decode: Callable[[bytes], object], data: bytes) -> None:
    """The document in one go, or line by line where it is no single value."""
    for piece in (data,) if data.lstrip()[:1] == b"{" and b"}\n{" not in data else data.split(b"\n"):
        try:
            decode(piece)
        except ValueError:
            continue


def run_document(log: tuple[Adapter, bytes]) -> None:
    adapter, data = log
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


def load(folder: Path) -> list[Log]:
    """Every log of lines below the folder, cut into lines; documents are read another way."""
    return [(adapter, list(sliced(data))) for adapter, data in recognised(folder) if adapter.split is None]


def sliced(data: bytes) -> Iterator[Lines]:
    carry = START
    for start in range(0, len(data), SLICE_BYTES):
        pieces = split(carry, data[start : start + SLICE_BYTES])
        carry = pieces.carry
        yield pieces.lines


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


def run_decode(decode: Callable[[bytes], object]) -> Callable[[Log], None]:
    def run(log: Log) -> None:
        for lines in log[1]:
            for line, _ in lines:
                try:
                    decode(line)
                except ValueError:
                    continue

    return run


def run_parse(log: Log) -> None:
    adapter, slices = log
    for lines in slices:
        parse_lines(adapter, lines)


def run_fold(log: Log) -> None:
    adapter, slices = log
    draft = start_draft(EMPTY)
    for lines in slices:
        take(draft, *parse_lines(adapter, lines))
    freeze(draft)


class Times(msgspec.Struct):
    """What a step took over all logs: each log's best round, and every round."""

    best: float
    rounds: list[float]


def times(steps: Sequence[Callable[[T], None]], logs: Sequence[T]) -> list[Times]:
    """The steps take turns on each log, so that whatever disturbs the machine disturbs them alike.

    Taken is the processor's time: nothing here waits but for the processor itself, while neighbours have it.
    No step looks for cyclic garbage meanwhile: nor does the process that indexes (see parse_worker).
    """
    taken = [[[0.0] * len(logs) for _ in range(ROUNDS)] for _ in steps]
    gc.collect()
    gc.freeze()
    gc.disable()
    for turn in range(ROUNDS):
        for row, log in enumerate(logs):
            for number, step in enumerate(steps):
                started = time.thread_time()
                step(log)
                taken[number][turn][row] = time.thread_time() - started
    gc.enable()
    return [Times(sum(map(min, zip(*rounds, strict=True))), [sum(each) for each in rounds]) for rounds in taken]


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


if __name__ == "__main__":
    main(sys.argv[1:])
