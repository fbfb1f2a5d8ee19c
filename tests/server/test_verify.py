"""`recap/verify`: a claim holds as long as the line it cites says so, and no longer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.types import RecapVerifyResult
from tests.support.logs import CWD, LOGS, Act, agent, claude_log, edit, human, other, read, shell, title
from tests.support.secrets import secrets

STORY = (
    title("Parser work"),
    # Beyond the beginning by which a log is known: whatever changes below leaves its generation as it is.
    agent("words " * 1_000),
    human("fix the parser"),
    edit(f"{CWD}/lexer.py"),
    shell("rm old.txt"),
    shell("pytest -q", "9 passed in 1s"),
    other("mcp__db__query", {"sql": "select 1"}),
    agent("Done."),
)


def verified(path: Path, library: Library | None = None) -> RecapVerifyResult:
    found = answer(library or Library([path.parent], environ={}), "recap/verify", b"{}")
    return msgspec.convert(msgspec.to_builtins(found), RecapVerifyResult)


@pytest.fixture(params=LOGS)
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(LOGS[request.param](*STORY))
    return path


CHANGES: list[tuple[str, bytes, bytes, set[str]]] = [
    ("a request", b"fix the parser", b"eat the pizzas", {"request", "focus"}),
    ("the end of a request", b"fix the parser", b"fix the pizzas", {"request", "focus"}),
    ("an edited file", b"lexer.py", b"laxer.py", {"action", "file"}),
    ("the folder of a file", b"/shop/lexer.py", b"/stop/lexer.py", {"action", "file"}),
    ("a deleted file", b"rm old.txt", b"rm odd.txt", {"action", "command", "file"}),
    ("a test run", b"pytest -q", b"pytest -x", {"action", "command", "test"}),
    ("a tool", b"mcp__db__query", b"mcp__db__nuery", {"action"}),
]


@pytest.mark.parametrize(("old", "new", "kinds"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_line_that_says_something_else_now_is_noticed(log: Path, old: bytes, new: bytes, kinds: set[str]) -> None:
    library = Library([log.parent], environ={})
    before = verified(log, library)
    assert before.ok == before.checked > 8
    log.write_bytes(log.read_bytes().replace(old, new))
    after = verified(log, library)
    assert {claim.kind for claim in after.changed} == kinds
    assert {claim.reason for claim in after.changed} == {"The line says something else now."}
    assert after.ok == after.checked - len(after.changed)


SECRET = next(each.text for each in secrets(3) if each.kind == "github-oauth")

# Nothing changed, though what is shown is not what stands there.
STILL_TRUE: list[tuple[str, list[Act]]] = [
    ("a secret", [human(f"use {SECRET} to fix the parser"), shell(f"login {SECRET}"), edit(f"{CWD}/{SECRET}.py")]),
    ("a long request", [human("fix the parser " * 500)]),
    ("a request that is mostly blank", [human("fix it" + "\n" * 960 + SECRET + " and go on" * 90)]),
    ("a long command", [human("go on"), shell("echo " + "word " * 1_000)]),
    ("a secret in a long command", [human("go on"), shell("echo " + "x" * 970 + f" {SECRET} " + "y" * 900)]),
    ("files told as one", [human("go on"), read(f"{CWD}/a.py"), read(f"{CWD}/b.py"), read(f"{CWD}/b.py")]),
    ("two spellings of a file", [human("go on"), shell("rm src/a.py"), edit(f"{CWD}/src/a.py")]),
    ("a renamed file", [human("go on"), shell("mv a.py b.py"), edit(f"{CWD}/b.py")]),
    ("escapes", [human("say \x1b[31m“hi”\u2028 to\r\nthe\tparser"), shell("printf '\\t\\x1b'")]),
]


@pytest.mark.parametrize("acts", [row[1] for row in STILL_TRUE], ids=[row[0] for row in STILL_TRUE])
@pytest.mark.parametrize("build", LOGS.values(), ids=LOGS)
def test_what_did_not_change_stays_proven(tmp_path: Path, build: Callable[..., bytes], acts: list[Act]) -> None:
    (tmp_path / "s.jsonl").write_bytes(build(*acts))
    found = verified(tmp_path / "s.jsonl")
    assert found.changed == found.missing == ()
    assert json.dumps(msgspec.to_builtins(found)).count(SECRET) == 0


def test_a_statement_of_a_page_is_held_to_the_answer_it_was_made_in(tmp_path: Path) -> None:
    acts = (
        agent("words " * 1_000),
        human("fix the parser"),
        agent("The parser skips blank lines now, and all of its rules are covered."),
        shell("ls"),
        agent("Let me look at the rest."),
    )
    log = tmp_path / "s.jsonl"
    log.write_bytes(claude_log(*acts))
    library = Library([tmp_path], environ={})
    assert verified(log, library).changed == ()
    log.write_bytes(log.read_bytes().replace(b"skips blank lines", b"keeps these lines"))
    assert {claim.kind for claim in verified(log, library).changed} == {"statement"}


def test_what_a_document_says_is_decided_stands_in_the_call_that_wrote_it(tmp_path: Path) -> None:
    document = "# Totals\n\nDecision: keep the totals in a table.\n\n## Non-goals\n- Gift cards\n- Taxes abroad\n"
    write = other("Write", {"file_path": f"{CWD}/docs/totals.md", "content": document})
    path = tmp_path / "session.jsonl"
    log = claude_log(agent("words " * 1_000), human("write down how totals work"), write, agent("Written."))
    path.write_bytes(log)
    library = Library([path.parent], environ={})
    found = verified(path, library)
    assert (found.changed, found.missing) == ((), ())
    path.write_bytes(log.replace(b"Gift cards", b"Gold cards").replace(b"in a table", b"in a cable"))
    assert {claim.kind for claim in verified(path, library).changed} >= {"decision"}


@pytest.mark.parametrize("command", ["rm -rf old", "mv old parts", "mv old $NEW"])
def test_a_file_that_went_with_its_folder_is_proven_by_the_line_that_says_so(tmp_path: Path, command: str) -> None:
    log = tmp_path / "session.jsonl"
    rows = (agent("words " * 1_000), human("start afresh"), edit(f"{CWD}/old/lexer.py"), shell(command))
    log.write_bytes(claude_log(*rows, agent("Gone.")))
    library = Library([log.parent], environ={})
    assert verified(log, library).changed == ()
    log.write_bytes(log.read_bytes().replace(command.encode(), b"rm -rf odd".ljust(len(command))))
    assert "file" in {claim.kind for claim in verified(log, library).changed}
