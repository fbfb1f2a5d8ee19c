"""Finding decisions in what was said and done: scenes, what in them may decide something, and how likely it does."""

from recapd.core.decisions.find.find import findings_of

__all__ = [
    "findings_of",
]
