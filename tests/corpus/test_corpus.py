"""Every real log is read whole or refused in one sentence. Needs RECAPD_CORPUS; see conftest."""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path

import pytest

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.types import RecapVerifyResult
from recapd.wire.types.base import SessionSelector
from tests.corpus.survey import Survey, compare, load_reference, logs_in, survey
from tests.server.test_recap_view import check

pytestmark = [pytest.mark.corpus, pytest.mark.timeout(600)]

REFERENCED = ("claude-code", "codex", "codex-bare", "pi")


@pytest.fixture(scope="module")
def logs() -> list[Path]:
    found = logs_in(Path(os.environ["RECAPD_CORPUS"]))
    assert found, "RECAPD_CORPUS holds no files"
    return found


@pytest.fixture(scope="module")
def surveys(logs: list[Path]) -> list[Survey]:
    return [found for path in logs if isinstance(found := survey(path), Survey)]


def test_every_file_is_read_or_refused_in_one_sentence(logs: list[Path]) -> None:
    for path in logs:
        found = survey(path)
        if isinstance(found, str):
            assert str(path) in found and "\n" not in found, found


# What every version of Claude Code writes of each message, and every tool that writes its format.
SPOKEN = {"type", "message", "uuid", "sessionId", "timestamp"}


def test_what_looks_like_claude_code_is_read_as_such(logs: list[Path]) -> None:
    alike = [path for path in logs if any(record.keys() >= SPOKEN for record in first_records(path))]
    read = {path: survey(path) for path in alike}
    assert alike
    assert [path for path, found in read.items() if not isinstance(found, Survey) or found.agent != "claude-code"] == []


def first_records(path: Path) -> list[dict[str, object]]:
    records = []
    with path.open("rb") as file:
        for line in islice(file, 200):
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and record.get("type") in ("user", "assistant"):
                records.append(record)
    return records


def test_every_line_is_accounted_for(surveys: list[Survey]) -> None:
    assert {each.path.name: each.unaccounted for each in surveys if each.unaccounted} == {}


def test_turns_calls_failures_and_files_agree_with_an_independent_reading(surveys: list[Survey]) -> None:
    script = os.environ.get("RECAPD_REFERENCE")
    if not script:
        pytest.fail("set RECAPD_REFERENCE to a script that reads logs independently: it offers facts(path)")
    reference = load_reference(Path(script))
    unexplained = {
        each.path.name: compare(each, reference.facts(str(each.path)), getattr(reference, "WRITE", ())).unexplained
        for each in surveys
        if each.agent in REFERENCED
    }
    assert {name: texts for name, texts in unexplained.items() if texts} == {}


def test_every_claim_of_every_recap_stands_at_its_ref(surveys: list[Survey]) -> None:
    library = Library([])
    for each in surveys:
        session = library.session(SessionSelector(log=str(each.path)), None)
        raw = b'{"session":{"id":"%s"}}' % session.id.encode()
        result = answer(library, "recap/verify", raw)
        assert isinstance(result, RecapVerifyResult)
        assert (result.changed, result.missing) == ((), ()), each.path.name


def test_every_page_of_every_log_says_what_its_view_does(surveys: list[Survey]) -> None:
    library = Library([])
    for each in surveys:
        check(library, {"log": str(each.path)})
