"""One long word, or a thousand short ones alike: nobody waits for it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec import inspect

from recapd.wire.methods import METHODS
from recapd.wire.params import MOST_CHARS, MOST_PROMPT_CHARS, PROMPTS
from recapd.wire.types import Wire
from tests.attack.figures import tell_figures
from tests.attack.patterns import MOST_GROWTH
from tests.support.fake_backend import FakeBackend, client_of
from tests.support.logs import agent, claude_log, human

pytestmark = [pytest.mark.attack, pytest.mark.timeout(1200)]

_LIMIT_S = 1000
# A megabyte in a tenth of a second: there the caches of the processor say more than what is computed.
_QUICK_NS = 100


@pytest.mark.parametrize(("sort", "least"), [("patterns", 350), ("functions", 60)])
def test_long_runs_take_linear_time(sort: str, least: int) -> None:
    """What is quadratic holds the interpreter, and so everybody, for a minute with 60 KB."""
    command = [sys.executable, "-m", "tests.attack.patterns", sort]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) >= least
    slowest = max(row["nsPerChar"] for row in rows)
    tell_figures(f"long runs over {len(rows)} {sort}: the slowest takes {slowest} ns for a character")
    slow = [row for row in rows if row["growth"] > MOST_GROWTH and row["nsPerChar"] > _QUICK_NS]
    assert not slow, "\n".join(json.dumps(row, ensure_ascii=False) for row in slow)


# ---- over every method

TIMES_S = 5.0
# The client of the test included.
LOOP_S = 0.25
WORDS = (
    "a",
    "deadbeef01",
    "7",
    "-",
    "'",
    '"',
    " ",
    "`",
    "/",
    "\\",
    "a-",
    "a.b/",
    "你",
    "a\n",
    "- a\n",
    "key=",
    "i'll ",
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def texts_in(params: type[Wire]) -> list[str]:
    """Fields that take any text."""
    found: inspect.Type = inspect.type_info(params)
    assert isinstance(found, inspect.StructType)
    return [field.encode_name for field in found.fields if _takes_text(field.type)]


def _takes_text(found: inspect.Type) -> bool:
    match found:
        case inspect.Metadata(type=inner):
            return _takes_text(inner)
        case inspect.UnionType(types=members):
            return any(map(_takes_text, members))
        case inspect.StrType(pattern=pattern):
            return pattern is None or pattern.startswith("^(?!file:")
    return False


ASKED = [
    (row.name, field)
    for row in METHODS
    if row.is_served and row.name not in ("recapd/shutdown", "recapd/authenticate", "recap/subscribe")
    for field in texts_in(row.params)
]
# What else a request needs to be understood.
NEEDED: dict[str, dict[str, object]] = {
    "context/assemble": {"maxTokens": 4000},
    "recap/acknowledge": {"consumer": "me", "cursor": "1"},
    "recapd/watch": {"workspace": "/nowhere", "on": False},
    "decisions/dismiss": {"id": "d"},
    "decisions/confirm": {"id": "d"},
    "recap/get": {"format": "full"},
}


@pytest.mark.anyio
async def test_long_words_in_every_param_of_every_method(tmp_path: Path) -> None:
    """Each is answered soon, and next to nothing of it keeps others waiting."""
    acts = [act for word in WORDS for act in (human(word * (20_000 // len(word))), agent(f"Use {word * 5_000}."))]
    (tmp_path / "long.jsonl").write_bytes(claude_log(human("use the parser"), *acts, session="long"))
    backend = FakeBackend(tmp_path)
    backend.service.sessions()
    slowest: list[tuple[float, str]] = []
    on_loop: list[tuple[float, str]] = []
    async with client_of(backend) as client:
        for method, field in ASKED:
            most = MOST_PROMPT_CHARS if field in PROMPTS else MOST_CHARS
            for word in WORDS:
                params = {**NEEDED.get(method, {}), field: (word * most)[:most]}
                began, began_here = time.process_time(), time.thread_time()
                await client.answer(await client.send(method, params))
                name = f"{method} {field} {word!r}"
                slowest.append((time.process_time() - began, name))
                if not method.startswith("summary/"):
                    # Those are made by the daemon, which this backend is not.
                    on_loop.append((time.thread_time() - began_here, name))
    slowest.sort(reverse=True)
    on_loop.sort(reverse=True)
    tell_figures(
        f"long words in {len(ASKED)} params, {len(slowest)} requests: {slowest[0][0]:.2f} s of computing at most "
        f"({slowest[0][1]}), {on_loop[0][0]:.2f} s on the loop ({on_loop[0][1]})"
    )
    assert slowest[0][0] < TIMES_S, slowest[:5]
    assert on_loop[0][0] < LOOP_S, on_loop[:5]
