"""From the core's facts to wire types. The one place where log text leaves.

Excerpts in the state are clean already; here every text passes through `presentable` once more: this is the lock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import PurePosixPath, PureWindowsPath

from recapd.core.decisions import Entry, shown_quote
from recapd.core.log import LogRef as CoreRef
from recapd.core.log import Place, join_path, seconds_between
from recapd.core.secrets import MASK
from recapd.core.state import (
    FileFact,
    OpenItem,
    Request,
    Session,
    Source,
    Sourced,
    Standing,
    Step,
    TestRun,
    category,
    describe,
    session_id_of,
    word,
)
from recapd.core.text import one_line, presentable, presentable_path, word_cut
from recapd.core.tool_use import ToolUse, notable_uses
from recapd.core.views.context import Lost
from recapd.core.views.recap import (
    Change,
    Fact,
    Item,
    Progress,
    Recap,
    SessionSummary,
    Stats,
    View,
    headline_of,
)
from recapd.core.views.since import end_of
from recapd.wire import types as wire

# A path in an answer is for finding the file; nobody has paths longer than this.
_PATH_CHARS = 4_096
_COMMAND_CHARS = 300
# Calls whose target is a path.
_ABOUT_FILES = frozenset(("read", "list", "edit", "write", "patch", "delete"))
# Tools, models, branches, sub-agents: a longer name is no name.
_NAME_CHARS = 200
_DECISION_CHARS = 200
_HEADLINE_CHARS = 80
_QUOTE_CHARS = 300
_RATIONALE_CHARS = 300
# A list of options that nobody took is not what anybody reads on in.
_ALTERNATIVES = 10
# A recap names so many; `decisions/list` pages through all of them.
_RECAP_DECISIONS = 100


def name_of(text: str) -> str:
    """A name as the log gives it, fit to be shown: it may come from anybody."""
    return _line(text, _NAME_CHARS)


@lru_cache(maxsize=4_096)  # names are the same few in every answer, and the next one says mostly what this one says
def _line(text: str, limit: int) -> str:
    return one_line(presentable(text), limit)


def core_ref(ref: wire.LogRef) -> CoreRef:
    return CoreRef(ref.source, ref.generation, ref.line, ref.byte_offset, ref.byte_length)


def ref_at(source: Source, place: Place) -> wire.LogRef:
    return wire.LogRef(
        source=source.uri,
        generation=source.generation,
        line=place.line,
        byte_offset=place.offset,
        byte_length=place.length,
    )


def user_request(session: Session, request: Request) -> wire.UserRequest:
    return wire.UserRequest(
        text=presentable(request.text),
        turn=request.turn,
        ref=ref_at(session.main, request.place),
        at=request.at or None,
    )


def action(step: Sourced[Step], root: str) -> wire.Action:
    fact = step.fact
    # Of several calls told as one, nothing is said of a single one.
    is_single = fact.count == 1
    is_of_file = is_single and fact.kind in _ABOUT_FILES
    return wire.Action(
        text=presentable(describe(fact, root)),
        kind=category(fact.kind),
        turn=step.turn,
        ref=ref_at(step.source, fact.place),
        ok=fact.ok,
        at=fact.at or None,
        count=fact.count if fact.count > 1 else None,
        via=name_of(step.via) or None,
        tool=name_of(fact.tool) or None,
        path=(presentable_path(fact.target[:_PATH_CHARS]) or None) if is_of_file else None,
        uri=file_uri(fact.where, fact.target) if is_of_file and fact.target else None,
        command=one_line(presentable(fact.target), _COMMAND_CHARS) if is_single and fact.kind == "shell" else None,
        exit_code=fact.exit_code if is_single else None,
        duration_ms=_duration_ms(fact) if is_single else None,
    )


def _duration_ms(fact: Step) -> int | None:
    took = seconds_between(fact.at, fact.ended_at)
    return round(took * 1000) if took is not None and took >= 0 else None


def file_action(fact: FileFact) -> wire.FileActionName:
    """A file that was only meant to be changed was not even read."""
    return fact.action if fact.touches else "untouched"


def file_entry(row: Sourced[FileFact]) -> wire.FileEntry:
    fact = row.fact
    return wire.FileEntry(
        path=presentable_path(fact.path[:_PATH_CHARS]),
        action=file_action(fact),
        touch_count=fact.touches,
        tools=tuple(name_of(tool) for tool in fact.tools),
        first_turn=fact.first_turn if not row.via else row.turn,
        last_turn=row.turn,
        failed=fact.failed,
        ref=ref_at(row.source, fact.place),
        at=fact.at or None,
        via=name_of(row.via) or None,
        renamed_to=presentable_path(fact.renamed_to[:_PATH_CHARS]) or None,
        uri=file_uri(fact.where, fact.path),
        added=fact.added if fact.added >= 0 else None,
        removed=fact.removed if fact.removed >= 0 else None,
    )


def files(session: Session, rows: Iterable[Sourced[FileFact]]) -> tuple[wire.FileEntry, ...]:
    """The files of a recap: most of a session that goes on are what they were."""
    recall = session.memory.recall
    return tuple(
        recall(_kept_file, (row.fact, row.turn, row.source.uri, row.source.generation), (row.fact.path, row.via), row)
        for row in rows
    )


def _kept_file(made_of: tuple[FileFact, int, str, str], row: Sourced[FileFact]) -> wire.FileEntry:
    return file_entry(row)


def file_uri(where: str, path: str) -> str | None:
    """None where the path does not begin at a root, or is not to be shown."""
    whole = join_path(where, path) or path
    # As it was spelled, too: an address in it is one no longer once its slashes are put in order.
    if (
        len(whole) > _PATH_CHARS
        or MASK in whole
        or any(presentable_path(each) != each for each in (path, where, whole))
    ):
        return None
    if whole[1:3] in (":\\", ":/"):
        return PureWindowsPath(whole).as_uri()
    return PurePosixPath(whole).as_uri() if whole.startswith("/") else None


def command_run(row: Sourced[Step]) -> wire.CommandRun:
    fact = row.fact
    return wire.CommandRun(
        command=one_line(presentable(fact.target), _COMMAND_CHARS),
        turn=row.turn,
        ref=ref_at(row.source, fact.place),
        at=fact.at or None,
        exit_code=fact.exit_code,
        ok=fact.ok and not fact.exit_code,
        via=name_of(row.via) or None,
    )


def test_run(row: Sourced[TestRun]) -> wire.TestRun:
    fact = row.fact
    return wire.TestRun(
        command=presentable(fact.command),
        ok=fact.ok,
        turn=row.turn,
        ref=ref_at(row.source, fact.place),
        at=fact.at or None,
        passed=fact.passed,
        failed=fact.failed,
        skipped=fact.skipped,
        via=name_of(row.via) or None,
    )


def progress(session: Session, facts: Progress) -> wire.Progress:
    return wire.Progress(
        completed_stages=tuple(presentable(name) for name in facts.done_stages),
        current_stage=presentable(facts.stage) or None,
        percentage=facts.percentage,
        milestones=tuple(
            wire.Milestone(
                text=presentable(each.text), ref=ref_at(session.main, each.place), turn=each.turn, at=each.at or None
            )
            for each in facts.milestones
        ),
        todo=wire.Todo(
            done=len(facts.done),
            total=len(facts.counted),
            items=tuple(wire.TodoItem(text=presentable(item.text), status=item.status) for item in facts.items),
        )
        if facts.items
        else None,
    )


def tool_usage(tools: Iterable[ToolUse]) -> tuple[wire.ToolUsage, ...]:
    return tuple(
        wire.ToolUsage(
            tool=name_of(each.tool),
            count=each.calls,
            failed=each.failed,
            notable_uses=tuple(presentable(use) for use in notable_uses(each)),
        )
        for each in tools
    )


def open_item(session: Session, item: OpenItem) -> wire.OpenItem:
    return wire.OpenItem(text=presentable(item.text), kind=item.kind, ref=ref_at(session.main, item.place))


def lost_item(lost: Lost) -> wire.LostItem:
    ref = ref_at(lost.source, lost.place)
    return wire.LostItem(kind=lost.kind, text=presentable(lost.text), turn=lost.turn, ref=ref)


def state(session: Session, stand: Standing) -> wire.SessionState:
    return wire.SessionState(
        status=stand.status,
        detail=presentable(stand.detail),
        reason=presentable(stand.reason) or None,
        since=stand.since or None,
        ref=ref_at(session.main, stand.place) if stand.place else None,
        read_bytes=end_of(session.main),
        needs=stand.needs,
        question=presentable(stand.question) or None,
        options=tuple(presentable(each) for each in stand.options) or None,
        running=running(stand),
        live=stand.live,
    )


def running(stand: Standing) -> wire.Running | None:
    return wire.Running(text=presentable(stand.running), since=stand.running_since or None) if stand.running else None


def stats(facts: Stats) -> wire.SessionStats:
    return wire.SessionStats(
        turns=facts.turns,
        exchanges=facts.exchanges,
        messages=facts.messages,
        tool_calls=facts.tool_calls,
        failed_tool_calls=facts.failed_tool_calls,
        estimated_tokens=facts.estimated_tokens,
        files_changed=facts.files_changed,
        commands_run=facts.commands_run,
        first_at=facts.first_at or None,
        last_at=facts.last_at or None,
        commands_failed=facts.commands_failed,
        tests_run=facts.tests_run,
        subagents=facts.subagents,
    )


def decision(session: Session, entry: Entry) -> wire.Decision:
    found = entry.finding
    return wire.Decision(
        id=entry.id,
        turn=entry.turn,
        message_index=found.message,
        timestamp=found.at or None,
        text=_line(found.text, _DECISION_CHARS),
        headline=_line(headline_of(entry, memory=session.memory), _HEADLINE_CHARS),
        type=found.type,
        made_by=found.made_by,
        how=found.how,
        confidence=confidence(entry),
        status=decision_status(entry),
        alternatives=tuple(_line(each, _DECISION_CHARS) for each in found.alternatives[:_ALTERNATIVES]),
        quote=_cut(shown_quote(found.quote)),
        ref=ref_at(session.main, found.place),
        supersedes=entry.supersedes or None,
        superseded_by=entry.superseded_by or None,
        rationale=_line(found.rationale, _RATIONALE_CHARS) or None,
        proposal_ref=ref_at(session.main, found.proposal) if found.proposal else None,
        verdict=entry.verdict,
        conflicts_with=entry.conflicts_with or None,
        restated=tuple(ref_at(session.main, place) for place in entry.restated),
        proof=found.proof,
    )


def decision_status(entry: Entry) -> wire.DecisionStatusName:
    """What the user dismissed is that, whatever else became of it."""
    return "dismissed" if entry.verdict == "dismissed" else entry.status


def confidence(entry: Entry) -> float:
    """What the user has confirmed is certain."""
    return 1.0 if entry.verdict == "confirmed" else round(entry.finding.confidence, 3)


def _cut(quote: str) -> str:
    """At most so long, and without an ellipsis, which nobody said."""
    return quote[: word_cut(quote, _QUOTE_CHARS)].rstrip()


def decisions(session: Session, entries: Sequence[Entry]) -> tuple[wire.Decision, ...]:
    """The decisions of a recap; where they are too many, those that no longer hold go first, then the oldest."""
    surplus = len(entries) - _RECAP_DECISIONS
    if surplus > 0:
        by_worth = sorted(range(len(entries)), key=lambda row: (entries[row].status == "active", row))
        entries = [entries[row] for row in sorted(by_worth[surplus:])]
    generation, recall = session.main.generation, session.memory.recall
    return tuple(recall(_kept_decision, (entry, generation), entry.id, session) for entry in entries)


def _kept_decision(made_of: tuple[Entry, str], session: Session) -> wire.Decision:
    """Most decisions of a session that goes on are what they were."""
    return decision(session, made_of[0])


def session_summary(facts: SessionSummary) -> wire.SessionSummary:
    return wire.SessionSummary(
        conversation_length=facts.conversation_length,
        key_decisions=tuple(map(presentable, facts.key_decisions)),
        current_context=presentable(facts.current_context),
        progress_summary=presentable(facts.progress_summary),
    )


def _current_focus(facts: Recap) -> wire.CurrentFocus | None:
    if facts.upcoming is not None:
        return wire.CurrentFocus(text=presentable(facts.upcoming.text))
    if facts.focus is None:
        return None
    return wire.CurrentFocus(text=presentable(facts.focus.text), ref=ref_at(facts.session.main, facts.focus.place))


def recap(facts: Recap) -> wire.Recap:
    session = facts.session
    root = next(iter(session.main.transcript.cwds), "")
    return wire.Recap(
        original_request=user_request(session, facts.original) if facts.original else None,
        current_focus=_current_focus(facts),
        user_requests=tuple(user_request(session, request) for request in facts.requests),
        decisions=decisions(session, facts.decisions),
        recent_actions=tuple(action(step, root) for step in facts.steps),
        files=files(session, facts.files),
        progress=progress(session, facts.progress),
        open_items=tuple(open_item(session, item) for item in facts.items),
        state=state(session, facts.standing),
        stats=stats(facts.stats),
        commands=tuple(command_run(row) for row in facts.commands),
        tests=tuple(test_run(row) for row in facts.tests),
    )


# ---- the statements of a recap


def view(told: View) -> wire.RecapView:
    return wire.RecapView(
        headline=wire.ViewHeadline(text=_statement(told.headline.wording.plain), refs=_refs(told.headline)),
        facts=tuple(map(_fact, told.facts)),
        sections=tuple(
            wire.ViewSection(name=section.name, title=section.title, items=_items(section.items), total=section.total)
            for section in told.sections
        ),
    )


def changes(found: Sequence[Change]) -> tuple[wire.ChangeItem, ...]:
    items = _items([each.item for each in found])
    return tuple(
        wire.ChangeItem(kind=change.kind, **{name: getattr(item, name) for name in item.__struct_fields__})
        for change, item in zip(found, items, strict=True)
    )


def _fact(fact: Fact) -> wire.ViewFact:
    ref = ref_at(fact.cited.source, fact.cited.place)
    return wire.ViewFact(kind=fact.kind, text=_statement(fact.text), ref=ref, ok=fact.ok, at=fact.at or None)


def _items(items: Sequence[Item]) -> tuple[wire.ViewItem, ...]:
    told: list[wire.ViewItem] = []
    keys: Counter[str] = Counter()
    for item in items:
        keys[item.key] += 1
        told.append(_item(item, f"{item.key} {keys[item.key]}"))
    return tuple(told)


def _item(item: Item, key: str) -> wire.ViewItem:
    return wire.ViewItem(
        id=blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
        text=_statement(item.wording.plain),
        turn=item.turn,
        refs=_refs(item),
        to_turn=item.to_turn or None,
        at=item.at or None,
        decision_id=item.decision_id or None,
        by=name_of(item.by) or None,
        status=item.status or None,
        file_uri=file_uri(item.where, item.path) if item.path else None,
        ok=item.ok,
        children=_items(item.children) or None,
    )


def _refs(item: Item) -> tuple[wire.LogRef, ...]:
    return tuple(ref_at(each.source, each.place) for each in item.cited)


@lru_cache(maxsize=4_096)  # the next recap says mostly what this one says
def _statement(text: str) -> str:
    return presentable(text)


def counts_by(counts: Mapping[str, int], name: Callable[[str], str]) -> dict[str, int]:
    """The same counts under names that may be shown."""
    named: dict[str, int] = {}
    for key, count in counts.items():
        named[name(key)] = named.get(name(key), 0) + count
    return named


def source_status(source: Source, *, parsed: int | None = None, size: int | None = None) -> wire.SourceStatus:
    """`parsed` and `size` where more is known of the file than what was folded."""
    transcript = source.transcript
    return wire.SourceStatus(
        source=source.uri,
        format=source.format,
        generation=source.generation,
        parsed_offset=source.carry.end if parsed is None else parsed,
        size_bytes=source.carry.end if size is None else size,
        session_ids=(session_id_of(source),),
        records=counts_by(transcript.record_types, word),
        unknown_records=sum(transcript.unknown_types.values()),
        problems=tuple(wire.ProblemCount(kind=kind, count=count) for kind, count in transcript.problem_kinds.items()),
    )
