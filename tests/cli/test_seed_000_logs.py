"""Seed 000 through a log in its own format, pi's, to what its user sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recapd.__main__ import main

SUMMARY = "[Session Summary - Earlier conversation compressed]\n\nThe queue is on Redis. Open: the export."


def pi_log(*said: tuple[str, str]) -> str:
    rows: list[dict[str, object]] = [
        {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-02-01T10:00:00.000Z", "cwd": "/home/dev/shop"}
    ]
    for number, (role, text) in enumerate(said, 1):
        message = {"role": role, "content": [{"type": "text", "text": text}]}
        header = {"type": "message", "id": f"m{number}", "parentId": f"m{number - 1}" if number > 1 else None}
        rows.append({**header, "timestamp": f"2026-02-01T10:{number:02d}:00.000Z", "message": message})
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("form", ["short", "full", "timeline"])
def test_a_compressed_session_begins_with_the_users_own_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    log = tmp_path / "session.jsonl"
    log.write_text(
        pi_log(
            ("user", SUMMARY),
            ("assistant", "Understood. I have the earlier conversation in mind."),
            ("user", "Add the nightly export at 2 am"),
            ("assistant", "The nightly export runs at 2 am."),
        )
    )
    assert main(["recap", "--no-daemon", "--format", form, str(log)]) == 0
    page = capsys.readouterr().out
    assert "Add the nightly export at 2 am" in page and "turn 1" in page.lower()
    assert "Session Summary" not in page and "Understood" not in page
