"""A statement as pages tell it: whole, in a few words, fit for Markdown, and what each form costs.

Apart from the pages because it outlives them: a session is told again and again, and of a long one hardly a statement
has changed since. Each part is worked out when a page first asks for it, and once. There are thousands of them, so
what is the same is held once, and none is followed by the collector: a phrase is part of no circle.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from recapd.core.text import ELLIPSIS, terms_of, token_share
from recapd.core.views.recap.words import result_line, said

# A result is told in few characters where a clause of it says as much; whole where none ends so early.
_CHARS: Final = (120, 80)
_WHOLE_CHARS: Final = 200


def is_cut(line: str) -> bool:
    """Whether it ends within a clause; a list may end before its last item."""
    return line.endswith(ELLIPSIS) and not line.endswith(f"; {ELLIPSIS}")


class Phrase(Struct, gc=False, eq=False):
    text: str
    _terms: tuple[str, ...] | None = None
    _shown: str | None = None
    _item_tokens: float | None = None
    _clause_tokens: float | None = None
    # Whether it is told as it is, and in which other words: it must not hold itself.
    _others: tuple[bool, tuple[Phrase, ...]] | None = None

    @property
    def terms(self) -> tuple[str, ...]:
        if self._terms is None:
            self._terms = tuple(terms_of(self.text))
        return self._terms

    @property
    def shown(self) -> str:
        """As it may stand in a page."""
        if self._shown is None:
            shown = said(self.text)
            self._shown = self.text if shown == self.text else shown
        return self._shown

    @property
    def item_tokens(self) -> float:
        """What it costs at most as one more line of a list."""
        if self._item_tokens is None:
            self._item_tokens = token_share(f"\n  - {self.shown}")
        return self._item_tokens

    @property
    def clause_tokens(self) -> float:
        """What it costs at most as one more part of a line."""
        if self._clause_tokens is None:
            self._clause_tokens = token_share(f"; {self.shown}")
        return self._clause_tokens

    @property
    def versions(self) -> tuple[Phrase, ...]:
        """Whole, and up to the end of a clause; never cut within one, unless there is no end in it."""
        if self._others is None:
            lines = list(dict.fromkeys(result_line(self.text, chars) for chars in _CHARS))
            told = [line for line in lines if not is_cut(line)] or [result_line(self.text, _WHOLE_CHARS)]
            # The words themselves are the longest version where they are one at all.
            is_told = told[:1] == [self.text]
            self._others = is_told, tuple(map(Phrase, told[is_told:]))
        is_told, others = self._others
        return (self, *others) if is_told else others
