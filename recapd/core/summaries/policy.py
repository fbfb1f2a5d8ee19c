"""When a rolling summary is due, and over which messages.

    0 ……… covered │ pending │ window ……… end
                  └─ enough of these, and a summary is made of them

By default enough is 20 messages outside the window. Once it is made, none of them waits any more: the next comes after
as many again, not with every message.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.core.settings import Settings
from recapd.core.state import Transcript, estimated_tokens
from recapd.core.summaries.record import RollingSummary
from recapd.core.summaries.window import live_utterances, tokens_of, verbatim_from

Cause: TypeAlias = Literal["messages", "tokens", "context", "request"]

# Tokens and shares of a context grow in jumps: with fewer messages waiting than this a summary saves nothing.
MIN_PENDING = 4
# Of the models that logs name; of others nothing is guessed.
_CONTEXT_TOKENS = (("claude", 200_000), ("gpt-4.1", 1_000_000), ("gpt-4", 128_000), ("gpt-5", 400_000),
                   ("o3", 200_000), ("o4", 200_000), ("codex", 400_000), ("gemini", 1_000_000),
                   ("deepseek", 128_000))  # fmt: skip


class Due(Struct, frozen=True):
    """A summary is due: of messages `first` to `last`, because of `cause`."""

    first: int
    last: int
    cause: Cause


def may_be_due(messages: int, covered_total: int, settings: Settings) -> bool:
    """A quick no: whether counting is worth it, from totals alone. Called for every piece of news."""
    summary = settings.summary
    if not summary.enabled:
        return False
    if summary.trigger_tokens or summary.trigger_context_pct:
        return True
    return messages - covered_total >= summary.every_messages


def due(transcript: Transcript, latest: RollingSummary | None, settings: Settings) -> Due | None:
    """`latest` is the last summary whose messages are still the same."""
    summary = settings.summary
    if not summary.enabled:
        return None
    first = latest.coverage.last + 1 if latest is not None else 0
    last = verbatim_from(transcript, settings.window) - 1
    if last < first:
        return None
    counted = last - first + 1
    if summary.trigger == "since":
        made_at = latest.coverage.total if latest is not None else 0
        counted = transcript.totals.messages - made_at
    if counted >= summary.every_messages:
        return Due(first, last, "messages")
    if last - first + 1 < MIN_PENDING:
        return None
    if summary.trigger_tokens and pending_tokens(transcript, first, last) >= summary.trigger_tokens:
        return Due(first, last, "tokens")
    if summary.trigger_context_pct and _fill_pct(transcript, latest) >= summary.trigger_context_pct:
        return Due(first, last, "context")
    return None


def on_request(transcript: Transcript, latest: RollingSummary | None, settings: Settings) -> Due | None:
    """What a summary asked for by hand covers: all outside the window, or everything where all is inside.

    Where nothing has left the window since the last one, that one is made anew.
    """
    last = verbatim_from(transcript, settings.window) - 1
    end = transcript.totals.messages - 1
    first = latest.coverage.last + 1 if latest is not None else 0
    if last >= first:
        return Due(first, last, "request")
    if latest is not None:
        return Due(latest.coverage.first, latest.coverage.last, "request")
    return Due(0, end, "request") if end >= 0 else None


def pending_tokens(transcript: Transcript, first: int, last: int) -> int:
    return sum(tokens_of(transcript, each) for each in live_utterances(transcript) if first <= each.message <= last)


def context_tokens(model: str) -> int:
    """The context window of a model by the name logs give it; 0 where nobody knows."""
    for part in model.lower().split("/"):
        for start, tokens in _CONTEXT_TOKENS:
            if part.startswith(start):
                return tokens
    return 0


def _fill_pct(transcript: Transcript, latest: RollingSummary | None) -> float:
    """How much of the model's window the summary and everything after it fill."""
    window = context_tokens(transcript.model)
    if not window:
        return 0.0
    spoken = live_utterances(transcript)
    end = max(spoken[-1].place.offset + spoken[-1].place.length, 1) if spoken else 1
    done = latest.coverage.last_place.offset + latest.coverage.last_place.length if latest is not None else 0
    left = estimated_tokens(transcript) * (1 - min(done / end, 1.0))
    return 100 * (left + (latest.tokens if latest is not None else 0)) / window
