"""A conversation as long as wanted, of turns that differ: ten lines each, with decisions, results, files and tests."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from random import Random

from recapd.core.log.times import canonical
from tests.support.logs import Act, agent, claude_log, edit, human, read, shell

LINES_PER_TURN = 10
_TIME_RE = re.compile(rb'(?<="timestamp":")[^"]+')
_PARTS = "parser retry cache login token queue schema deploy branch index socket theme ledger export worker".split()
_SORTS = "timeout header column layout limit format prefix handler policy record buffer report filter window".split()
_TOOLS = "Redis Postgres SQLite Kafka Celery pytest ruff Docker Terraform nginx protobuf msgspec".split()
_ASKED = (
    "the {part} loses its {sort} when {name} is called twice, please look into it",
    "let's use {tool} for the {part} instead of {other}, the {sort} is too slow",
    "add a {sort} to {name} and test it with {number} rows",
    "why does {name} need the {sort} of the {part}?",
    "go on",
    "no, keep {other} for the {part}; only the {sort} moves to {tool}",
    "now the {part} of module {number}: rename {name} and update the {sort}",
)
_ANSWERED = (
    "I decided to keep the {sort} of the {part} in {tool}, because {other} would need a second {sort2}.",
    "Fixed: `{name}` closed the {sort} before the {part} had read it.",
    "The {part} now writes its {sort} to {tool}; {number} tests pass.",
    "Renamed `{name}` and moved the {sort} into module {number}.",
    "We will go with {tool} for the {sort2}, and {other} stays for the {part}.",
    "Two things are left: the {sort2} of the {part}, and the {sort} that {tool} needs.",
    "The cause was the {sort2}: {other} drops it once {number} rows are written.",
)


def long_talk(turns: int, *, session: str, seed: int = 0) -> list[bytes]:
    """The lines of each turn, in one piece."""
    lines = claude_log(*(act for turn in range(turns) for act in _turn(turn, seed)), session=session).splitlines(True)
    return [b"".join(lines[at : at + LINES_PER_TURN]) for at in range(0, len(lines), LINES_PER_TURN)]


def ending_now(turns: list[bytes]) -> list[bytes]:
    """The same conversation, the last line of which is of this moment: what is made ahead is made for sessions at
    work."""
    last = datetime.fromisoformat(_TIME_RE.findall(turns[-1])[-1].decode())
    later = datetime.now(UTC) - last

    def moved(found: re.Match[bytes]) -> bytes:
        return canonical((datetime.fromisoformat(found[0].decode()) + later).isoformat()).encode()

    return [_TIME_RE.sub(moved, turn) for turn in turns]


def prompt_of(number: int) -> str:
    """Something to ask that nobody asked before."""
    return f"{_filled(Random(number), _ASKED[number % 4])} ({number})"


def _turn(turn: int, seed: int) -> list[Act]:
    chance = Random(turn * 1_000 + seed)
    folder = f"/home/dev/shop/src/{chance.choice(_PARTS)}"
    number = chance.randrange(400)
    return [
        human(_filled(chance, chance.choice(_ASKED))),
        read(f"{folder}/{chance.choice(_SORTS)}_{number}.py", "def run() -> None: ...\n" * 8),
        edit(f"{folder}/{chance.choice(_SORTS)}_{number}.py"),
        edit(f"{folder}/{chance.choice(_SORTS)}.py"),
        shell("pytest -q", f"{turn} passed in 0.10s"),
        agent(" ".join(_filled(chance, each) for each in chance.sample(_ANSWERED, 5))),
    ]


def _filled(chance: Random, template: str) -> str:
    part, sort = chance.choice(_PARTS), chance.choice(_SORTS)
    return template.format(
        part=part,
        sort=sort,
        sort2=chance.choice(_SORTS),
        tool=chance.choice(_TOOLS),
        other=chance.choice(_TOOLS),
        number=chance.randrange(2_000),
        name=f"{chance.choice(_SORTS)}_{part}_{chance.randrange(300)}",
    )
