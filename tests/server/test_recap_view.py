"""`view` of `recap/get` is the recap: the page says nothing that it does not, and each statement has its records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from recapd.core.settings import DEFAULTS, RecapSettings, Settings
from recapd.core.state.world import Session
from recapd.core.views.recap.requests import NOTHING_YET
from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.types import RecapGetResult, RecapVerifyResult, RefResolveResult, ViewItem
from recapd.wire.types.recap import RecapFormatName
from tests.server.test_dispatch import STORY, Clocked
from tests.support.logs import CWD, LOGS, Act, agent, claude_log, edit, human, shell, todo
from tests.support.secrets import secrets
from tests.support.views import items_of, refs_of, unsaid

FORMATS: tuple[str, ...] = get_args(RecapFormatName)
FIXTURES = sorted(
    path
    for path in (Path(__file__).parent.parent / "adapters" / "data").rglob("*.*")
    if path.suffix in (".jsonl", ".json", ".md") and not path.name.endswith(".expect.json")
)
SECRET = next(each.text for each in secrets(3) if each.kind == "github-oauth")
HOSTILE = "# now <b>fix</b> `the` *parser*; [it](http://x) is - in | src_a.py → out (1)"

DECIDED: tuple[Act, ...] = (
    human("Build a queue for the jobs. Let's use Postgres for the queue, no new services."),
    agent("Good. I'll use Postgres for the queue."),
    human("No wait, use Redis for the queue instead of Postgres."),
    edit(f"{CWD}/queue.py"),
    shell("pytest -q", "1 failed, 3 passed in 1s", exit_code=1),
    agent("The queue uses Redis now. One test fails: the lock is never released."),
    human("fix the lock then"),
    edit(f"{CWD}/lock.py"),
    shell("pytest -q", "4 passed in 1s"),
    shell("git commit -m 'Release the lock of the queue'", "[main 1a2b3c4] Release the lock of the queue"),
    todo({"release the lock": "completed", "write the docs": "pending"}),
    agent("All tests pass and the lock is released. I opened PR #12 for it. Shall I write the docs?"),
)
STORIES: dict[str, tuple[Act, ...]] = {
    "a story": STORY,
    "decisions": DECIDED,
    "nothing": (),
    "one prompt": (human("fix the parser"),),
    "hostile": (human(HOSTILE), shell(HOSTILE), edit(f"{CWD}/{HOSTILE}"), agent(f"Changed {HOSTILE}. Is {HOSTILE}?")),
    "secrets": (human(f"use {SECRET} to log in"), shell(f"login {SECRET}"), agent(f"I logged in with {SECRET} now.")),
}


class Styled(Clocked):
    style = "recapd"

    def settings(self, session: Session) -> Settings:
        recap = RecapSettings(style="gitclaw") if self.style == "gitclaw" else RecapSettings()
        return Settings(recap=recap, decisions=DEFAULTS.decisions)


def get(library: Library, **params: object) -> RecapGetResult:
    found = answer(library, "recap/get", json.dumps(params).encode())
    assert isinstance(found, RecapGetResult)
    return found


def check(library: Library, session: object) -> None:
    """Every format says what its view does, at places that are there."""
    refs = set()
    for format in FORMATS:
        found = get(library, session=session, format=format)
        assert unsaid(found) == [], format
        assert found.view is not None
        refs |= refs_of(found)
        for section in found.view.sections:
            ids = [item.id for item in section.items]
            assert len(ids) == len(set(ids)) <= section.total, section.name
            # No record says what is not there, nor that decisions are yet to be read, nor how the agent goes on.
            if section.name != "resume" and found.view.headline.refs:
                told = [item.text for item in section.items if not item.refs]
                assert [text for text in told if text != NOTHING_YET and "still being read" not in text] == []
    for ref in refs:
        resolved = answer(library, "ref/resolve", json.dumps({"ref": msgspec.to_builtins(ref)}).encode())
        assert isinstance(resolved, RefResolveResult) and not resolved.stale
    verified = answer(library, "recap/verify", json.dumps({"session": session}).encode())
    assert isinstance(verified, RecapVerifyResult)
    assert verified.changed == verified.missing == ()


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_page_of_any_agents_log_says_what_its_view_does(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    check(Clocked([tmp_path], environ={}), {"log": str(copy)})


@pytest.mark.parametrize("write", LOGS.values(), ids=LOGS)
@pytest.mark.parametrize("acts", STORIES.values(), ids=STORIES)
@pytest.mark.parametrize("style", ["recapd", "gitclaw"])
def test_a_page_of_any_conversation_says_what_its_view_does(
    style: str, acts: tuple[Act, ...], write: object, tmp_path: Path
) -> None:
    (tmp_path / "s.jsonl").write_bytes(write(*acts))  # type: ignore[operator]
    library = Styled([tmp_path], environ={})
    library.style = style
    for session in library.sessions():
        check(library, {"id": session.id})


def library_of(folder: Path, *acts: Act) -> Library:
    (folder / "s.jsonl").write_bytes(claude_log(*acts))
    return Clocked([folder], environ={})


def test_no_statement_has_a_secret(tmp_path: Path) -> None:
    library = library_of(tmp_path, *STORIES["secrets"])
    for format in FORMATS:
        told = msgspec.json.encode(get(library, format=format).view).decode()
        assert (SECRET not in told and "[REDACTED]" in told) or format == "decisions"


def section(found: RecapGetResult, name: str) -> tuple[ViewItem, ...]:
    assert found.view is not None
    return next((each.items for each in found.view.sections if each.name == name), ())


def test_the_view_has_what_a_panel_shows(tmp_path: Path) -> None:
    found = get(library_of(tmp_path, *DECIDED), format="full")
    assert found.view is not None
    assert "Shall I write the docs?" in found.view.headline.text
    facts = {fact.kind: (fact.text, fact.ok) for fact in found.view.facts}
    assert facts["tests"] == ("tests pass: 4 passed (pytest)", True)
    assert facts["commit"] == ("Committed: Release the lock of the queue", None)
    assert facts["pullRequest"] == ("PR #12", None)
    assert facts["todo"] == ("1 of 2 tasks done", False)
    assert [item.file_uri for item in section(found, "files")] == [f"file://{CWD}/lock.py", f"file://{CWD}/queue.py"]
    decided = (*section(found, "decisions"), *section(found, "lessCertain"))
    redis = next(item for item in decided if "Redis" in item.text)
    assert (redis.turn, redis.by, redis.status) == (2, "user", "active")
    assert redis.decision_id in {each.id for each in found.recap.decisions}
    assert [(old.turn, old.status) for old in redis.children or ()] == [(1, "superseded")]


def test_tests_that_passed_long_ago_are_a_fact_with_its_time(tmp_path: Path) -> None:
    later = [act for number in range(6) for act in (human(f"explain part {number} of it"), agent("It reads lines."))]
    found = get(library_of(tmp_path, human("run the tests"), shell("pytest -q", "4 passed in 1s"), *later))
    assert found.view is not None and "tests pass" not in found.markdown
    (tests,) = (fact for fact in found.view.facts if fact.kind == "tests")
    assert tests.ok and tests.at is not None and tests.text == "tests pass: 4 passed (pytest)"


@pytest.mark.parametrize("format", FORMATS)
def test_statements_are_known_again_after_the_session_went_on(format: str, tmp_path: Path) -> None:
    library = library_of(tmp_path, *DECIDED)
    before = {item.text: item.id for item in items_of(get(library, format=format))}
    library = library_of(tmp_path, *DECIDED, human("yes, write the docs"), agent("The docs are written now."))
    after = {item.text: item.id for item in items_of(get(library, format=format))}
    both = before.keys() & after.keys()
    assert both and {before[text] for text in both} == {after[text] for text in both}


def test_a_page_without_room_keeps_what_it_tells(tmp_path: Path) -> None:
    library = library_of(tmp_path, *DECIDED)
    found = get(library, format="decisions", maxTokens=45)
    assert found.view is not None
    (told,) = found.view.sections
    assert 0 < len(told.items) < told.total
    assert all(item.text in found.markdown for item in told.items)


def test_what_is_not_shown_has_no_view(tmp_path: Path) -> None:
    library = library_of(tmp_path, human("fix the parser"), agent("Done."))
    assert get(library, force=False).view is None
