"""What a change of the protocol would break for clients of the version before: the rules of "Evolution" in its README,
applied to two schemas and two tables of methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

Schema: TypeAlias = dict[str, Any]
# Who sends a value: what a client sends must be taken by the new version, what recapd sends must be read by the old.
Sender: TypeAlias = Literal["client", "recapd"]


def breaks(old: Schema, new: Schema, old_model: Schema, new_model: Schema) -> list[str]:
    """One line for each break, by the method and the field; none where the new version is a superset."""
    return [*_Comparison(old, new).of_methods(old_model, new_model)]


class _Comparison:
    def __init__(self, old: Schema, new: Schema) -> None:
        self._old: Schema = old["$defs"]
        self._new: Schema = new["$defs"]
        self._seen: set[tuple[str, str, Sender]] = set()

    def of_methods(self, old_model: Schema, new_model: Schema) -> Iterator[str]:
        rows = {row["method"]: row for row in new_model["methods"]}
        for old in old_model["methods"]:
            name = old["method"]
            new = rows.get(name)
            if new is None or (old["kind"], old["direction"]) != (new["kind"], new["direction"]):
                yield f"{name}: gone, or of another kind"
                continue
            sender: Sender = "client" if old["direction"] == "clientToServer" else "recapd"
            yield from self._of_types(name, _ref(old["params"]), _ref(new["params"]), sender)
            if (old["result"] is None) != (new["result"] is None):
                yield f"{name}: a result or none"
            elif old["result"] is not None:
                yield from self._of_types(name, _ref(old["result"]), _ref(new["result"]), "recapd")
        codes = {(row["code"], row["name"]) for row in new_model["errors"]}
        for error in old_model["errors"]:
            if (error["code"], error["name"]) not in codes:
                yield f"error {error['code']}: gone"

    def _of_types(self, where: str, old: Schema, new: Schema, sender: Sender) -> Iterator[str]:
        """Whoever reads must have an alternative for each that the sender may choose."""
        olds, news = self._alternatives(old, self._old), self._alternatives(new, self._new)
        sent, read = (olds, news) if sender == "client" else (news, olds)
        for each in sent:
            fitting = [other for other in read if _kind(each) in _readable(other)]
            if not fitting:
                yield f"{where}: {_kind(each)} is not read as {' or '.join(_kind(other) for other in read)}"
                continue
            before, after = (each, fitting[0]) if sender == "client" else (fitting[0], each)
            yield from self._of_one(where, before, after, sender)

    def _of_one(self, where: str, old: Schema, new: Schema, sender: Sender) -> Iterator[str]:
        if "properties" in old:
            key = (old.get("title", ""), new.get("title", ""), sender)
            if key not in self._seen:
                self._seen.add(key)
                yield from self._of_objects(where, old, new, sender)
        elif old.get("type") == "array":
            yield from self._of_types(f"{where}[]", old["items"], new["items"], sender)
        elif isinstance(old.get("additionalProperties"), dict):
            yield from self._of_types(f"{where}{{}}", old["additionalProperties"], new["additionalProperties"], sender)
        if sender == "client":
            if "enum" in new and not set(old.get("enum", ())) <= set(new["enum"]):
                yield f"{where}: values are no longer taken"
            if "pattern" in new and new["pattern"] != old.get("pattern"):
                yield f"{where}: another pattern"
            if new.get("minimum", float("-inf")) > old.get("minimum", float("-inf")):
                yield f"{where}: a higher minimum"
            if new.get("maximum", float("inf")) < old.get("maximum", float("inf")):
                yield f"{where}: a lower maximum"
        elif not set(old.get("x-known-values", ())) <= set(new.get("x-known-values", ())):
            yield f"{where}: known values are gone"

    def _of_objects(self, where: str, old: Schema, new: Schema, sender: Sender) -> Iterator[str]:
        required, needed = set(old.get("required", ())), set(new.get("required", ()))
        for name, field in old["properties"].items():
            inside = f"{where}.{name}"
            if name not in new["properties"]:
                yield f"{inside}: gone"
                continue
            if sender == "recapd" and name in required - needed:
                yield f"{inside}: no longer always there"
            yield from self._of_types(inside, field, new["properties"][name], sender)
        if sender == "client":
            yield from (f"{where}.{name}: is now needed" for name in sorted(needed - required))

    def _alternatives(self, schema: Schema, definitions: Schema) -> list[Schema]:
        if "$ref" in schema:
            return self._alternatives(definitions[schema["$ref"].rpartition("/")[2]], definitions)
        if "anyOf" in schema:
            return [each for member in schema["anyOf"] for each in self._alternatives(member, definitions)]
        return [schema]


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _kind(schema: Schema) -> str:
    if "const" in schema:
        return f"const {schema['const']}"
    if "enum" in schema:
        return "string"
    return str(schema.get("type", "anything"))


def _readable(schema: Schema) -> set[str]:
    kind = _kind(schema)
    return {kind, "integer"} if kind == "number" else {kind}
