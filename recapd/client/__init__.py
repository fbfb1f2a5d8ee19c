"""Finding, starting and asking the user's daemon. Stdlib only: an editor pays for this at every start.

`find`, `start` and `connect` are the way in, `call` asks one question, `forward` joins stdio to the daemon.
`Recapd` and `AsyncRecapd` are for programs that ask many.
Nothing here imports the rest of recapd, and nothing is imported here before it is needed. Its files import each other
relatively: the same folder is installed without recapd as `recapd_client` (clients/python).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .asynchronous import AsyncRecapd as AsyncRecapd
    from .blocking import Recapd as Recapd
    from .errors import CallError as CallError
    from .errors import ClientError as ClientError

# Where each is found, once somebody wants it.
_OFFERED = {"AsyncRecapd": "asynchronous", "Recapd": "blocking", "CallError": "errors", "ClientError": "errors"}


def __getattr__(name: str) -> object:
    if name not in _OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_OFFERED[name]}"), name)
