"""The generated files are fresh, documented and open where readers must be tolerant."""

import json
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from recapd.wire.generate import main, stale_files, with_tables
from recapd.wire.methods import METHODS
from recapd.wire.schema import Json, schema
from recapd.wire.typescript import typescript

PROTOCOL = Path(__file__).parents[2] / "protocol"


DEFINITIONS = cast("dict[str, dict[str, Json]]", cast("dict[str, Json]", schema())["$defs"])


def test_generated_files_are_fresh() -> None:
    assert stale_files(PROTOCOL) == [], "run python -m recapd.wire.generate"


def test_check_names_the_stale_file_and_generating_mends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = ["--folder", str(tmp_path)]
    assert main(folder) == 0
    assert main([*folder, "--check"]) == 0
    capsys.readouterr()
    (tmp_path / "types.ts").write_text("// edited by hand\n")
    (tmp_path / "model.json").unlink()
    assert main([*folder, "--check"]) == 1
    told = capsys.readouterr().err
    assert "types.ts" in told
    assert "model.json" in told
    assert "schema.json" not in told
    assert main(folder) == 0
    assert main([*folder, "--check"]) == 0


def test_the_documents_tables_are_those_of_the_code() -> None:
    readme = (PROTOCOL / "README.md").read_text(encoding="utf-8")
    row = next(row for row in METHODS if row.name == "session/list")
    damaged = readme.replace(f"| `session/list` | {row.doc} |\n", "").replace(
        "| 1004 | cursorExpired |", "| 1004 | no |"
    )
    assert damaged != readme and with_tables(damaged) == readme


def test_every_type_and_field_says_what_it_is() -> None:
    silent = []
    for name, definition in DEFINITIONS.items():
        if not definition.get("description"):
            silent.append(name)
        properties = cast("dict[str, dict[str, Json]]", definition.get("properties", {}))
        silent += [f"{name}.{field}" for field, about in properties.items() if not about.get("description")]
    assert silent == []


def test_no_answer_has_a_closed_enum() -> None:
    """A reader of an older version must survive a value added later, so only params may be closed."""
    roots = [row.result.__name__ for row in METHODS if row.result]
    roots += [row.params.__name__ for row in METHODS if row.direction == "serverToClient"]
    seen: set[str] = set()
    assert [name for root in roots for name in closed_enums(root, seen)] == []
    assert closed_enums("RecapGetParams", set()) == ["RecapGetParams"]


def closed_enums(name: str, seen: set[str]) -> list[str]:
    if name in seen:
        return []
    seen.add(name)
    found = [name] if '"enum"' in json.dumps(DEFINITIONS[name]) else []
    for other in DEFINITIONS:
        if f'"#/$defs/{other}"' in json.dumps(DEFINITIONS[name]):
            found += closed_enums(other, seen)
    return found


def test_typescript_keeps_enums_open_and_optional_fields_optional() -> None:
    lines = typescript().splitlines()
    for expected in (
        'export type MadeBy = "user" | "agent" | "collaborative" | (string & {});',
        "export interface RecapGetParams extends SessionReadParams {",
        "  percentage: number | null;",
        "  supersededBy?: string | null;",
        '  "recap/get": { params: RecapGetParams; result: RecapGetResult | Unchanged };',
        '  "recap/unsubscribe": { params: RecapUnsubscribeParams; result: null };',
        '  "recap/didChange": { params: RecapDidChangeParams };',
        "  records: Record<string, number>;",
        "  unchanged: true;",
    ):
        assert expected in lines


def test_importing_the_types_loads_only_msgspec() -> None:
    """Clients import the types at start-up."""
    script = "import sys, recapd.wire.types; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=PROTOCOL.parent
    )
    modules = loaded.stdout.split()
    others = [name for name in modules if name.startswith("recapd.") and not name.startswith("recapd.wire")]
    assert others == []
    assert {"asyncio", "logging", "pathlib"}.isdisjoint(modules)
