"""Writes the generated files of `protocol/` and of clients, or with `--check` tells whether they are fresh.

Of `README.md` the tables of methods and errors are generated, each below its heading; the rest is written by people.
"""

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

from recapd.wire.errors import ERRORS
from recapd.wire.methods import METHODS
from recapd.wire.python import python
from recapd.wire.schema import Json, model, schema
from recapd.wire.typescript import typescript

_PROTOCOL = Path(__file__).parents[2] / "protocol"
_README = "README.md"
# Where a client's package needs the types inside of itself.
_TYPES_OF_CLIENTS = Path(__file__).parents[2] / "clients" / "typescript" / "src" / "protocol.ts"
_TYPES_OF_PYTHON = Path(__file__).parents[1] / "client" / "protocol.py"
# What a later version is compared with.
_FROZEN = ("schema.json", "model.json")
_METHODS_HEAD = "| method | what it does |\n|---|---|\n"
_ERRORS_HEAD = "| code | name | data | meaning |\n|---|---|---|---|\n"
# A heading names the families of the methods below it: "### summary and history".
_METHODS_RE = re.compile(rf"(### ([a-z ]+)\n\n{re.escape(_METHODS_HEAD)})(?:\|[^\n]*\n)*")
_ERRORS_RE = re.compile(rf"{re.escape(_ERRORS_HEAD)}(?:\|[^\n]*\n)*")


def generate_files(folder: Path) -> dict[str, str]:
    """Text of each generated file, by its name."""
    files = {
        "schema.json": _pretty(schema()),
        "model.json": _pretty(model(_examples(folder))),
        "types.ts": typescript(),
        _README: with_tables(_read(folder / _README) or ""),
    }
    if folder == _PROTOCOL:
        files[str(_TYPES_OF_CLIENTS)] = files["types.ts"]
        files[str(_TYPES_OF_PYTHON)] = python()
    return files


def _examples(folder: Path) -> dict[str, list[str]]:
    """Names of the examples of each type, in order."""
    return {each.name: sorted(path.name for path in each.glob("*.json")) for each in (folder / "examples").glob("*/")}


def with_tables(readme: str) -> str:
    """The document with its tables of methods and errors as they are now."""
    readme = _METHODS_RE.sub(lambda found: found[1] + _methods_of(found[2].split(" and ")), readme)
    return _ERRORS_RE.sub(lambda found: _ERRORS_HEAD + _errors(), readme)


def _methods_of(families: list[str]) -> str:
    return "".join(
        f"| `{row.name}`{' (notification)' if row.kind == 'notification' else ''} | {row.doc} |\n"
        for row in METHODS
        if row.name.partition("/")[0] in families
    )


def _errors() -> str:
    return "".join(f"| {row.code} | {row.name} | `{row.data.__name__}` | {row.doc} |\n" for row in ERRORS)


def stale_files(folder: Path) -> list[str]:
    """Names of the files in `folder` that are missing or differ from what would be generated."""
    return [name for name, text in generate_files(folder).items() if _read(folder / name) != text]


def write_files(folder: Path) -> list[str]:
    """Names of the files that had to be written."""
    stale = stale_files(folder)
    texts = generate_files(folder)
    for name in stale:
        (folder / name).write_text(texts[name], encoding="utf-8", newline="\n")
    return stale


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m recapd.wire.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when a file is stale")
    parser.add_argument("--freeze", action="store_true", help="at a release: keep it as what later versions must serve")
    parser.add_argument("--folder", type=Path, default=_PROTOCOL, help="where the files are (default: protocol/)")
    options = parser.parse_args(arguments)
    if not options.check:
        for name in write_files(options.folder):
            sys.stdout.write(f"wrote {name}\n")
        if options.freeze:
            for name in _FROZEN:
                shutil.copy(options.folder / name, options.folder / "frozen" / name)
        return 0
    stale = stale_files(options.folder)
    for name in stale:
        sys.stderr.write(f"{options.folder / name} is stale; run python -m recapd.wire.generate\n")
    return 1 if stale else 0


def _pretty(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
