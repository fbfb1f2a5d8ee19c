"""A look at the words of a command line before anything parses it.

Most commands of a log run no tests, build nothing, commit nothing and change no file: that has to show in a microsecond
or two.  Owns the words without which a line does none of it; whether it does is decided by those who parse.
"""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.commands.effects import PROGRAMS


class Hints(Struct, frozen=True, gc=False):
    """What a line may be about.  False is certain, True is worth a closer look."""

    tests: bool = False
    builds: bool = False
    commits: bool = False
    changes_files: bool = False
    takes_back: bool = False
    brings: bool = False


def _byte_words(text: str) -> frozenset[bytes]:
    return frozenset(text.encode().split())


# Words as they are left when punctuation is gone: `npm run test:unit` has a `test` in it.
_TEST_PROGRAMS: Final = _byte_words(
    "pytest unittest nose2 tox nox jest vitest mocha ava phpunit pest rspec ctest bats gotestsum karma cypress wtr "
    "busted minitest paratest trial stestr"
)
# These are frequent in paths and prose: they mean something where a program that may run tests is there as well.
_TEST_NAMES: Final = _byte_words("test tests tst nextest spec specs e2e check verify")
_TEST_RUNNERS: Final = _byte_words(
    "npm pnpm yarn bun node tsx deno make gmake just task mise composer turbo nx lerna rake rails hatch poe go dotnet "
    "swift mix flutter dart bazel bazelisk playwright ng sbt lein stack cabal zig meson scripts xcodebuild cargo "
    "gradle gradlew mvn mvnw manage artisan"
)
_BUILDS: Final = _byte_words(
    "build builder msbuild esbuild compile make gmake cargo tsc tsgo tsup webpack rollup parcel ninja javac gcc g++ "
    "clang clang++ rustc package install assemble assembleDebug assembleRelease publish release archive"
)
_TAKES_BACK: Final = _byte_words("reset revert")
_BRINGS: Final = _byte_words("deploy merge approve upgrade apply submit")
# The word of its own, no part of a path.
_COMMIT: Final = re.compile(r"commit(?<![\w./-]commit)(?![\w./-])")
# Programs that mostly do something else, and the forms in which they change files. Git is told by its subcommands.
_CHANGES_RARELY: Final = _byte_words("sed gsed perl install checkout")
# The last four are in the names of PowerShell's cmdlets.
_CHANGES: Final = (frozenset(name.encode() for name in PROGRAMS if name != "git") - _CHANGES_RARELY) | _byte_words(
    "patch applypatch restore Item Content Out Tee"
)
_CHANGING_FORM: Final = re.compile(
    r"sed\s+(?:-\S+\s+){0,3}-(?:\w{0,4}i|-in-place)|perl\s+(?:-\S+\s+){0,3}-\w{0,4}i"
    r"|install(?<!\w install)\s|checkout\s[^\n;&|]{0,200}--\s"
)
_TELLING: Final = (
    _TEST_PROGRAMS
    | _TEST_NAMES
    | _TEST_RUNNERS
    | _BUILDS
    | _CHANGES
    | _CHANGES_RARELY
    | _TAKES_BACK
    | _BRINGS
    | _byte_words("commit")
)
# Letters, digits, + (as in g++) and whatever is not ASCII make words.
_SPACED: Final = bytes(
    byte if byte > 127 or chr(byte).isalnum() or byte == ord("+") else ord(" ") for byte in range(256)
)
# A > that may open a file: no arrow, comparison, 2>&1 or 2>/dev/null, nor the end of <name@host> on its line.
_OPENS_FILE: Final = re.compile(r">(?<![-=]>)(?!&\d|=|\s?/dev/null|[ \t]*(?:\n|\Z))")

NO_HINTS: Final = Hints()


@lru_cache(maxsize=8)  # each command of a log is asked several questions in a row
def hints_of(command: str) -> Hints:
    words = _TELLING.intersection(command.encode("utf-8", "replace").translate(_SPACED).split())
    opens_file = ">" in command and _OPENS_FILE.search(command) is not None
    if not words:
        return Hints(changes_files=True) if opens_file else NO_HINTS
    return Hints(
        tests=not words.isdisjoint(_TEST_PROGRAMS)
        or (not words.isdisjoint(_TEST_NAMES) and _has_runner(command, words)),
        builds=not words.isdisjoint(_BUILDS),
        commits=b"commit" in words and _COMMIT.search(command) is not None,
        changes_files=opens_file
        or not words.isdisjoint(_CHANGES)
        or (not words.isdisjoint(_CHANGES_RARELY) and _CHANGING_FORM.search(command) is not None),
        takes_back=not words.isdisjoint(_TAKES_BACK) and "git" in command,
        brings=not words.isdisjoint(_BRINGS),
    )


def _has_runner(command: str, words: frozenset[bytes]) -> bool:
    # The old name of pytest is no word here, because it has a dot in it.
    return not words.isdisjoint(_TEST_RUNNERS) or "py.test" in command
