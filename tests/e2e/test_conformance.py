"""Clients hold to the transcripts in `protocol/conformance`, and one that does not is caught."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNNER = ROOT / "protocol" / "conformance" / "run.py"
TRANSCRIPTS = sorted(path.stem for path in RUNNER.parent.glob("transcripts/*.json"))
# Answers as recapd does, but for what a client may get wrong: it loses fields, answers, and the end of its input.
CARELESS = """
import json, subprocess, sys
driver = subprocess.Popen([sys.executable, sys.argv[1], "--drive", "--transport", "connect"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    driver.stdin.write(line); driver.stdin.flush()
    answer = json.loads(driver.stdout.readline())
    if "error" in answer: answer["error"].pop("data", None)
    print(json.dumps(answer), flush=True)
driver.stdin.close()
"""


def conform(*arguments: str) -> dict[str, str]:
    """What the runner says of each transcript."""
    command = [sys.executable, str(RUNNER), "--recapd", f"{sys.executable} -m recapd", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    verdicts = {}
    for line in done.stdout.splitlines():
        verdict, _, name = line.partition(":")[0].rpartition(" ")
        verdicts[name] = verdict if verdict != "not ok" else line
    assert done.returncode == any(each.startswith("not ok") for each in verdicts.values()), done.stderr
    return verdicts


def test_the_transcripts_pass() -> None:
    """As most clients come; `.ci/run` has them come over the socket and stdio too, which takes its time."""
    assert conform("--transport", "connect") == dict.fromkeys(TRANSCRIPTS, "ok")


def test_a_client_that_loses_something_is_caught(tmp_path: Path) -> None:
    driver = tmp_path / "driver.py"
    driver.write_text(CARELESS)
    verdicts = conform("--only", "errors", "--only", "overview", "--", sys.executable, str(driver), str(RUNNER))
    assert verdicts["overview"] == "ok"
    assert "has no data" in verdicts["errors"]


def test_every_transcript_says_what_a_user_has_of_it() -> None:
    for path in RUNNER.parent.glob("transcripts/*.json"):
        transcript = json.loads(path.read_text(encoding="utf-8"))
        assert set(transcript) <= {"about", "files", "needs", "steps"}
        assert transcript["about"].endswith(".")
