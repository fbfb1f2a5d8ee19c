"""What the human answered, and secrets handed over because the agent had asked for them: from the answer on, nothing
shows those.

Owns: which text of a result is the answer; noting one that hands over secrets, and taking these out of that record and
of those behind it, when they are folded and whenever they are read back from the log. Must not know: what counts as
asking, or as a secret (see secrets.answers).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import msgspec

from recapd.core.log import Event, Prompt, Queued, Record, Result, text_of_beginning
from recapd.core.secrets import MASK, credentials_in, is_recognizable
from recapd.core.state.draft import LAST_WORDS_CHARS, Draft, latest
from recapd.core.state.transcript import HandedOver

# Of one session; who hands over more is not asked by an agent.
MAX_HANDED_OVER = 64
# Of what a question tool returned; who answers at greater length hands over nothing.
_MOST_OF_ANSWER: Final = 8_000
# Fields of events that hold words of somebody.
_TEXTS: Final = frozenset(("text", "target", "detail", "where", "reason", "label", "url"))

E = TypeVar("E", bound=Event)


def without_answer(draft: Draft, record: Record, prompt: Prompt) -> Prompt:
    """The prompt without the secrets that the agent's last words asked for; they are noted for all that follows."""
    if draft.ending[0] in ("nothing", "prompt"):
        return prompt
    secrets = credentials_in(prompt.text, asked=_last_question(draft))
    return _noted(draft, record, prompt, secrets=secrets, text=prompt.text.strip())


def with_answer(result: Result, question: str) -> Result:
    """What a question tool came back with: where the format has no place for answers, its text is the human's."""
    if result.answers or result.failed or result.denied or result.undone or result.approved is not None:
        return result
    answer = text_of_beginning(result.payload, _MOST_OF_ANSWER).strip()
    return msgspec.structs.replace(result, answers=((question, answer),)) if answer else result


def without_answers(draft: Draft, record: Record, result: Result, *, question: str) -> Result:
    """The same for what was answered to the agent's question tool; `question` is the first that its call asked."""
    # Some formats name a question by an id; what could not be asked may hold a secret all the same.
    answers = result.answers or (("", text_of_beginning(result.payload, _MOST_OF_ANSWER)),)
    asked_and_said = [(asked if " " in asked.strip() else question, said) for asked, said in answers]
    secrets = [secret for asked, said in asked_and_said for secret in credentials_in(said, asked=asked)]
    return _noted(draft, record, result, secrets=secrets, text="")


def without_handed_over(record: Record, handed_over: Iterable[HandedOver]) -> Record:
    """The record without what was handed over in it or before it."""
    events = record.events
    for answer in handed_over:
        events = tuple(_without(event, answer, offset=record.place.offset) for event in events)
    return msgspec.structs.replace(record, events=events) if events != record.events else record


def _last_question(draft: Draft) -> str:
    if draft.ending[0] == "call":
        # A question tool whose answer comes as a prompt.
        call = next(reversed(draft.open_calls.values())).call if draft.open_calls else None
        return call.target if call is not None and call.kind == "ask" else ""
    return draft.replies[-1][-LAST_WORDS_CHARS:] if draft.reply_place is not None else draft.last_words


def _noted(draft: Draft, record: Record, event: E, *, secrets: Sequence[str], text: str) -> E:
    if not secrets:
        return event
    answer = HandedOver(tuple(secrets), text=text, offset=record.place.offset)
    draft.handed_over = latest(draft.handed_over, answer, most=MAX_HANDED_OVER)
    return _without(event, answer, offset=answer.offset)


def _without(event: E, answer: HandedOver, *, offset: int) -> E:
    # Some formats state a prompt twice, and the weaker statement may come first.
    is_answer = offset == answer.offset or (
        isinstance(event, Prompt | Queued) and event.text.strip() == answer.text != ""
    )
    if not is_answer and offset < answer.offset:
        return event
    # A word of everyday language stays where it may be just that.
    secrets = [secret for secret in answer.secrets if is_answer or is_recognizable(secret)]
    if not secrets:
        return event
    changed: dict[str, object] = {}
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if name == "payload":
            new: object = _masked_json(value, secrets)
        elif name == "answers":
            new = tuple((_masked(asked, secrets), _masked(said, secrets)) for asked, said in value)
        elif name == "items":
            new = tuple(msgspec.structs.replace(item, text=_masked(item.text, secrets)) for item in value)
        elif name in _TEXTS:
            new = _masked(value, secrets)
        else:
            continue
        if new != value:
            changed[name] = new
    return msgspec.structs.replace(event, **changed) if changed else event


def _masked(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text


def _masked_json(payload: bytes, secrets: Iterable[str]) -> bytes:
    for secret in secrets:
        # A result may be JSON written into a string of JSON.
        escaped = msgspec.json.encode(secret)[1:-1]
        for spelling in (msgspec.json.encode(escaped.decode())[1:-1], escaped):
            payload = payload.replace(spelling, MASK.encode())
    return payload
