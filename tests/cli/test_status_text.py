"""`recapd status` as a person reads it: calm when all is well, and a line with what to do for each thing amiss."""

from __future__ import annotations

import io
import re

import msgspec
import pytest

from recapd.cli.status_text import progress_line, status_text
from recapd.cli.terminal import columns_of
from recapd.wire.types import (
    RecapdStatusResult,
    RootStatus,
    StatusFinding,
    StoreStatus,
    SummaryBudget,
)


def status(**changes: object) -> RecapdStatusResult:
    calm = RecapdStatusResult(
        health="ok",
        quiescent=True,
        version="1.2.3",
        protocol_version="p",
        instance_id="i",
        roots=(root(),),
        sources=(),
        queues=(),
        memory_bytes=45_000_000,
        clients=1,
        summary_budget=SummaryBudget(spent_tokens=0, limit_tokens=None, calls=0),
        sessions=128,
        store=StoreStatus(state="ok", path="/s", size_bytes=12_300_000),
    )
    return msgspec.structs.replace(calm, **changes)


def root(**changes: object) -> RootStatus:
    calm = RootStatus(
        path="/h/.codex/sessions",
        watcher="watching",
        sources=2,
        parsed_bytes=2_000_000,
        size_bytes=2_000_000,
        agent="codex",
    )
    return msgspec.structs.replace(calm, **changes)


def finding(**changes: object) -> StatusFinding:
    amiss = StatusFinding(
        kind="sourceStuck",
        level="warning",
        message="/h/a b.jsonl: 1.5 MB not read",
        action="start it anew: recapd down",
    )
    return msgspec.structs.replace(amiss, **changes)


NOTICE = finding(level="notice", message="1 damaged piece", action=None)
TROUBLED = status(
    health="warning",
    message="…",
    roots=(root(), root(agent=None, path="/h/elsewhere/" + "deep/" * 12), root(agent="pi", watcher="missing")),
    findings=(
        finding(level="error", message="recapd has not looked for changes for 3 hours"),
        finding(message="/h/" + "very-long-folder-name/" * 5 + "日本語のログ.jsonl: 1.5 MB not read for 3 minutes"),
        finding(message="claude-code 2.1.60 writes records recapd does not know: foo (12)"),
        NOTICE,
    ),
    summary_budget=SummaryBudget(spent_tokens=1_200, limit_tokens=50_000, calls=3),
)


def told(shown: RecapdStatusResult, stream: io.StringIO | None = None) -> str:
    return status_text(stream or io.StringIO(), shown, pid=7, at="/r/recapd.sock", log="/s/daemon.log")


@pytest.mark.parametrize(
    ("changes", "expected", "absent"),
    [
        (
            {},
            [
                "recapd is well: 128 sessions, all read.\npid 7, version 1.2.3, 1 client, 45.0 MB of memory, 12.3",
                "/r/recapd.sock",
                "codex  2 logs, 2.0 MB  /h/.codex/sessions",
                "recapd recap",
            ],
            ["doctor", "daemon.log", "→", "odd", "watching"],
        ),
        (
            {"quiescent": False, "roots": (root(parsed_bytes=500_000),)},
            ["recapd is well: 128 sessions, 500 kB of 2.0 MB read so far.", "2 logs, 500 kB of 2.0 MB"],
            ["doctor"],
        ),
        (
            {"health": "warning", "findings": (finding(),)},
            [
                "recapd is not quite well: 1 thing to look at; 128 sessions, all read.",
                "\n! /h/a b.jsonl: 1.5 MB not read → start it anew: recapd down\n",
                "recapd doctor",
                "/s/daemon.log",
            ],
            ["recapd recap"],
        ),
        (
            {"health": "error", "findings": (finding(level="error"), finding(action=None))},
            ["recapd needs help: 2 things to look at", "\n✗ /h/a b.jsonl", "\n! /h/a b.jsonl: 1.5 MB not read\n"],
            [],
        ),
        # What an older daemon says.
        ({"health": "warning", "message": "No room; free some"}, ["1 thing", "\n! No room; free some\n"], []),
        ({"findings": (NOTICE, NOTICE)}, ["is well", "2 oddities", "--json", "recapd recap"], ["damaged", "→"]),
        ({"roots": (root(watcher="polling"),)}, ["2 logs, 2.0 MB, polling"], []),
        (
            {"roots": (root(watcher="missing", sources=0),), "sessions": 0},
            ["no logs of codex", "recapd demo"],
            ["0 logs"],
        ),
        # One of an agent's two folders is enough.
        ({"roots": (root(), root(watcher="missing"))}, ["2 logs"], ["no logs of"]),
        ({"roots": (), "store": None}, ["45.0 MB of memory\n"], ["Folders", "on disk"]),
        ({"store": StoreStatus(state="off")}, [], ["on disk"]),
        (
            {"summary_budget": SummaryBudget(spent_tokens=1_200, limit_tokens=50_000, calls=3)},
            ["model summaries: 1,200 of 50,000 tokens in 3 calls"],
            [],
        ),
    ],
)
def test_health_first_then_what_is_amiss_then_what_to_do(
    changes: dict[str, object], expected: list[str], absent: list[str]
) -> None:
    text = told(status(**changes))
    assert text.startswith("recapd ")
    assert [part for part in expected if part not in text] == []
    assert [part for part in absent if part in text] == []


def test_when_all_is_well_it_is_short() -> None:
    assert told(status()).count("\n") <= 8


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [40, 44, 60, 80, 100, 119, 120, 200])
def test_it_fits_a_terminal_and_loses_nothing(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    for shown in (status(), TROUBLED):
        text = told(shown, Terminal())
        assert [line for line in text.split("\n") if columns_of(line) > width] == []
        # However it is broken into lines, every word is there.
        assert set(letters(told(shown))) == set(letters(text))
        assert all(letters(each.message) in letters(text) for each in shown.findings if each.level != "notice")


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_colours_are_for_terminals_that_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[33m!\x1b[0m " in told(TROUBLED, Terminal())
    assert "\x1b" not in told(TROUBLED)


def test_in_a_pipe_each_thing_is_one_line() -> None:
    lines = told(TROUBLED).split("\n")
    assert [line.count("→") for line in lines if line.startswith(("! ", "✗ "))] == [1, 1, 1]


def test_progress_fits_on_a_line() -> None:
    line = progress_line(status(roots=(root(parsed_bytes=500_000),)))
    assert line == "Reading your sessions: 25 % of 2.0 MB, 128 sessions so far"
    # More is found than was known of: no share of it can be told.
    assert progress_line(status()) == "Reading your sessions: 2.0 MB, 128 sessions so far"
    assert progress_line(status(roots=())) == "Looking for sessions …"
