"""Each feature has a test that fails without it: one mutation of the package at a time, and the tests named for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.mutations.mutations import MUTATIONS, Mutation

pytestmark = pytest.mark.mutations

ROOT = Path(__file__).parent.parent.parent
_PASSED, _FAILED = 0, 1
# What nobody imports is not copied.
_LEFT_BEHIND = shutil.ignore_patterns("built", "data", "eval", "corpus", "frozen", "fuzz", "mutations", "bench")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package and its tests, as it is."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("recapd", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=_LEFT_BEHIND, symlinks=True)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def run(checkout: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    command = (sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests)
    return subprocess.run(command, cwd=checkout, env=environ, capture_output=True, text=True, check=False)


@contextmanager
def mutated(checkout: Path, mutation: Mutation) -> Iterator[None]:
    file = checkout / "recapd" / mutation.file
    source, known = file.read_text(encoding="utf-8"), file.stat()
    count = source.count(mutation.text)
    assert count == 1, f"{mutation.file} has {count} times: {mutation.text}"
    file.write_text(source.replace(mutation.text, mutation.instead), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(source, encoding="utf-8")
        # What is compiled of it is good again.
        os.utime(file, ns=(known.st_atime_ns, known.st_mtime_ns))


def test_without_a_mutation_all_of_them_pass(checkout: Path) -> None:
    named = dict.fromkeys(f"tests/{test}" for mutation in MUTATIONS for test in mutation.caught_by)
    done = run(checkout, *named)
    assert done.returncode == _PASSED, done.stdout + done.stderr


def test_every_mutation_breaks_something_and_is_named_once() -> None:
    assert all(mutation.text != mutation.instead and mutation.caught_by for mutation in MUTATIONS)
    assert len({mutation.breaks for mutation in MUTATIONS}) == len(MUTATIONS)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[mutation.breaks for mutation in MUTATIONS])
def test_is_caught(checkout: Path, mutation: Mutation) -> None:
    with mutated(checkout, mutation):
        for test in mutation.caught_by:
            done = run(checkout, f"tests/{test}")
            # Anything else is no failing test: none was collected, or nothing could be imported.
            assert done.returncode == _FAILED, f"{test} does not see that {mutation.breaks}\n{done.stdout}{done.stderr}"
