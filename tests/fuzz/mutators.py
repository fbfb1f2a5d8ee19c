"""Damage to lines and files, of the kinds that crashes, editors, other programs and enemies do.

Values inside JSON are replaced by splicing bytes: where each value and key of a seed stands is found once, so a mutant
costs a few microseconds and may hold what no encoder would write (1e400, half a surrogate pair, a key twice).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from tests.fuzz.zoo import RARE, RARE_EVERY, ZOO

Span: TypeAlias = tuple[int, int]

BOM = b"\xef\xbb\xbf"


class Seed(NamedTuple):
    line: bytes
    # Where its values and its keys stand; none where it is no JSON.
    values: tuple[Span, ...] = ()
    keys: tuple[Span, ...] = ()
    # Texts that hold JSON themselves, with the seed inside.
    inner: tuple[tuple[Span, Seed], ...] = ()


def seed_of(line: bytes) -> Seed:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Seed(line)
    if not isinstance(value, (dict, list)):
        return Seed(line)
    out = bytearray()
    values: list[Span] = []
    keys: list[Span] = []
    inner: list[tuple[Span, Seed]] = []
    _write(value, out, values, keys, inner)
    return Seed(bytes(out), tuple(values), tuple(keys), tuple(inner))


def _write(value: object, out: bytearray, values: list[Span], keys: list[Span], inner: list[tuple[Span, Seed]]) -> None:
    start = len(out)
    if isinstance(value, dict):
        out += b"{"
        for number, (key, held) in enumerate(value.items()):
            out += b"," if number else b""
            key_start = len(out)
            out += _json(key)
            keys.append((key_start, len(out)))
            out += b":"
            _write(held, out, values, keys, inner)
        out += b"}"
    elif isinstance(value, list):
        out += b"["
        for number, held in enumerate(value):
            out += b"," if number else b""
            _write(held, out, values, keys, inner)
        out += b"]"
    else:
        out += _json(value)
        if isinstance(value, str) and value[:1] == "{":
            held_seed = seed_of(value.encode("utf-8", "surrogatepass"))
            if held_seed.values:
                inner.append(((start, len(out)), held_seed))
    values.append((start, len(out)))


def _json(value: object) -> bytes:
    # Half a pair cannot be written as UTF-8; as an escape it can.
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def mutant(rng: Random, seeds: Sequence[Seed], others: Sequence[Seed]) -> bytes:
    """A line that was well-formed once. `others` are of any format: values and lines are borrowed from them."""
    seed = rng.choice(seeds)
    line = seed.line
    if seed.values and rng.random() < 0.85:
        line = _replaced(rng, seed, others)
    if rng.random() < 0.35:
        line = rng.choice(_BYTE_MUTATORS)(rng, line, rng.choice(others).line)
        if rng.random() < 0.2:
            line = rng.choice(_BYTE_MUTATORS)(rng, line, rng.choice(others).line)
    # A line is what stands between two newlines.
    return line.replace(b"\n", b" ") if seed.values else line


def _replaced(rng: Random, seed: Seed, others: Sequence[Seed]) -> bytes:
    """The seed with one value, key or pair changed, sometimes inside a text that is JSON itself."""
    if seed.inner and rng.random() < 0.4:
        (start, end), held = rng.choice(seed.inner)
        text = _replaced(rng, held, others).decode("utf-8", "replace")
        return seed.line[:start] + _json(text) + seed.line[end:]
    if seed.keys and rng.random() < 0.2:
        start, end = rng.choice(seed.keys)
        key = seed.line[start:end]
        chance = rng.random()
        if chance < 0.5:
            # The same key twice: parsers disagree on which one counts.
            return seed.line[:start] + key + b":" + _value(rng, others) + b"," + seed.line[start:]
        new = rng.choice((b'""', b'"' + b"k" * 5000 + b'"', b'"\\ud800"', b'"\\u0000"', key[:-1] + b'x"', key[1:-1]))
        return seed.line[:start] + new + seed.line[end:]
    start, end = rng.choice(seed.values)
    return seed.line[:start] + _value(rng, others) + seed.line[end:]


def _value(rng: Random, others: Sequence[Seed]) -> bytes:
    if not rng.randrange(RARE_EVERY):
        return rng.choice(RARE)
    if rng.random() < 0.7:
        return rng.choice(ZOO)
    other = rng.choice(others)
    if not other.values:
        return b"null"
    start, end = rng.choice(other.values)
    return other.line[start:end]


def _flip(rng: Random, line: bytes, other: bytes) -> bytes:
    if not line:
        return line
    out = bytearray(line)
    for _ in range(rng.choice((1, 1, 2, 8))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _cut(rng: Random, line: bytes, other: bytes) -> bytes:
    return line[: rng.randrange(len(line) + 1)]


def _beheaded(rng: Random, line: bytes, other: bytes) -> bytes:
    return line[rng.randrange(len(line) + 1) :]


def _holed(rng: Random, line: bytes, other: bytes) -> bytes:
    start = rng.randrange(len(line) + 1)
    return line[:start] + line[start + rng.randrange(1, 40) :]


def _doubled(rng: Random, line: bytes, other: bytes) -> bytes:
    start = rng.randrange(len(line) + 1)
    part = line[start : start + rng.randrange(1, 200)]
    return line[:start] + part * rng.choice((2, 3, 20)) + line[start:]


def _glued(rng: Random, line: bytes, other: bytes) -> bytes:
    return rng.choice((line + other, other + line, line + b"," + other, line + other + line, line * 3))


def _interleaved(rng: Random, line: bytes, other: bytes) -> bytes:
    """As two processes write to one file without a lock."""
    size = rng.choice((1, 16, 64))
    out = bytearray()
    for start in range(0, max(len(line), len(other)), size):
        out += line[start : start + size] + other[start : start + size]
    return bytes(out)


def _torn_and_glued(rng: Random, line: bytes, other: bytes) -> bytes:
    return line[: rng.randrange(len(line) + 1)] + other


def _put_in(*pieces: bytes) -> ByteMutator:
    def put_in(rng: Random, line: bytes, other: bytes) -> bytes:
        start = rng.randrange(len(line) + 1)
        return line[:start] + rng.choice(pieces) + line[start:]

    return put_in


def _before(rng: Random, line: bytes, other: bytes) -> bytes:
    return rng.choice((BOM, b"\0" * 8, b" " * 100, b"data: ", b"> ", b"#### ", b"\r", b"[")) + line


def _after(rng: Random, line: bytes, other: bytes) -> bytes:
    return line + rng.choice((b"\r", b"\0" * 4096, b" ", b",", b"]", b"  ", b"}}}}", b'"'))


ByteMutator: TypeAlias = Callable[[Random, bytes, bytes], bytes]
_BYTE_MUTATORS: tuple[ByteMutator, ...] = (
    _flip,
    _cut,
    _beheaded,
    _holed,
    _doubled,
    _glued,
    _interleaved,
    _torn_and_glued,
    _put_in(b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x80"),
    _put_in(b"\0", b"\0" * 500, b"\x1a", b"\x7f", b"\xc2\x85", b"\xe2\x80\xa8"),
    _put_in(b"{", b"}", b"[", b"]", b'"', b"\\", b"\\u", b",", b":", b'{"' * 40, b"[" * 2000),
    _before,
    _after,
)


def mutant_file(rng: Random, seeds: Sequence[Seed], others: Sequence[Seed]) -> bytes:
    """A log of a few dozen lines, some of them damaged, and sometimes the whole of it."""
    lines = [seed.line for seed in rng.choices(seeds, k=rng.choice((1, 3, 12, 40)))]
    for row in range(len(lines)):
        if rng.random() < 0.3:
            lines[row] = mutant(rng, seeds, others)
    data = b"\n".join(lines) + rng.choice((b"\n", b"\n", b""))
    return damaged_file(rng, data, b"\n".join(seed.line for seed in rng.choices(others, k=5)))


def damaged_file(rng: Random, data: bytes, other: bytes) -> bytes:
    chance = rng.random()
    if chance < 0.5:
        return data
    if chance < 0.53:
        return rng.choice(
            (b"", b"\n", b"\n" * 1000, b"\r\n" * 100, b" \t\n", BOM, b"\0" * 5000, b"{", b"[]", b"null\n")
        )
    if chance < 0.58:
        return data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"\n\n\n", b"\0\n", b"\xe2\x80\xa8")))
    if chance < 0.62:
        return BOM + data
    if chance < 0.65:
        return rng.randbytes(rng.choice((1, 100, 5000))) + data
    lines = data.split(b"\n")
    if chance < 0.75:
        rng.shuffle(lines)
    elif chance < 0.85:
        lines = [line for line in lines for _ in range(rng.choice((0, 1, 1, 2)))]
    else:
        return rng.choice(_BYTE_MUTATORS)(rng, data, other)
    return b"\n".join(lines)
