"""All sessions of the world, put together again only where they changed: most of a long list is what it was."""

from __future__ import annotations

from recapd.core.state import Session, World, in_order_of_activity, session_of


class Listing:
    """What was put together for the last who asked. For any number of threads: whichever is last leaves its own."""

    def __init__(self) -> None:
        self._known: dict[str, Session] = {}

    def sessions_of(self, world: World, now: str) -> list[Session]:
        """Most recently active first."""
        known = self._known
        listed = {
            session_id: session
            for session_id in world.members
            if (session := _same(world, known.get(session_id)) or session_of(world, session_id)) is not None
        }
        self._known = listed
        return in_order_of_activity(listed.values(), now)


def _same(world: World, session: Session | None) -> Session | None:
    """The session, where it still is what it was."""
    if session is None:
        return None
    members = world.members[session.id]
    sources = (session.main, *session.children, *session.aliases)
    if members.revision != session.revision or len(members.keys) != len(sources):
        return None
    return session if all(world.sources.get(each.key) is each for each in sources) else None
