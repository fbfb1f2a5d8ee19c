"""recapd: recaps, decisions and context of coding-agent conversations."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recapd.client.version import __version__ as __version__


def __getattr__(name: str) -> object:
    """The version, once somebody wants it: a hook is over before that is imported."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from recapd.client.version import __version__

    return __version__
