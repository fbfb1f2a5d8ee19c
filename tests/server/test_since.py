"""`since` over the protocol: turn, time, cursor and reader, on a log that grows and is rewritten."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from recapd.core.text.tokens import estimate_tokens
from recapd.daemon.library import Library
from recapd.daemon.marks import Marks
from recapd.daemon.store.in_memory import InMemory
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import CURSOR_EXPIRED, RecapError
from recapd.wire.types import RecapGetResult, TimelineGetResult
from tests.support.logs import Act, agent, at, claude_log, edit, human, shell

FIRST: tuple[Act, ...] = (human("fix the parser"), edit("/home/dev/shop/a.py"), agent("Done."))
SECOND: tuple[Act, ...] = (human("now the docs"), edit("/home/dev/shop/b.md"), agent("Written."))


class Marked(Library):
    """A library with readers' marks, as the daemon's snapshot has them."""

    def __init__(self, marks: Marks) -> None:
        super().__init__([], environ={"HOME": "/nowhere"})
        self._marks = marks

    def mark(self, session_id: str, consumer: str) -> str | None:
        return self._marks.get(session_id, consumer)

    def marks(self, session_id: str) -> Mapping[str, str]:
        return self._marks.of_session(session_id)


def get(log: Path, *, marks: Marks | None = None, **params: object) -> RecapGetResult:
    raw = msgspec.json.encode({"session": {"log": str(log)}, **params})
    result = answer(Marked(marks or Marks(InMemory())), "recap/get", raw)
    assert isinstance(result, RecapGetResult)
    return result


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(claude_log(*FIRST))
    return path


def test_a_reader_is_told_what_came_since_it_last_looked(log: Path) -> None:
    marks = Marks(InMemory())
    since = {"consumer": "editor"}
    first = get(log, marks=marks, since=since)
    assert first.recap.since_last_recap is not None
    assert (first.recap.since_last_recap.from_turn, first.recap.since_last_recap.turns) == (0, 1)
    marks.acknowledge(first.session_id, "editor", first.cursor)
    assert not get(log, marks=marks, since=since).recap.user_requests
    log.write_bytes(claude_log(*FIRST, *SECOND))
    news = get(log, marks=marks, since=since).recap
    assert [request.text for request in news.user_requests] == ["now the docs"]
    assert [file.path for file in news.files] == ["/home/dev/shop/b.md"]
    assert news.since_last_recap is not None
    assert (news.since_last_recap.from_turn, news.since_last_recap.turns, news.since_last_recap.actions) == (1, 1, 1)
    # Reading moves no mark, and other readers have their own.
    assert get(log, marks=marks, since=since).recap == news
    assert len(get(log, marks=marks, since={"consumer": "hook"}).recap.user_requests) == 2


@pytest.mark.parametrize(("since", "requests"), [({"turn": 1}, 1), ({"time": at(150)}, 1), ({"turn": 0}, 2)])
def test_after_a_turn_or_a_time(log: Path, since: dict[str, object], requests: int) -> None:
    log.write_bytes(claude_log(*FIRST, *SECOND))
    assert len(get(log, since=since).recap.user_requests) == requests


def test_a_cursor_holds_while_the_log_outgrows_its_first_4_kb(log: Path) -> None:
    """A short log's generation is its first line's; a long one's is that of 4 KB."""
    assert log.stat().st_size < 4096
    cursor = get(log).cursor
    log.write_bytes(claude_log(*FIRST, *SECOND, human("and more " * 500)))
    assert log.stat().st_size > 4096
    assert len(get(log, since={"cursor": cursor}).recap.user_requests) == 2


def test_readers_stay_where_they_were_while_the_log_outgrows_its_first_4_kb(log: Path) -> None:
    marks = Marks(InMemory())
    first = get(log)
    marks.acknowledge(first.session_id, "Ann", first.cursor)

    def is_told() -> tuple[bool, bool]:
        raw = msgspec.json.encode({"session": {"log": str(log)}})
        drawn = answer(Marked(marks), "timeline/get", raw)
        assert isinstance(drawn, TimelineGetResult)
        read = [(mark.turn, mark.text) for mark in drawn.marks if mark.kind == "acknowledged"]
        return read == [(1, "Read by Ann")], "Ann" in get(log, marks=marks, format="timeline", force=True).markdown

    assert is_told() == (True, True)
    log.write_bytes(claude_log(*FIRST, *SECOND, human("and more " * 500)))
    assert is_told() == (True, True)
    # In another log they have read nothing.
    log.write_bytes(claude_log(human("something else"), *SECOND, human("and more " * 500)))
    assert is_told() == (False, False)


@pytest.mark.parametrize("cursor", ["", "t1.0", "nonsense", None])
def test_a_cursor_of_another_log_or_none_at_all_is_expired(log: Path, cursor: str | None) -> None:
    kept = get(log).cursor
    log.write_bytes(claude_log(human("something else"), session="5e551011-c0de-4a11-8000-000000000009"))
    with pytest.raises(RecapError) as raised:
        get(log, since={"cursor": kept if cursor is None else cursor})
    assert raised.value.code == CURSOR_EXPIRED


def test_a_readers_mark_outlives_a_rewriting_by_its_time(log: Path) -> None:
    marks = Marks(InMemory())
    first = get(log)
    marks.acknowledge(first.session_id, "editor", first.cursor)
    log.write_bytes(claude_log(human("fix the lexer instead"), *FIRST[1:], *SECOND))
    news = get(log, marks=marks, since={"consumer": "editor"}).recap
    assert [request.text for request in news.user_requests] == ["now the docs"]


@pytest.mark.parametrize("max_tokens", [1, 10, 30, 60, 200])
@pytest.mark.parametrize("format", ["short", "full"])
def test_the_news_comes_first_and_within_the_budget(log: Path, max_tokens: int, format: str) -> None:
    markdown = get(log, since={"turn": 0}, maxTokens=max_tokens, format=format).markdown
    assert estimate_tokens(markdown) <= max_tokens
    if max_tokens >= 60:
        assert markdown.startswith("**New:** So far: 1 new turn, 1 action, 1 file touched.\n\n📍")


# ---- statements of what changed

LATER: tuple[Act, ...] = (
    human("No wait, use Redis for the queue instead of Postgres."),
    edit("/home/dev/shop/queue.py"),
    shell("pytest -q", "4 passed in 1s"),
    shell("git commit -m 'Queue in Redis'", "[main 1a2b3c4] Queue in Redis"),
    agent("The queue uses Redis now."),
)
EARLIER: tuple[Act, ...] = (
    human("Build a queue for the jobs. Let's use Postgres for the queue, no new services."),
    shell("pytest -q", "1 failed, 3 passed in 1s", exit_code=1),
    agent("Good. I'll use Postgres for the queue. One test fails."),
)


def changes(found: RecapGetResult) -> list[tuple[str, str]]:
    assert found.recap.since_last_recap is not None
    return [(item.kind, item.text) for item in found.recap.since_last_recap.items]


def test_a_reader_is_told_what_changed_beside_the_whole_recap(log: Path) -> None:
    marks = Marks(InMemory())
    log.write_bytes(claude_log(*EARLIER))
    before = get(log, marks=marks, consumer="panel")
    assert before.markdown == get(log).markdown and before.recap.original_request is not None
    marks.acknowledge(before.session_id, "panel", before.cursor)
    log.write_bytes(claude_log(*EARLIER, *LATER))
    found = get(log, marks=marks, consumer="panel")
    # A short page tells who has looked before what is new, and what still holds in a line; every other page is whole.
    assert "**Still:** Build a queue" in found.markdown and "Started with" not in found.markdown
    whole = get(log, marks=marks, consumer="panel", format="full")
    assert whole.markdown == get(log, format="full").markdown
    assert changes(found) == [
        ("decision", "No wait, use Redis for the queue instead of Postgres"),
        ("replaced", "Replaced: Let's use Postgres for the queue, no new services"),
        ("testsPassed", "Tests pass now: 4 passed (pytest)"),
        ("commit", "Committed: Queue in Redis"),
        ("file", "queue.py modified"),
    ]
    news = found.recap.since_last_recap
    assert news is not None and (news.first, news.from_turn, news.turns) == (None, 1, 1)
    by_kind = {item.kind: item for item in news.items}
    assert len(by_kind["testsPassed"].refs) == 2 and by_kind["testsPassed"].ok
    assert by_kind["file"].file_uri == "file:///home/dev/shop/queue.py"
    assert by_kind["replaced"].status == "superseded" and by_kind["decision"].by == "user"
    # The same where only the news is asked for.
    assert changes(get(log, marks=marks, since={"consumer": "panel"})) == changes(found)
    assert changes(get(log, marks=marks, since={"turn": 2})) == []


def test_to_a_reader_who_never_looked_nothing_is_news(log: Path) -> None:
    log.write_bytes(claude_log(*EARLIER, *LATER))
    for found in (get(log, consumer="panel"), get(log, since={"consumer": "panel"})):
        news = found.recap.since_last_recap
        assert news is not None and news.first and news.items == ()
        assert news.text.startswith("First look: 2 turns, ")
        assert found.markdown == get(log).markdown


def test_a_forgotten_past_is_a_change(tmp_path: Path) -> None:
    """The agent's memory is replaced by a summary."""
    forgot = {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto", "preTokens": 9}}
    path = tmp_path / "log.jsonl"
    whole = claude_log(*EARLIER)
    last = msgspec.json.decode(whole.splitlines()[-1])
    row = {**{key: last[key] for key in ("sessionId", "cwd", "version", "timestamp")}, **forgot}
    row |= {"uuid": "5e551011-c0de-4a11-8000-0000000000ff", "parentUuid": None, "isSidechain": False, "content": "x"}
    path.write_bytes(whole + msgspec.json.encode(row) + b"\n")
    assert ("compaction", "The agent's memory was replaced by a summary") in changes(get(path, since={"turn": 0}))
