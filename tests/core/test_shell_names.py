"""What a logged command runs: the script inside an argv, the program behind wrappers, the message of a commit."""

import pytest

from recapd.core.commands.shell import command_argv, commit_message, file_effects, program
from recapd.core.log.effects import FileEffect


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ls -la", "ls -la"),
        (["bash", "-lc", "rm a && ls"], "rm a && ls"),
        (["/bin/zsh", "-lc", "echo 'x y'"], "echo 'x y'"),
        (["/usr/bin/env", "bash", "-c", "ls"], "ls"),
        (["powershell.exe", "-NoProfile", "-Command", "Get-Content a"], "Get-Content a"),
        (["cmd", "/c", "dir", "x"], "dir x"),
        (["git", "commit", "-m", "it's a b"], "git commit -m 'it'\\''s a b'"),
        ("bash -lc 'rm a'", "rm a"),
        ('bash -lc "rm $X"', 'bash -lc "rm $X"'),
        ("bash script.sh", "bash script.sh"),
        ([], ""),
    ],
)
def test_the_script_inside_a_logged_command(command: list[str] | str, expected: str) -> None:
    assert command_argv(command) == expected


def test_an_argv_survives_quoting() -> None:
    assert file_effects(command_argv(["rm", "a b", "it's"])) == (
        FileEffect("a b", "deleted"),
        FileEffect("it's", "deleted"),
    )


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -q tests", "pytest"),
        ("cd app && FOO=1 python3.12 -m pytest -x", "pytest"),
        ("source .venv/bin/activate && pytest", "pytest"),
        ("uv run --with hypothesis pytest -q", "pytest"),
        ("poetry run -- python -m mypy src", "mypy"),
        ("bundle exec rspec spec/a_spec.rb", "rspec"),
        ("npx --yes jest@29 a.test.ts", "jest"),
        ("sudo -u web /usr/local/bin/node server.js", "node server.js"),
        ("git -C sub --no-pager log --oneline", "git log"),
        ("git add -A && git commit -m 'x'", "git commit"),
        ("npm --prefix ui run build", "npm run build"),
        ("pnpm -r test", "pnpm test"),
        ("yarn workspace web build", "yarn build"),
        ("cargo test --workspace", "cargo test"),
        ("docker compose up -d", "docker compose up"),
        ("gh pr view 3", "gh pr view"),
        ("gh api repos/a/b/pulls", "gh api"),
        ("make -C lib CC=clang test", "make test"),
        ("python scripts/tool.py --fast", "python tool.py"),
        ("python - <<'EOF'\nimport x\nEOF", "python"),
        ("timeout 60 ./gradlew test", "gradlew test"),
        ("cd /tmp", "cd"),
        ("[ -f a ] && cat a", "cat"),
        ("", ""),
    ],
)
def test_program_names_what_runs(command: str, expected: str) -> None:
    assert program(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git commit -m 'Fix it'", "Fix it"),
        ('git add -A && git commit -am "Fix $X > y"', "Fix $X > y"),
        ("git commit -m Title -m 'Body text.'", "Title\n\nBody text."),
        ("git commit --message='One' --no-verify", "One"),
        (
            'git -C sub commit -m "$(cat <<\'EOF\'\nTitle (a)\n\nIt\'s "done".\nEOF\n)" && git push',
            'Title (a)\n\nIt\'s "done".',
        ),
        ('git commit -m "$(cat <<EOF\nTitle\nEOF)"', "Title"),
        ("git commit -F - <<'EOF'\nFrom stdin\nEOF\n", "From stdin"),
        ("cat <<'EOF' | git commit -F -\nPiped\nEOF\n", "Piped"),
        ("git commit --amend --no-edit", None),
        ("git commit", None),
        ("git log --grep commit -m 3", None),
        ("echo 'git commit -m x'", None),
        ("git commit -F notes.txt", None),
    ],
)
def test_commit_message(command: str, expected: str | None) -> None:
    assert commit_message(command) == expected
