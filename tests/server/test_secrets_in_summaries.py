"""No summary, digest or history holds a secret, wherever in a log it stands."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from tests.server.test_secrets_in_answers import ALL, planted_in
from tests.support.logs import LOGS, agent, human
from tests.support.secrets import PlantedSecret

REQUESTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("summary/create", {}),
    ("summary/digest", {"maxTokens": 60}),
    ("summary/digest", {"maxTokens": 2_000}),
    ("history/get", {"full": True}),
)


def told(path: Path, planted: PlantedSecret) -> str:
    library = Library([path.parent], environ={})
    found = [answer(library, method, json.dumps(params).encode()) for method, params in REQUESTS]
    focused = {"focus": f"the part with {planted.text}"}
    found.append(answer(library, "summary/create", json.dumps(focused).encode()))
    return b"".join(map(msgspec.json.encode, found)).decode()


@pytest.mark.parametrize("planted", ALL[::2], ids=[planted.kind for planted in ALL[::2]])
def test_a_secret_said_anywhere_is_in_no_summary(tmp_path: Path, planted: PlantedSecret) -> None:
    path = tmp_path / "s.jsonl"
    more = [human(f"My password hint: {planted.text}"), agent(f"I will rotate it tomorrow: {planted.text}")]
    path.write_bytes(LOGS["claude-code"](*planted_in(planted.text), *more))
    said = told(path, planted)
    assert "fix the parser" in said
    assert json.dumps(planted.secret, ensure_ascii=False)[1:-1] not in said
