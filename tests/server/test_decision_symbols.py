"""Decisions among an editor's workspace symbols: found by their words, and they lead to the line that decided."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.ledger import ledger
from recapd.core.state.memory import Memory
from recapd.core.state.transcript import Transcript
from tests.support.fake_backend import backend_of, client_of
from tests.support.findings import said
from tests.support.logs import CWD

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def found_in(transcript: Transcript, memory: Memory) -> tuple[Finding, ...]:
    """Every request is a decision."""
    return tuple(
        msgspec.structs.replace(said(f"We {each.text}", record=each.record), place=each.place, turn_row=each.turn_row)
        for each in transcript.passages
        if each.kind == "prompt"
    )


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("we parser 2", ["We fix parser 2"]),
        ("we", ["We fix parser 3", "We fix parser 2", "We fix parser 1"]),
        # Without a word to look for, sessions are meant.
        ("", ["fix parser 3", "fix parser 2", "fix parser 1"]),
    ],
)
async def test_decisions_are_symbols(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, names: list[str]
) -> None:
    monkeypatch.setattr(ledger, "findings_of", found_in)
    async with client_of(backend_of(tmp_path, sessions=3)) as client:
        await client.request("initialize", {"processId": None, "capabilities": {}, "rootUri": f"file://{CWD}"})
        symbols = await client.request("workspace/symbol", {"query": query}, list[dict[str, object]])
    assert [symbol["name"] for symbol in symbols] == names
    if query:
        assert symbols[0]["containerName"] == "decided by you, turn 1"
        assert str(symbols[0]["location"]).count("'line': 0") == 2
