"""Unfinished last lines are counted in as a fold would, and worked out again only where their source changed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from recapd.core.log.events import Record
from recapd.core.log.refs import Place
from recapd.core.state.cold import head_of
from recapd.core.state.world import Batch, Source, World, fold, put, see_last_line, session_id_of
from recapd.daemon.log_files.reading import adapter_named
from recapd.daemon.unfinished import Unfinished
from tests.support.following import fresh
from tests.support.logs import agent, claude_log, human

TALK = (human("fix the parser"), agent("Done."))


def records_of(source: Source, line: bytes) -> tuple[Record, ...]:
    place = Place(source.carry.line, source.carry.offset, len(line))
    return tuple(adapter_named(source.format).parse(line, place)[0])


def world_of(folder: Path, names: str = "ab") -> World:
    paths = [folder / f"{name}.jsonl" for name in names]
    for path in paths:
        path.write_bytes(claude_log(*TALK, session=path.stem))
    return fresh(*paths)


def uri_in(world: World, name: str) -> str:
    return next(uri for uri in world.sources if uri.endswith(f"{name}.jsonl"))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return world_of(tmp_path)


def batch(source: Source, records: tuple[Record, ...]) -> Batch:
    return Batch(source.uri, source.agent, source.format, source.generation, records, (), source.carry)


def saying(world: World, uri: str, records: tuple[Record, ...]) -> World:
    """The world after the last line of a log says this."""
    return see_last_line(world, uri, records)[0]


def test_nothing_unfinished_is_the_world_itself(world: World) -> None:
    unfinished = Unfinished()
    assert unfinished.counted_in(world) is world
    line = records_of(next(iter(world.sources.values())), claude_log(human("hm")))
    elsewhere = saying(world, "file:///elsewhere.jsonl", line)
    assert unfinished.counted_in(elsewhere) is elsewhere


def test_a_line_counts_as_if_it_were_finished_but_gives_no_revision(world: World) -> None:
    uri = uri_in(world, "a")
    source = world.sources[uri]
    line = records_of(source, claude_log(human("and the lexer"), session="a"))
    unfinished = Unfinished()
    known = saying(world, uri, line)
    assert known is not world
    assert saying(known, uri, line) is known
    counted = unfinished.counted_in(known)
    folded, _ = fold(world, batch(source, line))
    assert counted.sources == folded.sources
    assert counted.members == known.members
    finished = saying(known, uri, ())
    assert unfinished.counted_in(finished) is finished


def test_it_is_worked_out_once_for_each_state_of_its_source(world: World) -> None:
    a, b = uri_in(world, "a"), uri_in(world, "b")
    unfinished = Unfinished()
    known = saying(world, a, records_of(world.sources[a], claude_log(human("and the lexer"), session="a")))
    first = unfinished.counted_in(known).sources[a]
    more = records_of(world.sources[b], claude_log(human("more"), session="b"))
    elsewhere, _ = fold(known, batch(world.sources[b], more))
    assert unfinished.counted_in(elsewhere).sources[a] is first
    here, _ = fold(known, batch(world.sources[a], records_of(world.sources[a], claude_log(agent("Yes."), session="a"))))
    second = unfinished.counted_in(here).sources[a]
    assert second.transcript.totals.records == first.transcript.totals.records + 1


def test_a_line_that_moves_its_source_to_another_session(world: World) -> None:
    uri = uri_in(world, "a")
    nameless = msgspec.structs.replace(world.sources[uri].transcript, native_id="")
    source = msgspec.structs.replace(world.sources[uri], transcript=nameless)
    known, delta = fold(World(), msgspec.structs.replace(batch(source, ()), adopted=source, restart=True))
    line = records_of(source, claude_log(human("and the lexer"), session="told"))
    counted = Unfinished().counted_in(saying(known, uri, line))
    (session_id,) = counted.members
    assert session_id != delta.session_id
    assert session_id == session_id_of(counted.sources[uri])


def test_a_source_that_is_on_disk_stays_there(world: World) -> None:
    uri = uri_in(world, "a")
    cold = put(world, [head_of(world.sources[uri])])
    line = records_of(world.sources[uri], claude_log(human("and the lexer"), session="a"))
    assert Unfinished().counted_in(saying(cold, uri, line)).sources[uri].is_cold
