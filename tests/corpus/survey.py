"""Reading a folder of real logs, and counting what came of every line. Used by the corpus tests and the report."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from recapd.core.log.effects import join_path
from recapd.core.state.transcript import Transcript
from recapd.core.state.world import World, fold
from recapd.daemon.log_files.reading import UnreadableLog, batches, last_batches, open_log


class Survey(Struct, frozen=True):
    """One log, read to its end."""

    path: Path
    agent: str
    transcript: Transcript
    # Lines that are not blank, and how many of them gave neither a record nor a problem.
    lines: int
    unaccounted: int


class Comparison(Struct, frozen=True):
    """The differences between our reading of a log and another, by kind."""

    kinds: Counter[str]
    unexplained: tuple[str, ...]


def logs_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "MANIFEST.tsv")


def survey(path: Path) -> Survey | str:
    """The log's survey, or the one sentence that refuses it."""
    try:
        log = open_log(path)
        world = World()
        accounted: set[int] = set()
        transcript = None
        for batch in batches(log):
            accounted |= {record.place.line for record in batch.records}
            accounted |= {problem.place.line for problem in batch.problems}
            world, _ = fold(world, batch)
            source = list(world.sources.values())[-1]
            transcript, carry = source.transcript, source.carry
    except UnreadableLog as error:
        return str(error)
    assert transcript is not None
    if log.adapter.split is None and (rest := last_batches(log, carry)):
        from recapd.core.state.folding import extend

        transcript = extend(transcript, [record for batch in rest for record in batch.records])
        accounted.add(carry.line)
    if log.adapter.split is not None:
        return Survey(path, log.adapter.name, transcript, transcript.totals.records, 0)
    numbers = {number for number, line in enumerate(path.read_bytes().split(b"\n"), 1) if line.strip()}
    if rest_is_torn := (carry.rest and carry.line not in accounted):
        # A last line without its newline waits for its rest: it is known, not lost.
        numbers.discard(carry.line)
    return Survey(path, log.adapter.name, transcript, len(numbers) + bool(rest_is_torn), len(numbers - accounted))


def load_reference(script: Path) -> Any:
    """The module that reads logs independently: it offers facts(path)."""
    spec = importlib.util.spec_from_file_location("reference_reading", script)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare(found: Survey, reference: dict[str, Any], its_tools: Collection[str] = ()) -> Comparison:
    """Turns, calls, failures and written files against another reading; what is known to differ is counted by kind.
    `its_tools`: by which tools it takes a file for written, where it says so."""
    transcript = found.transcript
    kinds: Counter[str] = Counter()
    unexplained: list[str] = []
    ours = {turn.request.place.line: turn for turn in transcript.turns if turn.request.kind == "typed"}
    theirs: dict[int, str] = dict(reference["turns"])
    kinds["queued prompts"] += sum(turn.request.kind == "queued" for turn in transcript.turns)
    kinds["abandoned branches"] += transcript.totals.abandoned_turns
    for line in theirs.keys() - ours.keys():
        kind = _why_only_there(theirs[line].lstrip())
        unexplained += [] if kind else [f"line {line}: a turn only there"]
        kinds[kind] += bool(kind)
    damaged = {problem.place.line for problem in transcript.problems}
    for line in ours.keys() - theirs.keys():
        kind = _why_only_here(found.path, line, damaged)
        unexplained += [] if kind else [f"line {line}: a turn only here"]
        kinds[kind] += bool(kind)
    kinds["IDE prefixes"] += sum(
        1
        for line in ours.keys() & theirs.keys()
        if theirs[line].lstrip().startswith(("<ide_", "# Context from my IDE"))
    )
    told = _told_as_failed(found.path) if transcript.totals.failed_calls > reference["failed"] else 0
    kinds["failed by what a tool of a bridge says"] += told
    for name, count, expected in (
        ("calls", transcript.totals.calls, reference["calls"]),
        ("failed calls", transcript.totals.failed_calls, reference["failed"]),
        ("compactions", transcript.totals.compactions, reference["compactions"]),
    ):
        if name == "failed calls":
            count -= told
        if count != expected and not damaged:
            unexplained.append(f"{name}: {count} here, {expected} there")
    written, shell_only = written_files(transcript)
    known = {whole(path, transcript) for path in reference["written"]}
    here = {whole(path, transcript): path for path in written}
    tools = {fact.path: set(fact.tools) for fact in transcript.files}
    for full, path in here.items():
        if full in known:
            continue
        if path in shell_only:
            kinds["shell-only file effects"] += 1
        elif its_tools and tools[path].isdisjoint(its_tools):
            kinds["tools only known here"] += 1
        else:
            unexplained.append(f"written only here: {path}")
    refused = {whole(fact.path, transcript) for fact in transcript.files if fact.failed} if told else set()
    unexplained += [f"written only there: {path}" for path in sorted(known - here.keys() - refused)]
    return Comparison(+kinds, tuple(unexplained))


def _told_as_failed(path: Path) -> int:
    """Results of calls that went well, and in which the tool itself says that it failed."""
    count = 0
    for raw in path.read_bytes().split(b"\n"):
        if b'"toolResult"' in raw and b'"details"' in raw:
            message = json.loads(raw)["message"]
            details = message.get("details")
            count += not message.get("isError") and isinstance(details, dict) and details.get("status") == "error"
    return count


def _why_only_there(text: str) -> str:
    """Why another reading takes for a turn what nobody typed."""
    if text.startswith("<ide_"):
        return "IDE prefixes"
    return "asked by the harness before it compacts" if text.startswith("Pre-compaction memory flush") else ""


def _why_only_here(path: Path, line: int, damaged: set[int]) -> str:
    """Why another reading does not see a turn: its line is damaged, the prompt stands behind an injected prefix, or
    nothing but its role says that it is a message."""
    if line in damaged:
        return "saved from damaged lines"
    raw = path.read_bytes().split(b"\n")[line - 1]
    payload = json.loads(raw).get("payload")
    if isinstance(payload, dict) and "role" in payload and "type" not in payload:
        return "messages known by their role"
    return "IDE prefixes" if b"<system-reminder>" in raw else ""


def written_files(transcript: Transcript) -> tuple[set[str], set[str]]:
    """Files the main agent changed, and those of them that shell commands touched, perhaps alone."""
    changed = {fact.path: fact for fact in transcript.files if fact.action != "read" and not fact.via}
    shells = {path for path, fact in changed.items() if any(_is_shell(tool) for tool in fact.tools)}
    return set(changed), shells


def whole(path: str, transcript: Transcript) -> str:
    return path if path.startswith("/") else join_path(next(iter(transcript.cwds), ""), path)


def rows_by_agent(surveys: list[Survey]) -> Iterator[tuple[str, list[Survey]]]:
    for agent in sorted({each.agent for each in surveys}):
        yield agent, [each for each in surveys if each.agent == agent]


def _is_shell(tool: str) -> bool:
    return tool.lower() in ("bash", "exec", "shell", "shell_command", "exec_command")
