"""Which command lines run tests, builds or checks, and whether their exit code says how that went.

Owns the tables of runners and build tools.  Conservative: a line that is not recognised is just a command.
"""

from itertools import pairwise
from typing import Final

from recapd.core import late_re as re
from recapd.core.commands.hints import hints_of
from recapd.core.commands.names import resolved_commands, subcommands
from recapd.core.commands.words import simple_commands, word_set

_TEST_PROGRAMS: Final = word_set(
    "pytest py.test unittest nose2 tox nox jest vitest mocha ava phpunit pest rspec ctest bats gotestsum "
    "karma wtr busted minitest paratest trial stestr"
)
_TEST_VERBS: Final[dict[str, frozenset[str]]] = {
    "cargo": frozenset({"test", "nextest"}),
    "npm": frozenset({"test", "tst"}),
    "rake": frozenset({"test", "spec"}),
    "gradle": frozenset({"test", "check"}),
    "gradlew": frozenset({"test", "check"}),
    "mvn": frozenset({"test", "verify"}),
    "mvnw": frozenset({"test", "verify"}),
    "make": frozenset({"check"}),
    "gmake": frozenset({"check"}),
    "cypress": frozenset({"run"}),
}
# Programs with scripts or targets that people name; any name that says test counts.
_NAMED_BY_PEOPLE: Final = word_set(
    "npm pnpm yarn bun make gmake just task mise composer deno turbo nx lerna rake hatch poe"
)
_PLAIN_TEST_VERB: Final = word_set(
    "go dotnet swift mix deno flutter dart bazel bazelisk playwright ng rails sbt lein stack cabal zig "
    "meson react-scripts xcodebuild nx turbo hatch"
)
_TEST_NAME: Final = re.compile(r"(?:.*[:_.-])?tests?(?:[:_.-].*)?|e2e(?:[:_.-].*)?|specs?")
_RUNS_NOTHING: Final = word_set(
    "--version --help -h --collect-only --co --listTests --no-run --list --dry-run --showConfig --init "
    "list install -list -c"
)
_MAY_TEST: Final = (
    _TEST_PROGRAMS | _TEST_VERBS.keys() | _NAMED_BY_PEOPLE | _PLAIN_TEST_VERB | {"node", "tsx", "python", "php"}
)
_SKIPS_TESTS: Final = word_set("-DskipTests -Dmaven.test.skip=true -DskipTests=true")
_NOT_A_TEST_ENV: Final = re.compile(r"lint|format|docs|type|mypy|build")

_BUILD_PROGRAMS: Final = word_set(
    "tsc tsup webpack rollup esbuild parcel ninja javac gcc g++ clang clang++ rustc electron-builder build msbuild tsgo"
)
_BUILD_VERBS: Final[dict[str, frozenset[str]]] = {
    "cargo": frozenset({"build", "b", "check", "install"}),
    "go": frozenset({"build", "install"}),
    "mvn": frozenset({"package", "compile", "install"}),
    "mvnw": frozenset({"package", "compile", "install"}),
    "gradle": frozenset({"build", "assemble", "assembleDebug", "assembleRelease"}),
    "gradlew": frozenset({"build", "assemble", "assembleDebug", "assembleRelease"}),
    "dotnet": frozenset({"build", "publish"}),
    "mix": frozenset({"compile", "release"}),
    "make": frozenset({"all", "dist", "release"}),
    "xcodebuild": frozenset({"build", "archive"}),
}
_PLAIN_BUILD_VERB: Final = word_set(
    "docker podman next vite nuxt astro ng swift bazel bazelisk zig flutter tauri wasm-pack nx turbo uv "
    "poetry hatch hugo jekyll remix expo eas vue-cli-service react-scripts buildx"
)
_BUILDS_NOTHING: Final = frozenset({"--version", "--help", "-h", "-v", "--dry-run", "-n"})
_MAY_BUILD: Final = _BUILD_PROGRAMS | _BUILD_VERBS.keys() | _PLAIN_BUILD_VERB | _NAMED_BY_PEOPLE | {"cmake"}
_BUILD_NAME: Final = re.compile(r"(?:.*[:_.-])?(?:build|compile)(?:[:_.-].*)?")

_CHECK_PROGRAMS: Final = word_set(
    "eslint ruff mypy pyright flake8 pylint biome golangci-lint rubocop shellcheck oxlint stylelint "
    "clippy tsc vue-tsc markdownlint hadolint swiftlint ktlint phpstan psalm credo black isort prettier "
    "basedpyright"
)
_CHECK_NAME: Final = re.compile(r"(?:.*[:_.-])?(?:lint|typecheck|type-check|types|check|format|fmt)(?:[:_.-].*)?")
_CHECK_VERBS: Final = {"cargo": frozenset({"clippy", "fmt", "check"}), "go": frozenset({"vet", "fmt"})}


def is_test_command(command: str) -> bool:
    """Whether `command` runs a recognised test suite anywhere in its line."""
    if not hints_of(command).tests:
        return False
    return any(is_test(words) for _, words in resolved_commands(command))


def is_build_command(command: str) -> bool:
    """Whether `command` compiles, bundles or packages something anywhere in its line."""
    if not hints_of(command).builds:
        return False
    return any(_is_build(words) for _, words in resolved_commands(command))


def is_check_command(command: str) -> bool:
    """Whether `command` lints, formats or type-checks anywhere in its line."""
    return any(_is_check(words) for _, words in resolved_commands(command))


def exit_code_is_reliable(command: str) -> bool:
    """Whether exit code 0 of `command` means that its test or build succeeded (any command, when it has neither).

    Not so when a pipe, `;`, `||`, `&` or a loop puts another status in its place: `pytest | tail` is as good as `true`.
    """
    parsed = [(simple, words) for simple, words in resolved_commands(command) if simple.words]
    if not parsed:
        return False
    commands = [simple for simple, _ in parsed]
    pipefail = any(simple.words[0] == "set" and "pipefail" in simple.words for simple in commands)
    keeps_status = ("", "&&", "|", "|&") if pipefail else ("", "&&")
    telling = [at for at, (_, words) in enumerate(parsed) if is_test(words) or _is_build(words)]
    for at in telling or [len(commands) - 1]:
        if commands[at].conditional:
            return False
        for simple in commands[at:]:  # the status has to survive to the end of the line
            if simple.after == ")":
                continue
            if simple.after not in keeps_status:
                return False
    return True


def output_is_cut(command: str) -> bool:
    """Whether the line shows only the beginning of its output, or only what succeeded: `go test ./... | head -5`."""
    if "|" not in command:
        return False
    for simple in simple_commands(command):
        if simple.before not in ("|", "|&") or not simple.words:
            continue
        if simple.words[0] == "head":
            return True
        if simple.words[0] in ("grep", "egrep", "rg") and not any(word.startswith("-v") for word in simple.words):
            kept = " ".join(simple.words[1:]).lower()
            if ("ok" in kept or "pass" in kept) and "fail" not in kept and "err" not in kept:
                return True
    return False


def is_test(words: list[str]) -> bool:
    """Whether the resolved words of one command run tests."""
    if not words or words[0] not in _MAY_TEST or not _RUNS_NOTHING.isdisjoint(words[1:]):
        return False
    name = words[0]
    if name in _TEST_PROGRAMS:
        return name not in ("tox", "nox") or not _NOT_A_TEST_ENV.search(" ".join(words[1:]))
    if name in ("node", "tsx", "bun") and "--test" in words:
        return True
    if (name, *words[1:3]) in (("python", "manage.py", "test"), ("php", "artisan", "test")):
        return True
    if name == "nx" and words[1:2] == ["run-many"]:
        return "test" in words or "--target=test" in words
    if name in ("mvn", "mvnw", "gradle", "gradlew", "xcodebuild", "sbt"):
        goals = _TEST_VERBS.get(name, frozenset({"test"}))
        left_out = {after for before, after in pairwise(words) if before in ("-x", "--exclude-task")}
        asked = [word for word in words[1:] if word not in left_out]
        return _SKIPS_TESTS.isdisjoint(words) and any(word in goals or word.endswith(":test") for word in asked)
    verbs = subcommands(words)[1:]
    if not verbs:
        return False
    if verbs[0] in _TEST_VERBS.get(name, ()) or (verbs[0] == "test" and name in _PLAIN_TEST_VERB):
        return True
    target = verbs[-1]
    if name in ("yarn", "pnpm", "bun") and target in _TEST_PROGRAMS:  # these run a package's binary by its name
        return True
    return name in _NAMED_BY_PEOPLE and _TEST_NAME.fullmatch(target) is not None


def _is_build(words: list[str]) -> bool:
    if not words or words[0] not in _MAY_BUILD or not _BUILDS_NOTHING.isdisjoint(words[1:]):
        return False
    name = words[0]
    if name in _BUILD_PROGRAMS:
        return True
    if name == "cmake":
        return "--build" in words
    if name in ("mvn", "mvnw", "gradle", "gradlew", "xcodebuild"):
        return any(word in _BUILD_VERBS[name] or word.endswith((":build", ":assemble")) for word in words[1:])
    verbs = subcommands(words)[1:]
    if name in ("make", "gmake"):
        return not verbs or verbs[0] in _BUILD_VERBS["make"] or _BUILD_NAME.fullmatch(verbs[0]) is not None
    if not verbs:
        return words[1:2] == ["build"] and name in _PLAIN_BUILD_VERB
    if verbs[0] in _BUILD_VERBS.get(name, ()) or (verbs[-1] == "build" and name in _PLAIN_BUILD_VERB):
        return True
    return name in _NAMED_BY_PEOPLE and _BUILD_NAME.fullmatch(verbs[-1]) is not None


def _is_check(words: list[str]) -> bool:
    if not words or "--version" in words:
        return False
    name = words[0]
    if name in _CHECK_PROGRAMS:
        return name != "tsc" or "--noEmit" in words
    verbs = subcommands(words)[1:]
    if not verbs:
        return False
    return verbs[0] in _CHECK_VERBS.get(name, ()) or (
        name in _NAMED_BY_PEOPLE and _CHECK_NAME.fullmatch(verbs[-1]) is not None
    )
