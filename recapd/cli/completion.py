"""Completion for bash, zsh and fish.

`recapd completion SHELL` prints what the shell sources, and that asks `recapd complete` for what may follow.
Commands and options come from the table, sessions from the daemon if one runs.
"""

from __future__ import annotations

import sys

from recapd.cli.table import COMMANDS, add_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

# Bash breaks words at colons, which ids may hold: the words are taken from the line, and what stands before the last
# colon is taken off what it is given. Where there are several, it shows what each means, as the others do.
_BASH = """\
_recapd() {
  local -a words found
  local line typed
  read -ra words <<< "${COMP_LINE:0:COMP_POINT}"
  [[ "${COMP_LINE:COMP_POINT-1:1}" == [[:space:]] ]] && words+=("")
  typed=${words[${#words[@]}-1]}
  COMPREPLY=()
  while IFS= read -r line; do found+=("$line"); done < <(recapd complete -- "${words[@]:1}" 2>/dev/null)
  if [ ${#found[@]} -eq 0 ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$typed"))
    return
  fi
  compopt -o nosort 2>/dev/null
  for line in "${found[@]}"; do
    if [ ${#found[@]} -gt 1 ] && [ -n "${line#*$'\\t'}" ]; then
      line="${line%%$'\\t'*}  (${line#*$'\\t'})"
    else
      line=${line%%$'\\t'*}
    fi
    [[ "$typed" == *:* && "$COMP_WORDBREAKS" == *:* ]] && line=${line#"${typed%:*}:"}
    COMPREPLY+=("$line")
  done
}
complete -F _recapd recapd
"""
_ZSH = """\
#compdef recapd
_recapd() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
  done < <(recapd complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( ${#found} )); then _describe -V recapd found; else _files; fi
}
compdef _recapd recapd
"""
_FISH = """\
function __recapd_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (recapd complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c recapd -k -f -a '(__recapd_complete)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
# A shell waits for this: a daemon that does not answer at once is done without.
_SESSIONS_S = 0.5
_MOST_SESSIONS = 50


class _Taken:
    """Stands in for a parser: notes what a command takes, without the time that argparse takes to import."""

    def __init__(self) -> None:
        self.options: dict[str, dict[str, Any]] = {}
        self.positional: list[dict[str, Any]] = []

    def add_argument(self, *names: str, **said: Any) -> None:
        if names[0].startswith("-"):
            self.options |= dict.fromkeys(names, said)
        else:
            self.positional.append({"name": names[0]} | said)

    def add_mutually_exclusive_group(self, **_: Any) -> _Taken:
        return self


def completion_command(args: argparse.Namespace) -> int:
    sys.stdout.write(SCRIPTS[args.shell])
    return 0


def complete_command(args: argparse.Namespace) -> int:
    return complete(args.words)


def complete(words: list[str]) -> int:
    sys.stdout.write("".join(f"{value}\t{about}\n" for value, about in candidates(words)))
    return 0


def candidates(words: list[str]) -> list[tuple[str, str]]:
    """What the last of these words may become, each with what it means; none where it is a name of a file."""
    typed = words[-1] if words else ""
    if len(words) <= 1:
        found = [(command.name, command.text) for command in COMMANDS]
    else:
        named = next((command for command in COMMANDS if command.name == words[0]), None)
        if named is None:
            return []
        taken = _Taken()
        if named.add_arguments is not None:
            named.add_arguments(taken)  # type: ignore[arg-type]
        add_colour(taken)  # type: ignore[arg-type]
        found = _after(taken, words[1:-1], typed)
    return [each for each in found if each[0].startswith(typed)]


def _after(taken: _Taken, before: list[str], typed: str) -> list[tuple[str, str]]:
    last = taken.options.get(before[-1]) if before else None
    if last is not None and last.get("action", "append") == "append":
        return [(choice, "") for choice in last.get("choices", ())]
    if typed.startswith("-"):
        return [(name, said.get("help", "")) for name, said in taken.options.items() if name.startswith("--")]
    given = sum(not word.startswith("-") for word in before)
    wanted = taken.positional[min(given, len(taken.positional) - 1)] if taken.positional else {}
    if choices := wanted.get("choices"):
        return [(choice, "") for choice in choices]
    return _sessions() if wanted.get("name") == "log" and not given and "/" not in typed else []


def _sessions() -> list[tuple[str, str]]:
    from recapd.cli.ids import short_ids, text_of
    from recapd.cli.quick import ask_quickly

    answers = ask_quickly(("session/overview", {"limit": _MOST_SESSIONS}), timeout_s=_SESSIONS_S)
    answer = answers[0] if answers else None
    rows = answer.get("sessions") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        return []
    names = short_ids(text_of(row, "id") for row in rows)
    # What a log says is written on one line, without what a terminal obeys.
    return [(names[text_of(row, "id")], _plain(text_of(row, "title"))) for row in rows]


def _plain(text: str) -> str:
    return "".join(each if each.isprintable() else " " for each in text)
