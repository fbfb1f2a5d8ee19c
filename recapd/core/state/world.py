"""All sources, and the sessions they make up; every way in which that changes, and what of it can have changed.

One session may stand in several sources (sub-agents write files of their own, tools leave copies), and a source may
turn out to belong to another session as it grows. Which source belongs where is derived from what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.log import START, Carry, Problem, Record, a_day_after
from recapd.core.presence import ABSENT, Presence, Signal
from recapd.core.state.folding import extend
from recapd.core.state.growing import Layered
from recapd.core.state.memory import Memory
from recapd.core.state.reading import Reading
from recapd.core.state.sections import ALL_SECTIONS, sections_between, sections_between_of_subagent
from recapd.core.state.traits import Wordless
from recapd.core.state.transcript import EMPTY, Transcript
from recapd.core.text import narrates

_ID_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-")
_LONGEST_ID = 200

# The user's word on a decision: it outranks whatever was found.
Verdict: TypeAlias = Literal["confirmed", "dismissed"]


# Not a part of a recap: the session has just begun to wait for the human.
WAITING: Final = "waiting"
# Nor this: the agent has just forgotten its past for a summary of it. What the summary lost is in the answer.
COMPACTED: Final = "compacted"

# What changes with what the agent is doing.
_OF_PRESENCE: Final = ("state", "openItems", "session")
# Sessions whose agents were seen to leave, of which that is remembered.
_MOST_LEFT: Final = 256
# Sessions whose hooks told something, and those of them whose summary is kept: it may have a hundred kilobytes.
_MOST_SIGNALS: Final = 256
_MOST_SUMMARIES: Final = 16


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

    def is_logged_below(self, folder: str) -> bool:
        """Whether it says that its agent worked in this folder, or below it."""
        return any(cwd == folder or cwd.startswith(f"{folder}/") for cwd in self.transcript.cwds)


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
    # What another process made of everything up to `carry`, or the head of it; there are no records then. Where it is
    # the head, `body` is all of it, for whoever keeps it.
    adopted: Source | None = None
    body: bytes = b""
    # The file was rewritten or replaced: what was known of it is void.
    restart: bool = False


class Delta(Struct, frozen=True):
    """What a batch changed."""

    session_id: str
    revision: int
    # The session that the source belonged to until now, where it turned out to belong to another.
    left: str = ""
    # Parts of an answer about the session that can have changed.
    sections: tuple[str, ...] = ALL_SECTIONS


class Members(Struct, frozen=True):
    """The sources of one session, and the revision that whatever changed it last gave it."""

    keys: tuple[str, ...]
    revision: int


class World(Struct, frozen=True):
    """Sources by key (the file's URI, and the part of it), and the keys of each session's sources."""

    sources: Layered[str, Source] = msgspec.field(default_factory=Layered)
    members: Layered[str, Members] = msgspec.field(default_factory=Layered)
    # Grows by one with every change. Whoever makes the first world of a process gives it one to begin at that is larger
    # than all that were told before.
    revision: int = 0
    # What last lines say that are whole but for their newline, by URI. Whoever tells of a session counts them in; they
    # are folded once they are finished.
    unfinished: dict[str, tuple[Record, ...]] = {}
    # Sessions that are to be forgotten: what a log says of them is not taken in.
    buried: frozenset[str] = frozenset()
    # What running agents say of themselves, by session; also of those that were seen to leave.
    present: dict[str, Presence] = {}
    # What the URIs of the logs begin with whose agents say who is there.
    attended: tuple[str, ...] = ()
    # What hooks told last, by session, the latest last; also of sessions whose logs are not there yet.
    signals: dict[str, Signal] = {}


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
    # What a reader made of it; likewise.
    reading: Reading | None = None
    # What is known of its agent besides the log; None where nobody tells.
    presence: Presence | None = None
    signal: Signal | None = None
    # What was made of the session before. Whoever asks about it again puts the same here; it says nothing new.
    memory: Memory = msgspec.field(default_factory=Memory)


# ---- how the world changes


def fold(world: World, batch: Batch) -> tuple[World, Delta]:
    if batch.restart:
        world = _with_line(world, batch.uri, ())
    key = source_key(batch.uri, batch.part)
    known = world.sources.get(key)
    base = known.transcript if known is not None and not batch.restart else EMPTY
    source = batch.adopted or Source(
        uri=batch.uri,
        agent=batch.agent,
        format=batch.format,
        generation=batch.generation,
        part=batch.part,
        transcript=extend(base, batch.records, batch.problems),
        carry=batch.carry,
    )
    revision = world.revision + 1
    before = session_id_of(known) if known is not None else ""
    after = session_id_of(source)
    members = world.members
    if before and before != after:
        members = _leave(members, before, key, revision)
    keys = members[after].keys if after in members else ()
    members = members.with_items({after: Members(keys if key in keys else tuple(sorted((*keys, key))), revision)})
    left = before if before != after else ""
    sources = world.sources.with_items({key: source})
    superseded = _superseded(sources, members[after])
    if superseded:
        sources, members = _drop_superseded(sources, members, after, superseded)
    sections = _sections(known if not left else None, source, [sources[each] for each in members[after].keys])
    if superseded:
        sections = ALL_SECTIONS
    changed = msgspec.structs.replace(world, sources=sources, members=members, revision=revision)
    return changed, Delta(after, revision, left, sections)


def forget(world: World, uri: str) -> tuple[World, tuple[Delta, ...]]:
    """The world without a file that is gone, and the sessions that changed by it."""
    world = _with_line(world, uri, ())
    return drop(world, [key for key, source in world.sources.items() if source.uri == uri])


def drop(world: World, keys: Sequence[str]) -> tuple[World, tuple[Delta, ...]]:
    """The world without these sources, and the sessions that changed by it."""
    gone = [world.sources[key] for key in keys if key in world.sources]
    if not gone:
        return world, ()
    revision = world.revision + 1
    sources, members = world.sources.without({source.key for source in gone}), world.members
    for source in gone:
        members = _leave(members, session_id_of(source), source.key, revision)
    ids = {session_id_of(source) for source in gone}
    deltas = tuple(Delta(session_id, revision) for session_id in ids)
    return msgspec.structs.replace(world, sources=sources, members=members, revision=revision), deltas


def revise(
    world: World, session_ids: Sequence[str] = (), *, sections: tuple[str, ...] = ALL_SECTIONS
) -> tuple[World, tuple[Delta, ...]]:
    """The world after something besides the logs changed what is said of these sessions; of none, it has a revision
    that nobody was told of, for what is about to change."""
    revision = world.revision + 1
    changed = {each: msgspec.structs.replace(world.members[each], revision=revision) for each in session_ids}
    deltas = tuple(Delta(each, revision, sections=sections) for each in session_ids)
    return msgspec.structs.replace(world, members=world.members.with_items(changed), revision=revision), deltas


def vanish(world: World, uri: str) -> tuple[World, tuple[Delta, ...]]:
    """The world after a file was deleted: a session that stands in no other file is kept as it was known."""
    gone = [source for source in world.sources.values() if source.uri == uri and not source.is_gone]
    kept = [source for source in gone if _is_last(world, source)]
    if not kept:
        return forget(world, uri)
    world = _with_line(world, uri, ())
    revision = world.revision + 1
    members, sources = world.members, world.sources
    for source in gone:
        session_id = session_id_of(source)
        if source in kept:
            sources = sources.with_items({source.key: msgspec.structs.replace(source, is_gone=True)})
            members = members.with_items({session_id: Members(members[session_id].keys, revision)})
        else:
            sources = sources.without({source.key})
            members = _leave(members, session_id, source.key, revision)
    ids = {session_id_of(source) for source in gone}
    deltas = tuple(Delta(session_id, revision) for session_id in ids)
    return msgspec.structs.replace(world, sources=sources, members=members, revision=revision), deltas


def see_last_line(world: World, uri: str, records: Sequence[Record]) -> tuple[World, tuple[Delta, ...]]:
    """The world after the last line of a file says this, or nothing that is whole any more.

    It changes what is said of the session, both when it is counted in and when it no longer is.
    """
    before, after = world.unfinished.get(uri, ()), tuple(records)
    if before == after:
        return world, ()
    world = _with_line(world, uri, after)
    source = world.sources.get(uri)
    if source is None:
        return world, ()
    sections = changed_sections(*(extend(source.transcript, each) for each in (before, after)))
    return revise(world, [session_id_of(source)], sections=sections)


def see_presence(
    world: World, present: Mapping[str, Presence], attended: tuple[str, ...], now: str
) -> tuple[World, tuple[Delta, ...]]:
    """The world after a look at who is there: these, and of the logs that begin so nobody else."""
    left = {session_id: was for session_id, was in world.present.items() if session_id not in present}
    gone = [(each, was if was.doing == "left" else Presence("left", now)) for each, was in left.items()]
    after = msgspec.structs.replace(
        world, present={**dict(gone[-_MOST_LEFT:]), **present}, attended=tuple(sorted(attended))
    )
    if (after.present, after.attended) == (world.present, world.attended):
        return world, ()
    touched = [*world.present, *(each for each in present if each not in world.present)]
    if after.attended != world.attended:
        touched = list(world.members)
    begin_to_wait, others = list[str](), list[str]()
    for session_id in touched:
        was, is_now = session_of(world, session_id), session_of(after, session_id)
        if was is not None and is_now is not None and was.presence != is_now.presence:
            (begin_to_wait if rests(is_now) and not rests(was) else others).append(session_id)
    after, waiting = revise(after, begin_to_wait, sections=(*_OF_PRESENCE, WAITING))
    after, changed = revise(after, others, sections=_OF_PRESENCE)
    return after, (*waiting, *changed)


def take_signal(world: World, session_id: str, signal: Signal) -> tuple[World, tuple[Delta, ...]]:
    """The world after a hook told something. One that comes late changes nothing but what was forgotten."""
    known = world.signals.get(session_id)
    if session_id in world.buried:
        return world, ()
    if known is not None:
        latest = signal if signal.at >= known.at else known
        told = signal if signal.summary else known
        signal = msgspec.structs.replace(latest, summary=told.summary, summary_at=told.summary_at)
    others = [(each, its) for each, its in world.signals.items() if each != session_id][1 - _MOST_SIGNALS :]
    summarized = [each for each, its in others if its.summary][: -_MOST_SUMMARIES + 1]
    signals = {
        each: msgspec.structs.replace(its, summary="", summary_at="") if each in summarized else its
        for each, its in others
    }
    after = msgspec.structs.replace(world, signals={**signals, session_id: signal})
    before, now_so = session_of(world, session_id), session_of(after, session_id)
    if before is None or now_so is None or signal == known:
        return after, ()
    waiting = (WAITING,) if rests(now_so) and not rests(before) else ()
    return revise(after, [session_id], sections=(*_OF_PRESENCE, *waiting))


def put(world: World, sources: Iterable[Source]) -> World:
    """The world with these sources in the place of what it has under their keys: as much is known as before, so no
    revision grows."""
    replaced = {source.key: source for source in sources if source.key in world.sources}
    return msgspec.structs.replace(world, sources=world.sources.with_items(replaced))


def restore(world: World, sources: Sequence[tuple[Source, int]]) -> World:
    """The world with sources that were known before, each with the revision its session had."""
    restored = {source.key: source for source, _ in sources}
    changed: dict[str, Members] = {}
    for source, revision in sources:
        session_id = session_id_of(source)
        known = changed.get(session_id) or world.members.get(session_id, Members((), 0))
        keys = known.keys if source.key in known.keys else tuple(sorted((*known.keys, source.key)))
        changed[session_id] = Members(keys, max(known.revision, revision))
    found, members = world.sources.with_items(restored), world.members.with_items(changed)
    for session_id in changed:
        if superseded := _superseded(found, members[session_id]):
            found, members = _drop_superseded(found, members, session_id, superseded)
    latest = max((each.revision for each in members.values()), default=0)
    return msgspec.structs.replace(world, sources=found, members=members, revision=max(world.revision, latest))


def _with_line(world: World, uri: str, records: tuple[Record, ...]) -> World:
    others = {each: line for each, line in world.unfinished.items() if each != uri}
    if not records and len(others) == len(world.unfinished):
        return world
    return msgspec.structs.replace(world, unfinished={**others, uri: records} if records else others)


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
    if source.is_cold:
        # A head does not tell what of the rest is new.
        before, after = known.transcript if known is not None else EMPTY, source.transcript
        waiting = (WAITING,) if waits(after) and not waits(before) else ()
        compacted = (COMPACTED,) if after.totals.compactions > before.totals.compactions else ()
        return (*ALL_SECTIONS, *waiting, *compacted)
    if is_rewritten or has_copies:
        return ALL_SECTIONS
    before = known.transcript if known is not None else EMPTY
    if source.transcript.subagent:
        return sections_between_of_subagent(before, source.transcript)
    return changed_sections(before, source.transcript)


def _superseded(sources: Layered[str, Source], known: Members) -> tuple[str, ...]:
    """What was kept of deleted logs is not needed where the session stands in a log that is there."""
    together = [sources[key] for key in known.keys]
    gone = tuple(source.key for source in together if source.is_gone)
    is_told = gone and any(not source.is_gone and not source.transcript.subagent for source in together)
    return gone if is_told else ()


def _drop_superseded(
    sources: Layered[str, Source], members: Layered[str, Members], session_id: str, superseded: tuple[str, ...]
) -> tuple[Layered[str, Source], Layered[str, Members]]:
    known = members[session_id]
    left = Members(tuple(key for key in known.keys if key not in superseded), known.revision)
    return sources.without(superseded), members.with_items({session_id: left})


def _leave(members: Layered[str, Members], session_id: str, key: str, revision: int) -> Layered[str, Members]:
    keys = tuple(other for other in members[session_id].keys if other != key)
    return members.with_items({session_id: Members(keys, revision)}) if keys else members.without({session_id})


# ---- what of a session a change can have changed


def changed_sections(before: Transcript, after: Transcript) -> tuple[str, ...]:
    """The sections that differ, and what has just happened."""
    sections = sections_between(before, after)
    if waits(after) and not waits(before):
        sections += (WAITING,)
    if _is_compacted(before, after):
        sections += (COMPACTED,)
    return sections


def _is_compacted(before: Transcript, after: Transcript) -> bool:
    passages = after.passages
    return any(passages[row].kind == "summary" for row in range(len(before.passages), len(passages)))


def waits(transcript: Transcript) -> bool:
    """Whether the conversation rests with the human, as far as the log alone tells: an answer was given, or a question
    or plan lies open.

    An agent talks while it works, and its log does not say whether more is to come: words that announce the next step
    are no stop.
    """
    moment = transcript.ending.moment
    if moment == "ended":
        return True
    if moment == "reply":
        words = transcript.last_words.rstrip()
        return not words.endswith((":", "：")) and not narrates(words)
    if moment != "call":
        return False
    opened = next(reversed(transcript.open_calls.values()), None)
    return opened is not None and opened.call.kind in ("ask", "plan") and not opened.via


def rests(session: Session) -> bool:
    """The same by whoever knows best: what the agent says of itself, else its log."""
    presence, transcript = attending(session), session.main.transcript
    if presence is None or presence.doing == "running":
        return waits(transcript)
    if presence.doing == "resting":
        return transcript.ending.moment not in ("interrupted", "faulted")
    return presence.doing in ("permission", "asking")


def attending(session: Session) -> Presence | None:
    """What is known of the agent besides its log: what it says itself, else what its hooks told, until the log says
    something later; None where nobody tells."""
    presence, signal = session.presence, session.signal
    if signal is None:
        return presence
    is_outdated = session.main.transcript.ending.at > signal.at
    if presence is None or presence.doing == "absent":
        if not is_outdated:
            return signal.presence
        # Its process is there as long as nobody says that it is gone.
        return Presence("running", signal.at) if signal.pid and signal.kind != "ended" else presence
    if is_outdated:
        return presence
    if presence.doing == "left":
        return signal.presence if signal.at > presence.since else presence
    if signal.kind == "failed" and presence.doing == "resting":
        return signal.presence
    # What the agent says of itself has no words.
    return signal.presence if signal.presence.doing == presence.doing == "permission" else presence


# ---- the sessions


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
        return Session(
            session_id,
            children[0].agent,
            children[0],
            members.revision,
            tuple(children[1:]),
            presence=_presence_in(world, session_id, children[0]),
            signal=world.signals.get(session_id),
        )
    # Copies hold the same beginning; the one that goes furthest is the log.
    own.sort(key=lambda source: (-source.transcript.totals.records, source.transcript.last_at, source.uri))
    return Session(
        session_id,
        own[0].agent,
        own[0],
        members.revision,
        tuple(children),
        tuple(own[1:]),
        presence=_presence_in(world, session_id, own[0]),
        signal=world.signals.get(session_id),
    )


def main_source_of(world: World, session_id: str) -> Source | None:
    """What a session is told from, without putting it together where that can be spared: nearly all of them have one
    source, and whoever goes through all sessions looks at thousands."""
    members = world.members.get(session_id)
    if members is not None and len(members.keys) == 1:
        return world.sources[members.keys[0]]
    session = session_of(world, session_id)
    return session.main if session is not None else None


def _presence_in(world: World, session_id: str, main: Source) -> Presence | None:
    known = world.present.get(session_id)
    return known or (ABSENT if main.uri.startswith(world.attended) else None)


def session_at(world: World, uri: str) -> Session | None:
    """The session of a log that somebody names: told from that log, whatever copies of it go further.

    Of several in one log it is the last in which the human said something: a chat that was only opened is none."""
    sources = [each for _, each in world.sources.items() if each.uri == uri]
    talked = [each for each in sources if each.transcript.totals.turns]
    source = next(reversed(talked or sources), None)
    session = session_of(world, session_id_of(source)) if source is not None else None
    if session is None or source is None or source.transcript.subagent or session.main.uri == uri:
        return session
    others = tuple(each for each in (session.main, *session.aliases) if each.key != source.key)
    return msgspec.structs.replace(session, main=source, aliases=others)


def sessions_of(world: World, now: str = "") -> list[Session]:
    """All sessions, most recently active first; those of which no date can be true come last."""
    found = (session for session_id in world.members if (session := session_of(world, session_id)))
    return in_order_of_activity(found, now)


def in_order_of_activity(sessions: Iterable[Session], now: str = "") -> list[Session]:
    def order(session: Session) -> tuple[str, str]:
        stated = last_active(session)
        return (stated, stated) if stated <= now else (last_active(session, now), stated)

    return sorted(sessions, key=order, reverse=True)


def last_active(session: Session, now: str = "") -> str:
    """When the session last went on, or "" where its log does not tell.

    With `now`, a date later than tomorrow counts as none: a record with a wrong one would make its session the latest
    for good. Dates before it may still be true; a day is more than clocks and time zones are apart.
    """
    tomorrow = a_day_after(now) if now else ""
    stated = session.main.transcript.last_at
    if session.children:
        stated = max(stated, *(child.transcript.last_at for child in session.children))
    if not tomorrow or stated <= tomorrow:
        return stated
    transcripts = [source.transcript for source in (session.main, *session.children)]
    dates = (at for each in transcripts for at in (each.last_at, each.ending.at, each.started_at))
    return max((at for at in dates if at <= tomorrow), default="")
