"""What `recapd files` and recaps say of a log's changes, however it is spelled and whatever failed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recapd.__main__ import main
from tests.support.logs import agent, claude_log, edit, human, write

LOG = claude_log(
    human("Limit the uploads"),
    write("/home/dev/shop/new.py", created=True),
    write("/home/dev/shop/old.py", created=False),
    edit("/home/dev/shop/bad.py", outcome="failed"),
    agent("Uploads are limited."),
)


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (",  ", " : ")], ids=["as logged", "spaces", "more"])
def test_created_and_modified_are_told_apart_however_a_log_is_spelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], separators: tuple[str, str]
) -> None:
    rows = [json.loads(line) for line in LOG.splitlines()]
    log = tmp_path / "session.jsonl"
    log.write_text("".join(json.dumps(row, separators=separators) + "\n" for row in rows))
    params = json.dumps({"session": {"log": str(log)}})
    assert main(["call", "--no-daemon", "files/list", params]) == 0
    found = {each["path"].rpartition("/")[2]: each["action"] for each in json.loads(capsys.readouterr().out)["files"]}
    assert (found["new.py"], found["old.py"]) == ("created", "modified")
    # One that was only tried was neither read nor changed.
    assert found["bad.py"] not in ("read", "modified", "written")
    assert main(["recap", "--no-daemon", "--format", "full", str(log)]) == 0
    page = capsys.readouterr().out
    assert "Tried to edit bad.py — failed" in page and "tool_use_error" not in page
