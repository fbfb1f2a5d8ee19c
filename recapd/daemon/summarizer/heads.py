"""What the summarizer sees of a session at a glance, from the heads of its sources: no log, no state, no thread."""

from __future__ import annotations

from recapd.core.log import seconds_between
from recapd.core.state import Source, World
from recapd.core.summaries import MIN_PENDING

# Sessions nobody touched for so long get a summary when somebody asks for one.
RECENT_S = 24 * 3600.0


def may_be_due(world: World, session_id: str, now: str) -> bool:
    """A quick no: at the start thousands of sessions are read, and nearly all are long over."""
    known = [each.transcript for each in _sources(world, session_id)]
    if not known or max(each.totals.messages for each in known) < MIN_PENDING:
        return False
    idle = seconds_between(max(each.last_at for each in known), now)
    return idle is None or idle <= RECENT_S


def made_of(world: World, session_id: str) -> tuple[str, int] | None:
    """Generation and abandoned turns of the log that stands for a session: what cannot change without a rewrite."""
    sources = _sources(world, session_id)
    own = [each for each in sources if not each.transcript.subagent] or sources
    if not own:
        return None
    main = max(own, key=lambda each: each.transcript.totals.records)
    return main.generation, main.transcript.totals.abandoned_turns


def _sources(world: World, session_id: str) -> list[Source]:
    members = world.members.get(session_id)
    return [world.sources[key] for key in members.keys] if members is not None else []
