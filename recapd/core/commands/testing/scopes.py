"""Which tests a line runs: its test command, what runs them, and how much of the suite that is.

Owns what is needed to say whether one run is at least another.  How a run went is in `runs`.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.commands.kinds import is_test
from recapd.core.commands.names import resolved_commands, subcommands
from recapd.core.commands.quotes import quoted
from recapd.core.commands.words import DYNAMIC, word_set
from recapd.core.secrets import redact


class TestScope(Struct, frozen=True, gc=False):
    """The part of a suite that a command keeps to; empty fields where it runs all."""

    __test__ = False  # pytest collects by name, in whatever module imports it

    # Files, folders and packages.
    paths: frozenset[str] = frozenset()
    # Parts of the names of tests.
    names: frozenset[str] = frozenset()
    # A script or target that people named: `npm run test:unit`.
    script: str = ""


class TestCommand(Struct, frozen=True, dict=True):
    """The test commands inside a line, without what is around them."""

    __test__ = False  # see TestScope

    # The name of what is called: `mise run test:ci`.
    program: str
    # What runs the tests, by one name for all its spellings; "" behind a script, where only its summary tells.
    runner: str
    # The line itself. What takes longer to find in it is found when it is asked for: who reads a log does not ask.
    whole: str

    @cached_property
    def line(self) -> str:
        """The tests alone, without what only the rest of the line shows to be secret, as `echo … | sudo -S` does."""
        spelled = [words for words, _ in _tests_in(redact(self.whole))]
        told = dict.fromkeys(" ".join(_spelled(word) for word in words) for words in spelled)
        return " && ".join(told) or self.program

    @cached_property
    def scope(self) -> TestScope:
        return _joined([_scope(words) for _, words in _tests_in(self.whole)])


# Options whose value picks tests by name, and those whose value is something else that may look like a path.
_NAMING: Final = word_set("-k -t -g --grep --testNamePattern --filter -run --run --tests -Dtest")
_VALUED: Final = word_set(
    "-c --config --rootdir --root --project -p --reporter --reporters --outputFile --env --env-file --cov --cov-config "
    "--junitxml --tb --timeout --maxfail -n -o -W --workers --shard --setup --require -r --import --manifest-path -C "
    "--dir --cwd --prefix --workspace -w --package -m -count -tags -parallel -cpu --color --jobs -j --features"
)
# Options whose value is a part of the project with tests of its own.
_PACKAGE_OPTIONS: Final = word_set("-w --workspace --filter -F --prefix -C --dir --cwd")
_PART_OPTIONS: Final[dict[str, frozenset[str]]] = {
    "cargo": word_set("-p --package --test --bin --example --bench"),
    **dict.fromkeys(word_set("npm pnpm yarn bun lerna turbo"), _PACKAGE_OPTIONS),
    **dict.fromkeys(("make", "gmake"), frozenset({"-C"})),
    **dict.fromkeys(("mvn", "mvnw"), word_set("-pl --projects")),
}
# Programs that take any word for a part of a test's name.
_SELECT_BY_WORD: Final = frozenset({"cargo"})
_LOOKS_LIKE_TESTS: Final = re.compile(r"[/:.]|(?:^|_)test")
_ALL_TESTS: Final = re.compile(r"(?:\./)?(?:\.\.\.|\.|tests?/?)")
_WHOLE_SCRIPTS: Final = re.compile(r"tests?|tst|(?:tests?[:_-])?(?:ci|all)|check|verify")
_ALTERNATIVES: Final = re.compile(r"\||\bor\b")

# Programs that start whatever the project says; what runs the tests there is known by the summary they print.
_STARTERS: Final = word_set(
    "npm pnpm yarn bun make gmake just task mise composer turbo nx lerna rake hatch poe tox nox node tsx"
)
# By another name, or behind another program, the same runner.
_SAME_RUNNER: Final = {
    "py.test": "pytest",
    "vitest": "jest",
    "react-scripts": "jest",
    "gotestsum": "go",
    "gradlew": "gradle",
    "mvnw": "maven",
    "mvn": "maven",
    "pest": "phpunit",
    "paratest": "phpunit",
    "dart": "flutter",
    "bazelisk": "bazel",
}


def find_test_command(command: str) -> TestCommand | None:
    """What a line is as a run of tests, where it is one: `cd a && make lint && pytest -q | tail` is `pytest -q`."""
    for _, first in _tests_in(command):
        return TestCommand(
            program=" ".join(subcommands(first)),
            runner="" if first[0] in _STARTERS else _SAME_RUNNER.get(first[0], first[0]),
            whole=command,
        )
    return None


def _tests_in(command: str) -> Iterator[tuple[list[str], list[str]]]:
    """The words of each test command, as they are spelled and as they are resolved."""
    return ((simple.words, words) for simple, words in resolved_commands(command) if is_test(words))


def _joined(scopes: list[TestScope]) -> TestScope:
    """What several commands keep to, all of them together."""
    paths = [scope.paths for scope in scopes]
    names = [scope.names for scope in scopes]
    scripts = {scope.script for scope in scopes}
    return TestScope(
        paths=frozenset().union(*paths) if all(paths) else frozenset(),
        names=frozenset().union(*names) if all(names) else frozenset(),
        script=scripts.pop() if len(scripts) == 1 else "",
    )


def covers(scope: TestScope, other: TestScope) -> bool:
    """Whether tests of `scope` are at least those of `other`: a folder covers what is in it, a part of a name those
    that contain it."""
    if scope.script not in ("", other.script):
        return False
    if scope.paths and not (other.paths and all(_is_in_any(path, scope.paths) for path in other.paths)):
        return False
    return not scope.names or bool(
        other.names and all(any(part in name for part in scope.names) for name in other.names)
    )


def _scope(words: list[str]) -> TestScope:
    program, own = words[0], subcommands(words)
    parts = _PART_OPTIONS.get(program, frozenset())
    paths: set[str] = set()
    names: set[str] = set()
    before = ""
    for word in words[1:]:
        option, _, value = word.partition("=")
        if word.startswith("-"):
            if option in parts and value:
                paths.add(_place(value))
            elif option in _NAMING and value:
                names |= _alternatives(value)
        elif before in parts:
            paths.add(_place(word))
        elif before in _NAMING:
            names |= _alternatives(word)
        elif word in own or _ALL_TESTS.fullmatch(word) or before in _VALUED:
            pass
        elif program in _SELECT_BY_WORD:
            names.add(word)
        elif _LOOKS_LIKE_TESTS.search(word):
            paths.add(_place(word))
        before = word
    script = own[-1] if program in _STARTERS and len(own) > 1 else ""
    return TestScope(frozenset(paths), frozenset(names), "" if _WHOLE_SCRIPTS.fullmatch(script) else script)


def _place(word: str) -> str:
    return word.removeprefix(DYNAMIC).removeprefix("./").removesuffix("...").rstrip("/")


def _alternatives(pattern: str) -> set[str]:
    parts = (part.strip().strip("^$()'\"").strip() for part in _ALTERNATIVES.split(pattern.removeprefix(DYNAMIC)))
    return {part for part in parts if part}


def _is_in_any(path: str, folders: frozenset[str]) -> bool:
    return any(path == each or path.startswith((f"{each}/", f"{each}::")) for each in folders)


def _spelled(word: str) -> str:
    return word[1:] if word.startswith(DYNAMIC) else quoted(word)
