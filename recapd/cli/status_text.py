"""`recapd status` for people: health first, then what is amiss and what to do about it, then the folders. Pure.

Calm when all is well. Wrapped to the width of a terminal, down to 40 columns; in a pipe one line for each thing.
"""

from __future__ import annotations

from typing import TextIO
from urllib.parse import unquote, urlsplit

from recapd.cli.terminal import below_home, columns_of, fill_lines, format_table, format_time, paint, text_width
from recapd.core.hygiene import clean
from recapd.wire.types import RecapdStatusResult, RootStatus, StatusFinding

_MARKS = {"error": ("✗", "31"), "warning": ("!", "33")}
# Of how it is, at a glance.
_COLOURS = {"ok": "32", "warning": "33", "error": "1;31"}
# What is there for whoever looks for it.
_FAINT = "2"


def status_text(stream: TextIO, status: RecapdStatusResult, *, pid: int, at: str, log: str) -> str:
    amiss = _amiss(status)
    health = _filled(stream, _health(status, amiss), colour=_COLOURS.get(status.health, ""))
    parts = ["\n".join((*health, *_facts(stream, status, pid=pid, at=at)))]
    if amiss:
        parts.append("\n".join(_finding(stream, finding) for finding in amiss))
    if status.roots:
        parts.append("\n".join((paint(stream, "Folders", "1"), *_folders(stream, status.roots))))
    parts.append("\n".join(line for text in _last_words(status, amiss, log) for line in _filled(stream, text)))
    return "\n\n".join(parts)


def progress_line(status: RecapdStatusResult) -> str:
    """How far the first reading is, on one line."""
    parsed, size = _progress(status)
    if not size:
        return "Looking for sessions …"
    done = f"{100 * parsed // size} % of {_bytes(size)}" if parsed < size else _bytes(size)
    return f"Reading your sessions: {done}, {_counted(status.sessions or 0, 'session')} so far"


def _amiss(status: RecapdStatusResult) -> list[StatusFinding]:
    """What somebody should know of, the worst first; what only its developers would is left out."""
    found = [finding for finding in status.findings if finding.level != "notice"]
    if not found and status.health != "ok" and status.message:
        # A daemon of an older version says no more than this.
        found = [StatusFinding(kind="other", level=status.health, message=status.message)]
    return found


def _health(status: RecapdStatusResult, amiss: list[StatusFinding]) -> str:
    known = _counted(status.sessions or 0, "session")
    parsed, size = _progress(status)
    read = "all read" if status.quiescent else f"{_bytes(parsed)} of {_bytes(size)} read so far"
    if status.health == "ok":
        return f"recapd is well: {known}, {read}."
    word = "needs help" if status.health == "error" else "is not quite well"
    return f"recapd {word}: {_counted(len(amiss), 'thing')} to look at; {known}, {read}."


def _facts(stream: TextIO, status: RecapdStatusResult, *, pid: int, at: str) -> list[str]:
    facts = [
        f"pid {pid}",
        f"version {status.version}",
        *([f"since {format_time(status.started_at)}"] if status.started_at else []),
        _counted(status.clients, "client"),
        f"{_bytes(status.memory_bytes)} of memory",
    ]
    store = status.store
    if store is not None and store.state != "off":
        written = f" (written {format_time(store.written_at)})" if store.written_at else ""
        facts.append(f"{_bytes(store.size_bytes)} on disk{written}")
    lines = [*_filled(stream, ", ".join(facts), colour=_FAINT), *_filled(stream, at, colour=_FAINT)]
    budget = status.summary_budget
    if budget.limit_tokens is not None:
        spent = f"model summaries: {budget.spent_tokens:,} of {budget.limit_tokens:,} tokens in {budget.calls} calls"
        until = f", until {format_time(budget.resets_at)}" if budget.resets_at else ""
        lines += _filled(stream, spent + until, colour=_FAINT)
    if (reading := status.reading) is not None and reading.by != "none" and (reading.enabled or reading.calls):
        limit = f" of {reading.limit_tokens:,}" if reading.limit_tokens is not None else ""
        money = f", ${reading.spent_usd:.2f}" if reading.spent_usd else ""
        pieces = _counted(reading.calls, "piece")
        told = f"reader: {reading.spent_tokens:,}{limit} tokens{money} for {pieces} today"
        lines += _filled(stream, told, colour=_FAINT)
    return lines


def _finding(stream: TextIO, finding: StatusFinding) -> str:
    mark, colour = _MARKS.get(finding.level, _MARKS["warning"])
    text = clean(f"{finding.message} → {finding.action}" if finding.action else finding.message)
    first, *others = _filled(stream, text, indent=2)
    return "\n".join((f"{paint(stream, mark, colour)} {first[2:]}", *others))


def _folders(stream: TextIO, roots: tuple[RootStatus, ...]) -> list[str]:
    there = [root for root in roots if root.watcher != "missing"]
    rows = [(root.agent or "any agent", _read(root), _shown_path(stream, root.path)) for root in there]
    lines: list[str] = []
    if rows:
        widths = [max(columns_of(cell) for cell in column) for column in zip(*rows, strict=True)]
        width = text_width(stream)
        if width is None or sum(widths) + 6 <= width:
            lines = [f"  {line}" for line in format_table(stream, rows).split("\n")]
        else:
            lines = [line for row in rows for line in _filled(stream, ", ".join(row), indent=2)]
    agents = {root.agent for root in there if root.agent}
    missing = dict.fromkeys(root.agent or _path(root.path) for root in roots if root.watcher == "missing")
    missing = {name: None for name in missing if name not in agents}
    none = f"no logs of {', '.join(missing)}"
    return [*lines, *(_filled(stream, none, indent=2, colour=_FAINT) if missing else [])]


def _read(root: RootStatus) -> str:
    if not root.sources and not root.size_bytes:
        return "no logs yet"
    read = _bytes(root.size_bytes)
    if root.parsed_bytes < root.size_bytes:
        read = f"{_bytes(root.parsed_bytes)} of {read}"
    how = "" if root.watcher == "watching" else f", {root.watcher}"
    return f"{_counted(root.sources, 'log')}, {read}{how}"


def _last_words(status: RecapdStatusResult, amiss: list[StatusFinding], log: str) -> list[str]:
    words: list[str] = []
    if notices := len([finding for finding in status.findings if finding.level == "notice"]):
        words.append(f"{_counted(notices, 'oddity')} in logs, nothing to worry about: recapd status --json")
    if amiss:
        words.append(f"Check this machine: recapd doctor. What recapd itself noted: {log}")
    elif status.roots and all(root.watcher == "missing" for root in status.roots):
        words.append("No agent has written a log here yet. See what recapd does: recapd demo")
    else:
        words.append("See where your latest session stands: recapd recap")
    return words


def _filled(stream: TextIO, text: str, *, indent: int = 0, colour: str = "") -> list[str]:
    """The text in lines that fit a terminal; one line in a pipe."""
    return fill_lines(stream, text, text_width(stream), indent=indent, colour=colour)


def _progress(status: RecapdStatusResult) -> tuple[int, int]:
    return sum(root.parsed_bytes for root in status.roots), sum(root.size_bytes for root in status.roots)


def _shown_path(stream: TextIO, uri: str) -> str:
    return below_home(_path(uri)) if stream.isatty() else _path(uri)


def _path(uri: str) -> str:
    return clean(unquote(urlsplit(uri).path) if uri.startswith("file:") else uri)


def _bytes(size: int) -> str:
    if size < 1_000_000:
        return f"{size / 1000:.0f} kB"
    return f"{size / 1_000_000:.1f} MB" if size < 10_000_000_000 else f"{size / 1_000_000_000:.1f} GB"


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun.removesuffix('y')}ies" if noun.endswith("y") else f"{number} {noun}s"
