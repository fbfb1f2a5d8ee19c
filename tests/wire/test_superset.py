"""Clients of the last release go on working: what is served now is a superset of what was."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.wire.superset import Schema, breaks

PROTOCOL = Path(__file__).parents[2] / "protocol"


def load(name: str) -> Schema:
    found: Schema = json.loads((PROTOCOL / name).read_text(encoding="utf-8"))
    return found


SCHEMA, MODEL = load("schema.json"), load("model.json")


def test_nothing_of_the_last_release_is_broken() -> None:
    assert breaks(load("frozen/schema.json"), SCHEMA, load("frozen/model.json"), MODEL) == []


def fields(schema: Schema, name: str) -> dict[str, Any]:
    found: dict[str, Any] = schema["$defs"][name]["properties"]
    return found


def row(model: Schema, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in model["methods"] if each["method"] == name)
    return found


BREAKS: dict[str, tuple[Callable[[Schema, Schema], object], str]] = {
    "a method goes": (lambda _, model: model["methods"].remove(row(model, "recap/get")), "recap/get: gone"),
    "an error goes": (lambda _, model: model["errors"].pop(), "error "),
    "a field of an answer goes": (
        lambda schema, _: fields(schema, "RecapGetResult").pop("markdown"),
        ".markdown: gone",
    ),
    "a field deep in an answer changes its type": (
        lambda schema, _: fields(schema, "LogRef")["line"].update(type="string"),
        ".line: ",
    ),
    "a field of an answer may be missing": (
        lambda schema, _: schema["$defs"]["RecapGetResult"]["required"].remove("turn"),
        ".turn: no longer always there",
    ),
    "a field of an answer may be null": (
        lambda schema, _: fields(schema, "RecapGetResult").update(
            turn={"anyOf": [{"type": "integer"}, {"type": "null"}]}
        ),
        ".turn: null is not read",
    ),
    "a param goes": (lambda schema, _: fields(schema, "SessionListParams").pop("query"), "query: gone"),
    "a param is needed": (
        lambda schema, _: schema["$defs"]["SessionListParams"].setdefault("required", []).append("query"),
        "query: is now needed",
    ),
    "a param takes less": (
        lambda schema, _: fields(schema, "SessionListParams").update(workspace={"type": "string"}),
        "workspace: array is not read",
    ),
    "a value of a param goes": (
        lambda schema, _: _without_value(fields(schema, "RecapGetParams")["format"], "timeline"),
        "format: ",
    ),
    "a known value goes": (
        lambda schema, _: schema["$defs"]["SessionStatus"]["x-known-values"].remove("waiting"),
        "known values are gone",
    ),
    "a notification changes": (
        lambda schema, _: fields(schema, "RecapDidChangeParams").pop("changes"),
        "changes: gone",
    ),
}


def _without_value(field: Schema, value: str) -> None:
    for each in (field, *field.get("anyOf", ())):
        if "enum" in each:
            each["enum"] = [one for one in each["enum"] if one != value]


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_is_seen(name: str) -> None:
    damage, told = BREAKS[name]
    schema, model = copy.deepcopy((SCHEMA, MODEL))
    damage(schema, model)
    found = breaks(SCHEMA, schema, MODEL, model)
    assert any(told in line for line in found), found


def test_growing_is_no_break() -> None:
    schema, model = copy.deepcopy((SCHEMA, MODEL))
    fields(schema, "RecapGetResult")["mood"] = {"type": "string"}
    schema["$defs"]["RecapGetResult"]["required"].append("mood")
    fields(schema, "SessionListParams")["mood"] = {"type": "string"}
    schema["$defs"]["SessionStatus"]["x-known-values"].append("asleep")
    model["methods"].append({**row(model, "recap/get"), "method": "mood/get"})
    assert breaks(SCHEMA, schema, MODEL, model) == []
