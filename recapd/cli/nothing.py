"""What is said where there is nothing to show yet: the same wherever somebody looks first."""

from __future__ import annotations

from recapd.client.agents import AGENTS

_FOLLOWED = ", ".join(agent.name for agent in AGENTS if agent.folders)
NO_LOGS = f"No session logs on this machine yet; they are here as soon as an agent writes some ({_FOLLOWED})."
NO_SESSIONS = f"{NO_LOGS} See what recapd does with: recapd demo"
