"""`why/get`: which turn wrote a line of a file, over the logs of several agents and sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import INVALID_PARAMS, RecapError
from recapd.wire.types import WhyGetResult
from tests.server.test_file_changes import BEGINNING, FILE, LOGGED, SECRET, after_edits, written
from tests.support.logs import CWD, Act, agent, claude_log, edit, ended, human, shell, write


def why(folder: Path, path: str = FILE, **params: object) -> WhyGetResult:
    found = answer(Library([folder], environ={}), "why/get", json.dumps({"path": path, **params}).encode())
    assert isinstance(found, WhyGetResult)
    return found


def told(found: WhyGetResult) -> list[tuple[int, int, int]]:
    return [(each.from_, each.to, each.turn) for each in found.lines]


def log_of(
    folder: Path,
    name: str,
    *acts: Act,
    texts: list[tuple[str, str]],
    at: str = "",
    minutes_ago: float | None = None,
    path: str = FILE,
    cwd: str = CWD,
) -> None:
    """A log of Claude Code whose writes and edits make these texts of those."""
    lines = [json.loads(line) for line in claude_log(*acts, session=name, cwd=cwd).splitlines()]
    waiting = iter(texts)
    for number, line in enumerate(lines):
        if at:
            line["timestamp"] = f"{at}{line['timestamp'][len(at) :]}"
        content = line["message"]["content"]
        block = content[0] if isinstance(content, list) else {}
        if block.get("name") in ("Write", "Edit"):
            before, after = next(waiting)
            facts = lines[number + 1]["toolUseResult"]
            block["input"] |= {"file_path": path, "content": after}
            facts |= {"filePath": path, "content": after, "originalFile": before or None, "structuredPatch": []}
    log = written(lines)
    (folder / f"{name}.jsonl").write_bytes(log if minutes_ago is None else ended(log, minutes_ago))


@pytest.mark.parametrize("name", LOGGED)
def test_each_line_has_the_turn_that_wrote_it(name: str, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(LOGGED[name]())
    found = why(tmp_path, text=after_edits())
    assert found.line_count == 7 and found.edits == 4
    expected = [(1, 1, 1), (2, 2, 2), (3, 4, 1), (5, 5, 2), (6, 6, 1), (7, 7, 2)]
    if name in ("claude-code without patches", "pi"):
        # Words within lines: who wrote the rest of them, these logs do not say.
        assert set(told(found)) <= set(expected) and told(found)
    else:
        assert told(found) == expected
    second = why(tmp_path, text=after_edits(), line=5).lines[0] if name == "codex" else found.lines[0]
    assert second.request in ("Open the shop", "Better words") and second.session_id and second.agent
    for ref in second.refs:
        source = (tmp_path / "s.jsonl").read_bytes()
        assert len(source.split(b"\n")[ref.line - 1]) == ref.byte_length
    assert second.refs


def test_one_line_or_some_of_the_text_that_is_passed_in_or_on_disk(tmp_path: Path) -> None:
    logs, work = tmp_path / "logs", tmp_path / "work"
    logs.mkdir()
    work.mkdir()
    source = work / "shop.py"
    log_of(
        logs, "s", human("Open the shop"), write(str(source)), agent("Done."), texts=[("", BEGINNING)], path=str(source)
    )
    assert why(logs, str(source)).lines == ()
    source.write_text("# by hand\n" + BEGINNING)
    assert told(why(logs, str(source))) == [(2, 9, 1)]
    assert told(why(logs, source.as_uri(), line=3)) == [(3, 3, 1)]
    assert told(why(logs, str(source), range={"from": 1, "to": 4})) == [(2, 4, 1)]
    assert told(why(logs, str(source), line=1)) == told(why(logs, str(source), line=100)) == []
    unsaved = BEGINNING.replace("line 4", "not saved")
    assert told(why(logs, str(source), text=unsaved)) == [(1, 3, 1), (5, 8, 1)]
    # Through a link it is the same file.
    (tmp_path / "link").symlink_to(work)
    assert told(why(logs, str(tmp_path / "link" / "shop.py"), line=2)) == [(2, 2, 1)]
    with pytest.raises(RecapError) as error:
        why(logs, str(source), line=1, range={"from": 1, "to": 2})
    assert error.value.code == INVALID_PARAMS


def test_sessions_are_put_in_order_by_time(tmp_path: Path) -> None:
    later = BEGINNING.replace("line 3", "third line")
    acts = (human("Open the shop"), write(FILE), agent("Done."))
    log_of(tmp_path, "z", *acts, texts=[("", BEGINNING)], at="2026-01-01")
    log_of(
        tmp_path, "a", human("Number them"), write(FILE), agent("Done."), texts=[(BEGINNING, later)], at="2026-02-01"
    )
    found = why(tmp_path, text=later).lines
    assert [(each.from_, each.to, each.request) for each in found] == [
        (1, 2, "Open the shop"),
        (3, 3, "Number them"),
        (4, 8, "Open the shop"),
    ]
    # The same edit in a copy of the log counts once, for the session it was made in.
    log_of(tmp_path, "zz", *acts, human("And then?"), agent("Nothing."), texts=[("", BEGINNING)], at="2026-01-01")
    assert why(tmp_path, text=later).edits == 2


def test_a_file_keeps_its_writers_when_it_is_renamed(tmp_path: Path) -> None:
    acts = (
        human("Open the shop"),
        write(FILE),
        human("Call it store"),
        shell(f"git mv {FILE} {CWD}/store.py"),
        agent("Done."),
    )
    log_of(tmp_path, "s", *acts, texts=[("", BEGINNING)])
    assert told(why(tmp_path, f"{CWD}/store.py", text=BEGINNING)) == [(1, 8, 1)]
    # What is there under the old name came later, by nobody known.
    assert told(why(tmp_path, FILE, text=BEGINNING)) == []


def test_the_decisions_that_held_are_told_and_no_secret(tmp_path: Path) -> None:
    acts = (
        human(f"Use integers for prices, never floats. My token is {SECRET}"),
        agent("Agreed: prices are integers in cents."),
        human("Now write the shop"),
        write(FILE),
        agent("Done."),
        human("From now on, use Decimal for prices instead of integers."),
        agent("I will use Decimal."),
    )
    body = f"token = '{SECRET}'\n{BEGINNING}"
    log_of(tmp_path, "s", *acts, texts=[("", body)])
    (found,) = why(tmp_path, text=body).lines
    assert found.request == "Now write the shop" and found.decisions_total >= 1
    assert any("integers" in each.quote for each in found.decisions)
    assert all(each.turn <= found.turn for each in found.decisions)
    assert SECRET not in repr(found)
    assert found.markdown.count("\n") == 2 and "Decided: " in found.markdown


def test_a_file_that_nobody_changed_has_no_lines(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(claude_log(human("Go"), edit(FILE, outcome="failed"), agent("No.")))
    assert why(tmp_path, text=BEGINNING) == WhyGetResult(lines=(), line_count=8)
    assert why(tmp_path, str(tmp_path)) == WhyGetResult(lines=())
