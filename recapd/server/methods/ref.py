"""Handlers of `ref/*`: from a claim back to the line of the log that proves it."""

from __future__ import annotations

from recapd.core.log import (
    Call,
    Note,
    Prompt,
    Queued,
    Record,
    Reply,
    Result,
    author_of,
    is_same_beginning,
    text_of_payload,
)
from recapd.core.text import clip, presentable, presentable_path
from recapd.core.views.pages import message_at, number_of_row, row_at
from recapd.server.service import Service
from recapd.wire import convert
from recapd.wire.errors import source_gone
from recapd.wire.types import RefResolveParams, RefResolveResult, SessionSelector

_EXCERPT_CHARS = 4_000
# Read more of a payload than is shown, so that a secret at the cut is still seen whole.
_PAYLOAD_BYTES = 4 * _EXCERPT_CHARS


def resolve(service: Service, params: RefResolveParams) -> RefResolveResult:
    ref = convert.core_ref(params.ref)
    if not service.modified_at(ref.source):
        raise source_gone(ref.source)
    session = service.session(params.session or SessionSelector(log=ref.source), params.cwd)
    head = service.head(ref.source)
    if head is None:
        raise source_gone(ref.source)
    line = service.bytes_at(ref)
    sources = (session.main, *session.children, *session.aliases)
    source = next((each for each in sources if each.uri == ref.source), session.main)
    records = service.records_at(source, ref, line) if line else ()
    stale = not is_same_beginning(ref.generation, head)
    kind, text = _kind_and_text(records)
    is_there = not stale and bool(records) and source.uri == ref.source
    says_something = any(isinstance(each, Prompt | Queued | Reply) for record in records for each in record.events)
    return RefResolveResult(
        session_id=session.id,
        revision=session.revision,
        excerpt=clip(presentable(text), _EXCERPT_CHARS),
        kind=kind,
        stale=stale or not records,
        at=(records[0].at or None) if records else None,
        turn=number_of_row(source.transcript, row_at(source.transcript, ref.byte_offset)) if is_there else None,
        message=message_at(source.transcript, ref.byte_offset) if is_there and says_something else None,
    )


def _kind_and_text(records: tuple[Record, ...]) -> tuple[str, str]:
    """What stands in a record, and its text as the log has it."""
    for record in records:
        texts = [(kind, text) for event in record.events if (kind := _kind(event)) and (text := _text(event))]
        if texts:
            return texts[0][0], "\n".join(text for _, text in texts)
    return "unknown", ""


def _kind(event: object) -> str:
    match event:
        case Prompt() | Queued():
            return "userMessage"
        case Reply():
            return "agentMessage"
        case Call():
            return "toolCall"
        case Result():
            return "toolResult"
        case Note():
            return "summary" if author_of(event) == "summary" else "note"
    return ""


def _text(event: object) -> str:
    match event:
        case Prompt(text=text) | Queued(text=text) | Reply(text=text) | Note(text=text):
            return text
        case Call(tool=tool, target=target, detail_line=detail):
            return " ".join(part for part in (tool, presentable_path(target), detail) if part)
        case Result(payload=payload, reason=reason):
            return reason or text_of_payload(payload[:_PAYLOAD_BYTES])
    return ""
