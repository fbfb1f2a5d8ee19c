"""Calls and what came of them: steps for the reader, commands with their exit, test runs with their totals.

A call becomes a step when its result arrives; until then it is open, and says so.
"""

from __future__ import annotations

from recapd.core.beginnings import beginning
from recapd.core.draft import MAX_OPEN_CALLS, MAX_STEPS, SAMPLE_CHARS, Draft
from recapd.core.events import Call, Record, Result
from recapd.core.files import touch
from recapd.core.payload import error_line, text_of_payload
from recapd.core.progress import note_command
from recapd.core.shell_hints import NO_HINTS, hints_of
from recapd.core.state import OpenCall, Step

# Results whose text a person wants to see beside the call.
_ANSWERED = frozenset(("ask", "plan"))


def on_call(draft: Draft, record: Record, call: Call) -> None:
    place, at, via = record.place, record.at, record.via
    if via:
        draft.n_subagent_calls += 1
    else:
        draft.n_calls += 1
        draft.turn_calls += 1
        draft.ending = ("call", "", place, at)
        draft.tool.chars += place.length // 2
    tools = draft.tools
    tools[call.tool] = tools.get(call.tool, 0) + 1
    open_calls = draft.open_calls
    if len(open_calls) >= MAX_OPEN_CALLS:
        del open_calls[next(iter(open_calls))]
    open_calls[call.id] = OpenCall(call, place, draft.turn_number, at, via)


def on_result(draft: Draft, record: Record, result: Result) -> None:
    opened = draft.open_calls.pop(result.id, None)
    if record.via:
        draft.n_subagent_failed += result.failed
    else:
        if result.failed:
            draft.n_failed_calls += 1
            draft.turn_failed += 1
        draft.ending = ("interrupted" if result.denied else "result", "", record.place, record.at)
        gauge = draft.tool
        gauge.chars += len(result.payload)
        if gauge.chars >= gauge.next_sample:
            gauge.sample(text_of_payload(result.payload[: SAMPLE_CHARS * 2]))
    if opened is None:
        return
    if opened.call.kind != "shell":
        touch(draft, opened, result)
    elif not result.denied:
        draft.n_commands += 1
        draft.n_failed_commands += bool(result.failed or result.exit_code)
        if hints_of(opened.call.target) != NO_HINTS:
            touch(draft, opened, result)
            note_command(draft, opened, result)
    draft.finished.append((opened, result))


def steps_of(draft: Draft) -> tuple[Step, ...]:
    """The latest steps. A long batch finishes thousands of calls, of which a hundred are told."""
    steps = [_step(opened, result) for opened, result in draft.finished[-MAX_STEPS:]]
    return (*draft.base.steps, *steps)[-MAX_STEPS:]


def _step(opened: OpenCall, result: Result) -> Step:
    call = opened.call
    ok = not (result.failed or result.denied or result.undone or result.exit_code)
    outcome = ""
    if result.denied:
        outcome = beginning(result.reason)
    elif not ok:
        outcome = beginning(error_line(result.payload))
    elif call.kind in _ANSWERED and result.answers:
        outcome = beginning("; ".join(answer for _, answer in result.answers))
    elif result.approved is not None:
        outcome = "approved" if result.approved else beginning(result.reason)
        ok = result.approved
    return Step(
        call.kind,
        call.tool,
        beginning(call.target),
        ok,
        opened.place,
        opened.turn,
        opened.at,
        beginning(call.detail),
        outcome,
        result.denied,
        result.lines if call.kind == "read" else call.lines,
        exit_code_of(result),
        result.created,
        via=opened.via,
    )


def exit_code_of(result: Result) -> int | None:
    """The exit code, if it is one: systems have at most 32 bits, a log may say anything."""
    code = result.exit_code
    return code if code is not None and -(2**31) <= code < 2**32 else None
