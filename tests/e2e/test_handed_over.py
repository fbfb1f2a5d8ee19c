"""What the human handed over because the agent asked for it leaves by no door, before and after a restart."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from tests.e2e.test_secrets import QUESTIONS, everything, refs_in, resolved
from tests.support.following import append
from tests.support.kept import Running, kept_daemon
from tests.support.logs import CWD, LOGS, Act, agent, ask, edit, human, other, plan, shell, title, todo

pytestmark = pytest.mark.anyio

# Nothing about it, or about what stands beside it, says what it is: only the question does.
SECRET = "Zx9crMKpQ2"
SESSIONS = {
    "claude-code": "5e551011-c0de-4a11-8000-000000000001",
    "codex": "5e551011-c0de-7a11-8000-000000000002",
    "pi": "5e551011-c0de-4a11-8000-000000000003",
}


# How each agent writes down what it puts into a file, with something harmless in its place.
PUT = {"claude-code": b'"new_string":"b"', "codex": rb"\n+b\n", "pi": b'"newText":"b"'}
# By what is told of a file that it was put into, and what was said of it.
ALSO = {"files/changes": {"uri": f"{CWD}/b.py"}, "search": {"query": "that"}}


def repeated() -> list[Act]:
    return [
        edit(f"{CWD}/b.py"),
        shell(f"deploy {SECRET}", f"went with {SECRET}", exit_code=1),
        edit(f"{CWD}/a.py", f"no {SECRET} there", outcome="failed"),
        other("mcp__vault__put", {"value": SECRET}, SECRET, outcome="failed"),
        todo({f"go on with {SECRET}": "in_progress"}),
        title(f"Deploying by {SECRET}"),
        agent(f"We decided to go with {SECRET} from now on. Shall I keep {SECRET}?"),
        human(f"yes, always use {SECRET} for that"),
        agent(f"Then {SECRET} it is."),
    ]


ASKED = {
    "in words": [agent("The server wants the root password. What is it?"), human(SECRET)],
    "in words, with more around it": [agent("Please paste the token of the registry."), human(f"ok: {SECRET}, go on")],
    "by a tool": [ask("What is the root password of the server?", SECRET)],
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("format", LOGS)
def test_it_leaves_by_no_door(format: str, asked: str, tmp_path: Path) -> None:
    log = tmp_path / f"{SESSIONS[format]}.jsonl"
    acts = [human("deploy the shop"), agent("On it."), *ASKED[asked], *repeated(), human("fine"), agent("Done.")]
    # Typed, and none of the options.
    data = LOGS[format](*acts).replace(b'{"label":"%s"}' % SECRET.encode(), b'{"label":"Skip it"}')
    assert PUT[format] in data
    log.write_bytes(data.replace(PUT[format], PUT[format].replace(b"b", b"by %s" % SECRET.encode())))
    library = Library([tmp_path])
    said = [everything(library, log)]
    also = [answer(library, method, msgspec.json.encode(params)) for method, params in ALSO.items()]
    said += [json.dumps(msgspec.to_builtins(each), ensure_ascii=False) for each in also]
    assert "+by [REDACTED]" in said[1]
    said += [resolved(library, ref) for ref in every_line_of(log, said[0])]
    assert [text for text in said if SECRET in text] == []
    assert said[0].count("[REDACTED]") > 5


DOCUMENT = f"# Plan\n\n## Decision\n\nLog in with {SECRET} everywhere from now on.\n"
QUESTION = {"question": f"Go on with {SECRET}?", "options": [{"label": f"With {SECRET}"}, {"label": "Without"}]}
# What the agent says elsewhere than in its answers, by the tool it says it with.
SAID_IN_CALLS: dict[str, tuple[Act, ...]] = {
    "a document": (other("Write", {"file_path": f"{CWD}/docs/plan.md", "content": DOCUMENT}, "ok"),),
    "a change of a document": (
        other("Edit", {"file_path": f"{CWD}/docs/plan.md", "old_string": "x", "new_string": DOCUMENT}, "ok"),
    ),
    "an approved plan": (plan(DOCUMENT),),
    "a record": (
        other("mcp__recapd__record", {"kind": "decision", "text": f"Log in with {SECRET}", "because": SECRET}, "ok"),
    ),
    "options, answered": (
        other(
            "AskUserQuestion",
            {"questions": [{"question": "Go on?", "options": QUESTION["options"]}, QUESTION]},
            "ok",
            facts={"questions": [], "answers": {"Go on?": "Without", QUESTION["question"]: "Without"}},
        ),
    ),
    "options, open": (
        Act(kind="call", name="AskUserQuestion", arguments={"questions": [QUESTION, QUESTION]}, outcome="open"),
    ),
    "a report": (other("Task", {"description": SECRET, "prompt": f"Use {SECRET}."}, f"I decided to use {SECRET}."),),
}


@pytest.mark.parametrize("said_in", SAID_IN_CALLS)
def test_it_leaves_by_nothing_that_is_read_out_of_calls(said_in: str, tmp_path: Path) -> None:
    log = tmp_path / f"{SESSIONS['claude-code']}.jsonl"
    acts = (human("deploy the shop"), *ASKED["in words"], agent("Thanks."), *SAID_IN_CALLS[said_in])
    log.write_bytes(LOGS["claude-code"](*acts))
    said = everything(Library([tmp_path]), log)
    assert SECRET not in said and said.count("[REDACTED]") > 1


def every_line_of(log: Path, said: str) -> list[dict[str, object]]:
    """A ref to every line, not only to those that somebody claims something of."""
    known = next(ref for ref in refs_in(json.loads(said)) if str(ref["source"]).endswith(log.name))
    refs: list[dict[str, object]] = []
    offset = 0
    for number, line in enumerate(log.read_bytes().splitlines(keepends=True), 1):
        refs.append(known | {"line": number, "byteOffset": offset, "byteLength": len(line) - 1})
        offset += len(line)
    return refs


async def test_it_leaves_by_no_door_after_a_restart(tmp_path: Path) -> None:
    log = tmp_path / "logs" / f"{SESSIONS['claude-code']}.jsonl"
    log.parent.mkdir()
    log.write_bytes(LOGS["claude-code"](human("deploy the shop"), *ASKED["in words"], *repeated()))
    for life in range(3):
        async with kept_daemon(tmp_path) as running:
            await running.until_indexed()
            await running.until(lambda: len(running.shown()) == 1)
            assert SECRET not in await told_by(running, log)
            append(log, LOGS["claude-code"](human(f"in life {life} again {SECRET}"), agent(f"{SECRET} as ever.")))
            await running.until_equal(log)
            assert SECRET not in await told_by(running, log)
            await running.save()
        stored = b"".join(path.read_bytes() for path in (tmp_path / "state").iterdir() if path.is_file())
        assert len(stored) > 10_000 and SECRET.encode() not in stored
    log.unlink()
    async with kept_daemon(tmp_path) as running:
        await running.until_indexed()
        assert SECRET not in json.dumps(msgspec.to_builtins(await running.ask("session/list")))


async def told_by(running: Running, log: Path) -> str:
    about = {"session": {"log": str(log)}}
    questions = {**QUESTIONS, "context/assemble": {"maxTokens": 20_000, "prompt": "the root password of the server"}}
    answers = [await running.ask(method, **{**params, **about}) for method, params in questions.items()]
    said = json.dumps([msgspec.to_builtins(each) for each in answers], ensure_ascii=False)
    refs = [await running.ask("ref/resolve", ref=ref) for ref in refs_in(json.loads(said))]
    return said + json.dumps([msgspec.to_builtins(each) for each in refs], ensure_ascii=False)
