"""Whether the agent has stopped and the human is to move, as far as the log alone tells: no clock.

An agent talks while it works, and its log does not say whether more is to come: words that announce the next step are
no stop. Must not know: sessions, how long ago it was (see session.standing).
"""

from __future__ import annotations

from recapd.core.state.transcript import Transcript
from recapd.core.text import narrates


def waits(transcript: Transcript) -> bool:
    """Whether the conversation rests with the human: an answer was given, or a question or plan lies open."""
    moment = transcript.ending.moment
    if moment == "ended":
        return True
    if moment == "reply":
        words = transcript.last_words.rstrip()
        return not words.endswith((":", "：")) and not narrates(words)
    if moment != "call":
        return False
    opened = next(reversed(transcript.open_calls.values()), None)
    return opened is not None and opened.call.kind in ("ask", "plan") and not opened.via
