"""What one recording says: the walk from what set it off to the bytes that were sent, and the figures of it.

A walk is made of the segments (see `recorder`) that led to the sending, each because of the one before it, with all
calls made in them. What else ran meanwhile, or was woken besides, is no part of it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from operator import and_
from pathlib import Path
from typing import Any, NamedTuple

# Links of a frame that another one started without waiting for it on the same stack.
STARTING = ("task", "thread")


class Step(NamedTuple):
    """One frame of the package that ran."""

    identity: int
    parent: int
    module: str
    function: str
    file: str
    line: int
    # How it came to run: "call", "resumed", "task", "thread".
    link: str
    segments: frozenset[int]

    @property
    def name(self) -> str:
        return f"{short(self.module)}:{self.function}"


class Names(NamedTuple):
    """Functions, by plain or qualified name, that look a session up, hand out a snapshot, and make one."""

    resolving: frozenset[str]
    asking: frozenset[str]
    making: frozenset[str]


class Walk(NamedTuple):
    """What can be counted on a walk; of several recordings of the same, what all of them have."""

    modules: Counter[str]
    # Modules that ran only besides the walk.
    besides: Counter[str]
    # Tasks woken or started and jobs of threads on the way, by what ran first in them.
    starts: Counter[str]
    # (caller, callee) by function, where their modules differ; and the same by module.
    hops: Counter[tuple[str, str]]
    edges: Counter[tuple[str, str]]
    # (function whose whole body is one call, what it calls); and the same of a body of one statement with one hop.
    pass_throughs: Counter[tuple[str, str]]
    thin: Counter[tuple[str, str]]
    # The functions of a path that goes from module A to B and at once back into A.
    ping_pongs: Counter[tuple[str, ...]]
    # The same by way of more modules than one.
    detours: Counter[tuple[str, ...]]
    resolutions: Counter[str]
    snapshots: Counter[str]
    snapshots_made: Counter[str]


def walk_of(recording: dict[str, Any], checkout_package: Path, names: Names) -> Walk:
    assert recording["end"], "nothing was sent"
    every = steps_in(recording["nodes"])
    on_the_way = segments_to(recording["end"], dict(recording["causes"]))
    steps = without_waiting({key: step for key, step in every.items() if step.segments & on_the_way})
    hops = [(steps[step.parent], step) for step in steps.values() if is_hop(step, steps)]
    goes_out = Counter(caller.identity for caller, _ in hops)
    modules = Counter(step.module for step in steps.values())
    return Walk(
        modules=modules,
        besides=Counter(step.module for step in every.values() if step.module not in modules),
        starts=Counter(step.name for step in steps.values() if step.parent not in steps or step.link in STARTING),
        hops=Counter((caller.name, callee.name) for caller, callee in hops),
        edges=Counter((short(caller.module), short(callee.module)) for caller, callee in hops),
        pass_throughs=Counter(
            (caller.name, callee.name) for caller, callee in hops if is_handed_on(checkout_package, caller, callee)
        ),
        thin=Counter(
            (caller.name, callee.name)
            for caller, callee in hops
            if goes_out[caller.identity] == 1 and is_thin(checkout_package, caller, callee)
        ),
        ping_pongs=Counter(loop for _, callee in hops if len(loop := loop_to(callee, steps, most_between=1)) > 0),
        detours=Counter(loop for _, callee in hops if len(loop := loop_to(callee, steps, least_between=2)) > 0),
        resolutions=Counter(outermost(steps, names.resolving)),
        snapshots=Counter(outermost(steps, names.asking)),
        snapshots_made=Counter(outermost(steps, names.making)),
    )


def steps_in(rows: Sequence[Sequence[Any]]) -> dict[int, Step]:
    steps: dict[int, Step] = {}
    for identity, parent, module, function, file, line, link, segments in rows:
        steps[identity] = Step(identity, parent, module, function, file, line, link, frozenset(segments))
    return steps


def without_waiting(steps: dict[int, Step]) -> dict[int, Step]:
    """Without coroutines at the bottom of a stack that only wait for the next one: what they began was long before."""
    called = {step.parent for step in steps.values() if step.link != "resumed"}
    waited_for = {step.parent for step in steps.values() if step.link == "resumed"}
    kept: dict[int, Step] = {}
    for key, step in steps.items():
        is_bottom = step.parent not in kept
        if not (is_bottom and step.link == "resumed" and key in waited_for and key not in called):
            kept[key] = step
    return kept


def in_all(walks: Sequence[Walk]) -> Walk:
    """What every recording of the same thing has, as often as all of them have it."""
    return Walk(*(reduce(and_, counters) for counters in zip(*walks, strict=True)))


def short(module: str) -> str:
    return module.partition(".")[2] or module


def segments_to(end: int, causes: dict[int, int]) -> frozenset[int]:
    found: list[int] = []
    while end:
        found.append(end)
        end = causes[end]
    return frozenset(found)


def is_hop(step: Step, steps: dict[int, Step]) -> bool:
    return step.parent in steps and steps[step.parent].module != step.module


def loop_to(step: Step, steps: dict[int, Step], *, least_between: int = 1, most_between: int = 99) -> tuple[str, ...]:
    """The path by which a call comes back into a module that is further up, with the functions at the borders of the
    modules between; empty where there is none, or not so many modules are between."""
    path: list[str] = [step.name]
    module, between = step.module, 0
    for above in ancestors(step, steps):
        if above.module == step.module and between:
            path.append(above.name)
            return tuple(reversed(path)) if least_between <= between <= most_between else ()
        if above.module != module:
            module, between = above.module, between + 1
            path.append(above.name)
    return ()


def ancestors(step: Step, steps: dict[int, Step]) -> Iterator[Step]:
    while step.parent in steps:
        step = steps[step.parent]
        yield step


def outermost(steps: dict[int, Step], names: frozenset[str]) -> Iterator[str]:
    """Calls of these functions that are not made by another of them."""
    for step in steps.values():
        if is_named(step, names) and not any(is_named(above, names) for above in ancestors(step, steps)):
            yield step.name


def is_named(step: Step, names: frozenset[str]) -> bool:
    return step.function in names or step.function.rpartition(".")[2] in names


# ---- functions that only hand on


class Body(NamedTuple):
    """What a function's only statement calls, and which attributes it reads, each of which may be a property."""

    is_one_call: bool
    called: frozenset[str]
    read: frozenset[str]


# What may stand in a body that hands on what it was given, beside the one call.
_PLAIN = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.Subscript,
    ast.Starred,
    ast.keyword,
    ast.Await,
    ast.Call,
    ast.expr_context,
)


def is_handed_on(checkout_package: Path, caller: Step, callee: Step) -> bool:
    """Whether the caller is nothing but this call."""
    body = bodies_in(checkout_package / caller.file).get(caller.line)
    return body is not None and body.is_one_call and not is_only_read(body, callee)


def is_thin(checkout_package: Path, caller: Step, callee: Step) -> bool:
    """Whether the caller is one statement, with this call in it."""
    body = bodies_in(checkout_package / caller.file).get(caller.line)
    return body is not None and not body.is_one_call and not is_only_read(body, callee)


def is_only_read(body: Body, callee: Step) -> bool:
    name = callee.function.rpartition(".")[2]
    return name in body.read and name not in body.called


@cache
def bodies_in(path: Path) -> dict[int, Body]:
    """By first line: the functions and lambdas of a file whose whole body is one statement."""
    found: dict[int, Body] = {}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Lambda):
            found[node.lineno] = body_of(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            line = min(each.lineno for each in (node, *node.decorator_list))
            statements = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            only = statements[0] if len(statements) == 1 else None
            if isinstance(only, ast.Return | ast.Expr) and only.value is not None:
                found[line] = body_of(only.value)
    return found


def body_of(value: ast.expr) -> Body:
    parts = list(ast.walk(value))
    calls = [part.func for part in parts if isinstance(part, ast.Call)]
    return Body(
        is_one_call=len(calls) == 1 and all(isinstance(part, _PLAIN) for part in parts),
        called=frozenset(filter(None, map(called_name, calls))),
        read=frozenset(part.attr for part in parts if isinstance(part, ast.Attribute)),
    )


def called_name(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""
