"""The sessions of a workspace at a glance: one line each, those that need the human first.

Owns: their order and what one line says. Which sessions belong to a workspace is the caller's to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from recapd.core.hygiene import clean_line, code_span, escape_markdown
from recapd.core.log import seconds_between
from recapd.core.state import (
    Session,
    Standing,
    current_focus,
    last_active,
    live_turns,
    opening_request,
    standing,
)
from recapd.core.text import excerpt, one_line
from recapd.core.views.recap import (
    plain_line,
    question_or_detail,
    request_line,
    result_line,
    words_of_turn,
)
from recapd.core.views.state_words import standing_word

_WAITING_FIRST: Final = {"waiting": 0, "active": 1, "interrupted": 2, "answered": 3, "finished": 4}
# Who has not come back for so long to what broke off or ended does not want it before what he did since.
_OVER: Final = frozenset({"interrupted", "answered", "finished"})
_LEFT_S: Final = 3 * 86_400
_TITLE_CHARS: Final = 80
_DETAIL_CHARS: Final = 160
_ID_CHARS: Final = 100


class Row(Struct, frozen=True, dict=True):
    """One session of an overview. What it says is worked out when it is shown, once: most of a long list is not."""

    session: Session
    standing: Standing

    @cached_property
    def title(self) -> str:
        return title_of(self.session)

    @cached_property
    def detail(self) -> str:
        """The question or the state in words; where that says nothing, what the last answer came to."""
        if not self.standing.is_said_by_status:
            return plain_line(question_or_detail(self.standing), _DETAIL_CHARS)
        turns = live_turns(self.session.main.transcript)
        return result_line(words_of_turn(turns[-1], self.session.memory).best, _DETAIL_CHARS) if turns else ""


def title_of(session: Session) -> str:
    """What it is about, the same wherever it is listed: its title, else the first request that says so."""
    transcript = session.main.transcript
    if transcript.title:
        return excerpt(transcript.title, _TITLE_CHARS)
    focus = current_focus(transcript)
    asked = opening_request(transcript) or (focus.text if focus else "")
    return session.memory.recall(request_line, asked, "title", _TITLE_CHARS)


def overview(sessions: Sequence[Session], now: str) -> list[Row]:
    """Those that need the human first, then those that only wait, those at work, and of the last days those that broke
    off, then those that ended; of each the latest first, and in the end likewise whatever is older."""
    return in_order([told(session, now) for session in sessions], now)


def in_order(rows: list[Row], now: str) -> list[Row]:
    rows.sort(key=lambda row: (last_active(row.session, now), row.session.id), reverse=True)
    rows.sort(key=lambda row: (not row.standing.is_needing, _place(row, now)))
    return rows


def _place(row: Row, now: str) -> int:
    is_over = row.standing.status in _OVER and (seconds_between(last_active(row.session, now), now) or 0) > _LEFT_S
    return len(_WAITING_FIRST) if is_over else _WAITING_FIRST[row.standing.status]


def overview_line(row: Row) -> str:
    session = row.session
    title = escape_markdown(row.title) or "(untitled)"
    when = f"turn {session.main.transcript.totals.turns}, {minute(last_active(session))}, {session_code(session)}"
    detail = escape_markdown(row.detail)
    word = standing_word(row.standing)
    return f"- **{word}**: {title} ({when}){f' — {detail}' if detail else ''}"


def overview_markdown(lines: Sequence[str], *, needing: int) -> str:
    if not lines:
        return "No sessions here."
    count = f"{len(lines)} session" if len(lines) == 1 else f"{len(lines)} sessions"
    needs = "1 needs you" if needing == 1 else f"{needing} need you"
    head = f"📍 **{count}**, {needs}" if needing else f"📍 **{count}**"
    return "\n".join((head, *lines))


def minute(at: str) -> str:
    """A time that stays true however late it is read."""
    return f"{at[:10]} {at[11:16]} UTC" if at else "an unknown time"


def session_code(session: Session) -> str:
    return code_span(one_line(clean_line(session.id), _ID_CHARS))


def told(session: Session, now: str) -> Row:
    return Row(session, standing(session, now))
