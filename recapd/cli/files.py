"""`recapd files`: the files a session changed, what became of each, by how many lines; those it only read on demand."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from recapd.cli.answers import ask
from recapd.cli.commands import print_json, show_page
from recapd.cli.finding import selector_of
from recapd.cli.terminal import (
    below_home,
    columns_of,
    cut_in_the_middle,
    fill_lines,
    fitted,
    margin_of,
    paint,
    screen_size,
    text_width,
)
from recapd.wire.types import FileEntry, FilesListParams, FilesListResult, SessionListParams, SessionListResult

# All of them are shown; the protocol pages.
_ALL_FILES = 1_000
_COLOURS = {"created": "32", "modified": "33", "written": "33", "deleted": "31", "renamed": "36", "read": "2"}
# Names are cut in the middle to no less than this.
_LEAST_NAME = 12


def files_command(args: argparse.Namespace) -> int:
    use_daemon = not args.no_daemon
    params = FilesListParams(session=selector_of(args.log, use_daemon=use_daemon), action=args.action, limit=_ALL_FILES)
    result = ask("files/list", params, FilesListResult, use_daemon=use_daemon)
    if args.json:
        return print_json(result)
    is_shown = args.all or args.action
    files = [entry for entry in result.files if is_shown or _is_changed(entry)]
    # Changed ones first; of either, the last touched first, as they come.
    files.sort(key=lambda entry: not _is_changed(entry))
    width = screen_size()[0] if sys.stdout.isatty() else None
    folder = _folder_of(result.session_id, use_daemon=use_daemon) if width else ""
    lines = write_files(files, width=width, folder=folder)
    left_out = len(result.files) - len(files)
    if left_out:
        lead = "and" if files else "No file was changed;"
        hint = f"{lead} {left_out} only read or not reached; see them with --all"
        lines += fill_lines(sys.stdout, hint, text_width(sys.stdout), colour="2")
    none = f"No file was {args.action}." if args.action else "No files were touched."
    show_page(result.session_id, "\n".join(lines) if lines else none)
    return 0


def _folder_of(session_id: str, *, use_daemon: bool) -> str:
    """The folder that the session works in, with its slash; "" where the log does not say."""
    asked = SessionListParams(id_prefix=session_id, limit=1)
    found = ask("session/list", asked, SessionListResult, use_daemon=use_daemon).sessions
    workspace = found[0].workspace if found else None
    return workspace.rstrip("/") + "/" if workspace and os.path.isabs(workspace) else ""


def write_files(files: Sequence[FileEntry], *, width: int | None, folder: str = "") -> list[str]:
    """A line each: what became of it, by how much, in which turn, its name. On a terminal the names stand below the
    session's folder, or where that is not known below the one that they share; in a pipe each is whole."""
    if width and not any(entry.path.startswith(folder) for entry in files if folder):
        folder = _shared_folder([entry.path for entry in files])
    cells = [
        (
            entry.action,
            _lines_changed(entry),
            f"turn {entry.last_turn}",
            _name(entry.path, folder) + (f" → {_name(entry.renamed_to, folder)}" if entry.renamed_to else ""),
            _remarks(entry),
        )
        for entry in files
    ]
    where = f"in {below_home(folder)}"
    lines = [paint(sys.stdout, cut_in_the_middle(where, width) if width else where, "2")] if folder else []
    widths = [max((columns_of(row[at]) for row in cells), default=0) for at in range(4)]
    for action, changed, turn, name, remarks in cells:
        lead = "  ".join((fitted(action, widths[0]), fitted(changed, widths[1]), fitted(turn, widths[2]), ""))
        margin = margin_of(lead, width)
        if width is not None:
            # What is remarked of one file takes nothing from the names of the others.
            room = width - len(margin) - (columns_of(remarks) + 2 if remarks else 0)
            name = cut_in_the_middle(name, max(_LEAST_NAME, room))
        lead = paint(sys.stdout, lead[: widths[0]], _COLOURS.get(action, "")) + lead[widths[0] :]
        if len(margin) < sum(widths[:3]):
            lines.append(lead.rstrip())
            lead = margin
        lines.append("  ".join((lead + name, remarks)).rstrip())
    return lines


def _name(path: str, folder: str) -> str:
    """As short as it is plain: below the session's folder, else below the user's own; whole where neither is asked."""
    if not folder:
        return path
    return path[len(folder) :] if path.startswith(folder) else below_home(path)


def _is_changed(entry: FileEntry) -> bool:
    return entry.action not in ("read", "untouched")


def _shared_folder(paths: Sequence[str]) -> str:
    """The folder that all of them lie below, with its slash; "" where there is none that is worth a line."""
    absolute = [path for path in paths if os.path.isabs(path)]
    if len(absolute) != len(paths) or not paths:
        return ""
    shared = os.path.commonpath([os.path.dirname(path) for path in absolute])
    return shared + "/" if shared.count("/") > 1 else ""


def _lines_changed(entry: FileEntry) -> str:
    if entry.added is None and entry.removed is None:
        return f"{entry.touch_count}×"
    return f"+{entry.added or 0} −{entry.removed or 0}"


def _remarks(entry: FileEntry) -> str:
    remarks = [f"{entry.failed} failed"] if entry.failed else []
    if entry.via:
        remarks.append("by a sub-agent")
    return ", ".join(remarks)
