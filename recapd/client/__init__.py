"""Finding, starting and asking the user's daemon. Stdlib only: an editor pays for this at every start.

`find`, `start` and `connect` are the way in, `call` asks one question, `forward` joins stdio to the daemon.
Nothing here imports the rest of recapd, and nothing is imported here before it is needed.
"""
