"""Quotes of decisions as they may be shown: without secrets and control characters, and still word for word."""

from __future__ import annotations

from functools import lru_cache

from recapd.core.hygiene import clean
from recapd.core.text import presentable


@lru_cache(maxsize=2_048)
def shown_quote(quote: str) -> str:
    """Where an invisible character stood, the quote begins or ends: what is left of it stands in the log as it is."""
    if any(not clean(each) for each in quote):
        quote = max("".join(each if clean(each) else "\0" for each in quote).split("\0"), key=len)
    return presentable(quote).strip()
