"""Reading lines by a dialect: an adapter like any other, driven by paths instead of code.

Slower than an adapter written for its format: every line is decoded whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.adapters.chat import user_events
from recapd.adapters.dialect.paths import Path, path_of, values_at
from recapd.adapters.dialect.shape import Dialect, Scalar, alternatives
from recapd.adapters.shared import Adapter, JsonObject, decode_or_none, read_call, recover
from recapd.core.log import Event, Note, Parsed, Record, Reply, Result, canonical, from_epoch

if TYPE_CHECKING:
    from recapd.core.log import Place

Speaker: TypeAlias = Literal["human", "agent", "tool", "system"]
SPEAKERS: tuple[Speaker, ...] = ("human", "agent", "tool", "system")
UNMATCHED = "unmatched"

# Words by which logs say that nothing failed, where the field holds a text.
_FINE = frozenset(("", "0", "false", "no", "none", "null", "ok", "success", "succeeded", "completed", "done"))
_LARGEST_EPOCH = 10**15
_object = msgspec.json.Decoder(dict[str, object])


class ItemPaths(Struct, frozen=True):
    """Paths of a tool call or of a result; `items` leads to the list, or to the line itself."""

    items: Path
    id: Path | None
    name: Path | None = None
    arguments: Path | None = None
    texts: tuple[Path, ...] = ()
    failed: Path | None = None


class Reading(Struct, frozen=True):
    """A dialect made ready for many lines."""

    role: Path
    texts: tuple[Path, ...]
    speakers: Mapping[str, Speaker]
    match: tuple[tuple[Path, tuple[Scalar, ...]], ...]
    time: Path | None
    session: Path | None
    cwd: Path | None
    id: Path | None
    parent: Path | None
    model: Path | None
    calls: ItemPaths | None
    results: ItemPaths | None


def adapter_from(dialect: Dialect) -> Adapter:
    reading = reading_of(dialect)
    return Adapter(
        name=dialect.name,
        title=dialect.name,
        recognise=partial(_recognise, reading),
        parse=partial(parse_by, reading),
    )


def reading_of(dialect: Dialect) -> Reading:
    calls, results = dialect.calls, dialect.results
    return Reading(
        role=path_of(dialect.role),
        texts=tuple(map(path_of, alternatives(dialect.text))),
        speakers={word: speaker for speaker in SPEAKERS for word in getattr(dialect.roles, speaker)},
        match=tuple(
            (path_of(path), value if isinstance(value, tuple) else (value,)) for path, value in dialect.match.items()
        ),
        time=_optional(dialect.time),
        session=_optional(dialect.session),
        cwd=_optional(dialect.cwd),
        id=_optional(dialect.id),
        parent=_optional(dialect.parent),
        model=_optional(dialect.model),
        calls=None
        if calls is None
        else ItemPaths(
            _optional(calls.items) or (), _optional(calls.id), path_of(calls.name), _optional(calls.arguments)
        ),
        results=None
        if results is None
        else ItemPaths(
            _optional(results.items) or (),
            path_of(results.id),
            texts=tuple(map(path_of, alternatives(results.text))),
            failed=_optional(results.failed),
        ),
    )


def parse_by(reading: Reading, line: bytes, place: Place) -> Parsed:
    found = decode_or_none(_object, line)
    if found is not None:
        return (_record(reading, found, place),), ()
    return recover(line, place, partial(_recovered, reading)) if line.strip() else ((), ())


def is_matched(reading: Reading, found: JsonObject) -> bool:
    return all(any(value in wanted for value in values_at(found, path)) for path, wanted in reading.match)


def role_of(reading: Reading, found: JsonObject) -> str:
    return _text_at(found, reading.role)


def _optional(path: str) -> Path | None:
    return path_of(path) if path else None


def _record(reading: Reading, found: JsonObject, place: Place) -> Record:
    if not is_matched(reading, found):
        return Record(place, UNMATCHED, known=False)
    role = role_of(reading, found)
    speaker = reading.speakers.get(role)
    message_id = _text_at(found, reading.id)
    return Record(
        place,
        role or "untyped",
        _events(reading, found, speaker, message_id) if speaker is not None else (),
        at=_time_at(found, reading.time),
        id=message_id,
        parent=_text_at(found, reading.parent),
        session=_text_at(found, reading.session),
        cwd=_text_at(found, reading.cwd),
        model=_text_at(found, reading.model),
        known=speaker is not None,
    )


def _recovered(reading: Reading, piece: bytes, place: Place) -> Record | None:
    """A whole line out of a damaged one: what has neither a role nor what the dialect asks for is part of one."""
    found = decode_or_none(_object, piece)
    record = _record(reading, found, place) if found is not None else None
    return record if record is not None and record.known else None


def _events(reading: Reading, found: JsonObject, speaker: Speaker, message_id: str) -> tuple[Event, ...]:
    """What a line says. The agent speaks before it acts; the human's words beside results were said after them."""
    texts = [text for path in reading.texts for text in values_at(found, path) if isinstance(text, str)]
    results = _results(reading.results, found, is_result=speaker == "tool")
    if speaker == "agent":
        said = [Reply(text, message_id) for text in texts if text and not text.isspace()]
        return (*said, *_calls(reading.calls, found), *results)
    if speaker == "human":
        return (*results, *user_events("\n".join(texts)))
    if speaker == "system":
        return (Note("system", "\n".join(texts)), *results)
    return tuple(results or [Result("", payload=msgspec.json.encode("\n".join(texts)))])


def _calls(paths: ItemPaths | None, found: JsonObject) -> list[Event]:
    if paths is None:
        return []
    events: list[Event] = []
    for item in values_at(found, paths.items):
        name = _text_at(item, paths.name)
        if name:
            events += read_call(_text_at(item, paths.id), name, _arguments(item, paths.arguments))
    return events


def _arguments(item: object, path: Path | None) -> bytes:
    """The arguments as JSON: logs keep them as an object or as the text of one."""
    value = next(values_at(item, path), None) if path is not None else None
    if isinstance(value, str) and value.lstrip().startswith("{"):
        return value.encode()
    return msgspec.json.encode(value if value is not None else {})


def _results(paths: ItemPaths | None, found: JsonObject, *, is_result: bool) -> list[Event]:
    # Without a list the line is the result, and only a tool's line is one: a call's line has the same id.
    if paths is None or not (paths.items or is_result):
        return []
    events: list[Event] = []
    for item in values_at(found, paths.items):
        call_id = _text_at(item, paths.id)
        if not call_id and paths.items:
            continue
        failed, exit_code = _failure(next(values_at(item, paths.failed), None) if paths.failed is not None else None)
        payload = _payload([value for path in paths.texts for value in values_at(item, path)])
        events.append(Result(call_id, failed=failed, exit_code=exit_code, payload=payload))
    return events


def _payload(values: list[object]) -> bytes:
    """The texts that came back; where there is none, the first value as it is."""
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) > 1:
        return msgspec.json.encode([{"text": text} for text in texts])
    return msgspec.json.encode((texts or values)[0]) if values else b""


def _failure(value: object) -> tuple[bool, int | None]:
    if isinstance(value, bool):
        return value, None
    if isinstance(value, int):
        return value != 0, value
    if isinstance(value, str):
        return value.strip().lower() not in _FINE, None
    return value is not None, None


def _text_at(value: object, path: Path | None) -> str:
    found = next(values_at(value, path), None) if path is not None else None
    if isinstance(found, str):
        return found
    return str(found) if isinstance(found, int) and not isinstance(found, bool) else ""


def _time_at(value: object, path: Path | None) -> str:
    found = next(values_at(value, path), None) if path is not None else None
    if isinstance(found, str):
        return canonical(found)
    # Seconds and milliseconds both fit: longer numbers are no times.
    if not isinstance(found, (int, float)) or isinstance(found, bool) or abs(found) > _LARGEST_EPOCH:
        return ""
    return from_epoch(found)


def _recognise(reading: Reading, objects: Sequence[JsonObject]) -> bool:
    """Where the dialect says what to match, one such line is enough; else nearly all lines must have a known role."""
    known = sum(is_matched(reading, found) and role_of(reading, found) in reading.speakers for found in objects)
    return known > 0 if reading.match else known * 10 >= len(objects) * 9 and known > 0
