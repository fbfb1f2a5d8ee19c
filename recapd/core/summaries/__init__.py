"""Rolling summaries: when one is due, over what, and what it must say. Pure.

    policy    how many messages wait outside the window, and whether that is enough
    covered   which messages a summary stands for, by ids that survive a rewrite, and whether they are still the same
    facts     what must not fade: decisions, files, commands, open questions, commitments, what the user told
    write     the text, within its cap
    prompt    what a model is asked, and whether its answer is one
    make      all of it put together

A summary is never written anew from the prose of the one before: facts are merged as data, sentences are chosen again
from those that were chosen before. So the tenth generation knows what the first one knew.
"""

from recapd.core.summaries.covered import still_holds
from recapd.core.summaries.digest import (
    Beat,
    Candidate,
    Chunk,
    Digest,
    Frame,
    Stretch,
    byte_range,
    candidate_of,
    chunked,
    digest_of,
    episodes_of,
    finished,
    messages_of,
    request_in,
    room_of,
    scores_of,
    stretch_of,
)
from recapd.core.summaries.make import Draft, Material, by_model, chain_of, draft_of, extractive, previous_of, prompt_of
from recapd.core.summaries.notice import headlines, notice_of
from recapd.core.summaries.policy import MIN_PENDING, Due, due, may_be_due, on_request
from recapd.core.summaries.prompt import Prompt, accepted, segment_prompt
from recapd.core.summaries.record import CoveredMessages, Facts, Noted, RollingSummary
from recapd.core.summaries.window import live_utterances, verbatim_from

__all__ = [
    "MIN_PENDING",
    "Beat",
    "Candidate",
    "Chunk",
    "CoveredMessages",
    "Digest",
    "Draft",
    "Due",
    "Facts",
    "Frame",
    "Material",
    "Noted",
    "Prompt",
    "RollingSummary",
    "Stretch",
    "accepted",
    "by_model",
    "byte_range",
    "candidate_of",
    "chain_of",
    "chunked",
    "digest_of",
    "draft_of",
    "due",
    "episodes_of",
    "extractive",
    "finished",
    "headlines",
    "live_utterances",
    "may_be_due",
    "messages_of",
    "notice_of",
    "on_request",
    "previous_of",
    "prompt_of",
    "request_in",
    "room_of",
    "scores_of",
    "segment_prompt",
    "still_holds",
    "stretch_of",
    "verbatim_from",
]
