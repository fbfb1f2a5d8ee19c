"""Everything a recap claims, with the record that proves it, and whether what stands there now still does.

Owns: what has to stand at a place for a claim to hold. Must not know: how a log is read again.
Texts are compared as they are shown, secrets taken out alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeGuard, TypeVar

import msgspec
from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.commands import file_effects
from recapd.core.decisions import Entry
from recapd.core.log import Call, Event, Note, Place, Prompt, Queued, Reply, Result, is_same_file, text_of_payload
from recapd.core.secrets import MASK
from recapd.core.state import FileFact, Request, Source, Sourced, Step, TestRun, describe, folders_above, shown_step
from recapd.core.text import excerpt, presentable, presentable_path, strip_quoted_reply, without_own_text
from recapd.core.views.changes import whole_path
from recapd.core.views.recap import LINE_CHARS, REQUEST_CHARS, Recap, View, statements_of

# The state keeps texts up to this length whole; of longer ones it knows a beginning.
_WHOLE_CHARS = 1_000
_WORD_RE = re.compile(r"[^\W_]+")
# Emphasis, which may stand within a word.
_MARK_RE = re.compile("[*`~_]")

Fact = TypeVar("Fact", Step, TestRun, FileFact)
Proof: TypeAlias = Callable[[Sequence[Event]], bool]


class Claim(Struct, frozen=True):
    """One line of a recap, the place it rests on, and whether the events that stand there prove it."""

    kind: str
    text: str
    source: Source
    place: Place
    is_proven: Proof
    # The decision's id, where it is one.
    id: str = ""


def claims_of(recap: Recap, pages: Iterable[View] = ()) -> list[Claim]:
    """What the recap rests on, and what its pages say beyond that."""
    found = _of_facts(recap)
    known = {(claim.source.uri, claim.place) for claim in found}
    said: dict[tuple[str, str, Place], Claim] = {}
    for view in pages:
        for item in statements_of(view):
            text = item.wording.plain
            proof = _mentions(text) if item.is_quoted else _anything
            for cited in item.cited:
                if (cited.source.uri, cited.place) not in known:
                    claim = Claim("statement", text, cited.source, cited.place, proof)
                    said.setdefault((text, cited.source.uri, cited.place), claim)
        for fact in view.facts:
            source, place = fact.cited.source, fact.cited.place
            if (source.uri, place) not in known:
                said.setdefault((fact.text, source.uri, place), Claim("fact", fact.text, source, place, _anything))
    return [*found, *said.values()]


def _of_facts(recap: Recap) -> list[Claim]:
    main = recap.session.main
    root = next(iter(main.transcript.cwds), "")
    asked: list[tuple[str, Request | None]] = [("request", recap.original), ("focus", recap.focus)]
    asked += [("request", request) for request in recap.requests]
    found = [Claim(kind, each.text, main, each.place, _asks(each)) for kind, each in asked if each is not None]
    found += [_claim("action", describe(each.fact, root), each, _calls(each.fact)) for each in recap.steps]
    found += [
        _claim("command", excerpt(each.fact.target, LINE_CHARS), each, _calls(each.fact)) for each in recap.commands
    ]
    found += [_claim("test", each.fact.command, each, _runs(each.fact)) for each in recap.tests]
    found += [_claim("file", each.fact.path, each, _touches(each.fact)) for each in recap.files]
    found += [Claim("milestone", each.text, main, each.place, _anything) for each in recap.progress.milestones]
    found += [Claim("openItem", item.text, main, item.place, _anything) for item in recap.items]
    for entry in recap.decisions:
        found += _of_decision(entry, main)
    if recap.standing.place is not None:
        found.append(Claim("state", recap.standing.detail, main, recap.standing.place, _anything))
    return found


def _of_decision(entry: Entry, main: Source) -> list[Claim]:
    decided = entry.finding
    text = excerpt(decided.text, LINE_CHARS)
    claims = [Claim("decision", text, main, decided.place, _says(decided.quote), entry.id)]
    if decided.proposal is not None:
        claims.append(Claim("proposal", text, main, decided.proposal, _anything, entry.id))
    return claims


def _claim(kind: str, text: str, row: Sourced[Fact], is_proven: Proof) -> Claim:
    return Claim(kind, text, row.source, row.fact.place, is_proven)


def _anything(events: Sequence[Event]) -> bool:
    """These are drawn from more than one record: that there is one is all that can be asked of the last."""
    return True


def _asks(request: Request) -> Proof:
    def is_proven(events: Sequence[Event]) -> bool:
        asked = [event.text for event in events if isinstance(event, Queued) or _is_task(event)]
        asked += [event.typed for event in events if isinstance(event, Prompt)]
        said = [strip_quoted_reply(without_own_text(text)) for text in asked]
        return any(_is_same(request.text, excerpt(text, REQUEST_CHARS), text) for text in said)

    return is_proven


def _is_task(event: Event) -> TypeGuard[Note]:
    """What a sub-agent was told to do is all that it was asked."""
    return isinstance(event, Note) and event.kind == "task"


def _says(quote: str) -> Proof:
    """The quote stands there word for word, but for white space and what is masked."""
    parts = [" ".join(part.split()) for part in presentable(quote).split(MASK)]

    def is_proven(events: Sequence[Event]) -> bool:
        said = " ".join(presentable("\n".join(_texts_in(events))).split())
        return all(part in said for part in parts)

    return is_proven


def _texts_in(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        match event:
            case Prompt() | Queued() | Reply() | Note():
                yield event.text
            case Call():
                yield event.target
                yield event.detail_line
                for words, _ in event.written:
                    yield words
            case Result():
                yield event.reason
                # What a tool said of the human's verdict.
                yield text_of_payload(event.payload)
                for question, answer in event.answers:
                    yield question
                    yield answer


def _mentions(statement: str) -> Proof:
    """Its words stand there, in whatever marks."""
    words = [word.lower() for word in _WORD_RE.findall(statement.replace(MASK, " "))]

    def is_proven(events: Sequence[Event]) -> bool:
        said = _MARK_RE.sub("", presentable("\n".join(_texts_in(events)))).lower()
        return all(word in said for word in words)

    return is_proven


def _calls(step: Step) -> Proof:
    def is_told(call: Call) -> bool:
        # Not by kind: that a file was new may only be told by the records around.
        if call.tool != step.tool:
            return False
        now = shown_step(msgspec.structs.replace(step, target=call.target)).target
        # Of several calls told as one, the last is named, but not what it was about.
        return step.targets > 1 or _is_same(step.target, now, call.target)

    return lambda events: any(map(is_told, _calls_in(events)))


def _runs(run: TestRun) -> Proof:
    def is_told(call: Call) -> bool:
        return _is_same(run.command, excerpt(call.target, LINE_CHARS), call.target)

    return lambda events: any(map(is_told, _calls_in(events)))


def _touches(fact: FileFact) -> Proof:
    """The ledger shows a file as it was spelled first, and the record may spell it from another folder."""
    shown = [path for path in (fact.path, fact.renamed_to) if path]
    above = tuple(folders_above(whole_path(fact) or fact.path))
    if fact.action in ("deleted", "renamed"):
        # It may have gone with a folder that it lay in.
        shown += above

    def is_proven(events: Sequence[Event]) -> bool:
        named = [presentable_path(path) for path in _paths_in(events) if path]
        if fact.action == "created" and any(is_same_file(one, other) for one in above for other in _moved_to(events)):
            # It came with a folder that was moved there.
            return True
        # Where the call names no file, its result did, and that stands elsewhere.
        return any(is_same_file(one, other) for one in shown for other in named) if named else any(_calls_in(events))

    return is_proven


def _calls_in(events: Sequence[Event]) -> Iterator[Call]:
    return (event for event in events if isinstance(event, Call))


def _moved_to(events: Sequence[Event]) -> Iterator[str]:
    for call in _calls_in(events):
        for effect in file_effects(call.target) if call.kind == "shell" else ():
            if effect.action == "renamed" and effect.to:
                yield presentable_path(effect.to)
                # A folder that was there already took it in.
                yield presentable_path(f"{effect.to}/{effect.path.rpartition('/')[2]}")


def _paths_in(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        if not isinstance(event, Call | Result):
            continue
        effects = event.effects
        if isinstance(event, Call):
            if event.kind == "shell":
                effects = file_effects(event.target)
            elif event.kind in ("read", "edit", "write", "patch", "delete"):
                yield event.target
        for effect in effects:
            yield effect.path
            yield effect.to


def _is_same(shown: str, now: str, whole: str) -> bool:
    """Whether what is shown was made from these words: all of them, or as much of a long text as was kept."""
    if now == shown:
        return True
    # What was kept of a long text ends somewhere, perhaps within a secret: only its beginning can be relied on.
    return len(whole) > _WHOLE_CHARS and now.startswith(shown[: len(shown) // 2])
