"""Writes the generated files of `protocol/`, or with `--check` tells whether they are fresh."""

import argparse
import json
import sys
from pathlib import Path

from recapd.wire.schema import Json, model, schema
from recapd.wire.typescript import typescript

_PROTOCOL = Path(__file__).parents[2] / "protocol"


def generated() -> dict[str, str]:
    """Text of each generated file, by its name."""
    return {"schema.json": _pretty(schema()), "model.json": _pretty(model()), "types.ts": typescript()}


def stale_files(folder: Path) -> list[str]:
    """Names of the files in `folder` that are missing or differ from what would be generated."""
    return [name for name, text in generated().items() if _read(folder / name) != text]


def write_files(folder: Path) -> list[str]:
    """Names of the files that had to be written."""
    stale = stale_files(folder)
    texts = generated()
    for name in stale:
        (folder / name).write_text(texts[name], encoding="utf-8", newline="\n")
    return stale


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m recapd.wire.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when a file is stale")
    parser.add_argument("--folder", type=Path, default=_PROTOCOL, help="where the files are (default: protocol/)")
    options = parser.parse_args(arguments)
    if not options.check:
        for name in write_files(options.folder):
            sys.stdout.write(f"wrote {name}\n")
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
