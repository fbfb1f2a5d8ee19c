"""A list says of sessions that did not change what it said before, and of the others what a fresh one would say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from recapd.core.log.times import from_epoch
from recapd.core.state.world import Session
from recapd.daemon.library import Library
from recapd.server.methods import answer
from recapd.server.rows import Rows
from tests.support.logs import BEGIN, agent, claude_log, human
from tests.support.records import session_with

HOUR_S = 3_600


class Changing(Library):
    """Sessions whose logs were read, one of which may have another revision, at a time that is told."""

    def __init__(self, folder: Path, count: int) -> None:
        super().__init__([folder], environ={"HOME": str(folder)})
        for number in range(count):
            log = claude_log(human(f"mend part {number}"), agent("Mended. Shall I push it?"), session=f"s{number}")
            (folder / f"{number}.jsonl").write_bytes(log)
        self.after_s = 120
        self.revisions: dict[str, int] = {}

    def now(self) -> str:
        return from_epoch(BEGIN.timestamp() + self.after_s)

    def sessions(self) -> list[Session]:
        return [msgspec.structs.replace(each, revision=self.revisions.get(each.id, 1)) for each in super().sessions()]


@pytest.fixture
def service(tmp_path: Path) -> Changing:
    return Changing(tmp_path, 4)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Kinds of the rows that were made."""
    kinds: list[str] = []
    recall = Rows.recall

    def counted(self: Rows, kind: str, session: Session, now: str, make: object) -> object:
        def making(session: Session) -> object:
            kinds.append(kind)
            return make(session)  # type: ignore[operator]

        return recall(self, kind, session, now, making)

    monkeypatch.setattr(Rows, "recall", counted)
    yield kinds


@pytest.mark.parametrize(
    ("method", "kinds"), [("session/list", ["listed"]), ("session/overview", ["standing", "told"])]
)
def test_only_the_session_that_changed_is_told_anew(
    service: Changing, made: list[str], method: str, kinds: list[str]
) -> None:
    first = answer(service, method, b"{}")
    assert sorted(made) == sorted(4 * kinds)
    made.clear()
    assert answer(service, method, b"{}") == first and made == []
    service.revisions["claude-code:s2"] = 2
    changed = answer(service, method, b"{}")
    assert made == kinds and changed != first
    assert changed == answer(fresh(service), method, b"{}")


@pytest.mark.parametrize("hours", [0.3, 30.0, 24 * 400.0])
@pytest.mark.parametrize("method", ["session/list", "session/overview"])
def test_the_clock_changes_what_a_row_says(service: Changing, method: str, hours: float) -> None:
    answer(service, method, b"{}")
    service.after_s = round(hours * HOUR_S)
    assert answer(service, method, b"{}") == answer(fresh(service), method, b"{}")


def test_rows_of_other_sources_are_others() -> None:
    rows, one = Rows(), session_with()
    assert rows.recall("kind", one, "", lambda session: 1) == 1
    assert rows.recall("kind", one, "", lambda session: 2) == 1
    assert rows.recall("kind", session_with(), "", lambda session: 3) == 3
    rows.forget([one.id])
    assert rows.recall("kind", one, "", lambda session: 4) == 4


def fresh(service: Changing) -> Changing:
    """The same sessions, told by somebody who was never asked."""
    service.rows = Rows()
    return service
