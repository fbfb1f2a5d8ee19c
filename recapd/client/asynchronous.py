"""The user's daemon for programs on asyncio: as many questions at once as one likes, over one connection."""

from __future__ import annotations

import asyncio
import json

from . import frames
from .blocking import SERVE
from .call import MAX_KEPT, TIMEOUT_S, most_answered, result_of
from .errors import ConnectionLost, NotRecapd, TimedOut, what_to_do
from .start import connect_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .protocol import AsyncCall


class AsyncRecapd:
    """As `Recapd`, with the same promises. For one event loop."""

    def __init__(self, *, command: Sequence[str] | None = None, start_if_missing: bool = True) -> None:
        """`command` starts recapd, such as ("uvx", "recapd"); without one it is looked for where people install it."""
        self._argv = [*command, *SERVE] if command else None
        self._start_if_missing = start_if_missing
        self._connecting = asyncio.Lock()
        self._link: _Link | None = None

    @property
    def call(self) -> AsyncCall:
        """`await call(method, params, timeout_s=30)`: as `Recapd.call`. One that is cancelled is given up by recapd."""
        from typing import cast

        return cast("AsyncCall", self._call)

    async def next_notification(self, timeout_s: float) -> tuple[str, object] | None:
        """The oldest notification not yet taken, method and params; None where none comes in time."""
        link = await self._connected()
        try:
            return await link.next_notification(timeout_s)
        except ConnectionLost:
            await self._leave(link)
            raise

    async def close(self) -> None:
        if self._link is not None:
            link, self._link = self._link, None
            await link.close()

    async def __aenter__(self) -> AsyncRecapd:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(
        self, method: str, params: Mapping[str, object] | None = None, *, timeout_s: float = TIMEOUT_S
    ) -> object:
        link = await self._connected()
        try:
            return await link.call(method, dict(params or {}), timeout_s)
        except ConnectionLost:
            await self._leave(link)
            raise

    async def _leave(self, link: _Link) -> None:
        """Of several who lose a connection the first leaves it; the others may find the next one there."""
        if self._link is link:
            await self.close()

    async def _connected(self) -> _Link:
        async with self._connecting:
            if self._link is None:
                # Starting a daemon may take seconds.
                address, reached = await asyncio.to_thread(
                    connect_to, start_if_missing=self._start_if_missing, argv=self._argv, version=""
                )
                reader, writer = await asyncio.open_connection(sock=reached)
                self._link = _Link(reader, writer, address.pid)
            return self._link


class _Link:
    """One connection: a task reads it, and gives each answer to whoever waits for it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pid: int) -> None:
        self._reader = reader
        self._writer = writer
        self._pid = pid
        self._last_id = 0
        # By id: what was asked, and where its answer goes.
        self._asked: dict[int, tuple[str, asyncio.Future[dict[str, object]]]] = {}
        self._kept: list[tuple[str, object]] = []
        self._news = asyncio.Event()
        self._lost: ConnectionLost | None = None
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def call(self, method: str, params: dict[str, object], timeout_s: float) -> object:
        if self._lost is not None:
            raise self._lost
        self._last_id += 1
        number = self._last_id
        answer: asyncio.Future[dict[str, object]] = asyncio.get_running_loop().create_future()
        self._asked[number] = (method, answer)
        try:
            async with asyncio.timeout(timeout_s):
                await self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
                return result_of(await answer)
        except TimeoutError:
            self._give_up(number)
            who = f"recapd (pid {self._pid})" if self._pid else "recapd"
            raise TimedOut(f"{who} did not answer {method} within {timeout_s:.0f} s", what_to_do(self._pid)) from None
        except asyncio.CancelledError:
            self._give_up(number)
            raise
        finally:
            del self._asked[number]

    async def next_notification(self, timeout_s: float) -> tuple[str, object] | None:
        try:
            async with asyncio.timeout(timeout_s):
                while not self._kept:
                    if self._lost is not None:
                        raise self._lost
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return None
        return self._kept.pop(0)

    async def close(self) -> None:
        self._reading.cancel()
        await asyncio.wait((self._reading,))
        self._writer.close()

    async def _send(self, message: dict[str, object]) -> None:
        try:
            self._writer.write(frames.encode(json.dumps(message).encode("ascii")))
            await self._writer.drain()
        except OSError:
            # Whoever was turned away is told why, before the connection was closed: that is read next.
            return

    def _give_up(self, number: int) -> None:
        """Nobody waits for that answer any more; whether this arrives does not matter."""
        if not self._writer.is_closing():
            message = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}}
            self._writer.write(frames.encode(json.dumps(message).encode("ascii")))

    async def _read(self) -> None:
        buffer = bytearray()
        lost = ConnectionLost("recapd closed the connection", "see: recapd status")
        try:
            while data := await self._reader.read(1 << 16):
                buffer += data
                while (body := frames.take(buffer, max_body_bytes=self._most())) is not None:
                    self._take(json.loads(body))
        except (ValueError, RecursionError, frames.BadFrame):
            lost = NotRecapd()
        except OSError:
            lost = ConnectionLost("The connection to recapd broke", "see: recapd status")
        finally:
            self._lost = lost
            self._news.set()
            for _, answer in self._asked.values():
                if not answer.done():
                    answer.set_exception(lost)

    def _most(self) -> int:
        return max((most_answered(method) for method, _ in self._asked.values()), default=most_answered(""))

    def _take(self, message: object) -> None:
        if not isinstance(message, dict):
            raise frames.BadFrame("no message")
        if "method" in message:
            del self._kept[:-MAX_KEPT]
            self._kept.append((str(message["method"]), message.get("params")))
            self._news.set()
            return
        number = message.get("id")
        for asked, (_, answer) in self._asked.items():
            # Without an id it is about what could not be read, or about the whole connection.
            if (number == asked or (number is None and "error" in message)) and not answer.done():
                answer.set_result(message)
