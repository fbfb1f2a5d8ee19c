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
