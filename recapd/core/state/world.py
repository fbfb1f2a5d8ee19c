"""All sources, and the sessions they make up. `fold` is the only way the world changes.

One session may stand in several sources (sub-agents write files of their own, tools leave copies), and a source may
turn out to belong to another session as it grows. Which source belongs where is derived from what they say.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.log import START, Carry, Problem, Record, a_day_after
from recapd.core.state.folding import extend
from recapd.core.state.sections import ALL_SECTIONS, changed_sections
from recapd.core.state.traits import Wordless
from recapd.core.state.transcript import EMPTY, Transcript

_ID_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-")
_LONGEST_ID = 200

# The user's word on a decision: it outranks whatever was found.
Verdict: TypeAlias = Literal["confirmed", "dismissed"]


class Source(Struct, frozen=True):
    """One log file, as far as it is read."""

    uri: Wordless[str]
    agent: str
    # Name of the adapter that reads it.
    format: str
    generation: Wordless[str]
    # Which of the sessions in the file this is, where a file holds several.
    part: Wordless[str] = ""
    transcript: Transcript = EMPTY
    carry: Carry = START
    # Only the transcript's head is in memory (see cold).
    is_cold: bool = False
    # The file was deleted; what was known of it is kept.
    is_gone: bool = False

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
    # What another process made of everything up to `carry`; the records come on top of it.
    adopted: Transcript | None = None
    # The file was rewritten or replaced: what was known of it is void.
    restart: bool = False
    now_ms: int = 0


class Delta(Struct, frozen=True):
    """What a batch changed."""

    session_id: str
    revision: int
    # The session that the source belonged to until now, where it turned out to belong to another.
    left: str = ""
    # Parts of an answer about the session that can have changed (see sections).
    sections: tuple[str, ...] = ()


class Members(Struct, frozen=True):
    """The sources of one session, and the revision that whatever changed it last gave it."""

    keys: tuple[str, ...]
    revision: int


class World(Struct, frozen=True):
    """Sources by key (the file's URI, and the part of it), and the keys of each session's sources."""

    sources: dict[str, Source] = {}
    members: dict[str, Members] = {}
    # Grows with every change, and starts at the time in milliseconds: later worlds have larger ones, restarts too.
    revision: int = 0


class Session(Struct, frozen=True):
    """The sources of one session, put together."""

    id: str
    agent: str
    main: Source
    revision: int
    # Sub-agents that wrote sources of their own.
    children: tuple[Source, ...] = ()
    # Other copies of the same log.
    aliases: tuple[Source, ...] = ()
    # The user's word on decisions, by their ids. No log tells it: whoever keeps it puts it here.
    verdicts: dict[str, Verdict] = {}


def fold(world: World, batch: Batch) -> tuple[World, Delta]:
    key = source_key(batch.uri, batch.part)
    known = world.sources.get(key)
    base = known.transcript if known is not None and not batch.restart else EMPTY
    source = Source(
        uri=batch.uri,
        agent=batch.agent,
        format=batch.format,
        generation=batch.generation,
        part=batch.part,
        transcript=extend(base if batch.adopted is None else batch.adopted, batch.records, batch.problems),
        carry=batch.carry,
    )
    revision = max(world.revision + 1, batch.now_ms)
    before = session_id_of(known) if known is not None else ""
    after = session_id_of(source)
    members = dict(world.members)
    if before and before != after:
        _leave(members, before, key, revision)
    keys = members[after].keys if after in members else ()
    members[after] = Members(keys if key in keys else tuple(sorted((*keys, key))), revision)
    left = before if before != after else ""
    sources = {**world.sources, key: source}
    sections = _sections(known if not left else None, source, [sources[each] for each in members[after].keys])
    return World(sources, members, revision), Delta(after, revision, left, sections)


def forget(world: World, uri: str) -> tuple[World, tuple[Delta, ...]]:
    """The world without a file that is gone, and the sessions that changed by it."""
    return drop(world, [key for key, source in world.sources.items() if source.uri == uri])


def drop(world: World, keys: Sequence[str]) -> tuple[World, tuple[Delta, ...]]:
    """The world without these sources, and the sessions that changed by it."""
    gone = [world.sources[key] for key in keys if key in world.sources]
    if not gone:
        return world, ()
    revision = world.revision + 1
    members, sources = dict(world.members), dict(world.sources)
    for source in gone:
        del sources[source.key]
        _leave(members, session_id_of(source), source.key, revision)
    ids = {session_id_of(source) for source in gone}
    deltas = tuple(Delta(session_id, revision, sections=ALL_SECTIONS) for session_id in ids)
    return msgspec.structs.replace(world, sources=sources, members=members, revision=revision), deltas


def revise(
    world: World, session_ids: Sequence[str], *, now_ms: int, sections: tuple[str, ...] = ALL_SECTIONS
) -> tuple[World, tuple[Delta, ...]]:
    """The world after something besides the logs changed what is said of these sessions."""
    if not session_ids:
        return world, ()
    revision = max(world.revision + 1, now_ms)
    changed = {each: msgspec.structs.replace(world.members[each], revision=revision) for each in session_ids}
    deltas = tuple(Delta(each, revision, sections=sections) for each in session_ids)
    return msgspec.structs.replace(world, members={**world.members, **changed}, revision=revision), deltas


def vanish(world: World, uri: str) -> tuple[World, tuple[Delta, ...]]:
    """The world after a file was deleted: a session that stands in no other file is kept as it was known."""
    gone = [source for source in world.sources.values() if source.uri == uri and not source.is_gone]
    kept = [source for source in gone if _is_last(world, source)]
    if not kept:
        return forget(world, uri)
    revision = world.revision + 1
    members, sources = dict(world.members), dict(world.sources)
    for source in gone:
        session_id = session_id_of(source)
        if source in kept:
            sources[source.key] = msgspec.structs.replace(source, is_gone=True)
            members[session_id] = Members(members[session_id].keys, revision)
        else:
            del sources[source.key]
            _leave(members, session_id, source.key, revision)
    ids = {session_id_of(source) for source in gone}
    deltas = tuple(Delta(session_id, revision, sections=ALL_SECTIONS) for session_id in ids)
    return msgspec.structs.replace(world, sources=sources, members=members, revision=revision), deltas


def _is_last(world: World, source: Source) -> bool:
    """Whether no living log tells what this one told. A sub-agent's goes with the main one, or before it."""
    others = [world.sources[key] for key in world.members[session_id_of(source)].keys if key != source.key]
    own = [other for other in others if not other.transcript.subagent]
    if source.transcript.subagent:
        return bool(own) and all(other.is_gone for other in own)
    return all(other.is_gone for other in own)


def _sections(known: Source | None, source: Source, together: list[Source]) -> tuple[str, ...]:
    is_rewritten = known is not None and known.generation != source.generation
    # Which of several copies stands for the session may change as one of them grows, and with it every ref.
    has_copies = sum(not each.transcript.subagent for each in together) != 1
    if is_rewritten or has_copies:
        return ALL_SECTIONS
    return changed_sections(known.transcript if known is not None else EMPTY, source.transcript)


def _leave(members: dict[str, Members], session_id: str, key: str, revision: int) -> None:
    keys = tuple(other for other in members[session_id].keys if other != key)
    if keys:
        members[session_id] = Members(keys, revision)
    else:
        del members[session_id]


def session_id_of(source: Source) -> str:
    """The agent's own id of the session that a source belongs to, behind the agent's name; else a hash of the path."""
    transcript = source.transcript
    native = transcript.parent_session if transcript.subagent and transcript.parent_session else transcript.native_id
    if source.part or not is_plain_id(native):
        native = blake2b(source.key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{source.agent}:{native}"


def is_plain_id(native: str) -> bool:
    """Whether an id from a log may be shown, and put into a command, as it stands: logs are not trusted."""
    return 0 < len(native) <= _LONGEST_ID and native[0] != "-" and _ID_CHARACTERS.issuperset(native)


def session_of(world: World, session_id: str) -> Session | None:
    members = world.members.get(session_id)
    if members is None:
        return None
    sources = [world.sources[key] for key in members.keys]
    own = [source for source in sources if not source.transcript.subagent]
    children = [source for source in sources if source.transcript.subagent]
    if not own:
        # Only sub-agents' files are known: the largest stands for the session.
        children.sort(key=lambda source: -source.transcript.totals.records)
        return Session(session_id, children[0].agent, children[0], members.revision, tuple(children[1:]))
    # Copies hold the same beginning; the one that goes furthest is the log.
    own.sort(key=lambda source: (-source.transcript.totals.records, source.transcript.last_at, source.uri))
    return Session(session_id, own[0].agent, own[0], members.revision, tuple(children), tuple(own[1:]))


def session_at(world: World, uri: str) -> Session | None:
    """The session of a log that somebody names: told from that log, whatever copies of it go further."""
    source = next((each for key, each in world.sources.items() if each.uri == uri), None)
    session = session_of(world, session_id_of(source)) if source is not None else None
    if session is None or source is None or source.transcript.subagent or session.main.uri == uri:
        return session
    others = tuple(each for each in (session.main, *session.aliases) if each.key != source.key)
    return Session(session.id, session.agent, source, session.revision, session.children, others)


def sessions_of(world: World, now: str = "") -> list[Session]:
    """All sessions, most recently active first; those of which no date can be true come last."""
    sessions = [session for session_id in world.members if (session := session_of(world, session_id))]
    sessions.sort(key=lambda session: (last_active(session, now), last_active(session)), reverse=True)
    return sessions


def last_active(session: Session, now: str = "") -> str:
    """When the session last went on, or "" where its log does not tell.

    With `now`, a date later than tomorrow counts as none: a record with a wrong one would make its session the latest
    for good. Dates before it may still be true; a day is more than clocks and time zones are apart.
    """
    transcripts = [source.transcript for source in (session.main, *session.children)]
    stated = max(each.last_at for each in transcripts)
    tomorrow = a_day_after(now) if now else ""
    if not tomorrow or stated <= tomorrow:
        return stated
    dates = (at for each in transcripts for at in (each.last_at, each.ending.at, each.started_at))
    return max((at for at in dates if at <= tomorrow), default="")
