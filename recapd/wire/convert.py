"""From the core's facts to wire types. The one place where log text leaves.

Excerpts in the state are clean already; here every text passes through `presentable` once more: this is the lock."""

from __future__ import annotations

from recapd.core.collapse import category, describe
from recapd.core.excerpt import presentable, presentable_path
from recapd.core.refs import LogRef as CoreRef
from recapd.core.refs import Place
from recapd.core.session import OpenItem, Sourced, Standing, ref_in
from recapd.core.state import FileFact, Request, Step, TestRun
from recapd.core.text import one_line
from recapd.core.views.recap import Progress, Recap, Stats
from recapd.core.world import Session, Source
from recapd.wire import types as wire

# A path in an answer is for finding the file; nobody has paths longer than this.
_PATH_CHARS = 4_096
_COMMAND_CHARS = 300
# Tools, models, branches, sub-agents: a longer name is no name.
_NAME_CHARS = 200


def name_of(text: str) -> str:
    """A name as the log gives it, fit to be shown: it may come from anybody."""
    return one_line(presentable(text), _NAME_CHARS)


def log_ref(ref: CoreRef) -> wire.LogRef:
    return wire.LogRef(
        source=ref.source,
        generation=ref.generation,
        line=ref.line,
        byte_offset=ref.byte_offset,
        byte_length=ref.byte_length,
    )


def core_ref(ref: wire.LogRef) -> CoreRef:
    return CoreRef(ref.source, ref.generation, ref.line, ref.byte_offset, ref.byte_length)


def ref_at(source: Source, place: Place) -> wire.LogRef:
    return log_ref(ref_in(source, place))


def user_request(session: Session, request: Request) -> wire.UserRequest:
    return wire.UserRequest(
        text=presentable(request.text),
        turn=request.turn,
        ref=ref_at(session.main, request.place),
        at=request.at or None,
    )


def action(step: Sourced[Step], root: str) -> wire.Action:
    fact = step.fact
    return wire.Action(
        text=presentable(describe(fact, root)),
        kind=category(fact.kind),
        turn=step.turn,
        ref=ref_at(step.source, fact.place),
        ok=fact.ok,
        at=fact.at or None,
        count=fact.count if fact.count > 1 else None,
        via=name_of(step.via) or None,
    )


def file_entry(row: Sourced[FileFact]) -> wire.FileEntry:
    fact = row.fact
    return wire.FileEntry(
        path=presentable_path(fact.path[:_PATH_CHARS]),
        action=fact.action,
        touch_count=fact.touches,
        tools=tuple(name_of(tool) for tool in fact.tools),
        first_turn=fact.first_turn if not row.via else row.turn,
        last_turn=row.turn,
        failed=fact.failed,
        ref=ref_at(row.source, fact.place),
        at=fact.at or None,
        via=name_of(row.via) or None,
        renamed_to=presentable_path(fact.renamed_to[:_PATH_CHARS]) or None,
    )


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
    current = facts.current
    return wire.Progress(
        completed_stages=tuple(presentable(item.text) for item in facts.done),
        current_stage=presentable(current.text) if current else None,
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


def open_item(session: Session, item: OpenItem) -> wire.OpenItem:
    return wire.OpenItem(text=presentable(item.text), kind=item.kind, ref=ref_at(session.main, item.place))


def state(session: Session, stand: Standing) -> wire.SessionState:
    return wire.SessionState(
        status=stand.status,
        detail=presentable(stand.detail),
        reason=presentable(stand.reason) or None,
        since=stand.since or None,
        ref=ref_at(session.main, stand.place) if stand.place else None,
    )


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


def recap(facts: Recap) -> wire.Recap:
    session = facts.session
    root = next(iter(session.main.transcript.cwds), "")
    return wire.Recap(
        original_request=user_request(session, facts.original) if facts.original else None,
        current_focus=wire.CurrentFocus(text=presentable(facts.focus.text), ref=ref_at(session.main, facts.focus.place))
        if facts.focus
        else None,
        user_requests=tuple(user_request(session, request) for request in facts.requests),
        decisions=(),
        recent_actions=tuple(action(step, root) for step in facts.steps),
        files=tuple(file_entry(row) for row in facts.files),
        progress=progress(session, facts.progress),
        open_items=tuple(open_item(session, item) for item in facts.items),
        state=state(session, facts.standing),
        stats=stats(facts.stats),
        commands=tuple(command_run(row) for row in facts.commands),
        tests=tuple(test_run(row) for row in facts.tests),
    )
