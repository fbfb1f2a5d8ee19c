"""Opening the line of a log that proves something, in the user's editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from urllib.parse import unquote, urlsplit

from recapd.wire.errors import request_failed
from recapd.wire.types import LogRef

# Those that do not take +LINE; every vi, emacs, nano, micro, kakoune and joe does.
_BY_COLON = frozenset({"code", "code-insiders", "codium", "cursor", "windsurf", "subl", "zed", "hx", "helix"})
_NEEDS_GOTO = frozenset({"code", "code-insiders", "codium", "cursor", "windsurf"})


def open_ref(ref: LogRef) -> int:
    """The editor's exit code."""
    path = unquote(urlsplit(ref.source).path)
    if not os.path.exists(path):
        raise request_failed(f"The log {path} is gone; what was kept of it stands in: recapd decisions --json")
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    known = chosen or next((each for each in ("nano", "vi") if shutil.which(each)), None)
    if known is None:
        raise request_failed(f"No editor is known; set EDITOR. The line is {path}:{ref.line}")
    command = shlex.split(known)
    try:
        return subprocess.run([*command, *editor_arguments(command[0], path, ref.line)], check=False).returncode
    except OSError as error:
        raise request_failed(f"{command[0]} could not be started: {error.strerror}; set EDITOR.") from None


def editor_arguments(editor: str, path: str, line: int) -> list[str]:
    name = os.path.basename(editor)
    if name in _BY_COLON:
        return [*(("--goto",) if name in _NEEDS_GOTO else ()), f"{path}:{line}"]
    return [f"+{line}", path]
