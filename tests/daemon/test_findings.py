"""Everything that can be amiss: what is said of it, how bad it is, and what to do next."""

from __future__ import annotations

import errno
from typing import cast

import pytest

from recapd.core.state.understanding import Understanding, VersionFacts
from recapd.core.trouble import Trouble
from recapd.daemon.health.findings import Condition, Stuck, Unread, findings_of, health_of, in_one_sentence
from recapd.daemon.log_files import Refusal

MINUTE_NS = 60_000_000_000
NOW_NS = 1_800_000_000 * 1_000_000_000
LATELY = "2027-01-10T00:00:00.000Z"
LONG_AGO = "2026-01-10T00:00:00.000Z"
LOG = "file:///h/a%20b.jsonl"
DENIED = Refusal("unreadable", errno.EACCES, "Permission denied")


def condition(**changes: object) -> Condition:
    return Condition(now_ns=NOW_NS, **changes)  # type: ignore[arg-type]


def version(name: str = "2.1.60", **changes: object) -> VersionFacts:
    facts: dict[str, object] = {
        "agent": "claude-code",
        "format": "claude-code",
        "version": name,
        "logs": 4,
        "records": 400,
        "unknown": {},
        "problems": 0,
        "shapes": 0,
        "last_at": LATELY,
        # Unless it is said otherwise, something may have been said in each of the unknown records.
        "unknown_words": sum(cast(dict[str, int], changes.get("unknown", {})).values()),
    }
    return VersionFacts(**(facts | changes))  # type: ignore[arg-type]


def stuck(number: int = 0) -> Stuck:
    return Stuck(f"file:///h/{number}.jsonl", 1_500_000, NOW_NS - 3 * MINUTE_NS)


@pytest.mark.parametrize(
    ("amiss", "kind", "level", "said", "advised"),
    [
        ({"stuck": (stuck(),)}, "sourceStuck", "warning", "/h/0.jsonl: 1.5 MB not read for 3 minutes", "recapd down"),
        (
            {"waiting": 7, "still_since_ns": NOW_NS - 6 * MINUTE_NS},
            "readingStuck",
            "warning",
            "7 logs to be read, and nothing was read for 6 minutes",
            "recapd down",
        ),
        (
            {"looked_ns": NOW_NS - 200 * MINUTE_NS},
            "notLooked",
            "error",
            "has not looked for changes for 3 hours",
            "recapd down",
        ),
        (
            {"unreadable": (Unread(LOG, DENIED),)},
            "unreadable",
            "warning",
            "/h/a b.jsonl could not be read: Permission denied",
            "chmod u+r '/h/a b.jsonl'",
        ),
        (
            {"unreadable": (Unread(LOG, Refusal("unreadable", errno.EMFILE, "Too many open files")),) * 3},
            "unreadable",
            "warning",
            "3 logs, such as /h/a b.jsonl, could not be read",
            "ulimit -n 4096",
        ),
        (
            {"unreadable": (Unread("file:///h/%1B%5B31ma%27b.jsonl", DENIED),)},
            "unreadable",
            "warning",
            "/h/a'b.jsonl could not",
            "chmod u+r '/h/a'",
        ),
        (
            {"unreadable": (Unread(LOG, Refusal("fault")),)},
            "unreadable",
            "warning",
            "/h/a b.jsonl made recapd fail",
            "tries again",
        ),
        ({"unreadable_folders": 2}, "unreadable", "warning", "2 folders of logs may not be read", "recapd doctor"),
        ({"store": (Trouble("No room in /s", "free some."),)}, "store", "warning", "No room in /s", "free some."),
        (
            {"configuration": (Trouble("x.toml: a.b is unknown"),)},
            "configuration",
            "warning",
            "x.toml: a.b is unknown",
            None,
        ),
        (
            {"recap_files": (Trouble("/w/_recap.md is not ours", "move it"),)},
            "recapFile",
            "warning",
            "is not ours",
            "move it",
        ),
        ({"summaries": Trouble("The budget is spent", "wait")}, "summaries", "warning", "The budget is spent", "wait"),
        ({"watching": (Trouble("Limit used up", "raise it"),)}, "watcher", "warning", "Limit used up", "raise it"),
        (
            {"resident_bytes": 900_000_000, "memory_limit": 64_000_000},
            "memory",
            "warning",
            "takes 900.0 MB of memory",
            "recapd down",
        ),
    ],
)
def test_each_thing_amiss(amiss: dict[str, object], kind: str, level: str, said: str, advised: str | None) -> None:
    (finding,) = findings_of(condition(**amiss), Understanding())
    assert (finding.kind, finding.level) == (kind, level)
    assert said in finding.message
    assert (advised in (finding.action or "")) if advised is not None else finding.action is None
    assert health_of((finding,)) == (level, finding)
    assert in_one_sentence(finding).startswith(finding.message) and (finding.action or "") in in_one_sentence(finding)


@pytest.mark.parametrize(
    ("versions", "kind", "level", "said"),
    [
        (
            [version(unknown={"foo": 12, "bar": 3})],
            "unknownRecords",
            "warning",
            "claude-code 2.1.60 writes records recapd does not know: foo (12), bar (3)",
        ),
        # A handful among thousands, or of a version that nobody uses any more, is no reason for alarm.
        ([version(unknown={"foo": 300}, unknown_words=0)], "unknownRecords", "notice", "foo (300)"),
        ([version(unknown={"foo": 3})], "unknownRecords", "notice", "foo (3)"),
        ([version(unknown={"foo": 12}, records=40_000)], "unknownRecords", "notice", "foo (12)"),
        ([version(unknown={"foo": 12}, last_at=LONG_AGO)], "unknownRecords", "notice", "foo (12)"),
        ([version("", unknown={"foo": 12}, last_at="")], "unknownRecords", "warning", "claude-code writes records"),
        (
            [version("2.1.100", unknown={"foo": 5}), version(unknown={"foo": 30}), version("2.1.9")],
            "unknownRecords",
            "warning",
            "claude-code 2.1.60 to 2.1.100 writes records recapd does not know: foo (35)",
        ),
        (
            [version(unknown={f"t{number}": 20 - number for number in range(9)})],
            "unknownRecords",
            "warning",
            "t0 (20), t1 (19), t2 (18), t3 (17), t4 (16), …",
        ),
        ([version(shapes=50, problems=50)], "newShape", "warning", "claude-code 2.1.60 writes 50 records in a shape"),
        ([version(shapes=1, problems=1)], "newShape", "notice", "1 record in a shape"),
        (
            [version(empty=("replies", "times"), logs=3), version("2.1.61", empty=("replies",), logs=4)],
            "emptyFields",
            "warning",
            "claude-code 2.1.60 to 2.1.61: no replies and no times in 7 logs, where earlier versions had them",
        ),
        ([version(empty=("directory",), last_at=LONG_AGO)], "emptyFields", "notice", "no working directory in 4 logs"),
    ],
)
def test_a_change_of_format_is_told_once_per_agent(
    versions: list[VersionFacts], kind: str, level: str, said: str
) -> None:
    (finding,) = findings_of(condition(), Understanding(tuple(versions)))
    assert (finding.kind, finding.level, finding.agent) == (kind, level, "claude-code")
    assert said in finding.message and "newer recapd" in (finding.action or "")


def test_versions_left_behind_are_told_apart() -> None:
    old = version("1.0.0", unknown={"odd": 1}, last_at=LONG_AGO)
    warning, notice = findings_of(condition(), Understanding((version(unknown={"foo": 40}), old)))
    assert (warning.level, notice.level) == ("warning", "notice")
    assert "claude-code 2.1.60 writes" in warning.message and "claude-code 1.0.0 writes" in notice.message


def test_what_is_in_order_is_not_told() -> None:
    calm = condition(waiting=9, still_since_ns=NOW_NS - MINUTE_NS, looked_ns=NOW_NS - MINUTE_NS, resident_bytes=10**9)
    assert findings_of(calm, Understanding((version(),))) == ()
    assert health_of(()) == ("ok", None)


def test_damage_is_no_reason_for_alarm() -> None:
    damage = Understanding((version(problems=3),), damaged_logs=2, damaged_pieces=3, damaged_uri=LOG)
    (finding,) = findings_of(condition(), damage)
    assert (finding.kind, finding.level, finding.count) == ("damaged", "notice", 3)
    assert "2 logs" in finding.message and finding.message.endswith("/h/a b.jsonl")
    assert health_of((finding,)) == ("ok", None)


def test_the_worst_comes_first_and_many_are_summed_up() -> None:
    found = findings_of(
        condition(stuck=tuple(map(stuck, range(9))), looked_ns=1, configuration=(Trouble("a"), Trouble("b"))),
        Understanding((version(unknown={"foo": 1}),), damaged_logs=1, damaged_pieces=1, damaged_uri=LOG),
    )
    levels = [finding.level for finding in found]
    assert levels == sorted(levels, key=["error", "warning", "notice"].index)
    assert found[0].kind == "notLooked"
    assert sum(finding.kind == "sourceStuck" for finding in found) == 6
    assert any(finding.message == "4 more logs with bytes that are not read" for finding in found)
