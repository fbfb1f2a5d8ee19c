"""Which tests a command line runs, and whether one run is at least another."""

import pytest

from recapd.core.commands.testing.scopes import TestScope, covers, find_test_command


def scope(paths: str = "", names: str = "", script: str = "") -> TestScope:
    return TestScope(frozenset(paths.split()), frozenset(names.split()), script)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -q", scope()),
        ("cd a && uv run python -m pytest -x tests/a.py::test_b", scope("tests/a.py::test_b")),
        ("pytest -k 'a or b' --timeout 60 --rootdir a/b", scope(names="a b")),
        ("pytest --cov src/shop", scope()),
        ("npm test", scope()),
        ("npm test -- src/a.test.ts", scope("src/a.test.ts")),
        ("npx jest --config jest.config.js -t 'adds'", scope(names="adds")),
        ("npx jest --testNamePattern=adds", scope(names="adds")),
        ("npx vitest run --reporter verbose", scope()),
        ("go test ./...", scope()),
        ("go test ./pkg/... -count 1", scope("pkg")),
        ("go test ./pkg/lexer -run '^TestNames$|TestPlaces'", scope("pkg/lexer", "TestNames TestPlaces")),
        ("cargo test", scope()),
        ("cargo test parser", scope(names="parser")),
        ("cargo test -p lexer", scope("lexer")),
        ("pnpm --filter web test", scope("web")),
        ("npm run test:unit", scope(script="test:unit")),
        ("mise run lint && mise run test:ci", scope()),
        ("make test", scope()),
    ],
)
def test_what_a_run_keeps_to(command: str, expected: TestScope) -> None:
    found = find_test_command(command)
    assert found is not None and found.scope == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (scope(), scope(), True),
        (scope(), scope("a.py"), True),
        (scope("a.py"), scope(), False),
        (scope("tests"), scope("tests/a.py"), True),
        (scope("tests/a.py"), scope("tests/a.py::test_x"), True),
        (scope("tests/a"), scope("tests/ab"), False),
        (scope("a b c"), scope("a b"), True),
        (scope("a"), scope("a b"), False),
        (scope("a"), scope("a", "test_x"), True),
        (scope("a", "test_x"), scope("a"), False),
        (scope("a", "test_"), scope("a", "test_x test_y"), True),
        (scope(), scope(script="test:unit"), True),
        (scope(script="test:e2e"), scope(script="test:unit"), False),
    ],
)
def test_what_covers_what(one: TestScope, other: TestScope, expected: bool) -> None:
    assert covers(one, other) is expected


@pytest.mark.parametrize(
    ("command", "line", "program"),
    [
        ("cd a && make lint && pytest -q 2>&1 | tail -3", "pytest -q", "pytest"),
        ("mise run fmt && mise run lint && mise run test:ci", "mise run test:ci", "mise run test:ci"),
        ("CI=1 npx vitest run 'a b.test.ts'", "CI=1 npx vitest run 'a b.test.ts'", "vitest"),
        ("just fmt; cargo test -p core", "cargo test -p core", "cargo test"),
    ],
)
def test_a_run_is_named_by_the_test_command_inside_its_line(command: str, line: str, program: str) -> None:
    found = find_test_command(command)
    assert found is not None
    assert (found.line, found.program) == (line, program)


@pytest.mark.parametrize(
    ("command", "runner"),
    [
        ("npm test", ""),
        ("npx vitest run", "jest"),
        ("mise run test:ci", ""),
        ("gotestsum ./...", "go"),
        ("python -m pytest", "pytest"),
    ],
)
def test_a_runner_has_one_name(command: str, runner: str) -> None:
    found = find_test_command(command)
    assert found is not None and found.runner == runner


def test_other_lines_run_no_tests() -> None:
    assert find_test_command("echo tests/a.py") is None
