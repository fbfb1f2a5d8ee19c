"""How a change of an agent's format shows, before anybody misses anything."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from recapd.core.state.cold import head_of
from recapd.core.state.understanding import Understanding, measure_understanding, split_type, version_key, word
from recapd.core.state.world import Source
from tests.support.following import fresh
from tests.support.logs import Act, agent, claude_log, codex_log, human, raw, shell

Mutation = Callable[[bytes], bytes]

TALK: tuple[Act, ...] = tuple(
    act
    for number in range(4)
    for act in (human(f"Please do part {number}"), shell("make test", "ok"), agent(f"Part {number} is done."))
)


def swapped(old: str, new: str) -> Mutation:
    return lambda log: log.replace(old.encode(), new.encode())


def without(pattern: str) -> Mutation:
    return lambda log: re.sub(pattern.encode(), b"", log)


def as_it_was(log: bytes) -> bytes:
    return log


def written(folder: Path, version: str, change: Mutation, *, logs: int = 3, acts: tuple[Act, ...] = TALK) -> list[Path]:
    """Logs that a version of Claude Code wrote."""
    paths = []
    for number in range(logs):
        log = claude_log(*acts, session=f"{version}-{number}").replace(b'"2.1.50"', f'"{version}"'.encode())
        paths.append(folder / f"{version}-{number}.jsonl")
        paths[-1].write_bytes(change(log))
    return paths


def understood(paths: list[Path], *, is_cold: bool) -> Understanding:
    sources = fresh(*paths).sources.values()
    return measure_understanding([head_of(source) for source in sources] if is_cold else sources)


def empty_in(understanding: Understanding) -> dict[str, tuple[str, ...]]:
    return {facts.version: facts.empty for facts in understanding.versions if facts.empty}


@pytest.mark.parametrize("is_cold", [False, True])
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (as_it_was, ()),
        (swapped('"content":[{"type":"text"', '"content":[{"type":"prose"'), ("replies",)),
        (without(r'"cwd":"[^"]*",'), ("directory",)),
        (without(r',"timestamp":"[^"]*"'), ("times",)),
        (swapped('"type":"tool_use"', '"type":"tool_call"'), ("toolCalls",)),
        (swapped('"type":"tool_result"', '"type":"tool_outcome"'), ("toolResults",)),
        (swapped('"role":"user","content":"', '"role":"user","body":"'), ("prompts",)),
    ],
)
def test_what_a_version_no_longer_says(
    change: Mutation, expected: tuple[str, ...], is_cold: bool, tmp_path: Path
) -> None:
    paths = [*written(tmp_path, "2.1.9", as_it_was), *written(tmp_path, "2.1.60", change)]
    found = empty_in(understood(paths, is_cold=is_cold))
    assert set(expected) <= set(found.get("2.1.60", ())) and set(found) <= {"2.1.60"}
    assert bool(found) == bool(expected)


NO_CWD = without(r'"cwd":"[^"]*",')
NO_REPLY = swapped('"content":[{"type":"text"', '"content":[{"type":"prose"')


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        # An earlier version that did not say it yet is no loss, and what one other version says is not usual.
        ([("2.1.9", NO_CWD, 3), ("2.1.60", as_it_was, 3)], {}),
        ([("2.1.9", NO_CWD, 3), ("2.1.10", as_it_was, 3), ("2.1.60", NO_CWD, 3)], {}),
        # Too few logs prove nothing, on either side.
        ([("2.1.9", as_it_was, 3), ("2.1.60", NO_CWD, 2)], {}),
        ([("2.1.9", as_it_was, 2), ("2.1.60", NO_CWD, 3)], {}),
        # The next version is measured by the same.
        (
            [("2.1.9", as_it_was, 3), ("2.1.60", NO_CWD, 9), ("2.1.61", NO_CWD, 3)],
            {"2.1.60": ("directory",), "2.1.61": ("directory",)},
        ),
        # Several earlier versions together are enough.
        ([("2.1.8", as_it_was, 1), ("2.1.9", as_it_was, 2), ("2.1.60", NO_CWD, 3)], {"2.1.60": ("directory",)}),
    ],
)
def test_versions_are_compared_with_care(
    versions: list[tuple[str, Mutation, int]], expected: dict[str, tuple[str, ...]], tmp_path: Path
) -> None:
    paths = [path for version, change, logs in versions for path in written(tmp_path, version, change, logs=logs)]
    assert empty_in(understood(paths, is_cold=False)) == expected


def test_prompts_that_nobody_answered_are_no_change_of_format(tmp_path: Path) -> None:
    """Without a network, three sessions of one prompt each have no reply."""
    paths = written(tmp_path, "2.1.9", as_it_was)
    paths += written(tmp_path, "2.1.60", as_it_was, acts=(human("Are you there?"),))
    assert empty_in(understood(paths, is_cold=False)) == {}


def test_unknown_types_belong_to_the_version_that_wrote_them(tmp_path: Path) -> None:
    news = raw(b'{"type":"holo-gram","uuid":"u","sessionId":"s","version":"2.1.60","timestamp":"2026-03-01T09:00:00Z"}')
    paths = written(tmp_path, "2.1.9", as_it_was)
    paths += written(tmp_path, "2.1.60", as_it_was, acts=(*TALK, news, news))
    codex = tmp_path / "codex.jsonl"
    codex.write_bytes(codex_log(*TALK, raw(b'{"type":"dream","payload":{}}')))
    understanding = understood([*paths, codex], is_cold=True)
    unknown = {(facts.agent, facts.version): facts.unknown for facts in understanding.versions if facts.unknown}
    assert unknown == {("claude-code", "2.1.60"): {"holo-gram": 6}, ("codex", "0.80.0"): {"dream": 1}}


def test_damage_is_counted_and_the_latest_named(tmp_path: Path) -> None:
    whole, torn = written(tmp_path, "2.1.9", as_it_was, logs=2)
    torn.write_bytes(claude_log(*TALK, raw(b'{"type":"user"'), raw(b"nonsense"), human("Go on")))
    found = understood([whole, torn], is_cold=False)
    assert (found.damaged_logs, found.damaged_pieces, found.damaged_uri) == (
        1,
        2,
        torn.as_uri(),
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("foo (2.1.60)", ("foo", "2.1.60")),
        ("response_item/message (version unknown)", ("response_item/message", "")),
        ("(others)", ("(others)", "")),
        (" (1.0)", ("(odd)", "1.0")),
        ("my password is hunter2 (2.1.60)", ("(odd)", "2.1.60")),
        ("foo (call me (maybe))", ("(odd)", "(odd)")),
        ("foo\x1b[31m (2.1)", ("(odd)", "2.1")),
        ("f" * 61 + " (1)", ("(odd)", "1")),
    ],
)
def test_only_words_that_may_be_shown_are_named(name: str, expected: tuple[str, str]) -> None:
    assert split_type(name) == expected


def test_versions_are_in_order() -> None:
    ordered = ["", "0.9", "1.0.64-1", "1.0.64-3", "1.0.68", "2.1.9", "2.1.60", "9" * 5000]
    assert sorted(sorted(ordered), key=version_key) == ordered
    assert word("0.42.0-alpha.3") == "0.42.0-alpha.3"


def test_nothing_is_covered_by_nothing() -> None:
    sources: list[Source] = []
    assert measure_understanding(sources) == Understanding()
