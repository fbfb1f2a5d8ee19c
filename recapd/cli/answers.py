"""Answers for the command line, from the daemon if one runs and from this process if not: the same either way."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from recapd.cli.last_list import kept_logs
from recapd.cli.nothing import NO_SESSIONS
from recapd.cli.progress import Progress
from recapd.cli.terminal import tell
from recapd.client.agents import roots_here
from recapd.client.call import ANSWER_S, Connection
from recapd.client.errors import CallError, ClientError, ConnectionLost, NotRecapd, TimedOut
from recapd.client.find import reach
from recapd.client.paths import is_text, places
from recapd.client.version import PROTOCOL_VERSION
from recapd.wire.errors import (
    LIMIT_EXCEEDED,
    METHOD_NOT_FOUND,
    NOT_READY,
    SESSION_NOT_FOUND,
    RecapError,
    invalid_params,
    parse_error,
)
from recapd.wire.methods import lookup
from recapd.wire.types import ErrorData, SessionNotFoundData, SessionParams, Wire

W = TypeVar("W", bound=Wire)

# What this process may know better: an older daemon, one that still reads, one that was told of other folders.
_ASK_AGAIN_HERE = frozenset({METHOD_NOT_FOUND, NOT_READY, SESSION_NOT_FOUND})
_PATHS = ("cwd", "log", "workspace")
# What waits may ask a model; the daemon has a deadline of its own, which is the configured one and somewhat more.
_MAY_WAIT_S = 1300.0


def ask(method: str, params: Wire, result: type[W], *, use_daemon: bool = True) -> W:
    """The typed result of a request, or RecapError."""
    sent = _encoded(params)
    try:
        return msgspec.json.decode(answer_somewhere(method, sent, use_daemon=use_daemon), type=result)
    except RecapError as error:
        raise in_words_of_commands(error) from None
    except msgspec.ValidationError:
        if not use_daemon:
            raise
        _tell_without(NotRecapd())
    return msgspec.json.decode(_answer_here(method, sent), type=result)


def in_words_of_commands(error: RecapError) -> RecapError:
    """The protocol's sentence that a session is not there names its methods; people type commands."""
    if not isinstance(error.data, SessionNotFoundData) or error.data.retryable:
        return error
    session = error.data.session
    if session is None:
        return RecapError(error.code, NO_SESSIONS, error.data)
    if session.named_id is not None:
        return RecapError(
            error.code, f"No session has the id {session.named_id}; see them with: recapd sessions", error.data
        )
    return error


def answer_somewhere(method: str, params: bytes, *, use_daemon: bool = True) -> bytes:
    """The result of a request as JSON, or RecapError. Starts no daemon: one answer is sooner had without."""
    if use_daemon and (connection := _running()) is not None:
        with connection, Progress("Asking the daemon"):
            try:
                result = _called(connection, method, _from_anywhere(params))
                if not _lists_nothing(result) or _has_looked(connection):
                    return msgspec.json.encode(result)
            except CallError as error:
                if error.code not in _ASK_AGAIN_HERE:
                    raise RecapError(error.code, error.message, ErrorData(retryable=False)) from None
            except NotRecapd as error:
                _tell_without(error)
            except ConnectionLost:
                pass
            except ClientError as error:
                raise RecapError(NOT_READY, str(error), ErrorData(retryable=True)) from None
    return _answer_here(method, params)


def _lists_nothing(result: object) -> bool:
    lists = [each for each in result.values() if isinstance(each, list)] if isinstance(result, dict) else []
    return bool(lists) and not any(lists)


def _has_looked(connection: Connection) -> bool:
    """Whether a daemon that lists nothing knows that there is nothing: one that was just started has yet to look."""
    status = connection.call("recapd/status", {"limit": 1})
    return not isinstance(status, dict) or bool(status.get("quiescent") or status.get("sessions"))


def _called(connection: Connection, method: str, params: dict[str, object]) -> object:
    row = lookup(method)
    if row is not None and row.cost == "waits":
        return connection.call(method, params, timeout_s=_MAY_WAIT_S)
    return connection.call(method, params)


def resume_command(session_id: str) -> str | None:
    """The agent's own command to go on with a session; None where it has none or the id is not its own."""
    from recapd.adapters.registry import ADAPTERS

    agent, _, native = session_id.partition(":")
    # A hash of the path stands in for an id that the log does not give; the agent does not know it.
    is_hash = len(native) == 16 and all(character in "0123456789abcdef" for character in native)
    commands = (adapter.resume_command for adapter in ADAPTERS if adapter.agent == agent)
    command = next((each for each in commands if each is not None), None)
    return command(native) if command is not None and native and not is_hash else None


def _running() -> Connection | None:
    """A daemon that this command may use; None where there is none, or its answers might differ from ours."""
    try:
        reached = reach(places())
    except ClientError as error:
        _tell_without(error)
        return None
    if reached is None:
        return None
    address, connection = reached
    daemon = Connection(connection, pid=address.pid)
    if address.protocol_version in ("", PROTOCOL_VERSION) and not _is_older(address.version):
        try:
            # The daemon may have been started where other folders were meant.
            found = daemon.call("recapd/discover", {"roots": roots_here(address.port)}, timeout_s=ANSWER_S)
            if not isinstance(found, dict):
                raise NotRecapd
            return daemon
        except (TimedOut, NotRecapd) as error:
            _tell_without(error)
        except CallError as error:
            if error.code == LIMIT_EXCEEDED:
                _tell_without(error)
        except ClientError:
            pass
    daemon.close()
    return None


def _tell_without(error: ClientError | CallError) -> None:
    """Why the daemon is not asked: what it would have known first-hand takes longer to find out here."""
    tell(f"recapd: answered without the daemon. {error}")


def _is_older(version: str) -> bool:
    from recapd.client.version import REPLACE, judge_version

    return bool(version) and judge_version(version, PROTOCOL_VERSION) == REPLACE


def _answer_here(method: str, params: bytes) -> bytes:
    # The whole core is imported only where it is needed: with a daemon a command answers without it.
    from recapd.daemon.library import Library
    from recapd.server.methods import answer
    from recapd.server.workspaces import path_of

    with Progress("Reading the logs"):
        library = Library()
        if log := kept_logs().get(_named_id(params)):
            library.try_load(Path(path_of(log)))
        return msgspec.json.encode(answer(library, method, params))


def _named_id(params: bytes) -> str:
    """The id by which the params name a session; "" where they name none."""
    try:
        session = msgspec.json.decode(params, type=SessionParams).session
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return session.named_id or "" if session is not None else ""


def _encoded(params: Wire) -> bytes:
    """As JSON, which is UTF-8: a path that is not is given as a URI."""
    try:
        return msgspec.json.encode(params)
    except UnicodeEncodeError:
        return msgspec.json.encode(_changed_paths(msgspec.to_builtins(params), _sendable))


def _sendable(path: str) -> str:
    return path if is_text(path) else Path(os.path.abspath(path)).as_uri()


def _from_anywhere(params: bytes) -> dict[str, object]:
    """The params with paths that do not depend on where this process stands: the daemon stands elsewhere."""
    try:
        said = msgspec.json.decode(params)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise parse_error() from None
    if not isinstance(said, dict):
        raise invalid_params("", "an object")
    return _changed_paths(said, _absolute)


def _changed_paths(said: dict[str, object], change: Callable[[str], str]) -> dict[str, object]:
    """The params with each path in them changed."""
    changed = dict(said)
    for key, value in said.items():
        if key == "session" and isinstance(value, dict):
            changed[key] = _changed_paths(value, change)
        elif key in _PATHS and isinstance(value, str):
            changed[key] = change(value)
    return changed


def _absolute(path: str) -> str:
    return path if path.startswith("file:") else _sendable(os.path.abspath(os.path.expanduser(path)))
