"""A recap as data, and the pages that are written from it."""

from recapd.core.views.recap.canary import contradictions
from recapd.core.views.recap.changes import Change, changes_of
from recapd.core.views.recap.decisions import headline_of, plainly
from recapd.core.views.recap.full import open_work
from recapd.core.views.recap.markdown import FORMATS, Told, Wanted, default_tokens, markdown_of, told_of
from recapd.core.views.recap.past import as_of_turn
from recapd.core.views.recap.produced import milestone_words, question_or_detail, state_words
from recapd.core.views.recap.recap import (
    LINE_CHARS,
    MAX_ACTIONS,
    REQUEST_CHARS,
    Progress,
    Recap,
    Stats,
    recap_of,
    recap_so_far,
    recent_steps,
)
from recapd.core.views.recap.requests import line_of
from recapd.core.views.recap.results import words_of_turn
from recapd.core.views.recap.resume import SessionSummary, session_summary
from recapd.core.views.recap.shown import about_prompt, asked_for, showing
from recapd.core.views.recap.summary import formatted, tools_used
from recapd.core.views.recap.telling import make_ahead, telling_of
from recapd.core.views.recap.timeline import Checkpoint, Topic, segments_of, topics_of
from recapd.core.views.recap.view import Fact, Item, View, statements_of
from recapd.core.views.recap.words import plain_line, request_line, result_line, short_names

__all__ = [
    "FORMATS",
    "LINE_CHARS",
    "MAX_ACTIONS",
    "REQUEST_CHARS",
    "Change",
    "Checkpoint",
    "Fact",
    "Item",
    "Progress",
    "Recap",
    "SessionSummary",
    "Stats",
    "Told",
    "Topic",
    "View",
    "Wanted",
    "about_prompt",
    "as_of_turn",
    "asked_for",
    "changes_of",
    "contradictions",
    "default_tokens",
    "formatted",
    "headline_of",
    "line_of",
    "make_ahead",
    "markdown_of",
    "milestone_words",
    "open_work",
    "plain_line",
    "plainly",
    "question_or_detail",
    "recap_of",
    "recap_so_far",
    "recent_steps",
    "request_line",
    "result_line",
    "segments_of",
    "session_summary",
    "short_names",
    "showing",
    "state_words",
    "statements_of",
    "telling_of",
    "told_of",
    "tools_used",
    "topics_of",
    "words_of_turn",
]
