"""The panel for browsers: nothing listens until somebody asks for it, and then on loopback alone, behind a token.

What is switched on stays so when another process takes over the daemon's work: the address is kept in the runtime
folder, and open pages come back to it. A token belongs to its port: where somebody else has that by now, whatever pages
said to them must open nothing here, so both are given up.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Awaitable, Callable

import anyio
import msgspec
from anyio.abc import ByteStream
from msgspec import Struct

from recapd.bridges.panel import page_files
from recapd.client.errors import ClientError
from recapd.client.private import read_private
from recapd.daemon.atomic import opened_folder, replace_file
from recapd.daemon.lifecycle import listen_tcp, new_token
from recapd.server.threads import in_thread
from recapd.server.transport import Peer, SocketStream, accept_clients
from recapd.server.web import Site, serve_web
from recapd.wire.errors import request_failed
from recapd.wire.types import RecapdPanelParams, RecapdPanelResult

log = logging.getLogger(__name__)

# Pages of one person, and the files each of them loads at the same moment.
_MOST_CONNECTIONS = 64
_MOST_KEPT_BYTES = 1024


class Address(Struct, frozen=True):
    """Where the panel is, and what opens it."""

    port: int
    token: str


class Panel:
    """Lives on the loop. The address stays the same until it is switched off."""

    def __init__(self, serve: Callable[[ByteStream, Peer], Awaitable[None]], *, kept_at: str | None) -> None:
        """`kept_at` is a file in a folder of the user's alone; None where nothing outlives this process."""
        self._serve = serve
        self._kept_at = kept_at
        self._switching = anyio.Lock()
        self._wanted = anyio.Event()
        self._scope = anyio.CancelScope()
        self._listener: socket.socket | None = None
        self._token = ""
        self._files: dict[str, tuple[str, bytes]] = {}

    async def switch(self, params: RecapdPanelParams) -> RecapdPanelResult:
        """On or off, or as it is; the address, where it is on."""
        async with self._switching:
            if params.on and self._listener is None:
                try:
                    await self._open(params.port or 0)
                except ClientError as error:
                    raise request_failed(str(error)) from None
                except OSError:
                    raise request_failed("The files of the panel are not there; install recapd again.") from None
            elif params.on and params.port and params.port != (port := self._port()):
                raise request_failed(
                    f"The panel is on at port {port}; to have it elsewhere, switch it off first: recapd panel --off"
                )
            elif params.on is False and self._listener is not None:
                await in_thread(self._forget)
                self._close()
            return RecapdPanelResult(url=self._url())

    async def run(self) -> None:
        """Serve pages while it is on, until cancelled."""
        try:
            async with self._switching:
                await self._come_back()
            while True:
                await self._wanted.wait()
                if (listener := self._listener) is None:
                    continue
                site = Site(files=self._files, port=listener.getsockname()[1], token=self._token)
                peer = Peer(transport="tcp", token=self._token)

                async def serve(_: socket.socket, stream: SocketStream, site: Site = site, peer: Peer = peer) -> None:
                    await serve_web(stream, site, lambda web: self._serve(web, peer))

                with anyio.CancelScope() as self._scope:
                    await accept_clients(listener, serve, most=_MOST_CONNECTIONS)
        finally:
            self._close()

    async def _come_back(self, port: int = 0) -> None:
        """Listen where it was when the process before this one ended, if that is to be had and is where it shall be."""
        kept = await in_thread(self._kept)
        if kept is None or self._listener is not None or port not in (0, kept.port):
            return
        try:
            # Before anything listens: a task that fails would take the daemon with it.
            self._files = await in_thread(page_files)
            self._listener, self._token = listen_tcp(kept.port), kept.token
        except (ClientError, OSError) as error:
            await in_thread(self._forget)
            log.warning("panel did not come back", extra={"type": type(error).__name__})
        else:
            self._wanted.set()

    async def _open(self, port: int) -> None:
        await self._come_back(port)
        if self._listener is not None:
            return
        self._files = await in_thread(page_files)
        listener, token = listen_tcp(port), new_token()
        self._listener, self._token = listener, token
        await in_thread(self._keep, Address(listener.getsockname()[1], token))
        self._wanted.set()

    def _kept(self) -> Address | None:
        if self._kept_at is None:
            return None
        try:
            return msgspec.json.decode(read_private(self._kept_at, most=_MOST_KEPT_BYTES), type=Address)
        except (ClientError, OSError, msgspec.MsgspecError):
            return None

    def _keep(self, address: Address) -> None:
        if self._kept_at is not None:
            folder, name = os.path.split(self._kept_at)
            with opened_folder(folder) as opened:
                replace_file(opened, name, msgspec.json.encode(address))

    def _forget(self) -> None:
        if self._kept_at is not None and os.path.lexists(self._kept_at):
            os.unlink(self._kept_at)

    def _port(self) -> int | None:
        return int(self._listener.getsockname()[1]) if self._listener is not None else None

    def _url(self) -> str | None:
        if self._listener is None:
            return None
        # Behind `#`: no browser sends that anywhere, not even to us.
        return f"http://127.0.0.1:{self._port()}/#token={self._token}"

    def _close(self) -> None:
        self._wanted = anyio.Event()
        self._scope.cancel()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
