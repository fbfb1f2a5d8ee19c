"""aider's chat history: one Markdown file per project, to which every chat is appended.

    # aider chat started at 2026-02-03 04:05:06     a chat; the only time in the file, local and without a zone
    #### words of the human                         each line of a prompt
    > Applied edit to app.py                        what aider itself says
    anything else                                   the model's answer

Owns where one block ends and the next begins, and which chat it belongs to; `blocks` says what a block means.
The model's answers are Markdown too, so the marks alone do not tell. What does is how aider writes: a hard break (two
spaces) ends its own lines, one blank line stands before a prompt, and two where the prompt follows an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.adapters.aider.blocks import CHAT, answer_without_thoughts, chat_start, parse, prompt_lines
from recapd.adapters.shared import Adapter, Document, JsonObject
from recapd.core.log import Place

_BOM = b"\xef\xbb\xbf"
_BREAK = b"  "
# How far the rest of a message of aider's may reach that goes over several lines: a list of commands, install hints.
_MESSAGE_LINES = 50

_BlockKind: TypeAlias = Literal["chat", "prompt", "echo", "status", "answer"]


class _Line(Struct, gc=False):
    offset: int
    # Without its newline, and without the carriage return that aider writes on Windows.
    text: bytes


class _Block(Struct, gc=False):
    kind: _BlockKind
    # Lines from `first` up to `last`, both included.
    first: int
    last: int


def split(data: bytes) -> Document:
    """Chats cut into prompts, answers and runs of aider's own lines; blank lines between them are left out."""
    lines = _lines(data)
    starts = [row for row, line in enumerate(lines) if _starts_chat(lines, row, line)]
    pieces: list[tuple[bytes, Place]] = []
    sessions: list[str] = []
    if not starts or starts[0]:
        # The beginning of the file was cut off: which chat this was, nobody can tell.
        _cut(data, lines, _blocks(lines, 0, starts[0] if starts else len(lines)), pieces)
        sessions += [""] * len(pieces)
    seen: dict[str, int] = {}
    for start, end in pairwise([*starts, len(lines)]):
        session = chat_start(lines[start].text)[1]
        seen[session] = seen.get(session, 0) + 1
        if seen[session] > 1:
            session = f"{session}-{seen[session]}"
        _cut(data, lines, [_Block("chat", start, start), *_blocks(lines, start + 1, end)], pieces)
        sessions += [session] * (len(pieces) - len(sessions))
    return Document(pieces, sessions=sessions)


def _lines(data: bytes) -> list[_Line]:
    lines: list[_Line] = []
    offset = 0
    if data.startswith(_BOM):
        offset, data = len(_BOM), data[len(_BOM) :]
    for raw in data.split(b"\n"):
        lines.append(_Line(offset, raw.rstrip(b"\r")))
        offset += len(raw) + 1
    return lines


def _starts_chat(lines: Sequence[_Line], row: int, line: _Line) -> bool:
    if not line.text.startswith(CHAT) or (row and not _is_blank(lines[row - 1])):
        return False
    return bool(chat_start(line.text)[0])


def _is_blank(line: _Line) -> bool:
    return not line.text or line.text.isspace()


def _blocks(lines: Sequence[_Line], first: int, end: int) -> list[_Block]:
    """The blocks of one chat, in order."""
    # An editor or a hook may have taken all spaces at line ends away; then the marks have to do.
    is_strict = any(_is_marked(line.text) and line.text.endswith(_BREAK) for line in lines[first:end])
    blocks: list[_Block] = []
    blanks = 0
    message_end = -1
    for row in range(first, end):
        line = lines[row]
        if _is_blank(line) and row > message_end:
            blanks += 1
            continue
        last = blocks[-1] if blocks else None
        if row <= message_end:
            kind: _BlockKind = "status"
        else:
            kind = _kind(line.text, last.kind if last else "chat", blanks, is_strict=is_strict)
            if kind == "answer" and last is not None and last.kind == "status":
                # An answer never follows without a blank line: this is the rest of a message of aider's.
                message_end = row if not blanks else _message_end(lines, row, end, lines[last.last].text)
                kind = "status" if message_end >= row else kind
        if last is not None and last.kind == kind and (not blanks or kind != "prompt"):
            last.last = row
        else:
            blocks.append(_Block(kind, row, row))
        blanks = 0
    return list(_told_from_echoes(lines, blocks))


def _kind(text: bytes, before: _BlockKind, blanks: int, *, is_strict: bool) -> _BlockKind:
    is_ours = not is_strict or text.endswith(_BREAK)
    if _is_prompt(text) and is_ours:
        if before == "prompt" and not blanks:
            return "prompt"
        if blanks >= (2 if before == "answer" else 1) or before == "chat":
            return "prompt"
    if _is_status(text):
        if before == "chat" or (before in ("status", "prompt") and not blanks):
            return "status"
        if is_ours and (blanks or before != "answer"):
            return "status"
    return "answer"


def _message_end(lines: Sequence[_Line], row: int, end: int, before: bytes) -> int:
    """The last line of a message of aider's that goes on after a blank line, or -1: only its end has the hard break."""
    if before.endswith(_BREAK):
        return -1
    for ahead in range(row, min(row + _MESSAGE_LINES, end)):
        text = lines[ahead].text
        if _is_marked(text):
            return -1
        if text.endswith(_BREAK):
            return ahead if ahead + 1 < end and _is_status(lines[ahead + 1].text) else -1
    return -1


def _told_from_echoes(lines: Sequence[_Line], blocks: Sequence[_Block]) -> Iterator[_Block]:
    """Prompts no human typed: aider files under his name what it hands on to a model.

    That is the words behind a command like /ask, or in architect mode one model's plan as the next model's task.
    """
    handed_on = b""
    for block in blocks:
        if block.kind == "answer":
            answer = b"\n".join(line.text for line in lines[block.first : block.last + 1])
            handed_on = _words(answer_without_thoughts(answer))
        elif block.kind == "prompt":
            prompt = b"\n".join(prompt_lines([line.text for line in lines[block.first : block.last + 1]]))
            if handed_on and _words(prompt) == handed_on:
                block.kind = "echo"
            command = prompt.split(None, 1) if prompt.lstrip().startswith(b"/") else []
            handed_on = _words(command[1]) if len(command) > 1 else b""
        yield block


def _words(text: bytes) -> bytes:
    """What is compared: prompts lose the spaces at the ends of their lines."""
    return b"".join(text.split())


def _cut(data: bytes, lines: Sequence[_Line], blocks: Sequence[_Block], pieces: list[tuple[bytes, Place]]) -> None:
    for block in blocks:
        row = block.first
        # A piece must tell by itself what it is. One that begins with a mark but is not what the mark says takes the
        # blank line before it along.
        if block.kind == "echo" or (block.kind == "answer" and _looks_marked(lines[row].text)):
            row = row - 1 if row and _is_blank(lines[row - 1]) else row
        start = lines[row].offset
        stop = lines[block.last].offset + len(lines[block.last].text)
        pieces.append((data[start:stop], Place(row + 1, start, stop - start)))


def _is_prompt(text: bytes) -> bool:
    return text.startswith(b"#### ") or text == b"####"


def _is_status(text: bytes) -> bool:
    return text.startswith(b"> ") or text == b">"


def _is_marked(text: bytes) -> bool:
    return text.startswith((b"#### ", b"> "))


def _looks_marked(text: bytes) -> bool:
    return text.startswith((b"####", b">", CHAT))


def recognise(objects: Sequence[JsonObject]) -> bool:
    """Never: no line of this format is JSON."""
    return False


def recognise_head(head: bytes) -> bool:
    return head.removeprefix(_BOM).lstrip(b"\r\n\t ").startswith(CHAT)


ADAPTER = Adapter(
    name="aider",
    title="aider",
    recognise=recognise,
    parse=parse,
    split=split,
    recognise_head=recognise_head,
    holds_many_sessions=True,
)
