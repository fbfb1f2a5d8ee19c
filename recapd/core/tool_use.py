"""Which tools a session used: how often, how often in vain, and the uses that tell most.

A use tells more where it changed something, then where it was made often, then where it took long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from recapd.core.log import CallKind, Place, seconds_between
from recapd.core.state import Step, category, relative
from recapd.core.text import one_line, presentable, presentable_path

NOTABLE_USES: Final = 3
_USE_CHARS: Final = 80
_PATHS: Final[frozenset[CallKind]] = frozenset(("read", "list", "edit", "write", "patch", "delete"))


class Use(Struct, frozen=True, gc=False):
    """What a tool was used on, fit to be shown."""

    text: str
    # The latest one.
    place: Place
    count: int = 1
    changes: bool = False
    seconds: float = 0.0


class ToolUse(Struct, frozen=True):
    tool: str
    calls: int
    failed: int = 0
    # The most telling first.
    uses: tuple[Use, ...] = ()


def tool_uses(
    calls: Mapping[str, int], failed: Mapping[str, int], steps: Sequence[Step], root: str = ""
) -> tuple[ToolUse, ...]:
    """By tool, most used first. `steps` are those that are known: of a long session, the latest."""
    found: dict[str, list[Use]] = {}
    for step in steps:
        if step.ok and (text := _text_of(step, root)):
            seconds = seconds_between(step.at, step.ended_at) if step.at and step.ended_at else None
            is_change = category(step.kind) == "consequential"
            use = Use(text, step.place, step.count, is_change, max(seconds or 0.0, 0.0))
            found.setdefault(step.tool, []).append(use)
    return tuple(
        ToolUse(tool, calls[tool], failed.get(tool, 0), _most_telling(found.get(tool, ())))
        for tool in sorted(calls, key=lambda tool: (-calls[tool], tool))
    )


def merged_uses(before: Sequence[ToolUse], new: Sequence[ToolUse]) -> tuple[ToolUse, ...]:
    """Of two stretches of one session, together."""
    found = {each.tool: each for each in before}
    for each in new:
        known = found.get(each.tool)
        found[each.tool] = (
            each
            if known is None
            else ToolUse(
                each.tool,
                known.calls + each.calls,
                known.failed + each.failed,
                _most_telling((*known.uses, *each.uses)),
            )
        )
    return tuple(sorted(found.values(), key=lambda each: (-each.calls, each.tool)))


def notable_uses(use: ToolUse) -> list[str]:
    """What it was used on, in a few words each."""
    return [each.text + (f" ×{each.count}" if each.count > 1 else "") for each in use.uses]


def describe_uses(use: ToolUse) -> str:
    """`12 (2 failed): npm test ×9, npm run build`."""
    failed = f" ({use.failed} failed)" if use.failed else ""
    return f"{use.calls}{failed}" + (f": {', '.join(notable_uses(use))}" if use.uses else "")


def _most_telling(uses: Iterable[Use]) -> tuple[Use, ...]:
    together: dict[str, Use] = {}
    for each in uses:
        known = together.pop(each.text, None)
        if known is not None:
            seconds = max(known.seconds, each.seconds)
            each = Use(each.text, each.place, known.count + each.count, known.changes, seconds)
        together[each.text] = each
    latest_first = list(together.values())[::-1]
    return tuple(sorted(latest_first, key=lambda each: (not each.changes, -each.count, -each.seconds))[:NOTABLE_USES])


def _text_of(step: Step, root: str) -> str:
    if step.kind in _PATHS:
        return one_line(relative(presentable_path(step.target), root), _USE_CHARS)
    return one_line(presentable(step.target or step.detail), _USE_CHARS)
