"""The handlers: one module per family of methods, one function per method."""

from recapd.server.methods.decisions import judged
from recapd.server.methods.digests import Plan, made_of, plan_of, to_wire
from recapd.server.methods.dispatch import SERVED, answer, answer_to_send
from recapd.server.methods.recapd import discover
from recapd.server.methods.session import list_ as list_sessions
from recapd.server.methods.summary import created

__all__ = [
    "SERVED",
    "Plan",
    "answer",
    "answer_to_send",
    "created",
    "discover",
    "judged",
    "list_sessions",
    "made_of",
    "plan_of",
    "to_wire",
]
