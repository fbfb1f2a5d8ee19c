"""The agents whose logs are followed: one row each. Pure; knows names of folders and files, no format.

Read by whoever needs to know where an agent keeps its logs: clients, the scan for logs, and the start of a daemon. A
format needs a row here only where its agent has a folder or file names of its own.
"""

from __future__ import annotations

import os

from .paths import is_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Agent:
    """One agent, and what it takes to follow it."""

    __slots__ = ("file_names", "folders", "home", "name", "passed", "presence", "variable")

    def __init__(
        self,
        name: str,
        *,
        file_names: tuple[str, ...],
        folders: tuple[str, ...] = (),
        home: str = "",
        variable: str = "",
        passed: tuple[str, ...] = (),
        presence: str = "",
    ) -> None:
        self.name = name
        # How its logs are called.
        self.file_names = file_names
        # Where they lie below the agent's folder; none for an agent that writes where it works.
        self.folders = folders
        # The agent's folder below the user's home, and the variable that puts it elsewhere.
        self.home = home
        self.variable = variable
        # Variables of its own that a daemon is started with; one that ends in "_" stands for all that begin so.
        self.passed = passed
        # Where below its folder it says which of its sessions run, if it does.
        self.presence = presence


AGENTS = (
    Agent(
        "claude-code",
        file_names=("*.jsonl",),
        folders=("projects",),
        home=".claude",
        variable="CLAUDE_CONFIG_DIR",
        passed=("CLAUDE_CONFIG_DIR",),
        presence="sessions",
    ),
    Agent(
        "codex",
        file_names=("*.jsonl",),
        folders=("sessions", "archived_sessions"),
        home=".codex",
        variable="CODEX_HOME",
        passed=("CODEX_HOME",),
    ),
    Agent(
        "pi",
        file_names=("*.jsonl",),
        folders=("sessions",),
        home=".pi/agent",
        variable="PI_CODING_AGENT_DIR",
        passed=("PI_",),
    ),
    Agent(
        "copilot",
        file_names=("*.jsonl",),
        folders=("session-state",),
        home=".copilot",
        variable="COPILOT_HOME",
        passed=("COPILOT_",),
    ),
    # Its variable names the folder that stands for the user's home.
    Agent(
        "gemini",
        file_names=("*.jsonl", "session-*.json"),
        folders=(".gemini/tmp",),
        variable="GEMINI_CLI_HOME",
        passed=("GEMINI_",),
    ),
    Agent("mycode", file_names=("*.json",), folders=("sessions",), home=".mycode"),
    # Checkpoints lie in the project that it works in.
    Agent("apex", file_names=("*.json",)),
    Agent("opencode", file_names=("*.json",), passed=("OPENCODE_",)),
    Agent("aider", file_names=(".aider.chat.history.md",), passed=("AIDER_",)),
)
# In a folder of any agent's logs that is followed; not `*.json`, which may be anything.
ANY_FILE_NAMES = ("*.jsonl", "session-*.json", ".aider.chat.history.md")
# In a folder that somebody asks about once: whatever its beginning shows to be a log is one, exports too.
LISTED_FILE_NAMES = (*ANY_FILE_NAMES, "*.json")


def default_roots(environ: Mapping[str, str], home: str) -> tuple[tuple[str, str], ...]:
    """Agent and folder, for every folder that the agents themselves would use in this environment."""
    return tuple(
        (agent.name, os.path.join(environ.get(agent.variable) or os.path.join(home, agent.home), folder))
        for agent in AGENTS
        for folder in agent.folders
    )


def file_names_of(agent: str, any_names: tuple[str, ...] = ANY_FILE_NAMES) -> tuple[str, ...]:
    """Patterns of the names of an agent's logs; those of any agent where nobody knows it."""
    return next((row.file_names for row in AGENTS if row.name == agent), any_names)


def presence_folder(agent: str, logs: str) -> str:
    """Where an agent that keeps its logs in this folder says which of its sessions run; "" where it does not."""
    for row in AGENTS:
        for folder in row.folders if row.name == agent and row.presence else ():
            home, _, last = logs.rstrip(os.sep).rpartition(os.sep)
            if last == folder:
                return os.path.join(home or os.sep, row.presence)
    return ""


def roots_here(port: int = 0) -> list[dict[str, str]]:
    """The roots of this process's environment, as the protocol's `LogRoot`s; none for a daemon on a TCP port.

    What comes by TCP is trusted less: it may not make the daemon read other folders.
    """
    if port:
        return []
    home = os.environ.get("HOME") or os.path.expanduser("~")
    found = ((agent, os.path.abspath(path)) for agent, path in default_roots(os.environ, home))
    # A name that is not UTF-8 cannot be sent; the daemon finds such a folder only in an environment of its own.
    return [{"path": path, "agent": agent} for agent, path in found if is_text(path)]
