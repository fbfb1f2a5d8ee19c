"""A long conversation is told page by page, and what lies between its messages is not read for it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from recapd.core.log.refs import LogRef
from recapd.daemon.library import Library
from recapd.server.methods import history
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import CURSOR_EXPIRED, SOURCE_GONE, RecapError
from recapd.wire.types.summary import HistoryGetParams, HistoryGetResult
from tests.support.logs import agent, claude_log, human, shell

# Three pages of messages, and outputs of calls that are a hundred times as long.
TURNS = 1_100
OUTPUT = "collected 1 item\n" * 500


class Counting(Library):
    """Counts what is read back from logs."""

    def __init__(self, folder: Path) -> None:
        super().__init__([folder], environ={})
        self.most_at_once = self.read = 0

    def bytes_at(self, ref: LogRef) -> bytes | None:
        self.read += ref.byte_length
        self.most_at_once = max(self.most_at_once, ref.byte_length)
        return super().bytes_at(ref)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "long.jsonl"
    turns = ((human(f"part {number}"), shell("pytest", OUTPUT), agent(f"did {number}")) for number in range(TURNS))
    path.write_bytes(claude_log(*(act for turn in turns for act in turn)))
    return path


def get(library: Library, **params: object) -> HistoryGetResult:
    found = answer(library, "history/get", msgspec.json.encode(params))
    assert isinstance(found, HistoryGetResult)
    return found


def test_all_of_a_long_conversation_in_pages(log: Path) -> None:
    library = Counting(log.parent)
    pages = [get(library, full=True)]
    while (cursor := pages[-1].next_cursor) is not None:
        pages.append(get(library, full=True, cursor=cursor))
    assert [len(page.messages) for page in pages] == [1000, 1000, 200]
    texts = [message.text for page in pages for message in page.messages]
    assert texts == [text for number in range(TURNS) for text in (f"part {number}", f"did {number}")]
    lines = "\n".join(page.text for page in pages).splitlines()
    assert lines[1] == f"Session history ({2 * TURNS} messages total):"
    assert [line for line in lines if line.startswith("  [")] == [
        f"  [{2 * number + each}] {words}"
        for number in range(TURNS)
        for each, words in ((1, f"User: part {number}"), (2, f"Assistant: did {number}"))
    ]
    # A page is no more than the places of its messages, in pieces.
    assert library.most_at_once <= 1 << 20


def test_calls_between_messages_are_not_read(log: Path, tmp_path: Path) -> None:
    turns = ((human(f"part {number}"), shell("pytest", OUTPUT * 20), agent(f"did {number}")) for number in range(20))
    (tmp_path / "loud.jsonl").write_bytes(claude_log(*(act for turn in turns for act in turn)))
    library = Counting(tmp_path)
    assert len(get(library, full=True).messages) == 40
    assert library.read * 20 < (tmp_path / "loud.jsonl").stat().st_size


def test_a_page_of_any_size_and_a_cursor_of_no_one(log: Path) -> None:
    library = Library([log.parent], environ={})
    assert [message.index for message in get(library, full=True, limit=3, cursor="at:7").messages] == [7, 8, 9]
    recent = get(library, limit=3)
    assert [message.index for message in recent.messages] == [2 * TURNS - 20, 2 * TURNS - 19, 2 * TURNS - 18]
    assert get(library, cursor=recent.next_cursor).messages[-1].index == 2 * TURNS - 1
    with pytest.raises(RecapError) as refused:
        get(library, full=True, cursor="elsewhere")
    assert refused.value.code == CURSOR_EXPIRED


def test_a_log_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_bytes(claude_log(human("fix the parser"), agent("Done.")))
    library = Library([tmp_path], environ={})
    session = library.session(None, None)
    path.unlink()
    with pytest.raises(RecapError) as failed:
        history.get(library, session, HistoryGetParams(full=True))
    assert failed.value.code == SOURCE_GONE
