"""Logs that are one document are read whole, and only believed when they are whole."""

from __future__ import annotations

import json
import time
from pathlib import Path

from tests.support.following import LATER_NS, FileFollower, fresh, seen, set_mtime
from tests.support.logs import at


def turns(follower: FileFollower) -> int:
    return sum(source.transcript.totals.turns for source in follower.world.sources.values())


def gemini(*texts: str) -> bytes:
    said = [{"id": f"m{n}", "timestamp": at(n), "type": "user", "content": text} for n, text in enumerate(texts)]
    return json.dumps({"sessionId": "s", "projectHash": "0", "startTime": "", "messages": said}, indent=1).encode()


def test_a_document_being_rewritten_keeps_what_was_known(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "session-1.json")
    later = gemini("one", "two")
    for torn in (b"", later[: len(later) // 2]):
        follower.path.write_bytes(gemini("one"))
        follower.settle()
        follower.path.write_bytes(torn)
        assert follower.look().outcome == "unsure"
        assert turns(follower) == 1
        follower.path.write_bytes(later)
        assert follower.look().outcome == "read"
        assert turns(follower) == 2
    assert follower.look().outcome == "unchanged"


def test_a_touched_document_is_no_news(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / "session-1.json")
    follower.path.write_bytes(gemini("one"))
    follower.look()
    set_mtime(follower.path, time.time_ns() - LATER_NS)
    step = follower.look()
    assert (step.outcome, step.batches) == ("unchanged", ())
    assert step.state is not None
    assert step.state.is_settled


def test_a_chat_that_vanishes_from_a_history_is_forgotten(tmp_path: Path) -> None:
    follower = FileFollower(tmp_path / ".aider.chat.history.md")
    chats = [f"\n# aider chat started at 2026-03-0{n} 09:00:00\n\n#### fix {n}\n\nFixed.\n" for n in range(1, 4)]
    follower.path.write_text("".join(chats))
    follower.settle()
    assert len(follower.world.sources) == 3
    follower.path.write_text(chats[2])
    follower.settle()
    assert seen(follower.world) == seen(fresh(follower.path))
    assert len(follower.world.sources) == 1
