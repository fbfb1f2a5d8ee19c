"""Files that simple PowerShell statements change.

Owns the few cmdlets agents use on files.  Scripts with blocks or here-strings claim nothing, nor do statements with a
variable or an expression in them: what those do cannot be read off the text.
"""

from typing import Final

from recapd.core import late_re as re
from recapd.core.commands.effects import claim
from recapd.core.commands.words import word_set
from recapd.core.log import FileEffect

_CMDLET: Final = re.compile(
    r"(?:^|[;|\n])[ \t]*(?:(?:Remove|Move|Rename|Copy|New)-Item|(?:Set|Add)-Content|Out-File|Tee-Object)\b"
)
_BLOCK: Final = re.compile(r"""[{}]|@['"]|<<""")
_STATEMENT: Final = re.compile(r"""(?:'[^']*'|"[^"]*"|[^;|\n'"])+""")
_WORD: Final = re.compile(r"""'([^']*)'|"([^"`$]*)"|([^\s,'"]+)""")
_EXPRESSION: Final = re.compile(r"[$()@`<>]|\*")
_SWITCHES: Final = word_set(
    "-recurse -force -append -nonewline -verbose -passthru -whatif -confirm -noclobber -container"
)
_PATH_OPTIONS: Final = frozenset({"-path", "-literalpath", "-filepath", "-destination", "-newname", "-name"})


def is_powershell(command: str) -> bool:
    """Whether a cmdlet that changes files starts a statement of `command`."""
    if not ("-Item" in command or "-Content" in command or "Out-File" in command or "Tee-Object" in command):
        return False
    return "<<" not in command and _CMDLET.search(command) is not None


def powershell_effects(command: str) -> list[FileEffect]:
    found: list[FileEffect] = []
    if _BLOCK.search(command):
        return found
    for statement in _STATEMENT.findall(command):
        words = [m[m.lastindex or 0] for m in _WORD.finditer(statement)]
        if words and not _EXPRESSION.search(statement):
            _statement_effects(found, words)
    return found


def _statement_effects(found: list[FileEffect], words: list[str]) -> None:
    cmdlet = words[0].lower()
    options, paths = _arguments(words)
    if "-whatif" in options or not paths or any(name in options for name in ("-include", "-exclude", "-filter")):
        return
    if cmdlet == "remove-item":
        claim(found, "", "deleted", *map(_plain, paths))
    elif cmdlet in ("set-content", "add-content", "out-file", "tee-object"):
        claim(found, "", "written", _plain(paths[0]))
    elif cmdlet == "new-item" and options.get("-itemtype", "").lower() == "file":
        claim(found, "", "created", _plain(paths[0]))
    elif cmdlet == "copy-item" and len(paths) == 2 and re.search(r"\.\w+$", paths[1]):
        claim(found, "", "written", _plain(paths[1]))
    elif cmdlet == "move-item" and len(paths) == 2:
        found.append(
            FileEffect(_plain(paths[0]), "renamed", _plain(paths[1]) if re.search(r"\.\w+$", paths[1]) else "")
        )
    elif cmdlet == "rename-item" and len(paths) == 2:
        folder = re.match(r".*[\\/]", paths[0])
        found.append(FileEffect(_plain(paths[0]), "renamed", _plain((folder[0] if folder else "") + paths[1])))


def _arguments(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Named options with their values, and the paths: positional ones and those of path options, in order."""
    options: dict[str, str] = {}
    paths: list[str] = []
    option = ""
    for word in words[1:]:
        if re.fullmatch(r"-[A-Za-z]+", word):
            option = word.lower()
            options[option] = ""
        elif option in _PATH_OPTIONS or not option or option in _SWITCHES:
            paths.append(word)
            option = option if option in _PATH_OPTIONS else ""
        else:
            options[option] = word
            option = ""
    return options, paths


def _plain(path: str) -> str:
    return path.removeprefix(".\\")
