"""What a git command takes back of the commits made so far.

Owns the forms of `git reset` and `git revert` that move a branch; whether they succeeded is told by their result.
"""

from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.commands.hints import hints_of
from recapd.core.commands.names import operands, resolved_commands

_RELATIVE: Final = re.compile(r"(?:HEAD|@)(?:~(\d{0,3})|(\^{1,20}))")
_HASH: Final = re.compile(r"[0-9a-f]{7,40}")
_HEAD: Final = re.compile(r"(?:HEAD|@)(?:~0)?")


class TakenBack(Struct, frozen=True, gc=False):
    """Commits that are no more: the last few, those since one, that one, or all (where nothing else is said)."""

    last: int = 0
    since: str = ""
    only: str = ""
    # What the commits changed in files stays, as with `git reset --soft`.
    keeps_files: bool = False


def taken_back(command: str) -> TakenBack | None:
    """What the line's last `git reset` or `git revert` takes back if it succeeds; None where that is nothing."""
    if not hints_of(command).takes_back:
        return None
    for _, words in reversed(resolved_commands(command)):
        if words and words[0] == "git" and (found := _taken_by(operands(words), words)) is not None:
            return found
    return None


def _taken_by(named: list[str], words: list[str]) -> TakenBack | None:
    verb, target = (*named, "", "")[:2]
    if verb == "revert" and {"--abort", "--quit", "--skip", "-n", "--no-commit"}.isdisjoint(words) and target:
        if _HEAD.fullmatch(target):
            return TakenBack(last=1)
        return TakenBack(only=target) if _HASH.fullmatch(target) else None
    if verb != "reset" or "--" in words or len(named) > 2 or _HEAD.fullmatch(target) or not target:
        return None
    keeps_files = "--hard" not in words
    if relative := _RELATIVE.fullmatch(target):
        return TakenBack(last=len(relative[2] or "") or int(relative[1] or 1), keeps_files=keeps_files)
    if _HASH.fullmatch(target):
        return TakenBack(since=target, keeps_files=keeps_files)
    # A branch of somebody else's; a file, where nothing says how to reset.
    is_named = not {"--hard", "--soft", "--mixed", "--keep", "--merge"}.isdisjoint(words)
    return TakenBack(keeps_files=keeps_files) if is_named else None
