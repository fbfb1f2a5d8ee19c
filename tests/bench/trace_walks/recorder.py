"""Runs inside the daemon that is traced: starts it, and notes on demand which of its functions ran and why.

    PYTHON -P recorder.py CONTROL_FD PACKAGE_FOLDER SOCKET_FOLDER serve ...

Stdlib and anyio only, and no module of the traced package by name, so that any checkout can be traced. What it notes:

    segment  one callback of the event loop, or one job of a worker thread, with the segment that scheduled it
    node     one frame of the package: a function called, or a coroutine resumed that was called before; once per frame

Each recording ends by itself at the first bytes sent on a socket in SOCKET_FOLDER, which is what a walk leads to.
A node's parent is the nearest frame of the package below it on the stack; the first frame of a new task or of a job in
a thread has the one that started it. Comprehensions and generator expressions are part of the function around them.
"""

from __future__ import annotations

import asyncio
import asyncio.base_events
import asyncio.events
import dis
import inspect
import itertools
import json
import os
import runpy
import socket
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import anyio.to_thread

_SENDING = frozenset({"send", "sendall", "sendmsg"})
_INLINE = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})
_SUSPENDING = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Node:
    __slots__ = ("code", "identity", "link", "module", "parent", "segments")

    def __init__(self, identity: int, code: CodeType, module: str, parent: Node | None, link: str) -> None:
        self.identity = identity
        self.code = code
        self.module = module
        self.parent = parent
        # How it came to run: "call", "resumed", "task", "thread".
        self.link = link
        self.segments: set[int] = set()


class Cause:
    """Where something was scheduled: the segment, and the node that did it, if one of the package's did."""

    __slots__ = ("node", "segment")

    def __init__(self, segment: int, node: Node | None) -> None:
        self.segment = segment
        self.node = node


class Recording:
    """What is noted between one switching on and the end of it."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.of_frame: dict[FrameType, Node] = {}
        # By segment, the one that scheduled it; 0 where that lies before the recording.
        self.causes: dict[int, int] = {0: 0}
        # Handles are kept, so that no other gets the same identity meanwhile.
        self.of_handle: dict[int, tuple[asyncio.Handle, Cause]] = {}
        self.end_segment: int | None = None
        # Of segments and of nodes; several threads take from both.
        self.numbers = itertools.count(1)
        self.identities = itertools.count(1)


class _OfThread(threading.local):
    segment = 0
    starter: Node | None = None
    recording: Recording | None = None


_here = _OfThread()
_current: Recording | None = None
# By identity: code of two files that reads the same is equal.
_modules: dict[int, tuple[CodeType, str]] = {}
_beginnings: dict[int, tuple[CodeType, int]] = {}
_folder = ""
_socket_folder = ""


def main(control_fd: str, folder: str, socket_folder: str, *arguments: str) -> None:
    global _folder, _socket_folder
    _folder, _socket_folder = os.path.join(os.path.realpath(folder), ""), os.path.join(socket_folder, "")
    control = socket.socket(fileno=int(control_fd))
    control.set_inheritable(False)
    threading.Thread(target=_obey, args=(control,), daemon=True).start()
    _note_causes()
    threading.setprofile(_hook)
    package = os.path.basename(os.path.dirname(_folder))
    sys.argv = [package, *arguments]
    sys.setprofile(_hook)
    runpy.run_module(package, run_name="__main__", alter_sys=True)


# ---- switching on and off


def _obey(control: socket.socket) -> None:
    """`begin` is answered once it holds, `end` with what was noted since."""
    global _current
    recording: Recording | None = None
    with control.makefile("rwb") as wire:
        for line in wire:
            if line == b"begin\n":
                _current = recording = Recording()
                wire.write(b"begun\n")
            elif recording is not None:
                _current = None
                wire.write(json.dumps(_written(recording)).encode() + b"\n")
                recording = None
            wire.flush()


def _written(recording: Recording) -> dict[str, object]:
    return {
        "nodes": [
            [
                node.identity,
                node.parent.identity if node.parent is not None else 0,
                node.module,
                node.code.co_qualname,
                os.path.relpath(node.code.co_filename, _folder),
                node.code.co_firstlineno,
                node.link,
                sorted(node.segments),
            ]
            for node in recording.nodes
        ],
        "causes": sorted(recording.causes.items()),
        "end": recording.end_segment,
    }


# ---- who schedules what


def _note_causes() -> None:
    loop = asyncio.base_events.BaseEventLoop
    noting = {"call_soon": _noting, "call_at": _noting, "call_soon_threadsafe": _noting_across_threads}
    for name, wrap in noting.items():
        setattr(loop, name, wrap(getattr(loop, name)))
    run_sync: Callable[..., Any] = anyio.to_thread.run_sync

    async def run_sync_noted(func: Callable[..., Any], *args: object, **options: Any) -> Any:
        cause = _cause_here(sys._getframe(1))
        return await run_sync(_run_in_thread, _current, cause, func, *args, **options)

    anyio.to_thread.run_sync = run_sync_noted


def _noting(method: Callable[..., asyncio.Handle]) -> Callable[..., asyncio.Handle]:
    def noted(*args: Any, **options: Any) -> asyncio.Handle:
        handle = method(*args, **options)
        recording = _current
        if recording is not None and (cause := _cause_here(sys._getframe(1))) is not None:
            recording.of_handle[id(handle)] = (handle, cause)
        return handle

    return noted


def _noting_across_threads(method: Callable[..., asyncio.Handle]) -> Callable[..., asyncio.Handle]:
    """The same where the loop may run the callback before its handle is known here: the callback itself tells."""

    def noted(loop: object, callback: Callable[..., object], *args: object, **options: Any) -> asyncio.Handle:
        recording, cause = _current, _cause_here(sys._getframe(1))
        if recording is None or cause is None:
            return method(loop, callback, *args, **options)

        def told(*args: object) -> object:
            if _here.recording is recording:
                recording.causes[_here.segment] = cause.segment
                _here.starter = cause.node
            return callback(*args)

        return method(loop, told, *args, **options)

    return noted


def _run_in_thread(recording: Recording | None, cause: Cause | None, func: Callable[..., Any], *args: object) -> Any:
    _here.recording = recording
    _here.starter = cause.node if cause is not None else None
    _here.segment = _begin_segment(recording, cause) if recording is not None else 0
    # Left as it is when the job is done: the thread then tells the loop, still because of it.
    return func(*args)


def _cause_here(frame: FrameType) -> Cause | None:
    recording = _current
    if recording is None or not _here.segment or _here.recording is not recording:
        return None
    return Cause(_here.segment, _nearest(recording, frame))


def _begin_segment(recording: Recording, cause: Cause | None) -> int:
    number = next(recording.numbers)
    recording.causes[number] = cause.segment if cause is not None else 0
    return number


# ---- what runs


def _hook(frame: FrameType, event: str, argument: Any) -> None:
    recording = _current
    if recording is None:
        return
    code = frame.f_code
    if event == "call":
        if code is _HANDLE_RUN:
            known = recording.of_handle.pop(id(frame.f_locals["self"]), None)
            cause = known[1] if known is not None else None
            _here.recording = recording
            _here.starter = cause.node if cause is not None else None
            _here.segment = _begin_segment(recording, cause)
        elif _module_of(code):
            _enter(recording, frame)
    elif event == "return":
        if code is _HANDLE_RUN:
            _here.segment = 0
        elif not code.co_flags & _SUSPENDING:
            recording.of_frame.pop(frame, None)
    elif event == "c_call" and getattr(argument, "__name__", "") in _SENDING:
        _look_at_sending(recording, getattr(argument, "__self__", None))


def _look_at_sending(recording: Recording, sender: object) -> None:
    global _current
    # A socket may have been bound under another name and renamed once it listened.
    if isinstance(sender, socket.socket) and str(sender.getsockname()).startswith(_socket_folder):
        recording.end_segment = _here.segment if _here.recording is recording else 0
        _current = None


def _enter(recording: Recording, frame: FrameType) -> Node | None:
    """The frame's node, made where there is none yet, marked as running in this segment."""
    node = recording.of_frame.get(frame)
    if node is None:
        node = _made(recording, frame)
        if node is None:
            return None
        recording.of_frame[frame] = node
    node.segments.add(_here.segment if _here.recording is recording else 0)
    return node


def _made(recording: Recording, frame: FrameType) -> Node | None:
    code = frame.f_code
    parent = _nearest(recording, frame.f_back)
    if code.co_name in _INLINE:
        return _enclosing(code, parent)
    link = "call" if _is_beginning(frame) else "resumed"
    if parent is None and _here.recording is recording and _here.starter is not None and link == "call":
        parent, link = _here.starter, "task" if code.co_flags & _SUSPENDING else "thread"
    node = Node(next(recording.identities), code, _module_of(code), parent, link)
    recording.nodes.append(node)
    return node


def _nearest(recording: Recording, frame: FrameType | None) -> Node | None:
    """The node of the nearest frame of the package, within one callback of the loop or one job of a thread."""
    while frame is not None and frame.f_code is not _HANDLE_RUN and frame.f_code is not _JOB_RUN:
        if _module_of(frame.f_code):
            return _enter(recording, frame)
        frame = frame.f_back
    return None


def _enclosing(code: CodeType, parent: Node | None) -> Node | None:
    """The function that a comprehension is written in, if it is on the stack; else whoever runs it."""
    outer = code.co_qualname.rpartition(".<locals>.")[0]
    node = parent
    while node is not None:
        if node.code.co_filename == code.co_filename and node.code.co_qualname == outer:
            return node
        node = node.parent
    return parent


def _is_beginning(frame: FrameType) -> bool:
    """Whether a frame was just entered, and not resumed."""
    code = frame.f_code
    if not code.co_flags & _SUSPENDING:
        return True
    if id(code) not in _beginnings:
        made_at = (each.offset for each in dis.get_instructions(code) if each.opname == "RETURN_GENERATOR")
        # Popping what is first sent, and the mark that it resumes.
        _beginnings[id(code)] = code, next(made_at, 0) + 4
    return frame.f_lasti <= _beginnings[id(code)][1]


def _module_of(code: CodeType) -> str:
    """The module's name for code of the package; "" for other code, and for bodies of modules."""
    if (known := _modules.get(id(code))) is not None:
        return known[1]
    path = os.path.realpath(code.co_filename)
    name = ""
    if path.startswith(_folder) and code.co_name != "<module>":
        name = os.path.relpath(path, os.path.dirname(os.path.dirname(_folder))).removesuffix(".py")
        name = name.replace(os.sep, ".").removesuffix(".__init__")
    _modules[id(code)] = code, name
    return name


_HANDLE_RUN = asyncio.events.Handle._run.__code__
_JOB_RUN = _run_in_thread.__code__

if __name__ == "__main__":
    main(*sys.argv[1:])
