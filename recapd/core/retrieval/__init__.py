"""Finding what was said, by what somebody is about to work on.

text ─terms.py─▶ terms    text ─passages.py─▶ spans    both ─index.py─▶ postings ─rank.py─▶ the passages to read

The index holds numbers only: which words stand in which passage of which record. Texts stay in the log.
"""

from recapd.core.retrieval.index import MOST_CHARS, Index
from recapd.core.retrieval.lines import (
    LONG_CHARS,
    SAID,
    SEARCHED,
    Found,
    Query,
    has_all_words,
    in_order,
    line_with,
    pattern_of,
    phrase_in,
    query_of,
    searched_text,
)
from recapd.core.retrieval.rank import Hit, by_likeness, search
from recapd.core.retrieval.terms import asked_terms, is_stem, stem_of
from recapd.core.retrieval.units import Known, Unit, known_of, units_of

__all__ = [
    "LONG_CHARS",
    "MOST_CHARS",
    "SAID",
    "SEARCHED",
    "Found",
    "Hit",
    "Index",
    "Known",
    "Query",
    "Unit",
    "asked_terms",
    "by_likeness",
    "has_all_words",
    "in_order",
    "is_stem",
    "known_of",
    "line_with",
    "pattern_of",
    "phrase_in",
    "query_of",
    "search",
    "searched_text",
    "stem_of",
    "units_of",
]
