"""Quotes of decisions as they may be shown: without secrets and control characters, and still word for word."""

from __future__ import annotations

from recapd.core.hygiene import clean
from recapd.core.text import presentable


def shown_quote(quote: str) -> str:
    """Where an invisible character stood, the quote begins or ends: what is left of it stands in the log as it is."""
    # Nearly all there are need no look at each character.
    is_plain = quote.isascii() and quote.replace("\n", "").isprintable()
    if not is_plain and (invisible := [each for each in set(quote) if not clean(each)]):
        quote = max(quote.translate({ord(each): "\0" for each in invisible}).split("\0"), key=len)
    return presentable(quote).strip()
