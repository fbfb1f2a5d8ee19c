"""The file ledger: one row per file, with the net effect of everything the session did to it.

Fed by calls that succeeded; attempts that failed are counted and change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from recapd.core import late_re as re
from recapd.core.commands import file_effects
from recapd.core.log import Call, FileAction, FileEffect, Place, Result, join_path, text_of_payload
from recapd.core.secrets import redact
from recapd.core.state.draft import Draft
from recapd.core.state.transcript import FileChange, FileFact, OpenCall

# A command line may succeed although what changes files in it did not: `rm a; echo ok`.
_REFUSED = re.compile(r"cannot |Permission denied|No such file|not permitted|Read-only file system|[Nn]o space left")
CHANGING_CALLS = frozenset(("edit", "write", "patch", "delete"))
# What leaves nothing under the path.
_GONE = frozenset(("deleted", "renamed"))
# What leaves no new content behind.
_NOT_WRITING = frozenset(("read", *_GONE))
_MAX_TOOLS = 6


def command_effects(command: str, result: Result) -> tuple[FileEffect, ...]:
    """What a command did to files, as far as the log proves it."""
    if result.failed or result.denied or result.undone or result.exit_code:
        return ()
    effects = _shell_effects(command)
    return effects if not effects or not _REFUSED.search(text_of_payload(result.payload)) else ()


def _action_of(call: Call, result: Result) -> FileAction | None:
    """What a successful call did to the one file it is about."""
    kind = call.kind
    if kind == "read":
        return "read"
    if kind == "edit":
        return "created" if result.created else "modified"
    if kind == "write":
        return "written" if result.created is None else "created" if result.created else "modified"
    return "deleted" if kind == "delete" else None


def _shell_effects(command: str) -> tuple[FileEffect, ...]:
    """What a command did to files. A secret in it may look like a file's name: then it is read without secrets."""
    effects = file_effects(command)
    if not effects or (safe := redact(command)) is command:
        return effects
    return file_effects(safe)


def touch(
    draft: Draft, opened: OpenCall, result: Result, *, effects: tuple[FileEffect, ...], cwd: str, ended: Place
) -> None:
    """Enter a call's effects, or its failure, into the ledger. Those of a command are given.

    `cwd` is where the session was then, from which the call's paths are seen; `ended` is where the result stands.
    """
    call = opened.call
    where = call.where or cwd
    if result.failed or result.denied or result.undone or result.exit_code:
        if call.kind in CHANGING_CALLS:
            for effect in call.effects or ((FileEffect(call.target, "modified"),) if call.target else ()):
                _fail(draft, opened, effect.path, where, ended)
        return
    if call.kind != "shell" and (result.effects or call.effects):
        effects = result.effects or call.effects
    elif call.target and (action := _action_of(call, result)) is not None:
        added, removed = result.added, result.removed
        if added < 0 and result.created:
            added = call.lines
        effect = FileEffect(call.target, action, "", added, removed)
        if action not in _GONE:
            _enter(draft, opened, where, effect, ended)
            return
        effects = (effect,)
    if _GONE.isdisjoint([effect.action for effect in effects]):
        for effect in effects:
            _enter(draft, opened, where, effect, ended)
        return
    # Which of the call's effects was the last on a path, by their order.
    lasts: dict[str, int] = {}
    folders: dict[str, int] = {}
    for number, effect in enumerate(effects):
        if effect.action == "deleted" and not _is_known_as_file(draft, effect.path, where):
            folders[_whole_path(effect.path, where)] = number
        if effect.action == "renamed" and (moved := _moved_with(draft, effect, where)):
            for path, to in moved.items():
                lasts[path] = number
                _enter(draft, opened, where, FileEffect(path, "renamed", to), ended)
                if to:
                    lasts[to] = number
                    _enter(draft, opened, where, FileEffect(to, "created"), ended)
            continue
        lasts[_whole_path(effect.path, where)] = number
        _enter(draft, opened, where, effect, ended)
        if effect.action == "renamed" and effect.to:
            lasts[_whole_path(effect.to, where)] = number
            _enter(draft, opened, where, FileEffect(effect.to, "created"), ended)
    if folders:
        for path in _paths_below(draft, folders, lasts):
            _enter(draft, opened, where, FileEffect(path, "deleted"), ended)


def _is_known_as_file(draft: Draft, path: str, where: str) -> bool:
    """Whether the session had its hands on it: what was only ever deleted may be a folder."""
    row, _ = _found(draft, path, where)
    return row is not None and draft.files[row].action != "deleted"


def _paths_below(draft: Draft, folders: dict[str, int], lasts: dict[str, int]) -> list[str]:
    """Files that went with the folder they lay in. The call may have made some of them again behind that."""
    return [
        path
        for path in _living_below(draft, folders)
        if any(folders.get(folder, -1) > lasts.get(path, -1) for folder in folders_above(path))
    ]


def _moved_with(draft: Draft, effect: FileEffect, where: str) -> dict[str, str]:
    """Files that were moved with the folder they lay in, and where to; "" where that is not certain."""
    if _is_known_as_file(draft, effect.path, where):
        return {}
    folder = _whole_path(effect.path, where)
    below = _living_below(draft, (folder,))
    if not below or not effect.to:
        return dict.fromkeys(below, "")
    target = _whole_path(effect.to, where)
    if _living_below(draft, (target,)):
        # It is there already: what is moved there goes into it.
        target = f"{target}/{folder.rpartition('/')[2]}"
    return {path: target + path[len(folder) :] for path in below}


def _living_below(draft: Draft, folders: Iterable[str]) -> list[str]:
    """Files in these folders that the session had its hands on, and that are there as far as it knows.

    All paths are looked at, by their beginnings alone: a thousand in a third of a millisecond."""
    beginnings = tuple(f"{folder}/" for folder in folders)
    rows = ((path, draft.files[row]) for path, row in draft.file_rows.items() if path.startswith(beginnings))
    return [path for path, fact in rows if fact.touches and fact.action not in _GONE]


def folders_above(path: str) -> Iterator[str]:
    """The folders that a path lies in, the innermost first."""
    end = path.rfind("/")
    while end > 0:
        yield path[:end]
        end = path.rfind("/", 0, end)


def forget_changes(draft: Draft, after: int, until: int | None) -> None:
    """Files that were changed only in a stretch of the log that git took back are as they were before the session."""
    changes: Counter[int] = Counter()
    void: Counter[int] = Counter()
    for row in range(len(draft.changes)):
        change = draft.changes[row]
        changes[change.file] += change.ok
        void[change.file] += (
            change.ok and after < change.place.offset and (until is None or change.place.offset < until)
        )
    for row, count in void.items():
        if count and count == changes[row]:
            old = draft.files[row]
            touches = max(old.touches - count, 0)
            draft.files[row] = msgspec.structs.replace(
                old, action="read", touches=touches, writes=0, renamed_to="", added=-1, removed=-1
            )


def merged(before: FileAction, now: FileAction) -> FileAction:
    """The net effect of two actions on one file in a row, seen from the session's start."""
    if now == "read":
        return before
    if now in _GONE:
        return now
    if before == "created":
        return "created"
    if before in _GONE:
        return "created" if now == "created" else "modified"
    if before == "written":
        # Whether it existed before the session first wrote it is still not known.
        return "written"
    # Whatever the session read or changed before existed: a later write modifies it.
    return "modified"


def _enter(draft: Draft, opened: OpenCall, where: str, effect: FileEffect, ended: Place) -> None:
    tool, turn, place = opened.call.tool, opened.turn, opened.place
    path, action, to = effect.path, effect.action, effect.to
    writes = action not in _NOT_WRITING
    row, whole_path = _found(draft, path, where)
    if action != "read":
        _note_change(draft, opened, row, ended, action=action, ok=True)
    if row is None:
        fact = FileFact(
            path,
            action,
            1,
            (tool,),
            turn,
            turn,
            place,
            opened.at,
            0,
            int(writes),
            to,
            opened.via,
            _seen_from(path, where),
            effect.added,
            effect.removed,
        )
        _add(draft, fact, whole_path)
        return
    old = draft.files[row]
    # A change outweighs a read: the latest change says when the file was touched, and is the proof to look at.
    is_later_look = action == "read" and old.action != "read"
    draft.files[row] = FileFact(
        old.path,
        merged(old.action, action) if old.touches else action,
        old.touches + 1,
        old.tools if tool in old.tools or len(old.tools) == _MAX_TOOLS else (*old.tools, tool),
        old.first_turn,
        old.last_turn if is_later_look else turn,
        old.place if is_later_look else place,
        old.at if is_later_look else opened.at,
        old.failed,
        old.writes + writes,
        to or (old.renamed_to if action == "read" else ""),
        # A file the main agent touched too is its own.
        old.via if opened.via else "",
        old.where,
        _sum(old.added, effect.added),
        _sum(old.removed, effect.removed),
    )


def _sum(known: int, more: int) -> int:
    return known if more < 0 else more if known < 0 else known + more


def _seen_from(path: str, where: str) -> str:
    return "" if path.startswith(("/", "~")) or path[1:3] in (":\\", ":/") else where


def _note_change(
    draft: Draft, opened: OpenCall, row: int | None, ended: Place, *, action: FileAction, ok: bool
) -> None:
    call = opened.call
    draft.changes.append(
        FileChange(
            file=len(draft.files) if row is None else row,
            call_id=call.id,
            tool=call.tool,
            ok=ok,
            turn=opened.turn,
            place=opened.place,
            returned=ended,
            at=opened.at,
            via=opened.via,
            action=action,
            is_first=row is None or not draft.files[row].touches,
        )
    )


def _fail(draft: Draft, opened: OpenCall, path: str, where: str, ended: Place) -> None:
    row, whole_path = _found(draft, path, where)
    _note_change(draft, opened, row, ended, action="modified", ok=False)
    if row is None:
        fact = FileFact(
            path=path,
            action="read",
            touches=0,
            tools=(),
            first_turn=opened.turn,
            last_turn=opened.turn,
            place=opened.place,
            at=opened.at,
            failed=1,
            via=opened.via,
            where=_seen_from(path, where),
        )
        _add(draft, fact, whole_path)
        return
    old = draft.files[row]
    draft.files[row] = _with_failure(old, opened.place)


def _with_failure(old: FileFact, place: Place) -> FileFact:
    return FileFact(
        old.path,
        old.action,
        old.touches,
        old.tools,
        old.first_turn,
        old.last_turn,
        old.place if old.touches else place,
        old.at,
        old.failed + 1,
        old.writes,
        old.renamed_to,
        old.via,
        old.where,
        old.added,
        old.removed,
    )


def _found(draft: Draft, path: str, where: str) -> tuple[int | None, str]:
    """The row of a file, if it has one, and its path from the root: the same name elsewhere is another file."""
    rows = draft.file_rows
    if path.startswith("/") and (row := rows.get(path)) is not None:
        return row, path
    whole_path = _whole_path(path, where)
    return rows.get(whole_path), whole_path


def _add(draft: Draft, fact: FileFact, whole_path: str) -> None:
    row = len(draft.files)
    draft.files.append(fact)
    if draft.file_rows is draft.base.file_rows:
        draft.file_rows = dict(draft.file_rows)
    draft.file_rows[whole_path] = row


def _whole_path(path: str, where: str) -> str:
    """The same for every spelling of a path: from the root where the directory is known, its folders ended by one
    mark; programs on Windows write either."""
    whole = join_path(_seen_from(path, where), path) or path
    return whole.replace("\\", "/") if "\\" in whole else whole
