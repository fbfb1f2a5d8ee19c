"""`recapd hook EVENT`: what an agent starts when something happens in a session; one program for every agent.

    stdin: the agent's JSON ─▶ events: what to ask of the daemon, what to tell it ─▶ one write, one answer ─▶ stdout

It never costs a turn: it has 300 ms from the start of its process, ends with 0 whatever happens, and says nothing where
nothing is to say. Without a daemon it answers from what the last one left, and starts one for the next time.
"""

from recapd.bridges.hook.events import EVENTS, SIGNALS_ONLY, answer_json, question_of
from recapd.bridges.hook.program import run

__all__ = ["EVENTS", "SIGNALS_ONLY", "answer_json", "question_of", "run"]
