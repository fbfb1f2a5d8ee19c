"""`recapd sessions` of an agent that begins a log at each start: how it ended, how often it was begun, its notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recapd.__main__ import main
from tests.cli.test_seed_001_logs import CLEAN, Log

ENDS = {
    CLEAN: ("clean", ""),
    "token budget exceeded (limit 900) (912 tokens)": ("tokens", "out of tokens"),
    "max iterations reached (40) (812 tokens)": ("iterations", "out of iterations"),
    "": ("crashed", "crashed"),
}


def instance(stop: str, note: str = "Sow the beans in May") -> str:
    log = Log()
    log.put("system", content="You are an agent with a workspace.")
    log.put("user", content="Plan the garden")
    log.call("note_to_self", {"text": note}, "Saved.", "The beds are planned.")
    if stop:
        log.put("system", content=f"[stop] {stop}")
    else:
        log.call("ls", {"path": "."}, None)
    return log.text()


def listed(capsys: pytest.CaptureFixture[str], folder: Path) -> list[dict[str, object]]:
    assert main(["sessions", "--json", str(folder)]) == 0
    rows: list[dict[str, object]] = json.loads(capsys.readouterr().out)["sessions"]
    return rows


@pytest.mark.parametrize("stop", ENDS, ids=[each[0] for each in ENDS.values()])
def test_a_list_tells_how_a_session_ended_and_what_was_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stop: str
) -> None:
    ended, words = ENDS[stop]
    (tmp_path / "001_agent_20260203_040000.jsonl").write_text(instance(stop))
    (row,) = listed(capsys, tmp_path)
    assert (row["ended"], row["note"], row["instances"]) == (ended, "Sow the beans in May", 1)
    assert main(["sessions", str(tmp_path)]) == 0
    line = capsys.readouterr().out
    assert words in line and "note: Sow the beans in May" in line and "instances" not in line


def test_a_list_counts_the_instances_of_a_session(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, count in (("garden", 3), ("shed", 1)):
        (tmp_path / name).mkdir()
        for number in range(count):
            log = tmp_path / name / f"00{number + 1}_agent_20260203_04000{number}.jsonl"
            log.write_text(instance(CLEAN, f"Note {number} of the {name}"))
    rows = listed(capsys, tmp_path)
    assert sorted((str(row["note"]), row["instances"]) for row in rows) == [
        ("Note 0 of the garden", 3),
        ("Note 0 of the shed", 1),
        ("Note 1 of the garden", 3),
        ("Note 2 of the garden", 3),
    ]
    assert main(["sessions", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("3 instances") == 3


def test_an_agent_that_was_shut_down_did_not_crash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever it left unanswered."""
    rows = [
        ("session.start", {"sessionId": "s1", "copilotVersion": "1.0.64", "context": {"cwd": "/repo"}}),
        ("user.message", {"content": "Plan the garden"}),
        ("session.shutdown", {"shutdownType": "routine", "codeChanges": {}}),
    ]
    events = [
        {"type": kind, "id": f"e{at}", "parentId": None, "timestamp": f"2026-02-03T04:00:0{at}.000Z", "data": data}
        for at, (kind, data) in enumerate(rows)
    ]
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    (row,) = listed(capsys, tmp_path)
    assert (row["state"], row["ended"]) == ("interrupted", "clean")
