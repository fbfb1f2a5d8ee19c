"""What a command or patch did to one file, and the arithmetic of the paths that logs contain.

Owns `FileEffect`.  Knows nothing of shells, patch formats or the file system: here a path is text.
"""

from typing import Literal

from msgspec import Struct

# "written" says that the file has new content and that nothing proves whether it existed before.
FileAction = Literal["created", "modified", "deleted", "renamed", "written", "read"]


class FileEffect(Struct, frozen=True, gc=False):
    """One proven change of one path; `to` is the new path of a rename, "" when only the old one is certain."""

    path: str
    action: FileAction
    to: str = ""
    # Lines, where a patch tells them; -1 unknown.
    added: int = -1
    removed: int = -1


def is_same_file(one: str, other: str) -> bool:
    """Whether two spellings can be of one file: as far up as both name folders, they name the same."""
    for mine, theirs in zip(_upwards(one), _upwards(other), strict=False):
        if not {mine, theirs}.isdisjoint(("..", "~")):
            return True
        if mine != theirs:
            return False
    return True


def _upwards(path: str) -> list[str]:
    return [step for step in reversed(path.replace("\\", "/").split("/")) if step not in ("", ".")]


def join_path(folder: str, path: str) -> str:
    """`path` seen from `folder`, without `.`, `//` and resolvable `..`; "" when what remains names no file."""
    joined = path if path.startswith("/") or not folder else f"{folder}/{path}"
    if "/" not in joined:
        return "" if joined in (".", "..") else joined
    if joined[0] != "." and joined[-1] != "/" and "/." not in joined and "//" not in joined:
        return joined
    rooted = joined.startswith("/")
    parts: list[str] = []
    for part in joined.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts and parts[-1] != "..":
            parts.pop()
        elif not rooted:
            parts.append(part)
    if not parts or parts[-1] == "..":
        return ""
    return "/" + "/".join(parts) if rooted else "/".join(parts)
