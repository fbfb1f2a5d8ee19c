"""What keeps the house in order: imports flow one way and through doors, start-up is light, the top level holds what it
should."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from recapd.core.settings import LlmSettings
from recapd.daemon.models.providers import PROVIDERS
from recapd.wire.methods import METHODS
from tests.support.house import method_sets, mutable_globals, read_house, shared_prefixes

ROOT = Path(__file__).parent.parent
TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "recapd", "clients", "protocol", "tests"}
HOUSE = read_house(ROOT)
CACHE_RE = re.compile(r"^\s*@(?:functools\.)?(?:lru_)?cache\b", re.MULTILINE)

# How many names others may take through each door. A number may fall, and is then lowered; to raise one is a decision.
WIDTHS = {
    "adapters.shared": 33,
    "bridges.install": 7,
    "core.commands": 23,
    "core.decisions": 21,
    "core.decisions.find": 9,
    "core.log": 57,
    "core.reading": 10,
    "core.retrieval": 24,
    "core.state": 102,
    "core.summaries": 42,
    "core.summaries.digest": 18,
    "core.text": 91,
    "core.views.context": 20,
    "core.views.recap": 48,
    "core.why": 14,
    "daemon.config": 21,
    "daemon.encoding": 17,
    "daemon.lifecycle": 16,
    "daemon.log_files": 30,
    "daemon.store": 7,
    "daemon.models": 8,
    "daemon.models.providers": 11,
    "server.transport": 7,
}
# Of a door that is not named.
NARROW = 6
# As wide as the protocol.
OPEN = {"wire.types"}


def test_import_contracts() -> None:
    # In a process of its own: import-linter silences every logger of the one it runs in.
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_nobody_walks_past_a_door() -> None:
    assert HOUSE.past_doors() == []


def test_a_door_says_what_may_be_used_and_all_of_it_is() -> None:
    for door, names in HOUSE.names_through_doors().items():
        if door.removeprefix("recapd.") in OPEN:
            continue
        offered = HOUSE.sources[door]
        assert [name for name in sorted(names) if name not in offered] == [], door


def test_doors_grow_no_wider() -> None:
    found = {door.removeprefix("recapd."): len(names) for door, names in HOUSE.names_through_doors().items()}
    wider = {door: width for door, width in found.items() if width > WIDTHS.get(door, NARROW) and door not in OPEN}
    assert wider == {}


def test_three_files_with_one_prefix_are_a_folder() -> None:
    assert shared_prefixes(HOUSE, files=3) == []


def folders_on_the_map() -> set[str]:
    """`daemon/encoding`, `store` are two folders of the daemon's."""
    code_map = (ROOT / "recapd" / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Code map")[2]
    found: set[str] = set()
    for row in re.findall(r"^\| (`.+?`) \|", code_map.partition("###")[0], re.MULTILINE):
        first, *others = re.findall(r"`([\w/]+)`", row)
        above = first.rpartition("/")[0]
        found |= {first, *(f"{above}/{other}" if above else other for other in others)}
    return found


def test_every_folder_stands_on_the_map_and_no_other() -> None:
    package = ROOT / "recapd"
    tracked = subprocess.run(["git", "ls-files"], cwd=package, capture_output=True, text=True, check=False).stdout
    files = [Path(line).parts for line in tracked.splitlines()]
    found = {"/".join(parts[: 2 if parts[0] in ("core", "daemon") else 1]) for parts in files if len(parts) > 1}
    assert folders_on_the_map() - {"daemon"} == {each for each in found if not each.endswith(".py")}


def test_the_core_remembers_nothing() -> None:
    found = {
        module: names
        for module, source in HOUSE.sources.items()
        if module.startswith("recapd.core") and (names := mutable_globals(source))
    }
    assert found == {}


# What the core may keep between two calls: what tiny functions of short texts made last, each for a reason that stands
# beside it. What was made of sessions belongs to their memories (core.state.memory), which the shell keeps and drops.
CACHES = {
    "core.commands.hints.hints_of": 8,
    "core.commands.names.resolved_commands": 8,
    "core.commands.words.simple_commands": 8,
    "core.decisions.find.assent.answer_in": 64,
    "core.decisions.find.content.names_of": 512,
    "core.decisions.find.content.words_of": 512,
    "core.decisions.find.features._ends_pointing_back": 512,
    "core.decisions.find.features._text_features": 512,
    "core.decisions.find.features.verb_features": 512,
    "core.decisions.find.lexicon._groups_of": 4_096,
    "core.decisions.find.lexicon.heard_in": 2_048,
    "core.decisions.find.plain._form_of": 512,
    "core.decisions.find.telling.telling": 512,
    "core.decisions.find.units.units_of": 64,
    "core.decisions.kinds.values_in": 512,
    "core.decisions.terms._stance_of": 64,
    "core.decisions.terms._topic_of": 64,
    "core.decisions.words._begins_in": 512,
    "core.log.times.a_day_after": 8,
    # As many as there are shapes of tokens in its table.
    "core.secrets.tokens._body": None,
    "core.state.outcomes._ran": 64,
    "core.text.excerpts._remembered": 4_096,
    "core.text.excerpts.presentable_path": 1_024,
    "core.text.likeness._features": 4_096,
}


def test_the_core_caches_tiny_texts_only() -> None:
    found = {}
    for module in [module for module in HOUSE.sources if module.startswith("recapd.core")]:
        for name, made in vars(import_module(module)).items():
            # Where it is defined, not where it is imported.
            if hasattr(made, "cache_parameters") and made.__module__ == module:
                found[f"{module.removeprefix('recapd.')}.{name}"] = made.cache_parameters()["maxsize"]
    assert found == CACHES
    decorated = sum(len(CACHE_RE.findall(source)) for name, source in HOUSE.sources.items() if ".core" in name)
    # None is hidden in a class or a function.
    assert decorated == len(CACHES)


METHOD_NAMES = frozenset(method.name for method in METHODS)


def test_what_methods_have_in_common_is_in_their_table() -> None:
    found = {
        module: sets
        for module, source in HOUSE.sources.items()
        if module != "recapd.wire.methods" and (sets := method_sets(source, METHOD_NAMES))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        ('QUICK = frozenset({"recap/get", "files/list"})', True),
        ('ANSWERS = {"recap/get": get, "files/list": list_files}', True),
        (
            'def run(name):\n    return 1 if name == "recap/get" else 2 if name == "files/list" else 3',
            True,
        ),
        ('def run(name):\n    match name:\n        case "recap/get" | "files/list":\n            return 1', True),
        ('SPOKEN = {"initialize": greet, "shutdown": end, "recap/get": get}', False),
        ('def run(name):\n    ask("files/list")\n    return ask("recap/get") if name == "recap/get" else None', False),
    ],
)
def test_what_is_a_set_of_methods(source: str, is_one: bool) -> None:
    assert bool(method_sets(source, METHOD_NAMES)) is is_one


# Of a provider of models the settings say what it is called and what kind it is; all else is in its file and its row.
PROVIDER_NAMES = frozenset(get_args(get_type_hints(LlmSettings)["provider"]))
COMPARES_PROVIDER_RE = re.compile(r"\.provider (?:==|!=|in|not in) (.+)")


def test_a_provider_of_models_is_a_row_and_a_name() -> None:
    assert set(PROVIDERS) == PROVIDER_NAMES - {"none"}
    found = [
        module
        for module, source in HOUSE.sources.items()
        if not module.startswith("recapd.daemon.models.providers") and module != "recapd.core.settings"
        for compared in COMPARES_PROVIDER_RE.findall(source)
        if any(f'"{name}"' in compared for name in PROVIDER_NAMES - {"none"})
    ]
    assert found == []


# What a page is made of, and what clients are told that it may be made of: see ViewSectionName.
SECTION_RE = re.compile(r"\bSection\(\s*\"(\w+)\"")


def test_every_section_of_a_recap_stands_in_the_protocol() -> None:
    schema = json.loads((ROOT / "protocol" / "schema.json").read_text("utf-8"))
    named = {
        name
        for module, source in HOUSE.sources.items()
        if module.startswith("recapd.core.views.recap")
        for name in SECTION_RE.findall(source)
    }
    assert "decisions" in named and sorted(named - set(schema["$defs"]["ViewSectionName"]["x-known-values"])) == []


@pytest.mark.parametrize("name", ["CHANGELOG.md", "protocol/CHANGELOG.md"])
def test_a_changelog_says_each_thing_once(name: str) -> None:
    """Lines that begin alike are two states of one line, put together by a merge."""
    begun = Counter(line[:60] for line in (ROOT / name).read_text("utf-8").splitlines() if line.startswith("- "))
    assert [beginning for beginning, times in begun.items() if times > 1] == []


def test_top_level_is_what_the_readme_says() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    names = {line.partition("/")[0] for line in tracked.splitlines()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_start_up_imports_nothing_heavy() -> None:
    code = "import sys; before = set(sys.modules); import recapd.__main__; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    heavy = {"msgspec", "asyncio", "anyio", "pygls", "anthropic", "watchfiles", "logging"} & set(done.stdout.split())
    assert heavy == set()
