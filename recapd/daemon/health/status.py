"""The answer to `recapd/status`: health by progress, what was read against what there is to read, and all amiss."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd import __version__
from recapd.core.log import from_epoch
from recapd.core.state import Source, Understanding, VersionFacts, World, split_type, word
from recapd.daemon.following import RootProgress
from recapd.daemon.health.findings import health_of, in_one_sentence
from recapd.server.backend import Indexing
from recapd.server.paging import page
from recapd.wire.convert import counts_by, source_status
from recapd.wire.types import (
    PROTOCOL_VERSION,
    MemoryStatus,
    QueueStatus,
    ReadingStatus,
    RecapdStatusParams,
    RecapdStatusResult,
    RootStatus,
    SourceStatus,
    StatusFinding,
    StoreStatus,
    SummaryBudget,
    VersionCoverage,
)

# Versions of agents that are told of: a year of updates of the agent that is updated most often.
MAX_VERSIONS = 100
# What the store is made of, with what SQLite puts beside it.


class FileProgress(Struct, frozen=True):
    """How far a log is read."""

    parsed: int
    size: int
    # "" unless it has bytes that nobody reads.
    stuck_since: str = ""


class Vitals(Struct, frozen=True):
    """What the parts of the daemon say of themselves."""

    instance_id: str
    started_at: str
    indexing: Indexing
    roots: tuple[RootStatus, ...]
    # By a log's URI; None where no file is followed under it.
    progress: Callable[[str], FileProgress | None]
    stuck: frozenset[str]
    queues: tuple[QueueStatus, ...]
    clients: int
    findings: tuple[StatusFinding, ...]
    store: StoreStatus
    memory_limit: int | None
    summary_budget: SummaryBudget = SummaryBudget(spent_tokens=0, limit_tokens=None, calls=0)
    reading: ReadingStatus | None = None


def status_of(
    world: World, understanding: Understanding, vitals: Vitals, params: RecapdStatusParams
) -> RecapdStatusResult:
    shown, next_cursor = page(by_trouble(world, vitals.stuck), params.limit, params.cursor)
    health, worst = health_of(vitals.findings)
    resident = resident_bytes()
    on_disk = sum(any(world.sources[key].is_cold for key in each.keys) for each in world.members.values())
    return RecapdStatusResult(
        health=health,
        quiescent=vitals.indexing.quiescent,
        version=__version__,
        protocol_version=PROTOCOL_VERSION,
        instance_id=vitals.instance_id,
        roots=vitals.roots,
        sources=tuple(_source_status(source, vitals.progress(source.uri)) for source in shown),
        queues=vitals.queues,
        memory_bytes=resident,
        clients=vitals.clients,
        summary_budget=vitals.summary_budget,
        reading=vitals.reading,
        message=in_one_sentence(worst) if worst is not None else None,
        started_at=vitals.started_at,
        sessions=len(world.members),
        next_cursor=next_cursor,
        findings=vitals.findings,
        coverage=tuple(map(_version_coverage, understanding.versions[:MAX_VERSIONS])),
        store=vitals.store,
        memory=MemoryStatus(
            resident_bytes=resident,
            sessions_whole=len(world.members) - on_disk,
            sessions_on_disk=on_disk,
            limit_bytes=vitals.memory_limit,
        ),
    )


def by_trouble(world: World, stuck: frozenset[str] = frozenset()) -> list[Source]:
    """Every source: those that are not read on first, then those with trouble, then the latest."""
    sources = sorted(world.sources.values(), key=lambda source: source.transcript.last_at, reverse=True)
    sources.sort(
        key=lambda source: (
            source.uri not in stuck,
            -(source.transcript.totals.problems + sum(source.transcript.unknown_types.values())),
        )
    )
    return sources


def _source_status(source: Source, progress: FileProgress | None) -> SourceStatus:
    transcript = source.transcript
    status = source_status(
        source,
        parsed=progress.parsed if progress is not None else None,
        size=progress.size if progress is not None else None,
    )
    return msgspec.structs.replace(
        status,
        agent=source.agent,
        agent_version=word(transcript.version) if transcript.version else None,
        unknown_types=counts_by(transcript.unknown_types, lambda name: " ".join(filter(None, split_type(name)))),
        stuck_since=(progress.stuck_since or None) if progress is not None else None,
    )


def _version_coverage(facts: VersionFacts) -> VersionCoverage:
    return VersionCoverage(
        agent=facts.agent,
        format=facts.format,
        agent_version=facts.version or None,
        sources=facts.logs,
        records=facts.records,
        unknown_types=facts.unknown,
        problems=facts.problems,
        empty=facts.empty,
        last_at=facts.last_at or None,
    )


def root_status(progress: RootProgress, *, looked_ns: int) -> RootStatus:
    watched = progress.watched
    return RootStatus(
        # As it is, for clients compare it; a name that is not UTF-8 cannot be sent.
        path=os.fsencode(watched.root.path).decode("utf-8", "replace"),
        watcher=watched.state,
        sources=progress.sources,
        parsed_bytes=progress.parsed_bytes,
        size_bytes=progress.size_bytes,
        agent=watched.root.agent or None,
        message=str(watched.trouble) if watched.trouble is not None else None,
        looked_at=from_epoch(looked_ns / 1e9) if looked_ns and watched.state != "missing" else None,
    )


def resident_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        # No /proc: the peak is the best that is known. macOS counts it in bytes, Linux in kilobytes.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
