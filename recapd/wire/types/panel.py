"""Types of `recapd/panel`."""

from recapd.wire.types.base import Wire


class RecapdPanelParams(Wire, frozen=True, kw_only=True):
    """Params of `recapd/panel`."""

    on: bool | None = None
    """Whether the panel shall be served to browsers on this machine; absent: nothing is switched, only told."""
    port: int | None = None
    """Port on the loopback address, when it is switched on; absent: any that is free."""


class RecapdPanelResult(Wire, frozen=True, kw_only=True):
    """Whether the panel is served to browsers."""

    url: str | None
    """Address of the page, with the token that opens it; null where it is off. Whoever has it can read all sessions."""
