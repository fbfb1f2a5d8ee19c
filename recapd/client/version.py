"""Which version this is, which daemon a client may use, and which it replaces. Pure."""

from __future__ import annotations

# Of recapd and of its client alike: pyproject.toml says the same, clients/python/pyproject.toml reads it here.
__version__ = "0.1.0"

# The same as recapd.wire.types.base.PROTOCOL_VERSION, which costs msgspec to import; a test holds them together.
PROTOCOL_VERSION = "2026-11-16"

USE = "use"
REPLACE = "replace"
REFUSE = "refuse"


def judge_version(their_version: str, their_protocol: str, *, version: str = __version__) -> str:
    """USE, REPLACE or REFUSE a daemon: the newer side wins, and an older client never ends a newer daemon.

    A client that brings no daemon of its own has no `version` ("") to put in the place of another.
    """
    if _numbers(version) > _numbers(their_version):
        return REPLACE
    return USE if their_protocol == PROTOCOL_VERSION else REFUSE


def _numbers(version: str) -> tuple[int, ...]:
    """`1.2.3` as numbers; what follows them (`rc1`, `+local`) does not make a daemon worth replacing."""
    numbers: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple(numbers)
