"""`files/changes`: what the agent changed in a file, read back from the logs of several agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import CURSOR_EXPIRED, RecapError
from recapd.wire.types import FileChange, FilesChangesResult, FilesListResult, RecapGetResult
from recapd.wire.types.base import Wire
from tests.support.logs import CWD, Act, agent, claude_log, codex_log, edit, human, pi_log, shell, write
from tests.support.secrets import secrets

SECRET = next(each.text for each in secrets(3) if each.kind == "github-oauth")
FILE = f"{CWD}/shop.py"
URI = f"file://{FILE}"
R = TypeVar("R", bound=Wire)


def ask(folder: Path, method: str, result: type[R], **params: object) -> R:
    found = answer(Library([folder], environ={}), method, json.dumps(params).encode())
    assert isinstance(found, result)
    return found


def changes(folder: Path, uri: str = URI, **params: object) -> FilesChangesResult:
    return ask(folder, "files/changes", FilesChangesResult, uri=uri, **params)


def replayed(text: str | None, found: tuple[FileChange, ...]) -> str | None:
    """The file after these changes, by their hunks alone."""
    for change in found:
        for hunk in change.hunks if change.ok else ():
            old = "\n".join(line[1:] for line in hunk.lines if line[0] in " -")
            new = "\n".join(line[1:] for line in hunk.lines if line[0] in " +")
            if text is None or (not old and hunk.new_start == 1):
                text = new + "\n"
            else:
                assert text.count(old) == 1
                text = text.replace(old, new)
    return text


# ---- one conversation, as each agent writes down its edits

BEGINNING = "".join(f"line {number} of the shop\n" for number in range(1, 9))
EDITS = [("line 2 of", "second line of"), ("line 5 of the shop\nline 6 of the shop", "the middle"), ("line 8", "end")]


def after_edits() -> str:
    text = BEGINNING
    for old, new in EDITS:
        text = text.replace(old, new)
    return text


def claude(*, patched: bool) -> bytes:
    """With the patch that the result tells, or by the texts of the call alone, as older versions have it."""
    log = claude_log(
        human("Open the shop"),
        write(FILE),
        human("Better words"),
        *(edit(FILE) for _ in EDITS),
        edit(FILE, "String to replace not found in file.", outcome="failed"),
        agent("Done."),
    )
    lines = [json.loads(line) for line in log.splitlines()]
    text = BEGINNING
    waiting = iter(EDITS)
    for number, line in enumerate(lines):
        content = line["message"]["content"]
        block = content[0] if isinstance(content, list) else {}
        if block.get("name") == "Write":
            block["input"]["content"] = BEGINNING
            lines[number + 1]["toolUseResult"] |= {"content": BEGINNING, "structuredPatch": []}
        elif block.get("name") == "Edit":
            old, new = next(waiting, ("nowhere", "to be found"))
            block["input"] |= {"old_string": old, "new_string": new}
            if patched and isinstance(facts := lines[number + 1]["toolUseResult"], dict):
                after = text.replace(old, new)
                facts |= {"originalFile": text, "structuredPatch": [structured(text, after)], "userModified": False}
                text = after
    return written(lines)


def structured(old: str, new: str) -> dict[str, object]:
    lines = hunk_lines(old, new)
    start = old.split("\n").index(lines[0][1:]) + 1
    return {"oldStart": start, "oldLines": 9, "newStart": start, "newLines": 9, "lines": lines}


def hunk_lines(old: str, new: str) -> list[str]:
    before, after = old.split("\n"), new.split("\n")
    first = next(at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
    last = next(
        at for at, (one, other) in enumerate(zip(reversed(before), reversed(after), strict=False)) if one != other
    )
    gone, came = before[first : len(before) - last], after[first : len(after) - last]
    lines = [f" {line}" for line in before[max(first - 1, 0) : first]]
    return [*lines, *(f"-{line}" for line in gone), *(f"+{line}" for line in came)]


def codex() -> bytes:
    acts: list[Act] = [human("Open the shop"), write("shop.py", created=True), human("Better words")]
    log = codex_log(*acts, *(edit("shop.py") for _ in EDITS), edit("shop.py", outcome="failed"), agent("Done."))
    lines = [json.loads(line) for line in log.splitlines()]
    text = BEGINNING
    waiting = iter(EDITS)
    for line in lines:
        payload = line["payload"]
        if payload.get("type") != "custom_tool_call":
            continue
        if "Add File" in payload["input"]:
            body = "".join(f"+{each}\n" for each in BEGINNING.splitlines())
            payload["input"] = f"*** Begin Patch\n*** Add File: shop.py\n{body}*** End Patch"
        elif (pair := next(waiting, None)) is not None:
            after = text.replace(*pair)
            body = "\n".join(hunk_lines(text, after))
            other = "*** Update File: other.py\n@@\n-not\n+ours\n"
            payload["input"] = f"*** Begin Patch\n{other}*** Update File: shop.py\n@@\n{body}\n*** End Patch"
            text = after
    return written(lines)


def pi() -> bytes:
    acts: list[Act] = [human("Open the shop"), write("shop.py"), human("Better words")]
    log = pi_log(*acts, *(edit("shop.py") for _ in EDITS), edit("shop.py", outcome="failed"), agent("Done."))
    lines = [json.loads(line) for line in log.splitlines()]
    waiting = iter(EDITS)
    for line in lines:
        block = line["message"]["content"][0] if "message" in line else {}
        if block.get("name") == "write":
            block["arguments"]["content"] = BEGINNING
        elif block.get("name") == "edit" and (pair := next(waiting, None)) is not None:
            block["arguments"] |= {"oldText": pair[0], "newText": pair[1]}
    return written(lines)


def written(lines: list[dict[str, object]]) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


LOGGED = {
    "claude-code": lambda: claude(patched=True),
    "claude-code without patches": lambda: claude(patched=False),
    "codex": codex,
    "pi": pi,
}


@pytest.mark.parametrize("name", LOGGED)
def test_changes_replayed_give_the_file(name: str, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(LOGGED[name]())
    found = changes(tmp_path)
    assert [(each.turn, each.ok) for each in found.changes] == [(1, True), *[(2, True)] * 3, (2, False)]
    assert replayed(None, found.changes) == after_edits()
    assert found.total == 5 and all(each.at for each in found.changes)
    # Every ref is of the call that says so.
    for each in found.changes:
        line = (tmp_path / "s.jsonl").read_bytes().split(b"\n")[each.ref.line - 1]
        assert len(line) == each.ref.byte_length and b"shop.py" in line
    assert changes(tmp_path, fromTurn=2).changes == found.changes[1:]
    (listed,) = [each for each in ask(tmp_path, "files/list", FilesListResult).files if each.path.endswith("shop.py")]
    assert listed.uri == URI and changes(tmp_path, uri=listed.path).total == 5
    if name in ("claude-code", "codex"):
        assert (listed.added, listed.removed) == (8 + 3, 4)
        assert sum(each.added or 0 for each in found.changes if each.ok) == listed.added


@pytest.mark.parametrize("path", ["shop.py", "C:\\work\\shop.py", "C:/work/shop.py"])
def test_a_file_on_a_drive_is_found_by_its_uri(path: str, tmp_path: Path) -> None:
    acts = [human("Go"), edit(path), agent("Done.")]
    (tmp_path / "s.jsonl").write_bytes(claude_log(*acts, cwd="C:\\work"))
    (listed,) = ask(tmp_path, "files/list", FilesListResult).files
    assert listed.uri == "file:///C:/work/shop.py"
    assert len(changes(tmp_path, uri=listed.uri).changes[0].hunks) == 1


def test_pages_join(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(codex())
    pages = [changes(tmp_path, limit=2)]
    while (cursor := pages[-1].next_cursor) is not None:
        pages.append(changes(tmp_path, limit=2, cursor=cursor))
    assert [each for page in pages for each in page.changes] == list(changes(tmp_path).changes)
    with pytest.raises(RecapError) as error:
        changes(tmp_path, cursor="turn:1.2")
    assert error.value.code == CURSOR_EXPIRED


def test_a_file_nobody_changed_has_no_changes_and_a_command_tells_no_lines(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(claude_log(human("Go"), shell("rm old.py"), agent("Done.")))
    assert changes(tmp_path).changes == ()
    (removed,) = changes(tmp_path, uri=f"file://{CWD}/old.py").changes
    assert (removed.tool, removed.ok, removed.hunks, removed.added) == ("Bash", True, (), None)


def edited(folder: Path, *hunks: list[str]) -> FileChange:
    """What is told of an edit whose result has these hunks."""
    lines = [json.loads(line) for line in claude_log(human("Go"), edit(FILE), agent("Done.")).splitlines()]
    lines[2]["toolUseResult"]["structuredPatch"] = [{"oldStart": 7, "newStart": 7, "lines": hunk} for hunk in hunks]
    (folder / "s.jsonl").write_bytes(written(lines))
    (found,) = changes(folder).changes
    return found


KEY_LINE = "MIIEowIBAAKCAQEAuY" + "q7" * 23
KEY = ["-----BEGIN RSA PRIVATE KEY-----", *[KEY_LINE] * 12, "-----END RSA PRIVATE KEY-----"]
NEW_KEY = [f"+{KEY[0]}", *["+[REDACTED]"] * 12, f"+{KEY[-1]}"]


def test_a_hunk_with_secrets_has_all_its_lines_with_their_signs(tmp_path: Path) -> None:
    def check(lines: list[str], expected: list[str], added: int, removed: int) -> None:
        found = edited(tmp_path, lines)
        assert [(list(hunk.lines), hunk.old_start, hunk.new_start) for hunk in found.hunks] == [(expected, 7, 7)]
        assert (found.added, found.removed, found.truncated) == (added, removed, None)

    token, masked = f"token = '{SECRET}'", "token = '[REDACTED]'"
    check(["+A=1", f"+{token}", "+B=2", "+C=3"], ["+A=1", f"+{masked}", "+B=2", "+C=3"], 4, 0)
    check([f"-{token}", "-A=1"], [f"-{masked}", "-A=1"], 0, 2)
    check([f"-{token}", f"+{token} "], [f"-{masked}", f"+{masked} "], 1, 1)
    edits = ["-a = 1", "+a = 2", " same", f" {token}", " as before", "-b = 1", "+b = 2", " end"]
    check(edits, [f" {masked}" if line == f" {token}" else line for line in edits], 2, 2)
    check([" x", *(f"+{line}" for line in KEY), " y"], [" x", *NEW_KEY, " y"], 14, 0)
    check([f"-{KEY[0]}", "+not a key", *(f" {line}" for line in KEY[1:3])],
          [f"-{KEY[0]}", "+not a key", " [REDACTED]", " [REDACTED]"], 1, 1)  # fmt: skip
    check(["-one\r", "+\x1b[31mtwo\r", " a\rb", "no sign", f"\\ {token}"],
          ["-one", "+two", " a b", " no sign", f"\\ {masked}"], 1, 1)  # fmt: skip


def test_lines_of_a_key_do_not_leave_in_hunks_that_begin_within_it(tmp_path: Path) -> None:
    other = KEY_LINE[::-1]
    middle = [f" {KEY_LINE}", f"-{KEY_LINE}", f"+{other}", f" {KEY_LINE}"]
    masked = [" [REDACTED]", "-[REDACTED]", "+[REDACTED]", " [REDACTED]"]
    found = edited(tmp_path, middle, [f" {KEY_LINE}", f" {KEY[-1]}", "-a", "+b"], [*middle, " qQ==", f" {KEY[-1]}"])
    assert [list(hunk.lines) for hunk in found.hunks] == [
        masked,
        [" [REDACTED]", f" {KEY[-1]}", "-a", "+b"],
        [*masked, " [REDACTED]", f" {KEY[-1]}"],
    ]


def test_long_changes_are_cut_behind_what_is_masked(tmp_path: Path) -> None:
    found = edited(tmp_path, [*(f"+{line}" for line in KEY), *["+x = 1"] * 5_000])
    assert list(found.hunks[0].lines) == [*NEW_KEY, *["+x = 1"] * 986]
    assert found.truncated and found.added == 1_000
    # Neither what is behind a key nor what follows a cut comes in for what a mask saves.
    found = edited(tmp_path, [*(f"+{line}" for line in KEY), "+" + "long " * 100_000, "+after"], ["+later"])
    assert [list(hunk.lines) for hunk in found.hunks] == [NEW_KEY] and found.truncated
    found = edited(tmp_path, [f"+{'word ' * 200}password={number}x" for number in range(1_000, 1_060)])
    assert sum(len(line) for line in found.hunks[0].lines) <= 40_000 and found.truncated
    # A key that goes on behind the cut is one before it.
    found = edited(tmp_path, [*["+x = 1"] * 995, *(f"+{line}" for line in KEY)])
    assert list(found.hunks[0].lines) == [*["+x = 1"] * 995, *NEW_KEY[:5]] and found.truncated


def test_secrets_do_not_leave_in_files_written_as_a_whole(tmp_path: Path) -> None:
    body = f"token = '{SECRET}'\nplain = 1\n\x1b[31mred\u202e\nend = 2"
    lines = [json.loads(line) for line in claude_log(human("Go"), write(FILE), agent("Done.")).splitlines()]
    lines[1]["message"]["content"][0]["input"]["content"] = body
    lines[2]["toolUseResult"] |= {"content": body, "structuredPatch": []}
    (tmp_path / "s.jsonl").write_bytes(written(lines))
    (found,) = changes(tmp_path).changes
    expected = ["+token = '[REDACTED]'", "+plain = 1", "+red", "+end = 2", "\\ No newline at end of file"]
    assert list(found.hunks[0].lines) == expected and (found.added, found.removed) == (4, 0)


def test_actions_say_what_they_were_about(tmp_path: Path) -> None:
    acts = [human("Go"), edit("lib/shop.py"), shell("make test", "no", exit_code=2), agent("Done.")]
    (tmp_path / "s.jsonl").write_bytes(claude_log(*acts))
    edited, ran = ask(tmp_path, "recap/get", RecapGetResult).recap.recent_actions
    assert (edited.tool, edited.path, edited.uri) == ("Edit", "lib/shop.py", f"file://{CWD}/lib/shop.py")
    assert (edited.command, edited.duration_ms) == (None, 60_000)
    assert (ran.tool, ran.command, ran.exit_code, ran.path, ran.uri) == ("Bash", "make test", 2, None, None)


_ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from([FILE, "*** Begin Patch"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "file_path",
                    "old_string",
                    "new_string",
                    "edits",
                    "content",
                    "input",
                    "lines",
                    "structuredPatch",
                    "command",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(arguments=_ODD, facts=_ODD)
def test_whatever_a_log_says_is_told_or_left_out(
    tmp_path_factory: pytest.TempPathFactory, arguments: object, facts: object
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    lines = [json.loads(line) for line in claude_log(human("Go"), edit(FILE), agent("Done.")).splitlines()]
    given_arguments = lines[1]["message"]["content"][0]["input"]
    lines[1]["message"]["content"][0]["input"] = {**given_arguments, "x": arguments, "edits": arguments}
    lines[2]["toolUseResult"] = {"filePath": FILE, "structuredPatch": facts, "y": facts}
    (folder / "s.jsonl").write_bytes(written(lines))
    (found,) = changes(folder).changes
    assert all(line[0] in " +-\\" for hunk in found.hunks for line in hunk.lines)
