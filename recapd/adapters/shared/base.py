"""What every adapter offers, and what they share: sniffing, damaged lines, a tolerant decode.

An adapter is a value, not a class to inherit from: a name, a way to recognise its format, a way to parse one line.
Parsing never raises, whatever the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, Literal, TypeAlias, TypeVar, overload

import msgspec
from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.log import Parsed, Place, Problem, Record, canonical, from_epoch
from recapd.core.presence import RunningAgent

# Enough records to see past the bookkeeping that some agents write before the first message.
SNIFF_RECORDS = 40
# A damaged line is searched for whole records at so many places at most: cost stays linear in its length.
_MAX_RECOVERY_TRIES = 32

JsonObject: TypeAlias = Mapping[str, object]
Lines: TypeAlias = Sequence[tuple[bytes, Place]]
T = TypeVar("T")


class Document(Struct, frozen=True):
    """A log that is no sequence of lines, cut into pieces that `parse` reads like lines.

    Each piece's place is its byte range in the file, its line the one it begins on.
    """

    pieces: Lines
    # What the document says of the session as a whole, as records whose place is where it says so.
    header: Sequence[Record] = ()
    problems: Sequence[Problem] = ()
    # Where a file holds many sessions: the session of each piece, by index. Its records are of that session,
    # whatever they say themselves; "" where the file does not tell.
    sessions: Sequence[str] = ()


class Typed(Struct, Generic[T], frozen=True):
    """A format of which each line is one typed record: decoded, which may raise; the time it states, "" where that is
    none; and what it says."""

    decode: Callable[[bytes], T]
    stamp_of: Callable[[T], str]
    record_of: Callable[[T, Place, str], Record]


class Adapter(Struct, frozen=True):
    """One log format.

    `recognise` sees the first records as plain objects and answers whether they are of this format.
    `parse` turns one line into records and problems; it is pure and never raises.
    """

    name: str
    title: str
    recognise: Callable[[Sequence[JsonObject]], bool]
    parse: Callable[[bytes, Place], Parsed]
    # What `parse` does, in parts, with a line that is as the agent normally writes it; None where lines are not typed.
    typed: Typed[Any] | None = None
    # The shell command that resumes a session, from the agent's own id of it; None where the agent has none.
    resume_command: Callable[[str], str] | None = None
    # Where a log's sub-agents keep theirs: glob patterns relative to the log's folder, from the log's name.
    companions: Callable[[str], tuple[str, ...]] | None = None
    # For formats that are one document: cuts the whole file into pieces. Such a file is read anew when it changes.
    split: Callable[[bytes], Document] | None = None
    # For documents: recognises the format by the file's first bytes, which may end in the middle of anything.
    recognise_head: Callable[[bytes], bool] | None = None
    # What a running agent says of itself in a file beside its logs, where it does; None where that says nothing.
    read_presence: Callable[[bytes], RunningAgent | None] | None = None
    # Whose logs these are; the format's own name, where none is given.
    agent: str = ""
    # Whether each session id in the file is a session of its own, rather than one conversation under several ids.
    holds_many_sessions: bool = False

    def __post_init__(self) -> None:
        if not self.agent:
            msgspec.structs.force_setattr(self, "agent", self.name)


def first_objects(head: bytes) -> Sequence[JsonObject]:
    """The first JSON objects that stand on lines of their own in the beginning of a file."""
    return _FirstObjects(head)


class _FirstObjects(Sequence[JsonObject]):
    """Each is read when somebody looks at it: a format mostly shows in the first, and a short log has no more."""

    def __init__(self, head: bytes) -> None:
        self._found: list[JsonObject] = []
        self._coming = islice(_objects_in(head), SNIFF_RECORDS)

    def __bool__(self) -> bool:
        return self._has(1)

    def __len__(self) -> int:
        self._has(SNIFF_RECORDS)
        return len(self._found)

    @overload
    def __getitem__(self, at: int) -> JsonObject: ...
    @overload
    def __getitem__(self, at: slice) -> list[JsonObject]: ...
    def __getitem__(self, at: int | slice) -> JsonObject | list[JsonObject]:
        self._has(at + 1 if isinstance(at, int) and at >= 0 else SNIFF_RECORDS)
        return self._found[at]

    def _has(self, count: int) -> bool:
        """Whether there are so many; as many are read."""
        self._found.extend(islice(self._coming, max(count - len(self._found), 0)))
        return len(self._found) >= count


def _objects_in(head: bytes) -> Iterator[JsonObject]:
    for line in head.split(b"\n"):
        try:
            value = msgspec.json.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def word_at(found: JsonObject, key: str) -> str:
    """The text under a key, "" where there is none: what is no text may not even be looked up in a table."""
    value = found.get(key)
    return value if isinstance(value, str) else ""


def recover(line: bytes, place: Place, parse_object: Callable[[bytes, Place], Record | None]) -> Parsed:
    """What can be saved of a line that is not one JSON object: whole objects glued to each other or to torn rests.

    Each whole object becomes a record at its own bytes; every damaged line is reported once.
    """
    records: list[Record] = []
    lost = 0
    position = 0
    tries = 0
    text_end = len(line)
    while position < text_end:
        start = line.find(b'{"', position)
        if start < 0 or tries == _MAX_RECOVERY_TRIES:
            lost += text_end - position
            break
        tries += 1
        lost += start - position
        end = _object_end(line, start)
        if end < 0:
            # Torn here: the next candidate begins after this brace.
            lost += 1
            position = start + 1
            continue
        piece = line[start:end]
        record = parse_object(piece, Place(place.line, place.offset + start, end - start))
        if record is None:
            lost += end - start
        else:
            records.append(record)
        position = end
    if not records:
        kind: Literal["notText", "torn", "notJson"] = (
            "notText" if b"\0" in line else "torn" if b"{" in line else "notJson"
        )
        return (), (Problem(place, kind, f"{len(line)} bytes skipped"),)
    detail = f"{len(records)} records saved" + (f", {lost} bytes skipped" if lost else "")
    return tuple(records), (Problem(place, "torn" if lost else "glued", detail),)


_scan = json.JSONDecoder().raw_decode


def _object_end(line: bytes, start: int) -> int:
    """End of the JSON object that begins at `start`, or -1. Tries the line's end first, which is the common case."""
    try:
        msgspec.json.decode(line[start:])
    except (msgspec.DecodeError, ValueError, RecursionError):
        pass
    else:
        return len(line)
    try:
        text = line[start:].decode("utf-8")
        _, length = _scan(text)
        return start + len(text[:length].encode("utf-8"))
    except (ValueError, RecursionError):
        return -1


# Every escape of a text, so that a written backslash never counts as one; the group holds half a pair.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def mended(data: bytes) -> bytes:
    """The same text with halves of character pairs replaced, byte for byte.

    Writers that cut texts at a length leave such halves behind; strict readers refuse the whole record for one.
    """
    if b"\\ud" not in data and b"\\uD" not in data:
        return data
    return _ESCAPE.sub(lambda escape: b"\\ufffd" if escape[1] else escape[0], data)


def decode_or_none(decoder: msgspec.json.Decoder[T], data: bytes | memoryview | msgspec.Raw) -> T | None:
    """The value, or None where the data is not of the decoder's shape."""
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


_text = msgspec.json.Decoder(str)


def text_in(raw: bytes | msgspec.Raw) -> str:
    """The text that a raw JSON string holds, or "" where it is something else."""
    return decode_or_none(_text, raw) or ""


def time_of(stamp: str | float | None) -> str:
    """A time as a log has it, ISO 8601 or since 1970, as recapd has it; "" where there is none."""
    if isinstance(stamp, str):
        return canonical(stamp)
    return from_epoch(stamp) if stamp else ""
