"""Which value of a configuration wins, what a workspace may say, and what presets stand for."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from recapd.core.settings import DEFAULTS
from recapd.daemon.config import docs as config_docs
from recapd.daemon.config.configuration import Configuration, read_configuration
from recapd.daemon.config.dialects import usable_dialects
from recapd.daemon.config.layers import WORKSPACE_FILE, is_of_a_workspace
from recapd.daemon.config.presets import PRESETS, SETTLED, SPELLINGS
from recapd.daemon.config.setting_keys import Value, check_value, keys, sections
from tests.support.configurations import in_workspace, other_values, read, value_of

ALL = list(keys().values())


# ---- which value wins


def test_precedence(tmp_path: Path) -> None:
    key = "recap.full_decisions"
    user = 'preset = "gitclaw"\n[recap]\nfull_decisions = 7\n'
    workspace = "[recap]\nfull_decisions = 8\n"
    steps: list[tuple[Callable[[], Configuration], tuple[object, str, str]]] = [
        (lambda: read(tmp_path), (10, "default", "")),
        (lambda: read(tmp_path, 'preset = "gitclaw"'), (5, "preset", str(tmp_path / "config.toml"))),
        (lambda: read(tmp_path, user), (7, "user", str(tmp_path / "config.toml"))),
        (lambda: in_workspace(tmp_path, workspace, user=user), (8, "workspace", str(tmp_path / WORKSPACE_FILE))),
        (lambda: read(tmp_path, user, RECAPD_RECAP_FULL_DECISIONS="9"), (9, "environment", "")),
    ]
    for made, expected in steps:
        found = made()
        entry = next(each for each in found.effective(str(tmp_path)) if each.key == key)
        assert (entry.value, entry.source, entry.path) == expected
        assert value_of(found.settings_for(str(tmp_path)), key) == expected[0]


def test_a_workspace_counts_for_its_own_sessions_only(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "api").mkdir()
    (tmp_path / "else").mkdir()
    found = in_workspace(shop, "[recap]\nmin_turns = 2\n")
    threshold = {
        name: found.settings_for(str(tmp_path / name)).recap.min_turns
        for name in ("shop", "shop/api", "shop/gone", "else", "shopping")
    }
    assert threshold == {"shop": 2, "shop/api": 2, "shop/gone": 2, "else": 3, "shopping": 3}
    assert found.settings_for("relative/folder").recap.min_turns == found.settings.recap.min_turns == 3


def test_above_a_checkout_nobody_decides_for_it(tmp_path: Path) -> None:
    (tmp_path / WORKSPACE_FILE).write_text("[recap]\nmin_turns = 2\n")
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "loose").mkdir()
    found = read(tmp_path)
    assert found.settings_for(str(tmp_path / "shop")).recap.min_turns == 3
    assert found.settings_for(str(tmp_path / "loose")).recap.min_turns == 3


def test_features_of_single_sessions(tmp_path: Path) -> None:
    switches = '[sessions."x:1"]\nrecap = false\nsummary = false\n[sessions."x:2"]\nrecap = true\n'
    found = in_workspace(tmp_path, "[recap]\nenabled = false\n", user=switches)
    here = str(tmp_path)
    assert [found.settings_for(None, each).recap.enabled for each in ("x:1", "x:2", "x:3")] == [False, True, True]
    assert [found.settings_for(here, each).recap.enabled for each in ("x:1", "x:2", "x:3")] == [False, True, False]
    assert not found.settings_for(here, "x:1").summary.enabled and found.settings_for(here, "x:1").decisions.enabled
    # The environment is the last word, for whoever has to stop everything at once.
    stopped = read(tmp_path, switches, RECAPD_RECAP_ENABLED="off")
    assert not stopped.settings_for(None, "x:2").recap.enabled


def test_values_that_contradict_each_other(tmp_path: Path) -> None:
    found = in_workspace(
        tmp_path,
        "[digest]\nmin_chunk_chars = 90\nmax_chunk_chars = 50\n",
        user="[recap_file]\nquiet_s = 40\nmax_s = 20\n",
    )
    assert found.settings_for(str(tmp_path)) == DEFAULTS
    own, workspaces = (tuple(map(str, each)) for each in (found.troubles(), found.troubles(str(tmp_path))))
    assert ["recap_file.quiet_s is 40" in each for each in own] == [True]
    assert len(workspaces) == 2 and len(found.all_troubles()) == 2
    assert read(tmp_path, "[recap_file]\nquiet_s = 40\nmax_s = 50\n").settings.recap_file.quiet_s == 40


@pytest.mark.parametrize(
    ("text", "names", "problems"),
    [
        ("{good}{bad}[recap]\nmin_turns = two\n", ["good"], 2),
        ("{bad}{good}{bad}", ["good"], 2),
        ("{good}{good}", ["good"], 1),
        ("dialect = 5", [], 1),
    ],
)
def test_one_bad_dialect_costs_only_itself(text: str, names: list[str], problems: int, tmp_path: Path) -> None:
    good = '[[dialect]]\nname = "good"\nrole = "r"\ntext = "t"\n'
    found = read(tmp_path, text.format(good=good, bad='[[dialect]]\nname = "bad"\n'))
    assert [dialect.name for dialect in usable_dialects(tmp_path / "config.toml")] == names
    assert len(found.troubles()) == problems


def test_the_same_settings_are_the_same_object(tmp_path: Path) -> None:
    found = in_workspace(tmp_path, "[recap]\nmin_turns = 2\n")
    assert found.settings_for(str(tmp_path), "x:1") is found.settings_for(str(tmp_path), "x:2")
    assert read(tmp_path).settings is DEFAULTS


# ---- what a workspace may say


@pytest.mark.parametrize("section", [name for name in sections() if not is_of_a_workspace(name)])
def test_a_workspace_cannot_set_what_is_its_users(section: str, tmp_path: Path) -> None:
    for key in (each for each in ALL if each.section == section):
        value = config_docs.write_toml_value(other_values(key)[0])
        found = in_workspace(tmp_path, f"[{section}]\n{key.field} = {value}\n[recap]\nmin_turns = 2\n")
        (problem,) = map(str, found.troubles(str(tmp_path)))
        assert f"{key.name}: belongs in the user's own file" in problem
        assert found.settings_for(str(tmp_path)) == in_workspace(tmp_path, "[recap]\nmin_turns = 2").settings_for(
            str(tmp_path)
        )


@pytest.mark.parametrize(
    ("workspace", "name", "expected", "is_refused"),
    [
        ("[summary]\nenabled = true", "summary.enabled", False, True),
        ("[recap_file]\nenabled = true", "recap_file.enabled", False, True),
        ('[sessions."x:1"]\nsummary = true', "summary.enabled", False, True),
        ('[sessions."x:1"]\nrecap = true', "recap.enabled", True, False),
        ("[recap]\nenabled = true", "recap.enabled", True, False),
        ('preset = "mindloop"', "llm.retries", 2, False),
        ('preset = "mindloop"', "summary.voice", "first", False),
        ('preset = "mindloop"\nmodel = "another"', "llm.model", "claude-haiku-4-5", True),
        ('[[dialect]]\nname = "x"', "recap.enabled", False, True),
    ],
)
def test_a_workspace_can_give_up_and_not_take(
    workspace: str, name: str, expected: object, is_refused: bool, tmp_path: Path
) -> None:
    user = "[summary]\nenabled = false\n[recap_file]\nenabled = false\n[recap]\nenabled = false\n"
    found = in_workspace(tmp_path, workspace, user=user)
    assert value_of(found.settings_for(str(tmp_path), "x:1"), name) == expected
    assert bool(found.troubles(str(tmp_path))) == is_refused


def a_link(path: Path) -> None:
    (path.parent / "secrets.toml").write_text("[recap]\nmin_turns = 2\n")
    path.symlink_to(path.parent / "secrets.toml")


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_giant(path: Path) -> None:
    path.write_text("#" * (2 << 20))


def a_folder(path: Path) -> None:
    path.mkdir()


def bytes_that_are_no_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")


@pytest.mark.parametrize("make", [a_link, a_pipe, a_giant, a_folder, bytes_that_are_no_text])
def test_what_a_checkout_may_hold_instead_of_a_file(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / WORKSPACE_FILE)
    found = read(tmp_path)
    assert found.settings_for(str(tmp_path)) == DEFAULTS
    (problem,) = map(str, found.troubles(str(tmp_path)))
    assert WORKSPACE_FILE in problem


def test_a_users_file_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles.toml").write_text("[recap]\nmin_turns = 2\n")
    (tmp_path / "link.toml").symlink_to(tmp_path / "dotfiles.toml")
    assert read_configuration(str(tmp_path / "link.toml"), {}).settings.recap.min_turns == 2


# ---- presets


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_made_of_settings(preset: str, tmp_path: Path) -> None:
    values: Mapping[str, Value] = PRESETS[preset]
    for name, value in values.items():
        assert check_value(keys()[name], list(value) if isinstance(value, tuple) else value) == value
    found = read(tmp_path, f'preset = "{preset}"')
    assert found.troubles() == () and found.settings.context.preset == preset
    assert {each.key: each.value for each in found.effective() if each.source == "preset"} == dict(values)
    assert read(tmp_path, RECAPD_PRESET=preset).settings == found.settings


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        (
            "gitclaw",
            {"recap.turn_threshold": 5, "recap.format": "short", "recap.short_decisions": 1, "recap.gap_minutes": 0},
        ),
        ("mindloop", {"recap.full_max_tokens": 1000, "digest.novelty": 0, "digest.centrality": 0, "digest.recency": 1}),
        ("know-thyself", {"summary.every_messages": 20, "window.unit": "exchanges", "window.size": 10}),
        ("mycode", {"summary.every_messages": 50, "window.unit": "messages", "summary.target_compression": 0.3}),
        ("apex", {"decisions.who": ("agent",), "recap.full_decisions": 5}),
    ],
)
def test_what_a_preset_stands_for(preset: str, expected: dict[str, object], tmp_path: Path) -> None:
    settings = read(tmp_path, f'preset = "{preset}"').settings
    assert {name: value_of(settings, name) for name in expected} == expected


GITCLAW = """
enabled = false
turnThreshold = 7
format = "full"
showDecisions = false
collapsible = true
maxRecapTokens = 150
"""
MYCODE = """
enabled = false
trigger_threshold = 60
target_compression = 0.2
preserve_recent = 6
preserve_system = true
model = "m"
"""
SEEDS = [
    ("gitclaw", GITCLAW),
    ("mindloop", "budget = 700\nmodel = 'm'\nworkers = 2"),
    ("know-thyself", "MESSAGES_PER_SUMMARY = 30\nVERBATIM_WINDOW = 5\nSUMMARY_MODEL = 'm'"),
    ("mycode", MYCODE),
]


@pytest.mark.parametrize(("preset", "text"), SEEDS)
def test_a_configuration_of_the_design_itself_is_understood(preset: str, text: str, tmp_path: Path) -> None:
    document = tomllib.loads(text)
    assert document.keys() == SPELLINGS[preset].keys() | SETTLED.get(preset, {}).keys()
    found = read(tmp_path, f'preset = "{preset}"\n{text}\n')
    assert found.troubles() == ()
    for name, value in document.items():
        if name in SPELLINGS[preset]:
            assert value_of(found.settings, SPELLINGS[preset][name]) == value
    # Without the preset the words mean nothing, and whoever wrote them is told what to do.
    bare = read(tmp_path, text)
    assert len(bare.troubles()) == len(document) and bare.settings == DEFAULTS


def test_our_own_spelling_counts_over_the_designs(tmp_path: Path) -> None:
    for text in ("turnThreshold = 7\n[recap]\nturn_threshold = 9\n",):
        assert read(tmp_path, f'preset = "gitclaw"\n{text}').settings.recap.turn_threshold == 9


def test_every_preset_has_words_or_none() -> None:
    assert SPELLINGS.keys() == PRESETS.keys()
    assert {name for words in SPELLINGS.values() for name in words.values()} <= keys().keys()


def test_gitclaws_own_file_is_read_as_it_is(tmp_path: Path) -> None:
    given = {"enabled": True, "turnThreshold": 9, "format": "full", "collapsible": True, "maxRecapTokens": 150}
    (tmp_path / ".GITCLAW").mkdir()
    (tmp_path / ".GITCLAW" / "recap.json").write_text(json.dumps({**given, "colour": "red"}))
    found = read(tmp_path, "").settings_for(str(tmp_path)).recap
    assert (found.turn_threshold, found.format, found.collapsible, found.short_max_tokens) == (9, "full", True, 150)
    assert found.style == "gitclaw"
    (trouble,) = read(tmp_path, "").troubles(str(tmp_path))
    assert "colour" in str(trouble)
    assert in_workspace(tmp_path, "[recap]\nturn_threshold = 7\n").settings_for(str(tmp_path)).recap.turn_threshold == 7


@pytest.mark.parametrize("text", ["[]", "{", "5", ""])
def test_a_file_of_gitclaws_that_is_no_object_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / ".GITCLAW").mkdir()
    (tmp_path / ".GITCLAW" / "recap.json").write_text(text)
    (trouble,) = read(tmp_path, "").troubles(str(tmp_path))
    assert "recap.json" in str(trouble) and "JSON object" in str(trouble)
