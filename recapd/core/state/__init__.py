"""The conversation as far as it is read: how records are folded into a transcript, and transcripts into sessions.

folding     extend(transcript, records): the only way a transcript changes; turns, actions, files and progress each
            own their part of it
world       all sources and the sessions they make up
session     a session read as a whole
"""

from recapd.core.state.call_lines import Style, category, describe, fold_repeats, relative
from recapd.core.state.chunked import CHUNK, Chunked, Growing
from recapd.core.state.cold import GROWING, bounded_part, cold_sources, head_of, put, restore, with_whole
from recapd.core.state.draft import start_draft
from recapd.core.state.folding import extend, freeze, take
from recapd.core.state.outcomes import failing_tests, standing_milestones
from recapd.core.state.passages import Passage
from recapd.core.state.sections import ALL_SECTIONS, WAITING
from recapd.core.state.session import (
    FINISHED_S,
    OpenItem,
    Sourced,
    Standing,
    current_focus,
    estimated_tokens,
    files_of,
    live_turns,
    open_items,
    ref_in,
    shown_step,
    standing,
    steps_of,
    tests_of,
)
from recapd.core.state.titles import opening_request, title_of
from recapd.core.state.traits import fields_within
from recapd.core.state.transcript import (
    EMPTY,
    Ending,
    FileFact,
    Meter,
    Milestone,
    OpenCall,
    Request,
    Step,
    TestRun,
    Transcript,
    Turn,
    Utterance,
)
from recapd.core.state.turns import LAST_WORDS_CHARS
from recapd.core.state.understanding import Coverage, VersionFacts, coverage_of, split_type, version_key, word
from recapd.core.state.waiting import waits
from recapd.core.state.world import (
    Batch,
    Delta,
    Session,
    Source,
    Verdict,
    World,
    drop,
    fold,
    forget,
    is_plain_id,
    last_active,
    revise,
    session_at,
    session_id_of,
    session_of,
    sessions_of,
    source_key,
    vanish,
)

__all__ = [
    "ALL_SECTIONS",
    "CHUNK",
    "EMPTY",
    "FINISHED_S",
    "GROWING",
    "LAST_WORDS_CHARS",
    "WAITING",
    "Batch",
    "Chunked",
    "Coverage",
    "Delta",
    "Ending",
    "FileFact",
    "Growing",
    "Meter",
    "Milestone",
    "OpenCall",
    "OpenItem",
    "Passage",
    "Request",
    "Session",
    "Source",
    "Sourced",
    "Standing",
    "Step",
    "Style",
    "TestRun",
    "Transcript",
    "Turn",
    "Utterance",
    "Verdict",
    "VersionFacts",
    "World",
    "bounded_part",
    "category",
    "cold_sources",
    "coverage_of",
    "current_focus",
    "describe",
    "drop",
    "estimated_tokens",
    "extend",
    "failing_tests",
    "fields_within",
    "files_of",
    "fold",
    "fold_repeats",
    "forget",
    "freeze",
    "head_of",
    "is_plain_id",
    "last_active",
    "live_turns",
    "open_items",
    "opening_request",
    "put",
    "ref_in",
    "relative",
    "restore",
    "revise",
    "session_at",
    "session_id_of",
    "session_of",
    "sessions_of",
    "shown_step",
    "source_key",
    "split_type",
    "standing",
    "standing_milestones",
    "start_draft",
    "steps_of",
    "take",
    "tests_of",
    "title_of",
    "vanish",
    "version_key",
    "waits",
    "with_whole",
    "word",
]
