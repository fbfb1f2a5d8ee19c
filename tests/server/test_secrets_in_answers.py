"""No answer holds a secret, wherever in a log it stands and however an answer is cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from tests.support.logs import CWD, LOGS, Act, agent, ask, edit, human, other, read, shell, title, todo
from tests.support.secrets import PlantedSecret, secrets

METHODS = ("session/list", "files/list", "context/summary", "recap/verify")
ALL = secrets(11)
# Told by their own shape, so that they are found in the middle of anything.
BARE = [planted for planted in ALL if planted.text == planted.secret]


def refs_in(value: object) -> Iterator[object]:
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from refs_in(part)
    if isinstance(value, dict) and isinstance(value.get("ref"), dict):
        yield value["ref"]


def everything_said(path: Path) -> str:
    """All that can be asked about a log, as a client sees it."""
    library = Library([path.parent], environ={})

    def ask_for(method: str, **params: object) -> object:
        return msgspec.json.decode(msgspec.json.encode(answer(library, method, json.dumps(params).encode())))

    found = [ask_for(method) for method in METHODS]
    found += [
        ask_for("recap/get", format=shape, maxTokens=most) for shape in ("short", "full") for most in (60, 200, 4_000)
    ]
    unique = {json.dumps(ref, sort_keys=True): ref for ref in refs_in(found)}
    found += [ask_for("ref/resolve", ref=ref) for ref in unique.values()]
    return json.dumps(found, ensure_ascii=False)


def planted_in(text: str) -> list[Act]:
    return [
        title(f"With {text}"),
        human(f"fix the parser with {text}"),
        shell(f"run-it {text}", text, exit_code=1),
        edit(f"{CWD}/a.py", f"failed: {text}", outcome="failed"),
        other("mcp__vault__put", {"value": text}, text, outcome="failed"),
        ask(f"Keep {text}?", f"yes {text}"),
        todo({f"store {text}": "in_progress", f"drop {text}": "completed"}),
        agent(f"I used {text}. Shall I keep {text}?"),
        shell(f"still-running {text}", outcome="open"),
    ]


@pytest.mark.parametrize("build", LOGS.values(), ids=LOGS)
@pytest.mark.parametrize("planted", ALL[::5], ids=[planted.kind for planted in ALL[::5]])
def test_a_secret_said_anywhere_is_said_nowhere(
    tmp_path: Path, planted: PlantedSecret, build: Callable[..., bytes]
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(build(*planted_in(planted.text)))
    said = everything_said(path)
    assert "fix the parser" in said
    assert json.dumps(planted.secret, ensure_ascii=False)[1:-1] not in said


@pytest.mark.parametrize("kind", ["github-oauth", "groq-key", "slack-user", "linear-token", "openrouter-key"])
def test_a_secret_in_the_name_of_a_file_is_said_nowhere(tmp_path: Path, kind: str) -> None:
    secret = next(planted.secret for planted in ALL if planted.kind == kind)
    path = tmp_path / "s.jsonl"
    named = [f"{CWD}/{secret}", f"{CWD}/keys/{secret}.txt", f"{CWD}/{secret}/a.py"]
    path.write_bytes(LOGS["claude-code"](human("fix the parser"), *map(edit, named), *map(read, named)))
    assert secret not in everything_said(path)


@pytest.mark.parametrize("planted", BARE[::7], ids=[planted.kind for planted in BARE[::7]])
def test_a_secret_is_not_let_out_by_being_cut(tmp_path: Path, planted: PlantedSecret) -> None:
    """Texts are cut to many lengths; wherever the cut falls, not even half a secret may stand before it."""
    path = tmp_path / "s.jsonl"
    half = planted.secret[: max(12, len(planted.secret) // 2)]
    for before in (5, 15, 20, 25, 35, 60, 85, 95, 100, 105, 130, 140, 150, 215, 235, 390):
        words = ("fix the parser and then " * 40)[:before]
        deep = edit(f"{CWD}/{'d' * before}/{planted.secret}")
        path.write_bytes(LOGS["claude-code"](*planted_in(f"{words} {planted.secret} and more"), deep))
        assert half not in everything_said(path), f"{before} characters before it"
