"""The user's daemon for programs that ask many things, one after the other. For asyncio: `asynchronous`."""

from __future__ import annotations

from .call import TIMEOUT_S, Connection
from .errors import ConnectionLost
from .start import connect_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .protocol import Call

# How `recapd` is told to be the daemon.
SERVE = ("serve", "--socket")


class Recapd:
    """Connected at the first question, for which recapd is started where it does not run. Not for several threads.

    Whatever recapd runs is asked as it is, never replaced. After a ConnectionLost the next question connects anew; what
    was subscribed to on the connection that went is to be subscribed to again.
    """

    def __init__(self, *, command: Sequence[str] | None = None, start_if_missing: bool = True) -> None:
        """`command` starts recapd, such as ("uvx", "recapd"); without one it is looked for where people install it."""
        self._argv = [*command, *SERVE] if command else None
        self._start_if_missing = start_if_missing
        self._connection: Connection | None = None

    @property
    def call(self) -> Call:
        """`call(method, params, timeout_s=30)`: the answer. CallError with recapd's error, ClientError without one."""
        from typing import cast

        return cast("Call", self._call)

    def next_notification(self, timeout_s: float) -> tuple[str, object] | None:
        """The oldest notification not yet taken, method and params; None where none comes in time."""
        try:
            return self._connected().next_notification(timeout_s)
        except ConnectionLost:
            self.close()
            raise

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Recapd:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, method: str, params: Mapping[str, object] | None = None, *, timeout_s: float = TIMEOUT_S) -> object:
        try:
            return self._connected().call(method, params, timeout_s=timeout_s)
        except ConnectionLost:
            self.close()
            raise

    def _connected(self) -> Connection:
        if self._connection is None:
            address, reached = connect_to(start_if_missing=self._start_if_missing, argv=self._argv, version="")
            self._connection = Connection(reached, pid=address.pid)
        return self._connection
