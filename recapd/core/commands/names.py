"""What program a simple command really runs, behind assignments, wrappers and launchers.

Owns the tables of wrappers (`sudo`, `timeout`), launchers (`npx`, `uv run`) and of programs whose subcommand is part
of their name (`git commit`).  Knows nothing of what those programs do.
"""

from functools import lru_cache
from typing import Final

from recapd.core import late_re as re
from recapd.core.commands.words import DYNAMIC, Simple, simple_commands, word_set

_ASSIGNMENT: Final = re.compile(r"\0?[A-Za-z_]\w*\+?=")
_VERSIONED: Final = re.compile(r"(python|pip|node|ruby|php|perl)[\d.]+")
_DURATION: Final = re.compile(r"\d+(?:\.\d+)?[smhd]?")
_TARGET_NAME: Final = re.compile(r"[\w.:@+][\w.:@+-]*")

# Longest name shown; a generated script name would otherwise fill the line it labels.
_NAME_CHARS: Final = 60

# wrapper → its options that take a separate value
_WRAPPERS: Final[dict[str, frozenset[str]]] = {
    "sudo": frozenset({"-u", "-g", "-h", "-p", "-C", "-T", "--user", "--group"}),
    "doas": frozenset({"-u", "-C"}),
    "env": frozenset({"-u", "-C", "-S", "--unset", "--chdir"}),
    "time": frozenset({"-f", "-o"}),
    "nohup": frozenset(),
    "command": frozenset(),
    "builtin": frozenset(),
    "exec": frozenset({"-a"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "gtimeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "setsid": frozenset(),
    "caffeinate": frozenset(),
    "xvfb-run": frozenset({"-s", "-n", "-e"}),
    "corepack": frozenset(),
    "npx": frozenset({"-p", "--package", "-w", "--workspace"}),
    "bunx": frozenset(),
    "uvx": frozenset({"--from", "--with", "--python", "-p"}),
}
_RUN_OPTIONS: Final = word_set(
    "--with --python -p --extra --group --project --directory --env-file --package --from "
    "--with-requirements --only-group -n -e -C --filter -F --dir --cwd --prefix -w --workspace"
)
# (program, subcommand) that starts another program, named by the words that follow
_LAUNCHERS: Final = frozenset(
    {(tool, "run") for tool in ("uv", "poetry", "pdm", "hatch", "rye", "pipenv", "pipx", "conda", "mamba", "pixi")}
    | {(tool, "exec") for tool in ("bundle", "npm", "pnpm", "yarn", "mise", "asdf", "rbenv", "pyenv", "devbox")}
    | {("pnpm", "dlx"), ("yarn", "dlx"), ("bun", "x"), ("npm", "x")}
)
_LAUNCHING: Final = frozenset(tool for tool, _ in _LAUNCHERS)
_PYTHONS: Final = frozenset({"python", "py", "pypy", "pypy3"})
_INTERPRETERS: Final = word_set(
    "python py pypy pypy3 node ruby perl php bash sh zsh dash ksh fish tsx ts-node Rscript julia lua pwsh powershell"
)
_PACKAGE_RUNNERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
_VALUE_OPTIONS: Final = word_set(
    "-C -c --git-dir --work-tree --prefix -w --workspace --filter -F --dir --cwd -f --file -n --namespace "
    "-R --repo --manifest-path --project-directory -p --project --profile --region"
)
# how many words after the program belong to its name
_SUBCOMMANDS: Final = {
    **dict.fromkeys(
        word_set(
            "git cargo go npm pnpm yarn bun docker podman kubectl pip uv poetry pdm hatch dotnet mvn mvnw gradle "
            "gradlew make gmake just task rake brew apt apt-get systemctl deno swift mix flutter dart bazel "
            "bazelisk nx turbo next vite tauri helm terraform supabase vercel wrangler prisma alembic rails "
            "composer bundle gem sbt lein stack cabal zig ng conda cmake docker-compose playwright cypress rustup "
            "tox nox ollama expo eas fly flyctl heroku firebase netlify"
        ),
        1,
    ),
    **dict.fromkeys(word_set("gh aws gcloud az mise"), 2),
}
_TWO_WORDS: Final = frozenset(
    {"docker compose", "git stash", "git remote", "git worktree", "cargo nextest", "uv pip", "uv tool"}
)
_SCRIPT_RUNNERS: Final = _PACKAGE_RUNNERS | {"mise", "deno", "nx", "turbo", "lerna", "composer"}
_RUN_VERBS: Final = frozenset({"run", "run-script", "task"})
# Names that say little about a line in which something else runs as well.
_SETTING_UP: Final = word_set(
    "cd pushd popd source . export set unset echo printf true : sleep ulimit shopt trap alias eval umask "
    "mkdir [ [[ test"
) | {"git add"}


def is_assignment(word: str) -> bool:
    return "=" in word and _ASSIGNMENT.match(word) is not None


def base_name(word: str) -> str:
    """`/usr/bin/python3.12` → `python`; "" for a word whose value is unknown."""
    if word.isalpha():
        return word
    if word.startswith(DYNAMIC):
        return ""
    name = word.rsplit("/", 1)[-1].rsplit("\\", 1)[-1]
    for suffix in (".exe", ".cmd", ".bat"):
        name = name.removesuffix(suffix)
    versioned = _VERSIONED.fullmatch(name)
    return versioned[1] if versioned else name


def _skip_options(words: list[str], at: int, with_value: frozenset[str]) -> int:
    """Index of the first word that is no option; `--` ends options."""
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "--":
            return at + 1
        at += 2 if words[at] in with_value else 1
    return at


def unwrapped(words: list[str]) -> list[str]:
    """The words from the program on, without assignments and wrappers such as `sudo`; [] when nothing runs."""
    at = 0
    while at < len(words):
        word = words[at]
        if is_assignment(word):
            at += 1
            continue
        wrapper = base_name(word)
        if wrapper not in _WRAPPERS:
            break
        if wrapper == "command" and at + 1 < len(words) and words[at + 1] in ("-v", "-V"):
            return []
        at = _skip_options(words, at + 1, _WRAPPERS[wrapper])
        if wrapper in ("timeout", "gtimeout") and at < len(words) and _DURATION.fullmatch(words[at]):
            at += 1
    return words[at:] if at else words


@lru_cache(maxsize=8)  # each command of a log is asked several questions in a row
def resolved_commands(text: str) -> tuple[tuple[Simple, list[str]], ...]:
    """The simple commands of `text`, each with its resolved words, which nobody may change."""
    return tuple([(simple, resolved(simple.words)) for simple in simple_commands(text)])


def resolved(words: list[str]) -> list[str]:
    """Like `unwrapped`, and through launchers: `uv run python -m pytest -q` → `pytest -q`; words[0] is a base name."""
    words = unwrapped(words)
    for _ in range(4):  # launchers nest two or three deep in practice; the bound keeps odd input cheap
        if not words:
            return words
        name = base_name(words[0])
        if name in _PYTHONS:
            inner = words[at:] if (at := _module_at(words)) > 0 else []
        elif name in _LAUNCHING:
            inner = _launched(name, words)
        else:
            inner = []
        if not inner:
            return words if name == words[0] else [name, *words[1:]]
        words = inner
    return words


def _launched(name: str, words: list[str]) -> list[str]:
    """What a launcher starts; [] when it does something else."""
    at = _skip_options(words, 1, _RUN_OPTIONS)
    if at >= len(words) or (name, words[at]) not in _LAUNCHERS:
        return []
    return unwrapped(words[_skip_options(words, at + 1, _RUN_OPTIONS) :])


def _module_at(words: list[str]) -> int:
    """Index of X in `python [options] -m X`; -1 when a script, -c or nothing runs."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "-m":
            return at + 1 if at + 1 < len(words) else -1
        if words[at] in ("-c", "-", "--"):
            return -1
        at += 2 if words[at] in ("-W", "-X") else 1
    return -1


def operands(words: list[str], with_value: frozenset[str] = _VALUE_OPTIONS) -> list[str]:
    """The arguments that are no options, nor values of the options in `with_value`; words[0] is the program."""
    found: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        if word == "--":
            return found + words[at + 1 :]
        if (word.startswith("-") and len(word) > 1) or word.startswith(DYNAMIC + "-"):
            at += 2 if word in with_value else 1
            continue
        found.append(word)
        at += 1
    return found


def subcommands(words: list[str]) -> list[str]:
    """The resolved program and the words that belong to its name: `npm --prefix ui run build` → npm, run, build."""
    name = words[0]
    if name in _INTERPRETERS:
        script = next((word for word in words[1:] if not word.startswith("-")), "")
        script_name = base_name(script)
        inline = not {"-c", "-e", "-", "-Command"}.isdisjoint(words)
        return [name] if inline or not _TARGET_NAME.fullmatch(script_name) else [name, script_name]
    count = _SUBCOMMANDS.get(name, 0)
    if not count:
        return [name]
    rest = operands(words[: words.index("--")] if "--" in words else words)
    if name == "yarn" and rest[:1] == ["workspace"]:
        rest = rest[2:]
    if name in ("make", "just", "task", "gmake"):
        rest = [word for word in rest if "=" not in word]
    if rest and ((rest[0] in _RUN_VERBS and name in _SCRIPT_RUNNERS) or f"{name} {rest[0]}" in _TWO_WORDS):
        count = 2
    taken: list[str] = []
    for word in rest[:count]:
        if not _TARGET_NAME.fullmatch(word):
            break
        taken.append(word)
    return [name, *taken]


def program_of(text: str) -> str:
    """Name of what a command line is about: the first command that does more than prepare, else the first at all."""
    fallback = ""
    for _, words in resolved_commands(text):
        if not words or not words[0]:
            continue
        name = " ".join(subcommands(words))
        if "@" in name[1:]:  # npx tool@latest
            name = name[0] + name[1:].partition("@")[0]
        name = name[:_NAME_CHARS]
        if words[0] not in _SETTING_UP and name not in _SETTING_UP:
            return name
        fallback = fallback or name
    return fallback
