"""The process that reads large logs for the daemon, so that the loop stays free: paths in, transcripts out.

    python -m recapd.daemon.parse_worker     jobs on stdin, results on stdout: 4 bytes of length, then MessagePack

It ends when its stdin does, also when the daemon was killed. It keeps nothing between jobs and writes no file.
Started by parse_pool; the job and result types are here because this side must stay light to import.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import BinaryIO

import msgspec
from msgspec import Struct

from recapd.core.world import Batch, World, fold
from recapd.daemon.tail import advance
from recapd.daemon.tail_state import TailState

# Memory is this much of the file plus what is known of it; larger slices are not faster.
SLICE_BYTES = 1 << 20
# Answering comes before indexing.
NICENESS = 5
LENGTH_BYTES = 4


class Job(Struct, frozen=True):
    """Files to read from zero, in this order."""

    # As the system spells them: names need not be text.
    paths: tuple[bytes, ...]
    # The time, to tell whether a file is quiet.
    now_ns: int
    # Read no further than this into a file; 0 reads all of it.
    head_bytes: int = 0


class Parsed(Struct, frozen=True):
    """One file of a job as it was found."""

    # Position of the file in the job.
    number: int
    # None where the file is gone, or reading it failed.
    state: TailState | None = None
    # One for each session in it, with the transcript.
    batches: tuple[Batch, ...] = ()
    # The sort of error that made the file unreadable for this process.
    failure: str = ""


def parse(path: str, *, now_ns: int, head_bytes: int = 0) -> tuple[TailState | None, tuple[Batch, ...]]:
    """Everything in a file, or its beginning, as transcripts to adopt."""
    state: TailState | None = None
    world = World()
    while True:
        step = advance(state, path, max_bytes=head_bytes or SLICE_BYTES, now_ns=now_ns)
        if step.is_void or (step.batches and step.batches[0].restart):
            world = World()
        for batch in step.batches:
            world, _ = fold(world, batch)
        state = step.state
        if state is None or step.outcome != "read" or (head_bytes and state.end >= head_bytes):
            break
    adopted = tuple(
        Batch(
            uri=source.uri,
            agent=source.agent,
            format=source.format,
            generation=source.generation,
            records=(),
            problems=(),
            carry=source.carry,
            part=source.part,
            adopted=source.transcript,
            restart=True,
            now_ms=now_ns // 1_000_000,
        )
        for source in world.sources.values()
    )
    return state, adopted if state is not None else ()


def serve(jobs: BinaryIO, results: BinaryIO) -> None:
    decoder = msgspec.msgpack.Decoder(Job)
    while (length := jobs.read(LENGTH_BYTES)) and len(length) == LENGTH_BYTES:
        job = decoder.decode(jobs.read(int.from_bytes(length, "big")))
        for number, path in enumerate(job.paths):
            _send(results, _result(number, os.fsdecode(path), job))
        _send(results, b"")
        gc.collect()


def _result(number: int, path: str, job: Job) -> bytes:
    try:
        state, batches = parse(path, now_ns=job.now_ns, head_bytes=job.head_bytes)
        return msgspec.msgpack.encode(Parsed(number, state, batches))
    except Exception as error:  # One file must not cost the others; the daemon reads it by itself, or says so.
        return msgspec.msgpack.encode(Parsed(number, failure=type(error).__name__))


def _send(results: BinaryIO, body: bytes) -> None:
    results.write(len(body).to_bytes(LENGTH_BYTES, "big"))
    results.write(body)
    results.flush()


def main() -> None:
    # Ctrl-C in a terminal reaches the whole group; the daemon decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    # Nothing here makes cycles, and looking for them costs a third of the time.
    gc.disable()
    results = sys.stdout.buffer
    # Whatever prints must not end up among the results.
    sys.stdout = sys.stderr
    try:
        serve(sys.stdin.buffer, results)
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
