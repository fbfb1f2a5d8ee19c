"""Health by progress: what was read against what there is to read, and what to do where that stands still."""

from __future__ import annotations

import resource
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from recapd import __version__
from recapd.core.world import Source, World, session_id_of
from recapd.daemon.tail_files import RootProgress
from recapd.server.backend import Indexing
from recapd.server.paging import page
from recapd.wire.base import PROTOCOL_VERSION
from recapd.wire.types import (
    ProblemCount,
    QueueStatus,
    RecapdStatusParams,
    RecapdStatusResult,
    RootStatus,
    SourceStatus,
    SummaryBudget,
)


class Vitals(Struct, frozen=True):
    """What the parts of the daemon say of themselves."""

    instance_id: str
    started_at: str
    indexing: Indexing
    roots: tuple[RootStatus, ...]
    # How far each log is read, and its size on disk, by URI.
    progress: dict[str, tuple[int, int]]
    queues: tuple[QueueStatus, ...]
    clients: int
    # What keeps something from working, one sentence each.
    messages: tuple[str, ...]


def status_of(world: World, vitals: Vitals, params: RecapdStatusParams) -> RecapdStatusResult:
    shown, next_cursor = page(by_trouble(world), params.limit, params.cursor)
    health, message = health_of(vitals.messages, vitals.roots)
    return RecapdStatusResult(
        health=health,
        quiescent=vitals.indexing.quiescent,
        version=__version__,
        protocol_version=PROTOCOL_VERSION,
        instance_id=vitals.instance_id,
        roots=vitals.roots,
        sources=tuple(source_status(source, vitals.progress) for source in shown),
        queues=vitals.queues,
        memory_bytes=resident_bytes(),
        clients=vitals.clients,
        summary_budget=SummaryBudget(spent_tokens=0, limit_tokens=None, calls=0),
        message=message,
        started_at=vitals.started_at,
        sessions=len(world.members),
        next_cursor=next_cursor,
    )


def health_of(messages: Sequence[str], roots: Sequence[RootStatus]) -> tuple[str, str | None]:
    """The whole in one word, and the first thing that is amiss."""
    found = [*messages, *(root.message for root in roots if root.message)]
    return ("warning", found[0]) if found else ("ok", None)


def by_trouble(world: World) -> list[Source]:
    """Every source, those with trouble first, then the latest."""
    sources = sorted(world.sources.values(), key=lambda source: source.transcript.last_at, reverse=True)
    sources.sort(
        key=lambda source: -(source.transcript.totals.problems + sum(source.transcript.unknown_types.values()))
    )
    return sources


def source_status(source: Source, progress: dict[str, tuple[int, int]]) -> SourceStatus:
    parsed, size = progress.get(source.uri, (source.carry.end, source.carry.end))
    return SourceStatus(
        source=source.uri,
        format=source.format,
        generation=source.generation,
        parsed_offset=parsed,
        size_bytes=size,
        session_ids=(session_id_of(source),),
        records=source.transcript.record_types,
        unknown_records=sum(source.transcript.unknown_types.values()),
        problems=tuple(_problems(source.transcript.problem_kinds.items())),
    )


def root_status(progress: RootProgress) -> RootStatus:
    watched = progress.watched
    return RootStatus(
        path=str(watched.root.path),
        watcher=watched.state,
        sources=progress.sources,
        parsed_bytes=progress.parsed_bytes,
        size_bytes=progress.size_bytes,
        agent=watched.root.agent or None,
        message=watched.message,
    )


def resident_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        # No /proc: the peak is the best that is known. macOS counts it in bytes, Linux in kilobytes.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _problems(kinds: Iterable[tuple[str, int]]) -> Iterable[ProblemCount]:
    return (ProblemCount(kind=kind, count=count) for kind, count in kinds)
