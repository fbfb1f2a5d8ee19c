"""Between recapd and the programs people already use. Stdlib and `recapd.client` only: an agent waits for these.

`mcp`: tools, resources and prompts for agents, by the Model Context Protocol.
`hook`: what agents start when something happens in a session.
`statusline`: a line for an agent's status line.
`install`: puts recapd into the configuration of another program, and takes it out again.
"""
