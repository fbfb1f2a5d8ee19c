"""How much of the end of a conversation stays word for word: one answer for summaries and for contexts.

What comes before `verbatim_from` may be summarised, what comes from it on is shown as it is: no hole, no overlap.
A boundary is always the beginning of a message, so a call stays with its result, and never stands between a prompt and
the first words of its answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from recapd.core.settings import WindowSettings
from recapd.core.state import Meter, Transcript, Utterance

# Nothing sampled yet: four characters are a token, roughly.
_CHARS_PER_TOKEN = 4


def live_utterances(transcript: Transcript) -> list[Utterance]:
    """Where every message stands that still belongs to the conversation, in its order."""
    if not transcript.totals.abandoned_turns:
        return list(transcript.utterances)
    abandoned = {row for row, turn in enumerate(transcript.turns) if turn.abandoned}
    return [each for each in transcript.utterances if each.turn_row not in abandoned]


def verbatim_from(transcript: Transcript, window: WindowSettings) -> int:
    """Number of the first message in the window; 0 where all of them are."""
    spoken = live_utterances(transcript)
    if not spoken:
        return 0
    if window.unit == "exchanges":
        return _by_exchanges(spoken, window.size)
    if window.unit == "messages":
        return _whole(spoken, spoken[-1].message + 1 - window.size)
    return _whole(spoken, _by_tokens(transcript, spoken, window.size))


def tokens_of(transcript: Transcript, utterance: Utterance) -> int:
    """Estimated tokens of what is said there, from the sampled meters."""
    meter: Meter = transcript.human if utterance.speaker == "user" else transcript.agent
    if not meter.sampled_chars:
        return utterance.chars // _CHARS_PER_TOKEN
    return round(utterance.chars * meter.sampled_tokens / meter.sampled_chars)


def _by_exchanges(spoken: Sequence[Utterance], size: int) -> int:
    """An exchange is a prompt that was answered in words; the prompt that still waits is in the window anyway."""
    answered = 0
    rows_seen: set[int] = set()
    first = spoken[-1].message
    is_answered: set[int] = {each.turn_row for each in spoken if each.speaker == "agent"}
    for each in reversed(spoken):
        if each.turn_row not in rows_seen:
            if answered == size and each.turn_row in is_answered:
                return first
            rows_seen.add(each.turn_row)
            answered += each.turn_row in is_answered
        first = each.message
    return 0


def _by_tokens(transcript: Transcript, spoken: Sequence[Utterance], size: int) -> int:
    room = size
    first = spoken[-1].message
    for each in reversed(spoken):
        room -= tokens_of(transcript, each)
        if room < 0:
            return first
        first = each.message
    return 0


def _whole(spoken: Sequence[Utterance], first: int) -> int:
    """The boundary moved back where it would part a prompt from its answer."""
    if first <= 0:
        return 0
    speaker_of = {each.message: each.speaker for each in spoken if first - 1 <= each.message <= first}
    if speaker_of.get(first) == "agent" and speaker_of.get(first - 1) == "user":
        return first - 1
    return first
