"""Secrets planted in every place of a log that can reach an answer: none leaves, whatever is asked."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from recapd.daemon.library import Library
from recapd.server.methods import answer
from recapd.wire.errors import RecapError
from recapd.wire.methods import METHODS
from recapd.wire.types import RecapGetResult
from tests.support.secrets import PlantedSecret, secrets

SESSION = "5ec4e700-0000-4000-8000-000000000000"
# Requests about a session, with the params that make them say the most.
QUESTIONS: dict[str, dict[str, object]] = {
    "recap/get": {"format": "full", "maxTokens": 20_000},
    "recap/verify": {},
    "files/list": {},
    "context/summary": {},
    "context/assemble": {"maxTokens": 20_000},
    "orientation/get": {},
    "history/get": {"full": True},
    "decisions/list": {},
    "summary/list": {},
    "session/export": {},
    "session/overview": {},
    "summary/digest": {},
    "transcript/get": {"fromTurn": 0, "format": "markdown"},
    "timeline/get": {},
    "files/changes": {"uri": "/work/project/.env"},
    "search": {"query": "use"},
    "why/get": {"path": "/work/project/.env"},
}
PLANTED = secrets(seed=7)


def test_every_served_method_is_asked() -> None:
    others = {"session/list", "recapd/discover", "ref/resolve", "config/get", "hook/answer"}
    empty = {
        "decisions/judge",
        "decisions/dismiss",
        "decisions/confirm",
        "summary/create",
        "session/forget",
        "session/remember",
        # They tell how much a reader would read and has read, and nothing that was said.
        "reading/start",
        "reading/stop",
    }
    assert {row.name for row in METHODS if row.is_served_alone} <= QUESTIONS.keys() | others | empty


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.kind)
def test_no_secret_leaves(planted: PlantedSecret, tmp_path: Path) -> None:
    log = tmp_path / f"{SESSION}.jsonl"
    log.write_bytes(log_with(planted.text))
    library = Library([tmp_path])
    said = [everything(library, log)]
    said += [resolved(library, ref) for ref in refs_in(json.loads(said[0]))]
    leaked = [text for text in said if planted.secret in text or json.dumps(planted.secret)[1:-1] in text]
    assert leaked == []


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.kind)
def test_no_secret_leaves_the_configuration(
    planted: PlantedSecret, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever somebody may have pasted one: as a value, in the wrong place, as a name."""
    text = json.dumps(planted.text, ensure_ascii=False)
    config = tmp_path / "config.toml"
    config.write_text(
        f"preset = {text}\n{text} = 1\n[llm]\nmodel = {text}\nbase_url = {text}\napi_key_env = {text}\n"
        f"[watch]\nexclude = [{text}]\nroots = [{text}]\n[recap]\nformat = {text}\nmin_turns = {planted.text}\n"
        f"[sessions.{text}]\nrecap = false\n[[dialect]]\nname = {text}\n"
    )
    monkeypatch.setenv("RECAPD_CONFIG", str(config))
    said = json.dumps(msgspec.to_builtins(answer(Library([tmp_path]), "config/get", b"{}")), ensure_ascii=False)
    assert planted.secret not in said and json.dumps(planted.secret)[1:-1] not in said
    assert "recap.turn_threshold" in said


def test_what_is_no_secret_is_still_said(tmp_path: Path) -> None:
    """The test above would also pass if nothing were said at all."""
    log = tmp_path / f"{SESSION}.jsonl"
    log.write_bytes(log_with("harmless words"))
    assert everything(Library([tmp_path]), log).count("harmless words") > 20


def everything(library: Library, log: Path) -> str:
    """Every answer about the log, as it would go out."""
    about = {"session": {"log": str(log)}}
    answers = [answer(library, method, msgspec.json.encode(about | params)) for method, params in QUESTIONS.items()]
    short = answer(library, "recap/get", msgspec.json.encode(about | {"format": "short", "maxTokens": 5_000}))
    assert isinstance(short, RecapGetResult)
    moment = {"moment": "started", "workspace": "/work/project"}
    answers += [
        short,
        *(
            answer(library, name, msgspec.json.encode(params))
            for name, params in (
                ("session/list", {}),
                ("hook/answer", about | moment),
            )
        ),
    ]
    return json.dumps([msgspec.to_builtins(each) for each in answers], ensure_ascii=False)


def resolved(library: Library, ref: dict[str, object]) -> str:
    try:
        result = answer(library, "ref/resolve", msgspec.json.encode({"ref": ref}))
    except RecapError as error:
        return error.message
    return msgspec.json.encode(result).decode()


def refs_in(value: object) -> list[dict[str, object]]:
    """Every ref in an answer, each place once."""
    found: dict[object, dict[str, object]] = {}

    def look(part: object) -> None:
        if isinstance(part, dict):
            if "byteOffset" in part:
                found[part["byteOffset"]] = part
            for each in part.values():
                look(each)
        elif isinstance(part, list):
            for each in part:
                look(each)

    look(value)
    return list(found.values())


def log_with(text: str) -> bytes:
    """A log that says the text wherever something is said, called, returned, planned, asked or named."""
    lines: list[dict[str, object]] = []

    def add(kind: str, **fields: object) -> None:
        number = len(lines)
        head = {
            "type": kind,
            "uuid": f"{number:08d}-0000-4000-8000-000000000000",
            "parentUuid": f"{number - 1:08d}-0000-4000-8000-000000000000" if number else None,
            "sessionId": SESSION,
            "timestamp": f"2026-01-01T10:{number:02d}:00.000Z",
            "cwd": "/work/project",
            "version": "2.1.120",
        }
        lines.append(head | fields)

    def human(words: str) -> None:
        add("user", message={"role": "user", "content": words})

    def says(words: str) -> None:
        add("assistant", message={"id": f"m{len(lines)}", "content": [{"type": "text", "text": words}]})

    def calls(name: str, arguments: dict[str, object], result: str, *, failed: bool = False) -> None:
        block = {"type": "tool_use", "id": f"t{len(lines)}", "name": name, "input": arguments}
        add("assistant", message={"id": f"m{len(lines)}", "content": [block]})
        back = {"type": "tool_result", "tool_use_id": block["id"], "content": result, "is_error": failed}
        add("user", message={"role": "user", "content": [back]})

    human(f"please use {text} to deploy")
    says(f"I will use {text} now.")
    calls("Bash", {"command": f"deploy --with {text}", "description": f"deploy with {text}"}, f"ok {text}")
    output = f"Exit code 1\nE  refused {text}\n1 failed, 2 passed in 1s"
    calls("Bash", {"command": f"pytest -k {text}"}, output, failed=True)
    calls("Bash", {"command": f"git commit -m 'use {text}'"}, "done")
    path = f"/work/project/{text}/settings.py"
    calls("Edit", {"file_path": path, "old_string": text}, f"could not find {text}", failed=True)
    calls("Write", {"file_path": "/work/project/.env", "content": text}, f"wrote {text}")
    calls("mcp__vault__put", {"value": text, "note": f"keep {text}"}, text)
    calls("TodoWrite", {"todos": [{"content": f"rotate {text}", "status": "in_progress"}]}, "ok")
    calls("WebFetch", {"url": f"https://example.invalid/?q={text}", "prompt": text}, text)
    calls("Task", {"description": f"try {text}", "prompt": text}, text)
    calls("AskUserQuestion", {"questions": [{"question": f"Is {text} right?", "options": [{"label": text}]}]}, text)
    refusal = f"The user doesn't want to proceed with this tool use. the user said:\nnot {text}"
    calls("ExitPlanMode", {"plan": f"1. use {text}"}, refusal, failed=True)
    add("ai-title", aiTitle=f"Deploy with {text}")
    add("queue-operation", operation="enqueue", content=f"also {text}")
    add("pr-link", prNumber=7, prUrl=f"https://example.invalid/{text}")
    add("system", subtype="away_summary", content=f"You use {text}.")
    add(text, version=text)
    for number in range(4):
        human(f"and then {number} {text}")
        says(f"Did {number} with {text}. Shall I keep {text}?")
    return b"".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines)
