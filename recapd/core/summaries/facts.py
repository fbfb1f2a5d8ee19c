"""What must not fade: taken from a stretch of the conversation, and merged with what was known before.

Decisions, files and commands come from ledgers and calls; commitments, open questions and what the user shared from
sentences, kept as they were said (see cues). Merging is by identity (a decision's id, a path, a command, the words),
never by rewriting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from recapd.core import late_re as re
from recapd.core.decisions import Entry, stands_on_proof
from recapd.core.state import Step, category
from recapd.core.summaries.cues import (
    AGENT_COMMITS_RE,
    FIRST_PERSON_RE,
    NAMED_RE,
    OPEN_RE,
    TONES,
    USER_COMMITS_RE,
    USER_FACT_RE,
)
from recapd.core.summaries.digest import Beat, Stretch, request_in
from recapd.core.summaries.record import CommandNote, DecisionNote, Facts, FileNote, Noted
from recapd.core.text import excerpt, first_sentence, is_substantive, plain, presentable_path, question_in
from recapd.core.tool_use import merged_uses, tool_uses

T = TypeVar("T")

NOTE_CHARS: Final = 200
_COMMAND_CHARS: Final = 160
# More than anybody reads, so that nothing real is lost; a log may be hostile, so not without end.
MAX_DECISIONS: Final = 1_000
MAX_FILES: Final = 1_000
MAX_COMMANDS: Final = 300
MAX_NOTES: Final = 120
# A message is searched for cues up to here: what is longer is pasted.
_READ_CHARS: Final = 4_000
_MAX_SENTENCES: Final = 80
# "Next steps:" alone is a heading.
_LEAST_WORDS: Final = 4


def facts_of(stretch: Stretch, ledger: Sequence[Entry], *, last: int) -> Facts:
    """What a stretch that ends with message `last` adds. Of the ledger, all until then: later ones revise earlier."""
    beats = stretch.beats
    prompts = [beat for beat in beats if beat.voice == "user"]
    goal = next((beat for beat in prompts if is_substantive(beat.text)), prompts[0] if prompts else None)
    tone = Counter(name for beat in prompts for name, cue in TONES.items() if cue.search(beat.text[:_READ_CHARS]))
    return Facts(
        goal=_noted(goal) if goal is not None else None,
        topics=tuple(_noted(beat) for beat in prompts if is_substantive(beat.text)),
        decisions=tuple(_decision(entry) for entry in ledger if entry.finding.message <= last and _counts(entry)),
        files=_files(stretch, beats),
        commands=_commands(stretch.steps, beats),
        failures=tuple(_noted(beat) for beat in beats if beat.failed),
        commitments=tuple(_cued(beats, {"user": USER_COMMITS_RE, "agent": AGENT_COMMITS_RE})),
        questions=_questions(beats),
        user_facts=tuple(_shared(prompts, is_talk=not stretch.facts.totals.calls)),
        tone=dict(tone),
        commands_run=stretch.facts.totals.commands,
        calls=stretch.facts.totals.calls,
        tools=tool_uses(
            stretch.facts.tools, stretch.facts.failed_tools, stretch.steps, next(iter(stretch.facts.cwds), "")
        ),
    )


def merged(before: Facts, new: Facts) -> Facts:
    """Everything of both, each once; of what both know, the later word."""
    return Facts(
        goal=before.goal or new.goal,
        topics=_union(before.topics, new.topics, _words_of, MAX_NOTES),
        decisions=_latest(before.decisions, new.decisions, lambda each: each.id, MAX_DECISIONS),
        files=_latest(before.files, new.files, lambda each: each.path, MAX_FILES),
        commands=_latest(before.commands, new.commands, lambda each: each.command, MAX_COMMANDS),
        failures=_union(before.failures, new.failures, _words_of, MAX_NOTES),
        commitments=_union(before.commitments, new.commitments, _words_of, MAX_NOTES),
        questions=_union(before.questions, new.questions, _words_of, MAX_NOTES),
        user_facts=_union(before.user_facts, new.user_facts, _words_of, MAX_NOTES),
        tone=dict(Counter(before.tone) + Counter(new.tone)),
        commands_run=before.commands_run + new.commands_run,
        calls=before.calls + new.calls,
        tools=merged_uses(before.tools, new.tools),
    )


def _words_of(noted: Noted) -> str:
    return " ".join(noted.text.lower().split())


def _union(before: Sequence[T], new: Sequence[T], key: Callable[[T], Hashable], most: int) -> tuple[T, ...]:
    """Who said it first dates it; beyond the limit the oldest go, but for the first half: goals stand early."""
    found = list({key(each): each for each in (*reversed(new), *reversed(before))}.values())[::-1]
    if len(found) <= most:
        return tuple(found)
    return (*found[: most // 2], *found[-(most - most // 2) :])


def _latest(before: Sequence[T], new: Sequence[T], key: Callable[[T], Hashable], most: int) -> tuple[T, ...]:
    """In the order they first came up, each as it stands now."""
    found = {key(each): each for each in before}
    found.update((key(each), each) for each in new)
    return tuple(found.values())[-most:]


def _noted(beat: Beat) -> Noted:
    text = request_in(beat.text, NOTE_CHARS) if beat.voice == "user" else excerpt(plain(beat.text), NOTE_CHARS)
    return Noted(text, beat.turn, beat.place)


def _counts(entry: Entry) -> bool:
    """What was decided, not what may have been: a summary is read instead of the conversation."""
    return entry.status != "tentative" and stands_on_proof(entry)


def _decision(entry: Entry) -> DecisionNote:
    finding = entry.finding
    return DecisionNote(
        entry.id, excerpt(finding.text, NOTE_CHARS), entry.turn, finding.place, entry.status, finding.made_by
    )


def _files(stretch: Stretch, beats: Sequence[Beat]) -> tuple[FileNote, ...]:
    turn_at = {beat.place.offset: beat.turn for beat in beats}
    last = beats[-1].turn if beats else 0
    return tuple(
        FileNote(presentable_path(fact.path), fact.action, turn_at.get(fact.place.offset, last), fact.place)
        for fact in stretch.facts.files
        if fact.action != "read"
    )


def _commands(steps: Sequence[Step], beats: Sequence[Beat]) -> tuple[CommandNote, ...]:
    """Each command once, with how often it ran and how it came out last."""
    turn_at = {beat.place.offset: beat.turn for beat in beats}
    found: dict[str, CommandNote] = {}
    for step in steps:
        if step.kind != "shell" or not step.target or category(step.kind) != "consequential":
            continue
        command = excerpt(step.target, _COMMAND_CHARS)
        known = found.pop(command, None)
        count = known.count + 1 if known is not None else 1
        turn = turn_at.get(step.place.offset, known.turn if known is not None else 0)
        found[command] = CommandNote(command, step.ok, turn, step.place, count)
    return tuple(found.values())


def _cued(beats: Iterable[Beat], cues: dict[str, re.Pattern[str]]) -> Iterator[Noted]:
    for beat in beats:
        cue = cues.get(beat.voice)
        if cue is None or not cue.search(beat.text[:_READ_CHARS]):
            continue
        for sentence in _sentences(beat.text):
            if cue.search(sentence) and _tells(sentence):
                yield Noted(excerpt(plain(sentence), NOTE_CHARS), beat.turn, beat.place)


def _shared(prompts: Iterable[Beat], *, is_talk: bool) -> Iterator[Noted]:
    """What the user told of oneself. In a talk without any work, whatever one says of oneself with a name or a day in
    it is that; where there is work, names are mostly its."""
    for beat in prompts:
        for sentence in _sentences(beat.text):
            is_named = is_talk and FIRST_PERSON_RE.search(sentence) and NAMED_RE.search(sentence)
            if (is_named or USER_FACT_RE.search(sentence)) and _tells(sentence):
                yield Noted(excerpt(plain(sentence), NOTE_CHARS), beat.turn, beat.place)


def _tells(sentence: str) -> bool:
    return not sentence.endswith("?") and len(sentence.split()) >= _LEAST_WORDS


def _questions(beats: Sequence[Beat]) -> tuple[Noted, ...]:
    """What was said to be open, and what nobody has answered at the end of the stretch."""
    found = list(_cued(beats, {"user": OPEN_RE, "agent": OPEN_RE}))
    spoken = [beat for beat in beats if beat.voice != "action"]
    if spoken and (asked := question_in(spoken[-1].text, NOTE_CHARS)):
        found.append(Noted(excerpt(asked, NOTE_CHARS), spoken[-1].turn, spoken[-1].place))
    return tuple(found)


def _sentences(text: str) -> Iterator[str]:
    rest = text[:_READ_CHARS].strip()
    for _ in range(_MAX_SENTENCES):
        if not rest:
            return
        sentence = first_sentence(rest) or rest
        yield sentence.strip().lstrip("-*#>•+ ")
        rest = (
            rest[len(sentence) :].strip()
            if rest.startswith(sentence)
            else rest[rest.find(sentence) + len(sentence) :].strip()
        )
