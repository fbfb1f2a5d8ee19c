"""What the logs themselves give reason to say: agents that changed their format, and damage. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recapd.core.log import from_epoch
from recapd.core.state import Understanding, VersionFacts, version_key
from recapd.core.text import presentable_path
from recapd.server.workspaces import path_of
from recapd.wire.types import StatusFinding

# So many records of unknown types, and this share of all, are more than an oddity.
MANY_UNKNOWN, UNKNOWN_SHARE = 10, 0.01
# Versions that wrote nothing for so long have been left behind: what they wrote stays as it is.
RECENT_S = 30 * 86_400
# Types named in one sentence.
_NAMED = 5
_NEWER = "look for a newer recapd: pip install --upgrade recapd"
_FIELDS = {
    "prompts": "prompts",
    "replies": "replies",
    "times": "times",
    "directory": "working directory",
    "sessionIds": "session ids",
    "toolCalls": "tool calls",
    "toolResults": "results of tool calls",
}


def find_drift(understanding: Understanding, *, now_ns: int) -> Iterator[StatusFinding]:
    """One finding per agent and kind, however many of its versions it is about; those left behind are told apart."""
    oldest = from_epoch(now_ns / 1e9 - RECENT_S)
    for agent in sorted({facts.agent for facts in understanding.versions}):
        versions = [facts for facts in understanding.versions if facts.agent == agent]
        # Without times nobody knows how old it is.
        recent = [facts for facts in versions if not facts.last_at or facts.last_at >= oldest]
        yield from _changed(agent, recent, is_recent=True)
        yield from _changed(agent, [facts for facts in versions if facts not in recent], is_recent=False)


def _changed(agent: str, versions: Sequence[VersionFacts], *, is_recent: bool) -> Iterator[StatusFinding]:
    if empty := [facts for facts in versions if facts.empty]:
        fields = dict.fromkeys(_FIELDS[field] for facts in empty for field in facts.empty)
        logs = sum(facts.logs for facts in empty)
        said = f": no {' and no '.join(fields)} in {count_in_words(logs, 'log')}, where earlier versions had them"
        yield _finding("emptyFields", agent, empty, said=said, count=logs, is_much=is_recent)
    if unknown := [facts for facts in versions if facts.unknown]:
        counts: dict[str, int] = {}
        for facts in unknown:
            for kind, count in facts.unknown.items():
                counts[kind] = counts.get(kind, 0) + count
        said = f" writes records recapd does not know: {_listed(counts)}"
        total = sum(counts.values())
        # What holds nothing that was said or done leaves no answer incomplete.
        is_much = is_recent and _is_much(sum(facts.unknown_words for facts in versions), unknown)
        yield _finding("unknownRecords", agent, unknown, said=said, count=total, is_much=is_much)
    if shapes := [facts for facts in versions if facts.shapes]:
        total = sum(facts.shapes for facts in shapes)
        said = f" writes {count_in_words(total, 'record')} in a shape recapd does not know"
        is_much = is_recent and _is_much(total, shapes)
        yield _finding("newShape", agent, shapes, said=said, count=total, is_much=is_much)


def _finding(
    kind: str, agent: str, versions: Sequence[VersionFacts], *, said: str, count: int, is_much: bool
) -> StatusFinding:
    return StatusFinding(
        kind=kind,
        level="warning" if is_much else "notice",
        message=_writers(agent, versions) + said,
        action=_NEWER,
        agent=agent,
        agent_version=min((each.version for each in versions if each.version), key=version_key, default=None),
        count=count,
    )


def find_damage(understanding: Understanding) -> Iterator[StatusFinding]:
    pieces = understanding.damaged_pieces - sum(facts.shapes for facts in understanding.versions)
    if pieces > 0:
        yield StatusFinding(
            kind="damaged",
            level="notice",
            message=f"{count_in_words(pieces, 'damaged piece')} of "
            f"{count_in_words(understanding.damaged_logs, 'log')} passed over, "
            f"the latest in {shown_path(understanding.damaged_uri)}",
            source=understanding.damaged_uri,
            count=pieces,
        )


def _is_much(amiss: int, versions: Sequence[VersionFacts]) -> bool:
    return amiss >= MANY_UNKNOWN and amiss >= UNKNOWN_SHARE * sum(facts.records for facts in versions)


def _writers(agent: str, versions: Sequence[VersionFacts]) -> str:
    names = sorted({facts.version for facts in versions if facts.version}, key=version_key)
    if len(names) < 2:
        return f"{agent} {names[0]}" if names else agent
    return f"{agent} {names[0]} to {names[-1]}"


def _listed(counts: dict[str, int]) -> str:
    most = sorted(counts.items(), key=lambda item: -item[1])
    named = ", ".join(f"{kind} ({count})" for kind, count in most[:_NAMED])
    return f"{named}, …" if len(most) > _NAMED else named


def count_in_words(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def shown_path(uri: str) -> str:
    """A path as it may be shown: names of files are as untrusted as what is in them."""
    return presentable_path(path_of(uri))
