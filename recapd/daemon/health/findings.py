"""Everything that is amiss, in words: what, where, and what to do next. Pure: judges what it is given.

Health follows from what does not move on, never from somebody being alive. Nothing here holds text of a log; paths of
logs, agents, versions and types of records are all that it names.
"""

from __future__ import annotations

import errno
import shlex
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from recapd.core.log import from_epoch
from recapd.core.state import Understanding
from recapd.core.text import presentable
from recapd.core.trouble import Trouble
from recapd.daemon.health.drift import count_in_words, find_damage, find_drift, shown_path
from recapd.daemon.log_files import Refusal
from recapd.wire.types import StatusFinding

# Everything is looked at every half minute; ten times that long means that nobody looks any more.
NOT_LOOKED_S = 300.0
# A log of gigabytes is read in a minute or two, and nothing else may come in meanwhile.
STANDS_STILL_S = 300.0
# Besides the states of sessions there is Python itself, and what is being read just now.
MEMORY_BESIDES, MEMORY_FACTOR = 300_000_000, 3
# Logs that are named, each in a sentence of its own.
_NAMED = 5
_AGAIN = "start it anew: recapd down, then recapd up"
_RANK = {"error": 0, "warning": 1, "notice": 2}


class Stuck(Struct, frozen=True):
    """A log with bytes that nobody reads."""

    uri: str
    unread: int
    since_ns: int


class Unread(Struct, frozen=True):
    """A log that could not be read, and why."""

    uri: str
    why: Refusal


class Condition(Struct, frozen=True):
    """What the parts of the daemon say of themselves, as far as something may be amiss."""

    now_ns: int
    stuck: tuple[Stuck, ...] = ()
    unreadable: tuple[Unread, ...] = ()
    unreadable_folders: int = 0
    # Logs that wait to be read, and since when none of them moved on; 0 where they do.
    waiting: int = 0
    still_since_ns: int = 0
    # When everything was last looked at, or the start where it was not yet; 0 where that is no matter.
    looked_ns: int = 0
    resident_bytes: int = 0
    memory_limit: int = 0
    watching: tuple[Trouble, ...] = ()
    store: tuple[Trouble, ...] = ()
    configuration: tuple[Trouble, ...] = ()
    recap_files: tuple[Trouble, ...] = ()
    summaries: Trouble | None = None
    reading: Trouble | None = None


def findings_of(condition: Condition, understanding: Understanding) -> tuple[StatusFinding, ...]:
    """The worst first."""
    found = [
        *_progress(condition),
        *_unreadable(condition),
        *_troubles("store", condition.store),
        *_troubles("configuration", condition.configuration),
        *_troubles("recapFile", condition.recap_files),
        *_troubles("summaries", (condition.summaries,) if condition.summaries is not None else ()),
        *_troubles("reading", (condition.reading,) if condition.reading is not None else ()),
        *_troubles("watcher", condition.watching),
        *_memory(condition),
        *find_drift(understanding, now_ns=condition.now_ns),
        *find_damage(understanding),
    ]
    return tuple(sorted(found, key=lambda finding: _RANK.get(finding.level, 0)))


def health_of(findings: Sequence[StatusFinding]) -> tuple[str, StatusFinding | None]:
    """The whole in one word, and the finding that says why."""
    worst = findings[0] if findings else None
    if worst is None or worst.level == "notice":
        return "ok", None
    return ("error" if worst.level == "error" else "warning"), worst


def in_one_sentence(finding: StatusFinding) -> str:
    return f"{finding.message}; {finding.action}" if finding.action else finding.message


def _progress(condition: Condition) -> Iterator[StatusFinding]:
    now_ns = condition.now_ns
    if condition.looked_ns and now_ns - condition.looked_ns > NOT_LOOKED_S * 1e9:
        yield StatusFinding(
            kind="notLooked",
            level="error",
            message=f"recapd has not looked for changes for {_span(now_ns - condition.looked_ns)}",
            action=_AGAIN,
            since=from_epoch(condition.looked_ns / 1e9),
        )
    if condition.still_since_ns and now_ns - condition.still_since_ns > STANDS_STILL_S * 1e9:
        yield StatusFinding(
            kind="readingStuck",
            level="warning",
            message=f"{count_in_words(condition.waiting, 'log')} to be read, and nothing was read for "
            f"{_span(now_ns - condition.still_since_ns)}",
            action=_AGAIN,
            count=condition.waiting,
            since=from_epoch(condition.still_since_ns / 1e9),
        )
    for stuck in condition.stuck[:_NAMED]:
        yield StatusFinding(
            kind="sourceStuck",
            level="warning",
            message=f"{shown_path(stuck.uri)}: {size_in_words(stuck.unread)} not read for "
            f"{_span(now_ns - stuck.since_ns)}",
            action=_AGAIN,
            source=stuck.uri,
            since=from_epoch(stuck.since_ns / 1e9),
        )
    if len(condition.stuck) > _NAMED:
        more = len(condition.stuck) - _NAMED
        message = f"{count_in_words(more, 'more log')} with bytes that are not read"
        yield StatusFinding(kind="sourceStuck", level="warning", message=message, action=_AGAIN, count=more)


def _unreadable(condition: Condition) -> Iterator[StatusFinding]:
    by_reason: dict[Refusal, list[str]] = {}
    for unread in condition.unreadable:
        by_reason.setdefault(unread.why, []).append(unread.uri)
    for why, uris in by_reason.items():
        path = shown_path(uris[0])
        where = path if len(uris) == 1 else f"{len(uris)} logs, such as {path},"
        yield StatusFinding(
            kind="unreadable",
            level="warning",
            message=f"{where} {_why_unread(why)}",
            action=_about_reading(why, path),
            source=uris[0],
            count=len(uris),
        )
    if condition.unreadable_folders:
        yield StatusFinding(
            kind="unreadable",
            level="warning",
            message=f"{count_in_words(condition.unreadable_folders, 'folder')} of logs may not be read",
            action="recapd doctor says which",
            count=condition.unreadable_folders,
        )


def _why_unread(why: Refusal) -> str:
    return "made recapd fail" if why.cause == "fault" else f"could not be read: {why.words}"


def _about_reading(why: Refusal, path: str) -> str:
    if why.errno in (errno.EACCES, errno.EPERM):
        return f"allow it: chmod u+r {shlex.quote(path)}"
    if why.errno in (errno.EMFILE, errno.ENFILE):
        return "raise the limit of open files: ulimit -n 4096, then recapd down and recapd up"
    return "recapd tries again by itself"


def _troubles(kind: str, troubles: Iterable[Trouble]) -> Iterator[StatusFinding]:
    for trouble in troubles:
        # They name files and folders, which may be called anything.
        message, action = presentable(trouble.message), presentable(trouble.action)
        yield StatusFinding(kind=kind, level="warning", message=message, action=action or None)


def _memory(condition: Condition) -> Iterator[StatusFinding]:
    allowed = MEMORY_BESIDES + MEMORY_FACTOR * condition.memory_limit
    if condition.memory_limit and condition.resident_bytes > allowed:
        yield StatusFinding(
            kind="memory",
            level="warning",
            message=f"recapd takes {size_in_words(condition.resident_bytes)} of memory, more than it should",
            action=_AGAIN,
        )


def _span(length_ns: int) -> str:
    minutes = length_ns // 60_000_000_000
    if minutes < 120:
        return count_in_words(minutes, "minute")
    return count_in_words(minutes // 60, "hour") if minutes < 48 * 60 else count_in_words(minutes // 1440, "day")


def size_in_words(number: int) -> str:
    if number < 1000:
        return count_in_words(number, "byte")
    if number < 1_000_000:
        return f"{number / 1000:.0f} kB"
    return f"{number / 1_000_000:.1f} MB" if number < 10_000_000_000 else f"{number / 1_000_000_000:.1f} GB"
