"""What can go wrong between a client and the daemon. Every message is one sentence that says what to do next."""

from __future__ import annotations


class ClientError(Exception):
    """The daemon could not be asked: why, and what to do about it, for a person. As text it is both in one sentence."""

    def __init__(self, message: str, action: str = "") -> None:
        super().__init__(f"{message}; {action}" if action else message)
        self.message = message
        self.action = action


class NotPrivate(ClientError):
    """A folder of recapd's could be read or changed by somebody else."""


class NotRunning(ClientError):
    """There is no daemon, and none was to be started."""


class StartFailed(ClientError):
    """A daemon was started and did not come to serve."""


class OtherVersion(ClientError):
    """The daemon that runs cannot be used by this client, or does not make way for its own."""


class ConnectionLost(ClientError):
    """The daemon closed the connection, or it broke."""


class NotRecapd(ConnectionLost):
    """What answers is no recapd: no frame, no JSON, or not what was asked for."""

    def __init__(self) -> None:
        super().__init__("Something other than recapd answers in its place", "run: recapd down, and try again.")


class TimedOut(ClientError):
    """The daemon did not answer in time."""


def what_to_do(pid: int) -> str:
    """About a daemon that takes connections and answers nothing."""
    return f"if it was stopped: kill -CONT {pid}; if it hangs: kill -9 {pid}" if pid else "see: recapd doctor"


class CallError(Exception):
    """The daemon answered with an error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
