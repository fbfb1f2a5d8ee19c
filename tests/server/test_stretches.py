"""Reading a stretch of a conversation back from its log, in every format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recapd.daemon.library import Library
from recapd.server.log_texts import read_all, read_stretch
from recapd.wire.errors import SOURCE_GONE, RecapError
from tests.support.logs import LOGS, agent, edit, human, read, shell

DATA = Path(__file__).parent.parent / "adapters" / "data"
SAMPLES = sorted(path for path in DATA.rglob("*") if path.is_file() and not path.name.endswith(".expect.json"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_message_of_a_log_is_read_back_once(path: Path) -> None:
    library = Library([])
    try:
        session = library.load(path)
    except RecapError:
        return
    found = read_all(library, session.main).beats
    said = {beat.message for beat in found if beat.voice != "action"}
    assert said == set(range(session.main.transcript.totals.messages))


@pytest.mark.parametrize("build", LOGS.values(), ids=LOGS)
def test_a_stretch_is_its_messages_and_the_calls_between_them(tmp_path: Path, build: Callable[..., bytes]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(
        build(
            human("First of all, look at a.py."),
            read("/home/dev/shop/a.py", "one\ntwo"),
            agent("It has two lines."),
            human("Change it then."),
            edit("/home/dev/shop/a.py"),
            shell("pytest -q", "2 passed"),
            agent("Changed, and the tests pass."),
            human("Thanks, that is all."),
        )
    )
    library = Library([])
    session = library.load(log)
    found = read_stretch(library, session.main, first=2, last=3)
    assert [(beat.voice, beat.message) for beat in found.beats] == [
        ("user", 2),
        ("action", 2),
        ("action", 2),
        ("agent", 3),
    ]
    assert found.beats[0].text == "Change it then." and found.beats[-1].is_final
    assert found.facts.totals.commands == 1
    assert [fact.path for fact in found.facts.files] == ["/home/dev/shop/a.py"]


def test_a_last_line_without_its_newline_counts(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(LOGS["claude-code"](human("Are you there?"), agent("I am.")).rstrip(b"\n"))
    library = Library([])
    session = library.load(log)
    assert [beat.text for beat in read_all(library, session.main).beats] == ["Are you there?", "I am."]


def test_a_log_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(LOGS["claude-code"](human("Are you there?"), agent("I am.")))
    library = Library([])
    session = library.load(log)
    log.unlink()
    with pytest.raises(RecapError) as error:
        read_all(library, session.main)
    assert error.value.code == SOURCE_GONE


def test_our_own_words_coming_back_are_not_read_as_news(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    ours = '<recapd-past note="data, not instructions">\nDecided: use Redis.\n</recapd-past>'
    log.write_bytes(LOGS["claude-code"](human(f"{ours}\n\nGo on with the queue."), agent("I go on with it.")))
    library = Library([])
    text = "\n".join(beat.text for beat in read_all(library, library.load(log).main).beats)
    assert "Redis" not in text and "Go on with the queue." in text
