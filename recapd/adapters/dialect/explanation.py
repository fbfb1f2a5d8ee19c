"""How a dialect fits some lines: what it reads of them, what it never finds, and what looks wrong.

Says names and types that stand in the lines, never what they say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from recapd.adapters.dialect.paths import path_of, shape_of, values_at
from recapd.adapters.dialect.reading import SPEAKERS, Reading, is_matched, parse_by, reading_of, role_of
from recapd.adapters.dialect.shape import Dialect, paths_of
from recapd.adapters.shared import JsonObject, decode_or_none
from recapd.core.log import Call, Place, Record, Result

_MAX_SHAPES = 3
_MAX_WORDS = 8
_MAX_WORD_CHARS = 40
_object = msgspec.json.Decoder(dict[str, object])


class Explanation(Struct, frozen=True):
    """What became of the lines a dialect was tried on."""

    lines: int
    matched: int
    # Lines by speaker (human, agent, tool, system) and, as "unknown", those whose role no list names.
    roles: Mapping[str, int]
    # What was read, by kind of event: Prompt, Reply, Call, Result, Note, …
    events: Mapping[str, int]
    # Keys of the dialect whose path led nowhere in any matched line, with the path.
    never_found: tuple[str, ...]
    # The first shapes among the matched lines, and among the others, with types only.
    shapes: tuple[str, ...]
    unmatched_shapes: tuple[str, ...]
    # Sentences on what is probably wrong, the gravest first; empty where all is well.
    problems: tuple[str, ...]


def explain(dialect: Dialect, lines: Sequence[bytes]) -> Explanation:
    reading = reading_of(dialect)
    objects = [found for line in lines if (found := decode_or_none(_object, line)) is not None]
    matched = [found for found in objects if is_matched(reading, found)]
    records = [
        record
        for number, line in enumerate(lines, 1)
        for record in parse_by(reading, line, Place(number, 0, len(line)))[0]
    ]
    roles = Counter(reading.speakers.get(role_of(reading, found), "unknown") for found in matched)
    never = _never_found(dialect, matched) if matched else ()
    return Explanation(
        lines=len(lines),
        matched=len(matched),
        roles={speaker: roles[speaker] for speaker in (*SPEAKERS, "unknown")},
        events=dict(Counter(type(event).__name__ for record in records for event in record.events)),
        never_found=never,
        shapes=_shapes(matched),
        unmatched_shapes=_shapes([found for found in objects if not is_matched(reading, found)]),
        problems=(
            *_problems_of_lines(dialect, reading, matched, unread=len(lines) - len(objects)),
            *_problems_of_records(dialect, records),
        ),
    )


def _never_found(dialect: Dialect, matched: Sequence[JsonObject]) -> tuple[str, ...]:
    heads = {
        "calls": dialect.calls.items if dialect.calls is not None else "",
        "results": dialect.results.items if dialect.results is not None else "",
    }
    missing: list[str] = []
    for key, path in paths_of(dialect):
        table, _, name = key.partition(".")
        head = heads.get(table, "") if name != "items" else ""
        whole = path_of(f"{head}.{path}" if head else path)
        if not any(True for found in matched for _ in values_at(found, whole)):
            missing.append(f'{key} = "{path}"')
    return tuple(missing)


def _shapes(objects: Sequence[JsonObject]) -> tuple[str, ...]:
    shapes: dict[str, None] = {}
    for found in objects:
        shapes.setdefault(shape_of(found))
        if len(shapes) == _MAX_SHAPES:
            break
    return tuple(shapes)


def _problems_of_lines(dialect: Dialect, reading: Reading, matched: Sequence[JsonObject], *, unread: int) -> list[str]:
    problems: list[str] = []
    if unread:
        problems.append(f"{_count(unread, 'line')} held no JSON object of their own")
    if not matched:
        wanted = ", ".join(dialect.match)
        problems.append(f"no line matched; check match ({wanted})" if wanted else "there is no line to read")
        return problems
    words = Counter(role_of(reading, found) or "(none)" for found in matched)
    unknown = [word[:_MAX_WORD_CHARS] for word, _ in words.most_common() if word not in reading.speakers]
    if unknown:
        problems.append(f"roles that no list under roles names: {', '.join(unknown[:_MAX_WORDS])}")
    if not any(reading.speakers.get(word) == "human" for word in words):
        problems.append("no line is the human's: without one there are no turns; check role and roles.human")
    if not any(reading.speakers.get(word) == "agent" for word in words):
        problems.append("no line is the agent's; check role and roles.agent")
    return problems


def _problems_of_records(dialect: Dialect, records: Sequence[Record]) -> list[str]:
    problems: list[str] = []
    known = [record for record in records if record.known]
    events = [event for record in known for event in record.events]
    if known and dialect.time and not any(record.at for record in known):
        problems.append("time was never read as one; it takes an ISO 8601 text, or seconds or milliseconds since 1970")
    calls = [event.id for event in events if isinstance(event, Call)]
    results = [event.id for event in events if isinstance(event, Result)]
    if calls and not results:
        problems.append("tool calls have no results: every call will look unfinished; check results")
    elif calls and not set(calls) & set(results):
        problems.append("no result names the id of a call; check calls.id and results.id")
    if known and not any(type(event).__name__ in ("Prompt", "Reply") for event in events):
        problems.append("nobody says anything; check text")
    return problems


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
