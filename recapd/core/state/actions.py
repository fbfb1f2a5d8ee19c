"""Calls and what came of them: steps for the reader, commands with their exit, test runs with their totals.

A call becomes a step when its result arrives; until then it is open, and says so.
What a finished call did is read off later, many in a row (see settle): nothing that is said or called depends on it.
What was asked, judged and done by calls is kept as passages, in which decisions may be found later.
"""

from __future__ import annotations

from recapd.core import late_re as re
from recapd.core.commands import NO_HINTS, hints_of
from recapd.core.log import Call, FileEffect, Linked, Place, Record, Result, error_line, text_of_beginning
from recapd.core.state.answers import with_answer, without_answers
from recapd.core.state.call_lines import category
from recapd.core.state.draft import (
    MAX_OPEN_CALLS,
    MAX_RUNNING,
    MAX_STEPS,
    OWN_NOTE_CHARS,
    SAMPLE_CHARS,
    Draft,
    note_words,
)
from recapd.core.state.files import CHANGING_CALLS, command_effects, forget_changes, touch
from recapd.core.state.passages import DEED_CHARS, KEPT_CHARS, Passage, PassageKind, head_and_tail
from recapd.core.state.progress import Window, note_command, note_end, note_link, note_recorded, restore_list
from recapd.core.state.transcript import OpenCall, Step
from recapd.core.text import RAW_CHARS, beginning

# Kinds of calls whose arguments are read.
_NOTED_CALLS = frozenset(("delegate", "plan", "shell"))
# Results whose text a person wants to see beside the call.
_ANSWERED = frozenset(("ask", "plan"))
# Names of a listing that are told.
_TOLD_ENTRIES = 5
_PUSH_REFUSED = re.compile(rb"! \[(?:remote )?rejected\]|error: failed to push some refs")


def on_call(draft: Draft, record: Record, call: Call) -> None:
    place, at, via = record.place, record.at, record.via
    if not via:
        draft.totals.calls += 1
        if category(call.kind) != "meta":
            deeds, edits = draft.turn_deeds
            draft.turn_deeds = deeds + 1, edits + (call.kind in CHANGING_CALLS)
        draft.ending = ("call", "", place, at)
        draft.tool.chars += place.length // 2
        if call.kind in _NOTED_CALLS:
            _note_call(draft, record, call)
    tools = draft.tools
    tools[call.tool] = tools.get(call.tool, 0) + 1
    open_calls = draft.open_calls
    if len(open_calls) >= MAX_OPEN_CALLS:
        del open_calls[next(iter(open_calls))]
    open_calls[call.id] = OpenCall(call, place, draft.turn_number, at, via)


def on_result(draft: Draft, record: Record, result: Result) -> None:
    opened = draft.open_calls.pop(result.id, None)
    if result.answers or (opened is not None and opened.call.kind == "ask"):
        question = opened.call.target if opened is not None else ""
        result = without_answers(draft, record, with_answer(result, question), question=question)
    if not record.via:
        if result.failed:
            draft.totals.failed_calls += 1
        draft.ending = ("interrupted" if result.denied else "result", "", record.place, record.at)
        gauge = draft.tool
        gauge.chars += len(result.payload)
        if gauge.chars >= gauge.next_sample:
            gauge.sample(text_of_beginning(result.payload, SAMPLE_CHARS * 2))
    if opened is None:
        return
    if result.failed:
        tool = opened.call.tool
        draft.failed_tools[tool] = draft.failed_tools.get(tool, 0) + 1
    if not record.via:
        if opened.call.kind == "remember" and not result.failed:
            draft.own_note = opened.call.target[:OWN_NOTE_CHARS]
        _note_result(draft, record, opened, result)
        if result.failed or result.denied:
            restore_list(draft, opened)
        elif opened.call.kind in CHANGING_CALLS and not result.undone and not result.exit_code:
            draft.turn_edits += 1
    draft.unsettled.append((opened, result, draft.cwd, record.place))
    draft.finished.append((opened, result, draft.cwd, record.at))


def on_linked(draft: Draft, record: Record, linked: Linked) -> None:
    # Milestones stand in the order of the log.
    settle(draft)
    note_link(draft, record, linked)


def settle(draft: Draft) -> None:
    """Read off the calls that have finished what they did: commands first, then files, each in the order of the log.

    Commands are few among calls, and reading one takes much code: in a row it stays in the processor's caches.
    """
    finished, draft.unsettled = draft.unsettled, []
    changed: dict[int, tuple[FileEffect, ...]] = {}
    void: dict[int, Window] = {}
    for number, (opened, result, _, _) in enumerate(finished):
        call = opened.call
        if call.kind == "shell":
            if not result.denied:
                effects, window = _run(draft, opened, result)
                if effects:
                    changed[number] = effects
                if window:
                    void[number] = window
        elif call.process and not result.process:
            _end_process(draft, call.process, result)
    for number, (opened, result, cwd, place) in enumerate(finished):
        if number in void:
            forget_changes(draft, *void[number])
        touch(draft, opened, result, effects=changed.get(number, ()), cwd=cwd, ended=place)


def _run(draft: Draft, opened: OpenCall, result: Result) -> tuple[tuple[FileEffect, ...], Window | None]:
    """Count a command and note what it reached; what it did to files, and since when what was done to them is void, is
    told to whoever keeps them."""
    command = opened.call.target
    draft.totals.commands += 1
    draft.totals.failed_commands += bool(result.failed or result.exit_code)
    if result.process:
        if len(draft.running) >= MAX_RUNNING:
            del draft.running[next(iter(draft.running))]
        draft.running[result.process] = opened
    hints = hints_of(command)
    if hints is NO_HINTS or hints == NO_HINTS:
        return (), None
    effects = command_effects(command, result) if hints.changes_files else ()
    return effects, note_command(draft, opened, result)


def _end_process(draft: Draft, process: str, result: Result) -> None:
    """A later call saw the end of a command: that is how the command went."""
    opened = draft.running.pop(process, None)
    if opened is None or result.denied:
        return
    draft.totals.failed_commands += bool(result.failed or result.exit_code)
    if hints_of(opened.call.target) != NO_HINTS:
        note_end(draft, opened, result)


def steps_of(draft: Draft) -> tuple[Step, ...]:
    """The latest steps. A long batch finishes thousands of calls, of which a hundred are told."""
    return (*draft.base.steps, *(_step(*finished) for finished in draft.finished))[-MAX_STEPS:]


def _step(opened: OpenCall, result: Result, cwd: str, ended_at: str) -> Step:
    call = opened.call
    kind, target, detail = call.kind, call.target, call.detail
    ok = not (result.failed or result.denied or result.undone or result.exit_code)
    if ok and kind == "shell" and "push" in target:
        # Behind a pipe git's refusal has no exit code.
        ok = _PUSH_REFUSED.search(result.payload) is None
    outcome = ""
    if not ok:
        outcome = beginning(result.reason if result.denied else error_line(result.payload))
    elif kind in _ANSWERED and result.answers:
        outcome = beginning("; ".join(answer for _, answer in result.answers))
    elif kind == "list" and result.entries:
        names = result.entries[:_TOLD_ENTRIES]
        outcome = beginning(", ".join((*names, "…") if len(result.entries) > len(names) else names))
    elif result.approved is not None:
        outcome = "approved" if result.approved else beginning(result.reason)
        ok = result.approved
    return Step(
        kind,
        call.tool,
        target if len(target) <= RAW_CHARS else beginning(target),
        ok,
        opened.place,
        opened.turn,
        opened.at,
        detail if len(detail) <= RAW_CHARS else beginning(detail),
        outcome,
        result.denied,
        _amount(call, result),
        None if result.exit_code is None else exit_code_of(result),
        result.created,
        via=opened.via,
        where=call.where or cwd,
        ended_at=ended_at,
    )


def _amount(call: Call, result: Result) -> int:
    if call.kind == "recall":
        return -1 if result.entries is None else len(result.entries)
    return result.lines if call.kind == "read" else call.lines


def exit_code_of(result: Result) -> int | None:
    """The exit code, if it is one: systems have at most 32 bits, a log may say anything."""
    code = result.exit_code
    return code if code is not None and -(2**31) <= code < 2**32 else None


# ---- passages of them, in which decisions may be found


def _note_call(draft: Draft, record: Record, call: Call) -> None:
    kind = call.kind
    if kind == "delegate":
        note_words(draft, record, "task", text=call.target)
    elif kind == "plan" and call.target:
        note_words(draft, record, "plan", text=call.target)
    elif kind == "shell" and "commit" in call.target:
        note_words(draft, record, "commit", text=call.target)


def _note_result(draft: Draft, record: Record, opened: OpenCall, result: Result) -> None:
    """Answers, verdicts, refusals; and that something was done."""
    kind = opened.call.kind
    if result.answers:
        for number, (question, answer) in enumerate(result.answers):
            choices = _choices_of(opened.call, question, number)
            _note_reaction(
                draft, record, "answer", opened=opened, result=result, text=answer, asked=question, choices=choices
            )
    elif result.approved is not None:
        verdict: PassageKind = "approved" if result.approved else "rejected"
        _note_reaction(draft, record, verdict, opened=opened, result=result, text=result.reason, asked="")
        if result.approved:
            _note_written(draft, record, opened, asked_at=opened.place)
    elif result.denied:
        _note_reaction(draft, record, "rejected", opened=opened, result=result, text=result.reason, asked="")
    elif result.failed or result.undone or result.exit_code:
        _note_deed(draft, record, "failed", opened)
    elif opened.call.recorded is not None:
        note_recorded(draft, record, opened.call.recorded, opened.place)
    elif kind in CHANGING_CALLS:
        _note_deed(draft, record, "edit", opened)
        _note_written(draft, record, opened)
    elif kind == "shell":
        _note_deed(draft, record, "run", opened)
    elif kind == "delegate":
        note_words(draft, record, "report", text=text_of_beginning(result.payload, KEPT_CHARS))


def _note_written(draft: Draft, record: Record, opened: OpenCall, *, asked_at: Place | None = None) -> None:
    for words, told in opened.call.written:
        draft.passages.append(
            Passage(
                "written",
                words,
                opened.place,
                record.id,
                record.at,
                draft.turn_row,
                draft.totals.messages - 1,
                asked=told,
                asked_at=asked_at,
            )
        )


def _note_deed(draft: Draft, record: Record, kind: PassageKind, opened: OpenCall) -> None:
    """Deeds in a row that say nothing new are one."""
    passages = draft.passages
    said = passages.tail
    if said and said[-1].kind == kind and (kind != "edit" or said[-1].text == opened.call.target[:DEED_CHARS]):
        return
    text = opened.call.target[:DEED_CHARS]
    passages.append(Passage(kind, text, opened.place, record.id, record.at, draft.turn_row, draft.totals.messages - 1))


def _choices_of(call: Call, question: str, number: int) -> tuple[str, ...]:
    """What could be answered to one of several questions: by its words, else by its place among them."""
    asked = ((call.target, call.options), *call.further)
    by_words = dict(reversed(asked))
    if question in by_words:
        return by_words[question]
    return asked[number][1] if number < len(asked) else ()


def _note_reaction(
    draft: Draft,
    record: Record,
    kind: PassageKind,
    *,
    opened: OpenCall,
    result: Result,
    text: str,
    asked: str,
    choices: tuple[str, ...] = (),
) -> None:
    returned = text_of_beginning(result.payload, DEED_CHARS * 4).strip().partition("\n")[0]
    draft.passages.append(
        Passage(
            kind,
            head_and_tail(text)[0],
            record.place,
            record.id,
            record.at,
            draft.turn_row,
            draft.totals.messages - 1,
            returned[:DEED_CHARS],
            head_and_tail(asked or opened.call.target)[0],
            opened.place,
            choices,
        )
    )
