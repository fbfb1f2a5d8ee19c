"""Neutral records, as an adapter would hand them over, and the transcripts and sessions they make.

folded(Prompt("fix the parser"), did("edit", "a.py", failed=True), Reply("It failed."))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias, TypedDict, Unpack

import msgspec

from recapd.adapters.registry import recognise
from recapd.core.log.events import Call, CallKind, Event, Problem, Record, Result
from recapd.core.log.lines import START, split
from recapd.core.log.refs import Place
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY, Transcript
from recapd.core.state.world import Batch, Session, World, fold, sessions_of
from tests.support.logs import CWD, MINUTE_S, at

URI: Final = "file:///logs/a.jsonl"
NOWHERE: Final = Place(0, 0, 0)

Row: TypeAlias = Event | tuple[Event, ...] | Record


def tape(*rows: Row, first: int = 1) -> list[Record]:
    """Records as a log would hold them: each on a line of 99 bytes, hanging on the one before, a minute later.

    A Record among the rows (see `record`) keeps what it says of itself and gets the rest.
    """
    return [_taped(row, number) for number, row in enumerate(rows, first)]


class Header(TypedDict, total=False):
    at: str
    id: str
    parent: str
    session: str
    cwd: str
    branch: str
    via: str


def record(*events: Event, **fields: Unpack[Header]) -> Record:
    """A row of a tape that says something of itself: its id, its parent, its session, its sub-agent."""
    return Record(NOWHERE, "test", events, **fields)


def place_of(number: int) -> Place:
    return Place(number, (number - 1) * 100, 99)


def id_of(number: int) -> str:
    return f"{number:08x}"


def _taped(row: Row, number: int) -> Record:
    if not isinstance(row, Record):
        row = record(*(row if isinstance(row, tuple) else (row,)))
    return msgspec.structs.replace(
        row,
        place=place_of(number),
        at=row.at or at((number - 1) * MINUTE_S),
        id=row.id or id_of(number),
        parent=row.parent or (id_of(number - 1) if number > 1 else ""),
        session=row.session or "s1",
        cwd=row.cwd or CWD,
    )


def call(kind: CallKind, target: str = "", *, id: str = "c", tool: str = "", detail: str = "", lines: int = -1) -> Call:
    return Call(id, tool or kind.capitalize(), kind, target, detail=detail, lines=lines)


def did(kind: CallKind, target: str = "", *, tool: str = "", lines: int = -1, **outcome: object) -> tuple[Call, Result]:
    """A call and its result in one row; `lines` were read or written, `outcome` are fields of the result."""
    opened = call(kind, target, tool=tool, lines=lines)
    result = Result(opened.id, lines=lines if kind == "read" else -1)
    return opened, msgspec.structs.replace(result, **outcome)


def ran(command: str, output: str = "", *, exit_code: int | None = 0, failed: bool = False) -> tuple[Call, Result]:
    return did("shell", command, exit_code=exit_code, failed=failed, payload=msgspec.json.encode(output))


def folded(*rows: Row) -> Transcript:
    return extend(EMPTY, tape(*rows))


def batch(records: Sequence[Record], *, uri: str = URI, restart: bool = False, part: str = "") -> Batch:
    return Batch(
        uri=uri,
        agent="claude-code",
        format="claude-code",
        generation="g",
        records=records,
        problems=(),
        carry=START,
        part=part,
        restart=restart,
    )


def world_of(*batches: Batch) -> World:
    world = World()
    for each in batches:
        world, _ = fold(world, each)
    return world


def session_with(*rows: Row, children: Sequence[Sequence[Row]] = ()) -> Session:
    """A session whose main log holds these records, and whose sub-agents wrote logs of their own."""
    logs = [batch(tape(*rows))]
    for number, its_rows in enumerate(children, 1):
        by_agent = [msgspec.structs.replace(each, via=f"agent{number}") for each in tape(*its_rows)]
        logs.append(batch(by_agent, uri=f"file:///logs/agent{number}.jsonl"))
    (session,) = sessions_of(world_of(*logs))
    return session


def parse_log(data: bytes) -> tuple[list[Record], list[Problem]]:
    """All of a log, as its adapter understands it."""
    adapter = recognise(data)
    assert adapter is not None
    part = split(START, data)
    parsed = [adapter.parse(line, place) for line, place in part.lines]
    problems = [*part.problems, *(each for _, its_problems in parsed for each in its_problems)]
    return [each for records, _ in parsed for each in records], problems


def read_log(data: bytes, uri: str = URI) -> Session:
    """The session in the bytes of a log, as the daemon would read it."""
    records, problems = parse_log(data)
    (session,) = sessions_of(world_of(msgspec.structs.replace(batch(records, uri=uri), problems=problems)))
    return session
