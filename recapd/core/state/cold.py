"""Sources of which only the head is in memory: enough to list, sort and find a session, not to recap it.

A head is a Transcript without what grows. The shell keeps the whole on disk and puts it back before anything is
folded into it or told of it; what is cold and what is not is its decision alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from recapd.core.state.growing import Chunked
from recapd.core.state.traits import fields_with
from recapd.core.state.transcript import EMPTY, Transcript, Turn
from recapd.core.state.world import Session, Source

GROWING = tuple(name for name in Transcript.__struct_fields__ if isinstance(getattr(EMPTY, name), Chunked))
_OF_HEAD = fields_with("in head", Transcript)


def head_of(source: Source) -> Source:
    """The source with its head alone."""
    if source.is_cold:
        return source
    whole = source.transcript
    kept = {name: getattr(whole, name) for name in _OF_HEAD}
    return msgspec.structs.replace(source, transcript=Transcript(**kept, turns=_last_turn(whole)), is_cold=True)


def bounded_part(transcript: Transcript) -> Transcript:
    """All of it but what grows."""
    return msgspec.structs.replace(transcript, **dict.fromkeys(GROWING, Chunked[object]()))


def cold_sources(session: Session) -> list[Source]:
    """What has to be put back before the session can be told. Copies of the log are never told."""
    return [source for source in (session.main, *session.children) if source.is_cold]


def with_whole(session: Session, whole: Mapping[str, Source]) -> Session:
    """The session with these sources, by key, in the place of their heads."""
    return msgspec.structs.replace(
        session,
        main=whole.get(session.main.key, session.main),
        children=tuple(whole.get(child.key, child) for child in session.children),
    )


def _last_turn(transcript: Transcript) -> Chunked[Turn]:
    """The last turn that counts, which tells whether a question is open; its words are in the log."""
    turn = next((turn for turn in reversed(transcript.turns) if not turn.abandoned), None)
    if turn is None:
        return Chunked()
    request = msgspec.structs.replace(turn.request, text="")
    return Chunked(((msgspec.structs.replace(turn, request=request, outcome="", telling=""),),))
