"""Which sessions a subscription or a folder means, decided once per session rather than at every change."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from recapd.core.world import Session, World, sessions_of
from recapd.server.workspaces import belongs_to, path_of
from recapd.wire.base import SessionSelector
from recapd.wire.errors import session_not_found
from recapd.wire.types import SubscriptionSelector


class Matcher(Protocol):
    def matches(self, session_id: str, session: Session | None) -> bool:
        """Whether a session is meant; None stands for one that is gone."""
        ...


class EverySession:
    def matches(self, session_id: str, session: Session | None) -> bool:
        return True


class OneSession:
    def __init__(self, session_id: str) -> None:
        self._id = session_id

    def matches(self, session_id: str, session: Session | None) -> bool:
        return session_id == self._id


class OfLog:
    """The sessions in a log: their ids may change as the log tells more."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._known: set[str] = set()

    def matches(self, session_id: str, session: Session | None) -> bool:
        if session is None or session_id in self._known:
            return session_id in self._known
        if not any(source.uri == self._uri for source in (session.main, *session.children, *session.aliases)):
            return False
        self._known.add(session_id)
        return True


class OfWorkspace:
    """The sessions of a folder, as server.workspaces has it.

    That looks for a git root on disk, so it is asked once for each session and set of directories it worked in.
    """

    def __init__(self, *folders: str) -> None:
        """One folder, under each name it goes by."""
        self._folders = tuple({path_of(folder): None for folder in folders})
        self._known: dict[str, tuple[tuple[str, ...], bool]] = {}

    def matches(self, session_id: str, session: Session | None) -> bool:
        known = self._known.get(session_id)
        if session is None:
            return known is not None and known[1]
        cwds = session.main.transcript.cwds
        if known is not None and known[0] is cwds:
            return known[1]
        is_member = any(_may_belong(cwds, folder) and belongs_to(session, folder) for folder in self._folders)
        self._known[session_id] = (cwds, is_member)
        return is_member


def _may_belong(cwds: tuple[str, ...], folder: str) -> bool:
    """Whether the disk has to be asked at all: most sessions work somewhere else altogether."""
    return any(cwd.startswith(folder) or folder.startswith(cwd) for cwd in cwds)


def matcher_of(selector: SubscriptionSelector, world: World) -> Matcher:
    """RecapError where the selector names one session, and there is none."""
    if selector.workspace is not None:
        return OfWorkspace(selector.workspace)
    if selector.session is None:
        return EverySession()
    wanted = SessionSelector(id=selector.session) if isinstance(selector.session, str) else selector.session
    if wanted.log is not None:
        uri = Path(path_of(wanted.log)).resolve().as_uri()
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
