"""The look before the parser: it may ask for a closer look in vain, but it must never hide what the tables know."""

import pytest

from recapd.core.commands import effects as shell_effects
from recapd.core.commands import kinds as shell_kinds
from recapd.core.commands.hints import NO_HINTS, Hints, hints_of

TEST_LINES = [
    *shell_kinds._TEST_PROGRAMS,
    *(f"{tool} {verb}" for tool, verbs in shell_kinds._TEST_VERBS.items() for verb in verbs),
    *(f"{tool} test" for tool in shell_kinds._PLAIN_TEST_VERB | shell_kinds._NAMED_BY_PEOPLE),
    *("node --test", "tsx --test", "python3.12 manage.py test", "php artisan test", "npx cypress run"),
]
BUILD_LINES = [
    *shell_kinds._BUILD_PROGRAMS,
    *(f"{tool} {verb}" for tool, verbs in shell_kinds._BUILD_VERBS.items() for verb in verbs),
    *(f"{tool} build" for tool in shell_kinds._PLAIN_BUILD_VERB | shell_kinds._NAMED_BY_PEOPLE),
    *("make", "cmake --build .", "npm run compile:all"),
]
# These change files only in some of their forms.
FORMS = {"sed": "sed -i s/a/b/ x", "gsed": "gsed -i s/a/b/ x", "perl": "perl -pi -e 1 x", "git": "git checkout -- x"}
CHANGING_LINES = [
    *(FORMS.get(program, f"{program} x") for program in shell_effects.PROGRAMS),
    *("git rm x", "git mv x y", "git restore x", "apply_patch x", "Set-Content -Path x", "New-Item x"),
    *("echo x > y", "echo x>>y", "(rm x)", "true;rm x", "/bin/rm x", "bash -c 'rm x'", "cmd 2> err.log"),
]


@pytest.mark.parametrize("line", sorted(TEST_LINES))
def test_what_may_run_tests_is_looked_at(line: str) -> None:
    assert hints_of(line).tests
    assert hints_of(f"cd x&&({line}) 2>&1|tail -5").tests


@pytest.mark.parametrize("line", sorted(BUILD_LINES))
def test_what_may_build_is_looked_at(line: str) -> None:
    assert hints_of(line).builds
    assert hints_of(f'bash -c "{line}"').builds


@pytest.mark.parametrize("line", CHANGING_LINES)
def test_what_may_change_files_is_looked_at(line: str) -> None:
    assert hints_of(line).changes_files


@pytest.mark.parametrize(
    ("line", "hints"),
    [
        ("", NO_HINTS),
        ("ls -la src && cat README.md | head -20", NO_HINTS),
        ("grep -rn 'a->b' tests/unit 2>/dev/null", NO_HINTS),
        ("cat docs/commit-style.md", NO_HINTS),
        ("git -c a=b commit -m x", Hints(commits=True)),
        ("git status;git commit", Hints(commits=True)),
        ("echo '\ud800' 你好", NO_HINTS),
    ],
)
def test_a_dull_line_is_told_from_one_worth_reading(line: str, hints: Hints) -> None:
    assert hints_of(line) == hints
