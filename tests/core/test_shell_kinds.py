"""Which command lines run tests or builds, and whose exit code and output the log then shows."""

import pytest

from recapd.core.commands.testing.runs import (
    exit_code_is_reliable,
    is_build_command,
    is_check_command,
    is_test_command,
    output_is_cut,
)

TEST_COMMANDS = [
    "pytest",
    "py.test -q",
    "python -m pytest tests",
    "python3 -m unittest discover",
    "cd a && uv run pytest -x",
    "poetry run pytest",
    "tox",
    "nox -s tests",
    "npx jest",
    "npx vitest run",
    "yarn mocha",
    "mocha",
    "npx playwright test",
    "npx cypress run",
    "npm test",
    "npm run test:unit",
    "pnpm -r test",
    "yarn test",
    "bun test",
    "bun run test",
    "pnpm --filter web test",
    "go test ./...",
    "gotestsum ./...",
    "cargo test",
    "cargo nextest run",
    "mvn -q test",
    "mvn verify",
    "./gradlew :app:test",
    "dotnet test",
    "bundle exec rspec",
    "rake test",
    "bin/rails test",
    "vendor/bin/phpunit",
    "php artisan test",
    "ctest --output-on-failure",
    "swift test",
    "mix test",
    "deno test -A",
    "bats tests",
    "flutter test",
    "dart test",
    "make test",
    "make check",
    "make unit-test",
    "bazel test //...",
    "just test",
    "mise run test:ci",
    "node --test",
    "python manage.py test",
    "turbo run test",
    "FOO=1 timeout 60 pytest",
    "(cd a && npm test)",
]
NO_TEST_COMMANDS = [
    "pytest --version",
    "pytest --collect-only",
    "cargo test --no-run",
    "npx playwright install",
    "ls tests",
    "cat test.py",
    "vim a_test.go",
    "git commit -m 'run pytest'",
    "echo pytest",
    "grep pytest setup.cfg",
    "npm install jest",
    "pip install pytest",
    "npm run build",
    "npm run check",
    "go vet ./...",
    "make",
    "make latest",
    "test -f a",
    "[ -f test ]",
    "tox -e lint",
    "mkdir tests",
    "npm run contest",
]


@pytest.mark.parametrize("command", TEST_COMMANDS)
def test_test_commands(command: str) -> None:
    assert is_test_command(command)


@pytest.mark.parametrize("command", NO_TEST_COMMANDS)
def test_commands_that_only_mention_tests(command: str) -> None:
    assert not is_test_command(command)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npx tsc --noEmit", True),
        ("npm run build", True),
        ("pnpm build:web", True),
        ("cargo build --release", True),
        ("make", True),
        ("make -j8 all", True),
        ("cmake --build out", True),
        ("go build ./...", True),
        ("mvn -q package", True),
        ("./gradlew assemble", True),
        ("npx next build", True),
        ("docker build -t a .", True),
        ("docker compose build web", True),
        ("python -m build", True),
        ("make clean", False),
        ("make test", False),
        ("tsc --version", False),
        ("npm install", False),
        ("docker run build", False),
        ("ls build", False),
        ("git commit -m 'build'", False),
    ],
)
def test_build_commands(command: str, expected: bool) -> None:
    assert is_build_command(command) is expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ruff check .", True),
        ("npm run lint", True),
        ("cargo clippy", True),
        ("tsc --noEmit", True),
        ("tsc", False),
        ("ls", False),
    ],
)
def test_check_commands(command: str, expected: bool) -> None:
    assert is_check_command(command) is expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest", True),
        ("cd a && pytest && echo ok", True),
        ("(cd a && pytest)", True),
        ("echo start; pytest", True),
        ("pytest 2>&1", True),
        ("set -o pipefail; pytest | tail", True),
        ("pytest | tail", False),
        ("(cd a && pytest) | tail", False),
        ("pytest || true", False),
        ("pytest; echo done", False),
        ("pytest\necho done", False),
        ("pytest &", False),
        ("for f in a b; do pytest $f; done", False),
        ("pytest && npm test | tail", False),
        ("", False),
    ],
)
def test_whose_exit_code_it_is(command: str, expected: bool) -> None:
    assert exit_code_is_reliable(command) is expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest | head -5", True),
        ("pytest | tail -5", False),
        ("pytest | grep -c passed", True),
        ("pytest | grep -E 'ok|FAIL'", False),
    ],
)
def test_output_that_hides_its_end(command: str, expected: bool) -> None:
    assert output_is_cut(command) is expected
