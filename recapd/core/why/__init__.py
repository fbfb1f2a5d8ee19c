"""From a line of source to the edit that last wrote it.

    alignment.py     which lines of a text stay in the next one, as far as every shortest diff agrees
    attribution.py   back through the edits, from the file as it is: which of them wrote each line
    trail.py         which changes of which sessions these are
    telling.py       what is told of the turn that wrote a line

Pure, and exact before it is complete: a line is given to an edit only where the texts prove it. What a person, a
formatter or a command did between two edits is not in any log, and lines that may be theirs are nobody's.
"""

from recapd.core.why.attribution import NOBODY, Edit, Piece, attribute, lines_of
from recapd.core.why.telling import MOST_DECISIONS, decisions_in_force, write_answer
from recapd.core.why.trail import ChangedPaths, Touch, changed_paths, names_of, request_of, trail_of

__all__ = [
    "MOST_DECISIONS",
    "NOBODY",
    "ChangedPaths",
    "Edit",
    "Piece",
    "Touch",
    "attribute",
    "changed_paths",
    "decisions_in_force",
    "lines_of",
    "names_of",
    "request_of",
    "trail_of",
    "write_answer",
]
