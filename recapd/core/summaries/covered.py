"""Which messages a summary covers, by what does not change when a log is rewritten around them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct

from recapd.core.state import Chunked, Memory, Transcript, Utterance, is_beginning
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
    return _fingerprints(spoken, [last])[last]


def fingerprints_of(transcript: Transcript, lasts: Collection[int], memory: Memory) -> Mapping[int, str]:
    """The same up to each of several messages. Of a conversation that only grows they are made once."""
    part = memory.part(_Made)
    made = part.latest
    # Whoever goes back in a conversation does not leave it as it was.
    is_whole = not transcript.totals.abandoned_turns
    if not is_whole or not is_beginning(made.utterances, transcript.utterances):
        made = _Fingerprints()
    if missing := [last for last in lasts if last not in made.by_last]:
        spoken = live_utterances(transcript)
        found = {**made.by_last, **_fingerprints(spoken, missing)}
        if not is_whole or not spoken:
            return found
        # The last message may go on.
        settled = {last: each for last, each in found.items() if last < spoken[-1].message}
        part.latest = _Fingerprints(transcript.utterances, settled)
        return found
    return made.by_last


class _Fingerprints(Struct, frozen=True):
    """Up to which messages of a conversation they are known."""

    utterances: Chunked[Utterance] = Chunked()
    by_last: Mapping[int, str] = {}


class _Made:
    """The latest of a session. Threads may be at it too: whichever is last leaves what it made."""

    def __init__(self) -> None:
        self.latest = _Fingerprints()


def _fingerprints(spoken: Sequence[Utterance], lasts: Collection[int]) -> dict[int, str]:
    digest = blake2b(digest_size=8)
    found: dict[int, str] = {}
    to_come = sorted(lasts, reverse=True)
    for each in spoken:
        while to_come and each.message > to_come[-1]:
            found[to_come.pop()] = digest.hexdigest()
        if not to_come:
            break
        digest.update(f"{each.speaker} {each.message} {each.chars} {id_of(each)}\n".encode("utf-8", "surrogatepass"))
    return found | dict.fromkeys(to_come, digest.hexdigest())


def id_of(utterance: Utterance) -> str:
    """The record's own id; where it has none, its time and place."""
    return utterance.record or f"{utterance.at}@{utterance.place.offset}"
