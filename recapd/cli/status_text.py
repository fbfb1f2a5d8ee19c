"""`recapd status` for people: health first, then what is watched, what is wrong, and what to do next. Pure."""

from __future__ import annotations

from typing import TextIO
from urllib.parse import unquote, urlsplit

from recapd.cli.terminal import table, when
from recapd.wire.types import RecapdStatusResult, RootStatus, SourceStatus

_MOST_TROUBLED = 10
# Less may be a last line that its agent has not finished, and never will after a crash.
_STUCK_BYTES = 64 << 10
_PROBLEMS = {
    "notJson": "not JSON",
    "torn": "torn",
    "glued": "glued together",
    "shape": "of a new shape",
    "tooLong": "too long",
    "notText": "not text",
}


def status_text(stream: TextIO, status: RecapdStatusResult, *, pid: int, at: str, log: str) -> str:
    facts = [
        f"pid {pid}",
        f"version {status.version}",
        *([f"since {when(status.started_at)}"] if status.started_at else []),
        _bytes(status.memory_bytes) + " of memory",
        _counted(status.clients, "client"),
    ]
    parts = [f"{_health(status)}\n{', '.join(facts)}\n{at}"]
    if status.roots:
        parts.append("Folders\n" + _indented(table(stream, [_root_row(root) for root in status.roots])))
    troubled = [source for source in status.sources if _trouble(source, is_quiescent=status.quiescent)]
    if troubled:
        rows = [
            f"{_path(source.source)}: {_trouble(source, is_quiescent=status.quiescent)}"
            for source in troubled[:_MOST_TROUBLED]
        ]
        if len(troubled) > _MOST_TROUBLED:
            rows.append(f"… and {len(troubled) - _MOST_TROUBLED} more; see all with --json")
        parts.append("Logs with trouble\n" + _indented("\n".join(rows)))
    parts.append("Next\n" + _indented("\n".join(_advice(status, troubled, log))))
    return "\n\n".join(parts)


def progress_line(status: RecapdStatusResult) -> str:
    """How far the first reading is, on one line."""
    parsed, size = _progress(status)
    if not size:
        return "Looking for sessions …"
    done = f"{100 * parsed // size} % of {_bytes(size)}" if parsed < size else _bytes(size)
    return f"Reading your sessions: {done}, {_counted(status.sessions or 0, 'session')} so far"


def _health(status: RecapdStatusResult) -> str:
    known = _counted(status.sessions or 0, "session")
    if status.health == "ok" and status.quiescent:
        return f"recapd is well: {known}, all read."
    if status.health == "ok":
        parsed, size = _progress(status)
        return f"recapd is well and reads: {_bytes(parsed)} of {_bytes(size)}, {known} so far."
    word = "needs help" if status.health == "error" else "is not quite well"
    return f"recapd {word}: {status.message or 'see below.'}"


def _progress(status: RecapdStatusResult) -> tuple[int, int]:
    return sum(root.parsed_bytes for root in status.roots), sum(root.size_bytes for root in status.roots)


def _root_row(root: RootStatus) -> tuple[str, ...]:
    read = _bytes(root.size_bytes)
    if root.parsed_bytes < root.size_bytes:
        read = f"{_bytes(root.parsed_bytes)} of {read}"
    logs = "" if root.watcher == "missing" else f"{_counted(root.sources, 'log')}, {read}"
    return root.watcher, root.agent or "", logs, _path(root.path), root.message or ""


def _trouble(source: SourceStatus, *, is_quiescent: bool) -> str:
    """What is wrong with a log, "" where nothing is. An unread rest is no trouble while reading goes on."""
    found = [
        f"{_counted(each.count, 'piece')} {_PROBLEMS.get(each.kind, each.kind)}"
        + (f" (last in line {each.last_line})" if each.last_line else "")
        for each in source.problems
    ]
    if source.unknown_records:
        found.append(f"{_counted(source.unknown_records, 'record')} of unknown type")
    if is_quiescent and source.size_bytes - source.parsed_offset > _STUCK_BYTES:
        found.append(f"{_bytes(source.size_bytes - source.parsed_offset)} not read")
    return ", ".join(found)


def _advice(status: RecapdStatusResult, troubled: list[SourceStatus], log: str) -> list[str]:
    advice: list[str] = []
    if status.health != "ok" or any(root.watcher in ("polling", "failed") for root in status.roots):
        advice.append(f"recapd doctor says what to do; recapd's own log is {log}")
    if any(source.unknown_records for source in troubled):
        advice.append("Unknown records mean that an agent changed its format: look for a newer recapd.")
    if status.roots and all(root.watcher == "missing" for root in status.roots):
        advice.append("No agent has written a log here yet; see what recapd does: recapd demo")
    return advice or ["See where your latest session stands: recapd recap"]


def _path(uri: str) -> str:
    return unquote(urlsplit(uri).path) if uri.startswith("file:") else uri


def _bytes(size: int) -> str:
    if size < 1_000_000:
        return f"{size / 1000:.0f} kB"
    return f"{size / 1_000_000:.1f} MB" if size < 10_000_000_000 else f"{size / 1_000_000_000:.1f} GB"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.split("\n"))
