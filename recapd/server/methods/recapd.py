"""Handlers of `recapd/*`: the service itself."""

from __future__ import annotations

from recapd import __version__
from recapd.server.service import Service
from recapd.wire.errors import method_not_found, unsupported_protocol
from recapd.wire.types import PROTOCOL_VERSION, RecapdDiscoverParams, RecapdDiscoverResult


def discover(service: Service, params: RecapdDiscoverParams, served: tuple[str, ...]) -> RecapdDiscoverResult:
    if params.protocol_versions and PROTOCOL_VERSION not in params.protocol_versions:
        raise unsupported_protocol((PROTOCOL_VERSION,))
    for method in params.required:
        if method not in served:
            raise method_not_found(method)
    return RecapdDiscoverResult(
        version=__version__,
        protocol_version=PROTOCOL_VERSION,
        instance_id=service.instance_id(),
        capabilities=(),
        methods=served,
        formats=service.formats(),
    )
