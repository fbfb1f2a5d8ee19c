"""What the shell commands of a log prove: files changed, program run, commit message.

Owns the walk over a command line (conditions, folders, nested shells).  Never expands, guesses or runs anything;
the syntax is in `words`, programs are in `names` and `effects`.
"""

from typing import Final

from recapd.core import late_re as re
from recapd.core.commands.effects import claim, folder_after, program_effects
from recapd.core.commands.hints import hints_of
from recapd.core.commands.names import base_name, operands, program_of, resolved_commands, unwrapped
from recapd.core.commands.patches import patch_files
from recapd.core.commands.powershell import is_powershell, powershell_effects
from recapd.core.commands.quotes import quoted
from recapd.core.commands.words import DYNAMIC, Simple, simple_commands, word_set
from recapd.core.log import FileEffect, join_path

__all__ = ["command_argv", "commit_message", "file_effects", "program"]

_SHELLS: Final = frozenset({"bash", "sh", "zsh", "dash", "ksh", "fish"})
_POWERSHELLS: Final = frozenset({"powershell", "pwsh"})
_ARGV_WRAPPERS: Final = frozenset({"env", "sudo", "timeout", "nohup", "time"})
_SCRIPT_FLAG: Final = re.compile(r"-[a-z]*c")
# What follows one of these after && ran only if it succeeded, which the agent did not know either.
_CONDITIONS: Final = word_set("[ [[ test (( grep egrep rg which type diff cmp pgrep false")
_HARDLY_FAILS: Final = frozenset({"cd", "pushd", "mkdir", "echo", "printf", "export", "set", "source", "."})
_HERE_MESSAGE: Final = re.compile(r""""?\$\(cat\s*<<-?\s*(['"]?)(\w+)\1[ \t]*\n""")
_CD_RE: Final = re.compile(r"\A\s*cd [^&;|\n]{1,300}(?:&&|;)\s*")


def file_effects(command: str) -> tuple[FileEffect, ...]:
    """The files `command` changes if it succeeds, as far as its text proves it; paths as seen from where it starts."""
    if not hints_of(command).changes_files or command.startswith(
        "*** "
    ):  # a patch handed to a shell: nothing of it runs
        return ()
    if is_powershell(command):
        return tuple(powershell_effects(command))
    found: list[FileEffect] = []
    _walk(found, "", command, nested=2)
    if len(found) < 2:
        return tuple(found)
    last: dict[str, FileEffect] = {}
    kept: list[FileEffect] = []
    for effect in found:  # ten `sed -i` on one file are one modification
        if last.get(effect.path) != effect:
            kept.append(effect)
            last[effect.path] = effect
    return tuple(kept)


def _walk(found: list[FileEffect], start: str | None, command: str, *, nested: int) -> None:
    folders: list[str | None] = [start]  # one per open subshell
    doubtful = False  # in a && chain that a condition heads
    reached = True  # nothing before it in its && chain can well have failed
    list_folder = start
    commands = simple_commands(command)
    for simple, rescued in zip(commands, _rescued(commands), strict=True):
        while len(folders) <= simple.level:
            folders.append(folders[-1])
        del folders[simple.level + 1 :]
        words = unwrapped(simple.words)
        name = base_name(words[0]) if words else ""
        if simple.before not in ("&&", "|", "|&"):
            doubtful, reached = False, True
            if simple.before == "&":
                folders[-1] = list_folder  # a list in the background has its own folder
            list_folder = folders[-1]
        ran = not (doubtful or simple.conditional or simple.before == "||" or (rescued and not reached))
        if simple.after == "&&" and (name in _CONDITIONS or (simple.words and not words)):
            doubtful = True
        reached = reached and name in _HARDLY_FAILS
        if name in ("cd", "pushd", "popd"):
            target = words[1] if len(words) == 2 and name != "popd" else DYNAMIC
            folders[-1] = folder_after(folders[-1], target) if ran else None
            continue
        if not ran:
            continue
        claim(found, folders[-1], "written", *simple.targets)
        # A failure that nobody sees proves nothing; but after rm the file is gone even if there was nothing to do.
        unseen = rescued or (simple.hides_errors and simple.after in (";", "&"))
        if words and (name == "rm" or not unseen):
            _program(found, folders[-1], words, heredocs=simple.heredocs, nested=nested)


def _program(
    found: list[FileEffect], folder: str | None, words: list[str], *, heredocs: list[str], nested: int
) -> None:
    name = base_name(words[0])
    if name in _SHELLS and nested:
        script = _script_argument(words)
        if script and script[0] != DYNAMIC:
            _walk(found, folder, script, nested=nested - 1)
    elif name in ("apply_patch", "applypatch"):
        _patch(found, folder, [*words[1:], *heredocs])
    else:
        program_effects(found, folder, words)


def _rescued(commands: tuple[Simple, ...]) -> list[bool]:
    """Per command: whether a `||` later in its list turns its failure into success, as in `cp a b || true`."""
    found: list[bool] = []
    rescued = False
    for simple in reversed(commands):
        if simple.after == "||":
            rescued = True
        elif simple.after not in ("&&", "|", "|&"):
            rescued = False
        found.append(rescued)
    found.reverse()
    return found


def _patch(found: list[FileEffect], folder: str | None, texts: list[str]) -> None:
    if folder is None:
        return
    for text in texts:
        for effect in patch_files(text):
            to = join_path(folder, effect.to) if effect.to else ""
            found.append(FileEffect(join_path(folder, effect.path), effect.action, to))


def _script_argument(words: list[str]) -> str:
    """The script of `bash -lc SCRIPT`, "" when the words have another shape."""
    for at, word in enumerate(words[1:-1], 1):
        if _SCRIPT_FLAG.fullmatch(word):
            return words[at + 1]
        if not word.startswith("-"):
            return ""
    return ""


def command_argv(command: list[str] | str) -> str:
    """The script text of a command as agents log it: a string, an argv, or a shell's argv with the script inside."""
    if isinstance(command, str):
        head = command[:24].partition(" ")[0]
        if "sh" not in head or base_name(head) not in _SHELLS:
            return command
        parsed = simple_commands(command)
        if len(parsed) != 1 or parsed[0].targets or parsed[0].heredocs:
            return command
        script = _script_argument(parsed[0].words)
        return script if script and script[0] != DYNAMIC else command
    at = 0
    while at < min(len(command), 4) and base_name(command[at]) in _ARGV_WRAPPERS:
        at += 2 if base_name(command[at]) == "timeout" else 1
    argv = command[at:] or command
    shell = base_name(argv[0]).lower() if argv else ""
    if shell in _SHELLS:
        return _script_argument(argv) or _quoted(command)
    if shell in _POWERSHELLS or shell == "cmd":
        for index, word in enumerate(argv):
            if word.lower() in ("-command", "-c", "/c", "/k"):
                return " ".join(argv[index + 1 :])
    return _quoted(command)


def _quoted(argv: list[str]) -> str:
    return " ".join(quoted(word) for word in argv)


def program(command: str) -> str:
    """Short name of what runs: `cd x && A=1 npx jest a` → `jest`; `git commit`, `npm run build`, `python tool.py`."""
    name = program_of(command)
    if name or not command.strip():
        return name
    return base_name(command.split(maxsplit=1)[0].lstrip("&({"))[:60]


def commit_decides(command: str) -> bool:
    """Whether the line can only succeed if its `git commit` did: a pipe, `;`, `||` or `&` behind it hides a refusal."""
    commands = [simple for simple in simple_commands(command) if simple.words]
    for at, simple in enumerate(commands):
        if "commit" in simple.words and "git" in simple.words:
            return not simple.conditional and all(each.after in ("", "&&", ")") for each in commands[at:])
    return False


def commit_message(command: str) -> str | None:
    """The message of the first `git commit` in `command`; None when there is none or it is not in the text."""
    if not hints_of(command).commits:
        return None
    piped: list[str] = []
    for simple, words in resolved_commands(command):
        if words and words[0] == "git" and operands(words)[:1] == ["commit"]:
            return _message(words, [*simple.heredocs, *piped])
        piped = simple.heredocs if simple.after == "|" else []
    return None


def _message(words: list[str], bodies: list[str]) -> str | None:
    paragraphs: list[str] = []
    arguments = iter(words[words.index("commit") + 1 :])
    for word in arguments:
        if word in ("-m", "--message") or re.fullmatch(r"-[a-zA-Z]*m", word):
            paragraphs.append(_message_text(next(arguments, "")))
        elif word.startswith("--message="):
            paragraphs.append(_message_text(word.removeprefix("--message=")))
        elif re.match(r"-[asqvn]*m", word):
            paragraphs.append(_message_text(word.partition("m")[2]))
        elif (word in ("-F", "--file") and next(arguments, "") in ("-", "/dev/stdin")) or word in ("-F-", "--file=-"):
            paragraphs += bodies[:1]
    return "\n\n".join(text.strip() for text in paragraphs if text.strip()) or None


def _message_text(word: str) -> str:
    if not word.startswith(DYNAMIC):
        return word
    raw = word[1:]
    here = _HERE_MESSAGE.match(raw)
    closing = raw.removesuffix('"').removesuffix(")").rstrip()
    if here and closing.endswith(here[2]) and raw.endswith((")", ')"')):
        return closing[here.end() : -len(here[2])].rstrip("\t").removesuffix("\n")
    return raw[1:-1] if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "'\"" else raw


def without_cd(command: str) -> str:
    """A command line without where it is run."""
    return _CD_RE.sub("", command, count=1)
