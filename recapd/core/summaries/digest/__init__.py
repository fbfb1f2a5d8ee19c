"""A session boiled down to a budget (seed 001's pipeline), pure and local.

    records ─script─▶ beats ─chunk─▶ chunks ─merge─▶ episodes' chunks ─tell─▶ episodes ─score─▶ ─select─▶ text

script    what was said, and every call told in one line
chunk     pieces that belong together: never across a prompt, never longer than allowed
vectors   how alike two texts are, without any model
merge     neighbours on one matter become one
tell      each chunk in a few sentences of its own
score     which of them a reader needs: late, new, connected, consequential
select    as many as the budget holds, in order of time, behind the request and the decisions
"""

from recapd.core.summaries.digest.chunk import Chunk
from recapd.core.summaries.digest.pipeline import Digest, chunked, digest_of, episodes_of, finished, room_of
from recapd.core.summaries.digest.score import scores_of
from recapd.core.summaries.digest.script import Beat, Stretch, byte_range, messages_of, stretch_of
from recapd.core.summaries.digest.select import Frame
from recapd.core.summaries.digest.tell import Candidate, Episode, candidate_of, request_in

__all__ = [
    "Beat",
    "Candidate",
    "Chunk",
    "Digest",
    "Episode",
    "Frame",
    "Stretch",
    "byte_range",
    "candidate_of",
    "chunked",
    "digest_of",
    "episodes_of",
    "finished",
    "messages_of",
    "request_in",
    "room_of",
    "scores_of",
    "stretch_of",
]
