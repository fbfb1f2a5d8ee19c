"""Something that is amiss, as whoever finds it says it: what, and what to do about it, apart until both are shown."""

from __future__ import annotations

from msgspec import Struct


class Trouble(Struct, frozen=True):
    message: str
    # What to do about it; "" where nothing can be done, or it goes without saying.
    action: str = ""

    def __str__(self) -> str:
        """In one sentence."""
        return f"{self.message}; {self.action}" if self.action else self.message

    def below(self, heading: str) -> Trouble:
        """The same, with where it was found in front."""
        return Trouble(f"{heading}: {self.message}", self.action)
