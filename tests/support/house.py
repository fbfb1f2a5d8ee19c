"""The code as a house: its folders, which of them have a door, and what crosses each. Reads source, runs nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

# Folders that hold rooms, each with a door of its own; what lies directly in them may be used by its name.
LAYERS = frozenset(
    {
        "recapd",
        "recapd.adapters",
        "recapd.cli",
        "recapd.client",
        "recapd.core",
        "recapd.core.views",
        "recapd.daemon",
        "recapd.server",
        "recapd.wire",
    }
)


class Import(Struct, frozen=True):
    """One name that a module takes from another."""

    importer: str
    module: str
    name: str
    line: int


class House(Struct, frozen=True):
    # The text of each module, by its dotted name.
    sources: dict[str, str]
    # Folders that say what others may use; one that says nothing only groups files of the folder around it.
    doors: frozenset[str]

    def imports(self) -> Iterator[Import]:
        for module, source in self.sources.items():
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("recapd"):
                    for alias in node.names:
                        inner = f"{node.module}.{alias.name}"
                        taken_from = inner if inner in self.sources else node.module
                        yield Import(module, taken_from, alias.name, node.lineno)
                elif isinstance(node, ast.Import):
                    for alias in node.names:
                        if alias.name.startswith("recapd"):
                            yield Import(module, alias.name, alias.name, node.lineno)

    def door_between(self, importer: str, module: str) -> str | None:
        """The outermost door that whoever imports stands in front of."""
        parts = module.split(".")
        for count in range(2, len(parts) + 1):
            door = ".".join(parts[:count])
            if door in self.doors and importer != door and not importer.startswith(f"{door}."):
                return door
        return None

    def past_doors(self) -> list[str]:
        """Imports that walk past a door, as `importer:line module`."""
        return [
            f"{each.importer}:{each.line} {each.module}"
            for each in self.imports()
            if (door := self.door_between(each.importer, each.module)) is not None and each.module != door
        ]

    def names_through_doors(self) -> dict[str, set[str]]:
        """By door: the names that others take through it."""
        found: dict[str, set[str]] = defaultdict(set)
        for each in self.imports():
            door = self.door_between(each.importer, each.module)
            if door is not None and each.module == door:
                found[door].add(each.name)
        return found


def read_house(root: Path) -> House:
    sources: dict[str, str] = {}
    packages: set[str] = set()
    for path in sorted((root / "recapd").rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        if path.name == "__init__.py":
            name = name.removesuffix(".__init__")
            packages.add(name)
        sources[name] = path.read_text()
    doors = frozenset(package for package in packages - LAYERS if len(ast.parse(sources[package]).body) > 1)
    return House(sources, doors)


def shared_prefixes(house: House, *, files: int) -> list[str]:
    """Folders in which so many files begin with the same word: they are a folder of their own."""
    beginnings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in house.sources:
        folder, _, name = module.rpartition(".")
        beginnings[folder, name.strip("_").partition("_")[0]].append(name)
    return [f"{folder}: {names}" for (folder, _), names in beginnings.items() if len(names) >= files]


def mutable_globals(source: str) -> list[str]:
    """Names of a module that are bound to something that can change, or bound anew by its functions."""
    tree = ast.parse(source)
    found = []
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        # A table that is written once and looked up is a constant, and spelled as one.
        if value is not None and _can_change(value) and not all(name.isupper() or name == "__all__" for name in names):
            found += names
    found += [name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names]
    return found + [f"{name} (written to)" for name in _written_constants(tree)]


def _bound_by(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _can_change(value: ast.expr) -> bool:
    if isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp):
        return True
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id in {"dict", "list", "set", "defaultdict", "OrderedDict", "deque", "Counter", "bytearray"}
    )


def _written_constants(tree: ast.Module) -> list[str]:
    """Constants of a module that something in it writes to."""
    bindings = (node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    constants = {name for node in bindings for name in _bound_by(node)}
    changing = {"append", "add", "update", "pop", "setdefault", "clear", "extend", "remove", "popitem", "insert"}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            held: ast.expr = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in changing:
            held = node.func.value
        else:
            continue
        if isinstance(held, ast.Name) and held.id in constants:
            found.append(held.id)
    return found


def method_sets(source: str, methods: frozenset[str]) -> list[str]:
    """Places of a module that hold two or more methods together, or tell them apart: `line: names`.

    A set, list, tuple or dictionary in which they stand, and all that one function compares with or matches.
    """
    found: dict[int, set[str]] = defaultdict(set)
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Set | ast.List | ast.Tuple):
            found[node.lineno] |= _named_in(node.elts, methods)
        elif isinstance(node, ast.Dict):
            found[node.lineno] |= _named_in((*node.keys, *node.values), methods)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.lineno] |= _named_in(_compared_in(node), methods)
    return [f"{line}: {sorted(names)}" for line, names in sorted(found.items()) if len(names) > 1]


def _named_in(nodes: Iterable[ast.expr | None], methods: frozenset[str]) -> set[str]:
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in methods
    }


def _compared_in(function: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            yield from (node.left, *node.comparators)
        elif isinstance(node, ast.MatchValue):
            yield node.value
