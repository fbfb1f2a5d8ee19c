"""Which messages a summary covers, by what does not change when a log is rewritten around them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from recapd.core.state import Transcript, Utterance
from recapd.core.summaries.record import CoveredMessages
from recapd.core.summaries.window import live_utterances


def find_covered_messages(transcript: Transcript, *, first: int, last: int, generation: str) -> CoveredMessages | None:
    """None where there are no such messages."""
    spoken = live_utterances(transcript)
    covered = [each for each in spoken if first <= each.message <= last]
    if not covered:
        return None
    return CoveredMessages(
        first=covered[0].message,
        last=covered[-1].message,
        first_record=id_of(covered[0]),
        last_record=id_of(covered[-1]),
        total=spoken[-1].message + 1,
        fingerprint=fingerprint_of(spoken, covered[-1].message),
        generation=generation,
        first_place=covered[0].place,
        last_place=covered[-1].place,
    )


def still_holds(covered: CoveredMessages, transcript: Transcript) -> bool:
    """Whether the covered messages are still there, in their order, unchanged: nothing rewound, edited or deleted."""
    return fingerprint_of(live_utterances(transcript), covered.last) == covered.fingerprint


def fingerprint_of(spoken: Sequence[Utterance], last: int) -> str:
    """Of every message up to `last`; by ids where the log has them, so that a moved message is the same."""
    digest = blake2b(digest_size=8)
    for each in spoken:
        if each.message > last:
            break
        digest.update(f"{each.speaker} {each.message} {each.chars} {id_of(each)}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def id_of(utterance: Utterance) -> str:
    """The record's own id; where it has none, its time and place."""
    return utterance.record or f"{utterance.at}@{utterance.place.offset}"
