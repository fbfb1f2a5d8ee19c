"""What a record says was changed in a file, whatever the format: read back from the log when somebody asks for it.

Two ask: who shows a change, by hunks (`edits_in`), and who goes back from the file's text to who wrote it, by all the
text that the log has before and after (`texts_in`).

Agents name the same few things differently, as in the arguments of calls, and one look serves them all: a patch that
the result tells (with the numbers of lines), else the texts that the call replaces, the patch it hands over, or the
file it writes. Nothing of this is read while a log is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import msgspec

from recapd.adapters.shared.base import decode_or_none, mended
from recapd.core import late_re as re
from recapd.core.commands import Hunk, hunk_between, patch_hunks, whole_file
from recapd.core.why import Edit, Piece

_IsWanted: TypeAlias = Callable[[str], bool]
_Node: TypeAlias = dict[str, object]

_IDS: Final = ("id", "call_id", "callID", "callId", "toolCallId", "tool_use_id", "tool_call_id")
_PATHS: Final = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "filename", "relativePath")
_OLD: Final = ("old_string", "oldString", "old_str", "oldText", "old_text", "search")
_NEW: Final = ("new_string", "newString", "new_str", "newText", "new_text", "insert_text", "replace", "new_source")
_WHOLE: Final = ("content", "file_text", "text")
_PATCHES: Final = ("input", "patch", "patchText", "command", "cmd", "script", "diff")
_TOLD: Final = ("fileDiff", "diff", "patch", "unified_diff", "detailedContent")
_ARGUMENTS: Final = ("input", "arguments", "args", "parameters")
_EVERYWHERE: Final = ("replace_all", "replaceAll", "allow_multiple")
_WITHIN: Final = ("state", "function", "functionCall", "item")
_NUMBERED: Final = re.compile(r"([ +-]) *\d+ (.*)", re.DOTALL)
_any = msgspec.json.Decoder()


def edits_in(call: bytes, result: bytes, *, call_id: str, is_wanted: _IsWanted) -> tuple[Hunk, ...]:
    """What a call changed in the wanted file, from the bytes of the records of the call and of its result."""
    called = decode_or_none(_any, mended(call))
    answered = decode_or_none(_any, mended(result)) if result and result != call else called
    node = next((each for each in _nodes(called) if _is_of(each, call_id)), None)
    if found := tuple(_structured(answered, is_wanted)):
        return found
    if node is not None and (found := tuple(_asked_for(node, is_wanted))):
        return found
    told = next((each for each in _nodes(answered) if _is_of(each, call_id)), None)
    return tuple(_told(told if told is not None else answered, is_wanted))


def texts_in(call: bytes, result: bytes, *, call_id: str, is_wanted: _IsWanted, is_new: bool) -> Edit:
    """The same by the texts: of the whole file where the log has them, else of what was changed. `is_new`: there was
    no such file before, or none that the agent had seen."""
    called = decode_or_none(_any, mended(call))
    answered = decode_or_none(_any, mended(result)) if result and result != call else called
    if (found := _whole_texts(answered, is_wanted, is_new=is_new)) is not None:
        return found
    node = next((each for each in _nodes(called) if _is_of(each, call_id)), None)
    asked = _asked_texts(node, is_wanted, is_new=is_new) if node is not None else Edit()
    if asked.pieces or asked == Edit():
        # Whole lines, with those around them, prove more than the words that were replaced.
        told = next((each for each in _nodes(answered) if _is_of(each, call_id)), None)
        within = told if told is not None else answered
        if hunks := tuple(_told(within, is_wanted)) or tuple(_numbered(within)):
            return Edit(hunks=hunks)
    return asked


def _whole_texts(record: object, is_wanted: _IsWanted, *, is_new: bool) -> Edit | None:
    """From a result that has the file as it was, and hunks to make it what it became."""
    for node in _nodes(record):
        if not isinstance(node.get("structuredPatch"), list) or not is_wanted(_first(node, _PATHS)):
            continue
        hunks = tuple(_structured(node, is_wanted))
        before, content = node.get("originalFile"), node.get("content")
        if isinstance(content, str):
            is_known = isinstance(before, str)
            return Edit(before=str(before) if is_known else "" if is_new else None, after=content)
        after = _patched(before, hunks) if isinstance(before, str) else None
        return Edit(before=str(before), after=after) if after is not None else Edit(hunks=hunks)
    return None


def _patched(text: str, hunks: tuple[Hunk, ...]) -> str | None:
    """The text after these hunks; None where they are not of this text."""
    lines = text.split("\n")
    for hunk in reversed(hunks):
        # Of a file that was empty the first line has number 0.
        start = max(hunk.old_start - 1, 0)
        old = [line[1:] for line in hunk.lines if line[:1] in (" ", "-")]
        if [line.removesuffix("\r") for line in lines[start : start + len(old)]] != [
            line.removesuffix("\r") for line in old
        ]:
            return None
        lines[start : start + len(old)] = [line[1:] for line in hunk.lines if line[:1] in (" ", "+")]
    return "\n".join(lines)


def _asked_texts(node: _Node, is_wanted: _IsWanted, *, is_new: bool) -> Edit:
    """From the arguments of a call."""
    hunks: list[Hunk] = []
    for arguments in _arguments_of(node):
        if isinstance(arguments, str):
            hunks += patch_hunks(arguments, is_wanted)
            continue
        for text in _patches_in(arguments):
            hunks += patch_hunks(text, is_wanted)
        path = _first(arguments, _PATHS)
        if path and is_wanted(path) and (found := _replacing(arguments, is_new=is_new)) != Edit():
            return found
    if len(hunks) == 1 and _is_whole(hunks[0]):
        return Edit(before="" if is_new else None, after=hunks[0].new)
    return Edit(hunks=tuple(hunks))


def _is_whole(hunk: Hunk) -> bool:
    """A file that a patch adds."""
    return hunk.new_start == 1 and not hunk.old_start and all(line.startswith("+") for line in hunk.lines)


def _replacing(arguments: _Node, *, is_new: bool) -> Edit:
    pieces: list[Piece] = []
    for edit in _edits_of(arguments):
        new = _text(edit, _NEW)
        old = _text(edit, _OLD)
        if new is None:
            whole = _text(edit, _WHOLE)
            return Edit() if whole is None else Edit(before="" if is_new else None, after=whole)
        if not old:
            # Put in at a line, or where there was nothing.
            if is_new and len(_edits_of(arguments)) == 1:
                return Edit(before="", after=new)
            return Edit(hunks=(Hunk(tuple(f"+{line}" for line in new.removesuffix("\n").split("\n"))),))
        pieces.append(Piece(old, new, any(edit.get(name) is True for name in _EVERYWHERE)))
    return Edit(pieces=tuple(pieces))


def _nodes(value: object) -> Iterator[_Node]:
    """Every object in a record, outer ones first."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
            waiting += reversed(list(each.values()))
        elif isinstance(each, list):
            waiting += reversed(each)


def _is_of(node: _Node, call_id: str) -> bool:
    return bool(call_id) and any(node.get(name) == call_id for name in _IDS)


def _structured(record: object, is_wanted: _IsWanted) -> Iterator[Hunk]:
    """Hunks as objects, with numbers of lines; of a new file its text."""
    for node in _nodes(record):
        hunks = node.get("structuredPatch")
        if not isinstance(hunks, list) or not is_wanted(_first(node, _PATHS)):
            continue
        for hunk in hunks:
            lines = hunk.get("lines") if isinstance(hunk, dict) else None
            if isinstance(lines, list):
                told = tuple(line for line in lines if isinstance(line, str) and line)
                yield Hunk(told, _number(hunk.get("oldStart")), _number(hunk.get("newStart")))
        content = node.get("content")
        if not hunks and isinstance(content, str):
            yield whole_file(content)


def _asked_for(node: _Node, is_wanted: _IsWanted) -> Iterator[Hunk]:
    """What the arguments of a call say."""
    for arguments in _arguments_of(node):
        if isinstance(arguments, str):
            yield from patch_hunks(arguments, is_wanted)
            continue
        for text in _patches_in(arguments):
            yield from patch_hunks(text, is_wanted)
        path = _first(arguments, _PATHS)
        if path and is_wanted(path):
            yield from _replaced(arguments)


def _patches_in(arguments: _Node) -> Iterator[str]:
    for name in _PATCHES:
        text = arguments.get(name)
        if isinstance(text, list):
            text = "\n".join(each for each in text if isinstance(each, str))
        if isinstance(text, str):
            yield text


def _arguments_of(node: _Node) -> Iterator[_Node | str]:
    for within in (node, *(each for name in _WITHIN if isinstance(each := node.get(name), dict))):
        for name in _ARGUMENTS:
            given = within.get(name)
            if isinstance(given, str):
                decoded = decode_or_none(_any, given.encode("utf-8", "replace")) if given[:1] in "{[" else None
                yield decoded if isinstance(decoded, dict) else given
            elif isinstance(given, dict):
                yield given


def _replaced(arguments: _Node) -> Iterator[Hunk]:
    for edit in _edits_of(arguments):
        new = _text(edit, _NEW)
        if new is not None:
            old = _text(edit, _OLD)
            yield hunk_between(old, new) if old else Hunk(tuple(f"+{line}" for line in new.split("\n")))
        elif (whole := _text(edit, _WHOLE)) is not None:
            yield whole_file(whole)


def _edits_of(arguments: _Node) -> list[_Node]:
    several = arguments.get("edits")
    return [edit for edit in (several if isinstance(several, list) else [arguments]) if isinstance(edit, dict)]


def _told(record: object, is_wanted: _IsWanted) -> Iterator[Hunk]:
    for node in _nodes(record):
        for name in _TOLD:
            text = node.get(name)
            if isinstance(text, str) and (found := patch_hunks(text, is_wanted)):
                yield from found
                return


def _numbered(record: object) -> Iterator[Hunk]:
    """From a diff in which each line has its sign and its number, and dots stand for what is left out (pi)."""
    text = next((text for node in _nodes(record) if isinstance(text := node.get("diff"), str)), "")
    lines: list[str] = []
    for line in text.split("\n"):
        found = _NUMBERED.match(line)
        if found is not None:
            lines.append(found[1] + found[2])
        elif lines:
            yield Hunk(tuple(lines))
            lines = []
    if lines:
        yield Hunk(tuple(lines))


def _first(node: _Node, names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := node.get(name), str) and value), "")


def _text(node: _Node, names: tuple[str, ...]) -> str | None:
    return next((value for name in names if isinstance(value := node.get(name), str)), None)


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else 0
