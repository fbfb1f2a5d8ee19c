"""No secret enters the store, and what comes back from it says what the log would have said."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from recapd.daemon.store.database import connect
from recapd.daemon.store.kept import SCHEMA, Kept
from tests.e2e.test_secrets import QUESTIONS, SESSION, log_with
from tests.support.following import append, fresh, set_mtime
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, human
from tests.support.secrets import PlantedSecret, secrets

pytestmark = pytest.mark.anyio

PLANTED = secrets(seed=11)
# Each secret has a session of its own; starting a daemon twice for every one of them would take most of the time.
TOGETHER = 12
# All that a source holds; everything else is asked about the first of each group.
EXPORTED = ("session/export", "recap/get", "history/get")
GROUPS = [PLANTED[at : at + TOGETHER] for at in range(0, len(PLANTED), TOGETHER)]
LONG_AGO_NS = 1_700_000_000 * 1_000_000_000


def bytes_of(folder: Path) -> bytes:
    """All that lies there, and what of it is compressed as it was before."""
    with closing(sqlite3.connect(folder / "cache.db")) as connection:
        packed = [
            zlib.decompress(body) if body[:1] == b"x" else body
            for (body,) in connection.execute("SELECT body FROM chunks")
        ]
    return b"".join((*(path.read_bytes() for path in folder.iterdir() if path.is_file()), *packed))


async def told_of(running: Running, log: Path, questions: Sequence[str]) -> str:
    about = {"session": {"log": str(log)}}
    answers = [await running.ask(method, **{**QUESTIONS[method], **about}) for method in questions]
    answers.append(await running.ask("session/list"))
    told = [msgspec.to_builtins(each) for each in answers]
    for each in told:
        each.pop("exportedAt", None)
    # All of them ended at the same time: which comes first is up to the order they were read in.
    told[-1]["sessions"] = sorted(told[-1]["sessions"], key=lambda session: str(session["id"]))
    said = json.dumps(told, ensure_ascii=False)
    # Beside the time, what may differ from one time to the next: a revision may grow while nothing else does.
    for revision in {each["revision"] for each in (*told, *told[-1]["sessions"]) if "revision" in each}:
        said = said.replace(str(revision), "REVISION")
    return said


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"from {group[0].kind}")
async def test_no_secret_is_stored_and_nothing_else_is_missing(group: Sequence[PlantedSecret], tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    logs: list[Path] = []
    for number, planted in enumerate(group):
        session = f"{SESSION[:-2]}{number:02}"
        logs.append(folder / f"{session}.jsonl")
        logs[-1].write_bytes(log_with(planted.text).replace(SESSION.encode(), session.encode()))
        set_mtime(logs[-1], LONG_AGO_NS)
    said: list[list[str]] = []
    for _ in range(2):
        async with kept_daemon(tmp_path) as running:
            await running.until_indexed()
            # What is searched for is found in what is written down.
            await running.save()
            said.append([await told_of(running, log, EXPORTED) for log in logs[1:]])
            said[-1].append(await told_of(running, logs[0], tuple(QUESTIONS)))
            await running.save()
            # While it runs, what was written last is in the log of changes.
            stored = bytes_of(tmp_path / "state")
        stored += bytes_of(tmp_path / "state")
        assert len(stored) > 10_000 * len(group)
        spellings = {each.kind: (each.secret.encode(), json.dumps(each.secret)[1:-1].encode()) for each in group}
        assert [kind for kind, spelt in spellings.items() if any(secret in stored for secret in spelt)] == []
    # With texts redacted before they came in, it answers as it did from the log.
    assert said[0] == said[1]


async def test_a_state_with_a_secret_is_not_gone_on_from(tmp_path: Path) -> None:
    """Whether a queued prompt is the one that was sent is told by its text: the text has to be the log's."""
    secret = next(each for each in PLANTED if each.kind.startswith("anthropic") or each.kind.startswith("aws")).text
    log = tmp_path / "logs" / f"{SESSION}.jsonl"
    log.parent.mkdir()
    log.write_bytes(log_with(secret))
    for _ in range(3):
        async with kept_daemon(tmp_path) as running:
            await running.until_indexed()
            # Not `until_equal`: what is on disk is redacted, as soon as it is read on it is not.
            await running.until(lambda: len(running.shown()) == 1)
            append(log, claude_log(human(f"also {secret}"), agent("Good."), session=SESSION))
            await running.until(lambda: running.shown()[log.as_uri()] == fresh(log).sources[log.as_uri()])


def test_what_others_hand_in_is_redacted_once_more(tmp_path: Path) -> None:
    db = connect(str(tmp_path / "kept.db"), SCHEMA)
    kept = Kept(db, lambda: "2026-01-01T00:00:00.000Z")
    for planted in PLANTED:
        kept.set_verdict("s", planted.kind, word="dismissed", reason=f"because of {planted.text} here", revision=1)
        kept.audit("s", "tried", f"with {planted.text} too")
    db.close()
    stored = (tmp_path / "kept.db").read_bytes()
    assert [planted.kind for planted in PLANTED if planted.secret.encode() in stored] == []
