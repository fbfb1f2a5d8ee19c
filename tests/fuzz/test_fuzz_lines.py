"""No line, however damaged, stops an adapter or the fold; and no text costs more than its length."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from itertools import product

import pytest

from recapd.adapters.shared.base import Adapter
from tests.fuzz.feeding import checked_parse, fold_lines
from tests.fuzz.processes import run, size
from tests.fuzz.reports import told
from tests.fuzz.seeds import adapters
from tests.fuzz.shapes import SHAPES, Json, Shape

pytestmark = [pytest.mark.fuzz, pytest.mark.timeout(1500)]

LINES = size("RECAPD_FUZZ_LINES", 20_000)
# Mutants are fed to two adapters each, folded and stored: some 0.2 ms on a slow core. Ten times that is a bug.
MAX_SECONDS_PER_LINE = 0.002
MAX_GROWTH_MB = 200


def test_damaged_lines_never_stop_an_adapter_or_the_fold() -> None:
    for report in run("lines", LINES):
        assert not report.crashes, told(report.crashes)
        assert report.taken > report.fed / 3
        assert report.seconds < 5 + report.fed * MAX_SECONDS_PER_LINE
        assert report.grown_mb < MAX_GROWTH_MB


# Texts whose repetition makes a careless parser or pattern look back again and again.
PATTERNS = (
    "a", " ", "\n", "\t", "`", "'", '"', "\\", "$(", "(", "{", "[", "<", ">", "&", "|", ";", "=", "-", "*", "#", "?",
    ".", "/", "~", "../", "é", "漢", "\0", "\u2028", "\x1b[", "\x1b]0;", "</", "<a ", "<command-name>", "<<E\n",
    "<system-reminder>", "</system-reminder>", "*** Begin Patch\n", "*** Add File: a\n", "a\\\n", "&& ", "if ", "x=$(",
    "sh -c '", "git commit -m x;", "pytest;", "1 passed, ", "1 failed ", "FAILED a\n", "Tests: ", "ok 1\n", "https://",
    "www.", "a@", "@@ -1 +1 @@\n", "key=", "sk-", "-----BEGIN ", "eyJ", "?\n\n",
)  # fmt: skip
SMALL = 32_000
GROWTH = 8
# Eight times the length may cost eight times as much, not sixty-four times; below this time clocks say nothing.
MAX_RATIO = 24
NOTICEABLE_S = 0.05

SLOTS: dict[str, Callable[[Shape, str], Json]] = {
    "prompt": lambda shape, text: shape.says("user", text),
    "answer": lambda shape, text: shape.says("assistant", text),
    "command": lambda shape, text: shape.calls("c1", "Bash", {"command": text}),
    "path": lambda shape, text: shape.calls("c1", "Edit", {"file_path": text}),
    "tool": lambda shape, text: shape.calls("c1", text, {"a": text}),
    "patch": lambda shape, text: shape.calls("c1", "apply_patch", {"input": text}),
    "output": lambda shape, text: shape.returns("c1", text, True),
}


def cost(adapter: Adapter, shape: Shape, slot: str, text: str, *, enough: float) -> float:
    """Seconds for the text, the least of a few tries; each time it is another text, lest a cache answers.

    One try that takes less than `enough` seconds will do.
    """
    least = math.inf
    for number in range(4):
        log = log_with(shape, slot, f"{text}{number}")
        started = time.process_time()
        fold_lines(adapter, log)
        least = min(least, time.process_time() - started)
        if least < enough:
            break
    return least


def log_with(shape: Shape, slot: str, text: str) -> bytes:
    """The text where it is told, and the call or the result that belongs to it."""
    lines = [SLOTS[slot](shape, text), shape.returns("c1", "x", False)]
    if slot == "output":
        lines.insert(0, shape.calls("c1", "Bash", {"command": "pytest && cargo build"}))
    return b"\n".join(json.dumps(line).encode() for line in lines)


@pytest.mark.parametrize("name", sorted(SHAPES.keys() & adapters().keys()))
def test_cost_grows_with_length_only(name: str) -> None:
    adapter, shape = adapters()[name], SHAPES[name]
    slow: list[str] = []
    for slot, pattern in product(SLOTS, PATTERNS):
        # Whole patterns, evenly many, so that quotes and brackets end alike in both.
        text = pattern * (2 * (SMALL // 2 // len(pattern)))
        large = cost(adapter, shape, slot, text * GROWTH, enough=NOTICEABLE_S)
        if large < NOTICEABLE_S:
            continue
        small = cost(adapter, shape, slot, text, enough=0)
        if large > MAX_RATIO * small:
            slow.append(
                f"{slot} of {pattern!r}: {small * 1000:.1f} ms, {large * 1000:.1f} ms for {GROWTH} times as much"
            )
    assert not slow, "\n".join(slow)


DAMAGED = (
    b'{"', b"[", b'{"a":[', b'"', b"\\", b'{"a":1,', b"\xff", b'{"a":1}', b'{"type":"user"}', b"> a\nb\n", b"#### a\n",
)  # fmt: skip
REPEATED = 32_000


@pytest.mark.parametrize("name", sorted(adapters()))
def test_damaged_lines_cost_no_more_than_their_length(name: str) -> None:
    adapter = adapters()[name]
    for pattern in DAMAGED:
        line = pattern * REPEATED
        started = time.process_time()
        try:
            checked_parse(adapter, line)
        finally:
            seconds = time.process_time() - started
        # A sound reading of half a megabyte takes milliseconds; a quadratic one takes minutes.
        assert seconds < 5, f"{pattern!r}: {seconds:.1f} s for {len(line)} bytes"
