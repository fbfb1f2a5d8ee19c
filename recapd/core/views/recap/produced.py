"""Where a session's work is to be found and how it stands: its branch, its pull requests, its tests.

A pull request counts where the agent linked it, or told of one as its own result; numbers in prompts are the human's.
"""

from __future__ import annotations

from typing import Final

from recapd.core.hygiene import code_span, escape_markdown
from recapd.core.text import excerpt, one_line, presentable
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import last_of_known_words, pulls_in, words_of_turn
from recapd.core.views.recap.words import command_line

# Where everybody is when nothing is under way.
_USUAL: Final = frozenset(("main", "master", "trunk", "HEAD", "develop", ""))
_BRANCH_CHARS: Final = 60
_COMMAND_CHARS: Final = 50
# Tests that passed longer ago say nothing of what was done since.
_RECENT_TURNS: Final = 3
# A pull request that nobody spoke of for longer is where the work was, not where it is.
_TOLD_TURNS: Final = 128
# Where only the exit code says that tests passed, it goes without saying.
_EXIT_CHARS: Final = len(": exit 0")


def where_it_is(recap: Recap, most: int = 3) -> list[str]:
    """`branch fix/parser` and `PR #12, #13`, fit for Markdown, as far as they are known."""
    parts: list[str] = []
    branch = recap.session.main.transcript.branch
    if branch not in _USUAL:
        parts.append(f"branch {escape_markdown(excerpt(branch, _BRANCH_CHARS))}")
    if pulls := pulls_of(recap)[-most:]:
        parts.append(f"PR {', '.join(f'#{number}' for number in pulls)}")
    return parts


def tests_words(recap: Recap, columns: int) -> str:
    """How the last run of tests came out, as far as the log proves it, fit for Markdown; "" where none did.

    A command that failed is named where there is room for it.
    """
    if recap.failing:
        run = recap.failing[-1]
        count = f"{run.failed} {'test fails' if run.failed == 1 else 'tests fail'}" if run.failed else "tests fail"
        command = command_line(presentable(run.command))
        return f"{count}: {code_span(one_line(command, columns))}" if columns >= _COMMAND_CHARS else count
    passed = [each for each in recap.progress.milestones if each.sort == "tests"]
    if not passed or passed[-1].turn < recap.turn - _RECENT_TURNS:
        return ""
    last = passed[-1]
    if last.passed or not last.program:
        return escape_markdown(excerpt(last.text, _COMMAND_CHARS).lower())
    return escape_markdown(excerpt(f"Tests pass ({last.program})", _COMMAND_CHARS - _EXIT_CHARS).lower())


def pulls_of(recap: Recap) -> list[str]:
    """Numbers of pull requests in the order in which they were last told of."""
    found: dict[str, None] = {}
    memory = recap.session.memory
    told = [pulls_in(link.url) for link in recap.session.main.transcript.links]
    turns = last_of_known_words(recap.turns[-_TOLD_TURNS:], memory)
    for numbers in (*told, *(words_of_turn(turn, memory).pulls for turn in turns)):
        for number in numbers:
            found.pop(number, None)
            found[number] = None
    return list(found)
