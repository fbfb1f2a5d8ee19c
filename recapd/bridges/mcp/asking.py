"""What a tool, a resource or a prompt asks of the daemon, and how its answer is told."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    Json: TypeAlias = dict[str, Any]
    Arguments: TypeAlias = Mapping[str, Any]
    # From the daemon's answer to the text for the agent.
    Tell: TypeAlias = Callable[[Any], str]


class Asked:
    """One request to the daemon."""

    __slots__ = ("is_nothing", "method", "params", "tell", "timeout_s", "when_late")

    def __init__(
        self,
        method: str,
        params: Json,
        tell: Tell,
        *,
        timeout_s: float = 20.0,
        when_late: str | None = None,
        is_nothing: Callable[[Any], bool] = lambda found: False,
    ) -> None:
        self.method = method
        self.params = params
        self.tell = tell
        self.timeout_s = timeout_s
        # What is told where the daemon does not answer in time, or there is none; None: that it does not.
        self.when_late = when_late
        # Whether an answer says that there is nothing, which only a daemon knows that has looked everywhere.
        self.is_nothing = is_nothing


class Wrong(Exception):
    """What is wrong with the arguments, in a sentence."""


def selector(arguments: Arguments) -> Json:
    """The session that is named, by its id, by the agent's own, or by its log; else the latest of this folder."""
    named = text(arguments, "session")
    if not named:
        return {"workspace": working_folder()}
    if named.startswith(("/", "file:")):
        return {"log": named}
    # Agents know their own ids; Claude Code's stands in every hook.
    return {"id": named} if ":" in named else {"agent": "claude-code", "agentSessionId": named}


def working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise Wrong("The folder this agent was started in is gone: name a session, see `sessions`.") from None


def text(arguments: Arguments, name: str, *, is_needed: bool = False) -> str:
    value = arguments.get(name)
    if value is None or value == "":
        if is_needed:
            raise Wrong(f"`{name}` is missing.")
        return ""
    if not isinstance(value, str):
        raise Wrong(f"`{name}` must be text.")
    return value


def number(arguments: Arguments, name: str, *, default: int, least: int, most: int) -> int:
    value = arguments.get(name)
    if value is None:
        return default
    if type(value) is not int:
        raise Wrong(f"`{name}` must be a whole number.")
    return max(least, min(most, value))


def choice(arguments: Arguments, name: str, *, among: tuple[str, ...], default: str = "") -> str:
    value = text(arguments, name) or default
    if value and value not in among:
        raise Wrong(f"`{name}` must be one of: {', '.join(among)}.")
    return value
