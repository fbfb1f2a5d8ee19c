"""What the human answered, and secrets handed over because the agent had asked for them: from the answer on, nothing
shows those.

Owns: which text of a result is the answer; noting one that hands over secrets, and taking these out of that record and
of those behind it, when they are folded and whenever they are read back from the log. Must not know: what counts as
asking, or as a secret (see secrets.answers).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar, cast, get_args

import msgspec
from msgspec import Struct

from recapd.core.log import Event, FileEffect, Prompt, Queued, Record, Recorded, Result, TodoItem, text_of_beginning
from recapd.core.secrets import MASK, credentials_in, is_recognizable
from recapd.core.state.draft import LAST_WORDS_CHARS, Draft, latest
from recapd.core.state.transcript import HandedOver

# Of one session; who hands over more is not asked by an agent.
MAX_HANDED_OVER = 64
# Of what a question tool returned; who answers at greater length hands over nothing.
_MOST_OF_ANSWER: Final = 8_000
# Fields of events, and of what stands in them, that hold words of somebody; all others name what recapd knows itself.
_WORDS: Final = frozenset(
    (
        *("text", "target", "detail", "where", "reason", "label", "url", "payload", "answers", "items", "entries"),
        *("options", "further", "written", "recorded", "because", "replaces", "effects", "path", "to", "command"),
    )
)
_WORDS_OF: Final[dict[type, tuple[str, ...]]] = {
    sort: tuple(name for name in sort.__struct_fields__ if name in _WORDS)
    for sort in (*get_args(Event), TodoItem, Recorded, FileEffect)
}

E = TypeVar("E", bound=Event)
V = TypeVar("V")


def without_answer(draft: Draft, record: Record, prompt: Prompt) -> Prompt:
    """The prompt without the secrets that the agent's last words asked for; they are noted for all that follows."""
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


class Known(Struct, frozen=True):
    """What was handed over, and which of it is told from other words wherever it stands."""

    answer: HandedOver
    anywhere: tuple[str, ...]


def known_secrets(handed_over: Iterable[HandedOver]) -> tuple[Known, ...]:
    return tuple([Known(answer, tuple(filter(is_recognizable, answer.secrets))) for answer in handed_over])


def without_handed_over(record: Record, handed_over: Iterable[HandedOver]) -> Record:
    """The record without what was handed over in it or before it."""
    return without_known(record, known_secrets(handed_over))


def without_known(record: Record, known: Iterable[Known]) -> Record:
    """The same for whoever has many records."""
    events = record.events
    if not events:
        return record
    for each in known:
        events = tuple([_without(event, each, offset=record.place.offset) for event in events])
    return msgspec.structs.replace(record, events=events) if events != record.events else record


def _last_question(draft: Draft) -> str:
    if draft.ending[0] == "call":
        # A question tool whose answer comes as a prompt.
        call = next(reversed(draft.open_calls.values())).call if draft.open_calls else None
        return call.target if call is not None and call.kind == "ask" else ""
    return draft.replies[-1][0][-LAST_WORDS_CHARS:] if draft.reply_place is not None else draft.last_words


def _noted(draft: Draft, record: Record, event: E, *, secrets: Sequence[str], text: str) -> E:
    if not secrets:
        return event
    answer = HandedOver(tuple(secrets), text=text, offset=record.place.offset)
    draft.handed_over = latest(draft.handed_over, answer, most=MAX_HANDED_OVER)
    return _without(event, Known(answer, ()), offset=answer.offset)


def _without(event: E, known: Known, *, offset: int) -> E:
    answer = known.answer
    # Some formats state a prompt twice, and the weaker statement may come first.
    is_answer = offset == answer.offset or (
        isinstance(event, Prompt | Queued) and event.text.strip() == answer.text != ""
    )
    if not is_answer and offset < answer.offset:
        return event
    # A word of everyday language stays where it may be just that.
    secrets = answer.secrets if is_answer else known.anywhere
    return _masked(event, secrets) if secrets else event


def _masked(value: V, secrets: Sequence[str]) -> V:
    """The value, the very same where no secret stands in it, however deep."""
    masked: object = value
    if isinstance(value, str):
        for secret in secrets:
            masked = cast(str, masked).replace(secret, MASK)
    elif isinstance(value, bytes):
        masked = _masked_json(value, secrets)
    elif isinstance(value, tuple):
        masked = tuple([_masked(each, secrets) for each in value])
    elif isinstance(value, Struct):
        changed: dict[str, object] = {}
        for name in _WORDS_OF[type(value)]:
            words = getattr(value, name)
            # Most are empty.
            if words and (without := _masked(words, secrets)) != words:
                changed[name] = without
        masked = msgspec.structs.replace(value, **changed) if changed else value
    return cast(V, masked)


def _masked_json(payload: bytes, secrets: Sequence[str]) -> bytes:
    for secret in secrets:
        # A result may be JSON written into a string of JSON.
        escaped = msgspec.json.encode(secret)[1:-1]
        for spelling in (msgspec.json.encode(escaped.decode())[1:-1], escaped):
            payload = payload.replace(spelling, MASK.encode())
    return payload
