"""The process that works for the daemon, so that the loop stays free: reads large logs, prepares what is stored.

    python -m recapd.daemon.parse_worker [NICENESS]   jobs on stdin, results on stdout: 4 bytes of length, MessagePack

    Job      paths in, sources out
    RowsJob  sources in, as bytes, out what is to be written of each

It ends when its stdin does, also when the daemon was killed. It keeps nothing between jobs and writes no file.
Started by parse_pool; the job and result types are here because this side must stay light to import.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from typing import BinaryIO

import msgspec
from msgspec import Struct

from recapd.core.state import EMPTY, Batch, Source, freeze, head_of, start_draft, take
from recapd.daemon.log_files import TailState, advance

# Memory is this much of the file plus what is known of it. What a slice holds stays in the processor's caches from
# decoding to folding: with slices of a megabyte all takes 7 % longer.
SLICE_BYTES = 1 << 18
# A draft keeps more than a transcript does: the ids of its records, the texts of a turn.
SLICES_PER_FREEZE = 64
# Answering comes before indexing.
NICENESS = 5
LENGTH_BYTES = 4
# Most results go through such a pipe whole. With the system's 64 KB both sides wake each other up for every part.
PIPE_BYTES = 1 << 20


class Job(Struct, frozen=True, tag=True):
    """Files to read from zero, in this order."""

    # As the system spells them: names need not be text.
    paths: tuple[bytes, ...]
    # The time, to tell whether a file is quiet.
    now_ns: int
    # Read no further than this into a file; 0 reads all of it.
    head_bytes: int = 0


class RowsJob(Struct, frozen=True, tag=True):
    """Sources whose rows are to be made."""

    # Each as MessagePack.
    bodies: tuple[bytes, ...]


class JudgeJob(Struct, frozen=True, tag=True):
    """Scenes in which decisions are to be found."""

    # A tuple of them as MessagePack: what a scene is takes a while to import.
    body: bytes


class Parsed(Struct, frozen=True):
    """One file of a job as it was found."""

    # Position of the file in the job.
    number: int
    # None where the file is gone, or reading it failed.
    state: TailState | None = None
    # One for each session in it.
    batches: tuple[Batch, ...] = ()
    # The sort of error that made the file unreadable for this process.
    failure: str = ""


def parse(path: str, *, now_ns: int, head_bytes: int = 0) -> tuple[TailState | None, tuple[Batch, ...]]:
    """Everything in a file, or its beginning, as sources to adopt."""
    state: TailState | None = None
    found: dict[str, _Source] = {}
    slices = 0
    while True:
        step = advance(state, path, max_bytes=head_bytes or SLICE_BYTES, now_ns=now_ns)
        if step.is_void or (step.batches and step.batches[0].restart):
            found.clear()
        for batch in step.batches:
            source = found.get(batch.part)
            if source is None:
                source = found[batch.part] = _Source(batch)
            source.latest = batch
            take(source.draft, batch.records, batch.problems)
        slices += 1
        if slices % SLICES_PER_FREEZE == 0:
            for source in found.values():
                source.draft = start_draft(freeze(source.draft))
        state = step.state
        if state is None or step.outcome != "read" or (head_bytes and state.end >= head_bytes):
            break
    return state, tuple(source.adopted() for source in found.values()) if state is not None else ()


class _Source:
    """One session in a file while the file is read."""

    def __init__(self, batch: Batch) -> None:
        self.latest = batch
        self.draft = start_draft(EMPTY)

    def adopted(self) -> Batch:
        """All of it, as bytes, and the head of it: most of what is read is not asked about."""
        batch = self.latest
        source = Source(
            uri=batch.uri,
            agent=batch.agent,
            format=batch.format,
            generation=batch.generation,
            part=batch.part,
            transcript=freeze(self.draft),
            carry=batch.carry,
        )
        head, body = head_of(source), msgspec.msgpack.encode(source)
        return msgspec.structs.replace(batch, records=(), problems=(), adopted=head, body=body, restart=True)


def serve(jobs: BinaryIO, results: BinaryIO) -> None:
    decoder: msgspec.msgpack.Decoder[Job | RowsJob | JudgeJob] = msgspec.msgpack.Decoder(Job | RowsJob | JudgeJob)
    while (length := jobs.read(LENGTH_BYTES)) and len(length) == LENGTH_BYTES:
        job = decoder.decode(jobs.read(int.from_bytes(length, "big")))
        if isinstance(job, RowsJob):
            for body in job.bodies:
                _send(results, _rows(body))
        elif isinstance(job, JudgeJob):
            _send(results, _judged(job.body))
        else:
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


def _rows(body: bytes) -> bytes:
    # Looking for secrets takes a while to import, and who only reads logs does not need it.
    from recapd.daemon.encoding import rows_of

    try:
        return msgspec.msgpack.encode(rows_of(msgspec.msgpack.decode(body, type=Source)))
    except Exception:  # Whoever writes it finds out what is wrong with it.
        return msgspec.msgpack.encode(None)


def _judged(body: bytes) -> bytes:
    # As long to import.
    from recapd.core.decisions import Scene, judge

    return msgspec.msgpack.encode([judge(scene) for scene in msgspec.msgpack.decode(body, type=tuple[Scene, ...])])


def _send(results: BinaryIO, body: bytes) -> None:
    # In one go: the daemon would wake up for the length alone.
    results.write(len(body).to_bytes(LENGTH_BYTES, "big") + body)
    results.flush()


def _widen(pipe: BinaryIO) -> None:
    if sys.platform == "linux":
        import fcntl

        # A user may be allowed no more, and what is not started by the daemon may write to a file.
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def main() -> None:
    # Ctrl-C in a terminal reaches the whole group; the daemon decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else NICENESS)
    # Nothing here makes cycles, and looking for them costs a third of the time. After each job it is cheap, without
    # all that was imported.
    gc.disable()
    gc.freeze()
    results = sys.stdout.buffer
    _widen(results)
    # Whatever prints must not end up among the results.
    sys.stdout = sys.stderr
    try:
        serve(sys.stdin.buffer, results)
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
