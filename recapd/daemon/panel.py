"""The panel for browsers: nothing listens until somebody asks for it, and then on loopback alone, behind a token."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable

import anyio
from anyio.abc import ByteStream

from recapd.bridges.panel import page_files
from recapd.client.errors import ClientError
from recapd.daemon.lifecycle import listen_tcp, new_token
from recapd.server.threads import in_thread
from recapd.server.transport import Peer, SocketStream, accept_clients
from recapd.server.web import Site, serve_web
from recapd.wire.errors import request_failed
from recapd.wire.types import RecapdPanelParams, RecapdPanelResult

# Pages of one person, and the files each of them loads at the same moment.
_MOST_CONNECTIONS = 64


class Panel:
    """Lives on the loop. The address stays the same until it is switched off."""

    def __init__(self, serve: Callable[[ByteStream, Peer], Awaitable[None]]) -> None:
        self._serve = serve
        self._wanted = anyio.Event()
        self._scope = anyio.CancelScope()
        self._listener: socket.socket | None = None
        self._token = ""
        self._files: dict[str, tuple[str, bytes]] = {}

    async def switch(self, params: RecapdPanelParams) -> RecapdPanelResult:
        """On or off, or as it is; the address, where it is on."""
        if params.on and self._listener is None:
            # Before anything listens: a task that fails would take the daemon with it.
            try:
                self._files = await in_thread(page_files)
                self._listener = listen_tcp(params.port or 0)
            except ClientError as error:
                raise request_failed(str(error)) from None
            except OSError:
                raise request_failed("The files of the panel are not there; install recapd again.") from None
            self._token = new_token()
            self._wanted.set()
        elif params.on is False and self._listener is not None:
            self._close()
        return RecapdPanelResult(url=self._url())

    async def run(self) -> None:
        """Serve pages while it is on, until cancelled."""
        try:
            while True:
                await self._wanted.wait()
                if (listener := self._listener) is None:
                    continue
                site = Site(files=self._files, port=listener.getsockname()[1])
                peer = Peer(transport="tcp", token=self._token)

                async def serve(_: socket.socket, stream: SocketStream, site: Site = site, peer: Peer = peer) -> None:
                    await serve_web(stream, site, lambda web: self._serve(web, peer))

                with anyio.CancelScope() as self._scope:
                    await accept_clients(listener, serve, most=_MOST_CONNECTIONS)
        finally:
            self._close()

    def _url(self) -> str | None:
        if self._listener is None:
            return None
        # Behind `#`: no browser sends that anywhere, not even to us.
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/#token={self._token}"

    def _close(self) -> None:
        self._wanted = anyio.Event()
        self._scope.cancel()
        if self._listener is not None:
            self._listener.close()
            self._listener = None
