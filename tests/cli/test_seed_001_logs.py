"""Seed 001 through logs in its own format, mindloop's, to what its user sees: nobody asks, tools are called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from recapd.__main__ import main
from recapd.core.text import count_for_budget
from recapd.core.views.recap_file import recap_md
from recapd.daemon.library import Library
from recapd.server.digests import digest_text
from recapd.server.workspaces import belongs_to, workspace_of

NUDGE: Final = "Continue autonomously. Use the ask tool if you need user input.\n\nWaste no more time."
CLEAN: Final = "model finished (91234 tokens, $0.1200)"
WRITTEN: Final = ("sim/water.py", "report/table.py", "report/chart.py", "report/mail.py", "data/beds.csv")
DONE: Final = "Built the watering model and the report; the frost alarm is left."
DRIFT: Final = (
    "Sensor four drifts by two litres below five degrees, so whatever it says at night is corrected by the table "
    "that the gardeners keep in the shed"
)


class Log:
    """Rows as mindloop's logger writes them."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []
        self._calls = 0

    def put(self, role: str, **fields: object) -> None:
        self.rows.append({"timestamp": f"2026-02-03T04:{len(self.rows):02d}:00", "role": role, **fields})

    def call(self, tool: str, arguments: dict[str, object], result: str | None, said: str | None = None) -> None:
        self._calls += 1
        function = {"name": tool, "arguments": json.dumps(arguments)}
        calls = [{"id": f"call_{self._calls}", "type": "function", "function": function}]
        self.put("assistant", content=said, reasoning="a thought", tool_calls=calls, usage={"total_tokens": 9})
        if result is not None:
            self.put("tool", tool_call_id=f"call_{self._calls}", content=result)

    def say(self, text: str) -> None:
        self.put("assistant", content=text, reasoning="a thought", usage={"total_tokens": 9})
        self.put("user", content=NUDGE)

    def text(self) -> str:
        return "".join(json.dumps(row) + "\n" for row in self.rows)


def garden(stop: str = CLEAN) -> str:
    """An instance that goes on with a simulator of a garden; "" as `stop` is a crash in the middle of a call."""
    log = Log()
    log.put("system", content="You are an agent with a workspace.\n\nYou are instance 2 (1-based).")
    log.call("ls", {"path": "."}, "d  sim\nf  plan.md", "Let me see where the work was left.")
    log.call("read", {"path": "plan.md"}, "1. soil\n2. water\n3. report\n")
    log.call("recall", {"query": "evaporation"}, '[1] #12 (score=0.91) "Halves at night"\n    x')
    log.call("recall_detail", {"chunk_id": 12}, "#12 (active)\nText:\nIt halves at night.")
    log.call("status", {}, "time: 2026-02-03T04:05:00\ntokens used: 8123 / 1000000")
    log.say("The soil model exists in sim/soil.py, so the watering model is what is missing.")
    log.call("write", {"path": WRITTEN[0], "content": "a\nb\nc\n"}, f"Wrote 3 lines to {WRITTEN[0]}.")
    log.call("edit", {"path": "sim/soil.py", "old_string": "40", "new_string": "42"}, "Replaced 1 occurrence(s).")
    log.call("edit", {"path": "sim/main.py", "old_string": "x"}, "Error: old_string not found in file.")
    log.call("remember", {"text": "long", "abstract": DRIFT}, "Saved as #31.")
    log.call("ask", {"message": "Should the report show litres or millimetres?"}, "Millimetres, one decimal.")
    for path in WRITTEN[1:]:
        log.call("write", {"path": path, "content": "row\n" * 9}, f"Wrote 9 lines to {path}.", f"{path} comes next.")
        log.say(f"{path} takes its numbers from {WRITTEN[0]}, rounded to one decimal, and needs nothing else.")
    log.call("ask", {"message": "May I replace data/sensors.csv?"}, "User is unavailable.")
    log.call("write", {"path": "data/sensors.csv", "content": "x"}, "Error: write was denied by the user.")
    log.say("Everything but the frost alarm is done. Next step: write sim/frost.py.")
    if stop == CLEAN:
        log.call("done", {"summary": DONE}, DONE)
    elif not stop:
        log.call("write", {"path": "sim/frost.py", "content": "x"}, None)
    if stop:
        log.put("system", content=f"[stop] {stop}")
        log.put("system", content='[stats] {"ls": {"files_accessed": ["."]}}')
    return log.text()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main([arguments[0], "--no-daemon", *arguments[1:]]) == 0
    return capsys.readouterr().out


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "002_agent_20260203_040000.jsonl"
    path.write_text(garden())
    return path


def test_a_budget_of_a_thousand_tokens_tells_the_work_by_its_episodes(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run(capsys, "recap", "--budget", "1000", str(log))
    assert 350 < count_for_budget(text) <= 1000
    assert len([line for line in text.split("\n") if line.startswith("- ")]) >= 5
    # What the user answered, what was remembered, every file, how it ended.
    assert "Should the report show litres or millimetres? — answer: “Millimetres, one decimal.”" in text
    assert f"Remembered: {DRIFT}" in text
    changed = text.split("Changed:")[1].split("\n")[0]
    assert all(path.rpartition("/")[2] in changed for path in (*WRITTEN, "sim/soil.py"))
    assert f"Finished: {DONE}" in text
    assert "sim/soil.py, so the watering model is what is missing" in text
    # In the order of time.
    assert text.index("what is missing") < text.index(DRIFT) < text.index(DONE)
    # Neither thoughts, nor the loop's own words, nor what is in files.
    assert not any(words in text for words in ("a thought", "autonomously", "1. soil", "tokens used"))


def test_a_budget_is_used_also_where_the_words_come_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    told = (
        "The valve of the seventh bed is on at night because the sensor asks for it.",
        "The valve of the seventh bed is off at night because the sensor asks for it no more.",
        "At night the sensor asks for the seventh bed, and its valve is on.",
    )
    for words in told:
        log.call("read", {"path": "valves.log"}, "on\noff\n", "The log of the valves comes next.")
        log.say(words)
    (path := tmp_path / "001_agent_20260203_040000.jsonl").write_text(log.text())
    text = run(capsys, "recap", "--budget", "1000", str(path))
    assert all(words in text for words in told)
    assert text.count("The log of the valves comes next") <= 1 and count_for_budget(text) <= 1000


def test_a_digest_has_a_thousand_tokens_where_nobody_says_how_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = Log()
    for number in range(60):
        log.say(
            f"Bed {number} needs water pump p{number}x for its sensor s{number}y, which the gardener g{number}z set."
        )
    (path := tmp_path / "001_agent_20260203_040000.jsonl").write_text(log.text())
    found = json.loads(run(capsys, "call", "summary/digest", json.dumps({"session": {"log": str(path)}})))
    assert 900 < found["tokens"] == count_for_budget(found["text"]) <= 1000


def test_where_nobody_asks_no_turn_is_named(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("recap --budget 400", "recap --format short", "context --preset mindloop"):
        text = run(capsys, *command.split(), str(log))
        assert "Millimetres, one decimal" in text
        assert not any(f"(turn 0){end}" in text for end in ("\n", ";")) and "[0]" not in text


@pytest.mark.parametrize("budget", [60, 100, 200])
def test_the_end_outlives_the_beginning(log: Path, capsys: pytest.CaptureFixture[str], budget: int) -> None:
    text = run(capsys, "recap", "--budget", str(budget), str(log))
    assert count_for_budget(text) <= budget
    assert DONE in text
    assert "Let me see" not in text and "Recalled" not in text


RULES: Final[dict[str, tuple[str, dict[str, object], str, str]]] = {
    "read": ("read", {"path": "plan.md"}, "1. soil\n2. water\n", "Read plan.md (2 lines)"),
    "read of a part": ("read", {"path": "a.py"}, "x\n\n... (12 lines remaining)", "Read a.py)"),
    "ls": ("ls", {"path": "."}, "d  sim\nf  plan.md", "Listed directory: sim/, plan.md"),
    "recall": ("recall", {"query": "soil"}, '[1] #7 (score=0.7) "Soil"\n    y', "Recalled 1 memory about soil"),
    "recall of nothing": ("recall", {"query": "soil"}, "No memories found.", "Recalled no memories about soil"),
    "recall_detail": ("recall_detail", {"chunk_id": 12}, "#12 (active)", "Retrieved the full text of memory #12"),
    "edit": ("edit", {"path": "a.py", "old_string": "x"}, "Replaced 1 occurrence(s) in a.py.", "Edited a.py"),
    "edit that failed": (
        "edit",
        {"path": "a.py"},
        "Error: old_string not found in file.",
        "Tried to edit a.py — failed",
    ),
    "write": ("write", {"path": "b.py", "content": "x\n" * 20}, "Wrote 20 lines to b.py.", "Wrote b.py (20 lines)"),
    "write that was denied": (
        "write",
        {"path": "b.py", "content": "x"},
        "Error: write was denied by the user.",
        "Was refused to write b.py",
    ),
    "remember": ("remember", {"text": "long", "abstract": DRIFT}, "Saved as #31.", f"Remembered: {DRIFT}."),
    "ask": ("ask", {"message": "Which unit?"}, "Litres.", "Asked the user: Which unit? — answer: “Litres.”"),
    "ask of nobody": (
        "ask",
        {"message": "Which unit?"},
        "User is unavailable.",
        "Tried to ask the user Which unit? — failed",
    ),
    "done": ("done", {"summary": DONE}, DONE, f"Finished: {DONE}"),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_call_collapses_to_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str) -> None:
    tool, arguments, result, line = RULES[rule]
    log = Log()
    log.call(tool, arguments, result, "The garden needs a plan before anything is planted.")
    (path := tmp_path / "001_agent_20260203_040000.jsonl").write_text(log.text())
    assert line in run(capsys, "recap", "--budget", "400", str(path))


def test_status_is_dropped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    log.call("status", {}, "tokens used: 8123 / 1000000", "The garden needs a plan before anything is planted.")
    (path := tmp_path / "001_agent_20260203_040000.jsonl").write_text(log.text())
    text = run(capsys, "recap", "--budget", "400", str(path))
    assert "garden needs a plan" in text and "8123" not in text and "status" not in text


ENDS: Final = {
    "clean": (CLEAN, "", "State: done"),
    "out of tokens": ("token budget exceeded (limit 900) (912 tokens)", "ran out of tokens", "Ran out of tokens"),
    "out of iterations": ("max iterations reached (40) (812 tokens)", "hit the iteration limit", "limit of iterations"),
    "crash": ("", "ended abruptly (crash or interrupt)", "broke off"),
}


@pytest.mark.parametrize("end", ENDS)
def test_the_next_instance_is_told_how_the_last_one_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str
) -> None:
    stop, warning, state = ENDS[end]
    (path := tmp_path / "002_agent_20260203_040000.jsonl").write_text(garden(stop))
    context = run(capsys, "context", "--preset", "mindloop", str(path))
    assert ("# Warning" in context) == bool(warning) and warning in context
    assert "# Previous session recap" in context and "left out" not in context
    assert f"Remembered: {DRIFT}" in context and "Everything but the frost alarm is done" in context
    assert state in run(capsys, "recap", "--budget", "300", str(path))


def test_a_crash_between_two_calls_is_no_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    log.call("ls", {"path": "."}, "f  plan.md")
    log.say("The plan is there, so I go on with the first part of it.")
    (path := tmp_path / "001_agent_20260203_040000.jsonl").write_text(log.text())
    assert "# Warning" in run(capsys, "context", "--preset", "mindloop", str(path))


def test_its_recap_file_tells_the_work_by_its_episodes(tmp_path: Path) -> None:
    """What the next instance begins with: nobody asked for anything, so there are no turns to tell it by."""
    (logs := tmp_path / "garden" / "logs").mkdir(parents=True)
    (log := logs / "002_agent_20260203_040000.jsonl").write_text(
        garden().replace("rounded to one", "</details> to one")
    )
    library = Library()
    session = library.load(log)
    page = recap_md([session], library.now(), digest=digest_text(library, session, 1000)) or ""
    assert "the watering model is what is missing" in page and f"Remembered: {DRIFT}" in page
    assert "Everything but the frost alarm is done" in page and f"Finished: {DONE}" in page
    # What was decided is a list of its own, and no text of a log is markup.
    decided, _, happened = page.partition("\n\n- ")
    assert decided.split("\n")[-1].startswith("Decided: Millimetres, one decimal") and happened.count("\n- ") >= 4
    assert "turn 0" not in page and "</details>" not in page and "\n\nState: done" in page
    log.unlink()
    assert digest_text(library, session, 1000) == ""


@pytest.mark.parametrize("watched", ["workspace", "logs", "."])
def test_a_log_that_names_no_folder_is_told_of_where_it_lies(tmp_path: Path, watched: str) -> None:
    """`sessions/NAME/logs` beside `sessions/NAME/workspace`, which is where the next instance looks for `_recap.md`."""
    logs, workspace = tmp_path / "garden" / "logs", tmp_path / "garden" / "workspace"
    for folder in (logs, workspace):
        folder.mkdir(parents=True)
    (log := logs / "002_agent_20260203_040000.jsonl").write_text(garden("max iterations reached (40) (812 tokens)"))
    library = Library()
    session = library.load(log)
    assert belongs_to(session, workspace_of(str((tmp_path / "garden" / watched).resolve())))
    assert not belongs_to(session, workspace_of(str(tmp_path / "other")))
    page = recap_md([session], library.now()) or ""
    assert "Its log names no folder" in page and "limit of iterations" in page
    (log := logs / "003_agent_20260204_040000.jsonl").write_text(garden())
    assert "Finished: Built the watering model" in (recap_md([library.load(log)], library.now()) or "")
    assert all(path.rpartition("/")[2] in page for path in WRITTEN)
