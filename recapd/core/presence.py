"""What is known of the process behind a session besides its log: the agent's own word on what it is doing. Pure."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

Doing: TypeAlias = Literal[
    "working",
    "permission",  # it asks whether it may do something
    "asking",  # it asks something else
    "resting",  # it is the human's turn
    "running",  # it is there; nobody knows what it is doing
    "left",  # it was there, and is not any more
    "absent",  # its agent says who is there, and it is not among them
]


class Presence(Struct, frozen=True):
    """What the agent of a session is doing, and since when."""

    doing: Doing
    since: str = ""

    @property
    def is_there(self) -> bool:
        return self.doing not in ("left", "absent")


ABSENT: Final = Presence("absent")


class RunningAgent(Struct, frozen=True):
    """An agent's process as it describes itself; whoever believes it looks whether it runs."""

    # The agent's own id of the session.
    session: str
    pid: int
    # When the process began, in the system's own words: another one may have got its number since.
    started: str
    presence: Presence
