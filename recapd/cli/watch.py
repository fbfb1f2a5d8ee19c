"""`recapd watch` and `recapd unwatch`: folders whose `_recap.md` the daemon keeps up to date."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import msgspec

from recapd.cli.git_exclude import add_exclusion, exclude_file, is_excluded
from recapd.cli.terminal import below_home, fill, tell, tell_failure
from recapd.client.call import FIRST_ANSWER_S, call
from recapd.client.errors import NotRecapd
from recapd.client.paths import is_text
from recapd.wire.errors import request_failed
from recapd.wire.types import RecapdWatchParams, RecapdWatchResult, WatchedWorkspace

_FILE = "_recap.md"


def watch_command(args: argparse.Namespace) -> int:
    if args.list:
        return _show(_ask(RecapdWatchParams()).workspaces)
    folder = _named(args.workspace)
    if not folder.is_dir():
        raise request_failed(f"{folder} is no folder; name the folder the agent works in.")
    was_on = _entry(_ask(RecapdWatchParams()), folder) is not None
    entry = _entry(_ask(RecapdWatchParams(workspace=str(folder))), folder)
    if entry is not None and entry.message is not None:
        if not was_on:
            # A command that failed leaves nothing behind.
            _ask(RecapdWatchParams(workspace=str(folder), on=False))
        tell_failure("recapd", entry.message)
        return 1
    file = str(entry.file if entry is not None else folder / _FILE)
    _print(f"recapd keeps {_shown(file)} up to date, until: recapd unwatch")
    _keep_from_git(folder, is_asked=args.exclude)
    return 0


def unwatch_command(args: argparse.Namespace) -> int:
    folder = _named(args.workspace)
    if _entry(_ask(RecapdWatchParams()), folder) is None:
        raise request_failed(f"{folder} is not watched; what is: recapd watch --list")
    _ask(RecapdWatchParams(workspace=str(folder), on=False))
    _print(f"recapd leaves {_shown(str(folder / _FILE))} alone from now on.")
    return 0


def _ask(params: RecapdWatchParams) -> RecapdWatchResult:
    result = call("recapd/watch", msgspec.to_builtins(params), timeout_s=FIRST_ANSWER_S)
    try:
        return msgspec.convert(result, type=RecapdWatchResult)
    except msgspec.ValidationError:
        raise NotRecapd from None


def _named(workspace: str) -> Path:
    """The folder that the user names; nothing is no name for the one they are in."""
    if not workspace.strip():
        raise request_failed("An empty name is no folder; name the folder the agent works in.")
    if not is_text(os.path.abspath(workspace)):
        raise request_failed("The name of that folder is not UTF-8, so it cannot be told of; rename it.")
    return Path(os.path.normpath(Path(workspace).absolute()))


def _entry(result: RecapdWatchResult, folder: Path) -> WatchedWorkspace | None:
    file = folder.resolve() / _FILE
    return next((each for each in result.workspaces if Path(each.file) == file or each.path == str(folder)), None)


def _show(workspaces: tuple[WatchedWorkspace, ...]) -> int:
    for each in workspaces:
        _print(f"{each.file}  ({each.message})" if each.message is not None else each.file)
    if not workspaces:
        tell("recapd: no folder is watched; switch one on with: recapd watch DIR")
    return 0


def _keep_from_git(folder: Path, *, is_asked: bool) -> None:
    exclude = exclude_file(folder.resolve())
    if exclude is None:
        if is_asked:
            raise request_failed(f"{folder} is in no git checkout; there is nothing to exclude it from.")
        return
    if not is_asked:
        if not is_excluded(exclude, _FILE):
            tell(f"git will show the file; to keep it out of this checkout: recapd watch {folder} --exclude")
        return
    try:
        is_new = add_exclusion(exclude, _FILE)
    except OSError as error:
        raise request_failed(f"{exclude} could not be changed: {error.strerror or error}.") from None
    _print(f"git ignores it now ({exclude})." if is_new else f"git ignores it already ({exclude}).")


def _shown(path: str) -> str:
    """As in every list on a terminal; whole in a pipe."""
    return below_home(path) if sys.stdout.isatty() else path


def _print(text: str) -> None:
    sys.stdout.write(fill(sys.stdout, text) + "\n")
    sys.stdout.flush()
