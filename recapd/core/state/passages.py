"""What was said and done that a decision may be read from, in the order of the log.

The fold only collects: whole messages, bounded, and the deeds between them. What they decide is found when somebody
asks (see find), from the passage and from what stood before and after it. So indexing stays fast, however the bytes
arrive the passages are the same, and later evidence counts without anything being written twice.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.core.log import Place
from recapd.core.state.traits import Wordless

PassageKind: TypeAlias = Literal[
    "prompt",  # the human's words, as a turn
    "queued",  # the human's words, typed while the agent worked
    "unqueued",  # words typed while the agent worked were taken back; all that wait where the text is empty
    "command",  # the human's words, as arguments of a slash command
    "reply",  # the agent's words
    "answer",  # what the human answered to the agent's question tool
    "plan",  # a plan the agent laid before the human
    "approved",  # the human accepted the plan before it
    "rejected",  # the human refused a plan or a call; the text is the human's reason
    "record",  # what the agent wrote down on purpose; `choices` has its kind, by whom, and what it replaces
    "written",  # what a document of the agent's says is decided; `asked` is how it is told
    "task",  # what a sub-agent was told to do
    "report",  # what a sub-agent came back with: the agent's words
    "summary",  # the agent's own summary of what it was about to forget
    "commit",  # a commit's command line
    "edit",  # a file was changed; the text is its path
    "run",  # a command was run
    "failed",  # a call failed
    "stopped",  # the human interrupted the agent
]

# A message is kept by its beginning and its end: what is decided stands there, and what is between is mostly pasted.
HEAD_CHARS = 6_000
TAIL_CHARS = 3_000
KEPT_CHARS = HEAD_CHARS + TAIL_CHARS
# A command line that is no commit only says that something was done.
DEED_CHARS = 160


class Passage(Struct, frozen=True, gc=False):
    """One message, answer or deed. Texts are exact parts of what is logged at `place`."""

    kind: PassageKind
    text: str
    place: Place
    # The record's own id where it has one; else "".
    record: Wordless[str]
    at: Wordless[str]
    # Row in Transcript.turns, -1 before the first; and the number of the message among those alive.
    turn_row: int
    message: int
    # The end of a long text, whose middle is left out; for a verdict the beginning of what the tool returned.
    tail: str = ""
    # For an answer the question, for a verdict the plan or call that was judged, for a record why.
    asked: str = ""
    # Where that stands; for a record of what the user decided, the user's message; for what a plan says that was
    # approved, the plan.
    asked_at: Place | None = None
    # For an answer what could be answered.
    choices: tuple[str, ...] = ()


def head_and_tail(text: str) -> tuple[str, str]:
    if len(text) <= KEPT_CHARS:
        return text, ""
    return text[:HEAD_CHARS], text[-TAIL_CHARS:]
