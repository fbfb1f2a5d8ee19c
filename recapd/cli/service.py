"""The commands about the daemon itself: up, down, status, sockname."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from contextlib import suppress

import msgspec

from recapd import __version__
from recapd.cli.status_text import progress_line, status_text
from recapd.cli.terminal import can_redraw, fill, tell
from recapd.client.agents import roots_here
from recapd.client.call import ANSWER_S, FIRST_ANSWER_S, Connection
from recapd.client.errors import ClientError, NotRecapd, what_to_do
from recapd.client.find import address_in, reach
from recapd.client.holder import holder_of
from recapd.client.paths import Places, places
from recapd.client.start import END_TIMEOUT_S, ask_to_end, connect_to
from recapd.wire.types import RecapdStatusResult

# The newest sessions are read first: after this long the latest recap is there, and the rest can wait.
_FOLLOW_S = 30.0
# How often the line on the terminal moves; a change of state is told by the daemon sooner.
_LOOK_AGAIN_S = 0.2
_TROUBLED_SOURCES = 100


def up_command(args: argparse.Namespace) -> int:
    from recapd.cli.commands import show_latest

    address, connection = connect_to()
    with Connection(connection, pid=address.pid) as daemon:
        daemon.call("recapd/discover", {"roots": roots_here(address.port)}, timeout_s=FIRST_ANSWER_S)
        status = follow_indexing(daemon)
    runs = f"recapd {address.version or __version__} runs (pid {address.pid})."
    if status.quiescent and not status.sessions and not _has_logs():
        from recapd.cli.demo import play

        tell(f"{runs} There are no session logs on this machine yet, so here is a demo.")
        tell("")
        return play(speed=args.speed)
    tell(runs if status.quiescent else f"{runs} It goes on reading older sessions in the background.")
    tell("")
    return show_latest()


def down_command(args: argparse.Namespace) -> int:
    where = places()
    reached = reach(where)
    if reached is None:
        sys.stderr.write("recapd is not running.\n")
        return 0
    address, connection = reached
    try:
        ask_to_end(address, connection, reason="recapd down")
    except ClientError:
        return _end_by_signal(where, address.pid or holder_of(where.lock) or 0)
    sys.stderr.write(f"recapd (pid {address.pid}) has ended.\n")
    return 0


def _end_by_signal(where: Places, pid: int) -> int:
    """For a daemon that takes connections and answers nothing: a signal needs no answer."""
    if not pid:
        sys.stderr.write(f"recapd does not answer, and it is not known which process it is; {what_to_do(0)}\n")
        return 1
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
        # One that was stopped has to go on to end.
        os.kill(pid, signal.SIGCONT)
    deadline = time.monotonic() + END_TIMEOUT_S
    while holder_of(where.lock) == pid:
        if time.monotonic() >= deadline:
            sys.stderr.write(f"recapd (pid {pid}) does not answer and did not end; end it with: kill -9 {pid}\n")
            return 1
        time.sleep(_LOOK_AGAIN_S)
    sys.stderr.write(f"recapd (pid {pid}) did not answer; it was sent a signal and has ended.\n")
    return 0


def status_command(args: argparse.Namespace) -> int:
    where = places()
    reached = reach(where)
    if reached is None:
        if args.json:
            _print(json.dumps({"running": False}))
        else:
            told = "recapd is not running. Commands answer without it; to watch sessions as they go on: recapd up"
            _print(fill(sys.stdout, told))
        return 1
    address, connection = reached
    with Connection(connection, pid=address.pid) as daemon:
        result = daemon.call("recapd/status", {"limit": _TROUBLED_SOURCES}, timeout_s=ANSWER_S)
    if args.json:
        _print(json.dumps(result, indent=2, ensure_ascii=False))
        return 0
    status = _status_from(result)
    at = address.socket or f"port {address.port}"
    _print(status_text(sys.stdout, status, pid=address.pid, at=at, log=where.log))
    return 0


def sockname_command(args: argparse.Namespace) -> int:
    where = places()
    if args.start:
        address, connection = connect_to(where)
        connection.close()
    else:
        reached = reach(where)
        if reached is not None:
            reached[1].close()
        found = reached[0] if reached is not None else None
        if found is None:
            left = address_in(where)
            _print(json.dumps({"running": False, "socket": left.socket if left is not None else where.socket}))
            return 1
        address = found
    _print(
        json.dumps(
            {
                "running": True,
                "socket": address.socket or None,
                "port": address.port or None,
                "pid": address.pid,
                "version": address.version,
                "protocolVersion": address.protocol_version,
                "instanceId": address.instance_id,
            }
        )
    )
    return 0


def follow_indexing(daemon: Connection) -> RecapdStatusResult:
    """Show how far the first reading is, on a terminal, until it is done or has taken long enough."""
    is_shown = can_redraw(sys.stderr)
    deadline = time.monotonic() + _FOLLOW_S
    while True:
        status = _status_from(daemon.call("recapd/status", {"limit": 1}))
        if status.quiescent or time.monotonic() >= deadline:
            break
        if is_shown:
            sys.stderr.write(f"\r\x1b[K{progress_line(status)}")
            sys.stderr.flush()
        daemon.next_notification(_LOOK_AGAIN_S)
    if is_shown:
        sys.stderr.write("\r\x1b[K")
    return status


def _status_from(result: object) -> RecapdStatusResult:
    try:
        return msgspec.convert(result, RecapdStatusResult)
    except msgspec.ValidationError:
        raise NotRecapd from None


def _has_logs() -> bool:
    """Whether any agent has written anything that may be a log."""
    from recapd.daemon.library import Library

    return bool(Library().newest_logs())


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
