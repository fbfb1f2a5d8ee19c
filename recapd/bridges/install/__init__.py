"""Putting recapd into another program's configuration, and taking it out again.

    a row of TARGETS ─▶ its file plans: which files become what, what is run, what is left to the user
                          │
    carry_out ◀───────────┘ shows the difference, asks, writes; the same for either direction

Nothing here knows a program but its own file. To add one: a file beside the others, and its row in `targets`.
"""

from recapd.bridges.install.carrying_out import carry_out
from recapd.bridges.install.plan import CannotPlan, Wanted, read_notes, with_notes
from recapd.bridges.install.targets import TARGETS, target_named

__all__ = ["TARGETS", "CannotPlan", "Wanted", "carry_out", "read_notes", "target_named", "with_notes"]
