"""`recapd mcp`: recapd as a server of the Model Context Protocol, for agents. Starts like `connect`, on stdlib alone.

    agent ──a line of JSON──▶ server ──a frame──▶ the daemon that everybody shares
          ◀── `protocol` ─────  │  ◀──────────────
                               `tools`, `resources`, `prompts`: tables; what to ask, and how to tell the answer

Nothing is known here but what the daemon says: no log is read, nothing is kept.
"""

from recapd.bridges.mcp.server import serve

__all__ = ["serve"]
