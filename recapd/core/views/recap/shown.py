"""Whether a recap is worth showing unasked: how deep the conversation is, and how long the human was away.

Whoever asks for a recap gets one; this is for hooks and editors that would like to know whether to show it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.log import Place, seconds_between
from recapd.core.settings import RecapSettings
from recapd.core.state import Request, last_active
from recapd.core.text import beginning, strip_quoted_reply, without_own_text
from recapd.core.views.recap.recap import Recap

Trigger: TypeAlias = Literal["threshold", "gap", "request"]


class Showing(Struct, frozen=True):
    """Whether to show a recap at this turn: what for, or why not."""

    turn: int
    shown: bool
    trigger: Trigger | None = None
    reason: str = ""


def showing(recap: Recap, settings: RecapSettings, now: str, current_prompt: str | None) -> Showing:
    """By turn threshold, floor and gap. A prompt that is not logged yet is one more turn."""
    is_new = is_one_more_turn(recap, current_prompt)
    turn = recap.turn + is_new
    if not settings.enabled:
        return Showing(turn, False, reason="Recaps are switched off in the configuration.")
    floor = min(settings.min_turns, settings.turn_threshold)
    if turn < floor:
        return Showing(turn, False, reason=f"The conversation is at turn {turn}; nothing is shown before turn {floor}.")
    if turn > settings.turn_threshold:
        return Showing(turn, True, "threshold")
    if settings.gap_minutes and _away_s(recap, now, is_logged=current_prompt is not None and not is_new) >= (
        settings.gap_minutes * 60
    ):
        return Showing(turn, True, "gap")
    after = settings.turn_threshold
    return Showing(turn, False, reason=f"The conversation is at turn {turn}; recaps are shown after turn {after}.")


def asked_for(recap: Recap, current_prompt: str | None) -> Showing:
    return Showing(recap.turn + is_one_more_turn(recap, current_prompt), True, "request")


def about_prompt(recap: Recap, current_prompt: str | None) -> Recap:
    """The recap at the prompt that the human has just typed: the last one logged, or the one after it."""
    if current_prompt is None or not is_one_more_turn(recap, current_prompt):
        return recap
    own = beginning(strip_quoted_reply(without_own_text(current_prompt)))
    upcoming = Request(own, recap.turn + 1, "", Place(0, 0, 0))
    return msgspec.structs.replace(recap, upcoming=upcoming)


def is_one_more_turn(recap: Recap, current_prompt: str | None) -> bool:
    """Whether the prompt is yet to be logged: agents write it down before, while or after a hook runs."""
    if current_prompt is None:
        return False
    if not recap.turns:
        return True
    # The log keeps a beginning, and a copy may differ in white space.
    logged = " ".join(recap.turns[-1].request.text.split())
    prompt = " ".join(strip_quoted_reply(current_prompt).split())
    return not logged or not prompt.startswith(logged)


def _away_s(recap: Recap, now: str, *, is_logged: bool) -> float:
    """How long nothing had happened when the human came back."""
    if is_logged:
        return recap.turns[-1].gap_s
    return seconds_between(last_active(recap.session), now) or 0.0
