"""The text of a summary: plain sentences in paragraphs, within a hard cap of tokens.

What must not fade comes with room of its own; the story gets what is left. What does not fit is counted, not hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core.settings import DigestSettings
from recapd.core.state import relative
from recapd.core.summaries.closed import closed
from recapd.core.summaries.digest import Episode, scores_of
from recapd.core.summaries.record import Facts, Noted
from recapd.core.text import count_for_budget, fit_tokens, one_line, take_fitting, take_until_full

VoiceName: TypeAlias = Literal["third", "first", "bullets"]

# A summary of a few short messages may be as long as they are, up to this: a third of nothing says nothing.
LEAST_TOKENS: Final = 48
# Words to a token, for limits that are said in words.
WORDS_PER_TOKEN: Final = 0.75
# Shares of the cap that each kind of fact may take. Where few kinds are there, each may take more, as long as all of
# them together leave the story its room.
_SHARES: Final = {
    "decisions": 0.22,
    "user": 0.20,
    "files": 0.10,
    "commands": 0.06,
    "failures": 0.08,
    "commitments": 0.10,
    "questions": 0.08,
}
_SCALES: Final = (3.0, 2.0, 1.5, 1.0)
_FACTS_SHARE: Final = 0.8
_FAILURE_CHARS: Final = 100
_GOAL_SHARE: Final = 0.15
_LEAST_STORY_TOKENS: Final = 30
_SAME: Final = 0.85
_MOST_OF_IT: Final = 0.6
_TONE_LEAST: Final = 1
# What separates the items of a list takes the place of their full stops.
_STOPS: Final = ".。"


class Wording(Struct, frozen=True):
    """How the parts begin, by grammatical person."""

    goal: str
    shared: str
    committed: str


_WORDINGS: Final[dict[str, Wording]] = {
    "third": Wording("The user asked: ", "The user shared: ", "Commitments: "),
    "first": Wording("I was asked: ", "The user told me: ", "I have still to see to: "),
    "bullets": Wording("Goal: ", "User: ", "Commitments: "),
}


def cap_of(covered_tokens: int, *, max_tokens: int, target_compression: float) -> int:
    """Tokens a summary may have: a share of what it covers, within the limit, and enough to say anything at all."""
    share = int(covered_tokens * target_compression)
    return min(max_tokens, max(share, min(LEAST_TOKENS, max(covered_tokens, 1))))


def text_of(
    facts: Facts,
    episodes: Sequence[Episode],
    *,
    cap: int,
    voice: VoiceName,
    digest: DigestSettings,
    prose: str = "",
    root: str = "",
    focus: str = "",
) -> str:
    """`prose` is a model's, and takes the story's place; facts that it names already are not said twice.

    Paths below `root` are shown relative to it.
    """
    words = _WORDINGS[voice]
    told = prose.lower()
    parts: list[str] = []
    if facts.goal is not None and not prose:
        parts.append(fit_tokens(f"{words.goal}“{facts.goal.text}”", max(int(cap * _GOAL_SHARE), LEAST_TOKENS // 2)))
    head = [part for part in parts if part]
    for scale in _SCALES:
        tail = _lists(facts, words, told=told, cap=cap * scale, root=root)
        used = count_for_budget("\n\n".join((*head, *tail)))
        if used <= cap * _FACTS_SHARE:
            break
    story = _story(prose, episodes, room=cap - used - 2, digest=digest, focus=focus)
    text = _paragraphs((*head, *((story,) if story else ()), *tail), voice)
    return fit_tokens(text, cap)


def _lists(facts: Facts, words: Wording, *, told: str, cap: float, root: str) -> list[str]:
    goal = facts.goal.text.lower() if facts.goal is not None and not told else ""
    active = [each.text for each in facts.decisions if each.status == "active" and each.text.lower() not in goal]
    failures = [one_line(each.text, _FAILURE_CHARS) for each in facts.failures]
    found = (
        _list("Decided: ", _unsaid(active, told), cap * _SHARES["decisions"]),
        # Who somebody is was said early; where that leaves no room, the rest is counted.
        _list(words.shared, _unsaid(_texts(facts.user_facts), told), cap * _SHARES["user"], newest=False),
        _list("Files: ", _work_files(facts, told, root), cap * _SHARES["files"]),
        _list("Ran: ", _work_commands(facts, told), cap * _SHARES["commands"]),
        _list("Failed: ", _unsaid(failures, told), cap * _SHARES["failures"]),
        _list(words.committed, _unsaid(_texts(facts.commitments), told), cap * _SHARES["commitments"]),
        _list("Open questions: ", _unsaid(_texts(facts.questions), told), cap * _SHARES["questions"]),
        _tone(facts),
    )
    return [each for each in found if each]


def part_of(episodes: Sequence[Episode], *, cap: int, digest: DigestSettings) -> str:
    """What a stretch alone says, for a list of summaries."""
    return _story("", episodes, room=cap, digest=digest, focus="")


def is_degenerate(text: str) -> bool:
    """Whether a text says nothing: empty, a few characters, or one thing over and over."""
    words = text.split()
    if len(words) < 3:
        return True
    return len(words) > 40 and len(set(words)) < len(words) / 8


def _story(prose: str, episodes: Sequence[Episode], *, room: int, digest: DigestSettings, focus: str) -> str:
    if room < _LEAST_STORY_TOKENS:
        return ""
    if prose:
        return fit_tokens(prose.strip(), room)
    scores = scores_of(episodes, (), digest, focus=focus)
    lines = [one_line(each.text, len(each.text) + 1) for each in episodes]
    words = [frozenset(line.lower().split()) for line in lines]
    order = sorted(range(len(lines)), key=lambda number: (-scores[number], -number))

    def cost_of(number: int) -> int:
        return count_for_budget(f" {lines[number]}")

    def is_new(number: int, told: Sequence[int]) -> bool:
        """What was said twice is told once."""
        return not any(len(words[number] & words[other]) > _SAME * len(words[number]) for other in told)

    if order and cost_of(order[0]) > room:
        return fit_tokens(lines[order[0]], room - 1)
    taken = take_fitting(order, cost_of, room, is_wanted=is_new)
    return fit_tokens(" ".join(lines[number] for number in sorted(taken.positions)), room)


def _list(label: str, items: Sequence[str], room: float, *, newest: bool = True) -> str:
    """The label and the items, the newest kept where room is short, or the first, and how many are not named."""
    order = range(len(items))
    taken = take_until_full(
        reversed(order) if newest else order,
        lambda at: count_for_budget(f"{items[at]}; "),
        int(room) - count_for_budget(label),
    )
    kept = [items[at].rstrip(_STOPS) for at in sorted(taken.positions)]
    if not kept and items:
        # The one that matters most is named if most of it fits; a stump of a few words says nothing.
        most_wanted = items[-1 if newest else 0]
        start = fit_tokens(most_wanted, taken.left)
        kept = [one_line(start, len(start)).rstrip(_STOPS)] if len(start) > _MOST_OF_IT * len(most_wanted) else []
    if not kept:
        return ""
    more = f" (and {len(items) - len(kept)} {'earlier' if newest else 'more'})" if len(items) > len(kept) else ""
    return closed(f"{label}{'; '.join(kept)}{more}")


def _texts(noted: Sequence[Noted]) -> list[str]:
    return [each.text for each in noted]


def _unsaid(items: Sequence[str], told: str) -> list[str]:
    return [item for item in items if not told or item.lower().rstrip(".") not in told]


def _work_files(facts: Facts, told: str, root: str) -> list[str]:
    shown = [(each.action, relative(each.path, root)) for each in facts.files]
    return [f"{action} {path}" for action, path in shown if not told or path.lower() not in told]


def _work_commands(facts: Facts, told: str) -> list[str]:
    return [
        f"`{each.command}`" + ("" if each.ok else " (failed)") + (f" × {each.count}" if each.count > 1 else "")
        for each in facts.commands
        if not told or each.command.lower() not in told
    ]


def _tone(facts: Facts) -> str:
    shown = sorted(((count, name) for name, count in facts.tone.items() if count >= _TONE_LEAST), reverse=True)
    return f"Tone: {' and '.join(name for _, name in shown[:2])}." if shown else ""


def _paragraphs(parts: Sequence[str], voice: VoiceName) -> str:
    mark: Callable[[str], str] = (lambda part: f"- {part}") if voice == "bullets" else (lambda part: part)
    return ("\n" if voice == "bullets" else "\n\n").join(mark(part) for part in parts)
