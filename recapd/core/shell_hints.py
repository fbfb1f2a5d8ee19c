"""A look at the words of a command line before anything parses it.

Most commands of a log run no tests, build nothing, commit nothing and change no file: that has to show in a microsecond
or two.  Owns the words without which a line does none of it; whether it does is decided by those who parse.
"""

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct


class Hints(Struct, frozen=True, gc=False):
    """What a line may be about.  False is certain, True is worth a closer look."""

    tests: bool = False
    builds: bool = False
    commits: bool = False
    changes_files: bool = False


def _byte_words(text: str) -> frozenset[bytes]:
    return frozenset(text.encode().split())


# Words as they are left when punctuation is gone: `py.test` and `npm run test:unit` have a `test` in them.
_TESTS: Final = _byte_words(
    "test tests tst nextest spec specs e2e check verify cypress pytest unittest nose2 tox nox jest vitest mocha ava "
    "phpunit pest rspec ctest bats gotestsum karma wtr busted minitest paratest trial stestr"
)
_BUILDS: Final = _byte_words(
    "build builder msbuild esbuild compile make gmake cargo tsc tsgo tsup webpack rollup parcel ninja javac gcc g++ "
    "clang clang++ rustc package install assemble assembleDebug assembleRelease publish release archive"
)
_COMMITS: Final = _byte_words("commit")
# The last four are in the names of PowerShell's cmdlets.
_CHANGES: Final = _byte_words(
    "rm mv cp ln dd tee touch unlink rmdir truncate del erase patch applypatch restore Item Content Out Tee"
)
# Programs that mostly do something else, and the forms in which they change files.
_CHANGES_RARELY: Final = _byte_words("sed gsed perl install checkout")
_CHANGING_FORM: Final = re.compile(
    r"sed\s+(?:-\S+\s+){0,3}-(?:\w{0,4}i|-in-place)|perl\s+(?:-\S+\s+){0,3}-\w{0,4}i"
    r"|install(?<!\w install)\s|checkout\s[^\n;&|]{0,200}--\s"
)
_ALL: Final = _TESTS | _BUILDS | _COMMITS | _CHANGES | _CHANGES_RARELY
# Letters, digits, + (as in g++) and whatever is not ASCII make words.
_SPACED: Final = bytes(
    byte if byte > 127 or chr(byte).isalnum() or byte == ord("+") else ord(" ") for byte in range(256)
)
# A > that may open a file: no arrow, comparison, 2>&1 or 2>/dev/null, nor the end of <name@host> on its line.
_OPENS_FILE: Final = re.compile(r">(?<![-=]>)(?!&\d|=|\s?/dev/null|[ \t]*(?:\n|\Z))")

_NOTHING: Final = Hints()


@lru_cache(maxsize=8)  # each command of a log is asked several questions in a row
def hints_of(command: str) -> Hints:
    words = command.encode("utf-8", "replace").translate(_SPACED).split()
    opens_file = _OPENS_FILE.search(command) is not None
    if _ALL.isdisjoint(words):
        return Hints(changes_files=True) if opens_file else _NOTHING
    return Hints(
        tests=not _TESTS.isdisjoint(words),
        builds=not _BUILDS.isdisjoint(words),
        commits=not _COMMITS.isdisjoint(words),
        changes_files=opens_file
        or not _CHANGES.isdisjoint(words)
        or (not _CHANGES_RARELY.isdisjoint(words) and _CHANGING_FORM.search(command) is not None),
    )
