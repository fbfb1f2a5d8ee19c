"""How much of the agents' logs was understood, by version of each agent: how a change of format shows. Pure.

    unknown types   records that no adapter knows
    new shapes      records of a known type that could not be read
    empty fields    what earlier versions' logs said and a later version's do not: a loss without an error

Reads heads alone, so that sessions that were dropped to disk count too. What it says never holds text of a log: the
agents' words for types and versions are let through only where they look like such words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.state.transcript import Transcript
from recapd.core.state.world import Source
from recapd.core.text import presentable

Field: TypeAlias = Literal["prompts", "replies", "times", "directory", "sessionIds", "toolCalls", "toolResults"]

# So many logs must say nothing, and so many must have said something before: fewer may be chance, such as a few runs
# without a network, which leave prompts without replies.
MIN_LOGS = 3
# Of the earlier logs at least this share said it, and of the later ones at most that: a log that was begun by an
# earlier version counts for the version that wrote to it last.
USUAL_SHARE, RARE_SHARE = 0.8, 0.1
# Prompts or calls that came to nothing, in all of those logs: somebody asked once and left.
MIN_UNITS = 10
# A log of fewer records may have ended before anybody said anything.
MIN_RECORDS = 10
# As the fold writes it where a log names no version.
NO_VERSION = "version unknown"
_ODD = "(odd)"
# Words for types and versions as agents use them: "response_item/message", "0.42.0-alpha.3".
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/+-]{0,59}")
_NUMBERS = re.compile(r"\d+")


class VersionFacts(Struct, frozen=True):
    """The logs that one version of an agent wrote."""

    agent: str
    format: str
    # "" where they do not say.
    version: str
    logs: int
    records: int
    unknown: dict[str, int]
    problems: int
    # Problems that are records of a new shape.
    shapes: int
    last_at: str
    empty: tuple[Field, ...] = ()
    # Unknown records in which something may have been said or done.
    unknown_words: int = 0


class Understanding(Struct, frozen=True):
    """All agents, each version of them, the latest first; and what the same walk over all sources counts."""

    versions: tuple[VersionFacts, ...] = ()
    # Logs with pieces that could not be read, how many pieces, and the log that was written to last.
    damaged_logs: int = 0
    damaged_pieces: int = 0
    damaged_uri: str = ""


def measure_understanding(sources: Iterable[Source]) -> Understanding:
    """Of logs that are there: what was deleted will not be understood any better."""
    groups: dict[tuple[str, str, str], _Group] = {}
    damaged_logs = damaged_pieces = 0
    latest, damaged_uri = "", ""
    for source in sources:
        if source.is_gone:
            continue
        transcript = source.transcript
        key = (source.agent, source.format, word(transcript.version) if transcript.version else "")
        if (group := groups.get(key)) is None:
            group = groups[key] = _Group()
        group.add(transcript)
        for name, count in transcript.unknown_types.items():
            kind, version = split_type(name)
            at = (source.agent, source.format, version)
            if (writer := groups.get(at)) is None:
                writer = groups[at] = _Group()
            writer.unknown[kind] = writer.unknown.get(kind, 0) + count
            writer.last_at = max(writer.last_at, transcript.last_at)
        if transcript.totals.problems:
            damaged_logs += 1
            damaged_pieces += transcript.totals.problems
            if transcript.last_at >= latest:
                latest, damaged_uri = transcript.last_at, source.uri
    versions = _with_empty(groups)
    versions.sort(key=lambda facts: (facts.last_at, version_key(facts.version)), reverse=True)
    return Understanding(tuple(versions), damaged_logs, damaged_pieces, damaged_uri)


def word(text: str) -> str:
    """A type or a version as it may be shown."""
    # A token looks like such a word too.
    return text if _WORD.fullmatch(text) and presentable(text) == text else _ODD


def split_type(name: str) -> tuple[str, str]:
    """Type and version of an entry of `Transcript.unknown_types`; the version is "" where it is unknown."""
    kind, found, version = name.rpartition(" (")
    if not found:
        return ("(others)" if name == "(others)" else _ODD), ""
    version = version.removesuffix(")")
    return word(kind), "" if version == NO_VERSION else word(version)


def version_key(version: str) -> tuple[int, ...]:
    """By this, versions are in order: 2.1.9 before 2.1.60."""
    return tuple(int(number[:12]) for number in _NUMBERS.findall(version))


class _Group:
    """The logs of one version while they are counted."""

    def __init__(self) -> None:
        self.logs = self.records = self.problems = self.shapes = self.unknown_words = 0
        self.last_at = ""
        self.unknown: dict[str, int] = {}
        # Occasions to say it (prompts that could be answered, calls that could have a result, or simply logs), logs
        # with such, and how many of those do say it.
        self.fields: dict[Field, list[int]] = {}

    def add(self, transcript: Transcript) -> None:
        totals = transcript.totals
        self.logs += 1
        self.records += totals.records
        self.problems += totals.problems
        self.unknown_words += transcript.unknown_words
        self.shapes += transcript.problem_kinds.get("shape", 0)
        self.last_at = max(self.last_at, transcript.last_at)
        if totals.records >= MIN_RECORDS:
            is_own = not transcript.subagent
            self._count("times", 1, bool(transcript.last_at))
            self._count("directory", 1, bool(transcript.cwd))
            if is_own:
                self._count("sessionIds", 1, bool(transcript.native_id))
                self._count("prompts", 1, totals.turns > 0)
        if totals.turns:
            self._count("replies", totals.turns, totals.exchanges > 0)
            self._count("toolCalls", totals.turns, totals.calls > 0)
        if totals.calls:
            self._count("toolResults", totals.calls, len(transcript.open_calls) < totals.calls)

    def _count(self, field: Field, units: int, is_said: bool) -> None:
        counts = self.fields.setdefault(field, [0, 0, 0])
        counts[0] += units
        counts[1] += 1
        counts[2] += is_said


_BY_LOGS: frozenset[Field] = frozenset(("times", "directory", "sessionIds", "prompts"))


def _with_empty(groups: dict[tuple[str, str, str], _Group]) -> list[VersionFacts]:
    """Each version with what it no longer says; each is compared with the earlier ones of the same agent."""
    found: list[VersionFacts] = []
    before: dict[tuple[str, str, Field], list[int]] = {}
    for (agent, format_name, version), group in sorted(groups.items(), key=lambda item: version_key(item[0][2])):
        empty: list[Field] = []
        for field, (units, logs, said) in group.fields.items():
            earlier = before.setdefault((agent, format_name, field), [0, 0])
            enough = MIN_LOGS if field in _BY_LOGS else MIN_UNITS
            was_usual = earlier[0] >= MIN_LOGS and earlier[1] >= USUAL_SHARE * earlier[0]
            if version and was_usual and said <= RARE_SHARE * logs and logs >= MIN_LOGS and units >= enough:
                # It does not count as what was usual: the next version is measured by the same.
                empty.append(field)
            elif version:
                earlier[0] += logs
                earlier[1] += said
        found.append(
            VersionFacts(
                agent,
                format_name,
                version,
                group.logs,
                group.records,
                group.unknown,
                group.problems,
                group.shapes,
                group.last_at,
                tuple(empty),
                group.unknown_words,
            )
        )
    return found
