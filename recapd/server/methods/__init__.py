"""The handlers: one module per family of methods, one function per method, found by their names."""

from recapd.server.methods.dispatch import answer, answer_request, waiting_handler

__all__ = ["answer", "answer_request", "waiting_handler"]
