"""Tool calls of Copilot CLI and what came of them: shell exits, answers of the human, refusals, lists of work."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared import decode_or_none, options_of, read_call, text_in
from recapd.core import late_re as re
from recapd.core.log import Call, Event, Result, TodoItem, Todos

_MAX_TODO_CHARS = 300
# The last line of a shell's output says how the command ended; behind it stands the closing quote only.
_EXIT = re.compile(rb'exit code (-?\d{1,10})>?"$')
_EXIT_TAIL = 60
_CREATED = b'"Created file '
_ANSWER_MARKS = ("User responded: ", "User selected: ")
_ANSWER_STARTS = (b'"User responded: ', b'"User selected: ')
# The codes of a refused call: by the human, and (where nobody could be asked) by a rule, which is a failure.
_REFUSED_BY_HUMAN = "rejected"
_REFUSALS = ("The user rejected", "User rejected")
_REASON_MARKS = ("User feedback:", "user feedback:", "reason:")
_DONE_MARKS = ("- [x] ", "- [X] ", "* [x] ", "* [X] ")
_OPEN_MARKS = ("- [ ] ", "* [ ] ")
_MARK_LENGTH = 6


class Answer(Struct, gc=False):
    """What a call returned. `detailedContent` repeats it for the screen."""

    content: Raw = Raw()


class ToolError(Struct, gc=False):
    code: str | None = None
    message: str | None = None


class _Asked(Struct, gc=False):
    question: str | None = None
    choices: list[str] | None = None


class _Planned(Struct, gc=False):
    summary: str | None = None


class _Todos(Struct, gc=False):
    todos: str | None = None


class _Restricted(Struct, gc=False):
    question: str | None = None
    answer: str | None = None


class _Telemetry(Struct, gc=False):
    restrictedProperties: _Restricted | None = None


_asked = msgspec.json.Decoder(_Asked)
_planned = msgspec.json.Decoder(_Planned)
_todos = msgspec.json.Decoder(_Todos)
_telemetry = msgspec.json.Decoder(_Telemetry)


def read_start(call_id: str, tool: str, arguments: Raw) -> tuple[Event, ...]:
    events = read_call(call_id, tool, arguments)
    call = events[0]
    if not isinstance(call, Call):
        return events
    if call.kind == "ask":
        asked = decode_or_none(_asked, arguments)
        choices = asked.choices or () if asked is not None else ()
        return (msgspec.structs.replace(call, options=options_of(choices)),)
    if call.kind == "plan" and not call.target:
        planned = decode_or_none(_planned, arguments)
        return (msgspec.structs.replace(call, target=planned.summary or "" if planned is not None else ""),)
    if call.kind == "todo" and len(events) == 1:
        items = _checklist(arguments)
        return (call, Todos(items)) if items else events
    return events


def read_result(
    call_id: str,
    *,
    succeeded: bool,
    answer: Answer | None,
    error: ToolError | None,
    exit_code: int | None,
    telemetry: Raw,
) -> Result:
    if not succeeded and error is not None:
        return _failure(call_id, error)
    payload = bytes(answer.content) if answer is not None else b""
    if payload.startswith(_ANSWER_STARTS):
        return Result(call_id, failed=not succeeded, payload=payload, answers=_answers(payload, telemetry))
    if exit_code is None:
        found = _EXIT.search(payload, max(0, len(payload) - _EXIT_TAIL))
        exit_code = int(found[1]) if found else None
    return Result(
        call_id,
        # The program calls a command successful that ran, whatever it came to.
        failed=not succeeded or bool(exit_code),
        exit_code=exit_code,
        payload=payload,
        created=True if payload.startswith(_CREATED) else None,
    )


def _failure(call_id: str, error: ToolError) -> Result:
    message = error.message or ""
    payload = msgspec.json.encode(message)
    if error.code != _REFUSED_BY_HUMAN and not message.startswith(_REFUSALS):
        return Result(call_id, failed=True, payload=payload)
    reason = next((message.partition(mark)[2].strip() for mark in _REASON_MARKS if mark in message), "")
    return Result(call_id, failed=True, denied=True, reason=reason, payload=payload)


def _answers(payload: bytes, telemetry: Raw) -> tuple[tuple[str, str], ...]:
    """The question stands beside the result only in the telemetry; the answer's words in both."""
    facts = decode_or_none(_telemetry, telemetry)
    asked = facts.restrictedProperties if facts is not None else None
    text = text_in(payload)
    for mark in _ANSWER_MARKS:
        text = text.removeprefix(mark)
    return (((asked.question or "") if asked is not None else "", text.strip()),)


def _checklist(arguments: Raw) -> tuple[TodoItem, ...]:
    """The list of work where it is written as a Markdown checklist."""
    listed = decode_or_none(_todos, arguments)
    items: list[TodoItem] = []
    for line in (listed.todos or "").split("\n") if listed is not None else ():
        mark, text = line.strip()[:_MARK_LENGTH], line.strip()[_MARK_LENGTH:]
        if mark in _DONE_MARKS or mark in _OPEN_MARKS:
            items.append(TodoItem(text[:_MAX_TODO_CHARS], "done" if mark in _DONE_MARKS else "pending"))
    return tuple(items)
