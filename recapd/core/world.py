"""All sources, and the sessions they make up. `fold` is the only way the world changes.

One session may stand in several sources (sub-agents write files of their own, tools leave copies), and a source may
turn out to belong to another session as it grows. Which source belongs where is derived from what they say.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import msgspec
from msgspec import Struct

from recapd.core.events import Problem, Record
from recapd.core.fold import extend
from recapd.core.lines import START, Carry
from recapd.core.state import EMPTY, Transcript


class Source(Struct, frozen=True):
    """One log file, as far as it is read."""

    uri: str
    agent: str
    # Name of the adapter that reads it.
    format: str
    generation: str
    # Which of the sessions in the file this is, where a file holds several.
    part: str = ""
    transcript: Transcript = EMPTY
    carry: Carry = START
    # Bumped by every batch; starts at the time the world first met the source, so it grows across restarts.
    revision: int = 0

    @property
    def key(self) -> str:
        return source_key(self.uri, self.part)


def source_key(uri: str, part: str = "") -> str:
    return f"{uri}#{part}" if part else uri


class Batch(Struct, frozen=True):
    """News of one source: records in the order of the file."""

    uri: str
    agent: str
    format: str
    generation: str
    records: Sequence[Record]
    problems: Sequence[Problem]
    carry: Carry
    part: str = ""
    # The file was rewritten or replaced: what was known of it is void.
    restart: bool = False
    now_ms: int = 0


class Delta(Struct, frozen=True):
    """What a batch changed."""

    session_id: str
    revision: int


class World(Struct, frozen=True):
    """Sources by key (the file's URI, and the part of it), and the keys of each session's sources."""

    sources: dict[str, Source] = {}
    members: dict[str, tuple[str, ...]] = {}


class Session(Struct, frozen=True):
    """The sources of one session, put together."""

    id: str
    agent: str
    main: Source
    # Sub-agents that wrote sources of their own.
    children: tuple[Source, ...] = ()
    # Other copies of the same log.
    aliases: tuple[Source, ...] = ()

    @property
    def revision(self) -> int:
        return max(source.revision for source in (self.main, *self.children, *self.aliases))


def fold(world: World, batch: Batch) -> tuple[World, Delta]:
    key = source_key(batch.uri, batch.part)
    known = world.sources.get(key)
    base = known
    if base is None or batch.restart:
        revision = known.revision if known else batch.now_ms
        base = Source(batch.uri, batch.agent, batch.format, batch.generation, part=batch.part, revision=revision)
    source = msgspec.structs.replace(
        base,
        generation=batch.generation,
        transcript=extend(base.transcript, batch.records, batch.problems),
        carry=batch.carry,
        revision=base.revision + 1,
    )
    before = session_id_of(known) if known else ""
    after = session_id_of(source)
    members = world.members
    if before != after:
        members = dict(members)
        if before:
            members[before] = tuple(other for other in members[before] if other != key)
            if not members[before]:
                del members[before]
        members[after] = tuple(sorted((*members.get(after, ()), key)))
    return World({**world.sources, key: source}, members), Delta(after, source.revision)


def session_id_of(source: Source) -> str:
    """The agent's own id of the session that a source belongs to, behind the agent's name; else a hash of the path."""
    transcript = source.transcript
    native = transcript.parent_session if transcript.subagent and transcript.parent_session else transcript.native_id
    if source.part or not native:
        native = blake2b(source.key.encode(), digest_size=8).hexdigest()
    return f"{source.agent}:{native}"


def session_of(world: World, session_id: str) -> Session | None:
    keys = world.members.get(session_id)
    if not keys:
        return None
    sources = [world.sources[key] for key in keys]
    own = [source for source in sources if not source.transcript.subagent]
    children = [source for source in sources if source.transcript.subagent]
    if not own:
        # Only sub-agents' files are known: the largest stands for the session.
        children.sort(key=lambda source: -source.transcript.totals.records)
        return Session(session_id, children[0].agent, children[0], tuple(children[1:]))
    # Copies hold the same beginning; the one that goes furthest is the log.
    own.sort(key=lambda source: (-source.transcript.totals.records, source.transcript.last_at, source.uri))
    return Session(session_id, own[0].agent, own[0], tuple(children), tuple(own[1:]))


def sessions_of(world: World) -> list[Session]:
    """All sessions, most recently active first."""
    sessions = [session for session_id in world.members if (session := session_of(world, session_id))]
    sessions.sort(key=last_active, reverse=True)
    return sessions


def last_active(session: Session) -> str:
    return max(source.transcript.last_at for source in (session.main, *session.children))
