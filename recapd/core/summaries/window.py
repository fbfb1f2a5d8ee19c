"""How much of the end of a conversation stays word for word: one answer for summaries and for contexts.

What comes before `verbatim_from` may be summarised, what comes from it on is shown as it is: no hole, no overlap.
A boundary is always the beginning of a message, so a call stays with its result, and never stands between a prompt and
the first words of its answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, takewhile

from recapd.core.settings import WindowSettings
from recapd.core.state import Transcript, Utterance

# Nothing sampled yet: four characters are a token, roughly.
_CHARS_PER_TOKEN = 4


def live_utterances(transcript: Transcript) -> list[Utterance]:
    """Where every message stands that still belongs to the conversation, in its order."""
    if not transcript.totals.abandoned_turns:
        return list(transcript.utterances)
    abandoned = {row for row, turn in enumerate(transcript.turns) if turn.abandoned}
    return [each for each in transcript.utterances if each.turn_row not in abandoned]


def latest_utterances(transcript: Transcript) -> Iterator[Utterance]:
    """The same from the end on, as far as somebody goes back: a window is short, whatever the conversation."""
    turns = transcript.turns
    if not transcript.totals.abandoned_turns:
        return reversed(transcript.utterances)
    return (each for each in reversed(transcript.utterances) if each.turn_row < 0 or not turns[each.turn_row].abandoned)


def verbatim_from(transcript: Transcript, window: WindowSettings) -> int:
    """Number of the first message in the window; 0 where all of them are."""
    first = _by_unit(transcript, window)
    return max(first, _whole(transcript, _by_tokens(transcript, window.max_tokens))) if window.max_tokens else first


def _by_unit(transcript: Transcript, window: WindowSettings) -> int:
    if window.unit == "exchanges":
        return _by_exchanges(transcript, window.size)
    if window.unit == "tokens":
        return _whole(transcript, _by_tokens(transcript, window.size))
    last = next(latest_utterances(transcript), None)
    return _whole(transcript, last.message + 1 - window.size) if last is not None else 0


def tokens_of(transcript: Transcript, utterance: Utterance) -> int:
    """Estimated tokens of what is said there, from the sampled meters."""
    meter = transcript.human if utterance.speaker == "user" else transcript.agent
    if not meter.sampled_chars:
        return utterance.chars // _CHARS_PER_TOKEN
    return round(utterance.chars * meter.sampled_tokens / meter.sampled_chars)


def _by_exchanges(transcript: Transcript, size: int) -> int:
    """An exchange is a prompt that was answered in words; the prompt that still waits is in the window anyway."""
    answered = first = 0
    for _, turn in groupby(latest_utterances(transcript), key=lambda each: each.turn_row):
        spoken = list(turn)
        is_answered = any(each.speaker == "agent" for each in spoken)
        if answered == size and is_answered:
            return first
        answered += is_answered
        first = spoken[-1].message
    return 0


def _by_tokens(transcript: Transcript, size: int) -> int:
    room = size
    first: int | None = None
    for each in latest_utterances(transcript):
        first = each.message if first is None else first
        room -= tokens_of(transcript, each)
        if room < 0:
            return first
        first = each.message
    return 0


def _whole(transcript: Transcript, first: int) -> int:
    """The boundary moved back where it would part a prompt from its answer."""
    if first <= 0:
        return 0
    since = takewhile(lambda each: each.message >= first - 1, latest_utterances(transcript))
    speaker_of = {each.message: each.speaker for each in since}
    if speaker_of.get(first) == "agent" and speaker_of.get(first - 1) == "user":
        return first - 1
    return first
