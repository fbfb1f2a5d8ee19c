"""Every pattern that recapd compiles, with the texts that would be the worst for it, and every function of its core
that takes a text: run as a process of its own, since a pattern that is not linear holds the interpreter, and cannot be
stopped.

    python -m tests.attack.patterns patterns|functions [PART OF A MODULE'S NAME]      prints a JSON object for each
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import pkgutil
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from msgspec import Struct

# Characters of a text: each four times as long as the one before.
SIZES = (60, 250, 1_000, 4_000, 16_000, 64_000)
# For what only copies more and more; the texts are few, since each takes long.
LONG_SIZES = (64_000, 256_000)
LONG_RUNS = ("Aa bb. ", "a`.\t", "a\n", "a\n\n", "- a\n", "你。", "a", " ")
# With so many, what takes no longer than this is linear: a quadratic pattern takes eight million steps.
ENOUGH, SUSPECT_S = 4_000, 0.003
# Nobody waits for what is longer still.
HOPELESS_S = 0.1
# A text four times as long takes four times as long; of a quadratic pattern, sixteen.
MOST_GROWTH = 8.0

RUNS = (
    "a", "Z", "7", "_", "-", "=", "#", "*", ".", ",", ":", "/", "\\", "'", '"', "`", "(", ")", "[", "]", "{", "<", ">",
    "|", "$", "@", "~", "+", "!", "?", " ", "\t", "\n", "\r\n", "é", "你", "0x", "deadbeef01", "a ", "a-", "a.", "a/",
    "a_", "a,", "a:", "- ", "> ", "# ", "1. ", "* ", " \n", "a\n", "a b ", "``` ", "a=b ", "--a ", "http://a", "a@b.",
    "'a' ", '"a', "($", "[](", "<a>", "\\\\", "../", "C:\\", "| a ", "&& ", "; ", "=='", "key=", "A_1-",
)  # fmt: skip


# In how a pattern is asked; `sub`, `split` and `findall` go through a text as `finditer` does.
WAYS = ("search", "match", "fullmatch", "finditer")


class Found(Struct, frozen=True):
    where: str
    pattern: re.Pattern[str] | re.Pattern[bytes]
    # How it is asked, as far as its name tells; a pattern that begins at a given place need not be quick to be found.
    ways: tuple[str, ...]


def compiled_patterns() -> list[Found]:
    """Those that recapd compiles when it is imported, each with its place. Call it before anything of recapd is."""
    places: dict[re.Pattern[Any], str] = {}
    compile_ = re.compile

    def noted(pattern: Any, flags: Any = 0) -> Any:
        made = compile_(pattern, flags)
        frame = inspect.currentframe()
        caller = frame.f_back if frame is not None else None
        module = str(caller.f_globals["__name__"]) if caller is not None else ""
        if caller is not None and module.startswith("recapd"):
            places.setdefault(made, f"{module}:{caller.f_lineno}")
        return made

    from recapd.core import late_re

    late = late_re.compile
    re.compile = late_re.compile = noted
    try:
        import recapd

        for module in pkgutil.walk_packages(recapd.__path__, "recapd."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    finally:
        re.compile, late_re.compile = compile_, late
    named = _named_patterns()
    sources = {path: path.read_text() for path in Path(recapd.__path__[0]).rglob("*.py")}
    return [
        Found(place, pattern, _ways(named.get(pattern, set()), sources))
        for pattern, place in sorted(places.items(), key=lambda each: each[1])
    ]


def _named_patterns() -> dict[re.Pattern[Any], set[tuple[Path, str]]]:
    """Under which names, in which modules."""
    named: dict[re.Pattern[Any], set[tuple[Path, str]]] = {}
    for module in [module for name, module in sys.modules.items() if name.startswith("recapd")]:
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                named.setdefault(value, set()).add((Path(str(module.__file__)), name))
    return named


def _ways(names: set[tuple[Path, str]], sources: dict[Path, str]) -> tuple[str, ...]:
    """How a pattern is asked. One that has no name, or is handed to somebody, may be asked whatever can be."""
    asked: set[str] = set()
    for path, name in names:
        # What is handed to `led` is matched at the places that it is given.
        source = re.sub(rf"\bled\({name},", f"{name}.match(", sources[path])
        for rest in re.findall(rf"\b{name}\b(?! *[:=])(?:\.(\w+))?", source):
            if not rest and path.name != "__init__.py":
                return WAYS
            asked.add(rest if rest in WAYS else "finditer")
    return tuple(sorted(asked)) or WAYS


# ---- texts that are hard for one pattern


# Between what a text begins with, what is repeated, and what it ends in; no pattern looks for it.
_JOINT = "\uffff"
# Behind what is repeated: what leaves something out at the end of a text finds that there is more.
_MORE = "\x01"


def hard_texts(pattern: str | bytes, flags: int) -> list[str]:
    """What is repeated to make a long text: the pieces that the pattern itself repeats, after what it begins with, and
    what it begins with, again and again."""
    tree = parser.parse(pattern, flags & ~re.LOCALE)
    units: dict[tuple[str, str, str], None] = {("", run, ""): None for run in RUNS}
    for before, body in _repeats(tree, ""):
        for piece in body:
            units[("", piece, "")] = None
            units[(before, piece, "")] = None
            units[(before, piece, _MORE)] = None
            units[("", before + piece, "")] = None
            units[("", before + piece * 3 + "\n", "")] = None
            units[("", before + piece * 3 + " ", "")] = None
        units[("", before, "")] = None
    whole = _sample(tree)
    units[("", whole, "")] = None
    units[("", whole[:-1], "")] = None
    units[("", whole + " ", "")] = None
    return [f"{before}{_JOINT}{unit}{_JOINT}{after}" for before, unit, after in units if unit]


def text_of(hard: str, size: int) -> str:
    before, unit, after = hard.split(_JOINT) if _JOINT in hard else ("", hard, "")
    return before + unit * (size // len(unit)) + after


def _repeats(tree: Any, before: str) -> Iterator[tuple[str, list[str]]]:
    """Each repeat without a small bound, after a text that leads to it."""
    for op, argument in tree:
        if op in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
            _, most, body = argument
            if most == constants.MAXREPEAT or most > 32:
                yield before, _samples(body)
            yield from _repeats(body, before)
        elif op is constants.BRANCH:
            for branch in argument[1]:
                yield from _repeats(branch, before)
        elif op is constants.SUBPATTERN:
            yield from _repeats(argument[3], before)
        elif op in (constants.ASSERT, constants.ASSERT_NOT):
            yield from _repeats(argument[1], before)
        elif op is constants.ATOMIC_GROUP:
            yield from _repeats(argument, before)
        before += _sample([(op, argument)])


def _samples(tree: Any) -> list[str]:
    """A few different texts that match."""
    samples = {_sample(tree): None}
    if len(tree) == 1:
        op, argument = tree[0]
        if op is constants.IN:
            samples |= dict.fromkeys(_of_class(argument))
        elif op is constants.SUBPATTERN:
            samples |= dict.fromkeys(_samples(argument[3]))
        elif op is constants.BRANCH:
            samples |= {each: None for branch in argument[1] for each in _samples(branch)}
    return [each for each in samples if each][:6]


def _sample(tree: Any) -> str:
    """A text that matches, as far as a few lines can tell."""
    text = ""
    for op, argument in tree:
        if op is constants.LITERAL:
            text += chr(argument)
        elif op in (constants.NOT_LITERAL, constants.ANY):
            text += "a" if argument != ord("a") else "b"
        elif op is constants.IN:
            text += _of_class(argument)[0]
        elif op in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
            text += _sample(argument[2]) * max(argument[0], 1)
        elif op is constants.SUBPATTERN:
            text += _sample(argument[3])
        elif op is constants.ATOMIC_GROUP:
            text += _sample(argument)
        elif op is constants.BRANCH:
            text += _sample(argument[1][0])
    return text


def _of_class(items: Any) -> list[str]:
    candidates = "aZ7_ -=.,:;/\\'\"`()[]{}<>|$@~+!?#*&%^\t\né你"
    return [each for each in candidates if _is_in(items, each)] or ["a"]


def _is_in(items: Any, char: str) -> bool:
    is_negated = items[0][0] is constants.NEGATE
    is_found = False
    for op, argument in items:
        if op is constants.LITERAL:
            is_found |= ord(char) == argument
        elif op is constants.RANGE:
            is_found |= argument[0] <= ord(char) <= argument[1]
        elif op is constants.CATEGORY:
            name = str(argument)
            is_one = (
                char.isalnum() or char == "_"
                if "WORD" in name
                else char.isdigit()
                if "DIGIT" in name
                else char.isspace()
            )
            is_found |= is_one != ("NOT" in name)
    return is_found != is_negated


# ---- functions over a text


def text_functions() -> list[Tried]:
    """Every function of the core that needs a text and nothing else."""
    found: dict[str, Tried] = {}
    for name, module in sorted(sys.modules.items()):
        if not name.startswith("recapd.core"):
            continue
        for function in [each for each in vars(module).values() if callable(each)]:
            place = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"
            if inspect.isclass(function) or not place.startswith("recapd.core") or place in found:
                continue
            needed = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
            if len(needed) == 1 and needed[0].annotation == "str":
                found[place] = Tried(place, "", RUNS, partial(_call, function))
                if place.startswith("recapd.core.text"):
                    found[f"{place}, long"] = Tried(place, "", LONG_RUNS, partial(_call, function), LONG_SIZES)
    return list(found.values())


def _call(function: Callable[[str], object], text: str) -> None:
    # What was asked before may be remembered.
    result = function(f"{text} {next(_numbers)}")
    if isinstance(result, Iterator):
        deque(result, maxlen=0)


_numbers = count()


# ---- how long it takes


class Tried(Struct, frozen=True):
    where: str
    pattern: str
    # What long texts are made of.
    texts: Sequence[str]
    run: Callable[[str], None]
    sizes: tuple[int, ...] = SIZES


def patterns() -> list[Tried]:
    return [
        Tried(
            found.where,
            f"{found.pattern.pattern!r} by {', '.join(found.ways)}",
            hard_texts(found.pattern.pattern, found.pattern.flags),
            partial(_ask, found),
        )
        for found in compiled_patterns()
    ]


def _ask(found: Found, text: str) -> None:
    pattern: Any = found.pattern
    given = text.encode() if isinstance(pattern.pattern, bytes) else text
    for way in found.ways:
        result = getattr(pattern, way)(given)
        if way == "finditer":
            deque(result, maxlen=0)


def worst(tried: Tried) -> dict[str, object]:
    """The text that takes it the longest, and how much longer four times as much of it takes."""
    growth, ns_per_char, worst_text = 0.0, 0, ""
    for text in tried.texts:
        grown, ns = _growth(tried, text)
        growth, worst_text = max((growth, worst_text), (grown, text))
        ns_per_char = max(ns_per_char, ns)
        if growth > MOST_GROWTH:
            break
    return {
        "where": tried.where,
        "pattern": tried.pattern[:200],
        "text": worst_text,
        "growth": round(growth, 1),
        "nsPerChar": ns_per_char,
    }


def _growth(tried: Tried, text: str) -> tuple[float, int]:
    """How much longer four times as much of a text takes, 0 where that is next to nothing, and how long a character."""
    for before, size in pairwise(tried.sizes):
        took = _seconds(tried, text_of(text, size))
        if took < SUSPECT_S and size >= ENOUGH:
            return 0.0, round(took / size * 1e9)
        if took < SUSPECT_S:
            continue
        took = min(took, _seconds(tried, text_of(text, size), times=2))
        grown = took / max(_seconds(tried, text_of(text, before), times=3), 1e-6)
        if grown > MOST_GROWTH and took < HOPELESS_S:
            # So little time is soon doubled by what else the machine does.
            took = _seconds(tried, text_of(text, size), times=7)
            grown = min(grown, took / max(_seconds(tried, text_of(text, before), times=7), 1e-6))
        # Up to its bounds a repeat grows as if it had none.
        if grown <= MOST_GROWTH or took > HOPELESS_S:
            break
    return grown, round(took / size * 1e9)


def _seconds(tried: Tried, text: str, *, times: int = 1) -> float:
    """Of computing, the best of several."""
    best = float("inf")
    # The collector goes by the number of objects there are, not by the text.
    gc.disable()
    try:
        for _ in range(times):
            began = time.thread_time()
            tried.run(text)
            best = min(best, time.thread_time() - began)
    finally:
        gc.enable()
    return best


def main() -> None:
    sort, wanted = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else "")
    # All of recapd is imported for its patterns.
    of_patterns = patterns()
    for tried in of_patterns if sort == "patterns" else text_functions():
        if wanted in tried.where:
            print(json.dumps(worst(tried)), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
