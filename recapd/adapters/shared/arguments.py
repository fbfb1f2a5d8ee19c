"""The shapes of the arguments of tool calls, and their decoding.

Agents name the same few things differently (`file_path`, `filePath`, `path`); one tolerant shape for each sort of call
serves them all. A shape names only what is read of its sort: each further name costs something in every decode.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared.base import decode_or_none


class FileArguments(Struct, gc=False):
    """How tools of all agents name the one file they are about."""

    file_path: str | None = None
    path: str | None = None
    filePath: str | None = None
    absolute_path: str | None = None
    notebook_path: str | None = None
    filename: str | None = None
    dir_path: str | None = None
    directory: str | None = None


class WriteArguments(FileArguments, gc=False):
    """A file and its text, which is only measured."""

    content: str | None = None
    file_text: str | None = None


class ShellArguments(Struct, gc=False):
    """A command line, where it runs, and the agent's own label for it."""

    command: str | list[str] | None = None
    description: str | None = None
    cmd: str | list[str] | None = None
    script: str | None = None
    input: str | None = None
    workdir: str | None = None
    cwd: str | None = None
    dir_path: str | None = None
    directory: str | None = None


class SearchArguments(Struct, gc=False):
    pattern: str | None = None
    path: str | None = None
    query: str | None = None
    description: str | None = None


class TodoArguments(Struct, gc=False):
    # Not `| None`: msgspec takes that for null only.
    todos: Raw = Raw()
    plan: Raw = Raw()
    subject: str | None = None


class Arguments(FileArguments, gc=False):
    """The argument names that tools of all agents use. Anything else stays unread."""

    command: str | list[str] | None = None
    cmd: str | list[str] | None = None
    script: str | None = None
    workdir: str | None = None
    cwd: str | None = None
    pattern: str | None = None
    query: str | None = None
    url: str | None = None
    content: str | None = None
    file_text: str | None = None
    description: str | None = None
    prompt: str | None = None
    message: str | None = None
    question: str | None = None
    plan: Raw = Raw()
    todos: Raw = Raw()
    input: str | None = None
    patch: str | None = None
    patchText: str | None = None
    text: str | None = None
    abstract: str | None = None
    summary: str | None = None
    fact: str | None = None
    subject: str | None = None
    objective: str | None = None
    task: str | None = None
    goal: str | None = None
    chunk_id: int | str | None = None


decode_arguments = msgspec.json.Decoder(Arguments).decode
decode_file = msgspec.json.Decoder(FileArguments).decode
decode_write = msgspec.json.Decoder(WriteArguments).decode
decode_shell = msgspec.json.Decoder(ShellArguments).decode
decode_search = msgspec.json.Decoder(SearchArguments).decode
decode_todo = msgspec.json.Decoder(TodoArguments).decode

_object = msgspec.json.Decoder(dict[str, object])
_text = msgspec.json.Decoder(str)
_NO_ARGUMENTS = Arguments()


def strings_only(arguments: bytes | Raw) -> Arguments:
    """Some argument has an odd type: keep those that are text."""
    values = decode_or_none(_object, arguments)
    if values is None:
        text = decode_or_none(_text, arguments)
        return Arguments(input=text) if text else _NO_ARGUMENTS
    texts = {key: value for key, value in values.items() if isinstance(value, str) and key not in ("plan", "todos")}
    return msgspec.convert(texts, Arguments)
