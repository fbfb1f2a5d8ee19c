"""Which files a patch text changes.

Owns two formats: the `*** Begin Patch` envelope of apply_patch, and unified diffs.  Reads headers only; hunks are
skipped by their own rules, so a patch of a patch file names one file.  Knows no shell and no tool.
"""

from typing import Final

from recapd.core import late_re as re
from recapd.core.log import FileAction, FileEffect

_BEGIN: Final = "*** Begin Patch"
# With whatever blanks stand behind the path: a pattern that leaves them out takes the square of their number.
_ENVELOPE: Final = re.compile(
    r"^\*\*\* (Add File|Update File|Delete File|Move to|End Patch)(?:: *(.*)|[ \t\r]*)$", re.MULTILINE
)
_ACTIONS: Final[dict[str, FileAction]] = {"Add File": "created", "Update File": "modified", "Delete File": "deleted"}
# Python reads no number of more than 4300 digits, and no file has so many lines.
_HUNK: Final = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_NOWHERE: Final = "/dev/null"


def patch_files(text: str) -> tuple[FileEffect, ...]:
    """The files a patch in `text` changes, in its order; () when `text` holds no patch of a known format."""
    start = text.find(_BEGIN)
    if start >= 0:
        return _envelope_files(text, start)
    if "+++ " in text or "rename to " in text:
        return _diff_files(text)
    return ()


def _envelope_files(text: str, start: int) -> tuple[FileEffect, ...]:
    found: list[FileEffect] = []
    headers = list(_ENVELOPE.finditer(text, start))
    ends = [*(header.start() for header in headers[1:]), len(text)]
    for header, end in zip(headers, ends, strict=False):
        kind, path = header[1], (header[2] or "").rstrip(" \t\r")
        added, removed = text.count("\n+", header.end(), end), text.count("\n-", header.end(), end)
        if kind == "Move to":
            if path and found and found[-1].action == "modified":
                found[-1] = FileEffect(found[-1].path, "renamed", path, added, removed)
        elif kind != "End Patch" and path:
            found.append(FileEffect(path, _ACTIONS[kind], "", added, removed))
    return tuple(found)


def _diff_files(text: str) -> tuple[FileEffect, ...]:
    found: list[FileEffect] = []
    old = renamed_from = ""
    left_old = left_new = 0  # lines the current hunk still owns
    for line in text.split("\n"):
        if left_old > 0 or left_new > 0:
            left_old -= line[:1] in (" ", "-", "")
            left_new -= line[:1] in (" ", "+", "")
            continue
        hunk = _HUNK.match(line) if line.startswith("@@ -") else None
        if hunk:
            left_old, left_new = int(hunk[1] or 1), int(hunk[2] or 1)
        elif line.startswith("--- "):
            old = _header_path(line, "a/")
        elif line.startswith("+++ ") and old:
            _add_pair(found, old, _header_path(line, "b/"))
            old = ""
        elif line.startswith("rename from "):
            renamed_from = line[12:].rstrip("\r")
        elif line.startswith("rename to ") and renamed_from:
            found.append(FileEffect(renamed_from, "renamed", line[10:].rstrip("\r")))
            renamed_from = ""
    return tuple(found)


def _header_path(line: str, prefix: str) -> str:
    path = line[4:].rstrip("\r").split("\t", 1)[0]
    if len(path) > 1 and path[0] == path[-1] == '"':
        path = path[1:-1]
    return path.removeprefix(prefix)


def _add_pair(found: list[FileEffect], old: str, new: str) -> None:
    if not new or old == new == _NOWHERE:
        return
    if old == _NOWHERE:
        found.append(FileEffect(new, "created"))
    elif new == _NOWHERE:
        found.append(FileEffect(old, "deleted"))
    elif not (found and found[-1].action == "renamed" and found[-1].to == new):
        found.append(FileEffect(new, "modified"))
