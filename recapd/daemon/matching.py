"""Which sessions a subscription or a folder means, decided once per session rather than at every change."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from recapd.core.state import Session, World, rests, session_of, sessions_of
from recapd.server.workspaces import Workspace, belongs_to, folders_of, path_of, works_in, workspace_of
from recapd.wire.errors import RecapError, no_session_yet, session_not_found
from recapd.wire.types import SessionSelector, SubscriptionSelector


class Traits(Struct, frozen=True):
    """What a session is chosen by; small enough to keep of one that is gone."""

    id: str
    # The folders that it worked in, or that its log lies in.
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
        return Traits(session_id, source.transcript.cwds or folders_of(source), (source.uri,))
    session = session_of(world, session_id)
    return traits_of(session) if session is not None else None


def waits_in(world: World, session_id: str) -> bool:
    """Whether a session still waits for the human: it may have gone on since it began to."""
    session = session_of(world, session_id)
    return session is not None and rests(session)


def traits_of(session: Session) -> Traits:
    sources = (session.main, *session.children, *session.aliases)
    return Traits(session.id, folders_of(session.main), tuple(source.uri for source in sources))


class Matcher(Protocol):
    @property
    def meaning(self) -> str:
        """The same for two that match the same sessions, now and later."""
        ...

    def matches(self, traits: Traits) -> bool: ...


class EverySession:
    meaning = "all"

    def matches(self, traits: Traits) -> bool:
        return True


class OneSession:
    def __init__(self, session_id: str) -> None:
        self._id = session_id
        self.meaning = f"session {session_id}"

    def matches(self, traits: Traits) -> bool:
        return traits.id == self._id


class OfLog:
    """The sessions in a log: their ids may change as the log tells more."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self.meaning = f"log {uri}"

    def matches(self, traits: Traits) -> bool:
        return self._uri in traits.uris


class OfWorkspace:
    """The sessions of some folders, as server.workspaces has it; asked once for each list of folders that sessions
    worked in."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.meaning = "folders " + "\0".join(sorted(workspace.folders))
        self._decided: dict[tuple[str, ...], bool] = {}

    def matches(self, traits: Traits) -> bool:
        cwds = traits.cwds
        decided = self._decided.get(cwds)
        if decided is None:
            decided = self._decided[cwds] = works_in(cwds, self._workspace)
        return decided


class Looked(Struct, frozen=True):
    """What the disk says of the paths in a selector."""

    workspace: Workspace | None = None
    # Of the log it names, and whether there is such a file.
    uri: str = ""
    is_there: bool = False


NOTHING_LOOKED_AT = Looked()


def paths_of(selector: SubscriptionSelector) -> tuple[str, ...]:
    """The paths a selector names."""
    session = selector.session if isinstance(selector.session, SessionSelector) else SessionSelector(id="")
    named = selector.workspace or session.workspace or session.log or ()
    return (named,) if isinstance(named, str) else named


def look_at(selector: SubscriptionSelector) -> Looked:
    """RecapError where a path is none. Looks at the disk, which may not answer."""
    session = selector.session if isinstance(selector.session, SessionSelector) else SessionSelector(id="")
    if named := selector.workspace or session.workspace:
        return Looked(workspace=workspace_of(named))
    if session.log is None:
        return NOTHING_LOOKED_AT
    path = Path(os.path.realpath(path_of(session.log)))
    return Looked(uri=path.as_uri(), is_there=path.exists())


def _not_there(wanted: SessionSelector, looked: Looked) -> RecapError:
    if looked.is_there:
        return session_not_found(wanted)
    return no_session_yet(f"{path_of(wanted.log or '')} does not exist; check the path, or ask again later", wanted)


def matcher_of(selector: SubscriptionSelector, looked: Looked, world: World) -> Matcher:
    """Of a selector and what the disk says of the paths in it. RecapError where it names one session, and there is
    none."""
    if selector.workspace is not None:
        assert looked.workspace is not None
        return OfWorkspace(looked.workspace)
    if selector.session is None:
        return EverySession()
    wanted = SessionSelector(id=selector.session) if isinstance(selector.session, str) else selector.session
    if wanted.log is not None:
        if not any(source.uri == looked.uri for source in world.sources.values()):
            raise _not_there(wanted, looked)
        return OfLog(looked.uri)
    if wanted.workspace is not None:
        folders = looked.workspace
        assert folders is not None
        latest = next((session for session in sessions_of(world) if belongs_to(session, folders)), None)
        if latest is None:
            raise session_not_found(wanted)
        return OneSession(latest.id)
    if wanted.named_id is None or wanted.named_id not in world.members:
        raise session_not_found(wanted)
    return OneSession(wanted.named_id)
