"""How a session stands in a few words: what it waits for, its tests, its branch, its pull requests, its list of work.

Owns: the line of the state that every page has, and the facts that stand beside it as data.
A pull request counts where the agent linked it, or told of one as its own result; numbers in prompts are the human's.
"""

from __future__ import annotations

from typing import Final

import msgspec

from recapd.core.commands import program
from recapd.core.log import Place, join_path
from recapd.core.state import FileFact, Memory, Milestone, Sourced, Standing, Turn, age_of, is_changed, told_tests
from recapd.core.text import ELLIPSIS, excerpt, one_line, presentable
from recapd.core.views.recap.canary import Contradiction
from recapd.core.views.recap.items import cited, last_record, step_item
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import last_of_known_words, pulls_in, words_of_turn
from recapd.core.views.recap.view import Cited, Fact, FactKind, Item, Section, Wording, coded, joined, worded
from recapd.core.views.recap.words import brief, command_line, plain_line
from recapd.core.views.state_words import standing_word

# Where everybody is when nothing is under way.
_USUAL: Final = frozenset(("main", "master", "trunk", "HEAD", "develop", ""))
_BRANCH_CHARS: Final = 60
# What git only shows.
_LOOKS_OF_GIT: Final = frozenset(
    ("status", "log", "diff", "show", "blame", "grep", "ls-files", "remote", "config", "describe", "rev-parse", "fetch")
)
_COMMAND_CHARS: Final = 50
# Tests that passed longer ago say nothing of what was done since.
_RECENT_TURNS: Final = 3
# A pull request that nobody spoke of for longer is where the work was, not where it is.
_TOLD_TURNS: Final = 128
# Where only the exit code says that tests passed, it goes without saying.
_EXIT_CHARS: Final = len(": exit 0")
_MAX_PULLS: Final = 3
# Files that no test reads.
_PROSE: Final = (".md", ".mdx", ".rst", ".txt", ".adoc")
_FACT_CHARS: Final = 80
_MODEL_CHARS: Final = 60

EDITED_SINCE: Final = ", edited since"
UNJUDGED: Final = "decisions are still being read"


# ---- the state, in words


def state_item(recap: Recap, limit: int) -> Item:
    """How the session stands; what goes without saying is not said, nor is anything where there is no room for it."""
    stand = recap.standing
    word = standing_word(stand)
    said_so = stand.is_said_by_status or not limit
    detail = "" if said_so else plain_line(question_or_detail(stand), limit)
    # The beginning of a command says nothing.
    is_torn = stand.cause == "calling" and detail.endswith(ELLIPSIS)
    wording = joined([word, " — ", worded(detail)] if detail and not is_torn else [word])
    return _state(recap, "state", wording, stand.place, at=stand.since)


def goes_without_saying(recap: Recap, left: Section | None) -> bool:
    """Whether nobody is there, and the other lines tell the answer, or what it asks is not worth a line. That a session
    was closed says as little: nobody learns by it whether the work is done. Where nobody asked, nothing is answered."""
    if recap.standing.cause == "nothing said":
        return True
    return recap.standing.status in ("answered", "finished") and _is_answered(recap, left)


def is_over(recap: Recap, left: Section | None) -> bool:
    """Whether what was asked last was answered, and nothing is left to the reader."""
    return recap.upcoming is None and left is None and _is_answered(recap, left)


def _is_answered(recap: Recap, left: Section | None) -> bool:
    cause = recap.standing.cause
    return cause in ("answered", "had answered", "closed") or (cause == "asked in words" and left is None)


def question_or_detail(stand: Standing) -> str:
    """The question that the agent's words put, or what it would do, as it is; else how the session stands, in a
    sentence."""
    return stand.question if stand.cause in ("asked in words", "wants") else stand.detail


def state_section(recap: Recap, parts: list[Item | None], notes: list[Contradiction] | None = None) -> Section:
    """The state and what belongs to it, as far as there is something to say."""
    found = [part for part in parts if part is not None]
    if recap.unjudged:
        found.append(_state(recap, "unjudged", Wording(UNJUDGED, UNJUDGED)))
    found += [note_item(recap, note, "⚠ ") for note in notes or ()]
    return Section("state", "State", tuple(found))


def note_item(recap: Recap, note: Contradiction, mark: str = "") -> Item:
    wording = joined((mark, worded(note.text)))
    return Item(key=f"note {note.text}", wording=wording, turn=note.turn, cited=cited(recap, *note.places), ok=False)


def failed_end(recap: Recap, columns: int) -> Item | None:
    """The last step of a session that broke off, where it failed and nobody said so; with so much of the reason."""
    if recap.standing.status != "interrupted" or not recap.steps or not recap.turns:
        return None
    last = recap.steps[-1]
    # Whoever only asks once more what came of it is still at it; who asks for other things has passed it over.
    is_over = last.turn < recap.turns[-1].number - 1
    is_told = any(turn.replied and turn.replied.offset > last.fact.place.offset for turn in recap.turns[-2:])
    if last.fact.ok or last.fact.denied or last.source is not recap.session.main or is_told or is_over:
        return None
    # What the human stopped did not fail, and tests that fail are told of beside it.
    is_stopped = last.source.transcript.ending.moment == "interrupted"
    if is_stopped or any(run.place == last.fact.place for run in recap.failing):
        return None
    step = brief(last.fact)
    return step_item(recap, last, msgspec.structs.replace(step, outcome=one_line(step.outcome, columns)))


def tests_item(recap: Recap, columns: int) -> Item | None:
    """How the last run of tests came out, unless that is long ago and all was well."""
    last = _last_tests(recap, columns)
    return None if last is None or (last.ok and last.turn < recap.turn - _RECENT_TURNS) else last


def _last_tests(recap: Recap, columns: int) -> Item | None:
    """How the last run of tests came out, as far as the log proves it; None where none did.

    A command that failed is named where there is room for it.
    """
    if recap.failing:
        run = recap.failing[-1]
        count = f"{run.failed} {'test' if run.failed == 1 else 'tests'} failed" if run.failed else "tests failed"
        count += age_of(run, recap.session.main.transcript)
        command = coded(one_line(command_line(presentable(told_tests(run))), columns))
        wording = joined((count, ": ", command) if columns >= _COMMAND_CHARS else (count,))
        return _state(recap, "tests", wording, run.place, turn=run.turn, at=run.at, ok=False)
    passed = [each for each in recap.progress.milestones if each.sort == "tests"]
    if not passed:
        return None
    last = passed[-1]
    if last.passed or not last.program:
        text = excerpt(last.text, _COMMAND_CHARS).lower()
    else:
        text = excerpt(f"Tests pass ({last.program})", _COMMAND_CHARS - _EXIT_CHARS).lower()
    if _is_edited_since(recap, last.place):
        text += EDITED_SINCE
    return _state(recap, "tests", worded(text), last.place, turn=last.turn, at=last.at, ok=True)


def milestone_words(recap: Recap, reached: Milestone) -> str:
    """That tests passed says less once something was edited, wherever it is told."""
    is_stale = reached.sort == "tests" and _is_edited_since(recap, reached.place)
    return reached.text + (EDITED_SINCE if is_stale else "")


def _is_edited_since(recap: Recap, place: Place) -> bool:
    """Whether anything was changed since that tests may tell of: they tell nothing of prose."""
    changes = recap.session.main.transcript.changes
    if not changes or changes[-1].place.offset <= place.offset:
        return False
    own = (row.fact for row in recap.files if row.source is recap.session.main and is_changed(row.fact))
    later = [fact.path.lower() for fact in own if fact.place.offset > place.offset]
    return not later or not all(path.endswith(_PROSE) for path in later)


def state_words(recap: Recap, limit: int) -> list[str]:
    """How the session stands and ended, how its tests came out, and where the work is: each in plain words."""
    parts = [state_item(recap, limit), failed_end(recap, limit), _last_tests(recap, limit), *where_it_is(recap)]
    return [part.wording.plain for part in parts if part is not None]


def where_it_is(recap: Recap, most: int = _MAX_PULLS) -> list[Item | None]:
    """`branch fix/parser` and `PR #12, #13`, as far as they are known."""
    parts: list[Item | None] = []
    if branch := _branch(recap):
        parts.append(_state(recap, "branch", joined(("branch ", worded(branch))), last_record(recap)))
    if pulls := dict(list(pulls_of(recap).items())[-most:]):
        text = f"PR {', '.join(f'#{number}' for number in pulls)}"
        parts.append(_state(recap, "pulls", Wording(text, text), *pulls.values()))
    return parts


def _branch(recap: Recap) -> str:
    branch = recap.session.main.transcript.branch
    return excerpt(branch, _BRANCH_CHARS) if branch not in _USUAL and _is_worked_on(recap) else ""


def _is_worked_on(recap: Recap) -> bool:
    """Whether anything was done to the repository that the session was held in: of a talk, and of work elsewhere, its
    branch says nothing."""
    if recap.progress.milestones or any(map(_is_there, recap.files)):
        return True
    runs = (each.fact for each in recap.commands if each.fact.ok)
    words = (program(run.target).split() for run in runs)
    return any(each[0] == "git" and not _LOOKS_OF_GIT.issuperset(each[1:]) for each in words if each)


def _is_there(row: Sourced[FileFact]) -> bool:
    """Whether a file was changed below the folder that its log was kept for, as far as that is known."""
    if not is_changed(row.fact):
        return False
    folders = [folder.rstrip("/\\") for folder in row.source.transcript.cwds]
    path = join_path(row.fact.where, row.fact.path) or row.fact.path
    is_elsewhere = path.startswith(("/", "~")) or path[1:3] in (":\\", ":/")
    return not folders or not is_elsewhere or any(path.startswith((f"{each}/", f"{each}\\")) for each in folders)


def pulls_of(recap: Recap) -> dict[str, Place]:
    """Numbers of the work's pull requests in the order in which they were last told of, and where that is.

    Whoever only looks around may name any: those of a turn that changed nothing count only by their address.
    """
    memory = recap.session.memory
    turns = last_of_known_words(recap.turns[-_TOLD_TURNS:], memory)
    worked = frozenset(milestone.turn for milestone in recap.progress.milestones)
    linked = tuple((pulls_in(link.url), link.place) for link in recap.session.main.transcript.links)
    # A page names them at several widths, and as facts.
    return memory.recall(_pulls_told, (tuple(turns), worked, linked), "pulls", memory)


def _pulls_told(
    made_of: tuple[tuple[Turn, ...], frozenset[int], tuple[tuple[tuple[str, ...], Place], ...]], memory: Memory
) -> dict[str, Place]:
    turns, worked, linked = made_of
    found: dict[str, Place] = {}
    told = list(linked)
    # Where the log says which were opened, the others were only spoken of.
    if not told:
        named: tuple[tuple[str, ...], Place] | None = None
        for turn in turns:
            words, place = words_of_turn(turn, memory), turn.replied or turn.request.place
            told.append((words.linked_pulls, place))
            own = [number for number in words.pulls if number not in pulls_in(turn.request.text)]
            if own and (turn.edits or turn.number in worked):
                named = tuple(own), place
        # By its number alone any may be named beside the one at work.
        told += [named] if named is not None else []
    for numbers, place in told:
        for number in numbers:
            found.pop(number, None)
            found[number] = place
    return found


def _state(
    recap: Recap,
    key: str,
    wording: Wording,
    *places: Place | None,
    turn: int | None = None,
    at: str = "",
    ok: bool | None = None,
) -> Item:
    """There is one of each key: what it says changes, what it is about does not."""
    turn = recap.turn if turn is None else turn
    return Item(key=key, wording=wording, turn=turn, at=at, cited=cited(recap, *places), ok=ok)


# ---- the same as facts


def facts_of(recap: Recap) -> tuple[Fact, ...]:
    """What is known of the session's tests, branch, commits, pull requests, list of work and model."""
    main = recap.session.main
    transcript = main.transcript
    found: list[Fact] = []

    def add(kind: FactKind, text: str, place: Place | None, *, ok: bool | None = None, at: str = "") -> None:
        if text and place is not None:
            found.append(Fact(kind=kind, text=text, cited=Cited(main, place), ok=ok, at=at))

    # Beside its age it may be as old as it is.
    if tests := _last_tests(recap, _FACT_CHARS):
        add("tests", tests.wording.plain, tests.cited[0].place, ok=tests.ok, at=tests.at)
    add("branch", excerpt(transcript.branch, _BRANCH_CHARS), last_record(recap))
    # Commits are the milestones of no sort: each of them stays.
    if commits := [each for each in recap.progress.milestones if not each.sort]:
        add("commit", excerpt(commits[-1].text, _FACT_CHARS), commits[-1].place, at=commits[-1].at)
    for number, place in list(pulls_of(recap).items())[-_MAX_PULLS:]:
        add("pullRequest", f"PR #{number}", place)
    if counted := recap.progress.counted:
        done = len(recap.progress.done)
        add("todo", f"{done} of {len(counted)} tasks done", transcript.todos_place, ok=done == len(counted))
    add("model", excerpt(transcript.model, _MODEL_CHARS), last_record(recap))
    return tuple(found)
