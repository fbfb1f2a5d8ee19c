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
    "failed",  # it gave up, and is there
    "left",  # it was there, and is not any more
    "absent",  # its agent says who is there, and it is not among them
]


SignalKind: TypeAlias = Literal["started", "prompt", "permission", "idle", "stopped", "failed", "compacting", "ended"]


class Presence(Struct, frozen=True):
    """What the agent of a session is doing, and since when."""

    doing: Doing
    since: str = ""
    # What permission it asks for, or why it failed, where somebody said so.
    text: str = ""

    @property
    def is_there(self) -> bool:
        return self.doing not in ("left", "absent")


ABSENT: Final = Presence("absent")


class Signal(Struct, frozen=True):
    """What a hook of the agent told: what happened in a session, and when."""

    kind: SignalKind
    at: str
    text: str = ""
    # The agent's process, and when that began; 0 where nobody said.
    pid: int = 0
    pid_started: str = ""
    # What the agent last forgot its past for, and when.
    summary: str = ""
    summary_at: str = ""

    @property
    def presence(self) -> Presence:
        return Presence(_DOING[self.kind], self.at, self.text)


_DOING: Final[dict[SignalKind, Doing]] = {
    "started": "resting",
    "prompt": "working",
    "permission": "permission",
    "idle": "resting",
    "stopped": "resting",
    "failed": "failed",
    "compacting": "working",
    "ended": "left",
}


class RunningAgent(Struct, frozen=True):
    """An agent's process as it describes itself; whoever believes it looks whether it runs."""

    # The agent's own id of the session.
    session: str
    pid: int
    # When the process began, in the system's own words: another one may have got its number since.
    started: str
    presence: Presence
    # Where its number means that process, in the system's own words: a container has numbers of its own.
    namespace: str = ""
