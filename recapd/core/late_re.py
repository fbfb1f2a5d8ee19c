"""Stands in for `re` in the modules of the core and of the adapters: a pattern is compiled when it is first used.

Compiling all of them took nearly half of every start, and no process needs all: the one that reads logs uses a third of
those that it imports. One that does not compile is found by the tests, which use each.
"""

import re
from re import DOTALL, IGNORECASE, MULTILINE, I, Match, Pattern, escape, fullmatch, match, search, split, sub
from typing import AnyStr, cast

__all__ = [
    "DOTALL",
    "IGNORECASE",
    "MULTILINE",
    "I",
    "Match",
    "Pattern",
    "compile",
    "escape",
    "fullmatch",
    "match",
    "search",
    "split",
    "sub",
]

_METHODS = tuple(name for name in dir(Pattern) if not name.startswith("_"))


def compile(pattern: AnyStr, flags: int = 0) -> Pattern[AnyStr]:
    return cast(Pattern[AnyStr], _Late(pattern, flags))


class _Compiled:
    """Has all that a pattern has as attributes of its own, which are found as quickly as a pattern's."""


class _Late(_Compiled):
    def __init__(self, pattern: object, flags: int) -> None:
        self._made_of = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        made: Pattern[str] = re.compile(*self._made_of)  # type: ignore[call-overload]
        vars(self).update({each: getattr(made, each) for each in _METHODS})
        # Threads that come at the same time compile it again, and all of them find the same.
        self.__class__ = _Compiled  # type: ignore[assignment]
        return getattr(made, name)
