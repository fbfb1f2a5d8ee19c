"""Every example in `protocol/examples` is what it claims to be, and the specification shows only real ones."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from recapd.wire import types
from recapd.wire.errors import COMMON_ERRORS, ERRORS
from recapd.wire.methods import METHODS
from recapd.wire.types.base import Wire

PROTOCOL = Path(__file__).parents[2] / "protocol"
EXAMPLES = sorted((PROTOCOL / "examples").glob("*/*.json"))
SCHEMA = json.loads((PROTOCOL / "schema.json").read_text("utf-8"))
README = (PROTOCOL / "README.md").read_text("utf-8")


def example_type(path: Path) -> type[Wire]:
    found = getattr(types, path.parent.name)
    assert isinstance(found, type)
    assert issubclass(found, Wire)
    return found


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_example_fits_its_type(path: Path) -> None:
    text = path.read_bytes()
    example = json.loads(text)
    schema = {**SCHEMA, "$ref": f"#/$defs/{path.parent.name}"}
    Draft202012Validator(schema).validate(example)
    decoded = msgspec.json.decode(text, type=example_type(path))
    assert json.loads(msgspec.json.encode(decoded)) == example


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_reader_accepts_fields_it_does_not_know(path: Path) -> None:
    example = json.loads(path.read_bytes())
    grown = msgspec.json.encode(with_news(example))
    decoded = msgspec.json.decode(grown, type=example_type(path))
    assert json.loads(msgspec.json.encode(decoded)) == example


def with_news(value: object) -> object:
    """The value with a field from the future in every object that is a struct."""
    if isinstance(value, list):
        return [with_news(each) for each in value]
    if not isinstance(value, dict):
        return value
    grown = {key: each if key in ("records", "unknownTypes") else with_news(each) for key, each in value.items()}
    return {**grown, "fieldOfTheFuture": {"kind": "unheardOf"}}


def test_every_params_and_result_type_has_an_example() -> None:
    used = {row.params.__name__ for row in METHODS} | {row.result.__name__ for row in METHODS if row.result}
    assert used - {path.parent.name for path in EXAMPLES} == set()


def test_the_schema_itself_is_sound() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_specification_shows_the_examples_as_they_are() -> None:
    shown = re.findall(r"^`examples/(\S+)`:\n\n```json\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(shown) >= 10
    for name, text in shown:
        assert json.loads(text) == json.loads((PROTOCOL / "examples" / name).read_bytes()), name


def test_the_specification_mentions_every_method_and_error() -> None:
    missing = [row.name for row in METHODS if f"`{row.name}`" not in README]
    missing += [row.name for row in ERRORS if not re.search(rf"^\| {row.code} \| {row.name} \|", README, re.MULTILINE)]
    assert missing == []
    assert all(code in {row.code for row in ERRORS} for code in COMMON_ERRORS)
