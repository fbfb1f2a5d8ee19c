"""Which sessions a subscription or a folder means, decided once per session rather than at every change."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from recapd.core.state import Session, World, session_of, sessions_of, waits
from recapd.server.workspaces import belongs_to, folder_of, path_of, works_in
from recapd.wire.errors import session_not_found
from recapd.wire.types import SessionSelector, SubscriptionSelector


class Traits(Struct, frozen=True):
    """What a session is chosen by; small enough to keep of one that is gone."""

    id: str
    cwds: tuple[str, ...] = ()
    uris: tuple[str, ...] = ()


def traits_in(world: World, session_id: str) -> Traits | None:
    """Of a session as it is; None where there is none."""
    members = world.members.get(session_id)
    if members is None:
        return None
    if len(members.keys) == 1:
        # Nearly all of them, and a list of all sessions looks at thousands.
        source = world.sources[members.keys[0]]
        return Traits(session_id, source.transcript.cwds, (source.uri,))
    session = session_of(world, session_id)
    return traits_of(session) if session is not None else None


def waits_in(world: World, session_id: str) -> bool:
    """Whether a session still waits for the human: it may have gone on since it began to."""
    session = session_of(world, session_id)
    return session is not None and waits(session.main.transcript)


def traits_of(session: Session) -> Traits:
    sources = (session.main, *session.children, *session.aliases)
    return Traits(session.id, session.main.transcript.cwds, tuple(source.uri for source in sources))


class Matcher(Protocol):
    def matches(self, traits: Traits) -> bool: ...


class EverySession:
    def matches(self, traits: Traits) -> bool:
        return True


class OneSession:
    def __init__(self, session_id: str) -> None:
        self._id = session_id

    def matches(self, traits: Traits) -> bool:
        return traits.id == self._id


class OfLog:
    """The sessions in a log: their ids may change as the log tells more."""

    def __init__(self, uri: str) -> None:
        self._uri = uri

    def matches(self, traits: Traits) -> bool:
        return self._uri in traits.uris


class OfWorkspace:
    """The sessions of a folder, as server.workspaces has it.

    That may look for a git root on disk, so it is asked once for each list of folders that sessions worked in.
    """

    def __init__(self, *folders: str) -> None:
        """One folder, under each name it goes by."""
        self._folders = tuple({folder_of(folder): None for folder in folders})
        self._decided: dict[tuple[str, ...], bool] = {}

    def matches(self, traits: Traits) -> bool:
        cwds = traits.cwds
        decided = self._decided.get(cwds)
        if decided is None:
            decided = self._decided[cwds] = any(works_in(cwds, folder) for folder in self._folders)
        return decided


def matcher_of(selector: SubscriptionSelector, world: World) -> Matcher:
    """RecapError where the selector names one session, and there is none."""
    if selector.workspace is not None:
        return OfWorkspace(selector.workspace)
    if selector.session is None:
        return EverySession()
    wanted = SessionSelector(id=selector.session) if isinstance(selector.session, str) else selector.session
    if wanted.log is not None:
        uri = Path(os.path.realpath(path_of(wanted.log))).as_uri()
        if not any(source.uri == uri for source in world.sources.values()):
            raise session_not_found(wanted)
        return OfLog(uri)
    if wanted.workspace is not None:
        folder = wanted.workspace
        latest = next((session for session in sessions_of(world) if belongs_to(session, folder)), None)
        if latest is None:
            raise session_not_found(wanted)
        return OneSession(latest.id)
    if wanted.id is None or wanted.id not in world.members:
        raise session_not_found(wanted)
    return OneSession(wanted.id)
