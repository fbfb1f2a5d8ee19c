"""What was made of one session so far, so that nobody makes it again while the session only grows.

    shell ─keeps─▶ Memory ─with the Session─▶ views ─recall─▶ made once for each turn, scene, decision

Owns: what is kept, and when it no longer fits. Must not know: what is made; each subject has types of its own.
All of it could be made again from the session: whoever keeps none, or drops one, loses time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Concatenate, ParamSpec, TypeVar

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")


class Memory:
    """Of one session, as long as somebody keeps it. For any number of threads: what two of them make at once is the
    same, and either is kept.

    Sized by its session: each thing has a name of its own in it (the number of a turn, the id of a decision), under
    which one state of the thing is kept, the latest that was asked about.
    """

    __slots__ = ("_made", "_of_now", "_parts", "is_filled_ahead", "things")

    def __init__(self, of_now: Memory | None = None, *, is_filled_ahead: bool = False) -> None:
        """`of_now` is for the session as it was: most is still so, and what was otherwise takes nobody's place.

        `is_filled_ahead`: somebody makes what takes long, before it is asked for or soon after. Whoever asks makes no
        more than what just changed, and tells what is known.
        """
        self._of_now = of_now
        self.is_filled_ahead: bool = is_filled_ahead if of_now is None else of_now.is_filled_ahead
        # By what makes it and by name: the thing it was made of, and what was made. That is of any type, which nobody
        # is asked for: hundreds are recalled for one page.
        self._made: dict[object, dict[Hashable, tuple[object, Any]]] = {}
        self._parts: dict[type, Any] = {}
        # Of how many something was made, about: two threads may count as one.
        self.things = 0

    def __eq__(self, other: object) -> bool:
        """What was made of a session is no part of it: two are the same whatever somebody asked about them."""
        return isinstance(other, Memory)

    # Nothing that two equal sessions could be told apart by.
    __hash__ = None  # type: ignore[assignment]

    @property
    def is_of_past(self) -> bool:
        return self._of_now is not None

    def recall(
        self,
        make: Callable[Concatenate[T, P], R],
        thing: T,
        name: Hashable,
        *others: P.args,
        **more: P.kwargs,
    ) -> R:
        """`make(thing, ...)`, made anew only where another thing had the name before. Whatever else changes what is
        made is part of the name."""
        kept = self._made.get(make)
        if kept is None:
            kept = self._made.setdefault(make, {})
        known = kept.get(name)
        made: R
        if known is not None:
            before, made = known
            if before is thing:
                return made
            if before == thing:
                # What is read from disk again is the same in other objects: the ones in use are held.
                kept[name] = thing, made
                return made
        elif self._of_now is not None:
            same = self._of_now._made.get(make, {}).get(name)
            if same is not None and same[0] == thing:
                made = same[1]
                return made
        if known is None:
            self.things += 1
        made = make(thing, *others, **more)
        kept[name] = thing, made
        return made

    def recalled(self, make: Callable[Concatenate[T, P], R], thing: T, name: Hashable) -> R | None:
        """The same where it was made, else None."""
        # Asked of every turn of a page: no loop over two.
        kept = self._made.get(make)
        known = kept.get(name) if kept is not None else None
        if known is not None and (known[0] is thing or known[0] == thing):
            made: R = known[1]
            return made
        return self._of_now.recalled(make, thing, name) if self._of_now is not None else None

    def keep(self, make: Callable[Concatenate[T, P], R], thing: T, name: Hashable, made: R) -> None:
        """What somebody else made, as `recall` would."""
        kept = self._made.setdefault(make, {})
        if name not in kept:
            self.things += 1
        kept[name] = thing, made

    def part(self, sort: type[R]) -> R:
        """The one of its sort, for what needs more than a name and a thing; begun empty."""
        part: R | None = self._parts.get(sort)
        return part if part is not None else self._parts.setdefault(sort, sort())
