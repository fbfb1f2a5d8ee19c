"""Who is there, by the files that running agents keep beside their logs: what counts, what does not, and that a change
is seen by events alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from recapd.client.agents import presence_folder
from recapd.core.presence import Presence
from recapd.core.state.world import session_of
from recapd.daemon.following.watch import Pace
from recapd.daemon.presence import MOST_BYTES, MOST_FILES, find_presence_folder, look_at
from tests.support.following import following
from tests.support.logs import agent, claude_log, human

SESSION = "5e551011-c0de-4a11-8000-000000000001"
ID = f"claude-code:{SESSION}"
SINCE_MS, SINCE = 1_772_355_600_000, "2026-03-01T09:00:00.000Z"


class Claude:
    """A folder of Claude Code's, with its logs and with what its processes say of themselves."""

    def __init__(self, home: Path) -> None:
        self.logs, self.sessions = home / "projects", home / "sessions"
        self.logs.mkdir()
        self.sessions.mkdir()

    def says(self, status: str, *, pid: int | None = None, name: str = "", **fields: object) -> Path:
        """Write it as the agent does; unless said otherwise this very process is the agent."""
        pid = os.getpid() if pid is None else pid
        card = {"pid": pid, "sessionId": SESSION, "procStart": started(pid), "status": status}
        path = self.sessions / (name or f"{pid}.json")
        path.write_text(json.dumps({**card, "statusUpdatedAt": SINCE_MS, "kind": "interactive", **fields}))
        return path

    def seen(self) -> dict[str, Presence]:
        folder = find_presence_folder("claude-code", str(self.logs))
        assert folder is not None
        return dict(look_at([folder], {}).present)


def started(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


@pytest.fixture
def claude(tmp_path: Path) -> Claude:
    return Claude(tmp_path)


@pytest.mark.parametrize(
    ("status", "waiting_for", "doing"),
    [
        ("busy", None, "working"),
        ("idle", None, "resting"),
        ("waiting", "permission prompt", "permission"),
        ("waiting", "sandbox request", "permission"),
        ("waiting", None, "permission"),
        ("waiting", "input needed", "asking"),
        ("waiting", "something new", "asking"),
        ("something new", None, "running"),
    ],
)
def test_an_agent_says_what_it_does(claude: Claude, status: str, waiting_for: str | None, doing: str) -> None:
    claude.says(status, waitingFor=waiting_for)
    assert {each: (found.doing, found.since) for each, found in claude.seen().items()} == {ID: (doing, SINCE)}


def test_a_process_that_is_gone_or_another_one_is_not_there(claude: Claude) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    claude.says("idle", pid=ended.pid)
    assert claude.seen() == {}
    claude.says("idle", procStart="1")
    assert claude.seen() == ({} if started(os.getpid()) else {ID: Presence("resting", SINCE)})
    claude.says("idle", procStart="")
    assert claude.seen() != {}


@pytest.mark.parametrize(("age_s", "is_believed"), [(60, True), (2 * 3600, False)])
def test_a_process_in_a_container_is_believed_for_as_long_as_a_last_record(
    claude: Claude, age_s: float, is_believed: bool
) -> None:
    updated_ms = (time.time() - age_s) * 1000
    claude.says("idle", procStart="1", pidDomain="linux:0:pid:[1]", statusUpdatedAt=updated_ms)
    assert bool(claude.seen()) == (is_believed or not Path("/proc/self/ns/pid").exists())


@pytest.mark.parametrize("pid", [0, -1, 1 << 40, 1 << 70, True, "1"])
def test_a_number_that_is_no_process_is_nobody(claude: Claude, pid: object) -> None:
    (claude.sessions / "x.json").write_text(json.dumps({"pid": pid, "sessionId": SESSION, "status": "idle"}))
    assert claude.seen() == {}


def test_only_small_files_of_the_user_count_and_no_links(claude: Claude, tmp_path: Path) -> None:
    kept = claude.says("idle").rename(tmp_path / "elsewhere")
    (claude.sessions / "link.json").symlink_to(kept)
    os.mkfifo(claude.sessions / "pipe.json")
    (claude.sessions / "folder.json").mkdir()
    claude.says("idle", name="large.json", more="x" * MOST_BYTES)
    claude.says("idle", name="other.txt")
    claude.says("idle", name="odd.json", sessionId="../../x y")
    for number, content in enumerate(
        (b"", b"[]", b"{", b'{"pid":1}', b"\xff", b"[" * 10_000, b'{"pid":1,"sessionId":2}')
    ):
        (claude.sessions / f"{number}.json").write_bytes(content)
    assert claude.seen() == {}


def test_a_folder_that_is_a_link_or_not_there_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    assert find_presence_folder("claude-code", str(tmp_path / "projects")) is None
    (tmp_path / "real").mkdir()
    (tmp_path / "sessions").symlink_to(tmp_path / "real")
    assert find_presence_folder("claude-code", str(tmp_path / "projects")) is None


@pytest.mark.parametrize(
    ("agent", "logs", "folder"),
    [
        ("claude-code", "/h/.claude/projects", "/h/.claude/sessions"),
        ("claude-code", "/h/.claude/projects/", "/h/.claude/sessions"),
        ("claude-code", "/h/elsewhere", ""),
        ("codex", "/h/.codex/sessions", ""),
        ("", "/h/.claude/projects", ""),
    ],
)
def test_who_says_it_and_where(agent: str, logs: str, folder: str) -> None:
    assert presence_folder(agent, logs) == folder


def test_a_file_that_is_being_written_is_what_it_was(claude: Claude) -> None:
    path = claude.says("busy")
    folder = find_presence_folder("claude-code", str(claude.logs))
    assert folder is not None
    first = look_at([folder], {})
    path.write_bytes(path.read_bytes()[:20])
    assert look_at([folder], first.read).present == {ID: Presence("working", SINCE)}
    path.unlink()
    assert look_at([folder], first.read).present == {}


def test_what_killed_agents_left_behind_hides_nobody(claude: Claude) -> None:
    for number in range(MOST_FILES):
        left = claude.sessions / f"0{number}.json"
        left.write_text("{}")
        os.utime(left, (SINCE_MS / 1000, SINCE_MS / 1000))
    claude.says("idle", name="9.json")
    assert claude.seen()[ID].doing == "resting"


def test_of_two_processes_with_one_session_the_one_that_did_something_last_counts(claude: Claude) -> None:
    claude.says("idle", name="1.json", statusUpdatedAt=SINCE_MS + 5)
    claude.says("busy", name="2.json")
    assert claude.seen()[ID].doing == "resting"


def test_every_change_is_seen_by_events_and_a_killed_agent_by_the_next_look(claude: Claude) -> None:
    log = claude.logs / "p" / f"{SESSION}.jsonl"
    log.parent.mkdir()
    log.write_bytes(claude_log(human("fix it"), agent("Done.")))
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)

    async def main() -> None:
        async with following(claude.logs) as running:

            def doing() -> str:
                session = session_of(running.heard.world, ID)
                return session.presence.doing if session is not None and session.presence is not None else ""

            await running.until_indexed()
            assert doing() == "absent"
            for status, expected in (("busy", "working"), ("waiting", "permission"), ("idle", "resting")):
                path = claude.says(status, pid=process.pid)
                await running.heard.until(lambda expected=expected: doing() == expected)  # type: ignore[misc]
            path.unlink()
            await running.heard.until(lambda: doing() == "left")
            claude.says("idle", pid=process.pid)
            await running.heard.until(lambda: doing() == "resting")
            process.kill()
            process.wait()
            await running.clock.tick(Pace().hot_s)
            await running.heard.until(lambda: doing() == "left")

    try:
        anyio.run(main)
    finally:
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()


def test_a_folder_that_appears_later_is_watched(tmp_path: Path) -> None:
    logs = tmp_path / "projects"
    logs.mkdir()
    (logs / f"{SESSION}.jsonl").write_bytes(claude_log(human("fix it"), agent("Done.")))

    async def main() -> None:
        async with following(logs) as running:
            await running.until_indexed()
            assert running.heard.world.attended == ()
            claude = Claude.__new__(Claude)
            claude.logs, claude.sessions = logs, tmp_path / "sessions"
            claude.sessions.mkdir()
            await running.clock.tick(Pace().hot_s)
            await running.heard.until(lambda: bool(running.heard.world.attended))
            claude.says("idle")
            await running.heard.until(lambda: ID in running.heard.world.present)

    anyio.run(main)
