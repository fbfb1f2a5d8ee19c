"""What a session is recapped as is made once until the session changes, however it is asked for, and says what a fresh
one would say."""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any
from weakref import ref

import msgspec
import pytest

from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import DEFAULTS, DecisionSettings
from recapd.core.state import Session
from recapd.core.views.context import plan_of
from recapd.core.views.recap import Recap, Told, Wanted, recap_so_far, told_of
from recapd.daemon.library import Library
from recapd.daemon.memories import Memories
from recapd.server import recaps
from recapd.server.methods import answer, context
from recapd.server.recaps import Recapped, Recaps
from recapd.wire.types import ContextAssembleResult, RecapGetResult
from tests.server.test_rows import HOUR_S, Changing
from tests.support.logs import agent, at, claude_log, human
from tests.support.records import session_with

ASKED = b'{"session":{"id":"claude-code:s0"},"force":true%s}'


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was made: recaps, and formats of pages."""
    found: list[str] = []

    def recapping(session: Session, now: str, decisions: DecisionSettings) -> Recap:
        found.append("recap")
        return recap_so_far(session, now, decisions)

    def telling(facts: Recap, wanted: Wanted) -> Told:
        found.append(wanted.format)
        return told_of(facts, wanted)

    monkeypatch.setattr(recaps, "recap_so_far", recapping)
    monkeypatch.setattr(recaps, "told_of", telling)
    yield found


def told(service: Library, asked: bytes) -> tuple[str, object, object]:
    found = answer(service, "recap/get", asked)
    assert isinstance(found, RecapGetResult)
    return found.markdown, found.recap, found.view


def test_however_it_is_asked_for_it_is_made_once(tmp_path: Path, made: list[str]) -> None:
    service = Changing(tmp_path, 2)
    short, full = ASKED % b"", ASKED % b',"format":"full"'
    first = answer(service, "recap/get", short)
    assert made == ["recap", "short"]
    assert answer(service, "recap/get", short) == first
    assert made == ["recap", "short"]
    answer(service, "recap/get", full)
    answer(service, "recap/get", ASKED % b',"format":"full","consumer":"panel"')
    assert made == ["recap", "short", "full"]
    # With less room it is another page, and the same recap.
    answer(service, "recap/get", ASKED % b',"maxTokens":80')
    assert made == ["recap", "short", "full", "short"]
    # Another session is another matter.
    answer(service, "recap/get", short.replace(b"s0", b"s1"))
    assert made == ["recap", "short", "full", "short", "recap", "short"]


def test_it_is_made_anew_where_the_session_changed_or_the_clock_changes_what_is_said_of_it(
    tmp_path: Path, made: list[str]
) -> None:
    service = Changing(tmp_path, 1)
    asked = ASKED % b""
    waiting = answer(service, "recap/get", asked)
    service.after_s += 60
    assert answer(service, "recap/get", asked) == waiting and made == ["recap", "short"]
    service.after_s += 100 * HOUR_S
    left = answer(service, "recap/get", asked)
    assert isinstance(left, RecapGetResult)
    assert left != waiting and made == 2 * ["recap", "short"]
    # It says what a fresh one says.
    fresh = Changing(tmp_path, 1)
    fresh.after_s = service.after_s
    assert told(fresh, asked) == (left.markdown, left.recap, left.view)
    made.clear()
    log = tmp_path / "0.jsonl"
    acts = (human("mend part 0"), agent("Mended. Shall I push it?"), human("Yes, push it"), agent("Pushed."))
    log.write_bytes(claude_log(*acts, session="s0"))
    later = Library([tmp_path], environ={"HOME": str(tmp_path)})
    later.recaps = service.recaps
    found = told(later, asked)
    assert made == ["recap", "short"] and "Pushed" in found[0]
    assert found == told(Library([tmp_path], environ={"HOME": str(tmp_path)}), asked)


def test_of_a_context_only_what_a_prompt_finds_is_made_for_the_next_prompt(
    tmp_path: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[str] = []

    def planning(recap: Recap, **asked: Any) -> object:
        planned.append(recap.session.id)
        return plan_of(recap, **asked)

    monkeypatch.setattr(context, "plan_of", planning)
    service = Changing(tmp_path, 2)

    def ask(service: Library, prompt: str, max_tokens: int = 500) -> ContextAssembleResult:
        params = {"session": {"id": "claude-code:s0"}, "maxTokens": max_tokens, "prompt": prompt}
        found = answer(service, "context/assemble", json.dumps(params).encode())
        assert isinstance(found, ContextAssembleResult)
        return found

    texts = [ask(service, prompt).text for prompt in ("which part is mended?", "shall it be pushed?")]
    assert (len(planned), made) == (1, ["recap"])
    # In another room, of a log that was written to since, and without a prompt, it is another plan.
    ask(service, "which part is mended?", 400)
    ask(service, "")
    os.utime(tmp_path / "0.jsonl", (1_800_000_000, 1_800_000_000))
    ask(service, "which part is mended?")
    assert (len(planned), made) == (4, ["recap"])
    # They say what a fresh service says.
    for prompt, text in zip(("which part is mended?", "shall it be pushed?"), texts, strict=True):
        assert ask(Changing(tmp_path, 2), prompt).text == text
    # What is large is not held.
    planned.clear()
    for prompt in ("which part is mended?", "shall it be pushed?"):
        ask(service, prompt, 100_000)
    assert len(planned) == 2


def test_the_user_s_word_and_other_settings_give_another_recap() -> None:
    session, now = session_with(Prompt("Use Redis for the queue"), Reply("Done.")), at(3_600)
    kept, settings = Recaps(lambda session: True), DEFAULTS.decisions
    first = kept.recall(session, now, settings)
    assert kept.recall(session, now, settings) is first
    judged = msgspec.structs.replace(session, verdicts={"d": "dismissed"})
    second = kept.recall(judged, now, settings)
    assert second is not first
    assert kept.recall(judged, now, msgspec.structs.replace(settings, threshold=0.9)) is not second
    # Made anew once more is known of it, and not again.
    cold = kept.recall(session, now, settings)
    warm = kept.recall(session, now, settings, is_warm=True)
    assert warm is not cold
    assert kept.recall(session, now, settings) is warm is kept.recall(session, now, settings, is_warm=True)


def test_who_wants_what_is_being_made_waits_for_it(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    session, now, kept = session_with(Prompt("Mend it"), Reply("Done.")), at(3_600), Recaps(lambda session: True)
    others = Barrier(4)

    def slow(session: Session, now: str, decisions: DecisionSettings) -> Recap:
        made.append("recap")
        # Until the others want it too.
        time.sleep(0.2)
        return recap_so_far(session, now, decisions)

    def want() -> Recapped:
        others.wait()
        return kept.recall(session, now, DEFAULTS.decisions)

    monkeypatch.setattr(recaps, "recap_so_far", slow)
    with ThreadPoolExecutor(4) as threads:
        found = [each.result() for each in [threads.submit(want) for _ in range(4)]]
    assert made == ["recap"] and all(each is found[0] for each in found)


def test_how_a_session_was_takes_nobodys_place() -> None:
    before, now, kept = session_with(Prompt("Mend it"), Reply("Done.")), at(3_600), Recaps(lambda session: True)
    after = msgspec.structs.replace(before, revision=before.revision + 1)
    made = kept.recall(after, now, DEFAULTS.decisions)
    assert kept.recall(before, now, DEFAULTS.decisions).facts.session.revision == before.revision
    assert kept.recall(after, now, DEFAULTS.decisions) is made


def test_they_are_gone_with_the_memory_they_were_made_by() -> None:
    """Of which they hold whatever is in it: kept by itself, a recap would keep it beyond its bound."""
    memories = Memories(most_sessions=2)
    recaps = Recaps(memories.keeps)
    now, settings = at(3_600), DEFAULTS.decisions

    def recalled(number: int) -> Recapped:
        session = msgspec.structs.replace(sessions[number], id=f"test:{number}")
        return recaps.recall(memories.remind(session), now, settings)

    sessions = [session_with(Prompt(f"Mend {number}"), Reply("Done.")) for number in range(3)]
    made = [recalled(number) for number in range(3)]
    held = [ref(each) for each in made]
    assert (recalled(2), recalled(1)) == (made[2], made[1])
    assert recalled(0) is not made[0], "the least recently asked about"
    assert recalled(1) is made[1]
    memories.forget({"test:1"})
    recaps.shrink()
    made.clear()
    gc.collect()
    assert [each() for each in held] == 3 * [None], "nothing else holds what is kept no more"
