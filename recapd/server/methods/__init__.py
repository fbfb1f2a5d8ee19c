"""The handlers: one module per family of methods, one function per method, found by their names."""

from recapd.server.methods.dispatch import Question, answer, answer_question, kept_answer, waiting_handler

__all__ = ["Question", "answer", "answer_question", "kept_answer", "waiting_handler"]
