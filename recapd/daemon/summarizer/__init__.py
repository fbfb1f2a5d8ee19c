"""Summaries made while conversations go on, by our own means or by a model."""

from recapd.daemon.summarizer.summarizer import Summarizer

__all__ = [
    "Summarizer",
]
