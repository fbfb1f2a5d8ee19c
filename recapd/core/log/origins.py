"""Whose doing an event is: the human's, the agent's, a tool's, the harness's, a summary, a sub-agent's.

Owns the one answer to that, as a pure function of record and event. Must not know formats, sessions or views.
The fold never asks: it goes by the event's type, which says the same and costs nothing.
"""

from __future__ import annotations

from recapd.core.log.events import (
    Began,
    Call,
    Compacted,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Linked,
    Note,
    NoteKind,
    Opened,
    Origin,
    Prompt,
    Queued,
    Record,
    Reply,
    Result,
    Rewound,
    Thought,
    Titled,
    TodoChanged,
    Todos,
)

_BY_TYPE: dict[type, Origin] = {
    Prompt: "human",
    Queued: "human",
    Interrupted: "human",
    Rewound: "human",
    Reply: "agent",
    Thought: "agent",
    Call: "agent",
    Todos: "agent",
    TodoChanged: "agent",
    Result: "tool",
    # What the harness says of itself; a fault stands in the agent's place, but the agent did not say it.
    Opened: "injected",
    Compacted: "injected",
    Began: "injected",
    Ended: "injected",
    Faulted: "injected",
    Linked: "injected",
}
_BY_NOTE: dict[NoteKind, Origin] = {
    "compaction": "summary",
    "away": "summary",
    "branch": "summary",
    "teammate": "subagent",
    # The agent wrote it, for a sub-agent.
    "task": "agent",
}


def origin_of(record: Record, event: Event) -> Origin:
    """Whose doing the event is. All that a sub-agent's record holds is the sub-agent's."""
    return "subagent" if record.via else author_of(event)


def author_of(event: Event) -> Origin:
    """The same within the conversation that the event belongs to, be it a sub-agent's."""
    if isinstance(event, Note):
        return _BY_NOTE.get(event.kind, "injected")
    if isinstance(event, Result):
        # A refusal, an answer and a verdict come back as results of calls, but the human gave them.
        is_by_human = event.denied or event.answers or event.approved is not None
        return "human" if is_by_human else "tool"
    if isinstance(event, Titled):
        return "human" if event.by_human else "summary"
    return _BY_TYPE[type(event)]
