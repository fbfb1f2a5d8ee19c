"""Mutants fed to recapd, as one process of several: `python -m tests.fuzz.feeding lines 1 20000` prints a report.

lines    every adapter parses lines of every format, and what it makes of them is folded
files    damaged files are opened, read and told as a recap, as a single command does it
chunks   a damaged file read in pieces of any size gives the same state as read at once
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random

import msgspec

from recapd.adapters.shared.base import Adapter, first_objects
from recapd.core.log.events import Parsed, Problem, Record
from recapd.core.log.lines import START, split, unfinished
from recapd.core.log.refs import Place
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY, Transcript
from recapd.daemon.library import Library
from recapd.daemon.log_files.reading import UnreadableLog
from recapd.server.methods import context, recap
from recapd.wire.errors import RecapError
from recapd.wire.types import ContextSummaryParams, RecapGetParams, RecapVerifyParams
from tests.fuzz.mutators import Seed, damaged_file, mutant, mutant_file, seed_of
from tests.fuzz.reports import Report, Watch
from tests.fuzz.seeds import adapters, fixtures, lines_of
from tests.fuzz.shapes import documents

_BATCH = 100
# A state is thrown away after so many batches: long enough for every list in it to reach its limit.
_BATCHES_PER_STATE = 20
# Every adapter looks at the beginning of every file.
_RECOGNISED_EVERY = 10
# A damaged line is searched for whole records at 32 places, each of which may give one.
_MAX_RECORDS = 33


@cache
def _seeds() -> dict[str, tuple[Seed, ...]]:
    return {name: tuple(map(seed_of, lines)) for name, lines in lines_of().items()}


@cache
def _any_seeds() -> tuple[Seed, ...]:
    return tuple(seed for seeds in _seeds().values() for seed in seeds)


def feed_lines(seed: int, count: int) -> Report:
    rng = Random(seed)
    watch = Watch()
    states: dict[str, tuple[Transcript, int]] = {}
    names = tuple(adapters())
    while watch.report.fed < count:
        name = rng.choice(names)
        seeds = _seeds()[name]
        lines = [mutant(rng, seeds if rng.random() < 0.8 else _any_seeds(), _any_seeds()) for _ in range(_BATCH)]
        watch.report.fed += _BATCH
        watch.report.bytes_fed += sum(map(len, lines))
        for line in lines[::_RECOGNISED_EVERY]:
            for adapter in adapters().values():
                _try_recognise(watch, adapter, line)
        for adapter in (adapters()[name], adapters()[rng.choice(names)]):
            state, age = states.get(adapter.name, (EMPTY, 0))
            before = state.totals.records
            state = _fed(watch, adapter, lines, state)
            if adapter.name == name:
                watch.report.taken += max(0, state.totals.records - before)
            states[adapter.name] = (state, age + 1) if age < _BATCHES_PER_STATE else (EMPTY, 0)
    return watch.finished()


def _try_recognise(watch: Watch, adapter: Adapter, line: bytes) -> None:
    try:
        recognised(adapter, line)
    except Exception as error:
        watch.crash(f"{adapter.name} recognise", error, line, lambda data: recognised(adapter, data))


def recognised(adapter: Adapter, head: bytes) -> bool:
    if adapter.recognise_head is not None and adapter.recognise_head(head):
        return True
    return adapter.recognise(first_objects(head))


def _fed(watch: Watch, adapter: Adapter, lines: list[bytes], state: Transcript) -> Transcript:
    records: list[Record] = []
    problems: list[Problem] = []
    for line in lines:
        try:
            found, wrong = checked_parse(adapter, line)
        except Exception as error:
            watch.crash(f"{adapter.name} parse", error, line, lambda data: checked_parse(adapter, data))
            continue
        records += found
        problems += wrong
    try:
        state = extend(state, records, problems)
        stored(state)
    except Exception as error:
        watch.crash(f"{adapter.name} fold", error, b"\n".join(lines), lambda data: fold_lines(adapter, data))
        return EMPTY
    return state


def checked_parse(adapter: Adapter, line: bytes) -> Parsed:
    """Parse a line and check what may be said of any: how many records, where they stand, that they can be stored."""
    place = Place(7, 1000, len(line))
    records, problems = adapter.parse(line, place)
    limit = max(_MAX_RECORDS, line.count(b"\n") + 1)
    assert len(records) <= limit, f"{len(records)} records of one line"
    for record in records:
        at = record.place
        assert at.offset >= 1000 and at.offset + at.length <= 1000 + len(line), "a record outside its line"
        assert len(record.events) <= len(line) + 8, f"{len(record.events)} events in {len(line)} bytes"
    assert len(problems) <= limit, f"{len(problems)} problems in one line"
    return records, problems


def fold_lines(adapter: Adapter, data: bytes) -> None:
    lines = split(START, data + b"\n").lines
    state = EMPTY
    for line, place in lines:
        records, problems = adapter.parse(line, place)
        state = extend(state, records, problems)
    stored(state)


def stored(state: Transcript) -> None:
    """What the store does with a state. A failure names the part that cannot be written."""
    try:
        msgspec.msgpack.encode(state)
    except Exception as error:
        for name in state.__struct_fields__:
            try:
                msgspec.msgpack.encode(getattr(state, name))
            except Exception:
                raise ValueError(f"cannot store `{name}`: {error}") from None
        raise


def feed_files(seed: int, count: int) -> Report:
    rng = Random(seed)
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.jsonl")
        for _ in range(count):
            data = _file(rng)
            watch.report.fed += 1
            watch.report.bytes_fed += len(data)
            try:
                watch.report.taken += told_as_recap(path, data)
            except Exception as error:
                watch.crash("file", error, data, lambda again: told_as_recap(path, again))
            for adapter in adapters().values():
                if adapter.split is not None:
                    _try_document(watch, adapter, data)
    return watch.finished()


def told_as_recap(path: Path, data: bytes) -> bool:
    """Everything a single command does with a log; False where it says in one sentence that it cannot read it."""
    path.write_bytes(data)
    library = Library([path.parent], environ={"HOME": str(path.parent)})
    try:
        session = library.load(path)
    except (RecapError, UnreadableLog):
        return False
    for params in (RecapGetParams(format="short"), RecapGetParams(format="full", collapsible=True, max_tokens=200)):
        msgspec.json.encode(recap.get(library, session, params))
    msgspec.json.encode(recap.verify(library, session, RecapVerifyParams()))
    msgspec.json.encode(context.summary(library, session, ContextSummaryParams()))
    return True


def _try_document(watch: Watch, adapter: Adapter, data: bytes) -> None:
    try:
        fold_document(adapter, data)
    except Exception as error:
        watch.crash(f"{adapter.name} document", error, data, lambda again: fold_document(adapter, again))


def fold_document(adapter: Adapter, data: bytes) -> None:
    assert adapter.split is not None
    if adapter.recognise_head is not None:
        adapter.recognise_head(data[:4096])
    document = adapter.split(data)
    assert len(document.sessions) in (0, len(document.pieces)), "sessions that do not match the pieces"
    records: list[Record] = [*document.header]
    problems: list[Problem] = [*document.problems]
    for piece, place in document.pieces:
        found, wrong = adapter.parse(piece, place)
        records += found
        problems += wrong
    stored(extend(EMPTY, records, problems))


def _file(rng: Random) -> bytes:
    """A log by lines most of the time, a document or a fixture else."""
    chance = rng.random()
    if chance < 0.2:
        source = rng.choice(documents()) if rng.random() < 0.5 else rng.choice(list(fixtures())).read_bytes()
        seed = seed_of(source)
        data = mutant(rng, (seed,), _any_seeds()) if seed.values and rng.random() < 0.7 else source
        return damaged_file(rng, data, rng.choice(documents()))
    return mutant_file(rng, _seeds()[rng.choice(tuple(adapters()))], _any_seeds())


def feed_chunks(seed: int, count: int) -> Report:
    rng = Random(seed)
    watch = Watch()
    for _ in range(count):
        data = _file(rng)
        adapter = adapters()[rng.choice(tuple(adapters()))]
        watch.report.fed += 1
        watch.report.bytes_fed += len(data)
        draw = rng.randrange(1 << 30)
        try:
            watch.report.taken += same_in_pieces(adapter, data, draw=draw)
        except Exception as error:
            watch.crash(f"{adapter.name} chunks", error, data, partial(same_in_pieces, adapter, draw=draw))
    return watch.finished()


def same_in_pieces(adapter: Adapter, data: bytes, *, draw: int) -> bool:
    """Compare both ways of reading; False where there was nothing to read."""
    whole = split(START, data)
    records, problems = _parsed(adapter, whole.lines)
    at_once = extend(EMPTY, records, [*whole.problems, *problems])

    rng = Random(draw)
    carry = START
    state = EMPTY
    position = 0
    while position < len(data):
        step = rng.choice((1, 7, 100, 1000, 10_000))
        pieces = split(carry, data[position : position + step])
        carry = pieces.carry
        position += step
        records, problems = _parsed(adapter, pieces.lines)
        # Records come to the fold in batches of any size, too.
        middle = rng.randrange(len(records) + 1)
        state = extend(state, records[:middle])
        state = extend(state, records[middle:], [*pieces.problems, *problems])
    assert unfinished(carry) == unfinished(whole.carry), "another last line"
    assert state == at_once, "another state: " + _difference(state, at_once)
    return bool(at_once.totals.records)


def _parsed(adapter: Adapter, lines: list[tuple[bytes, Place]]) -> tuple[list[Record], list[Problem]]:
    records: list[Record] = []
    problems: list[Problem] = []
    for line, place in lines:
        found, wrong = adapter.parse(line, place)
        records += found
        problems += wrong
    return records, problems


def _difference(one: Transcript, other: Transcript) -> str:
    return ", ".join(name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name))


FEEDERS: dict[str, Callable[[int, int], Report]] = {"lines": feed_lines, "files": feed_files, "chunks": feed_chunks}


def main(what: str, seed: str, count: str) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(FEEDERS[what](int(seed), int(count))))


if __name__ == "__main__":
    main(*sys.argv[1:])
