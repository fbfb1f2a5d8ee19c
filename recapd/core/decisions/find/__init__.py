"""Finding decisions in what was said and done: scenes, what in them may decide something, and how likely it does."""

from recapd.core.decisions.find.find import (
    Judged,
    findings_of,
    is_judged,
    judge,
    judged_in,
    keep_judged,
    settle,
    unjudged_scenes,
)
from recapd.core.decisions.find.scenes import Scene

__all__ = [
    "Judged",
    "Scene",
    "findings_of",
    "is_judged",
    "judge",
    "judged_in",
    "keep_judged",
    "settle",
    "unjudged_scenes",
]
