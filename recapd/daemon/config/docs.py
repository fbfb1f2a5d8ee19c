"""The documentation of the configuration, made from core.settings: `python -m recapd.daemon.config.docs` writes
protocol/configuration.md, with `--check` it tells whether that is fresh.

Docstrings of fields are read off the source, so nothing of this runs unless somebody asks for documentation.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
from functools import cache
from pathlib import Path

import msgspec

from recapd.core.settings import Settings
from recapd.daemon.config.layers import WORKSPACE_FILE, features, is_of_a_workspace
from recapd.daemon.config.presets import PRESETS, SETTLED, SPELLINGS
from recapd.daemon.config.setting_keys import Key, Value, describe_accepted, keys, sections

_FILE = Path(__file__).parents[3] / "protocol" / "configuration.md"

_HEAD = f"""\
# Configuration

Generated from `recapd/core/settings.py` by `python -m recapd.daemon.config.docs`; do not edit.

Nothing has to be configured.
`recapd config` shows every value in effect and where it comes from, `recapd config --explain` what is said here.

## Where values come from

The later counts:

1. defaults;
2. a preset: `preset = "gitclaw"` at the top of a file, or `RECAPD_PRESET`;
3. the user's file, `~/.config/recapd/config.toml`, or the one that `RECAPD_CONFIG` names;
4. the workspace's file, `{WORKSPACE_FILE}` in the folder a session was begun in,
   or above it up to the root of its checkout; where there is none, `.GITCLAW/recap.json`, as it is;
5. switches of a single session, in either file;
6. the environment: `RECAPD_<SECTION>_<KEY>`, such as `RECAPD_RECAP_TURN_THRESHOLD=8`.
   Lists are separated by commas.
   A daemon has the environment it was started with.

A wrong key or value costs only itself: the rest of the file counts.
`recapd status`, `recapd config` and `config/get` say what does not.
Files are read again when they change, within seconds and without a restart.
What is switched off stops at once, also if it has begun.
While the daemon runs, a file that is no TOML changes nothing until it is,
and a value that is not accepted leaves the one before it in force.
"""

_WORKSPACE = """\
## What a workspace may set

A workspace's file comes with a checkout, so it may be anybody's.
It can set {}, and nothing of {}: what leaves the machine, what is read and what is kept is for the user's own file.
`summary.enabled` and `recap_file.enabled` it can switch off and not on.
The limits of `[llm]` hold whatever a workspace says.
A file of more than 64 KB is not read, nor one that is nested deeper than any setting.
"""

_SESSIONS = """\
## Single sessions

Features can be switched for one session by its id, as `recapd sessions --json` shows it:

```toml
[sessions."claude-code:6f9a2c31"]
recap = false
summary = false
```

Switches: {}.
"""

_PRESETS = """\
## Presets

A preset is a set of values under the user's own.
Where the design that it stands for had a configuration, the keys of that are understood too:
at the top of the file, while the preset is in force.
"""


def document() -> str:
    """The whole of configuration.md."""
    ours = [name for name in sections() if is_of_a_workspace(name)]
    users = [name for name in sections() if not is_of_a_workspace(name)]
    parts = [
        _HEAD,
        _WORKSPACE.format(_headings(ours), _headings(users)),
        _SESSIONS.format(", ".join(f"`{name}`" for name in features())),
        *map(_section, sections()),
        _PRESETS,
        *map(_preset, PRESETS),
    ]
    return "\n".join(parts)


def doc_of(key: Key) -> str:
    """The docstring of a field; "" where it has none."""
    return _field_docs(key.section).get(key.field, "")


def section_doc(section: str) -> str:
    """What a section is for."""
    return (_class_of(section).__doc__ or "").partition(": ")[2]


def write_toml_value(value: Value | None) -> str:
    """A value as TOML has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{each}"' for each in value) + "]"
    return str(value)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m recapd.daemon.config.docs")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when the file is stale")
    options = parser.parse_args(arguments)
    if not options.check:
        _FILE.write_text(document(), encoding="utf-8", newline="\n")
        return 0
    if _FILE.exists() and _FILE.read_text(encoding="utf-8") == document():
        return 0
    sys.stderr.write(f"{_FILE} is stale; run python -m recapd.daemon.config.docs\n")
    return 1


def _section(section: str) -> str:
    rows = [
        f"| `{key.field}` | `{write_toml_value(key.default)}` "
        f"| {_cell(describe_accepted(key))} | {_cell(doc_of(key))} |"
        for key in keys().values()
        if key.section == section
    ]
    table = "\n".join(["| key | default | accepted | meaning |", "|---|---|---|---|", *rows])
    return f"## [{section}]\n\n{_sentence(section_doc(section))}\n\n{table}\n"


def _preset(name: str) -> str:
    rows = "\n".join(f"{key} = {write_toml_value(value)}" for key, value in PRESETS[name].items())
    text = f"### {name}\n\n```toml\n{rows}\n```\n"
    spelled = [f"`{theirs}` is `{ours}`" for theirs, ours in SPELLINGS[name].items()]
    spelled += [f"`{theirs}` is always {write_toml_value(value)}" for theirs, value in SETTLED.get(name, {}).items()]
    return f"{text}\nIts own words: {', '.join(spelled)}.\n" if spelled else text


def _headings(names: list[str]) -> str:
    return ", ".join(f"`[{name}]`" for name in names)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _class_of(section: str) -> type:
    found: type = next(field.type for field in msgspec.structs.fields(Settings) if field.name == section)
    return found


@cache
def _field_docs(section: str) -> dict[str, str]:
    """Docstrings below the fields of a class, by field: Python throws them away, so the source is asked."""
    (tree,) = ast.parse(inspect.getsource(_class_of(section))).body
    assert isinstance(tree, ast.ClassDef)
    docs: dict[str, str] = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text)):
                docs[name] = inspect.cleandoc(text)
    return docs


if __name__ == "__main__":
    sys.exit(main())
