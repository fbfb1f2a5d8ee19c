"""What is up to the reader: the question or the offer that the last answer ends with, and what there is to choose from.

Owns: whether anything is, by how the session stands. What the end of an answer says is `core/text/closing`'s to read.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.log import Place
from recapd.core.text import Closing, closing_of, presentable
from recapd.core.views.recap.items import cited
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.view import Item, Section, Wording, joined, worded
from recapd.core.views.recap.words import plain_line

# The line has that label already.
_LABEL_RE: Final = re.compile(r"\Anext steps?(?: for you)?[:：] *(?=\S)", re.IGNORECASE)
# Where the agent had the last word and nobody has answered it.
_ANSWERED: Final = ("asked in words", "answered", "had answered")
_LEAST_OPTION_CHARS: Final = 12


def next_section(recap: Recap, columns: int) -> Section | None:
    """None where nothing is up to the reader, or the state says it."""
    stand = recap.standing
    if stand.cause == "asks" and stand.options and stand.place is not None:
        return _section(recap, Closing(stand.question, stand.options), stand.place, columns)
    last = recap.turns[-1] if recap.turns else None
    if last is None or last.replied is None or stand.cause not in _ANSWERED:
        return None
    # A page tries several widths.
    closing = recap.session.memory.recall(_closing, recap.session.main.transcript.last_words, "closing")
    if closing is None and stand.question:
        closing = Closing(stand.question)
    return _section(recap, closing, last.replied, columns) if closing is not None else None


def _closing(answer: str) -> Closing | None:
    return closing_of(presentable(answer))


def _section(recap: Recap, closing: Closing, place: Place, columns: int) -> Section:
    item = Item(key="next", wording=_wording(closing, columns), turn=recap.turn, cited=cited(recap, place))
    return Section("next", "Next", (item,))


def _wording(closing: Closing, columns: int) -> Wording:
    """The words, and as many of the options as there is room for, each whole; none where not all have a few words."""
    text = _LABEL_RE.sub("", closing.text)
    asked = plain_line(text[:1].upper() + text[1:], columns)
    room = columns - len(asked)
    if not closing.options or room < _LEAST_OPTION_CHARS * len(closing.options):
        return worded(asked)
    each = room // len(closing.options)
    options = [worded(plain_line(option, max(each, _LEAST_OPTION_CHARS))) for option in closing.options]
    numbered = [joined((f"({number}) ", option)) for number, option in enumerate(options, start=1)]
    return joined((worded(asked), " ", joined(numbered, " ")))
