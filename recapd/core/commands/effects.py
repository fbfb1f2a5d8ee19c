"""Which files one simple command changes, for the programs whose arguments prove it.

Owns what rm, mv, cp, sed -i, git rm … do to the paths they are given; knows no shell syntax.
A word that is not certainly one path of one file makes no claim: silence is cheaper than a wrong file in a recap.
"""

from collections.abc import Callable
from typing import Final

from recapd.core import late_re as re
from recapd.core.commands.names import base_name, operands
from recapd.core.commands.words import DYNAMIC, word_set
from recapd.core.log import FileAction, FileEffect, join_path

# Longest path believed; PATH_MAX of the systems agents run on.
_PATH_CHARS: Final = 4096
_NO_VALUES: Final[frozenset[str]] = frozenset()
_TRANSFER_VALUES: Final = frozenset({"-t", "--target-directory", "-S", "--suffix", "-m", "--mode", "-o", "-g"})
_EXTENSION: Final = re.compile(r"\.(?!d$)[A-Za-z]\w*$")
_DOT_FILE: Final = re.compile(r"\.(?:env\b.*|\w*rc|\w*ignore|\w+\.\w+)$")
# Extensionless last names that are folders nearly always, so `cp tool /usr/local/bin` says nothing about a file `bin`.
_FOLDER_NAMES: Final = word_set(
    "bin sbin lib src dist build docs doc tmp public static assets tests test scripts app apps packages "
    "etc backup backups archive old out target templates examples images data config components utils "
    "desktop downloads"
)
_SED_SCRIPT: Final = re.compile(r"[\d,$]*(?:[sy]([/|#@,:!~])[^\n]*\1[^\n]*\1|/[^\n]*/[a-zA-Z!])")


def claim(found: list[FileEffect], folder: str | None, action: FileAction, *paths: str) -> None:
    """Adds one effect per path that is certain; `folder` None means that relative paths are not."""
    for word in paths:
        path = certain_path(folder, word)
        if path:
            found.append(FileEffect(path, action))


def certain_path(folder: str | None, word: str) -> str:
    """`word` as a path from where the session is, or "" when it names no one file for certain."""
    if not word or word[0] == DYNAMIC or len(word) > _PATH_CHARS or word.startswith("/dev/") or word.lower() == "nul":
        return ""
    if folder is None and not word.startswith("/"):
        return ""
    if "*" in word or "?" in word or "\n" in word or "://" in word or word.rsplit("/", 1)[-1] in (".", ".."):
        return ""
    return join_path(folder or "", word)


def _short_flags(words: list[str]) -> str:
    """All one-letter options of a command, as one string."""
    return "".join(word[1:] for word in words[1:] if word.startswith("-") and not word.startswith("--"))


def _remove(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    claim(found, folder, "deleted", *operands(words, _NO_VALUES))


def _del(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    claim(found, folder, "deleted", *(word for word in words[1:] if not re.fullmatch(r"/\w", word)))


def _touch(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    if "c" not in _short_flags(words) and "--no-create" not in words:
        claim(found, folder, "written", *operands(words, frozenset({"-d", "-t", "-r", "--date", "--reference"})))


def _tee(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    claim(found, folder, "written", *operands(words, _NO_VALUES))


def _truncate(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    claim(found, folder, "written", *operands(words, frozenset({"-s", "-r", "--size", "--reference"})))


def _dd(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    claim(found, folder, "written", *(word[3:] for word in words if word.startswith("of=")))


def _is_file_name(path: str, source: str) -> bool:
    """Whether the last argument of mv/cp is the new file rather than a folder that receives it."""
    name, source_name = path.rsplit("/", 1)[-1], source.rsplit("/", 1)[-1]
    if name.startswith("."):
        return source_name.startswith(".") or _DOT_FILE.match(name) is not None
    if _EXTENSION.search(name):
        return True
    if name.lower() in _FOLDER_NAMES:
        return False
    return name == source_name or not _EXTENSION.search(source_name)


def _transfers(words: list[str]) -> list[tuple[str, str]]:
    """(source, new path) of mv, cp, ln and install; the new path is "" where it is not certain."""
    folder = ""
    for at, word in enumerate(words):
        if word in ("-t", "--target-directory"):
            folder = words[at + 1] if at + 1 < len(words) else DYNAMIC
        elif word.startswith("--target-directory="):
            folder = word.partition("=")[2]
    paths = operands(words, _TRANSFER_VALUES)
    if not folder:
        if len(paths) < 2:
            return []
        target = paths.pop()
        if len(paths) == 1 and not target.endswith("/") and target.rsplit("/", 1)[-1] not in (".", ".."):
            source = paths[0]
            globbed = source[0:1] == DYNAMIC and not {"*", "?", "{", "["}.isdisjoint(source)
            certain = not globbed and not source.endswith("/") and _is_file_name(target, source)
            return [(source, target if certain else "")]
        folder = target
    if folder[0] == DYNAMIC:
        return [(source, "") for source in paths]
    return [(source, "" if source[0:1] == DYNAMIC else f"{folder}/{_last_name(source)}") for source in paths]


def _last_name(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def _may_decline(words: list[str]) -> bool:
    """Whether an option lets mv or cp leave the target alone."""
    flags = _short_flags(words)
    return "n" in flags or "u" in flags or any(word in ("--no-clobber", "--update", "--parents") for word in words)


def _move(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    if _may_decline(words):
        return
    for source, target in _transfers(words):
        old, new = certain_path(folder, source), certain_path(folder, target)
        if old and old != new:
            found.append(FileEffect(old, "renamed", new))
        elif new and source[0:1] == DYNAMIC:
            found.append(FileEffect(new, "written"))


def _copy(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    if _may_decline(words):
        return
    flags = _short_flags(words)
    whole_trees = "r" in flags or "R" in flags or "a" in flags or "--recursive" in words or "--archive" in words
    for source, target in _transfers(words):
        if not whole_trees or (_EXTENSION.search(source) and _EXTENSION.search(target)):
            claim(found, folder, "written", target)


def _install(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    if "d" not in _short_flags(words) and "--directory" not in words:
        claim(found, folder, "written", *(target for _, target in _transfers(words)))


def _link(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    forced = "f" in _short_flags(words) or "--force" in words
    claim(found, folder, "written" if forced else "created", *(target for _, target in _transfers(words)))


def _sed(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    """GNU `-i[SUFFIX]` and BSD `-i SUFFIX`, which GNU would take for the script."""
    in_place = has_script = False
    paths: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if word.startswith("--"):
            in_place |= word.startswith("--in-place")
            has_script |= word.startswith(("--expression=", "--file="))
        elif word.startswith("-") and len(word) > 1:
            flags, suffix, _ = word[1:].partition("i")
            in_place |= bool(suffix)
            if flags.endswith(("e", "f")) and not suffix:
                has_script = True
                at += 1
            elif word == "-i" and at < len(words) and (not words[at] or re.fullmatch(r"\.\w+", words[at])):
                at += 1
        else:
            paths.append(word)
    if in_place:
        claim(found, folder, "modified", *(p for p in paths[0 if has_script else 1 :] if not _SED_SCRIPT.fullmatch(p)))


def _perl(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    in_place = has_script = False
    paths: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if paths or not word.startswith("-") or word == "-":
            paths.append(word)
            continue
        for offset, flag in enumerate(word[1:], 2):
            if flag == "i":
                in_place = True
            elif flag in "eE":
                has_script = True
                at += offset == len(word)
            if flag in "ieEMmIFCDx":  # these take the rest of the word
                break
    if in_place and has_script:
        claim(found, folder, "modified", *paths)


def _git(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "-C" and at + 1 < len(words):
            folder = folder_after(folder, words[at + 1])
        elif words[at].startswith(("--git-dir", "--work-tree")):
            return
        at += 2 if words[at] in ("-C", "-c") else 1
    command = words[at:]
    if not command or not {"-n", "--dry-run", "-p", "--patch"}.isdisjoint(command):
        return
    if command[0] == "rm" and "--cached" not in command:
        claim(found, folder, "deleted", *_pathspecs(operands(command, _NO_VALUES)))
    elif command[0] == "mv":
        _move(found, folder, command)
    elif command[0] == "checkout" and "--" in command:
        claim(found, folder, "modified", *_pathspecs(command[command.index("--") + 1 :]))
    elif command[0] == "restore":
        flags = _short_flags(command)
        index_only = ("--staged" in command or "S" in flags) and not ("--worktree" in command or "W" in flags)
        if not index_only:
            claim(found, folder, "modified", *_pathspecs(operands(command, frozenset({"-s", "--source"}))))


def _pathspecs(paths: list[str]) -> list[str]:
    return [path for path in paths if not path.startswith(":") and not path.endswith("/")]


def folder_after(folder: str | None, word: str) -> str | None:
    """Where `cd word` leads from `folder`; None when the text does not tell."""
    if not word or word[0] in (DYNAMIC, "-") or (folder is None and not word.startswith("/")):
        return None
    # A last name that no folder has: join_path refuses "..", which is a folder but never a file.
    below = join_path(folder or "", f"{word}/{DYNAMIC}")
    return below.removesuffix(DYNAMIC).removesuffix("/") or ("/" if below.startswith("/") else "")


_Handler = Callable[[list[FileEffect], str | None, list[str]], None]
PROGRAMS: Final[dict[str, _Handler]] = {
    "rm": _remove,
    "unlink": _remove,
    "rmdir": _remove,
    "del": _del,
    "erase": _del,
    "touch": _touch,
    "tee": _tee,
    "truncate": _truncate,
    "dd": _dd,
    "mv": _move,
    "cp": _copy,
    "install": _install,
    "ln": _link,
    "sed": _sed,
    "gsed": _sed,
    "perl": _perl,
    "git": _git,
}


def program_effects(found: list[FileEffect], folder: str | None, words: list[str]) -> None:
    """Adds to `found` what the command `words`, run in `folder`, does to files."""
    handler = PROGRAMS.get(base_name(words[0]))
    if handler is not None and not {"--help", "--version"} & set(words):
        handler(found, folder, words)
