"""Handlers of `recapd/*`: the service itself."""

from __future__ import annotations

from functools import partial

from recapd import __version__
from recapd.server.backend import Client
from recapd.server.service import Service
from recapd.wire.errors import access_denied, method_not_found, unsupported_protocol
from recapd.wire.methods import FEATURES, METHODS
from recapd.wire.types import (
    PROTOCOL_VERSION,
    RecapdAuthenticateParams,
    RecapdDiscoverParams,
    RecapdDiscoverResult,
    RecapdPanelParams,
    RecapdPanelResult,
    RecapdShutdownParams,
    RecapdStatusParams,
    RecapdStatusResult,
    RecapdWatchParams,
    RecapdWatchResult,
)


def discover(service: Service, client: Client | None, params: RecapdDiscoverParams) -> RecapdDiscoverResult:
    """Without a client there is no connection, and nothing to be had that needs one."""
    if client is not None and client.is_remote and params.roots:
        raise access_denied("Folders to watch cannot be added over TCP; use `recapd connect`.")
    if params.protocol_versions and PROTOCOL_VERSION not in params.protocol_versions:
        raise unsupported_protocol((PROTOCOL_VERSION,))
    served = sorted(row.name for row in METHODS if (row.is_served if client is not None else row.is_served_alone))
    for method in params.required:
        if method not in served:
            raise method_not_found(method)
    if client is not None and params.roots:
        client.backend.add_roots(client.mailbox, params.roots)
    return RecapdDiscoverResult(
        version=__version__,
        protocol_version=PROTOCOL_VERSION,
        instance_id=service.instance_id,
        capabilities=FEATURES if client is not None else (),
        methods=tuple(served),
        formats=service.formats(),
    )


def status(service: Service, client: Client, params: RecapdStatusParams) -> RecapdStatusResult:
    return client.backend.status(params)


async def watch(service: Service, client: Client, params: RecapdWatchParams) -> RecapdWatchResult:
    if client.is_remote and params.workspace is not None:
        raise access_denied("Folders cannot be switched over TCP; use the Unix socket, or `recapd watch`.")
    return await client.backend.watch(params)


async def panel(service: Service, client: Client, params: RecapdPanelParams) -> RecapdPanelResult:
    if client.is_remote:
        raise access_denied("The panel's address is not told over TCP; use the Unix socket, or `recapd panel`.")
    return await client.backend.panel(params)


def authenticate(service: Service, client: Client, params: RecapdAuthenticateParams) -> None:
    """The first frame of a TCP connection is dealt with before there are requests; later it changes nothing."""


def shutdown(service: Service, client: Client, params: RecapdShutdownParams) -> None:
    client.after_reply.append(partial(client.backend.shut_down, params.reason or "a client asked for it"))
