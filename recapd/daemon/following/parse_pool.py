"""A process that works for the daemon, as the daemon sees it: started when needed, ended when idle, expendable."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import anyio
import msgspec
from anyio.abc import Process

import recapd
from recapd.core.state import Source
from recapd.daemon.encoding import SourceRows
from recapd.daemon.parse_worker import LENGTH_BYTES, Job, Parsed, RowsJob

# A transcript takes a few percent of its log; a result of this size is not one.
MAX_RESULT_BYTES = 1 << 30
# A process that does not end by itself when its stdin closes is stuck.
END_WITHIN_S = 2.0

_decode = msgspec.msgpack.Decoder(Parsed).decode
_decode_rows: Callable[[bytes], SourceRows | None] = msgspec.msgpack.Decoder(SourceRows | None).decode


class WorkerDied(Exception):
    """The process ended before the job did."""


class ParseProcess:
    """At most one process. One job at a time."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._received = bytearray()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def parse(
        self, paths: Sequence[str], *, now_ns: int, on_parsed: Callable[[Parsed], None], head_bytes: int = 0
    ) -> None:
        """Hand over the files as they get ready, in order. WorkerDied where the process ends before the job does.

        Being cancelled costs the process: what it would still send belongs to nobody.
        """
        job = Job(tuple(os.fsencode(path) for path in paths), now_ns, head_bytes)
        await self._run(msgspec.msgpack.encode(job), lambda result: on_parsed(_decode(result)))

    async def rows_of(self, source: Source) -> SourceRows | None:
        """All that is to be written of a source; None where that cannot be said there. WorkerDied as for `parse`."""
        try:
            body = msgspec.msgpack.encode(RowsJob(source))
        except ValueError:
            # Half a character somewhere in it.
            return None
        found: list[SourceRows | None] = []
        await self._run(body, lambda result: found.append(_decode_rows(result)))
        return found[0] if found else None

    async def _run(self, body: bytes, on_result: Callable[[bytes], None]) -> None:
        is_done = False
        try:
            process = self._process or await self._start()
            assert process.stdin is not None
            await process.stdin.send(len(body).to_bytes(LENGTH_BYTES, "big") + body)
            while result := await self._receive(int.from_bytes(await self._receive(LENGTH_BYTES), "big")):
                on_result(result)
            is_done = True
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError) as error:
            raise WorkerDied(type(error).__name__) from None
        except msgspec.DecodeError:
            raise WorkerDied("its answer makes no sense") from None
        finally:
            if not is_done:
                await self.kill()

    async def close(self) -> None:
        """End the process by closing its stdin."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        try:
            with anyio.move_on_after(END_WITHIN_S):
                await process.stdin.aclose()
                await process.wait()
        finally:
            await self.kill()

    async def kill(self) -> None:
        process, self._process = self._process, None
        self._received.clear()
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        # Must finish, and does at once: a killed process that nobody waits for stays in the table.
        with anyio.CancelScope(shield=True):
            await process.aclose()

    async def _start(self) -> Process:
        package_parent = str(Path(recapd.__file__).parent.parent)
        inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        # Only what means the same everywhere, and -P: the folder we happen to be in must not lend its modules.
        search = os.pathsep.join((package_parent, *(folder for folder in inherited if os.path.isabs(folder))))
        self._process = await anyio.open_process(
            [sys.executable, "-P", "-m", "recapd.daemon.parse_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None,
            env={**os.environ, "PYTHONPATH": search},
        )
        return self._process

    async def _receive(self, length: int) -> bytes:
        if length > MAX_RESULT_BYTES:
            raise WorkerDied("its answer is too long")
        process = self._process
        if process is None or process.stdout is None:
            raise WorkerDied("it is gone")
        while len(self._received) < length:
            self._received += await process.stdout.receive(1 << 18)
        data = bytes(self._received[:length])
        del self._received[:length]
        return data
