"""What an agent wrote down on purpose: by a tool of recapd's, or by a line of a fixed form at the end of its answer.

    recapd: decision by user: Use pnpm, never npm | because: one lock file | replaces: Use npm

Owns: that form. The same words in a file, a paste or a tool's output are nothing: only an answer is looked at.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core import late_re as re

RecordedKind: TypeAlias = Literal["decision", "constraint", "open", "done"]

RECORDED_KINDS: Final[tuple[RecordedKind, ...]] = ("decision", "constraint", "open", "done")
_MARK: Final = "recapd: "
_LINE_RE: Final = re.compile(
    r"recapd: (decision|constraint|open|done)(?: by (user|agent))?: (\S[^|\n]{0,400})"
    r"(?:\| ?because: ([^|\n]{1,300}))?(?:\| ?replaces: ([^|\n]{1,300}))?\Z"
)
# So many lines at the end of one answer.
_MOST_LINES: Final = 20


class Recorded(Struct, frozen=True, gc=False):
    """Texts are as logged, bounded."""

    kind: RecordedKind
    text: str
    # The agent says that the user decided it.
    by_user: bool = False
    because: str = ""
    # Id or words of what no longer holds.
    replaces: str = ""


def recorded_in(answer: str) -> tuple[Recorded, ...]:
    """What the lines at the end of an answer write down, in their order."""
    if _MARK not in answer:
        return ()
    found: list[Recorded] = []
    for line in reversed(answer.rstrip().split("\n")[-_MOST_LINES:]):
        match = _LINE_RE.match(line.rstrip())
        if match is None:
            break
        kind, by, text, because, replaces = match.groups()
        named = next(each for each in RECORDED_KINDS if each == kind)
        found.append(Recorded(named, text.strip(), by == "user", (because or "").strip(), (replaces or "").strip()))
    return tuple(reversed(found))


def without_recorded(answer: str) -> str:
    """The answer itself; the very same object where nothing is written down at its end."""
    count = len(recorded_in(answer))
    return "\n".join(answer.rstrip().split("\n")[:-count]).rstrip() if count else answer
