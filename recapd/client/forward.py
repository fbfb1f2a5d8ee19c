"""Joining stdio to the daemon: what `recapd connect` does between an editor and the daemon that all editors share.

    editor ──stdin──▶ first frame: `initialize`? add the roots of this environment ──▶ socket
    editor ◀─stdout── everything as it is ◀────────────────────────────────────────── socket

Only the first frame is looked at, and whether the daemon's answer begins like one. One thread, bounded buffers: a side
that does not read stops the other from writing.
"""

from __future__ import annotations

import json
import os
import select
import socket
import sys
import time

from . import frames
from .agents import roots_here
from .errors import ClientError, NotRecapd, OtherVersion
from .find import Address, reach
from .paths import Places, places
from .start import connect_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK_BYTES = 1 << 16
# A pipe that select calls writable takes this much without blocking; stdout may be shared, so it cannot be made so.
_STDOUT_BYTES = select.PIPE_BUF
# Larger first frames are passed on as they are: no editor sends one.
_MAX_PEEK_BYTES = 8 << 20
# After the editor closed its side the daemon has nothing to do but to answer what it was asked.
_LAST_ANSWERS_S = 10.0
# What the daemon's answer begins with; anything else is not for an editor.
_FIRST_BYTES = b"content-"
# What `recapd connect` ends with; 2 is for those who call it wrongly. Documented in protocol/README.md.
ENDED, BROKEN, NOT_HAD, REFUSED, LET_GO = 0, 1, 3, 4, 5
# The last frame of an editor that leaves as LSP says is shorter.
_EXIT_BYTES = 256
# The kernel closes all files of a killed process within some milliseconds.
_LAST_SOCKET_S = 0.2


def forward(
    where: Places | None = None, *, argv: Sequence[str] | None = None, stdin_fd: int = 0, stdout_fd: int = 1
) -> int:
    """Forward until one side ends; the exit code."""
    where = where or places()
    try:
        address, connection = connect_to(where, argv=argv)
        joint = _Joint(connection, stdin_fd=stdin_fd, stdout_fd=stdout_fd, roots=roots_here(address.port))
        while not joint.run():
            if not joint.can_resume:
                return _farewell(where, address, has_left=joint.has_said_exit)
            # The daemon was about to end when we came (idle, or replaced): it said nothing, so all can be said again.
            address, connection = connect_to(where, argv=argv)
            joint.resume(connection)
    except ClientError as error:
        tell(str(error))
        return REFUSED if isinstance(error, OtherVersion) else NOT_HAD
    return ENDED


def tell(sentence: str) -> None:
    """To whoever reads stderr, if anybody does."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"recapd: {sentence}\n")
        sys.stderr.flush()
    except OSError:
        return


class _Joint:
    """Two directions of bytes, each with what still has to be written."""

    def __init__(
        self, connection: socket.socket, *, stdin_fd: int, stdout_fd: int, roots: list[dict[str, str]]
    ) -> None:
        self._socket = connection
        self._socket.setblocking(False)
        self._stdin_fd, self._stdout_fd = stdin_fd, stdout_fd
        self._roots = roots
        self._is_stdin_open = True
        self._is_peeking = True
        self._to_daemon = bytearray()
        self._to_editor = bytearray()
        # The daemon's first bytes, until there are enough to tell that they are its.
        self._first: bytearray | None = bytearray()
        # Everything sent, until the daemon has answered with its first byte.
        self._unheard: bytearray | None = bytearray()
        self._give_up_at: float | None = None
        self._last_sent = b""

    @property
    def has_said_exit(self) -> bool:
        """Whether the editor's last word was LSP's `exit`, after which the daemon hangs up."""
        return b'"exit"' in self._last_sent

    @property
    def can_resume(self) -> bool:
        return self._unheard is not None

    def resume(self, connection: socket.socket) -> None:
        """Go on with another daemon, from the beginning. Once: a second one that is silent too has its reason."""
        self._to_daemon[:0] = self._unheard or b""
        self._unheard = None
        self._give_up_at = None
        self._socket = connection
        self._socket.setblocking(False)

    def run(self) -> bool:
        """True when the editor ended, or the daemon after it; False when the daemon closed the connection before."""
        try:
            while True:
                has_bytes = bool(self._to_daemon) and not self._is_peeking
                if not self._is_stdin_open and not has_bytes and self._give_up_at is None:
                    self._close_writing()
                wants_more = self._is_stdin_open and (self._is_peeking or len(self._to_daemon) < _CHUNK_BYTES)
                socket_fd = self._socket.fileno()
                readable, writable, _ = select.select(
                    [
                        fd
                        for fd, is_wanted in ((self._stdin_fd, wants_more), (socket_fd, not self._to_editor))
                        if is_wanted
                    ],
                    [fd for fd, is_wanted in ((socket_fd, has_bytes), (self._stdout_fd, self._to_editor)) if is_wanted],
                    [],
                    None if self._give_up_at is None else max(0.0, self._give_up_at - time.monotonic()),
                )
                if not readable and not writable:
                    return True
                if self._stdout_fd in writable and not self._write_to_editor():
                    return True
                if socket_fd in writable:
                    self._write_to_daemon()
                if self._stdin_fd in readable:
                    self._read_from_editor()
                if socket_fd in readable and not self._read_from_daemon():
                    return not self._is_stdin_open and not self._unheard
        finally:
            self._socket.close()

    def _read_from_editor(self) -> None:
        try:
            data = os.read(self._stdin_fd, _CHUNK_BYTES)
        except OSError:
            data = b""
        self._is_stdin_open = bool(data)
        self._to_daemon += data
        if self._is_peeking:
            self._peek()

    def _peek(self) -> None:
        """Hold the first frame back until it is whole, then let it go with what was added to it."""
        try:
            span = frames.body_span(self._to_daemon, max_body_bytes=_MAX_PEEK_BYTES)
        except frames.BadFrame:
            self._is_peeking = False
            return
        if span is not None and len(self._to_daemon) >= span[1]:
            body = bytes(self._to_daemon[span[0] : span[1]])
            changed = with_roots(body, self._roots)
            if changed != body:
                self._to_daemon[: span[1]] = frames.encode(changed)
            self._is_peeking = False
        if not self._is_stdin_open:
            self._is_peeking = False

    def _read_from_daemon(self) -> bool:
        try:
            data = self._socket.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if data:
            self._unheard = None
        if self._first is None:
            self._to_editor += data
            return bool(data)
        self._first += data
        beginning = bytes(self._first[: len(_FIRST_BYTES)]).lower()
        if not _FIRST_BYTES.startswith(beginning):
            raise NotRecapd
        if beginning == _FIRST_BYTES:
            self._to_editor, self._first = self._first, None
        return bool(data)

    def _write_to_daemon(self) -> None:
        try:
            size = self._socket.send(self._to_daemon[:_CHUNK_BYTES])
        except BlockingIOError:
            return
        except OSError:
            # The daemon is gone; what it still said, and its end, are read from the socket.
            size = len(self._to_daemon)
        self._last_sent = (self._last_sent + bytes(self._to_daemon[:size]))[-_EXIT_BYTES:]
        if self._unheard is not None:
            self._unheard += self._to_daemon[:size]
            if len(self._unheard) > _MAX_PEEK_BYTES:
                self._unheard = None
        del self._to_daemon[:size]

    def _write_to_editor(self) -> bool:
        try:
            size = os.write(self._stdout_fd, self._to_editor[:_STDOUT_BYTES])
        except BlockingIOError:
            return True
        except OSError:
            return False
        del self._to_editor[:size]
        return True

    def _close_writing(self) -> None:
        self._give_up_at = time.monotonic() + _LAST_ANSWERS_S
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            return


def _ends(connection: socket.socket) -> bool:
    """Whether a fresh connection ends by itself, as to a killed process, whose sockets close one after another."""
    if not select.select([connection], [], [], _LAST_SOCKET_S)[0]:
        return False
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


def _farewell(where: Places, address: Address, *, has_left: bool) -> int:
    """The daemon closed the connection. If it still serves it meant to: the editor had left by LSP's `exit`, or it was
    let go, which it shall know."""
    reached = reach(where)
    if reached is not None:
        is_ending = _ends(reached[1])
        reached[1].close()
        if reached[0].instance_id == address.instance_id and not is_ending:
            if has_left:
                return ENDED
            tell("the daemon let this client go; its last message says why. Try again later.")
            return LET_GO
    tell("the daemon ended; start `recapd connect` again to get a new one.")
    return BROKEN


def with_roots(body: bytes, roots: list[dict[str, str]]) -> bytes:
    """An `initialize` request with the roots of this environment added; anything else as it is."""
    if not roots or b'"initialize"' not in body:
        return body
    try:
        message = json.loads(body)
        if message["method"] != "initialize":
            return body
        block = message["params"]
        for name in ("capabilities", "experimental"):
            if block.get(name) is None:
                block[name] = {}
            block = block[name]
        # Not `recapd`: by that an extension made for recapd is known, and a stock editor is none.
        block["recapdConnect"] = {"roots": roots}
    except (ValueError, TypeError, KeyError, AttributeError):
        # Not ours to judge: the daemon answers what is wrong with it.
        return body
    return json.dumps(message, separators=(",", ":")).encode("ascii")
