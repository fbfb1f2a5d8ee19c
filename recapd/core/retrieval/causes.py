"""Questions for a cause, and passages that state one: an agent finds it in other words than it was asked for.

    asked   "Why did uploads return 500?"
    found   "There it is. `PROVIDER=local`: the server talks to a node on another machine."

Owns: the words by which both are known. Must not know: scores, indexes.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re

_ASKS_RE: Final = re.compile(
    r"\b(?:why|how come|what (?:caused|broke|went wrong|was wrong)|(?:the |root )(?:cause|reason)|"
    r"warum|weshalb|wieso|pourquoi|por qu[eé]|perch[eé]|porque|почему|зачем)\b|"
    r"为什么|为何|怎么会|原因|なぜ|どうして|왜",
    re.IGNORECASE,
)
_STATES_RE: Final = re.compile(
    r"\b(?:found (?:it|the (?:bug|issue|problem|cause|culprit|reason|error))|there it is|that['’]s (?:it|why)\b|"
    r"root cause|"
    r"(?:the|real|actual) (?:issue|problem|cause|reason|culprit|bug|error|mistake|fix)(?: (?:is|was)\b|\W{0,3}:)|"
    r"(?:is|was|are|were) caused by|(?:this|that) (?:happens|happened|fails|failed) because|turns out|the classic|"
    r"(?:die|der) (?:ursache|grund|fehler)\b|liegt (?:daran|an)|la (?:cause|raison)|le (?:problème|bug) (?:est|vient)|"
    r"la (?:causa|razón)|el (?:problema|error) es|причина|проблема в)|"
    r"根本原因|原因是|问题(?:是|在于|出在)|原因は|のが原因",
    re.IGNORECASE,
)


def asks_for_cause(prompt: str) -> bool:
    return _ASKS_RE.search(prompt) is not None


def states_cause(passage: str) -> bool:
    """Whether a passage says that this is what it was."""
    return _STATES_RE.search(passage) is not None
